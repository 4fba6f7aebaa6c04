import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, Role } from "../../www/headscope.js";
import { loadModel, ROLES } from "./package.js";
import { reference } from "./reference.js";

/** Four tokens that come three times, with one between them that comes once. */
const IDS = [14, 3, 27, 9, 14, 3, 27, 9, 41, 14, 3, 27];
const HEAD = { stack: "encoder", layer: 1, head: 2 } as const;
const SEEDS = [1, 2, 3, 4, 5];

/** Where a query looks that plays the role and nothing else; itself where it has nothing to do. */
const LOOKS: Partial<Record<Role, (query: number) => number>> = {
  previous: (query) => Math.max(0, query - 1),
  next: (query) => Math.min(IDS.length - 1, query + 1),
  self: (query) => query,
  first: () => 0,
  duplicate: (query) => IDS.findIndex((id, key) => key !== query && id === IDS[query]),
  induction: (query) => IDS.findIndex((id, key) => key < query - 1 && id === IDS[query]) + 1,
  positional: (query) => Math.min(IDS.length - 1, query + 2),
};

type Rows = number[][];
const planted = (look: (query: number) => number): Rows =>
  IDS.map((_, query) => IDS.map((__, key) => Number(key === Math.max(0, look(query)))));

/** The same numbers in each row, in an order that the seed decides (numbers of a linear congruential generator). */
function shuffled(rows: Rows, seed: number): Rows {
  let state = seed;
  const below = (end: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  return rows.map((row) => {
    const left = [...row];
    return row.map(() => left.splice(below(left.length), 1)[0] ?? NaN);
  });
}

describe("a pattern that is planted in a head", () => {
  let model: Model;
  beforeAll(async () => {
    model = await loadModel(reference("marian-tiny").folder);
  });
  afterAll(() => model.dispose());

  /** What a head with these weights plays on this text. */
  async function scored(pattern: Rows, role: Role): Promise<number> {
    const { stack, layer, head } = HEAD;
    const run = await model.run({
      ids: IDS,
      targetIds: [60],
      edits: { heads: [{ stack, layers: [layer], heads: [head], pattern }] },
    });
    expect([...(await run.attention(HEAD)).data]).toEqual(pattern.flat());
    const found = (await run.measures({ stack })).find(
      (one) => one.layer === layer && one.head === head,
    );
    run.release();
    return found?.roles[role] ?? NaN;
  }

  it.each(ROLES.filter(({ role }) => role in LOOKS))(
    "plays $role, and shuffled it does not",
    async ({ role, threshold }) => {
      const pattern = planted(LOOKS[role] ?? ((query) => query));
      expect(await scored(pattern, role)).toBeCloseTo(1, 12);
      for (const seed of SEEDS)
        expect(await scored(shuffled(pattern, seed), role), `seed ${seed}`).toBeLessThan(threshold);
    },
  );

  it("that spreads its weight evenly is broad, and one that points is not, however it is shuffled", async () => {
    const { threshold } = ROLES.find(({ role }) => role === "broad") ?? { threshold: NaN };
    const even = IDS.map(() => IDS.map(() => 1));
    const { stack, layer, head } = HEAD;
    const run = await model.run({
      ids: IDS,
      targetIds: [60],
      edits: { heads: [{ stack, layers: [layer], heads: [head], pattern: even }] },
    });
    const broad = (await run.measures({ stack })).find(
      (one) => one.layer === layer && one.head === head,
    )?.roles.broad;
    expect(broad).toBeGreaterThan(threshold);
    for (const seed of SEEDS)
      expect(
        await scored(
          shuffled(
            planted(() => 0),
            seed,
          ),
          "broad",
        ),
      ).toBeLessThan(threshold);
  });
});
