import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Edits, Model, Run, Token } from "../../www/headscope.js";
import { latest, loadModel } from "./package.js";
import { caseNamed, folderOf } from "./reference.js";

const {
  ids,
  read_ids: read = [],
  generated = [],
} = caseNamed("marian-tiny", "written-to-the-limit");
const idsOf = (tokens: Token[]): number[] => tokens.map(({ id }) => id);

describe("several things at once", () => {
  let model: Model;
  beforeEach(async () => {
    model = await loadModel(folderOf("marian-tiny"));
  });
  afterEach(() => model.dispose());

  it("two runs of one model do not disturb each other", async () => {
    const other = caseNamed("marian-tiny", "written-to-the-end-token");
    const [first, second] = await Promise.all([model.run({ ids }), model.run({ ids: other.ids })]);
    expect([idsOf(first.tokens), idsOf(second.tokens)]).toEqual([ids, other.ids]);
    // The first one stops for want of positions: what it wrote last is still read.
    expect([idsOf(first.targetTokens), idsOf(second.targetTokens)]).toEqual([
      [read[0], ...generated],
      other.read_ids,
    ]);
  });

  it("two models run side by side", async () => {
    const encoder = await loadModel(folderOf("bert-tiny"));
    const [translation, encoding] = await Promise.all([
      model.run({ ids }),
      encoder.run({ ids: [3, 4, 5] }),
    ]);
    expect(translation.targetTokens.length).toBeGreaterThan(1);
    expect((await encoding.hidden({ stack: "encoder", layer: 3 })).shape).toEqual([3, 30]);
    encoder.dispose();
    await expect(translation.logits()).resolves.toBeDefined();
  });

  it("an aborted run rejects, and the next one runs", async () => {
    const controller = new AbortController();
    const run = model.run({ ids }, { signal: controller.signal });
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: "run/aborted" });
    await expect(model.run({ ids: [3], targetIds: [60] })).resolves.toBeDefined();
  });

  it("a run that was stopped while it was shown can still be read, while a newer one is computed", async () => {
    const controller = new AbortController();
    const shown: Run[] = [];
    const stopped = model.run(
      { ids },
      {
        signal: controller.signal,
        onUpdate: (run) => {
          shown.push(run);
          controller.abort();
        },
      },
    );
    await expect(stopped).rejects.toMatchObject({ code: "run/aborted" });
    const [newer, pattern] = await Promise.all([
      model.run({ ids }),
      shown[0]?.attention({ stack: "encoder", layer: 2, head: 1 }),
    ]);
    expect(pattern).toEqual(await newer.attention({ stack: "encoder", layer: 2, head: 1 }));
    shown[0]?.release();
    await expect(shown[0]?.hidden({ stack: "encoder", layer: 0 })).rejects.toMatchObject({
      code: "run/released",
    });
  });

  it("of 200 keystrokes the last is answered, with its own ids", async () => {
    const run = latest((signal, last: number) => model.run({ ids: [...ids, last] }, { signal }));
    const answers = await Promise.all(Array.from({ length: 200 }, (_, key) => run(key % 60)));
    expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true);
    expect(answers.at(-1)?.tokens.at(-1)?.id).toBe(199 % 60);
  });

  it("disposing while a run is computed rejects it and all that follows", async () => {
    const run = model.run({ ids });
    model.dispose();
    await expect(run).rejects.toMatchObject({ code: "engine/disposed" });
    await expect(model.run({ ids })).rejects.toMatchObject({ code: "engine/disposed" });
  });

  it("loading can be stopped", async () => {
    await expect(
      loadModel(folderOf("marian-tiny"), { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: "load/aborted",
    });
  });

  it("updates stream the target while the source can be read", async () => {
    const lengths: number[] = [];
    const readings: Promise<number[]>[] = [];
    const run = await model.run(
      { ids },
      {
        onUpdate: (run) => {
          lengths.push(run.targetTokens.length);
          readings.push(
            run.attention({ stack: "encoder", layer: 0, head: 0 }).then(({ shape }) => shape),
          );
        },
      },
    );
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(lengths.at(-1)).toBe(run.targetTokens.length);
    for (const shape of await Promise.all(readings))
      expect(shape).toEqual([ids.length, ids.length]);
  });

  it("only the blocks that can change are computed again, to the same bits as all of them", async () => {
    const input = { ids, targetIds: [60, 5] };
    const edits: Edits = { heads: [{ stack: "decoder", layers: [1], heads: [0], gate: 0.5 }] };
    const all = await (await model.run({ ...input, edits })).logits();
    await model.run(input);
    const last = await model.run({ ...input, edits });
    expect(last.executed()).toMatchObject({ blocks: 1, reusedBlocks: 4 });
    expect((await last.logits()).data).toEqual(all.data);
  });

  it("a released run is gone, another one is not", async () => {
    const first = await model.run({ ids });
    const second = await model.run({ ids: [3] });
    first.release();
    await expect(first.hidden({ stack: "encoder", layer: 0 })).rejects.toMatchObject({
      code: "run/released",
    });
    await expect(second.hidden({ stack: "encoder", layer: 0 })).resolves.toMatchObject({
      shape: [1, 30],
    });
  });
});
