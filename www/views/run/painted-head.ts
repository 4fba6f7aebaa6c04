// A head of a run on the GPU: its picture is painted there, and of its numbers only the rows that are looked at are read.
import { isForbidden, type Cell, type HeadRef, type Marginals, type Painted, type Region, type Stage, type Tensor, type Token } from "../../data/index.js";
import { divergingRamp, sequentialRamp } from "../../draw/ramp.js";
import type { CellPixels } from "../../draw/pixels.js";
import type { ColourScale } from "../../draw/scale.js";
import type { Painting } from "../../elements/heatmap/painted-cells.js";
import type { MatrixContent } from "../../elements/matrix/content.js";
import { Kept } from "../../elements/shared/kept.js";
import type { Run } from "../../headscope.js";
import { groupsOf, sinkAmong, type Sink } from "../../reduce/index.js";
import type { State } from "../../state/index.js";
import type { HeadFigures } from "./figures.js";
import { HeadRows } from "./head-rows.js";
import type { Lens, Looked } from "./looked.js";
import type { RowByRow } from "./row-by-row.js";
import { lookAt } from "./strong-weights.js";

/** Pixels on a side of a picture in CSS pixels: a heatmap is no larger. */
const MOST_SIDE = 1024;
/** Of how much a row may miss 1 by rounding, where weights add up to 1. */
const ROUNDING = 1e-3;

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
  const [look, own, mask, closed, painted] = await Promise.all([
    lookAt(run, head),
    signed ? run.marginals({ ...head, stage }) : null,
    run.mask(head),
    run.fullyMasked(head),
    known?.region === null ? run.painted({ ...head, stage, ramp: known.ramp, signed, most }) : null,
  ]);
  const { queries, keys } = tokens();
  const [rows = 0, columns = 0] = mask.shape;
  if (!look) return null;
  const weights = look.painted.marginals;
  const marginals = own ?? weights;
  const sizes = [weights, marginals, painted?.marginals ?? marginals].map((one) => [one.queries.length, one.keys.length]);
  // A run that still writes may have grown between two answers; the next read finds it as large in all of them.
  if ([...sizes, [queries.length, keys.length]].some(([down, across]) => down !== rows || across !== columns)) return null;
  const numbers = new HeadRows(run, head, [rows, columns], look);
  const strongest = await numbers.strongest(ordinary(queries), ordinary(keys));
  const looked = [strongest?.query ?? rows, lastQuery ?? rows].filter((query) => query < rows);
  await Promise.all(looked.map((query) => numbers.read(query)));
  const sink = sinkIn(weights, mask, keys);
  // With −10⁹ in the place of −∞ such a row looks everywhere alike.
  const fullyMasked = closed.filter((query) => query < rows && weights.queries[query] === 0);
  const row = new PaintedHead({ run, head, stage, most, mask, marginals, strongest, sink, numbers, lost });
  if (known && painted) row.keep(known, painted);
  return { run, head, ...numbers.figures(head), mask, fullyMasked, vectors: null, queries, keys, painted: row };
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

  cellOf(axis: keyof Cell, index: number): Cell | null {
    return this.parts.numbers.cellOf(axis, index);
  }

  settle(axis: keyof Cell, index: number): Promise<void> {
    return this.parts.numbers.settle(axis, index).catch(this.parts.lost);
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

/** The tokens that are no special ones, where there are any. */
function ordinary(tokens: readonly Token[]): number[] {
  const found = tokens.flatMap((token, index) => (token.special ? [] : [index]));
  return found.length > 0 ? found : range(tokens.length);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
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
