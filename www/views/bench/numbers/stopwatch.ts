import type { Operations, ProjectionAsked, ProjectionWay } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";

/** So long must the work of one question take that the way to the engine and back does not matter, in milliseconds. */
const LONG_ENOUGH_MILLIS = 40;
const ROUNDS = 5;
/** What the engine takes at once. */
const MOST_MULTIPLICATIONS = 2 ** 30;

export type ProjectionSize = Omit<ProjectionAsked, "way" | "repeats">;

/** What a way to project took. */
export interface WayTime {
  /** The median of all rounds, for one projection, in microseconds. */
  micros: number;
  operations: Operations;
  /** The sum of all that came out. */
  check: number;
}

export interface ProjectionTimes {
  ways: Record<ProjectionWay, WayTime>;
  /** How often each was done in a round. */
  repeats: number;
  rounds: number;
}

/**
 * Measures both ways here and now, in turns, so that what else the machine does meets both. The time of a question
 * without the work is taken off.
 */
export async function measure(lab: Pick<Lab, "ask">, size: ProjectionSize, now: () => number = () => performance.now(), signal?: AbortSignal): Promise<ProjectionTimes> {
  const timed = async (way: ProjectionWay, repeats: number): Promise<{ millis: number; operations: Operations; check: number }> => {
    const began = now();
    const { operations, check } = await lab.ask("projection", { ...size, way, repeats }, signal ? { signal } : {});
    return { millis: now() - began, operations, check };
  };
  const one = size.words * size.modelDim * size.width;
  const most = Math.max(1, Math.floor(MOST_MULTIPLICATIONS / one));
  let repeats = 1;
  for (;;) {
    const idle = (await timed("wide", 0)).millis;
    if (repeats >= most || (await timed("wide", repeats)).millis - idle >= LONG_ENOUGH_MILLIS) break;
    repeats = Math.min(most, 2 * repeats);
  }
  const rounds: Record<ProjectionWay, number[]> = { wide: [], split: [] };
  const last: Partial<Record<ProjectionWay, { operations: Operations; check: number }>> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ["wide", "split"] as const) {
      const idle = await timed(way, 0);
      const work = await timed(way, repeats);
      rounds[way].push(Math.max(0, work.millis - idle.millis) / repeats);
      last[way] = work;
    }
  }
  const wayTime = (way: ProjectionWay): WayTime => ({ micros: 1000 * median(rounds[way]), operations: last[way]?.operations ?? NOTHING, check: last[way]?.check ?? NaN });
  return { ways: { wide: wayTime("wide"), split: wayTime("split") }, repeats, rounds: ROUNDS };
}

const NOTHING: Operations = { multiplications: 0, additions: 0, divisions: 0, exponentials: 0 };

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? NaN;
}
