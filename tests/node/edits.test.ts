import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Edits, MaskPreset, Model, Run } from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { caseNamed, reference } from "./reference.js";

const marian = reference("marian-tiny");
const { ids, target_ids: targetIds = [] } = caseNamed(marian, "seven-to-two");

describe("edits", () => {
  let model: Model;
  beforeAll(async () => {
    model = await loadModel(marian.folder);
  });
  afterAll(() => model.dispose());

  /** A run that can take over nothing from the one before it. */
  const fresh = async (edits?: Edits): Promise<Run> => {
    await model.run({ ids: ids.map((id) => (id + 1) % 60), targetIds: [60] });
    return model.run(edits === undefined ? { ids, targetIds } : { ids, targetIds, edits });
  };
  const logits = async (run: Run): Promise<number[]> => [...(await run.logits()).data];

  it("change what attention costs: as many pairs are counted as the mask leaves open", async () => {
    const run = await fresh({
      masks: [{ stack: "encoder", preset: { kind: "window", width: 1 } }],
    });
    const { data } = await run.mask({ stack: "encoder", layer: 0, head: 0 });
    const [own, paper] = await run.cost({
      stack: "encoder",
      layer: 0,
      lengths: [ids.length, 4096],
    });
    expect(own?.masked.cells).toBe((own?.heads ?? 0) * data.filter((added) => added === 0).length);
    expect(paper?.full.weightBytes).toBe((paper?.heads ?? 0) * 64 * 1024 * 1024);
    expect(paper?.exact).toBe(true);
  });

  it.each<[string, Edits]>([
    ["nothing", {}],
    ["no cell", { masks: [{ stack: "encoder", block: [] }] }],
    ["a gate of 1", { heads: [{ gate: 1 }] }],
    ["no head's pattern", { heads: [{ heads: [], pattern: "uniform" }, { pattern: [] }] }],
    [
      "no residual and no norm",
      {
        blocks: [
          { residual: true, norm: "model" },
          { layers: [], norm: "none" },
        ],
      },
    ],
  ])("that change %s leave every bit as it was", async (_, edits) => {
    expect(await logits(await fresh(edits))).toEqual(await logits(await fresh()));
  });

  it("a blocked cell is -Infinity before the softmax and exactly 0 after", async () => {
    const cell = { stack: "cross", layer: 1, head: 0 } as const;
    const run = await model.run({
      ids,
      targetIds,
      edits: { masks: [{ stack: "cross", layers: [1], heads: [0], block: [[1, 3]] }] },
    });
    const at = ids.length + 3;
    expect((await run.attention({ ...cell, stage: "masked" })).data[at]).toBe(-Infinity);
    expect((await run.attention(cell)).data[at]).toBe(0);
    expect((await run.mask(cell)).data[at]).toBe(-Infinity);
    expect((await run.attention({ ...cell, stage: "scores" })).data[at]).toBeTypeOf("number");
    expect([...(await run.mask({ ...cell, head: 1 })).data].every((value) => value === 0)).toBe(
      true,
    );
  });

  it.each<[MaskPreset, (query: number, key: number) => boolean]>([
    [{ kind: "none" }, () => true],
    [{ kind: "causal" }, (query, key) => key <= query],
    [{ kind: "padding", length: 3 }, (_, key) => key < 3],
    [{ kind: "window", width: 1 }, (query, key) => Math.abs(query - key) <= 1],
    [
      { kind: "window", width: 2, oneSided: true },
      (query, key) => key <= query && query - key <= 2,
    ],
    [
      { kind: "dilated", width: 1, dilation: 2 },
      (query, key) => [0, 2].includes(Math.abs(query - key)),
    ],
    [
      { kind: "global", tokens: [4], width: 0 },
      (query, key) => query === key || query === 4 || key === 4,
    ],
    [{ kind: "random", keys: 64, seed: 4_294_967_295 }, () => true],
    [{ kind: "block", size: 3 }, (query, key) => Math.floor(query / 3) === Math.floor(key / 3)],
    [
      { kind: "strided", stride: 3, oneSided: true },
      (query, key) => key <= query && (query - key <= 3 || (query - key) % 3 === 0),
    ],
    [{ kind: "prefix", length: 2 }, (query, key) => key < 2 || key <= query],
  ])("%o joins the mask of an encoder", async (preset, allows) => {
    const of = { stack: "encoder", layer: 1, head: 2 } as const;
    for (const invert of [false, true]) {
      const run = await model.run({
        ids,
        targetIds,
        edits: { masks: [{ stack: "encoder", preset, invert }] },
      });
      const { data } = await run.mask(of);
      const open = ids.flatMap((_, query) => ids.map((__, key) => allows(query, key) !== invert));
      expect([...data].map((cell) => cell === 0)).toEqual(open);
    }
  });

  it("a decoder without its causal mask looks ahead", async () => {
    const head = { stack: "decoder", layer: 0, head: 0 } as const;
    const honest = await fresh();
    const cheating = await fresh({
      masks: [{ stack: "decoder", preset: { kind: "none" }, mode: "replace" }],
    });
    expect((await honest.attention(head)).data[1]).toBe(0);
    expect((await cheating.attention(head)).data[1]).toBeGreaterThan(0);
    expect((await logits(cheating))[0]).not.toBe((await logits(honest))[0]);
    const allowed = await fresh({ masks: [{ stack: "decoder", layers: [0], allow: [[0, 1]] }] });
    expect((await allowed.attention(head)).data[1]).toBeGreaterThan(0);
  });

  it("a row without a key looks at all alike where -1e9 is added", async () => {
    const block = ids.map((_, key): [number, number] => [2, key]);
    const run = await fresh({
      masks: [{ stack: "encoder", layers: [0], heads: [1], block, fill: "-1e9" }],
    });
    const head = { stack: "encoder", layer: 0, head: 1 } as const;
    expect(await run.fullyMasked(head)).toEqual([2]);
    const { data } = await run.attention(head);
    for (const weight of data.slice(2 * ids.length, 3 * ids.length))
      expect(weight).toBeCloseTo(1 / ids.length, 6);
    expect((await run.mask(head)).data[2 * ids.length]).toBe(-1e9);
  });

  it("a row without a key is flagged and has weights 0", async () => {
    const block = ids.map((_, key): [number, number] => [2, key]);
    const run = await model.run({
      ids,
      targetIds,
      edits: { masks: [{ stack: "encoder", layers: [0], heads: [1], block }] },
    });
    const head = { stack: "encoder", layer: 0, head: 1 } as const;
    expect(await run.fullyMasked(head)).toEqual([2]);
    expect(await run.fullyMasked({ ...head, head: 0 })).toEqual([]);
    const { data } = await run.attention(head);
    expect([...data.slice(2 * ids.length, 3 * ids.length)]).toEqual(ids.map(() => 0));
  });

  it("a drawn pattern takes the place of the weights, cut by the mask, and its sum explains them", async () => {
    const head = { stack: "decoder", layer: 1, head: 2 } as const;
    const scope = { stack: "decoder" as const, layers: [1], heads: [2] };
    const run = await model.run({
      ids,
      targetIds,
      edits: {
        heads: [
          {
            ...scope,
            pattern: [
              [1, 7],
              [1, 3],
            ],
          },
        ],
      },
    });
    expect([...(await run.attention(head)).data]).toEqual([1, 0, 0.25, 0.75]);
    const plain = await fresh();
    expect([...(await run.attention({ ...head, stage: "masked" })).data]).toEqual([
      ...(await plain.attention({ ...head, stage: "masked" })).data,
    ]);
    const made = await run.explain({ ...head, step: "weights", row: 1, column: 1 });
    expect(made).toMatchObject({
      operation: { kind: "given", pattern: "drawn", total: 4, term: 1 },
      lines: [{ source: { kind: "pattern" } }],
      value: 0.75,
    });
    expect([...(made.lines[0]?.values ?? [])]).toEqual([1, 3]);
  });

  it("residuals and norms can be left out, and the steps are those that are left", async () => {
    const edits: Edits = {
      blocks: [
        {
          stack: "encoder",
          layers: [1],
          sublayers: ["self-attention"],
          residual: false,
          norm: "none",
        },
      ],
    };
    const run = await model.run({ ids, targetIds, edits });
    const steps = (await run.steps({ stack: "encoder", layer: 1, head: 0 })).map(
      ({ step }) => step,
    );
    expect(steps).not.toContain("sum");
    expect(steps).not.toContain("normed");
    expect(steps).toContain("ff-normed");
    expect(steps.at(-1)).toBe("ff-normed");
  });

  it("the stream is measured at every depth, and against the original", async () => {
    const plain = await fresh();
    const run = await model.run({
      ids,
      targetIds,
      edits: { blocks: [{ stack: "decoder", layers: [1], norm: "pre" }] },
    });
    const depths = await run.residuals({ stack: "decoder" });
    const block = ["self-attention", "cross-attention", "feed-forward"];
    expect(depths.map(({ point }) => point)).toEqual(["embedding", ...block, ...block]);
    const hidden = await run.hidden({ stack: "decoder", layer: 2 });
    const [tokens = 0, width = 0] = hidden.shape;
    const lengths = Array.from({ length: tokens }, (_, at) =>
      Math.hypot(...hidden.data.slice(at * width, (at + 1) * width)),
    );
    depths.at(-1)?.norm.forEach((norm, at) => expect(norm).toBeCloseTo(lengths[at] ?? NaN, 5));
    expect(depths[0]?.share).toBeNull();
    const apart = await run.distances({ stack: "decoder", other: plain });
    expect(apart).toMatchObject({ shape: [3, 2], axes: ["layer", "position"] });
    expect([...apart.data.slice(0, 4)]).toEqual([0, 0, 0, 0]);
    expect(Math.min(...apart.data.slice(4))).toBeGreaterThan(0);
    const shorter = await model.run({ ids: ids.slice(1), targetIds });
    await expect(run.distances({ stack: "encoder", other: shorter })).rejects.toMatchObject({
      code: "selection/other-length",
    });
  });

  it("only the blocks that can change are computed again", async () => {
    await fresh();
    const last = await model.run({
      ids,
      targetIds,
      edits: { heads: [{ stack: "decoder", layers: [1], heads: [0], gate: 0 }] },
    });
    expect(last.executed()).toMatchObject({ blocks: 1, reusedBlocks: 4 });
  });

  it("a rerun of some blocks equals a run of all of them, bit for bit", async () => {
    const edits: Edits = { heads: [{ stack: "encoder", layers: [2], heads: [3], gate: 0.5 }] };
    const all = await logits(await fresh(edits));
    await fresh();
    expect(await logits(await model.run({ ids, targetIds, edits }))).toEqual(all);
  });

  it.each<[string, unknown, string]>([
    ["a kind that is not built in", { positions: { scheme: "none" } }, "edit/unsupported"],
    [
      "a preset that is not built in",
      { masks: [{ preset: { kind: "spiral" } }] },
      "edit/unsupported",
    ],
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
    [
      "a mode that is not built in",
      { masks: [{ preset: { kind: "causal" }, mode: "xor" }] },
      "edit/unsupported",
    ],
    ["a fill that is not built in", { masks: [{ fill: -1e9 }] }, "edit/unsupported"],
    [
      "a width that is no number",
      { masks: [{ preset: { kind: "window", width: NaN } }] },
      "edit/bad-value",
    ],
    [
      "a global token outside the text",
      { masks: [{ stack: "encoder", preset: { kind: "global", tokens: [7] } }] },
      "edit/out-of-range",
    ],
    ["a mode with nothing to join", { masks: [{ mode: "replace" }] }, "edit/contradiction"],
    [
      "a cell that is blocked and allowed",
      { masks: [{ block: [[0, 0]], allow: [[0, 0]] }] },
      "edit/contradiction",
    ],
    [
      "a crowd of presets",
      { masks: Array.from({ length: 257 }, () => ({ preset: { kind: "causal" } })) },
      "edit/too-many",
    ],
    [
      "a layer that is not there",
      { heads: [{ stack: "encoder", layers: [3], gate: 0 }] },
      "edit/out-of-range",
    ],
    [
      "a head that is not there",
      { heads: [{ stack: "decoder", heads: [99], gate: 0 }] },
      "edit/out-of-range",
    ],
    [
      "a cell outside the text",
      { masks: [{ stack: "encoder", block: [[0, 7]] }] },
      "edit/out-of-range",
    ],
    ["a gate that is no number", { heads: [{ gate: NaN }] }, "edit/bad-value"],
    ["a pattern that nobody knows", { heads: [{ pattern: "dream" }] }, "edit/unsupported"],
    [
      "a pattern of another kind",
      { heads: [{ pattern: { kind: "uniform" } }] },
      "edit/unsupported",
    ],
    ["a drawn cell that is no number", { heads: [{ pattern: [[1, NaN]] }] }, "edit/bad-value"],
    ["a drawn cell below zero", { heads: [{ pattern: [[-1]] }] }, "edit/bad-value"],
    ["ragged rows", { heads: [{ pattern: [[1, 2], [1]] }] }, "edit/bad-value"],
    [
      "a drawing that is too large",
      {
        heads: [
          { pattern: Array.from({ length: 400 }, () => Array.from({ length: 250 }, () => 1)) },
        ],
      },
      "edit/out-of-range",
    ],
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
    [
      "a hundred thousand cells that are none",
      { masks: [{ allow: Array.from({ length: 100_000 }, () => [NaN, 0]) }] },
      "edit/bad-value",
    ],
    [
      "a rank that is no number",
      { attention: [{ stack: "encoder", kind: "low-rank", parameters: { rank: NaN } }] },
      "edit/bad-value",
    ],
    ["a temperature of zero", { attention: [{ temperature: 0 }] }, "edit/bad-value"],
    ["dropout of everything", { attention: [{ dropout: { rate: 1, seed: 1 } }] }, "edit/bad-value"],
    ["a kind that nobody knows", { attention: [{ kind: "dream" }] }, "edit/unsupported"],
    ["an order that names a place twice", { positions: [{ order: [0, 0] }] }, "edit/bad-value"],
    [
      "a base that is no number",
      { positions: [{ scheme: "rotary", parameters: { base: NaN } }] },
      "edit/bad-value",
    ],
    [
      "blocks of cross-attention",
      { blocks: [{ stack: "cross", residual: false }] },
      "selection/bad-stack",
    ],
    [
      "a sublayer that is not there",
      { blocks: [{ stack: "encoder", sublayers: ["cross-attention"], norm: "none" }] },
      "edit/out-of-range",
    ],
    ["a norm that nobody knows", { blocks: [{ norm: "batch" }] }, "edit/unsupported"],
    ["heads of a block", { blocks: [{ heads: [0], norm: "none" }] }, "edit/unsupported"],
  ])("refuses %s", async (_, edits, code) => {
    await expect(model.run({ ids, targetIds, edits: edits as Edits })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^.+ .+\.$/su) as string,
    });
    await expect(model.run({ ids, targetIds })).resolves.toBeDefined();
  });
});
