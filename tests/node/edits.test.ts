import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Edits, Model, Run } from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { caseNamed, folderOf } from "./reference.js";

const { ids, target_ids: targetIds = [] } = caseNamed("marian-tiny", "seven-to-two");

describe("edits", () => {
  let model: Model;
  beforeAll(async () => {
    model = await loadModel(folderOf("marian-tiny"));
  });
  afterAll(() => model.dispose());

  /** A run that can take over nothing from the one before it. */
  const fresh = async (edits?: Edits): Promise<Run> => {
    await model.run({ ids: ids.map((id) => (id + 1) % 60), targetIds: [60] });
    return model.run({ ids, targetIds, ...(edits && { edits }) });
  };

  it("a blocked cell is -Infinity before the softmax and exactly 0 after", async () => {
    const cell = { stack: "cross", layer: 1, head: 0 } as const;
    const run = await fresh({
      masks: [{ stack: "cross", layers: [1], heads: [0], block: [[1, 3]] }],
    });
    const at = ids.length + 3;
    expect((await run.attention({ ...cell, stage: "masked" })).data[at]).toBe(-Infinity);
    expect((await run.attention(cell)).data[at]).toBe(0);
    expect((await run.mask(cell)).data[at]).toBe(-Infinity);
    expect([...(await run.mask({ ...cell, head: 1 })).data].every((value) => value === 0)).toBe(
      true,
    );
  });

  it.each([undefined, "-1e9"] as const)(
    "a row without a key is flagged; %s added, its weights are 0 or uniform",
    async (fill) => {
      const block = ids.map((_, key): [number, number] => [2, key]);
      const run = await fresh({
        masks: [{ stack: "encoder", layers: [0], heads: [1], block, ...(fill && { fill }) }],
      });
      const head = { stack: "encoder", layer: 0, head: 1 } as const;
      expect(await run.fullyMasked(head)).toEqual([2]);
      for (const weight of (await run.attention(head)).data.slice(2 * ids.length, 3 * ids.length))
        expect(weight).toBeCloseTo(fill ? 1 / ids.length : 0, 6);
    },
  );

  it("a drawn pattern takes the place of the weights, cut by the mask, and its sum explains them", async () => {
    const head = { stack: "decoder", layer: 1, head: 2 } as const;
    const pattern = [
      [1, 7],
      [1, 3],
    ];
    const run = await fresh({ heads: [{ stack: "decoder", layers: [1], heads: [2], pattern }] });
    expect([...(await run.attention(head)).data]).toEqual([1, 0, 0.25, 0.75]);
    const made = await run.explain({ ...head, step: "weights", row: 1, column: 1 });
    expect(made).toMatchObject({
      operation: { kind: "given", pattern: "drawn", total: 4, term: 1 },
      lines: [{ source: { kind: "pattern" } }],
      value: 0.75,
    });
    expect([...(made.lines[0]?.values ?? [])]).toEqual([1, 3]);
  });

  it("residuals and norms can be left out, and the steps are those that are left", async () => {
    const run = await fresh({
      blocks: [
        {
          stack: "encoder",
          layers: [1],
          sublayers: ["self-attention"],
          residual: false,
          norm: "none",
        },
      ],
    });
    const steps = (await run.steps({ stack: "encoder", layer: 1, head: 0 })).map(
      ({ step }) => step,
    );
    expect(steps).not.toContain("sum");
    expect(steps).not.toContain("normed");
    expect(steps.at(-1)).toBe("ff-normed");
  });

  it("only the blocks that can change are computed again, to the same bits as all of them", async () => {
    const edits: Edits = { heads: [{ stack: "decoder", layers: [1], heads: [0], gate: 0.5 }] };
    const all = await (await fresh(edits)).logits();
    await fresh();
    const last = await model.run({ ids, targetIds, edits });
    expect(last.executed()).toMatchObject({ blocks: 1, reusedBlocks: 4 });
    expect((await last.logits()).data).toEqual(all.data);
  });

  it.each<[string, unknown, string]>([
    ["a field that there is not", { blocks: [{ heads: [0], norm: "none" }] }, "edit/unsupported"],
    [
      "a preset without its number",
      { masks: [{ preset: { kind: "window" } }] },
      "edit/unsupported",
    ],
    [
      "a number that a preset does not have",
      { masks: [{ preset: { kind: "causal", width: 1 } }] },
      "edit/unsupported",
    ],
    ["a list that is none", { positions: { scheme: "none" } }, "edit/unsupported"],
    ["a gate that is no number", { heads: [{ gate: NaN }] }, "edit/bad-value"],
    ["ragged rows", { heads: [{ pattern: [[1, 2], [1]] }] }, "edit/bad-value"],
    [
      "a hundred thousand cells where there are 49",
      {
        masks: [
          {
            stack: "encoder",
            block: Array.from({ length: 100_000 }, (_, at) => [Math.floor(at / 317), at % 317]),
          },
        ],
      },
      "edit/out-of-range",
    ],
  ])("refuses %s", async (_, edits, code) => {
    await expect(model.run({ ids, targetIds, edits: edits as Edits })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^.+ .+\.$/su) as string,
    });
    await expect(model.run({ ids, targetIds })).resolves.toBeDefined();
  });
});
