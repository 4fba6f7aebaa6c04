import type { ProjectionAsked, ProjectionWay } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";

/** The work of one question takes so long that the way to the engine and back does not matter, in milliseconds. */
const LONG_ENOUGH_MILLIS = 40;
const ROUNDS = 9;

export type ProjectionSize = Omit<ProjectionAsked, "way" | "repeats">;

/**
 * Measures both ways alternately, so that other work of the machine affects both. The time of a question without the work
 * is subtracted. `micros` is the median of all rounds for one projection, in microseconds; `overlap` says that the middle
 * halves of both ways' rounds overlap, so that another time the other may be the faster.
 */
export async function measure(
  lab: Pick<Lab, "ask">,
  size: ProjectionSize,
  now: () => number = () => performance.now(),
  signal?: AbortSignal,
) {
  const ask = async (way: ProjectionWay, repeats: number) => {
    const began = now();
    const answer = await lab.ask("projection", { ...size, way, repeats }, signal ? { signal } : {});
    return { ...answer, millis: now() - began };
  };
  const timed = async (way: ProjectionWay, repeats: number) => {
    const idle = await ask(way, 0);
    const work = await ask(way, repeats);
    return { ...work, millis: work.millis - idle.millis };
  };
  const round = async (repeats: number) => ({
    wide: await timed("wide", repeats),
    split: await timed("split", repeats),
  });
  const multiplications = size.words * size.modelDim * size.width;
  const most = Math.max(1, Math.floor(2 ** 30 / multiplications));
  // One long question may have waited for other work: two in a row have not.
  const isLong = async (repeats: number): Promise<boolean> =>
    (await timed("wide", repeats)).millis >= LONG_ENOUGH_MILLIS &&
    (await timed("wide", repeats)).millis >= LONG_ENOUGH_MILLIS;
  for (let repeats = 1; ; repeats = Math.min(most, 2 * repeats)) {
    if (repeats < most && !(await isLong(repeats))) continue;
    const first = await round(repeats);
    const rounds = [first];
    while (rounds.length < ROUNDS) rounds.push(await round(repeats));
    const summary = (way: ProjectionWay) => {
      const millis = rounds.map((one) => one[way].millis).sort((one, other) => one - other);
      const [low = NaN, middle = NaN, high = NaN] = [0.25, 0.5, 0.75].map(
        (share) => millis[Math.round(share * (ROUNDS - 1))],
      );
      const micros = (1000 * Math.max(0, middle)) / repeats;
      return { ...first[way], low, middle, high, micros };
    };
    const [wide, split] = [summary("wide"), summary("split")];
    if (repeats < most && Math.min(wide.middle, split.middle) < LONG_ENOUGH_MILLIS / 2) continue;
    const overlap = wide.low <= split.high && split.low <= wide.high;
    return { ways: { wide, split }, repeats, rounds: ROUNDS, overlap };
  }
}
