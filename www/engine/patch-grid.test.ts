import { afterEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import type { At, ModelInfo, Stacks, Tensor, TokenProbability } from "../data/index.js";
import type { PatchCell, PatchGridOptions, Run, RunInput } from "./contract.js";
import { patchCells } from "./patch-grid.js";

/*
 * The numbers of patches are compared with those of runs in `tests/node`; here are the rules of the
 * grid: which cells there are and in which order, what recovers, what is refused, what is released.
 */

const CLEAN = { text: "one two three" };
const CORRUPTED = { text: "one two four" };
const SIZE = { layers: 2, heads: 3, kvHeads: 3, headDim: 1 };

/** A model whose targets are given: of the clean text, of the corrupted one, and with a patch. */
class GridModel extends FakeModel {
  targets = { clean: -1, corrupted: -5, patched: -2 };
  readonly asked: { positions: number[]; ids: number[] }[] = [];
  readonly patched: { base: RunInput; at: At; other: Run }[] = [];

  constructor(info: ModelInfo, stacks: Stacks) {
    super({ ...info, stacks });
  }

  override async run(input: RunInput): Promise<Run> {
    const run = await super.run(input);
    const { clean, corrupted, patched } = this.targets;
    const isPatched = (input.edits?.patches?.length ?? 0) > 0;
    const value = isPatched ? patched : input.text === CLEAN.text ? clean : corrupted;
    const tensor: Tensor = { data: Float32Array.of(7), shape: [1, 1], axes: ["query", "key"] };
    vi.spyOn(run, "activation").mockResolvedValue(tensor);
    // The token that is subtracted has half the target.
    const answer = (ids: readonly number[], found: number): Promise<TokenProbability[]> => {
      const all = ids.map((_, at) => (at === 0 ? found : found / 2));
      return Promise.resolve(all.map((one) => ({ probability: 0, logProbability: one })));
    };
    vi.spyOn(run, "probabilities").mockImplementation(({ positions, ids }) => {
      this.asked.push({ positions: [...positions], ids: [...ids] });
      return answer(ids, value);
    });
    // Two cells are computed side by side.
    vi.spyOn(run, "patched").mockImplementation(({ at, other, position, ids }) => {
      const cells = at.slice(0, 2);
      for (const one of cells) this.patched.push({ base: input, at: one, other });
      this.asked.push({ positions: ids.map(() => position), ids: [...ids] });
      return Promise.all(cells.map(() => answer(ids, patched))).then((found) => found.flat());
    });
    return run;
  }
}

const writer = (): GridModel => new GridModel(FAKE_WRITER, { decoder: SIZE });
const OPTIONS = { clean: CLEAN, corrupted: CORRUPTED, target: { id: 4 }, what: "head" } as const;

async function cellsOf(
  model: GridModel,
  more: Partial<PatchGridOptions> = {},
): Promise<PatchCell[]> {
  const cells: PatchCell[] = [];
  for await (const cell of patchCells(model, { ...OPTIONS, ...more })) cells.push(cell);
  return cells;
}

afterEach(() => void vi.restoreAllMocks());

describe("a grid of patches", () => {
  it("has a cell for each head, the last layer first, and counts them", async () => {
    const cells = await cellsOf(writer());
    expect(cells.map(({ at, done }) => [at.layer, at.head, done])).toEqual([
      ...[0, 1, 2].map((head) => [1, head, head + 1]),
      ...[0, 1, 2].map((head) => [0, head, head + 4]),
    ]);
    expect(new Set(cells.map(({ at, total }) => `${at.stack} ${at.step} ${total}`))).toEqual(
      new Set(["decoder context 6"]),
    );
  });

  it.each([
    ["denoise", [0, 0.25, 0.5, 0.75, 1, 1.25]],
    ["noise", [1, 1.25, 1.5, 1.75, 2, 2.25]],
  ] as const)("estimates each effect of %s where that is asked for", async (direction, want) => {
    const model = writer();
    const cells = await cellsOf(model, { direction, estimated: true });
    // Each patch changes the target by its number; clean and corrupted text are 4 apart.
    expect(cells.map(({ estimated }) => estimated)).toEqual(want);
    const [plain] = await cellsOf(model);
    expect(plain).not.toHaveProperty("estimated");
    const refused = { code: "input/unsupported-option" };
    const paths = { estimated: true, receiver: "logits" } as const;
    await expect(cellsOf(model, paths)).rejects.toMatchObject(refused);
  });

  it.each([
    ["residual", "input"],
    ["feed-forward", "ff-output"],
  ] as const)("of %s has a cell for each position", async (what, step) => {
    const cells = await cellsOf(writer(), { what });
    expect(cells).toHaveLength(2 * 4);
    expect(cells.slice(0, 2).map(({ at }) => at)).toEqual(
      [0, 1].map((position) => ({ stack: "decoder", layer: 1, step, positions: [position] })),
    );
  });

  it("says how much of the difference a patch brings back, and the ends", async () => {
    const model = writer();
    const [cell] = await cellsOf(model);
    // From −5 to −1 by a patch that reaches −2.
    expect(cell).toMatchObject({ value: -2, clean: -1, corrupted: -5, recovered: 0.75 });
    model.targets = { clean: -3, corrupted: -3, patched: -2 };
    const [none] = await cellsOf(model);
    expect(none).toMatchObject({ recovered: null });
    expect(none?.reason).toContain("-3 in the clean text and -3 in the corrupted one");
  });

  it("puts the numbers of one text into the run of the other, by its direction", async () => {
    const model = writer();
    await cellsOf(model);
    expect(model.inputs.map(({ text }) => text)).toEqual([CLEAN.text, CORRUPTED.text]);
    const [first] = model.patched;
    expect(first?.base.text).toBe(CORRUPTED.text);
    expect(first?.at).toEqual({ stack: "decoder", layer: 1, step: "context", head: 0 });
    model.patched.length = 0;
    await cellsOf(model, { direction: "noise" });
    expect(model.patched[0]?.base.text).toBe(CLEAN.text);
  });

  it("puts what a direct path carries into a receiver, of each head with a path to it", async () => {
    const model = writer();
    const receiver = { stack: "decoder", layer: 1, head: 2, part: "key" } as const;
    const cells = await cellsOf(model, { receiver });
    expect(cells.map(({ at, done, total }) => [at.layer, at.head, done, total])).toEqual(
      [0, 1, 2].map((head) => [0, head, head + 1, 3]),
    );
    // The fake model has every step: the last one of the key is taken.
    const at = { stack: "decoder", layer: 1, step: "key-rotated", head: 2 };
    expect(model.inputs[2]?.edits?.patches).toEqual([{ at, from: { values: [[9]] } }]);
    model.inputs.length = 0;
    const whole = { stack: "decoder", layer: 1, head: 2 } as const;
    await cellsOf(model, { receiver: whole });
    const steps = model.inputs[2]?.edits?.patches?.map(({ at: { step } }) => step);
    expect(steps).toEqual(["query-rotated", "key-rotated", "value"]);
    model.inputs.length = 0;
    expect(await cellsOf(model, { receiver: "logits" })).toHaveLength(6);
    expect(model.inputs[2]?.edits?.patches).toMatchObject([
      { at: { stack: "decoder", layer: 1, step: "convolved-normed" } },
    ]);
  });

  it.each<[string, Partial<Record<keyof PatchGridOptions, unknown>>, string, string]>([
    ["in the first layer", { receiver: { stack: "decoder", layer: 0, head: 0 } }, "layer", "path"],
    ["of patterns", { what: "pattern", receiver: "logits" }, "unsupported-option", "pattern"],
    ["with an unknown field", { receiver: { stacks: 1 } }, "unsupported-option", "stacks"],
    ["with an unknown part", { receiver: { part: "keys" } }, "unsupported-option", "keys"],
    ["that is a number", { receiver: 3 }, "malformed", "receiver"],
  ])("refuses a receiver %s", async (_, options, code, words) => {
    await expect(cellsOf(writer(), options as Partial<PatchGridOptions>)).rejects.toMatchObject({
      code: expect.stringContaining(code) as string,
      message: expect.stringContaining(words) as string,
    });
  });

  it("reads the token at the last place that predicts, or where it is asked to", async () => {
    const model = writer();
    await cellsOf(model);
    expect(model.asked[0]).toEqual({ positions: [3], ids: [4] });
    await cellsOf(model, { target: { id: 4, minus: 5, position: 1 } });
    expect(model.asked.at(-1)).toEqual({ positions: [1, 1], ids: [4, 5] });
    const [difference] = await cellsOf(model, { target: { id: 4, minus: 5 } });
    expect(difference).toMatchObject({ clean: -0.5, corrupted: -2.5, value: -1 });
  });

  it.each([
    [[1], 1],
    [[0, 2], 2],
    [[], 3],
  ])("of a model with masks %j reads the last of them, else the last token", async (masked, at) => {
    const model = new GridModel(FAKE_READER, { encoder: SIZE });
    await cellsOf(model, { clean: { ...CLEAN, masked }, corrupted: { ...CORRUPTED, masked } });
    expect(model.asked[0]?.positions).toEqual([at]);
  });

  it("lets a translator read one target in both texts", async () => {
    const stacks = { encoder: SIZE, decoder: SIZE, cross: SIZE };
    const model = new GridModel(FAKE_INFO, stacks);
    const [first] = await cellsOf(model);
    expect(first?.at.stack).toBe("encoder");
    // What it writes for the clean text: its start and three words.
    const written = [0, 2, 3, 4];
    expect(model.inputs.map(({ targetIds }) => targetIds)).toEqual([undefined, written]);
    model.inputs.length = 0;
    await cellsOf(model, { corrupted: { ...CORRUPTED, target: "UN DEUX" }, stack: "cross" });
    const targets = new Set(model.inputs.map(({ target }) => target));
    expect(targets).toEqual(new Set(["UN DEUX"]));
  });

  it("holds no run once it ended, was left or was refused", async () => {
    const model = writer();
    await cellsOf(model);
    expect(model.held.size).toBe(0);
    for await (const cell of patchCells(model, OPTIONS)) if (cell.done === 2) break;
    expect(model.held.size).toBe(0);
    await expect(cellsOf(model, { corrupted: { text: "one" } })).rejects.toMatchObject({
      code: "selection/other-length",
    });
    expect(model.held.size).toBe(0);
  });

  it.each<[string, object]>([
    ["input/unsupported-option", { what: "heads" }],
    ["input/unsupported-option", { what: "toString" }],
    ["input/unsupported-option", { direction: "backwards" }],
    ["input/unsupported-option", { target: { token: 4 } }],
    ["input/unsupported-option", { heads: [1] }],
    ["selection/bad-stack", { stack: "encoder" }],
  ])("is refused with %s for %j", async (code, options) => {
    const model = writer();
    await expect(cellsOf(model, options)).rejects.toMatchObject({ code });
    expect(model.held.size).toBe(0);
  });
});
