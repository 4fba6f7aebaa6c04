import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import type {
  At,
  Model,
  PatchCell,
  PatchGridOptions,
  PatchReceiver,
  RunInput,
} from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { folderOf } from "./reference.js";

let model: Model;
afterEach(() => model.dispose());

const open = async (name: string): Promise<Model> => {
  const models = new URL("../../models/", import.meta.url);
  return (model = await loadModel(fileURLToPath(new URL(name, models))));
};

const cellsOf = async (options: PatchGridOptions): Promise<PatchCell[]> => {
  const cells: PatchCell[] = [];
  for await (const cell of model.patchGrid(options)) cells.push(cell);
  return cells;
};

/** The difference of two logits in a run of its own, by `logits`. */
const differenceIn = async (
  input: RunInput,
  [id, minus]: readonly [number, number],
  position: number,
): Promise<number> => {
  const run = await model.run(input);
  const { data } = await run.logits({ positions: [position] });
  run.release();
  return (data[id] ?? NaN) - (data[minus] ?? NaN);
};

const GPT = {
  clean: { text: "The dogs in the garden" },
  corrupted: { text: "The dog in the garden" },
};
const BERT = {
  clean: { text: "The dogs are old.", masked: [3] },
  corrupted: { text: "The dog are old.", masked: [3] },
};
const TRANSLATOR = {
  clean: { text: "The cat is black.", target: "Le chat est" },
  corrupted: { text: "The dog is black." },
};

describe("a grid of patches", () => {
  it.each<[string, Pick<PatchGridOptions, "clean" | "corrupted">, PatchGridOptions["what"], At]>([
    ["tiny-gpt", GPT, "head", { stack: "decoder", layer: 1, step: "context", head: 2 }],
    ["tiny-gpt", GPT, "residual", { stack: "decoder", layer: 1, step: "input", positions: [1] }],
    ["tiny-bert", BERT, "values", { stack: "encoder", layer: 0, step: "value", head: 1 }],
    [
      "tiny-bert",
      BERT,
      "feed-forward",
      { stack: "encoder", layer: 1, step: "ff-output", positions: [2] },
    ],
    ["en-fr", TRANSLATOR, "head", { stack: "cross", layer: 1, step: "context", head: 0 }],
    ["en-fr", TRANSLATOR, "pattern", { stack: "encoder", layer: 1, step: "weights", head: 3 }],
  ])("of %s has the numbers of runs with the patch: %#", async (name, texts, what, at) => {
    const { info } = await open(name);
    const ids = [40, 41] as const;
    const target = texts === TRANSLATOR ? { target: TRANSLATOR.clean.target } : {};
    const clean = { ...texts.clean, ...target };
    const corrupted = { ...texts.corrupted, ...target };
    const { tokens, targetTokens } = await model.run(clean);
    const position = texts === BERT ? 3 : targetTokens.length - 1;
    const cleanValue = await differenceIn(clean, ids, position);
    const corruptedValue = await differenceIn(corrupted, ids, position);
    for (const direction of ["denoise", "noise"] as const) {
      const [base, source] = direction === "denoise" ? [corrupted, clean] : [clean, corrupted];
      const options = { target: { id: ids[0], minus: ids[1] }, what, stack: at.stack, direction };
      const cells = await cellsOf({ ...texts, ...options });
      const { layers = 0, heads = 0 } = info.stacks[at.stack] ?? {};
      const columns = at.head === undefined ? tokens.length : heads;
      expect(cells.map(({ done, total }) => [done, total])).toEqual(
        Array.from({ length: layers * columns }, (_, index) => [index + 1, layers * columns]),
      );
      const from = await model.run(source);
      const { data, shape } = await from.activation(at);
      const [rows = 0, width = 0] = shape;
      const values = Array.from({ length: rows }, (_, row) =>
        Array.from(data.subarray(row * width, (row + 1) * width)),
      );
      const patched = { ...base, edits: { patches: [{ at, from: { values } }] } };
      const value = await differenceIn(patched, ids, position);
      const cell = cells.find((one) => JSON.stringify(one.at) === JSON.stringify(at));
      expect(cell?.value).toBeCloseTo(value, 5);
      expect(cell?.clean).toBeCloseTo(cleanValue, 5);
      expect(cell?.corrupted).toBeCloseTo(corruptedValue, 5);
      const recovered = (value - corruptedValue) / (cleanValue - corruptedValue);
      expect(cell?.recovered).toBeCloseTo(recovered, 3);
    }
  });

  it.each<[string, typeof GPT, "decoder" | "encoder" | "cross", PatchReceiver, string[]]>([
    ["tiny-gpt", GPT, "decoder", { stack: "decoder", layer: 2, head: 1, part: "query" }, ["query"]],
    ["tiny-gpt", GPT, "decoder", "logits", ["ff-sum"]],
    [
      "tiny-bert",
      BERT,
      "encoder",
      { stack: "encoder", layer: 1, head: 3 },
      ["query", "key", "value"],
    ],
    ["en-fr", TRANSLATOR, "encoder", { stack: "cross", layer: 2, head: 4 }, ["key", "value"]],
    ["en-fr", TRANSLATOR, "cross", { stack: "cross", layer: 1, head: 0 }, ["query"]],
  ])("of paths has the numbers of runs with what the path carries: %#", async (...of) => {
    const [name, texts, stack, receiver, steps] = of;
    const { info } = await open(name);
    const ids = [40, 41] as const;
    const target = texts === TRANSLATOR ? { target: TRANSLATOR.clean.target } : {};
    const [base, source] = [texts.corrupted, texts.clean].map((text) => ({ ...text, ...target }));
    if (!base || !source) throw new Error("two texts");
    const read = { id: ids[0], minus: ids[1] };
    const cells = await cellsOf({ ...texts, target: read, what: "head", stack, receiver });
    const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
    const isMemory = stack === "encoder" && texts === TRANSLATOR;
    const sending = receiver === "logits" || isMemory ? layers : receiver.layer;
    expect(cells).toHaveLength(sending * heads);
    const [one, other] = [await model.run(base), await model.run(source)];
    const position = texts === BERT ? 3 : one.targetTokens.length - 1;
    for (const { at, value } of [cells[0], cells.at(-1)].filter((cell) => cell !== undefined)) {
      const patches = [];
      for (const step of steps) {
        const place = receiver === "logits" ? { stack, layer: layers - 1 } : receiver;
        const to = { ...place, step } as At & { part?: string };
        delete to.part;
        const { data, shape } = await one.direct({ from: [at], to, other });
        const [rows = 0, width = 0] = shape;
        const values = Array.from({ length: rows }, (_, row) =>
          Array.from(data.subarray(row * width, (row + 1) * width)),
        );
        patches.push({ at: to, from: { values } });
      }
      const found = await differenceIn({ ...base, edits: { patches } }, ids, position);
      expect(value).toBeCloseTo(found, 5);
      const path = { at, from: source, to: receiver };
      const edited = await differenceIn({ ...base, edits: { patches: [path] } }, ids, position);
      expect(edited).toBeCloseTo(found, 5);
    }
  });

  it("recovers all where the whole stream of a differing token is put back", async () => {
    await open("tiny-gpt");
    const cells = await cellsOf({ ...GPT, target: { id: 40 }, what: "residual" });
    const differs = cells.filter(({ at }) => at.layer === 0).map(({ recovered }) => recovered);
    expect(differs.map((effect) => effect === 0 || effect === 1)).not.toContain(false);
    expect(differs.filter((effect) => effect === 1)).toHaveLength(1);
  });

  it("runs each text once", async () => {
    await open("tiny-gpt");
    const run = vi.spyOn(model, "run");
    await cellsOf({ ...GPT, target: { id: 40 }, what: "head" });
    expect(run.mock.calls.map(([input]) => input)).toEqual([GPT.clean, GPT.corrupted]);
  });

  it("says where there is no effect to recover, and gives no number", async () => {
    await open("tiny-gpt");
    const cells = await cellsOf({
      clean: GPT.clean,
      corrupted: GPT.clean,
      target: { id: 40 },
      what: "head",
    });
    expect(cells.every(({ recovered }) => recovered === null)).toBe(true);
    expect(cells[0]?.reason).toContain("there is no effect to recover");
  });

  it.each<[string, Partial<Record<keyof PatchGridOptions, unknown>>, string, string]>([
    [
      "a text of another length",
      { corrupted: { text: "The dog in garden" } },
      "selection/other-length",
      "differ from token",
    ],
    ["a token outside the vocabulary", { target: { id: 1e6 } }, "input/bad-id", "1000000"],
    ["no token", { target: {} }, "input/bad-id", "ids"],
    [
      "a position outside the text",
      { target: { id: 1, position: 99 } },
      "selection/bad-position",
      "99",
    ],
    [
      "a field that no target has",
      { target: { id: 1, less: 2 } },
      "input/unsupported-option",
      "less",
    ],
    ["an unknown activation", { what: "heads" }, "input/unsupported-option", "heads"],
    ["an unknown direction", { direction: "both" }, "input/unsupported-option", "both"],
    ["a start behind the end", { start: 1e3 }, "input/unsupported-option", "1000"],
    ["a start that is no number of cells", { start: -1 }, "input/unsupported-option", "-1"],
    [
      "a receiver without a path",
      { receiver: { stack: "decoder", layer: 0, head: 0 } },
      "selection/bad-layer",
      "path",
    ],
    ["a stack that the model lacks", { stack: "cross" }, "selection/bad-stack", "cross"],
    ["no text", { clean: undefined }, "input/malformed", "the clean input"],
  ])("of %s is refused, and the model still runs", async (_, options, code, words) => {
    await open("tiny-gpt");
    const whole = { ...GPT, target: { id: 40 }, what: "head", ...options } as PatchGridOptions;
    await expect(cellsOf(whole)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words) as string,
    });
    expect((await model.run(GPT.clean)).tokens.length).toBeGreaterThan(1);
  });

  it("of a model without an output head is refused", async () => {
    model = await loadModel(folderOf("bert-plain"));
    const texts = { clean: { ids: [1, 2] }, corrupted: { ids: [1, 3] } };
    await expect(cellsOf({ ...texts, target: { id: 1 }, what: "head" })).rejects.toMatchObject({
      code: "output/unavailable",
    });
  });

  it("goes on behind the cells that are known", async () => {
    await open("tiny-gpt");
    const options = { ...GPT, target: { id: 40 }, what: "head" } as const;
    const whole = await cellsOf(options);
    expect(await cellsOf({ ...options, start: 5 })).toEqual(whole.slice(5));
    expect(await cellsOf({ ...options, start: whole.length })).toEqual([]);
  });

  it("stops on request and when its loop is left", async () => {
    await open("tiny-gpt");
    const stop = new AbortController();
    const options = { ...GPT, target: { id: 40 }, what: "head", signal: stop.signal } as const;
    for await (const { done } of model.patchGrid(options)) if (done === 2) break;
    await expect(
      (async () => {
        for await (const { done } of model.patchGrid(options)) if (done === 1) stop.abort();
      })(),
    ).rejects.toMatchObject({ code: "run/aborted" });
  });
});
