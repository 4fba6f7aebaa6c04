// The numbers of a head that a GPU paints, as far as they are read, and which of its weights are the strongest.
import type { Cell, HeadRef, Joining, Region, Stage, Tensor } from "../../data/index.js";
import { strongestOf } from "../../draw/strongest.js";
import type { Run } from "../../headscope.js";
import { isWhole, joinWeights, pickCells } from "../../reduce/index.js";
import { STAGES } from "../../state/index.js";
import type { HeadFigures } from "./figures.js";
import { CLOSE_SIDE, lookAt, rankOf, type Look } from "./strong-weights.js";

/** Of how many rows at most it is read which one has the largest weight: more share a colour only where weights hardly differ, or hardly show. */
const MOST_CANDIDATES = 16;

/** The strongest cell of a row, and how it compares with others. */
interface Peak {
  key: number;
  rank: number;
}

/** The numbers of a head at all stages as far as they are known: NaN elsewhere. A *place* is a row or a column of its picture, of one token or of several. */
export class HeadRows {
  private readonly data: Record<Stage, Float32Array>;
  /** What the picture shows of them: the same where each token has its own place, and of several tokens only weights. */
  private readonly shown: Partial<Record<Stage, Float32Array>> & Record<"weights", Float32Array>;
  private readonly sides: readonly [number, number];
  private readonly reads = new Map<number, Promise<void>>();
  private readonly weighing = new Map<number, Promise<void>>();
  /** Rows whose weights are known. */
  private readonly weighed = new Set<number>();
  /** Columns that were looked at more closely. */
  private readonly columns = new Map<number, Look>();

  /** `shape` counts tokens; without a `joining` each has its own place. */
  constructor(
    private readonly run: Run,
    private readonly head: HeadRef,
    private readonly shape: readonly [number, number],
    private readonly look: Look,
    private readonly joining: Joining | null,
  ) {
    this.sides = joining ? [joining.rows.length, joining.columns.length] : shape;
    this.data = stagesOf(() => empty(shape));
    this.shown = this.shownOf(joining);
  }

  /** Reads a row of every stage, once. */
  read(row: number): Promise<void> {
    return once(this.reads, row, async () => {
      const others = this.queriesAt(row).flatMap((query) =>
        STAGES.filter((stage) => stage !== "weights").map((stage) => this.row(stage, query)),
      );
      await Promise.all([this.weigh(row), ...others]);
      for (const stage of STAGES) if (stage !== "weights") this.show(stage, row);
    });
  }

  has(row: number): boolean {
    return this.reads.has(row);
  }

  /** Whether the weights of a row are known. */
  knows(row: number): boolean {
    return this.weighed.has(row);
  }

  /** The strongest place of some rows and columns. */
  async strongest(rows: readonly number[], columns: readonly number[]): Promise<Cell | null> {
    const part = partOf(rows, columns);
    if (!part) return null;
    const [down, across] = this.sides;
    const isAll = part.rows === down && part.columns === across;
    // What is left out at the ends would share its pixels with what is not.
    const look = this.look.isClose || isAll ? this.look : await this.lookAt({ part });
    const found = await this.found(rows, columns, look);
    if (found.certain || look.isClose) return found.cell;
    return (await this.found(rows, columns, await this.lookAt({ part, most: CLOSE_SIDE }))).cell;
  }

  /** The strongest place of a row or a column, as far as its colours tell. */
  cellOf(axis: keyof Cell, index: number): Cell | null {
    const [down, across] = this.sides;
    if (index >= (axis === "query" ? down : across)) return null;
    if (axis === "query")
      return { query: index, key: this.peakOf(index, range(across), this.look).key };
    const look = this.columns.get(index) ?? this.look;
    return bestOf(
      range(down),
      range(down).map((query) => this.peakOf(query, [index], look)),
    );
  }

  /** Reads what it takes for that to be true. */
  async settle(axis: keyof Cell, index: number): Promise<void> {
    if (axis === "query") return this.weigh(index);
    const [down] = this.sides;
    if (!this.look.isClose && !this.columns.has(index))
      this.columns.set(
        index,
        await this.lookAt({ part: { query: 0, key: index, rows: down, columns: 1 }, most: down }),
      );
    await this.found(range(down), [index], this.columns.get(index) ?? this.look);
  }

  /** Reads the weights of a row, once. */
  weigh(row: number): Promise<void> {
    return once(this.weighing, row, async () => {
      await Promise.all(this.queriesAt(row).map((query) => this.row("weights", query)));
      this.show("weights", row);
      this.weighed.add(row);
    });
  }

  /** The strongest pair of tokens of a place; while its weights are not known, the first. */
  pairAt(place: Cell | null): Cell | null {
    if (!place || !this.joining) return place;
    const cells = this.queriesAt(place.query).flatMap((query) =>
      (this.joining?.columns[place.key] ?? []).map((key) => ({ query, key })),
    );
    return strongestOf(this.tensor("weights"), cells) ?? cells[0] ?? null;
  }

  /** As new objects: whoever shows them sees that there is more in them. */
  figures({ head }: HeadRef): Pick<HeadFigures, "stages" | "patterns"> {
    const stages = stagesOf((stage) => this.tensor(stage));
    return { stages, patterns: [{ head, weights: stages.weights }] };
  }

  /** What the picture shows of a stage, as a new object: of one that is not shown nothing is known. */
  places(stage: Stage): Tensor {
    return {
      data: this.shown[stage] ?? empty(this.sides),
      shape: [...this.sides],
      axes: ["query", "key"],
    };
  }

  /** Reads the rows whose colour is the strongest until one of those that were read is stronger than all others, and says whether it came to that. */
  private async found(
    rows: readonly number[],
    columns: readonly number[],
    look: Look,
  ): Promise<{ cell: Cell | null; certain: boolean }> {
    // Rows under the same pixels have the same colours.
    const seen = new Map<number, Peak>();
    const seenOf = (place: number): Peak => {
      const row = look.rowOf(place);
      const peak = seen.get(row) ?? this.seenIn(place, columns, look);
      seen.set(row, peak);
      return peak;
    };
    const peaks = rows.map((row) =>
      this.weighed.has(row) ? this.peakOf(row, columns, look) : seenOf(row),
    );
    for (let left = MOST_CANDIDATES; ; ) {
      const strongest = peaks.reduce(
        (most, { rank }) => Math.max(most, Math.floor(rank)),
        -Infinity,
      );
      const open = rows.flatMap((row, at) =>
        Math.floor(peaks[at]?.rank ?? NaN) === strongest && !this.weighed.has(row)
          ? [{ row, at }]
          : [],
      );
      if (open.length === 0 || left === 0)
        return { cell: bestOf(rows, peaks), certain: open.length === 0 };
      const some = open.slice(0, left);
      left -= some.length;
      await Promise.all(some.map(({ row }) => this.weigh(row)));
      for (const { row, at } of some) peaks[at] = this.peakOf(row, columns, look);
    }
  }

  private peakOf(row: number, columns: readonly number[], look: Look): Peak {
    if (!this.weighed.has(row)) return this.seenIn(row, columns, look);
    const { weights } = this.shown;
    const from = row * this.sides[1];
    return peak(columns, (key) =>
      rankOf(weights[from + key] ?? NaN, this.look.painted.marginals.largest),
    );
  }

  private seenIn(row: number, columns: readonly number[], look: Look): Peak {
    return peak(columns, (key) => look.colourAt(row, key));
  }

  private async lookAt(which: { part: Region; most?: number }): Promise<Look> {
    const look = await lookAt(this.run, this.head, { ...which, joining: this.joining });
    if (!look) throw new Error("nothing is painted any more");
    return look;
  }

  private async row(stage: Stage, query: number): Promise<void> {
    const { data } = await this.run.attention({ ...this.head, stage, rows: [query, query + 1] });
    const [, columns] = this.shape;
    // Of a run that has grown meanwhile a row is longer.
    this.data[stage].set(data.subarray(0, columns), query * columns);
  }

  private queriesAt(row: number): readonly number[] {
    return this.joining ? (this.joining.rows[row] ?? []) : [row];
  }

  /** Takes what was read of a row into what the picture shows. */
  private show(stage: Stage, row: number): void {
    const { joining } = this;
    const queries = joining?.rows[row];
    const shown = this.shown[stage];
    if (!joining || !queries || !shown || shown === this.data[stage]) return;
    const { columns, without } = joining;
    const { data } =
      stage === "weights"
        ? joinWeights(this.tensor(stage), [queries], columns, without)
        : pickCells(this.tensor(stage), [queries], columns);
    shown.set(data, row * this.sides[1]);
  }

  private shownOf(joining: Joining | null): typeof this.shown {
    const [rows, columns] = this.shape;
    if (!joining) return this.data;
    const areSingle =
      joining.without === null &&
      [...joining.rows, ...joining.columns].every(({ length }) => length === 1);
    if (!areSingle) return { weights: empty(this.sides) };
    return isWhole(joining.rows, rows) && isWhole(joining.columns, columns)
      ? this.data
      : stagesOf(() => empty(this.sides));
  }

  private tensor(stage: Stage): Tensor {
    return { data: this.data[stage], shape: [...this.shape], axes: ["query", "key"] };
  }
}

/** A value for each stage. */
export function stagesOf<Value>(of: (stage: Stage) => Value): Record<Stage, Value> {
  return { raw: of("raw"), scores: of("scores"), masked: of("masked"), weights: of("weights") };
}

function empty([rows, columns]: readonly [number, number]): Float32Array {
  return new Float32Array(rows * columns).fill(NaN);
}

/** The first of the largest. */
function peak(keys: readonly number[], rank: (key: number) => number): Peak {
  let best: Peak = { key: keys[0] ?? 0, rank: -Infinity };
  for (const key of keys) {
    const own = rank(key);
    if (own > best.rank) best = { key, rank: own };
  }
  return best;
}

function bestOf(queries: readonly number[], peaks: readonly Peak[]): Cell | null {
  let best: (Cell & { rank: number }) | null = null;
  for (const [at, { key, rank }] of peaks.entries())
    if (!best || rank > best.rank) best = { query: queries[at] ?? 0, key, rank };
  return best && { query: best.query, key: best.key };
}

/** The smallest part of a pattern that has all of them. */
function partOf(queries: readonly number[], keys: readonly number[]): Region | null {
  const [query, key, lastQuery, lastKey] = [queries[0], keys[0], queries.at(-1), keys.at(-1)];
  if (query === undefined || key === undefined || lastQuery === undefined || lastKey === undefined)
    return null;
  return { query, key, rows: lastQuery - query + 1, columns: lastKey - key + 1 };
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** What is read of a row is read once; what failed may be asked for again. */
function once(
  reads: Map<number, Promise<void>>,
  row: number,
  read: () => Promise<void>,
): Promise<void> {
  const known = reads.get(row);
  if (known) return known;
  const coming = read();
  reads.set(row, coming);
  coming.catch(() => reads.delete(row));
  return coming;
}
