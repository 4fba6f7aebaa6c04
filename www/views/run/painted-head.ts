// A head of a run on the GPU: its picture is painted there, and of its numbers only the rows that are looked at are read.
import {
  isForbidden,
  type Cell,
  type HeadRef,
  type Marginals,
  type Painted,
  type Region,
  type Stage,
  type Tensor,
} from "../../data/index.js";
import { divergingRamp, sequentialRamp } from "../../draw/ramp.js";
import type { CellPixels } from "../../draw/pixels.js";
import type { ColourScale } from "../../draw/scale.js";
import type { Painting } from "../../elements/heatmap/painted-cells.js";
import type { MatrixContent } from "../../elements/matrix/content.js";
import { Memo } from "../../elements/shared/memo.js";
import type { Run } from "../../headscope.js";
import { pickCells, poolWeights, type Pool, type Sink } from "../../reduce/index.js";
import type { State } from "../../state/index.js";
import { cropped, type HeadFigures, type PaintingWish } from "./figures.js";
import { HeadRows, stagesOf } from "./head-rows.js";
import { missingShare, type Lens, type Looked } from "./looked.js";
import { groupAt } from "./looked-cells.js";
import { ordinary, restOf, sinkIn, viewOf, type PaintedView, type Texts } from "./painted-view.js";
import type { RowByRow } from "./row-by-row.js";
import { lookAt, sumsOf, type Look } from "./strong-weights.js";

/** Pixels on a side of a picture in CSS pixels: a heatmap is no larger. */
const MOST_SIDE = 1024;
/** Of how much a row may miss 1 by rounding, where weights add up to 1. */
const ROUNDING = 1e-3;

/** What was painted and read last: a next run is asked for the same before anybody wants it. */
let last: { ramp: Uint8ClampedArray; signed: boolean; region: Region | null } | null = null;
let lastQuery: number | null = null;

/** Whether the page shows no more of a head than its heatmap. Which weights are dropped by chance takes all numbers, and so do two runs side by side. */
export function canBePainted({ picture, compare, bench, edits }: State): boolean {
  const drops = edits.attention.some(({ dropout }) => dropout);
  // The workbench takes a head's numbers over.
  return picture === "heatmap" && !drops && compare === null && bench !== "numbers";
}

/** What a reader is told of a head beside its name. */
interface Around {
  /** The texts on its axes, as far as they are written. */
  tokens: () => Texts;
  lost: () => void;
  /** Called when more is known of what the page asked for. */
  changed: () => void;
}

/** A head whose numbers are read row by row; null where they have to be read whole. `lost` hears when that turns out only later. */
export async function readPaintedHead(
  run: Run,
  head: HeadRef,
  { stage, lens, grows }: PaintingWish,
  { tokens, ...around }: Around,
): Promise<HeadFigures | null> {
  const most = Math.min(8192, Math.round(MOST_SIDE * Math.max(1, devicePixelRatio)));
  const signed = stage !== "weights";
  const known = last?.signed === signed ? last : null;
  const texts = tokens();
  const tokenwise = viewOf(texts, { byWord: false, ordinaryOnly: false }, null, grows);
  const picture = (view: PaintedView): Promise<[Look | null, Marginals | null, Painted | null]> => {
    const { joining } = view;
    return Promise.all([
      view.isTokenwise ? null : lookAt(run, head, { joining }),
      signed
        ? joining
          ? sumsOf(run, head, stage, joining)
          : run.marginals({ ...head, stage })
        : null,
      known?.region === null
        ? run.painted({ ...head, stage, ramp: known.ramp, signed, most, groups: joining })
        : null,
    ]);
  };
  // Which token swallows the weight is known once the whole was looked at.
  const early = lens.withoutSink ? null : viewOf(texts, lens, null, grows);
  const [whole, wholeMask, closed, first] = await Promise.all([
    lookAt(run, head, { joining: tokenwise.joining }),
    run.mask(head),
    run.fullyMasked(head),
    early && picture(early),
  ]);
  const { queries, keys } = texts;
  const [rows, columns] = [queries.length, keys.length];
  if (
    !whole ||
    !isOfSize(whole.painted.marginals, rows, columns) ||
    (!grows && !hasShape(wholeMask, rows, columns))
  )
    return null;
  const weights = whole.painted.marginals;
  const mask = cropped(wholeMask, rows, columns);
  const sink = sinkIn(weights, mask, keys);
  // With nothing beside it there would be nothing to show.
  const without = lens.withoutSink && columns > 1 ? (sink?.key ?? null) : null;
  const view = early ?? viewOf(texts, lens, without, grows);
  const [ownLook, ownSums, painted] = first ?? (await picture(view));
  const look = ownLook ?? whole;
  const marginals = ownSums ?? look.painted.marginals;
  if (
    [look.painted.marginals, marginals, painted?.marginals ?? marginals].some(
      (one) => !isOfSize(one, view.rows.length, view.columns.length),
    )
  )
    return null;
  const given = await givenBy(view, weights, () =>
    without === null ? null : sumsOf(run, head, "weights", restOf(view, keys, without)),
  );
  if (!given) return null;
  const numbers = new HeadRows(run, head, [rows, columns], look, view.joining);
  const strongest = await numbers.strongest(ordinary(view.queries), ordinary(view.keys));
  const lastRow = lastQuery === null ? -1 : groupAt(view.rows, lastQuery);
  await Promise.all(
    [strongest?.query ?? -1, lastRow].filter((row) => row >= 0).map((row) => numbers.read(row)),
  );
  // With −10⁹ in the place of −∞ such a row looks everywhere alike.
  const fullyMasked = closed.filter((query) => query < rows && weights.queries[query] === 0);
  const row = new PaintedHead({
    run,
    head,
    stage,
    lens,
    most,
    mask,
    view,
    marginals,
    shares: look.painted.marginals.queries,
    given,
    strongest,
    sink,
    numbers,
    ...around,
  });
  if (known && painted) row.keep(known, painted);
  return {
    run,
    head,
    ...numbers.figures(head),
    mask,
    fullyMasked,
    vectors: null,
    queries,
    keys,
    painted: row,
  };
}

/** What the queries of each row give to all keys, whichever have a column: without one of them 1, or 0 where nothing is left. */
async function givenBy(
  { rows }: PaintedView,
  { queries }: Marginals,
  rest: () => Promise<Marginals | null> | null,
): Promise<readonly number[] | null> {
  const others = rest();
  if (others) return (await others)?.queries ?? null;
  return rows.map(
    (group) => group.reduce((sum, query) => sum + (queries[query] ?? 0), 0) / group.length,
  );
}

interface Parts extends Pick<Around, "lost" | "changed"> {
  run: Run;
  head: HeadRef;
  stage: Stage;
  lens: Lens;
  most: number;
  mask: Tensor;
  view: PaintedView;
  marginals: Marginals;
  /** What each row shows of its weights, and what it gives to all keys. */
  shares: readonly number[];
  given: readonly number[];
  strongest: Cell | null;
  sink: Sink | null;
  numbers: HeadRows;
}

interface Asked {
  ramp: Uint8ClampedArray;
  region: Region | null;
}

class PaintedHead implements RowByRow {
  readonly blank: Tensor;
  private readonly mask: Tensor;
  private readonly scale = new Memo<ColourScale>();
  private readonly mass: Float64Array | null;
  private readonly given: Float64Array | null;
  private shown: (Asked & { pixels: CellPixels }) | null = null;
  private coming: Asked | null = null;
  /** What all rows give to some columns together, by these; null while it is on its way. */
  private readonly pools = new Map<string, readonly number[] | null>();

  constructor(private readonly parts: Parts) {
    const { stage, mask, marginals, view } = parts;
    this.mask = view.joining ? pickCells(mask, view.rows, view.columns) : mask;
    this.blank =
      stage === "masked"
        ? { ...this.mask, data: this.mask.data.map((added) => (isForbidden(added) ? NaN : 0)) }
        : { ...this.mask, data: new Float32Array(this.mask.data.length) };
    const weights = stage === "weights";
    this.mass = weights ? Float64Array.from(marginals.keys) : null;
    this.given =
      weights && marginals.queries.some((sum) => Math.abs(sum - 1) >= ROUNDING)
        ? Float64Array.from(marginals.queries)
        : null;
  }

  get strongest(): Cell | null {
    return this.pairAt(this.parts.strongest);
  }

  cellOf(axis: keyof Cell, index: number): Cell | null {
    return this.pairAt(this.parts.numbers.cellOf(axis, index));
  }

  pairAt(place: Cell | null): Cell | null {
    return this.parts.numbers.pairAt(place);
  }

  settle(axis: keyof Cell, index: number): Promise<void> {
    const { numbers, view, lost } = this.parts;
    const place = groupAt(axis === "query" ? view.rows : view.columns, index);
    return place < 0 ? Promise.resolve() : numbers.settle(axis, place).catch(lost);
  }

  settleAt({ query, key }: Cell): Promise<boolean> | null {
    const { numbers, view, lost } = this.parts;
    const isOnePair = view.rows[query]?.length === 1 && view.columns[key]?.length === 1;
    if (isOnePair || numbers.knows(query)) return null;
    const failed = (): boolean => {
      lost();
      return false;
    };
    return numbers.weigh(query).then(() => true, failed);
  }

  pooled(axis: keyof Cell, places: readonly number[], pool: Pool): readonly number[] | null {
    const { numbers, lost, changed } = this.parts;
    if (axis === "query") {
      const unknown = places.filter((place) => !numbers.knows(place));
      if (unknown.length === 0)
        return poolWeights(numbers.places("weights"), "query", places, pool);
      void Promise.all(unknown.map((place) => numbers.weigh(place))).then(changed, lost);
      return null;
    }
    const key = places.join(" ");
    const known = this.pools.get(key);
    if (known) return pool === "mean" ? known.map((sum) => sum / places.length) : known;
    if (known === undefined) {
      this.pools.set(key, null);
      void this.addUp(places).then((sums) => {
        if (sums) this.pools.set(key, sums);
        if (sums) changed();
        else lost();
      }, lost);
    }
    return null;
  }

  /** What every row gives to these columns together. */
  private async addUp(places: readonly number[]): Promise<readonly number[] | null> {
    const { run, head, view } = this.parts;
    const together = places.flatMap((place) => view.columns[place] ?? []);
    return (
      (
        await sumsOf(run, head, "weights", {
          rows: view.rows,
          columns: [together],
          without: view.without,
        })
      )?.queries ?? null
    );
  }

  content({ colours, ground, region, changed }: Painting): ReturnType<RowByRow["content"]> {
    const weights = this.parts.stage === "weights";
    const ramp = weights ? sequentialRamp(colours, ground) : divergingRamp(ground);
    const scale = this.scale.get([ramp], () => this.scaleOf(ramp));
    const { mass, given } = this;
    return {
      scale,
      mass,
      given,
      pixels: this.pixels({ ramp, region }, changed),
    } satisfies Partial<MatrixContent>;
  }

  private scaleOf(ramp: Uint8ClampedArray): ColourScale {
    const { least: min, largest: max, forbidden: masked } = this.parts.marginals;
    const reach = Math.max(Math.abs(min), Math.abs(max));
    const ends =
      this.parts.stage === "weights"
        ? ({ kind: "sequential", low: 0, high: max } as const)
        : ({ kind: "diverging", low: -reach, high: reach } as const);
    return { ...ends, extent: { min, max, masked }, ramp };
  }

  private pixels(asked: Asked, changed: () => void): CellPixels | null {
    if (isSame(this.shown, asked)) return this.shown?.pixels ?? null;
    if (!isSame(this.coming, asked)) void this.paint(asked, changed);
    return null;
  }

  private async paint(asked: Asked, changed: () => void): Promise<void> {
    const { run, head, stage, most, view, lost } = this.parts;
    const signed = stage !== "weights";
    this.coming = asked;
    last = { ...asked, signed };
    const painted = await run
      .painted({
        ...head,
        stage,
        signed,
        most,
        ramp: asked.ramp,
        groups: view.joining,
        ...(asked.region && { region: asked.region }),
      })
      .catch(() => null);
    if (this.coming !== asked) return;
    // It stays what is coming, so that it is not asked for again. A run may have grown since the rest of it was read.
    if (!painted || !isOfSize(painted.marginals, view.rows.length, view.columns.length)) {
      lost();
      return;
    }
    this.coming = null;
    this.keep(asked, painted);
    changed();
  }

  /** Takes a picture in. */
  keep({ ramp, region }: Asked, pixels: CellPixels): void {
    this.shown = { ramp, region, pixels };
  }

  want(query: number, arrived: Parameters<RowByRow["want"]>[1]): void {
    const { numbers, view, head, lost } = this.parts;
    lastQuery = query;
    const row = groupAt(view.rows, query);
    if (row >= 0 && !numbers.has(row))
      void numbers.read(row).then(() => arrived(numbers.figures(head)), lost);
  }

  look(figures: HeadFigures, { wordsWanted, weightsOnly }: Lens): Looked {
    const { stages, patterns, fullyMasked } = figures;
    const { view, lens, numbers, given, shares, sink } = this.parts;
    const { rows, columns, queries, keys, without, joining } = view;
    const weights = joining ? numbers.places("weights") : stages.weights;
    const masked = new Set(fullyMasked);
    const closed = joining
      ? rows.flatMap((group, row) => (group.every((query) => masked.has(query)) ? [row] : []))
      : fullyMasked;
    const isWhole = !lens.byWord && without === null;
    return {
      figures,
      lens: { ...lens, wordsWanted, weightsOnly },
      rows,
      columns,
      queries,
      keys,
      weights,
      patterns: joining ? patterns.map(({ head }) => ({ head, weights })) : patterns,
      whole: isWhole
        ? {
            stages: joining ? stagesOf((stage) => numbers.places(stage)) : stages,
            mask: this.mask,
            vectors: null,
          }
        : null,
      fullyMasked: closed,
      emptied:
        without === null
          ? []
          : given.flatMap((sum, row) => (sum === 0 && !closed.includes(row) ? [row] : [])),
      sink,
      without,
      hiddenShare: missingShare(given, shares),
    };
  }
}

function isSame(one: Asked | null, { ramp, region }: Asked): boolean {
  return one?.ramp === ramp && JSON.stringify(one.region) === JSON.stringify(region);
}

function isOfSize({ queries, keys }: Marginals, rows: number, columns: number): boolean {
  return queries.length === rows && keys.length === columns;
}

function hasShape({ shape }: Tensor, rows: number, columns: number): boolean {
  return shape[0] === rows && shape[1] === columns;
}
