import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, Run, Stack, Tensor } from "../../www/headscope.js";
import { loadModel, ROLES } from "./package.js";
import { caseNamed, reference } from "./reference.js";

const marian = reference("marian-tiny");
const { ids, target_ids: targetIds = [] } = caseNamed(marian, "seven-to-two");

/** The mean over rows of a number made of a row and its query. */
function mean(
  { data, shape: [rows = 0, columns = 0] }: Tensor,
  of: (row: Float32Array, query: number) => number,
): number {
  const values = Array.from({ length: rows }, (_, query) =>
    of(data.subarray(query * columns, (query + 1) * columns), query),
  );
  return values.reduce((sum, value) => sum + value, 0) / rows;
}

describe("measures", () => {
  let model: Model;
  let run: Run;
  beforeAll(async () => {
    model = await loadModel(marian.folder);
    run = await model.run({ ids, targetIds });
  });
  afterAll(() => model.dispose());

  it.each<Stack>(["encoder", "decoder", "cross"])(
    "of the %s are those of its patterns",
    async (stack) => {
      const measured = await run.measures({ stack });
      const { layers = 0, heads = 0 } = model.info.stacks[stack] ?? {};
      expect(measured.map(({ layer, head }) => [layer, head])).toEqual(
        Array.from({ length: layers * heads }, (_, at) => [Math.floor(at / heads), at % heads]),
      );
      for (const { layer, head, entropy, distance, roles } of measured) {
        const pattern = await run.attention({ stack, layer, head });
        const entropies = mean(pattern, (row) =>
          row.reduce((sum, weight) => sum - (weight > 0 ? weight * Math.log(weight) : 0), 0),
        );
        const distances = mean(pattern, (row, query) =>
          row.reduce((sum, weight, key) => sum + weight * Math.abs(key - query), 0),
        );
        const own = mean(pattern, (row, query) => row[query] ?? 0);
        expect(entropy).toBeCloseTo(entropies, 9);
        if (stack === "cross") expect([distance, roles.self]).toEqual([null, null]);
        else {
          expect(distance).toBeCloseTo(distances, 9);
          expect(roles.self).toBeCloseTo(own, 9);
        }
        expect(Object.keys(roles).sort()).toEqual(ROLES.map(({ role }) => role).sort());
        expect(roles.rare).toBeNull();
      }
    },
  );

  it.each<Stack>(["encoder", "decoder", "cross"])(
    "singular values of the %s have the energy of its patterns",
    async (stack) => {
      const which = { stack, layer: 1, head: 1 };
      const spectrum = await run.spectrum(which);
      for (const stage of ["scores", "weights"] as const) {
        const { data, shape } = await run.attention({ ...which, stage });
        const { values, rank90 } = spectrum[stage];
        const energy = (numbers: Iterable<number>): number =>
          [...numbers].reduce((sum, number) => sum + number ** 2, 0);
        expect(values).toHaveLength(Math.min(...shape));
        expect(energy(values) / energy(data)).toBeCloseTo(1, 9);
        expect(energy(values.slice(0, rank90))).toBeGreaterThanOrEqual(
          0.9 * energy(data) * (1 - 1e-9),
        );
        expect(energy(values.slice(0, rank90 - 1))).toBeLessThan(0.9 * energy(data));
      }
    },
  );

  it("heads are like themselves, and as like each other both ways", async () => {
    const { layers = 0, heads = 0 } = model.info.stacks.cross ?? {};
    const likeness = await run.likeness({ stack: "cross", layer: 1, head: 0 });
    expect(likeness.map(({ layer, head }) => [layer, head])).toEqual(
      Array.from({ length: layers * heads }, (_, at) => [Math.floor(at / heads), at % heads]),
    );
    expect(likeness.find(({ layer, head }) => layer === 1 && head === 0)?.divergence).toBe(0);
    const back = await run.likeness({ stack: "cross", layer: 0, head: 1 });
    expect(back[heads]?.divergence).toBe(likeness[1]?.divergence);
    expect(likeness[1]?.divergence).toBeGreaterThan(0);
    expect(likeness[1]?.divergence).toBeLessThan(Math.LN2);
  });

  it("of a stack that the model has not are refused, and the run can still be read", async () => {
    await expect(run.measures({ stack: "memory" as Stack })).rejects.toMatchObject({
      code: "selection/bad-stack",
    });
    await expect(run.measures({} as { stack: Stack })).rejects.toMatchObject({
      code: "selection/bad-stack",
    });
    await expect(run.measures({ stack: "cross" })).resolves.toBeDefined();
  });
});
