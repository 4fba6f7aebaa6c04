import type {
  Cell,
  HeadPattern,
  HeadVectors,
  ModelInfo,
  Stage,
  Tensor,
  Token,
} from "../../data/index.js";
import { cellOfToken, strongestOf } from "../../draw/layout.js";
import {
  groupsOf,
  groupTokens,
  joinWeights,
  pickCells,
  pickRows,
  poolWeights,
  rowSums,
  sinkOf,
  type Groups,
  type Sink,
} from "../../reduce/index.js";
import type { Picked, Picture, Side, State } from "../../state/index.js";
import type { HeadFigures } from "./figures.js";
import { axisOf, strongestCell } from "./selection.js";

/** How the numbers of a head are displayed. */
export interface Lens {
  byWord: boolean;
  /** Whether words are wanted of a picture that has none: only weights can be joined. */
  wordsWanted: boolean;
  /** Whether special tokens have no rows and columns. */
  ordinaryOnly: boolean;
  /** Whether weights are what is shown, and nothing else. */
  weightsOnly: boolean;
  /** Whether a sink is left out where there is one, and the other weights renormalised. */
  withoutSink: boolean;
}

/** Pictures of pairs, which can do without special tokens. */
const OF_PAIRS: ReadonlySet<Picture> = new Set(["heatmap", "lines", "dimensions", "mask"]);

/** What the State asks for, as far as its picture can follow: only weights can be joined into words and renormalised. */
export function lensOf({
  picture,
  stage,
  unit,
  specials,
  sink,
}: Pick<State, "picture" | "stage" | "unit" | "specials" | "sink">): Lens {
  const weights = picture === "lines" || (picture === "heatmap" && stage === "weights");
  return {
    byWord: weights && unit === "word",
    wordsWanted: !weights && OF_PAIRS.has(picture) && unit === "word",
    ordinaryOnly: OF_PAIRS.has(picture) && specials === "hidden",
    weightsOnly: weights,
    withoutSink: weights && sink === "out",
  };
}

/** A head as its picture shows it. Its rows and columns stand for groups of tokens; cells of the page are of tokens. */
export interface DisplayedPattern {
  figures: HeadFigures;
  lens: Lens;
  rows: Groups;
  columns: Groups;
  queries: Token[];
  keys: Token[];
  weights: Tensor;
  patterns: HeadPattern[];
  /** What cannot be joined or renormalised: null where the weights are. */
  whole: {
    stages: Record<Stage, Tensor>;
    mask: Tensor;
    vectors: HeadVectors | null;
    dropped?: Tensor | null;
  } | null;
  /** Rows that may look at nothing, and those that have nothing left without the sink. */
  fullyMasked: number[];
  emptied: number[];
  /** The token that swallows the weight; null where none does. */
  sink: Sink | null;
  /** The key that was left out, by its position; null where none was. */
  without: number | null;
  /** How much of the weight goes to keys that have no column, on the average of the rows that have any. */
  hiddenShare: number;
}

/** Whether anything is left out or joined. */
export function isChanged({ queries, keys, without, figures }: DisplayedPattern): boolean {
  const isCut = queries.length !== figures.queries.length || keys.length !== figures.keys.length;
  return without !== null || isCut;
}

const known = new WeakMap<HeadFigures, { key: string; displayed: DisplayedPattern }>();

/** The head as a lens shows it. The same head under the same lens is the same object. */
export function displayPattern(figures: HeadFigures, lens: Lens): DisplayedPattern {
  const key = JSON.stringify(lens);
  const last = known.get(figures);
  if (last?.key === key) return last.displayed;
  const displayed = apply(figures, lens);
  known.set(figures, { key, displayed });
  return displayed;
}

function apply(figures: HeadFigures, lens: Lens): DisplayedPattern {
  const { byWord, ordinaryOnly, withoutSink } = lens;
  const { stages, mask, vectors, dropped } = figures;
  const sink = sinkOf(stages.weights, mask, figures.keys);
  // Without its only column a picture would be empty.
  const without = withoutSink && figures.keys.length > 1 ? (sink?.key ?? null) : null;
  const rows = groupsOf(figures.queries, { byWord, ordinaryOnly, without: null });
  const columns = groupsOf(figures.keys, { byWord, ordinaryOnly, without });
  const join = (tensor: Tensor): Tensor => joinWeights(tensor, rows, columns, without);
  const pick = (tensor: Tensor): Tensor => pickCells(tensor, rows, columns);
  const patterns = figures.patterns.map(({ head, weights }) => ({ head, weights: join(weights) }));
  const weights = patterns[0]?.weights ?? join(stages.weights);
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
          ...(dropped && { dropped: pick(dropped) }),
          vectors: vectors && {
            query: pickRows(vectors.query, rows),
            key: pickRows(vectors.key, columns),
          },
        };
  const places = rows.map((_, row) => row);
  const fullyMasked = places.filter((row) =>
    rows[row]?.every((query) => figures.fullyMasked.includes(query)),
  );
  const everyKey = groupsOf(figures.keys, { byWord: false, ordinaryOnly: false, without });
  const sums = rowSums(joinWeights(stages.weights, rows, everyKey, without));
  const shown = rowSums(weights);
  // What is missing from each row that has anything.
  const missing = sums.flatMap((sum, row) => (sum > 0 ? [1 - (shown[row] ?? 0) / sum] : []));
  const mean = missing.reduce((total, part) => total + part, 0) / Math.max(1, missing.length);
  const isEmptied = (row: number): boolean =>
    without !== null && sums[row] === 0 && !fullyMasked.includes(row);
  return {
    figures,
    lens,
    rows,
    columns,
    queries: sameOr(figures.queries, groupTokens(figures.queries, rows)),
    keys: sameOr(figures.keys, groupTokens(figures.keys, columns)),
    weights,
    patterns: sameOr(
      figures.patterns,
      patterns,
      ({ weights: one }, { weights: other }) => one === other,
    ),
    whole,
    fullyMasked: sameOr(figures.fullyMasked, fullyMasked),
    emptied: places.filter(isEmptied),
    sink,
    without,
    hiddenShare: Math.max(0, mean),
  };
}

/** The earlier list where the later one holds the very same things: nothing needs to be painted again. */
function sameOr<Item>(
  before: Item[],
  after: Item[],
  isSame: (one: Item, other: Item) => boolean = Object.is,
): Item[] {
  const isOld = (item: Item, at: number): boolean => isSame(before[at] as Item, item);
  return before.length === after.length && after.every(isOld) ? before : after;
}

// Between the cells of a picture, which may stand for several tokens, and the cells of tokens that the State holds.

/** The row or column that a token is in; -1 for one that has none. */
export function groupAt(groups: Groups, index: number): number {
  return groups.findIndex((group) => group.includes(index));
}

/** Where a picture shows a cell of tokens; null where it does not. */
export function placeIn({ rows, columns }: DisplayedPattern, cell: Cell | null): Cell | null {
  if (!cell) return null;
  const place = { query: groupAt(rows, cell.query), key: groupAt(columns, cell.key) };
  return place.query < 0 || place.key < 0 ? null : place;
}

/** The cells of tokens that a picture's cell stands for. */
export function cellsAt({ rows, columns }: DisplayedPattern, { query, key }: Cell): Cell[] {
  return (rows[query] ?? []).flatMap((one) =>
    (columns[key] ?? []).map((other) => ({ query: one, key: other })),
  );
}

/** Of those the strongest, which speaks for all. */
export function cellAt(displayed: DisplayedPattern, place: Cell | null): Cell | null {
  return place && strongestOf(displayed.figures.stages.weights, cellsAt(displayed, place));
}

/** The strongest cell that a picture shows of one token's row or column. */
export function cellOf(displayed: DisplayedPattern, axis: keyof Cell, index: number): Cell | null {
  const group = groupAt(axis === "query" ? displayed.rows : displayed.columns, index);
  return group < 0 ? null : cellAt(displayed, cellOfToken(displayed.weights, axis, group));
}

const strongest = new WeakMap<DisplayedPattern, Cell | null>();

/** The strongest cell that a picture shows, between ordinary tokens where there are any. */
export function strongestAt(displayed: DisplayedPattern): Cell | null {
  const known = strongest.get(displayed);
  if (known !== undefined) return known;
  const found = cellAt(
    displayed,
    strongestCell(displayed.weights, displayed.queries, displayed.keys),
  );
  strongest.set(displayed, found);
  return found;
}

/** The cells of a picture of which every cell of tokens is blocked. */
export function blockedPlaces(displayed: DisplayedPattern, blocked: readonly Cell[]): Cell[] {
  const nameOf = ({ query, key }: Cell): string => `${query} ${key}`;
  const names = new Set(blocked.map(nameOf));
  const places = blocked.flatMap((cell) => placeIn(displayed, cell) ?? []);
  return [...new Map(places.map((place) => [nameOf(place), place])).values()].filter((place) =>
    cellsAt(displayed, place).every((cell) => names.has(nameOf(cell))),
  );
}

/** What several tokens attend to together, or what attends to them. */
export interface Together extends Pick<Picked, "pool" | "looking"> {
  /** The selection in the State. */
  selection: Picked;
  /** Whether their text is on both axes, so that one can choose between the two. */
  bothWays: boolean;
  /** The selected tokens or words. */
  picked: Token[];
  /** The tokens or words of the other axis with their weights, in the order of the text. */
  items: { token: Token; value: number }[];
  /** The longest that a bar can be. */
  most: number;
  /** The text whose tokens are shaded, and the share of each in the largest weight; null for one that is not shown. */
  side: Side;
  shares: (number | null)[];
}

/** Null where no selected token is shown. */
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
