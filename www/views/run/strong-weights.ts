// Where the weights of a head are strong, by their colours: few pixels are read, and of all numbers none.
import type { HeadRef, Joining, Marginals, Painted, Region, Stage } from "../../data/index.js";
import { RAMP_STEPS } from "../../draw/ramp.js";
import type { Run } from "../../headscope.js";

/** Pixels on a side: of a text with more tokens one stands for several. */
const LOOK_SIDE = 256;
/** Pixels on a side where it has to be known more closely. */
export const CLOSE_SIDE = 1024;
/** A weight's place within its colour stays below the next one. */
const WITHIN = 0.999;
/** A table of colours whose red says which entry it is. */
const ENTRIES = Uint8ClampedArray.from({ length: RAMP_STEPS * 4 }, (_, at) =>
  at % 4 === 0 ? at / 4 : at % 4 === 3 ? 255 : 0,
);

/** The colours of a part of the weights. A pixel that stands for several has that of the strongest. */
export class Look {
  constructor(
    readonly painted: Painted,
    private readonly part: Region,
  ) {}

  /** Whether each pixel stands for one cell. */
  get isClose(): boolean {
    const { painted, part } = this;
    return painted.rows === part.rows && painted.columns === part.columns;
  }

  /** The row of pixels that a query is in. */
  rowOf(query: number): number {
    return pixelOf(query - this.part.query, this.part.rows, this.painted.rows);
  }

  colourAt(query: number, key: number): number {
    const column = pixelOf(key - this.part.key, this.part.columns, this.painted.columns);
    return this.painted.data[4 * (this.rowOf(query) * this.painted.columns + column)] ?? 0;
  }
}

/** What of the weights is looked at: all of it without a part, and each token for itself where none are joined. */
interface Which {
  joining: Joining | null;
  part?: Region;
  most?: number;
}

/** Null where nothing is painted. */
export async function lookAt(
  run: Run,
  head: HeadRef,
  { joining, part, most = LOOK_SIDE }: Which,
): Promise<Look | null> {
  const painted = await run.painted({
    ...head,
    stage: "weights",
    ramp: ENTRIES,
    most,
    groups: joining,
    ...(part && { region: part }),
  });
  if (!painted) return null;
  const { queries, keys } = painted.marginals;
  return new Look(
    painted,
    part ?? { query: 0, key: 0, rows: queries.length, columns: keys.length },
  );
}

/** The sums and the extent of what is joined, of which nothing else is read; null where nothing is painted. */
export async function sumsOf(
  run: Run,
  head: HeadRef,
  stage: Stage,
  joining: Joining,
): Promise<Marginals | null> {
  const region = { query: 0, key: 0, rows: 1, columns: 1 };
  const painted = await run.painted({
    ...head,
    stage,
    ramp: ENTRIES,
    most: 1,
    groups: joining,
    region,
  });
  return painted?.marginals ?? null;
}

/** The place of a weight among the colours, and within its own. */
export function rankOf(weight: number, largest: number): number {
  const place = largest > 0 ? (weight / largest) * (RAMP_STEPS - 1) : 0;
  const colour = Math.round(place);
  return colour === 0 ? place : colour + (place - colour + 0.5) * WITHIN;
}

/** The pixel that stands for a cell, as a GPU shares them out. */
function pixelOf(at: number, cells: number, pixels: number): number {
  return Math.floor(((at + 1) * pixels - 1) / cells);
}
