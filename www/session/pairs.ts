import type { BlockStack, Cell, HeadRef, Prediction, Tensor, Token } from "../data/index.js";
import { blockStackOf, rowOf } from "../data/index.js";
import type { Run } from "../headscope.js";
import { message } from "../i18n/index.js";
import {
  derived,
  effect,
  type Resource,
  Resources,
  type Surroundings,
  tracked,
  WITHIN,
} from "../signals.js";
import {
  type Comparison,
  editsOf,
  type ModelName,
  nameOfHead,
  type Side,
  type State,
} from "../state/index.js";
import { folderName, maskedIn } from "./origin.js";
import type { ExportSubject } from "./subject.js";
import { modelLabel } from "./models/models.js";
import { hasTokensOf, isBlank } from "./run/computation.js";
import { sentenceOf } from "./run/failures.js";
import { type DisplayedPattern, displayPattern, type HeadFigures } from "./run/head.js";
import { comparedStage, lensOf } from "./run/pair-pictures.js";
import type { ModelCache } from "./models/model-cache.js";
import type { Pointed, Pointing, TokenTouch } from "./run/pointing.js";
import type { Place } from "./run/readings.js";
import { axisOf, NO_STRIP, type Strip, tokensOf } from "./run/selection.js";
import type { Readable } from "./run/shown-image.js";
import {
  align,
  type Alignment,
  headLabel,
  mapCell,
  pairedHead,
  type PairedHead,
  pairedWords,
  type PairNames,
  readCosines,
  sideOf,
  wordPair,
  type WordPair,
} from "./alignment.js";
import {
  isOfHeads,
  otherEditsOf,
  otherTargetOf,
  otherTextOf,
  secondRequest,
  type SecondRequest,
  SecondRun,
} from "./second-run.js";
import { headBeside, SecondView } from "./second-view.js";

interface FirstRun extends Pointed, Surroundings {
  readonly models: ModelCache;
  readonly pointing: Pointing;
  readonly figures: HeadFigures | null;
  readonly comparison: Comparison | null;
  readonly focused: Cell | null;
  readonly place: Place | null;
  readonly shownImage: Readable;
}

/**
 * A second run beside the displayed one: the page's readings of it, and the alignment of the
 * tokens.
 */
export class Pairs {
  readonly other: SecondRun;
  /** The second run's head, in the picture of the first. */
  readonly second: SecondView;
  @tracked private request: SecondRequest | null = null;
  readonly reads = new Resources();
  /** The cosines of words; only states of one model have axes in common. */
  readonly cosines = this.ofBoth(
    () => this.state.compare !== null && this.sameModel && this.words,
    readCosines,
  );
  private readonly predictionsRead = this.ofBoth(
    () => this.session.comparison === "original" && this.session.place,
    readPredictionChanges,
  );
  private readonly movedRead = this.ofBoth(
    () => this.state.compare === "original" && this.paired && blockStackOf(this.paired.one.head),
    readMovedStates,
  );
  private lastPaired: PairedHead | null = null;
  private readonly stopFollowing: (() => void)[];

  constructor(private readonly session: FirstRun) {
    this.other = new SecondRun(session.models);
    this.second = new SecondView(session, this.other, () => this.counterparts);
    const { headRead, stepsRead, explainedRead, imageRead } = this.second;
    this.stopFollowing = [
      effect(() => {
        // The displayed run is computed first.
        if (session.computation.busy) this.other.stop();
        else {
          this.request = this.wanted();
          this.other.want(this.request);
        }
      }),
      ...this.reads.follow(),
      ...this.second.reads.follow([headRead, stepsRead, explainedRead, imageRead]),
    ];
  }

  [WITHIN]<Result>(act: () => Result): Result {
    return this.session[WITHIN](act);
  }

  private get state(): State {
    return this.session.state;
  }

  get busy(): boolean {
    return this.other.busy || this.reads.loading || this.second.reads.loading;
  }

  /** Everything that is read for the comparison. */
  get resources(): readonly Resource<unknown>[] {
    return [...this.reads.all, ...this.second.reads.all];
  }

  leave(): void {
    for (const stop of this.stopFollowing) stop();
    this.other.clear();
  }

  /** Whether the displayed second run answers an earlier request. */
  @derived get stale(): boolean {
    return this.request !== null && !this.other.isFor(this.request);
  }

  get text(): string {
    return otherTextOf(this.state);
  }

  get blank(): boolean {
    const { text, compare } = this.state;
    if (this.session.info?.image && this.sameModel) return false;
    return isBlank(text) || (compare === "other" && isBlank(this.text));
  }

  get failure(): string | null {
    const { failure } = this.other;
    return failure && sentenceOf(failure);
  }

  /** The translation of the second text; null for a model that writes none. */
  get translation(): string | null {
    const { model, run } = this.other;
    return model?.info.architecture === "encoder-decoder" ? (run?.targetText ?? null) : null;
  }

  get sameModel(): boolean {
    return this.other.model === this.session.computation.model;
  }

  /**
   * The names of the two sides, after what distinguishes them: edits, or the model, the head and
   * the text, each if there are two; the text also if nothing else does.
   */
  get names(): PairNames {
    const { text, model, otherModel, compare } = this.state;
    if (compare === "original")
      return { one: message("pairs.edited"), other: message("pairs.original") };
    const second = otherModel ?? model;
    const { one, other } = this.paired ?? {};
    const ofHeads = one && other && nameOfHead(one.head) !== nameOfHead(other.head);
    const hasTwo = second !== model;
    const { target, otherTarget } = this.state;
    const hasTexts = this.text !== text;
    // Two translations of one text are named by themselves.
    const [own, beside] =
      hasTexts || otherTarget === null || target === null
        ? [text, this.text]
        : [target, otherTarget];
    const named = (of: string, name: ModelName, head?: HeadRef): string =>
      [
        ...(hasTwo ? [modelLabel(name)] : []),
        ...(ofHeads && head ? [headLabel(head)] : []),
        ...(hasTexts || (!ofHeads && !hasTwo) ? [of] : []),
      ].join(" · ");
    return { one: named(own, model, one?.head), other: named(beside, second, other?.head) };
  }

  /**
   * The heads of both sides. While another head is being read, both pictures stay those of the
   * heads before.
   */
  @derived get paired(): PairedHead | null {
    const { figures: one, info, state } = this.session;
    const { run, model } = this.other;
    const other = this.second.figures;
    if (!one || !info || !run || !model || other?.run !== run) this.lastPaired = null;
    else {
      const head = headBeside(one.head, state, model.info);
      if (head && nameOfHead(head) === nameOfHead(other.head))
        this.lastPaired = pairedHead(one, other, [info, model.info], {
          ...state,
          stage: comparedStage(state),
        });
    }
    return this.lastPaired;
  }

  /** Both heads as their pictures show them. */
  @derived get sides(): Record<"one" | "other", DisplayedPattern> | null {
    const { paired } = this;
    if (!paired) return null;
    const lens = lensOf(this.state);
    return { one: displayPattern(paired.one, lens), other: displayPattern(paired.other, lens) };
  }

  /** The pairs of the second head that correspond to the locked and the focused one. */
  @derived private get counterparts(): Record<"locked" | "focused", Cell | null> {
    const { paired, session } = this;
    const to = (cell: Cell | null): Cell | null =>
      paired && mapCell(cell, paired.queries.toOther, paired.keys.toOther);
    return { locked: to(session.locked), focused: to(session.focused) };
  }

  /** The words whose hidden states are compared; none between two heads of one run. */
  @derived get words(): WordPair[] {
    const { focused, locked, info } = this.session;
    const cell = locked ?? focused;
    const { paired } = this;
    if (!cell || !paired || !info || isOfHeads(this.state)) return [];
    const word = (axis: keyof Cell, alignment: Alignment): WordPair =>
      wordPair(sideOf(axis, paired.one.head, info), info, alignment, cell[axis]);
    const query = word("query", paired.queries);
    const key = word("key", paired.keys);
    const same = query.side === key.side && query.one.positions[0] === key.one.positions[0];
    return same ? [query] : [query, key];
  }

  /** The distances by which edits moved the states; null beside another text. */
  get moved(): MovedStates | null {
    return this.state.compare === "original" ? this.movedRead.value : null;
  }

  /**
   * The changes by active edits in the head's weights and in the model's predictions; null without
   * active edits.
   */
  @derived get changes(): {
    head: HeadChange | null;
    expectation: PredictionChanges | null;
  } | null {
    if (this.session.comparison !== "original") return null;
    const before = this.paired?.other.stages.weights;
    const after = this.paired?.one.stages.weights;
    const head = before && after && !this.stale ? { before, after } : null;
    return { head, expectation: this.predictionsRead.value };
  }

  @derived get source(): Strip {
    return this.strip("source", this.other.run?.tokens);
  }

  @derived get result(): Strip {
    return this.strip("target", this.other.run?.targetTokens);
  }

  /** The other text's tokens, with those that correspond to the focused and the locked pair. */
  private strip(side: Side, tokens: readonly Token[] = []): Strip {
    const { focused, locked, figures, info } = this.session;
    const axis = info && figures ? axisOf(side, figures.head.stack, info) : null;
    const to = (cell: Cell | null): number | null =>
      (axis && cell && this.alignment?.[side].toOther[cell[axis]]) ?? null;
    const at = to(locked);
    return { ...NO_STRIP, tokens, focused: to(focused), locked: at === null ? [] : [at] };
  }

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

  /**
   * The export subject of both runs, if the page shows two; null while they are not the requested
   * ones.
   */
  exported(subject: ExportSubject | null): ExportSubject | null {
    const { state, paired, stale, translation, names, alignment, sameModel } = this;
    const { run, model, failure } = this.other;
    if (!subject || !paired || !run || !model || failure || stale) return null;
    if (paired.one !== subject.figures || paired.other.run !== run) return null;
    const original = state.compare === "original";
    const text = original ? subject.state.text : this.text;
    const given = translation === null ? null : otherTargetOf({ ...state, otherText: text });
    const reading = {
      model: folderName((original ? null : state.otherModel) ?? state.model),
      text,
      target: original ? subject.target : (given ?? translation),
      masked: maskedIn(run),
      ...paired.other.head,
      edits: editsOf(otherEditsOf(state)),
    };
    const { info } = subject;
    const sides: Side[] =
      info.architecture === "encoder-decoder" ? ["source", "target"] : ["source"];
    // Models whose states have no axes in common have no words to compare.
    const comparable = sameModel ? alignment : null;
    return {
      ...subject,
      compared: {
        paired,
        reading,
        names,
        words: () =>
          sides.flatMap((side) => (comparable ? pairedWords(side, info, comparable[side]) : [])),
        shownWords: sameModel ? this.words.filter(({ other }) => other !== null) : [],
      },
    };
  }

  /**
   * Handles a pointer on a token of the second text: it points at its counterpart, or becomes the
   * counterpart of the locked token.
   */
  touched({ side, index, action }: TokenTouch): void {
    const { info, figures, locked, pointing, store } = this.session;
    if (!info) return;
    const one = (index === null ? null : this.alignment?.[side].toOne[index]) ?? null;
    const axis = figures && axisOf(side, figures.head.stack, info);
    const lockedAt = axis && locked ? locked[axis] : null;
    if (action === "lock" && index !== null && lockedAt !== null && lockedAt !== one) {
      const others = this.state.pairs.filter(
        (pair) => pair.side !== side || (pair.one !== lockedAt && pair.other !== index),
      );
      store.update({ pairs: [...others, { side, one: lockedAt, other: index }] });
    } else if (index === null || one !== null) pointing.touchToken({ side, index: one, action });
  }

  /**
   * The wanted second run. While the edited run failed or was stopped, the original of the edited
   * run before is kept; another text is not delayed.
   */
  private wanted(): SecondRequest | null {
    const { computation, comparison } = this.session;
    if (comparison !== "original" || (!computation.failure && !computation.stopped))
      return computation.revision >= 0
        ? secondRequest(this.state, comparison, computation, this.session.shownImage)
        : null;
    return this.request?.comparison === "original" ? this.request : null;
  }

  /**
   * Reads `of` from both runs, once the pictures belong to the first run; nothing if `of` is false
   * or null.
   */
  private ofBoth<Of, Answer>(
    of: () => Of | null | false,
    read: (one: Run, other: Run, of: Of) => Promise<Answer>,
  ): Resource<Answer> {
    return this.reads.add(() => {
      const { session, stale } = this;
      const { run: one, revision } = session.computation;
      const { run: other, revision: otherRevision } = this.other;
      const about = of();
      if (!other || about === null || about === false) return null;
      if (!one || this.paired?.one.run !== one) return undefined;
      // An earlier original has other tokens, and maybe fewer.
      const isOriginal = session.info !== null && !stale && hasTokensOf(other, one, session.info);
      if (session.comparison === "original" && !isOriginal) return undefined;
      const key = `${revision} ${otherRevision} ${JSON.stringify(about)}`;
      return { key, read: () => read(one, other, about) };
    });
  }
}

/** A head's weights without the edits and with them, on the same tokens. */
export type HeadChange = Record<"before" | "after", Tensor>;

/**
 * The total variation distance of a row of weights: half the sum of all absolute differences; 0 for
 * equal rows, 1 if no key has weight in both.
 */
export function rowVariation({ before, after }: HeadChange, query: number): number {
  const former = rowOf(before, query);
  const moved = (sum: number, weight: number, key: number): number =>
    sum + Math.abs(weight - (former[key] ?? 0));
  return rowOf(after, query).reduce(moved, 0) / 2;
}

export function meanVariation(change: HeadChange): number {
  const [queries = 0] = change.after.shape;
  let sum = 0;
  for (let query = 0; query < queries; query += 1) sum += rowVariation(change, query);
  return queries === 0 ? 0 : sum / queries;
}

/**
 * The changes of the probabilities after a token, or in place of it, without the edits and with
 * them.
 */
export interface PredictionChanges {
  kind: Place["kind"];
  at: Token;
  shares: { prediction: Prediction; before: number; after: number }[];
}

/** The number of tokens in the ribbon of an output. */
const RIBBON_TOKENS = 5;

/** The likeliest entries of either run, with their probabilities in both. */
export async function readPredictionChanges(
  edited: Run,
  original: Run,
  { kind, position, outOf = RIBBON_TOKENS }: Place,
): Promise<PredictionChanges | null> {
  const at = (kind === "after" ? tokensOf(edited, "decoder").queries : edited.tokens)[position];
  if (!at) return null;
  const runs = [original, edited];
  const best = { positions: [position], topK: Math.min(RIBBON_TOKENS, outOf) };
  const found = await Promise.all(runs.map((run) => run.predictions(best)));
  // The texts of the edited run's entries are preferred.
  const known = found.flatMap(([entries = []]) => entries);
  const entries = [...new Map(known.map((entry) => [entry.id, entry])).values()];
  const asked = { positions: entries.map(() => position), ids: entries.map(({ id }) => id) };
  const [before, after] = await Promise.all(runs.map((run) => run.probabilities(asked)));
  const changed = entries.map((prediction, index) => {
    const [from = NaN, to = NaN] = [before, after].map((read) => read?.[index]?.probability);
    return { prediction, before: from, after: to };
  });
  const most = (share: (typeof changed)[number]): number => Math.max(share.before, share.after);
  const shares = changed.sort((one, other) => most(other) - most(one)).slice(0, RIBBON_TOKENS);
  const token = at.maskedText === undefined ? at : { ...at, text: at.maskedText, role: null };
  return { kind, at: token, shares };
}

/** The distance of every token's state from its state without the edits, `[layer, position]`. */
export interface MovedStates {
  stack: BlockStack;
  distances: Tensor;
  tokens: Token[];
}

export async function readMovedStates(
  one: Run,
  other: Run,
  stack: BlockStack,
): Promise<MovedStates> {
  const distances = await one.distances({ stack, other });
  return { stack, distances, tokens: tokensOf(one, stack).queries };
}
