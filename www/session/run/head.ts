import {
  type Cell,
  isAnySet,
  type DropoutMean,
  type HeadPattern,
  type HeadRef,
  type HeadVectors,
  type ModelInfo,
  rowOf,
  type Stage,
  type Tensor,
  type Token,
} from "../../data/index.js";
import { cellOfToken, strongestOf } from "../../draw/layout.js";
import { cutOut } from "../../draw/region.js";
import { labelAt } from "../../elements/shared/templates.js";
import type { Foreseen, Run } from "../../headscope.js";
import {
  type Groups,
  groupsOf,
  groupTokens,
  joinCells,
  poolWeights,
  rowSums,
  type Sink,
  sinkOf,
} from "../../reduce/index.js";
import { type Picked, type Side, STAGES } from "../../state/index.js";
import { type AskedNumbers, type OtherNumbers, readOther } from "./other-numbers.js";
import { axisOf, strongestCell, tokensOf } from "./selection.js";

/** The side of a thumbnail in pixels: sharp on a dense screen. */
export const THUMBNAIL_SIZE = 48;

/** The tensors of one head, all of one size, with the tokens on their axes. */
export interface HeadFigures {
  run: Run;
  head: HeadRef;
  stages: Record<Stage, Tensor>;
  mask: Tensor;
  /** 1 for each weight that dropout removed, 0 elsewhere; absent without dropout. */
  dropped?: Tensor | null;
  /**
   * The fully masked rows, which have no weight; with the fill −10⁹ instead of −∞ their weights are
   * equal.
   */
  fullyMasked: number[];
  /** The weights of this head, then of the heads drawn with it. */
  patterns: HeadPattern[];
  /** The vectors of the head; null in pictures that do not show them. */
  vectors: HeadVectors | null;
  /** The values that the head sums, `[n_k, d_h]`; null in pictures that do not show vectors. */
  values?: Tensor | null;
  /** What the picture shows in place of a stage, if anything. */
  other?: OtherNumbers | null;
  queries: Token[];
  keys: Token[];
}

/** A head, and what its picture shows besides its stages and its mask. */
export interface HeadRequest extends HeadRef {
  /** Other heads of the layer, whose weights are drawn with the head's. */
  beside?: readonly number[];
  vectors?: boolean;
  drops?: boolean;
  /** The numbers in place of a stage; null for a stage. */
  other?: AskedNumbers | null;
}

/** The questions that `readHead` always asks, recorded by calling it. */
export function questionsOf(request: HeadRequest): Foreseen[] {
  const asked: Foreseen[] = [];
  const record = (what: string | symbol) => (which: object) => {
    asked.push({ what, ...which } as Foreseen);
    return new Promise<never>(() => undefined);
  };
  const recorder = new Proxy({} as Run, { get: (_, what) => record(what) });
  void readHead(recorder, { ...request, drops: false, other: null });
  return asked;
}

export async function readHead(
  run: Run,
  {
    stack,
    layer,
    head,
    beside = [],
    vectors = false,
    drops = false,
    other: asked = null,
  }: HeadRequest,
): Promise<HeadFigures> {
  const at = { stack, layer, head };
  const [mask, fullyMasked, query, key, value, drawn, other, others, all] = await Promise.all([
    run.mask(at),
    run.fullyMasked(at),
    vectors ? run.qkv({ ...at, part: "query" }) : null,
    vectors ? run.qkv({ ...at, part: "key" }) : null,
    vectors ? run.qkv({ ...at, part: "value" }) : null,
    drops ? run.dropoutMean({ ...at, draws: 1 }) : null,
    asked && readOther(run, at, beside, asked),
    Promise.all(beside.map((head) => run.attention({ ...at, head, stage: "weights" }))),
    Promise.all(STAGES.map((stage) => run.attention({ ...at, stage }))),
  ]);
  // A run that still writes may have grown between two answers: the smallest size is kept.
  const tokens = tokensOf(run, stack);
  const replaced = other?.patterns.map(({ weights }) => weights) ?? [];
  const pairs = [...all, mask, ...others, ...replaced];
  const least = (axis: 0 | 1, count: number, vector: Tensor | null): number =>
    Math.min(count, ...pairs.map(({ shape }) => shape[axis] ?? 0), vector?.shape[0] ?? Infinity);
  const rows = least(0, tokens.queries.length, query);
  const columns = least(1, tokens.keys.length, key);
  const crop = (tensor: Tensor): Tensor => cropped(tensor, rows, columns);
  const [raw, scores, masked, weights] = all.map(crop) as [Tensor, Tensor, Tensor, Tensor];
  const hasNoWeight = (row: number): boolean => !isAnySet(rowOf(weights, row));
  return {
    run,
    head: at,
    stages: { raw, scores, masked, weights },
    mask: crop(mask),
    dropped: drawn && droppedOf(drawn, all[3] ?? weights, crop),
    fullyMasked: fullyMasked.filter((row) => row < rows && hasNoWeight(row)),
    patterns: [
      { head, weights },
      ...others.map((tensor, index) => ({ head: beside[index] ?? 0, weights: crop(tensor) })),
    ],
    vectors: query && key && { query: cropped(query, rows), key: cropped(key, columns) },
    values: value && cropped(value, columns),
    other: other && { ...other, patterns: other.patterns.map(changed(crop)) },
    queries: tokens.queries.slice(0, rows),
    keys: tokens.keys.slice(0, columns),
  };
}

/** A pattern with its numbers changed. */
function changed(change: (tensor: Tensor) => Tensor): (pattern: HeadPattern) => HeadPattern {
  return ({ head, weights }) => ({ head, weights: change(weights) });
}

/** The cells of dropped weights; null without dropout, and for a run that has grown meanwhile. */
function droppedOf(
  { draws, kept, undropped }: DropoutMean,
  weights: Tensor,
  crop: (tensor: Tensor) => Tensor,
): Tensor | null {
  if (draws === 0 || kept.length !== weights.data.length) return null;
  const isDropped = (factor: number, at: number): number =>
    factor === 0 && (undropped[at] ?? 0) > 0 ? 1 : 0;
  return crop({ ...weights, data: Float32Array.from(kept, isDropped) });
}

/** The first rows and columns of a tensor. */
function cropped(tensor: Tensor, rows: number, columns = tensor.shape[1] ?? 0): Tensor {
  return cutOut(tensor, { query: 0, key: 0, rows, columns });
}

/** The settings by which the numbers of a head are displayed. */
export interface Lens {
  byWord: boolean;
  /** Whether words are wanted in a picture that has none: only weights can be joined into words. */
  wordsWanted: boolean;
  ordinaryOnly: boolean;
  weightsOnly: boolean;
  /** Whether the attention sink, if any, is left out and the other weights are renormalised. */
  withoutSink: boolean;
}

/**
 * A head as its picture shows it. The picture's rows and columns stand for groups of tokens; the
 * page's cells are pairs of tokens.
 */
export interface DisplayedPattern {
  figures: HeadFigures;
  lens: Lens;
  rows: Groups;
  columns: Groups;
  queries: Token[];
  keys: Token[];
  weights: Tensor;
  patterns: HeadPattern[];
  /** The figures that cannot be joined or renormalised; null if the weights are. */
  whole: Pick<HeadFigures, "stages" | "mask" | "vectors" | "dropped" | "other"> | null;
  /** The fully masked rows, and the rows that have no weight left without the sink. */
  fullyMasked: number[];
  emptied: number[];
  /** The attention sink: the token that takes most of the weight; null if there is none. */
  sink: Sink | null;
  /** The position of the key that was left out; null if none was. */
  without: number | null;
  /** The share of the weight on keys without a column, averaged over the rows that have weight. */
  hiddenShare: number;
}

export function isChanged({ queries, keys, without, figures }: DisplayedPattern): boolean {
  const isCut = queries.length !== figures.queries.length || keys.length !== figures.keys.length;
  return without !== null || isCut;
}

export function displayPattern(figures: HeadFigures, lens: Lens): DisplayedPattern {
  const { byWord, ordinaryOnly, withoutSink } = lens;
  const { stages, mask, vectors, dropped, other } = figures;
  const sink = sinkOf(stages.weights, mask, figures.keys);
  // A picture without its only column would be empty.
  const without = withoutSink && figures.keys.length > 1 ? (sink?.key ?? null) : null;
  const rows = groupsOf(figures.queries, { byWord, ordinaryOnly, without: null });
  const columns = groupsOf(figures.keys, { byWord, ordinaryOnly, without });
  const join = (tensor: Tensor): Tensor => joinCells(tensor, rows, columns, without);
  const pick = (tensor: Tensor): Tensor => joinCells(tensor, rows, columns);
  const patterns = figures.patterns.map(changed(join));
  const weights = patterns[0]?.weights ?? join(stages.weights);
  const isFullyMasked = (row: number): boolean =>
    rows[row]?.every((query) => figures.fullyMasked.includes(query)) ?? false;
  const everyKey = groupsOf(figures.keys, { byWord: false, ordinaryOnly: false, without });
  const sums = rowSums(joinCells(stages.weights, rows, everyKey, without));
  const shown = rowSums(weights);
  const missing = sums.flatMap((sum, row) => (sum > 0 ? [1 - (shown[row] ?? 0) / sum] : []));
  const mean = missing.reduce((total, part) => total + part, 0) / Math.max(1, missing.length);
  const places = [...rows.keys()];
  const whole: DisplayedPattern["whole"] =
    byWord || without !== null
      ? null
      : {
          stages: {
            raw: pick(stages.raw),
            scores: pick(stages.scores),
            masked: pick(stages.masked),
            weights,
          },
          mask: pick(mask),
          dropped: dropped ? pick(dropped) : null,
          other: other ? { ...other, patterns: other.patterns.map(changed(pick)) } : null,
          vectors: vectors && {
            query: joinCells(vectors.query, rows),
            key: joinCells(vectors.key, columns),
          },
        };
  return {
    figures,
    lens,
    rows,
    columns,
    queries: groupTokens(figures.queries, rows),
    keys: groupTokens(figures.keys, columns),
    weights,
    patterns,
    whole,
    fullyMasked: places.filter(isFullyMasked),
    emptied: without === null ? [] : places.filter((row) => sums[row] === 0 && !isFullyMasked(row)),
    sink,
    without,
    hiddenShare: Math.max(0, mean),
  };
}

/** The label of the key that was left out; empty if none was. */
export function withoutName({ without, figures }: DisplayedPattern): string {
  return without === null ? "" : labelAt(figures.keys, without);
}

// Conversions between the cells of a picture, which may stand for several tokens, and the pairs of
// tokens that the State holds.

/** The index of the row or column that a token is in; −1 if it has none. */
export function groupAt(groups: Groups, index: number): number {
  return groups.findIndex((group) => group.includes(index));
}

/** The cell of a picture that shows a pair of tokens; null if none does. */
export function placeIn({ rows, columns }: DisplayedPattern, cell: Cell | null): Cell | null {
  if (!cell) return null;
  const place = { query: groupAt(rows, cell.query), key: groupAt(columns, cell.key) };
  return place.query < 0 || place.key < 0 ? null : place;
}

/** The pairs of tokens that a picture's cell stands for. */
export function cellsAt({ rows, columns }: DisplayedPattern, { query, key }: Cell): Cell[] {
  return (rows[query] ?? []).flatMap((one) =>
    (columns[key] ?? []).map((other) => ({ query: one, key: other })),
  );
}

/** The pair with the largest weight in a picture's cell, which represents the cell. */
export function cellAt(displayed: DisplayedPattern, place: Cell | null): Cell | null {
  return place && strongestOf(displayed.figures.stages.weights, cellsAt(displayed, place));
}

/** The pair with the largest weight in one token's row or column of a picture. */
export function cellOf(displayed: DisplayedPattern, axis: keyof Cell, index: number): Cell | null {
  const group = groupAt(axis === "query" ? displayed.rows : displayed.columns, index);
  return group < 0 ? null : cellAt(displayed, cellOfToken(displayed.weights, axis, group));
}

/**
 * The pair with the largest weight in a picture: of one query if that is given and shown, else
 * between ordinary tokens if there are any.
 */
export function strongestAt(displayed: DisplayedPattern, query: number | null): Cell | null {
  const ofQuery = query === null ? null : cellOf(displayed, "query", query);
  if (ofQuery) return ofQuery;
  const { weights, queries, keys } = displayed;
  return cellAt(displayed, strongestCell(weights, queries, keys));
}

/** The cells of a picture in which every pair of tokens is blocked. */
export function blockedPlaces(displayed: DisplayedPattern, blocked: readonly Cell[]): Cell[] {
  const nameOf = ({ query, key }: Cell): string => `${query} ${key}`;
  const names = new Set(blocked.map(nameOf));
  const places = blocked.flatMap((cell) => placeIn(displayed, cell) ?? []);
  return [...new Map(places.map((place) => [nameOf(place), place])).values()].filter((place) =>
    cellsAt(displayed, place).every((cell) => names.has(nameOf(cell))),
  );
}

/** The pooled attention of several tokens: what they attend to, or what attends to them. */
export interface Together extends Pick<Picked, "pool" | "looking"> {
  selection: Picked;
  /** Whether the selected text is on both axes, so that the user can choose between the two. */
  bothWays: boolean;
  picked: Token[];
  /** The tokens or words of the other axis with their weights, in the order of the text. */
  items: { token: Token; value: number }[];
  most: number;
  /**
   * The text whose tokens are shaded, and the weight of each divided by the largest; null for a
   * token that is not shown.
   */
  side: Side;
  shares: (number | null)[];
}

/** The pooled attention of a selection; null if no selected token is shown. */
export function togetherOf(
  selection: Picked | null,
  { figures, rows, columns, queries, keys, weights }: DisplayedPattern,
  info: ModelInfo,
): Together | null {
  const { stack } = figures.head;
  const own = selection && axisOf(selection.side, stack, info);
  if (!selection || !own) return null;
  const { pool, side, looking } = selection;
  const bothWays = stack !== "cross";
  const isQuery = bothWays ? looking === "from" : own === "query";
  const axes = [
    { axis: "query", groups: rows, tokens: queries, texts: figures.queries },
    { axis: "key", groups: columns, tokens: keys, texts: figures.keys },
  ] as const;
  const [from, to] = isQuery ? axes : [axes[1], axes[0]];
  const places = [...new Set(selection.tokens.map((index) => groupAt(from.groups, index)))]
    .filter((place) => place >= 0)
    .sort((one, other) => one - other);
  if (places.length === 0) return null;
  const values = poolWeights(weights, from.axis, places, pool);
  const largest = Math.max(...values);
  const shares = to.texts.map((_, index) => {
    const value = values[groupAt(to.groups, index)];
    return value === undefined ? null : largest > 0 ? value / largest : 0;
  });
  return {
    selection,
    pool,
    looking: isQuery ? "from" : "to",
    bothWays,
    picked: places.flatMap((place) => from.tokens[place] ?? []),
    items: to.tokens.map((token, at) => ({ token, value: values[at] ?? 0 })),
    most: isQuery && pool === "sum" ? places.length : 1,
    side: bothWays ? side : side === "source" ? "target" : "source",
    shares,
  };
}
