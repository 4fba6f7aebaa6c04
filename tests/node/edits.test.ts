import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Edits, Model, Run } from "../../www/headscope.js";
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

  it.each<[string, Edits]>([
    ["nothing", {}],
    ["no cell", { masks: [{ stack: "encoder", block: [] }] }],
    ["a gate of 1", { heads: [{ gate: 1 }] }],
  ])("that change %s leave every bit as it was", async (_, edits) => {
    expect(await logits(await fresh(edits))).toEqual(await logits(await fresh()));
  });

  it("a blocked cell is -Infinity before the softmax and exactly 0 after", async () => {
    const cell = { stack: "cross", layer: 1, head: 0 } as const;
    const run = await model.run({ ids, targetIds, edits: { masks: [{ stack: "cross", layers: [1], heads: [0], block: [[1, 3]] }] } });
    const at = ids.length + 3;
    expect((await run.attention({ ...cell, stage: "masked" })).data[at]).toBe(-Infinity);
    expect((await run.attention(cell)).data[at]).toBe(0);
    expect((await run.mask(cell)).data[at]).toBe(-Infinity);
    expect((await run.attention({ ...cell, stage: "scores" })).data[at]).toBeTypeOf("number");
    expect([...(await run.mask({ ...cell, head: 1 })).data].every((value) => value === 0)).toBe(true);
  });

  it("a row without a key is flagged and has weights 0", async () => {
    const block = ids.map((_, key): [number, number] => [2, key]);
    const run = await model.run({ ids, targetIds, edits: { masks: [{ stack: "encoder", layers: [0], heads: [1], block }] } });
    const head = { stack: "encoder", layer: 0, head: 1 } as const;
    expect(await run.fullyMasked(head)).toEqual([2]);
    expect(await run.fullyMasked({ ...head, head: 0 })).toEqual([]);
    const { data } = await run.attention(head);
    expect([...data.slice(2 * ids.length, 3 * ids.length)]).toEqual(ids.map(() => 0));
  });

  it("only the blocks that can change are computed again", async () => {
    await fresh();
    const last = await model.run({ ids, targetIds, edits: { heads: [{ stack: "decoder", layers: [1], heads: [0], gate: 0 }] } });
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
    ["a preset", { masks: [{ preset: { kind: "causal" } }] }, "edit/unsupported"],
    ["a layer that is not there", { heads: [{ stack: "encoder", layers: [3], gate: 0 }] }, "edit/out-of-range"],
    ["a head that is not there", { heads: [{ stack: "decoder", heads: [99], gate: 0 }] }, "edit/out-of-range"],
    ["a cell outside the text", { masks: [{ stack: "encoder", block: [[0, 7]] }] }, "edit/out-of-range"],
    ["a gate that is no number", { heads: [{ gate: NaN }] }, "edit/bad-value"],
  ])("refuses %s", async (_, edits, code) => {
    await expect(model.run({ ids, targetIds, edits: edits as Edits })).rejects.toMatchObject({ code });
    await expect(model.run({ ids, targetIds })).resolves.toBeDefined();
  });
});
