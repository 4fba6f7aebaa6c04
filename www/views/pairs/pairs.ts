import type { Cell, HeadRef, ModelInfo, Tensor, Token } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { derived, effect, Resources, tracked, type Wanted } from "../../signals.js";
import {
  type Comparison,
  type HandPair,
  nameOfHead,
  type Side,
  type State,
} from "../../state/index.js";
import {
  type ComparedSubject,
  type ExportSubject,
  folderName,
  hiddenIn,
} from "../export/subject.js";
import { modelLabel } from "../models.js";
import { isBlank } from "../run/computation.js";
import { firstFailure, sentenceOf } from "../run/failures.js";
import { type HeadFigures, readHead } from "../run/figures.js";
import type { ModelCache } from "../run/model-cache.js";
import type { Pointed, Pointing, TokenTouch } from "../run/pointing.js";
import type { Place } from "../run/readings.js";
import { axisOf, chosenHead, NO_STRIP, type Strip } from "../run/selection.js";
import { hasTokensOf } from "../run/target-ids.js";
import {
  align,
  alignedHead,
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
} from "./head-change.js";
import { otherTextOf, secondRequest, type SecondRequest, SecondRun } from "./second-run.js";

/** What a second run reads of the session. */
interface FirstRun extends Pointed {
  readonly models: ModelCache;
  readonly pointing: Pointing;
  readonly figures: HeadFigures | null;
  readonly comparison: Comparison | null;
  readonly focused: Cell | null;
  readonly place: Place | null;
  readonly headDim: number;
}

/** A second run beside the one that is shown: what the page reads of it, and what stands for what in the two. */
export class Pairs {
  readonly other: SecondRun;
  @tracked private request: SecondRequest | null = null;
  private readonly reads = new Resources();
  private readonly figures = this.reads.add(() => this.wantedFigures());
  private readonly cosinesRead = this.reads.add(() => this.wantedCosines());
  private readonly expected = this.reads.add(() => this.wantedExpectation());
  private readonly movedRead = this.reads.add(() => this.wantedMoves());
  /** The weights of the head that is shown in the run without the edits, where its pictures do not stand side by side. */
  private readonly before = this.reads.add(() => this.wantedBefore());
  private lastPaired: PairedHead | null = null;
  private lastChange: HeadChange | null = null;
  private readonly stopFollowing: (() => void)[];

  constructor(private readonly session: FirstRun) {
    this.other = new SecondRun(session.models);
    this.stopFollowing = [
      effect(() => {
        if (session.computation.busy) this.other.hold();
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

  /** Forgets what could not be read: another run is coming. */
  forgive(): void {
    this.reads.forgive();
  }

  /** Whether anything of the other run is still on its way. */
  get busy(): boolean {
    return this.other.busy || this.reads.loading;
  }

  /** Releases the second run. */
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

  /** Whether there is no second text, or no first. */
  get blank(): boolean {
    const { text, compare } = this.state;
    return isBlank(text) || (compare === "other" && isBlank(this.text));
  }

  /** Why there is no second run, as a sentence. */
  get failure(): string | null {
    const { failure, model } = this.other;
    return (
      failure &&
      sentenceOf(failure, {
        maxTokens: model?.info.maxTokens ?? 0,
        showsEarlierText: false,
        ownFolder: false,
      })
    );
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
    const { state } = this;
    if (state.compare === "original")
      return { one: message("pairs.edited"), other: message("pairs.original") };
    const model = state.otherModel ?? state.model;
    const name = (text: string, own: string): string =>
      model === state.model ? text : message("pairs.named", { model: own, text });
    return {
      one: name(state.text, modelLabel(state.model)),
      other: name(this.text, modelLabel(model)),
    };
  }

  /** Size of a head's queries and keys in the second run; as in the first until that is known. */
  get otherDim(): number {
    const stack = this.paired?.other.head.stack;
    return (stack && this.other.model?.info.stacks[stack]?.headDim) ?? this.session.headDim;
  }

  /** The head in both runs. While another head is being read, the two pictures stay those of one head. */
  @derived get paired(): PairedHead | null {
    const { figures: one, info, state } = this.session;
    const { run, model } = this.other;
    const other = this.figures.value;
    if (state.compare === null || !one || !info || !run || !model || other?.run !== run)
      this.lastPaired = null;
    else if (sameHead(chosenHead(one.head, model.info), other.head)) {
      const { aligned, pairs, stage } = state;
      this.lastPaired = pairedHead(
        one,
        other,
        alignedHead(one, other, info, { aligned, pairs }),
        stage,
      );
    }
    return this.lastPaired;
  }

  /** The words of the pair that the page looks at, each with its counterpart. */
  @derived get words(): WordPair[] {
    const { focused, locked, info } = this.session;
    const cell = locked ?? focused;
    const { paired } = this;
    return cell && paired && info ? wordsAt(cell, paired, info) : [];
  }

  get cosines(): WordCosines[] | null {
    return this.cosinesRead.value;
  }

  /** What edits did to the states and to what the model expects; null beside another text. */
  get moved(): MovedStates | null {
    return this.state.compare === "original" ? this.movedRead.value : null;
  }

  get expectation(): ExpectationChange | null {
    return this.session.comparison === "original" ? this.expected.value : null;
  }

  /** What active edits changed, for the inspector; null without any. */
  @derived get changes(): {
    head: HeadChange | null;
    expectation: ExpectationChange | null;
  } | null {
    if (this.session.comparison !== "original") return null;
    return { head: this.stale ? null : this.change, expectation: this.expected.value };
  }

  /** What edits made of the weights of the head that is shown. Of the original nothing else is read. */
  private get change(): HeadChange | null {
    const { figures } = this.session;
    const before = this.before.value;
    if (!before || !figures || before.run !== this.other.run) this.lastChange = null;
    // While it is read, what is shown stays that of one head.
    else if (nameOfHead(figures.head) === nameOfHead(before.head))
      this.lastChange = { before: before.weights, after: figures.stages.weights };
    return this.lastChange;
  }

  @derived get source(): Strip {
    return this.strip("source", this.other.run?.tokens, this.alignment.source);
  }

  @derived get result(): Strip {
    const written = this.translation === null ? undefined : this.other.run?.targetTokens;
    return this.strip("target", written, this.alignment.target);
  }

  /** The other text's tokens, and which of them stand for what the page looks at and holds. */
  private strip(side: Side, tokens: readonly Token[] = [], alignment: Alignment | null): Strip {
    const { focused, locked, figures, info } = this.session;
    const axis = info && figures ? axisOf(side, figures.head.stack, info) : null;
    const to = (cell: Cell | null): number | null =>
      axis && cell && alignment ? (alignment.toOther[cell[axis]] ?? null) : null;
    const held = to(locked);
    return { ...NO_STRIP, tokens, focused: to(focused), locked: held === null ? [] : [held] };
  }

  /** Which token of each text stands for which of the other run's. */
  @derived private get alignment(): Readonly<Record<Side, Alignment | null>> {
    const { revision, run: one } = this.session.computation;
    const { run: other } = this.other;
    const { aligned, pairs } = this.state;
    if (!one || !other || revision < 0) return { source: null, target: null };
    const of = (side: Side, tokens: readonly Token[], others: readonly Token[]): Alignment =>
      align(
        tokens,
        others,
        aligned,
        pairs.filter((pair) => pair.side === side),
      );
    return {
      source: of("source", one.tokens, other.tokens),
      target: of("target", one.targetTokens, other.targetTokens),
    };
  }

  /** Every word that has a counterpart, of both texts of a translator; none of models whose states have no axes in common. */
  private allWords(): WordPair[] {
    const { run: one } = this.session.computation;
    const { run } = this.other;
    const architecture = this.session.info?.architecture;
    if (!one || !run || !architecture || !this.sameModel) return [];
    const sides: Side[] = architecture === "encoder-decoder" ? ["source", "target"] : ["source"];
    return sides.flatMap((side) => {
      const alignment = this.alignment[side];
      const [tokens, others] =
        side === "source" ? [one.tokens, run.tokens] : [one.targetTokens, run.targetTokens];
      return alignment ? pairedWords(side, architecture, tokens, others, alignment) : [];
    });
  }

  /** What can be exported: both runs, where the page shows two; null while they are not those that are asked for. */
  exported(subject: ExportSubject | null): ExportSubject | null {
    const compared = subject && this.comparedWith(subject);
    return compared && { ...subject, compared };
  }

  private comparedWith({ figures, target }: ExportSubject): ComparedSubject | null {
    const { state, paired, text: otherText } = this;
    const { run, model, failure } = this.other;
    if (!paired || !run || !model || failure || this.stale) return null;
    if (paired.one !== figures || paired.other.run !== run) return null;
    const original = state.compare === "original";
    const text = original ? state.text : otherText;
    const given = text === state.text && this.translation !== null ? state.target : null;
    const name = (original ? null : state.otherModel) ?? state.model;
    return {
      paired,
      reading: {
        model: folderName(name),
        text,
        target: original ? target : (given ?? this.translation),
        hidden: hiddenIn(run),
        ...paired.other.head,
        edits: {},
      },
      names: this.names,
      words: () => this.allWords(),
      shownWords: this.sameModel ? this.words.filter(({ other }) => other !== null) : [],
    };
  }

  /** A token of the second text stands for its counterpart, or becomes the counterpart of the one that is held. */
  touched({ side, index, action }: TokenTouch): void {
    const { info, figures, locked, pointing } = this.session;
    if (!info) return;
    const one = index === null ? null : (this.alignment[side]?.toOne[index] ?? null);
    const axis = figures && axisOf(side, figures.head.stack, info);
    const held = axis && locked ? locked[axis] : null;
    if (action === "lock" && index !== null && held !== null && held !== one)
      this.pairUp({ side, one: held, other: index });
    else if (index === null || one !== null) pointing.touchToken({ side, index: one, action });
  }

  private pairUp(pair: HandPair): void {
    const others = this.state.pairs.filter(
      ({ side, one, other }) => side !== pair.side || (one !== pair.one && other !== pair.other),
    );
    this.session.store.update({ pairs: [...others, pair] });
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
    if (!run || !model || this.state.compare === null) return null;
    const head = shown && chosenHead(shown, model.info);
    return (
      head && {
        key: `${revision} ${nameOfHead(head)}`,
        read: () => readHead(run, head),
      }
    );
  }

  private wantedBefore(): Wanted<{ run: Run; head: HeadRef; weights: Tensor }> {
    const { run, revision } = this.other;
    const { figures } = this.session;
    if (!run || this.state.compare !== null) return null;
    // Nothing of a picture that is still an earlier run's, or beside the original of another text.
    if (!figures) return undefined;
    if (figures.run !== this.session.computation.run || !this.isOriginal) return undefined;
    const { head } = figures;
    return {
      key: `${revision} ${nameOfHead(head)}`,
      read: async () => ({ run, head, weights: await run.attention(head) }),
    };
  }

  private wantedCosines(): Wanted<WordCosines[]> {
    // Only states of one model have axes in common.
    const runs = this.state.compare !== null && this.sameModel ? this.runs() : null;
    const { words } = this;
    return (
      runs && {
        key: `${runs.key} ${JSON.stringify(words)}`,
        read: () => readCosines(runs.one, runs.other, words),
      }
    );
  }

  private wantedExpectation(): Wanted<ExpectationChange | null> {
    const runs = this.runs();
    const { place, comparison } = this.session;
    if (!runs) return runs;
    if (comparison !== "original" || !place) return null;
    // An earlier original read other tokens, and maybe fewer.
    return this.isOriginal
      ? {
          key: `${runs.key} ${place.kind} ${place.position}`,
          read: () => readExpectationChange(runs.other, runs.one, place),
        }
      : undefined;
  }

  /** Only beside the original, which has the very same tokens, and only where it is to be seen. */
  private wantedMoves(): Wanted<MovedStates> {
    const runs = this.runs();
    if (!runs) return runs;
    if (this.state.compare !== "original" || !this.isOriginal) return null;
    const stack = runs.stack === "encoder" ? "encoder" : "decoder";
    return {
      key: `${runs.key} ${stack}`,
      read: () => readMovedStates(runs.one, runs.other, stack),
    };
  }

  /** Both runs once what is shown is the first one's; undefined until then, null without a second. */
  private runs():
    | { one: Run; other: Run; stack: HeadRef["stack"]; key: string }
    | null
    | undefined {
    const { computation, figures } = this.session;
    const { run: one, revision } = computation;
    const { run: other } = this.other;
    if (!other) return null;
    const shown = this.state.compare === null ? figures : this.paired?.one;
    if (!one || shown?.run !== one) return undefined;
    return { one, other, stack: shown.head.stack, key: `${revision} ${this.other.revision}` };
  }

  /** Whether the second run is of the very tokens of the first: while that is written, the other is still the original of an earlier one. */
  private get isOriginal(): boolean {
    const { run, model, revision } = this.session.computation;
    const other = this.other.run;
    return (
      run !== null &&
      model !== null &&
      other !== null &&
      revision >= 0 &&
      !this.stale &&
      hasTokensOf(other, run, model.info)
    );
  }
}

function sameHead(one: HeadRef | null, other: HeadRef): boolean {
  return one !== null && nameOfHead(one) === nameOfHead(other);
}

/** The word of the query and that of the key, once where they are the same. */
function wordsAt(
  { query, key }: Cell,
  { one, other, queries, keys }: PairedHead,
  info: ModelInfo,
): WordPair[] {
  const { architecture } = info;
  const side = (axis: keyof Cell): Side => sideOf(axis, one.head, info);
  const ofQuery = wordPair(side("query"), architecture, one.queries, other.queries, queries, query);
  const ofKey = wordPair(side("key"), architecture, one.keys, other.keys, keys, key);
  return ofQuery.side === ofKey.side && ofQuery.one.positions[0] === ofKey.one.positions[0]
    ? [ofQuery]
    : [ofQuery, ofKey];
}
