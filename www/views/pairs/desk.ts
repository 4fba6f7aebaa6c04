import type { Cell } from "../../data/index.js";
import { Memo } from "../../elements/shared/controllers.js";
import type { Comparison, Side, State } from "../../state/index.js";
import type { Scene } from "../explorer/scene.js";
import type { Computation } from "../run/computation.js";
import { firstFailure } from "../run/failures.js";
import { readHead, type HeadFigures } from "../run/figures.js";
import { Loader } from "../run/loader.js";
import { OtherComputation, type Wish } from "../run/other.js";
import { axisOf, chosenHead } from "../run/selection.js";
import { hasTokensOf } from "../run/target-ids.js";
import type { Shelf } from "../run/model-pool.js";
import {
  align,
  alignedHead,
  type AlignedHead,
  type Alignment,
  counterpartOf,
  pairedHead,
  type PairedHead,
  pairedWords,
  readCosines,
  sideOf,
  type WordCosines,
  wordPair,
  type WordPair,
} from "./alignment.js";
import { type ExpectationChange, HeadChanges, readExpectationChange } from "./head-change.js";
import { type MovedStates, readMovedStates } from "./edit-changes.js";
import { comparisonOf, wishOf } from "./wish.js";

/** Computes and reads what the page shows of a second run beside the first. */
export class PairDesk {
  readonly other: OtherComputation;
  readonly cosines: Loader<WordCosines[]>;
  readonly expectation: Loader<ExpectationChange | null>;
  readonly moved: Loader<MovedStates>;
  /** What edits made of the head that is shown, where its pictures do not stand side by side. */
  readonly change: HeadChanges;
  comparison: Comparison | null = null;
  /** The pair that the page looks at, and what it stands for in the other run. */
  focused: Cell | null = null;
  counterpart: Cell | null = null;
  words: WordPair[] = [];
  paired: PairedHead | null = null;
  private wish: Wish | null = null;
  private readonly figures: Loader<HeadFigures>;
  private readonly aligned = { source: new Memo<Alignment>(), target: new Memo<Alignment>() };
  private readonly axes = new Memo<AlignedHead>();
  private readonly sharing = new Memo<PairedHead>();

  constructor(shelf: Shelf, changed: () => void) {
    this.other = new OtherComputation(shelf, changed);
    this.figures = new Loader(changed);
    this.cosines = new Loader(changed);
    this.expectation = new Loader(changed);
    this.moved = new Loader(changed);
    this.change = new HeadChanges(changed);
  }

  /** Why something of the other run could not be read; null while all could. */
  get failure(): unknown {
    return firstFailure(this.loaders);
  }

  forgive(): void {
    for (const loader of this.loaders) loader.forgive();
  }

  private get loaders(): readonly Pick<
    Loader<unknown>,
    "failure" | "loading" | "forgive" | "clear"
  >[] {
    return [this.figures, this.cosines, this.expectation, this.moved, this.change];
  }

  /** Whether anything of the other run is still on its way. */
  get busy(): boolean {
    return this.other.busy || this.loaders.some(({ loading }) => loading);
  }

  /** Whether what is shown of the other run is an earlier wish's. */
  get stale(): boolean {
    return this.wish !== null && !this.other.isFor(this.wish);
  }

  /** Follows the State and the run that is shown. */
  update(state: State, scene: Scene, first: Computation): void {
    this.comparison = comparisonOf(state, first);
    if (first.busy) this.other.hold();
    else {
      this.wish = this.wishNow(state, first);
      this.other.want(this.wish);
    }
    const { other } = this;
    if (!other.run || !other.model) {
      for (const loader of this.loaders) loader.clear();
      Object.assign(this, { paired: null, words: [], counterpart: null, focused: scene.focused });
      return;
    }
    if (state.compare === null) {
      this.figures.clear();
      Object.assign(this, { paired: null, words: [], counterpart: null, focused: scene.focused });
      this.wantChange(scene, first);
    } else {
      this.change.clear();
      this.wantFigures(scene);
      this.pair(state, scene, first);
    }
    this.wantReadings(state, scene, first);
  }

  /** The other text's tokens, and which of them stand for what the page looks at and holds. */
  strip(
    side: Side,
    state: State,
    scene: Scene,
    first: Computation,
  ): { tokens: HeadFigures["queries"]; focused: number | null; locked: number[] } {
    const { run, model } = this.other;
    const tokens =
      (side === "source"
        ? run?.tokens
        : model?.info.architecture === "encoder-decoder"
          ? run?.targetTokens
          : undefined) ?? [];
    const info = first.model?.info;
    const axis = info && scene.figures ? axisOf(side, scene.figures.head.stack, info) : null;
    const alignment = this.alignmentOf(side, state, first);
    const to = (cell: Cell | null): number | null =>
      axis && cell && alignment ? (alignment.toOther[cell[axis]] ?? null) : null;
    const locked = to(scene.locked);
    return { tokens, focused: to(scene.focused), locked: locked === null ? [] : [locked] };
  }

  alignmentOf(side: Side, state: State, first: Computation): Alignment | null {
    const [one, other] = [first.run, this.other.run];
    if (!one || !other) return null;
    const [tokens, others] =
      side === "source" ? [one.tokens, other.tokens] : [one.targetTokens, other.targetTokens];
    return this.aligned[side].get([tokens, others, state.aligned, state.pairs], () =>
      align(
        tokens,
        others,
        state.aligned,
        state.pairs.filter((pair) => pair.side === side),
      ),
    );
  }

  /** Every word that has a counterpart, of both texts of a translator; none of models whose states have no axes in common. */
  allWords(state: State, first: Computation): WordPair[] {
    const { run, model } = this.other;
    const architecture = first.model?.info.architecture;
    const one = first.run;
    if (!one || !run || !architecture || model !== first.model) return [];
    const sides: Side[] = architecture === "encoder-decoder" ? ["source", "target"] : ["source"];
    return sides.flatMap((side) => {
      const alignment = this.alignmentOf(side, state, first);
      const [tokens, others] =
        side === "source" ? [one.tokens, run.tokens] : [one.targetTokens, run.targetTokens];
      return alignment ? pairedWords(side, architecture, tokens, others, alignment) : [];
    });
  }

  /** While the edited run failed or was stopped, its original is still that of the edited run before; another text waits for nothing. */
  private wishNow(state: State, first: Computation): Wish | null {
    if (this.comparison !== "original" || (!first.failure && !first.stopped))
      return wishOf(state, first);
    return this.wish?.comparison === "original" ? this.wish : null;
  }

  /** Nothing of a picture that is still an earlier run's, or beside the original of another text. */
  private wantChange({ figures }: Scene, first: Computation): void {
    const { other } = this;
    if (figures?.run === first.run && other.run && this.isOriginalOf(first))
      this.change.want(figures, other.run, other.revision);
  }

  /** While the first run is written the other is still the original of an earlier one. */
  private isOriginalOf({ run, model }: Computation): boolean {
    return (
      run !== null &&
      model !== null &&
      this.other.run !== null &&
      !this.stale &&
      hasTokensOf(this.other.run, run, model.info)
    );
  }

  private wantFigures({ shown }: Scene): void {
    const { run, model, revision } = this.other;
    const head = shown && model ? chosenHead(shown, model.info) : null;
    if (run && head)
      this.figures.want(`${revision} ${head.stack} ${head.layer} ${head.head}`, () =>
        readHead(run, head, { beside: [], vectors: false }),
      );
  }

  private pair(state: State, { figures: one, focused, locked }: Scene, first: Computation): void {
    const other = this.figures.value;
    const info = first.model?.info;
    if (!one || !info || other?.run !== this.other.run) {
      this.paired = null;
      return;
    }
    const expected = this.other.model && chosenHead(one.head, this.other.model.info);
    // While another head is being read, the two pictures stay those of one head.
    if (JSON.stringify(expected) !== JSON.stringify(other.head)) return;
    const by = this.axes.get([one, other, state.aligned, state.pairs], () =>
      alignedHead(one, other, info, state),
    );
    this.paired = this.sharing.get([one, other, by, state.stage], () =>
      pairedHead(one, other, by, state.stage),
    );
    this.focused = focused;
    this.counterpart = counterpartOf(focused, by.queries.toOther, by.keys.toOther);
    const looked = locked ?? focused;
    this.words = looked
      ? this.wordsAt(looked, this.paired, info.architecture, (axis) => sideOf(axis, one.head, info))
      : [];
  }

  /** The word of the query and that of the key, once where they are the same. */
  private wordsAt(
    { query, key }: Cell,
    { one, other, queries, keys }: PairedHead,
    architecture: NonNullable<Computation["model"]>["info"]["architecture"],
    side: (axis: "query" | "key") => Side,
  ): WordPair[] {
    const ofQuery = wordPair(
      side("query"),
      architecture,
      one.queries,
      other.queries,
      queries,
      query,
    );
    const ofKey = wordPair(side("key"), architecture, one.keys, other.keys, keys, key);
    return ofQuery.side === ofKey.side && ofQuery.one.positions[0] === ofKey.one.positions[0]
      ? [ofQuery]
      : [ofQuery, ofKey];
  }

  private wantReadings(state: State, { place, figures }: Scene, first: Computation): void {
    const { other, words } = this;
    const [one, two] = [first.run, other.run];
    const shown = state.compare === null ? figures : this.paired?.one;
    if (!one || !two || shown?.run !== one) return;
    const moment = `${first.revision} ${other.revision}`;
    // Only states of one model have axes in common.
    if (state.compare !== null && other.model === first.model)
      this.cosines.want(`${moment} ${JSON.stringify(words)}`, () => readCosines(one, two, words));
    else this.cosines.clear();
    if (this.comparison !== "original" || !place) this.expectation.clear();
    // An earlier original read other tokens, and maybe fewer.
    else if (this.isOriginalOf(first))
      this.expectation.want(`${moment} ${place.kind} ${place.position}`, () =>
        readExpectationChange(two, one, place),
      );
    const { stack } = shown.head;
    const read = stack === "encoder" ? "encoder" : "decoder";
    // Only beside the original, which has the very same tokens, and only where it is to be seen.
    if (state.compare === "original" && this.comparison === "original" && this.isOriginalOf(first))
      this.moved.want(`${moment} ${read}`, () => readMovedStates(one, two, read));
    else this.moved.clear();
  }
}
