// The numbers of a head that a GPU paints, as far as they are read, and which of its weights are the strongest.
import type { Cell, HeadRef, Region, Stage, Tensor } from "../../data/index.js";
import type { Run } from "../../headscope.js";
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

/** The numbers of a head at all stages as far as they are known: NaN elsewhere. */
export class HeadRows {
  private readonly data: Record<Stage, Float32Array>;
  private readonly reads = new Map<number, Promise<void>>();
  private readonly weighing = new Map<number, Promise<void>>();
  /** Queries whose weights are known. */
  private readonly weighed = new Set<number>();
  /** Keys that were looked at more closely. */
  private readonly columns = new Map<number, Look>();

  constructor(private readonly run: Run, private readonly head: HeadRef, private readonly shape: readonly [number, number], private readonly look: Look) {
    const empty = (): Float32Array => new Float32Array(shape[0] * shape[1]).fill(NaN);
    this.data = { raw: empty(), scores: empty(), masked: empty(), weights: empty() };
  }

  /** Reads a query's row of every stage, once. */
  read(query: number): Promise<void> {
    return once(this.reads, query, async () => {
      await Promise.all(STAGES.map((stage) => (stage === "weights" ? this.weigh(query) : this.row(stage, query))));
    });
  }

  has(query: number): boolean {
    return this.reads.has(query);
  }

  /** The strongest cell of some queries and keys. */
  async strongest(queries: readonly number[], keys: readonly number[]): Promise<Cell | null> {
    const part = partOf(queries, keys);
    if (!part) return null;
    const [rows, columns] = this.shape;
    const isAll = part.rows === rows && part.columns === columns;
    // What is left out at the ends would share its pixels with what is not.
    const look = this.look.isClose || isAll ? this.look : await this.lookAt({ part });
    const found = await this.found(queries, keys, look);
    if (found.certain || look.isClose) return found.cell;
    return (await this.found(queries, keys, await this.lookAt({ part, most: CLOSE_SIDE }))).cell;
  }

  /** The strongest cell of a query or a key, as far as its colours tell. */
  cellOf(axis: keyof Cell, index: number): Cell | null {
    const [rows, columns] = this.shape;
    if (index >= (axis === "query" ? rows : columns)) return null;
    if (axis === "query") return { query: index, key: this.peakOf(index, range(columns), this.look).key };
    const look = this.columns.get(index) ?? this.look;
    return bestOf(range(rows), range(rows).map((query) => this.peakOf(query, [index], look)));
  }

  /** Reads what it takes for that to be true. */
  async settle(axis: keyof Cell, index: number): Promise<void> {
    if (axis === "query") return this.weigh(index);
    const [rows] = this.shape;
    if (!this.look.isClose && !this.columns.has(index)) this.columns.set(index, await this.lookAt({ part: { query: 0, key: index, rows, columns: 1 }, most: rows }));
    await this.found(range(rows), [index], this.columns.get(index) ?? this.look);
  }

  /** As new objects: whoever shows them sees that there is more in them. */
  figures({ head }: HeadRef): Pick<HeadFigures, "stages" | "patterns"> {
    const weights = this.tensor("weights");
    return { stages: { raw: this.tensor("raw"), scores: this.tensor("scores"), masked: this.tensor("masked"), weights }, patterns: [{ head, weights }] };
  }

  /** Reads the rows whose colour is the strongest until one of those that were read is stronger than all others, and says whether it came to that. */
  private async found(queries: readonly number[], keys: readonly number[], look: Look): Promise<{ cell: Cell | null; certain: boolean }> {
    // Queries under the same pixels have the same colours.
    const seen = new Map<number, Peak>();
    const seenOf = (query: number): Peak => {
      const row = look.rowOf(query);
      const peak = seen.get(row) ?? this.seenIn(query, keys, look);
      seen.set(row, peak);
      return peak;
    };
    const peaks = queries.map((query) => (this.weighed.has(query) ? this.peakOf(query, keys, look) : seenOf(query)));
    for (let left = MOST_CANDIDATES; ; ) {
      const strongest = peaks.reduce((most, { rank }) => Math.max(most, Math.floor(rank)), -Infinity);
      const open = queries.flatMap((query, at) => (Math.floor(peaks[at]?.rank ?? NaN) === strongest && !this.weighed.has(query) ? [{ query, at }] : []));
      if (open.length === 0 || left === 0) return { cell: bestOf(queries, peaks), certain: open.length === 0 };
      const some = open.slice(0, left);
      left -= some.length;
      await Promise.all(some.map(({ query }) => this.weigh(query)));
      for (const { query, at } of some) peaks[at] = this.peakOf(query, keys, look);
    }
  }

  private peakOf(query: number, keys: readonly number[], look: Look): Peak {
    if (!this.weighed.has(query)) return this.seenIn(query, keys, look);
    const { weights } = this.data;
    const from = query * this.shape[1];
    return peak(keys, (key) => rankOf(weights[from + key] ?? NaN, this.look.painted.marginals.largest));
  }

  private seenIn(query: number, keys: readonly number[], look: Look): Peak {
    return peak(keys, (key) => look.colourAt(query, key));
  }

  private async lookAt(which: { part: Region; most?: number }): Promise<Look> {
    const look = await lookAt(this.run, this.head, which);
    if (!look) throw new Error("nothing is painted any more");
    return look;
  }

  private weigh(query: number): Promise<void> {
    return once(this.weighing, query, async () => {
      await this.row("weights", query);
      this.weighed.add(query);
    });
  }

  private async row(stage: Stage, query: number): Promise<void> {
    const { data } = await this.run.attention({ ...this.head, stage, rows: [query, query + 1] });
    const [, columns] = this.shape;
    // Of a run that has grown meanwhile a row is longer.
    this.data[stage].set(data.subarray(0, columns), query * columns);
  }

  private tensor(stage: Stage): Tensor {
    return { data: this.data[stage], shape: [...this.shape], axes: ["query", "key"] };
  }
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
  for (const [at, { key, rank }] of peaks.entries()) if (!best || rank > best.rank) best = { query: queries[at] ?? 0, key, rank };
  return best && { query: best.query, key: best.key };
}

/** The smallest part of a pattern that has all of them. */
function partOf(queries: readonly number[], keys: readonly number[]): Region | null {
  const [query, key, lastQuery, lastKey] = [queries[0], keys[0], queries.at(-1), keys.at(-1)];
  if (query === undefined || key === undefined || lastQuery === undefined || lastKey === undefined) return null;
  return { query, key, rows: lastQuery - query + 1, columns: lastKey - key + 1 };
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
