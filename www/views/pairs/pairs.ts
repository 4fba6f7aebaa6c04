import type { Cell, ModelInfo, Stack, Token } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { derived, effect, type Resource, Resources, tracked, type Wanted } from "../../signals.js";
import { type Comparison, nameOfHead, type Side, type State } from "../../state/index.js";
import { type ExportSubject, folderName, hiddenIn } from "../export/subject.js";
import { modelLabel } from "../models.js";
import { hasTokensOf, isBlank } from "../run/computation.js";
import { firstFailure, sentenceOf } from "../run/failures.js";
import { type HeadFigures, readHead } from "../run/head.js";
import type { ModelCache } from "../run/model-cache.js";
import type { Pointed, Pointing, TokenTouch } from "../run/pointing.js";
import type { Place } from "../run/readings.js";
import { axisOf, chosenHead, NO_STRIP, type Strip } from "../run/selection.js";
import {
  align,
  type Alignment,
  pairedHead,
  type PairedHead,
  pairedWords,
  type PairNames,
  readCosines,
  sideOf,
  type WordCosines,
  wordPair,
  type WordPair,
} from "./alignment.js";
import {
  type ExpectationChange,
  type HeadChange,
  type MovedStates,
  readExpectationChange,
  readMovedStates,
} from "./changes.js";
import { otherTextOf, secondRequest, type SecondRequest, SecondRun } from "./second-run.js";

/** What a second run reads of the session. */
interface FirstRun extends Pointed {
  readonly models: ModelCache;
  readonly pointing: Pointing;
  readonly figures: HeadFigures | null;
  readonly comparison: Comparison | null;
  readonly focused: Cell | null;
  readonly place: Place | null;
  readonly size: ModelInfo["stacks"][Stack];
}

/** A second run beside the one that is shown: what the page reads of it, and which token stands for which. */
export class Pairs {
  readonly other: SecondRun;
  @tracked private request: SecondRequest | null = null;
  private readonly reads = new Resources();
  private readonly figures = this.reads.add(() => this.wantedFigures());
  // Only states of one model have axes in common.
  private readonly cosinesRead = this.ofBoth(
    () => this.state.compare !== null && this.sameModel && this.words,
    readCosines,
  );
  private readonly expected = this.ofBoth(
    () => this.session.comparison === "original" && this.session.place,
    readExpectationChange,
  );
  private readonly movedRead = this.ofBoth(
    () => this.state.compare === "original" && (this.paired?.one.head.stack ?? null),
    readMovedStates,
  );
  private lastPaired: PairedHead | null = null;
  private readonly stopFollowing: (() => void)[];

  constructor(private readonly session: FirstRun) {
    this.other = new SecondRun(session.models);
    this.stopFollowing = [
      effect(() => {
        // The run that is shown comes first.
        if (session.computation.busy) this.other.stop();
        else {
          this.request = this.wanted();
          this.other.want(this.request);
        }
      }),
      ...this.reads.follow(),
    ];
  }

  private get state(): State {
    return this.session.state;
  }

  /** Why something of the second run could not be read; null while all could. */
  get failedRead(): unknown {
    return firstFailure(this.reads.all);
  }

  retry(): void {
    this.reads.retry();
  }

  get busy(): boolean {
    return this.other.busy || this.reads.loading;
  }

  leave(): void {
    for (const stop of this.stopFollowing) stop();
    this.other.clear();
  }

  /** Whether what is shown of the other run is an earlier request's. */
  @derived get stale(): boolean {
    return this.request !== null && !this.other.isFor(this.request);
  }

  get text(): string {
    return otherTextOf(this.state);
  }

  get blank(): boolean {
    const { text, compare } = this.state;
    return isBlank(text) || (compare === "other" && isBlank(this.text));
  }

  get failure(): string | null {
    const { failure, model } = this.other;
    const maxTokens = model?.info.maxTokens ?? 0;
    return failure && sentenceOf(failure, { maxTokens });
  }

  /** What a translator wrote from the second text; null of a model that writes none. */
  get translation(): string | null {
    const { model, run } = this.other;
    return model?.info.architecture === "encoder-decoder" ? (run?.targetText ?? null) : null;
  }

  get sameModel(): boolean {
    return this.other.model === this.session.computation.model;
  }

  /** A run is called by what sets it apart from the other: its edits, or its text, and its model where there are two. */
  get names(): PairNames {
    const { text, model, otherModel, compare } = this.state;
    if (compare === "original")
      return { one: message("pairs.edited"), other: message("pairs.original") };
    const both = otherModel !== null && otherModel !== model;
    const [one, other] = [
      { text, model: modelLabel(model) },
      { text: this.text, model: modelLabel(otherModel ?? model) },
    ].map((run) => (both ? message("pairs.named", run) : run.text));
    return { one: one ?? "", other: other ?? "" };
  }

  /** Size of a head's queries and keys in the second run; as in the first until that is known. */
  get otherDim(): number {
    const stack = this.paired?.other.head.stack;
    return (
      (stack && this.other.model?.info.stacks[stack]?.headDim) ?? this.session.size?.headDim ?? 0
    );
  }

  /** The head in both runs. While another head is being read, the two pictures stay those of one head. */
  @derived get paired(): PairedHead | null {
    const { figures: one, info, state } = this.session;
    const { run, model } = this.other;
    const other = this.figures.value;
    if (!one || !info || !run || !model || other?.run !== run) this.lastPaired = null;
    else {
      const head = chosenHead(one.head, model.info);
      if (head && nameOfHead(head) === nameOfHead(other.head))
        this.lastPaired = pairedHead(one, other, info, state);
    }
    return this.lastPaired;
  }

  /** The words of the pair that is focused, once where they are the same, each with its counterpart. */
  @derived get words(): WordPair[] {
    const { focused, locked, info } = this.session;
    const cell = locked ?? focused;
    const { paired } = this;
    if (!cell || !paired || !info) return [];
    const { one, other } = paired;
    const word = (axis: keyof Cell, name: "queries" | "keys"): WordPair =>
      wordPair(
        sideOf(axis, one.head, info),
        info,
        one[name],
        other[name],
        paired[name],
        cell[axis],
      );
    const [query, key] = [word("query", "queries"), word("key", "keys")];
    const same = query.side === key.side && query.one.positions[0] === key.one.positions[0];
    return same ? [query] : [query, key];
  }

  get cosines(): WordCosines[] | null {
    return this.cosinesRead.value;
  }

  /** What edits did to the states and to what the model expects; null beside another text. */
  get moved(): MovedStates | null {
    return this.state.compare === "original" ? this.movedRead.value : null;
  }

  /** What active edits changed; null without any. */
  @derived get changes(): {
    head: HeadChange | null;
    expectation: ExpectationChange | null;
  } | null {
    if (this.session.comparison !== "original") return null;
    const { paired, stale } = this;
    const head = paired && {
      before: paired.other.stages.weights,
      after: paired.one.stages.weights,
    };
    return { head: stale ? null : head, expectation: this.expected.value };
  }

  @derived get source(): Strip {
    return this.strip("source", this.other.run?.tokens);
  }

  @derived get result(): Strip {
    return this.strip(
      "target",
      this.translation === null ? undefined : this.other.run?.targetTokens,
    );
  }

  /** The other text's tokens, and which of them correspond to the focused and the locked pair. */
  private strip(side: Side, tokens: readonly Token[] = []): Strip {
    const { focused, locked, figures, info } = this.session;
    const axis = info && figures ? axisOf(side, figures.head.stack, info) : null;
    const to = (cell: Cell | null): number | null =>
      (axis && cell && this.alignment?.[side].toOther[cell[axis]]) ?? null;
    const held = to(locked);
    return { ...NO_STRIP, tokens, focused: to(focused), locked: held === null ? [] : [held] };
  }

  /** Which token of each text stands for which of the other run's. */
  @derived private get alignment(): Record<Side, Alignment> | null {
    const { revision, run: one } = this.session.computation;
    const { run: other } = this.other;
    const { aligned, pairs } = this.state;
    if (!one || !other || revision < 0) return null;
    const byHand = (of: Side): typeof pairs => pairs.filter(({ side }) => side === of);
    return {
      source: align(one.tokens, other.tokens, aligned, byHand("source")),
      target: align(one.targetTokens, other.targetTokens, aligned, byHand("target")),
    };
  }

  /** Every word that has a counterpart, of both texts of a translator; none of models whose states have no axes in common. */
  private allWords(info: ModelInfo): WordPair[] {
    const { run: one } = this.session.computation;
    const { run } = this.other;
    const { alignment } = this;
    if (!one || !run || !alignment || !this.sameModel) return [];
    const texts = {
      source: [one.tokens, run.tokens],
      target: [one.targetTokens, run.targetTokens],
    };
    const sides: Side[] =
      info.architecture === "encoder-decoder" ? ["source", "target"] : ["source"];
    return sides.flatMap((side) => {
      const [tokens = [], others = []] = texts[side];
      return pairedWords(side, info, tokens, others, alignment[side]);
    });
  }

  /** What can be exported: both runs, where the page shows two; null while they are not those that are asked for. */
  exported(subject: ExportSubject | null): ExportSubject | null {
    const { state, paired, stale, translation } = this;
    const { run, model, failure } = this.other;
    if (!subject || !paired || !run || !model || failure || stale) return null;
    if (paired.one !== subject.figures || paired.other.run !== run) return null;
    const original = state.compare === "original";
    const text = original ? state.text : this.text;
    const given = text === state.text && translation !== null ? state.target : null;
    const name = (original ? null : state.otherModel) ?? state.model;
    const reading = {
      model: folderName(name),
      text,
      target: original ? subject.target : (given ?? translation),
      hidden: hiddenIn(run),
      ...paired.other.head,
      edits: {},
    };
    return {
      ...subject,
      compared: {
        paired,
        reading,
        names: this.names,
        words: () => this.allWords(subject.info),
        shownWords: this.sameModel ? this.words.filter(({ other }) => other !== null) : [],
      },
    };
  }

  /** A token of the second text stands for its counterpart, or becomes the counterpart of the one that is held. */
  touched({ side, index, action }: TokenTouch): void {
    const { info, figures, locked, pointing, store } = this.session;
    if (!info) return;
    const one = (index === null ? null : this.alignment?.[side].toOne[index]) ?? null;
    const axis = figures && axisOf(side, figures.head.stack, info);
    const held = axis && locked ? locked[axis] : null;
    if (action === "lock" && index !== null && held !== null && held !== one) {
      const others = this.state.pairs.filter(
        (pair) => pair.side !== side || (pair.one !== held && pair.other !== index),
      );
      store.update({ pairs: [...others, { side, one: held, other: index }] });
    } else if (index === null || one !== null) pointing.touchToken({ side, index: one, action });
  }

  /** While the edited run failed or was stopped, its original is still that of the edited run before; another text waits for nothing. */
  private wanted(): SecondRequest | null {
    const { computation, comparison } = this.session;
    if (comparison !== "original" || (!computation.failure && !computation.stopped))
      return computation.revision >= 0 ? secondRequest(this.state, comparison, computation) : null;
    return this.request?.comparison === "original" ? this.request : null;
  }

  private wantedFigures(): Wanted<HeadFigures> {
    const { run, model, revision } = this.other;
    const { shown } = this.session;
    const head = shown && model && chosenHead(shown, model.info);
    if (!run || !head) return null;
    return { key: `${revision} ${nameOfHead(head)}`, read: () => readHead(run, head) };
  }

  /** Reads what `of` names of both runs, once the pictures are those of the first; nothing where it is false or null. */
  private ofBoth<Of, Answer>(
    of: () => Of | null | false,
    read: (one: Run, other: Run, of: Of) => Promise<Answer>,
  ): Resource<Answer> {
    return this.reads.add(() => {
      const { run: one, revision } = this.session.computation;
      const { run: other, revision: otherRevision } = this.other;
      const about = of();
      if (!other || about === null || about === false) return null;
      if (!one || this.paired?.one.run !== one) return undefined;
      // An earlier original read other tokens, and maybe fewer.
      if (this.session.comparison === "original" && !this.isOriginal(other, one)) return undefined;
      const key = `${revision} ${otherRevision} ${JSON.stringify(about)}`;
      return { key, read: () => read(one, other, about) };
    });
  }

  /** Whether the second run is of the very tokens of the first: while that is written, the other is still the original of an earlier one. */
  private isOriginal(other: Run, one: Run): boolean {
    const { info } = this.session;
    return info !== null && !this.stale && hasTokensOf(other, one, info);
  }
}
