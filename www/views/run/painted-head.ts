// A head of a run on the GPU: its picture is painted there, and of its numbers only the rows that are looked at are read.
import { isForbidden, type Cell, type HeadRef, type Marginals, type Painted, type Region, type Stage, type Tensor, type Token } from "../../data/index.js";
import { divergingRamp, RAMP_STEPS, sequentialRamp } from "../../draw/ramp.js";
import type { CellPixels } from "../../draw/pixels.js";
import type { ColourScale } from "../../draw/scale.js";
import { strongestOf } from "../../draw/strongest.js";
import type { Painting } from "../../elements/heatmap/painted-cells.js";
import type { MatrixContent } from "../../elements/matrix/content.js";
import { Kept } from "../../elements/shared/kept.js";
import type { Run } from "../../headscope.js";
import { groupsOf, sinkAmong, type Sink } from "../../reduce/index.js";
import { STAGES, type State } from "../../state/index.js";
import type { HeadFigures } from "./figures.js";
import type { Lens, Looked } from "./looked.js";
import type { RowByRow } from "./row-by-row.js";

/** Pixels on a side of a picture in CSS pixels: a heatmap is no larger. */
const MOST_SIDE = 1024;
/** Of how many rows at most it is read which one has the largest weight: more share a colour only where weights hardly differ. */
const MOST_CANDIDATES = 16;
/** Of how much a row may miss 1 by rounding, where weights add up to 1. */
const ROUNDING = 1e-3;
/** A weight's place within its colour stays below the next one. */
const WITHIN = 0.999;
/** A table of colours whose red says which entry it is. */
const ENTRIES = Uint8ClampedArray.from({ length: RAMP_STEPS * 4 }, (_, at) => (at % 4 === 0 ? at / 4 : at % 4 === 3 ? 255 : 0));

/** What was painted and read last: a next run is asked for the same before anybody wants it. */
let last: { ramp: Uint8ClampedArray; signed: boolean; region: Region | null } | null = null;
let lastQuery: number | null = null;

/** Whether the page shows no more of a head than its heatmap, by token, as the run has it. Which weights are dropped by chance takes all numbers. */
export function isPlain({ picture, unit, specials, sink, compare, picked, bench, edits }: State): boolean {
  const own = unit === "token" && specials === "shown" && sink !== "out";
  const drops = edits.attention.some(({ dropout }) => dropout);
  // The workbench takes a head's numbers over.
  return picture === "heatmap" && own && !drops && compare === null && picked === null && bench !== "numbers";
}

/** What a reader is told of a head beside its name. */
interface Around {
  /** The texts on its axes, as far as they are written. */
  tokens: () => Pick<HeadFigures, "queries" | "keys">;
  lost: () => void;
}

/** A head whose numbers are read row by row; null where they have to be read whole. `lost` hears when that turns out only later. */
export async function readPaintedHead(run: Run, head: HeadRef, stage: Stage, { tokens, lost }: Around): Promise<HeadFigures | null> {
  const most = Math.min(8192, Math.round(MOST_SIDE * Math.max(1, devicePixelRatio)));
  const signed = stage !== "weights";
  const known = last?.signed === signed ? last : null;
  const [ranks, marginals, mask, fullyMasked, painted] = await Promise.all([
    run.painted({ ...head, stage: "weights", ramp: ENTRIES, most }),
    run.marginals({ ...head, stage }),
    run.mask(head),
    run.fullyMasked(head),
    known?.region === null ? run.painted({ ...head, stage, ramp: known.ramp, signed, most }) : null,
  ]);
  const { queries, keys } = tokens();
  const [rows = 0, columns = 0] = mask.shape;
  const sizes = [ranks?.marginals ?? marginals, marginals, painted?.marginals ?? marginals].map((one) => [one.queries.length, one.keys.length]);
  // A run that still writes may have grown between two answers; the next read finds it as large in all of them.
  if (!ranks || [...sizes, [queries.length, keys.length]].some(([down, across]) => down !== rows || across !== columns)) return null;
  const numbers = new HeadRows(run, head, guideOf(ranks, [rows, columns]), ranks.marginals.largest);
  const strongest = await strongestIn(numbers, queries, keys);
  const looked = [strongest?.query ?? rows, lastQuery ?? rows].filter((query) => query < rows);
  await Promise.all(looked.map((query) => numbers.read(query)));
  const sink = sinkIn(ranks.marginals, mask, keys);
  const row = new PaintedHead({ run, head, stage, most, mask, marginals, strongest, sink, numbers, lost });
  if (known && painted) row.keep(known, painted);
  return { run, head, ...numbers.figures(head), mask, fullyMasked, vectors: null, queries, keys, painted: row };
}

/** The numbers of a head at all stages as far as they are known: NaN elsewhere. */
class HeadRows {
  private readonly data: Record<Stage, Float32Array>;
  private readonly reads = new Map<number, Promise<void>>();
  private readonly weighed = new Map<number, Promise<void>>();

  constructor(private readonly run: Run, private readonly head: HeadRef, readonly guide: Tensor, private readonly largest: number) {
    const empty = (): Float32Array => new Float32Array(guide.data.length).fill(NaN);
    this.data = { raw: empty(), scores: empty(), masked: empty(), weights: empty() };
  }

  /** Reads a query's row of every stage, once. */
  read(query: number): Promise<void> {
    return once(this.reads, query, async () => {
      await Promise.all(STAGES.map((stage) => (stage === "weights" ? this.weigh(query) : this.row(stage, query))));
    });
  }

  /** Reads what it takes for the guide to tell which of some weights is the largest: of the queries that share the strongest colour. */
  async settle(queries: readonly number[], keys: readonly number[]): Promise<void> {
    const colourOf = (query: number, key: number): number => Math.floor(this.guide.data[query * this.columns + key] ?? 0);
    const colours = queries.map((query) => keys.reduce((most, key) => Math.max(most, colourOf(query, key)), 0));
    const strongest = Math.max(...colours);
    await Promise.all(queries.filter((_, at) => colours[at] === strongest).slice(0, MOST_CANDIDATES).map((query) => this.weigh(query)));
  }

  has(query: number): boolean {
    return this.reads.has(query);
  }

  private weigh(query: number): Promise<void> {
    return once(this.weighed, query, async () => {
      await this.row("weights", query);
      const from = query * this.columns;
      for (let at = from; at < from + this.columns; at += 1) this.guide.data[at] = rankOf(this.data.weights[at] ?? NaN, this.largest);
    });
  }

  private async row(stage: Stage, query: number): Promise<void> {
    const { data } = await this.run.attention({ ...this.head, stage, rows: [query, query + 1] });
    // Of a run that has grown meanwhile a row is longer.
    this.data[stage].set(data.subarray(0, this.columns), query * this.columns);
  }

  private get columns(): number {
    return this.guide.shape[1] ?? 0;
  }

  private tensor(stage: Stage): Tensor {
    return { data: this.data[stage], shape: this.guide.shape, axes: ["query", "key"] };
  }

  /** As new objects: whoever shows them sees that there is more in them. */
  figures({ head }: HeadRef): Pick<HeadFigures, "stages" | "patterns"> {
    const weights = this.tensor("weights");
    return { stages: { raw: this.tensor("raw"), scores: this.tensor("scores"), masked: this.tensor("masked"), weights }, patterns: [{ head, weights }] };
  }
}

interface Parts {
  run: Run;
  head: HeadRef;
  stage: Stage;
  most: number;
  mask: Tensor;
  marginals: Marginals;
  strongest: Cell | null;
  sink: Sink | null;
  numbers: HeadRows;
  lost: () => void;
}

interface Asked {
  ramp: Uint8ClampedArray;
  region: Region | null;
}

class PaintedHead implements RowByRow {
  readonly blank: Tensor;
  private readonly scale = new Kept<ColourScale>();
  private readonly mass: Float64Array | null;
  private readonly given: Float64Array | null;
  private shown: (Asked & { pixels: CellPixels }) | null = null;
  private coming: Asked | null = null;

  constructor(private readonly parts: Parts) {
    const { stage, mask, marginals } = parts;
    this.blank = stage === "masked" ? { ...mask, data: mask.data.map((added) => (isForbidden(added) ? NaN : 0)) } : { ...mask, data: new Float32Array(mask.data.length) };
    const weights = stage === "weights";
    this.mass = weights ? Float64Array.from(marginals.keys) : null;
    this.given = weights && marginals.queries.some((sum) => Math.abs(sum - 1) >= ROUNDING) ? Float64Array.from(marginals.queries) : null;
  }

  get strongest(): Cell | null {
    return this.parts.strongest;
  }

  get guide(): Tensor {
    return this.parts.numbers.guide;
  }

  settle(axis: keyof Cell, index: number): Promise<void> {
    const { numbers, lost } = this.parts;
    const [queries = 0, keys = 0] = this.blank.shape;
    return (axis === "query" ? numbers.settle([index], range(keys)) : numbers.settle(range(queries), [index])).catch(lost);
  }

  content({ colours, ground, region, changed }: Painting): ReturnType<RowByRow["content"]> {
    const weights = this.parts.stage === "weights";
    const ramp = weights ? sequentialRamp(colours, ground) : divergingRamp(ground);
    const scale = this.scale.get([ramp], () => this.scaleOf(ramp));
    const { mass, given } = this;
    return { scale, mass, given, pixels: this.pixels({ ramp, region }, changed) } satisfies Partial<MatrixContent>;
  }

  private scaleOf(ramp: Uint8ClampedArray): ColourScale {
    const { least: min, largest: max, forbidden: masked } = this.parts.marginals;
    const reach = Math.max(Math.abs(min), Math.abs(max));
    const ends = this.parts.stage === "weights" ? ({ kind: "sequential", low: 0, high: max } as const) : ({ kind: "diverging", low: -reach, high: reach } as const);
    return { ...ends, extent: { min, max, masked }, ramp };
  }

  private pixels(asked: Asked, changed: () => void): CellPixels | null {
    if (isSame(this.shown, asked)) return this.shown?.pixels ?? null;
    if (!isSame(this.coming, asked)) void this.paint(asked, changed);
    return null;
  }

  private async paint(asked: Asked, changed: () => void): Promise<void> {
    const { run, head, stage, most, lost } = this.parts;
    const signed = stage !== "weights";
    this.coming = asked;
    last = { ...asked, signed };
    const painted = await run.painted({ ...head, stage, signed, most, ramp: asked.ramp, ...(asked.region && { region: asked.region }) }).catch(() => null);
    if (this.coming !== asked) return;
    // It stays what is coming, so that it is not asked for again.
    if (!painted || !this.isAsLarge(painted)) {
      lost();
      return;
    }
    this.coming = null;
    this.keep(asked, painted);
    changed();
  }

  /** A run may have grown since the rest of it was read. */
  private isAsLarge({ marginals: { queries, keys } }: Painted): boolean {
    const [rows, columns] = this.blank.shape;
    return queries.length === rows && keys.length === columns;
  }

  /** Takes a picture in. */
  keep({ ramp, region }: Asked, pixels: CellPixels): void {
    this.shown = { ramp, region, pixels };
  }

  want(query: number, arrived: Parameters<RowByRow["want"]>[1]): void {
    const { numbers, head, lost } = this.parts;
    lastQuery = query;
    if (!numbers.has(query)) void numbers.read(query).then(() => arrived(numbers.figures(head)), lost);
  }

  look(figures: HeadFigures, { wordsWanted, weightsOnly, withoutSink }: Lens): Looked {
    const { queries, keys, stages, mask, patterns, fullyMasked } = figures;
    const each = (tokens: readonly Token[]): Looked["rows"] => groupsOf(tokens, { byWord: false, ordinaryOnly: false, without: null });
    return {
      figures,
      lens: { byWord: false, wordsWanted, ordinaryOnly: false, weightsOnly, withoutSink },
      rows: each(queries),
      columns: each(keys),
      queries,
      keys,
      weights: stages.weights,
      patterns,
      whole: { stages, mask, vectors: null },
      fullyMasked,
      emptied: [],
      sink: this.parts.sink,
      without: null,
      hiddenShare: 0,
    };
  }
}

function isSame(one: Asked | null, { ramp, region }: Asked): boolean {
  return one?.ramp === ramp && JSON.stringify(one.region) === JSON.stringify(region);
}

/** How cells compare, of pixels that may stand for several each. */
function guideOf({ data: pixels, rows: down, columns: across }: Painted, shape: readonly number[]): Tensor {
  const [rows = 0, columns = 0] = shape;
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const from = Math.floor((row * down) / rows) * across;
    for (let column = 0; column < columns; column += 1) data[row * columns + column] = pixels[4 * (from + Math.floor((column * across) / columns))] ?? 0;
  }
  return { data, shape: [rows, columns], axes: ["query", "key"] };
}

/** The place of a weight among the colours, and within its own. */
function rankOf(weight: number, largest: number): number {
  const place = largest > 0 ? (weight / largest) * (RAMP_STEPS - 1) : 0;
  const colour = Math.round(place);
  return colour === 0 ? place : colour + (place - colour + 0.5) * WITHIN;
}

/** The strongest cell between ordinary tokens, where there are any. */
async function strongestIn(numbers: HeadRows, queries: readonly Token[], keys: readonly Token[]): Promise<Cell | null> {
  const [down, across] = [ordinary(queries), ordinary(keys)];
  await numbers.settle(down, across);
  return strongestOf(numbers.guide, down.flatMap((query) => across.map((key) => ({ query, key }))));
}

function ordinary(tokens: readonly Token[]): number[] {
  const found = tokens.flatMap((token, index) => (token.special ? [] : [index]));
  return found.length > 0 ? found : range(tokens.length);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** What is read of a query is read once; what failed may be asked for again. */
function once(reads: Map<number, Promise<void>>, query: number, read: () => Promise<void>): Promise<void> {
  const known = reads.get(query);
  if (known) return known;
  const coming = read();
  reads.set(query, coming);
  coming.catch(() => reads.delete(query));
  return coming;
}

/** The sink by the sums of the columns, less what rows give that have no choice: all to the only key that they may look at, or as much to each where that is none. */
function sinkIn({ queries, keys: sums }: Marginals, { data, shape: [rows = 0, columns = 0] }: Tensor, keys: readonly Token[]): Sink | null {
  const only = new Float64Array(columns);
  let choosing = 0;
  for (let row = 0; row < rows; row += 1) {
    const open = keys.flatMap((_, key) => (isForbidden(data[row * columns + key] ?? NaN) ? [] : [key]));
    if (open.length > 1) choosing += 1;
    else for (const key of open.length === 1 ? open : range(columns)) only[key] = (only[key] ?? 0) + (queries[row] ?? 0) / (open.length || columns);
  }
  return choosing === 0 ? null : sinkAmong(keys, (key) => ((sums[key] ?? 0) - (only[key] ?? 0)) / choosing);
}
