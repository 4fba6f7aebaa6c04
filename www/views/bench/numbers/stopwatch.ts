import type { Operations, ProjectionAsked, ProjectionWay } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";

/** So long must the work of one question take that the way to the engine and back does not matter, in milliseconds. */
const LONG_ENOUGH_MILLIS = 40;
const ROUNDS = 9;
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
  /** Whether the middle halves of both ways' rounds overlap, so that another time the other may be the faster. */
  overlap: boolean;
}

/**
 * Measures both ways here and now, in turns, so that what else the machine does meets both. The time of a question
 * without the work is taken off.
 */
export async function measure(
  lab: Pick<Lab, "ask">,
  size: ProjectionSize,
  now: () => number = () => performance.now(),
  signal?: AbortSignal,
): Promise<ProjectionTimes> {
  const timed = async (
    way: ProjectionWay,
    repeats: number,
  ): Promise<{ millis: number; operations: Operations; check: number }> => {
    const began = now();
    const { operations, check } = await lab.ask(
      "projection",
      { ...size, way, repeats },
      signal ? { signal } : {},
    );
    return { millis: now() - began, operations, check };
  };
  const one = size.words * size.modelDim * size.width;
  const most = Math.max(1, Math.floor(MOST_MULTIPLICATIONS / one));
  const workOf = async (
    way: ProjectionWay,
    repeats: number,
  ): Promise<{ millis: number; operations: Operations; check: number }> => {
    const idle = await timed(way, 0);
    const work = await timed(way, repeats);
    return { ...work, millis: work.millis - idle.millis };
  };
  // One long question may have waited for something else: two in a row have not.
  const isLong = async (repeats: number): Promise<boolean> =>
    (await workOf("wide", repeats)).millis >= LONG_ENOUGH_MILLIS &&
    (await workOf("wide", repeats)).millis >= LONG_ENOUGH_MILLIS;
  for (let repeats = 1; ; repeats = Math.min(most, 2 * repeats)) {
    if (repeats < most && !(await isLong(repeats))) continue;
    const rounds: Record<ProjectionWay, number[]> = { wide: [], split: [] };
    const last: Partial<Record<ProjectionWay, { operations: Operations; check: number }>> = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of ["wide", "split"] as const) {
        const work = await workOf(way, repeats);
        rounds[way].push(work.millis);
        last[way] = work;
      }
    }
    const [wide, split] = [sorted(rounds.wide), sorted(rounds.split)];
    if (
      repeats < most &&
      Math.min(quantile(wide, 0.5), quantile(split, 0.5)) < LONG_ENOUGH_MILLIS / 2
    )
      continue;
    const wayTime = (way: ProjectionWay, millis: readonly number[]): WayTime => ({
      micros: (1000 * Math.max(0, quantile(millis, 0.5))) / repeats,
      operations: last[way]?.operations ?? NOTHING,
      check: last[way]?.check ?? NaN,
    });
    const overlap =
      quantile(wide, 0.25) <= quantile(split, 0.75) &&
      quantile(split, 0.25) <= quantile(wide, 0.75);
    return {
      ways: { wide: wayTime("wide", wide), split: wayTime("split", split) },
      repeats,
      rounds: ROUNDS,
      overlap,
    };
  }
}

const NOTHING: Operations = { multiplications: 0, additions: 0, divisions: 0, exponentials: 0 };

function sorted(values: readonly number[]): number[] {
  return [...values].sort((one, other) => one - other);
}

/** Of sorted values the one that so large a share of them does not exceed. */
function quantile(values: readonly number[], share: number): number {
  return values[Math.round(share * (values.length - 1))] ?? NaN;
}
