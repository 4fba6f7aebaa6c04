import type { Operations, ProjectionAsked, ProjectionWay } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";

/** The work of one question takes so long that the way to the engine and back does not matter, in milliseconds. */
const LONG_ENOUGH_MILLIS = 40;
const ROUNDS = 9;
const MOST_MULTIPLICATIONS = 2 ** 30;
const WAYS = ["wide", "split"] as const satisfies readonly ProjectionWay[];

export type ProjectionSize = Omit<ProjectionAsked, "way" | "repeats">;

interface WayTime {
  /** The median of all rounds, for one projection, in microseconds. */
  micros: number;
  operations: Operations;
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
 * Measures both ways alternately, so that other work of the machine affects both. The time of a question without the work
 * is subtracted.
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
  ): Promise<Pick<WayTime, "operations" | "check"> & { millis: number }> => {
    const began = now();
    const answer = await lab.ask("projection", { ...size, way, repeats }, signal ? { signal } : {});
    return { ...answer, millis: now() - began };
  };
  const workOf = async (way: ProjectionWay, repeats: number): ReturnType<typeof timed> => {
    const idle = await timed(way, 0);
    const work = await timed(way, repeats);
    return { ...work, millis: work.millis - idle.millis };
  };
  const most = Math.max(
    1,
    Math.floor(MOST_MULTIPLICATIONS / (size.words * size.modelDim * size.width)),
  );
  // One long question may have waited for other work: two in a row have not.
  const isLong = async (repeats: number): Promise<boolean> =>
    (await workOf("wide", repeats)).millis >= LONG_ENOUGH_MILLIS &&
    (await workOf("wide", repeats)).millis >= LONG_ENOUGH_MILLIS;
  for (let repeats = 1; ; repeats = Math.min(most, 2 * repeats)) {
    if (repeats < most && !(await isLong(repeats))) continue;
    const rounds: Record<ProjectionWay, number[]> = { wide: [], split: [] };
    const ways: Partial<Record<ProjectionWay, WayTime>> = {};
    for (let round = 0; round < ROUNDS; round++)
      for (const way of WAYS) {
        const { millis, operations, check } = await workOf(way, repeats);
        rounds[way].push(millis);
        ways[way] = { micros: 0, operations, check };
      }
    for (const way of WAYS) rounds[way].sort((one, other) => one - other);
    const at = (way: ProjectionWay, share: number): number =>
      rounds[way][Math.round(share * (ROUNDS - 1))] ?? NaN;
    const shorter = Math.min(at("wide", 0.5), at("split", 0.5));
    if (repeats < most && shorter < LONG_ENOUGH_MILLIS / 2) continue;
    const { wide, split } = ways;
    if (!wide || !split) throw new Error("no rounds");
    const micros = (way: ProjectionWay): number => (1000 * Math.max(0, at(way, 0.5))) / repeats;
    return {
      ways: {
        wide: { ...wide, micros: micros("wide") },
        split: { ...split, micros: micros("split") },
      },
      repeats,
      rounds: ROUNDS,
      overlap: at("wide", 0.25) <= at("split", 0.75) && at("split", 0.25) <= at("wide", 0.75),
    };
  }
}
