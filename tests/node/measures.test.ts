import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, Run, Stack, Tensor } from "../../www/headscope.js";
import { loadModel, ROLES } from "./package.js";
import { caseNamed, reference } from "./reference.js";

const marian = reference("marian-tiny");
const { ids, target_ids: targetIds = [] } = caseNamed(marian, "seven-to-two");

/** The mean over rows of a number made of a row and its query. */
function mean({ data, shape: [rows = 0, columns = 0] }: Tensor, of: (row: Float32Array, query: number) => number): number {
  const values = Array.from({ length: rows }, (_, query) => of(data.subarray(query * columns, (query + 1) * columns), query));
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

  it.each<Stack>(["encoder", "decoder", "cross"])("of the %s are those of its patterns", async (stack) => {
    const measured = await run.measures({ stack });
    const { layers = 0, heads = 0 } = model.info.stacks[stack] ?? {};
    expect(measured.map(({ layer, head }) => [layer, head])).toEqual(Array.from({ length: layers * heads }, (_, at) => [Math.floor(at / heads), at % heads]));
    for (const { layer, head, entropy, distance, roles } of measured) {
      const pattern = await run.attention({ stack, layer, head });
      const entropies = mean(pattern, (row) => row.reduce((sum, weight) => sum - (weight > 0 ? weight * Math.log(weight) : 0), 0));
      const distances = mean(pattern, (row, query) => row.reduce((sum, weight, key) => sum + weight * Math.abs(key - query), 0));
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
  });

  it("of a stack that the model has not are refused, and the run can still be read", async () => {
    await expect(run.measures({ stack: "memory" as Stack })).rejects.toMatchObject({ code: "selection/bad-stack" });
    await expect(run.measures({} as { stack: Stack })).rejects.toMatchObject({ code: "selection/bad-stack" });
    await expect(run.measures({ stack: "cross" })).resolves.toBeDefined();
  });
});
