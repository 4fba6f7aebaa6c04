import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { At, BeamEvent, FieldWarning, GenerationEvent } from "../data/index.js";
import { Client } from "./client.js";
import type { ImageLike, Model, RunOptions } from "./contract.js";
import type { HeadscopeError } from "./errors.js";
import { ImageReader } from "./image.js";
import { latest, openModel } from "./model.js";
import { marginalsOf } from "./run.js";
import { FakeThreads } from "./testing/fake-threads.js";
import { UNREADABLE } from "./testing/fake-wasm.js";
import { ModelTokenizer } from "./tokenizer/tokenizer.js";
import { MASKING_JSON, smallTokenizer, wordTokenizer } from "./testing/word-tokenizer.js";
import { Vocabulary } from "./vocabulary.js";

/** What a caller without types may pass. */
const absurd = (value: unknown): never => value as never;

const first = <T>(values: AsyncIterable<T>): Promise<unknown> =>
  values[Symbol.asyncIterator]().next();

const ENCODER = { stack: "encoder", head: 0, layer: 1 } as const;

describe("a model", () => {
  let threads: FakeThreads;
  let model: Model;

  async function load(unigrams?: number[], unread: FieldWarning[] = []): Promise<Model> {
    const files = { config: "{}", checkpoint: [], backend: "cpu" as const };
    const { client, info } = await Client.load(threads.spawn, files);
    const notes = unigrams === undefined ? null : absurd({ unigrams });
    const words = new Vocabulary(wordTokenizer(), info);
    const opened = openModel(client, info, words, { notes, problem: null }, unread);
    return opened.use({ ended: () => opened.dispose() });
  }

  beforeEach(async () => {
    threads = new FakeThreads();
    model = await load();
  });

  afterEach(() => {
    model.dispose();
  });

  it("names the fields of its tokenizer's files that nothing reads", async () => {
    const file = "tokenizer_config.json";
    const unread: FieldWarning = { file, field: "own", value: "1", effect: "none" };
    const other = await load(undefined, [unread]);
    expect(other.info.warnings).toEqual([unread]);
    other.dispose();
  });

  it("asks a second thread about gradients, which repeats the whole text of a run", async () => {
    const target = { position: 0, id: 3 };
    const at = [{ stack: "encoder", layer: 0, step: "input" }] as const;
    const asked = { target, at: [...at] };
    const run = await model.run({ ids: [4, 5], targetIds: [0] });
    const writing = await model.run({ ids: [8] });
    expect(threads.started).toHaveLength(1);
    const [found] = await run.gradient(asked);
    expect(found?.data).toEqual(Float32Array.of(4, 5));
    await writing.gradient(asked);
    await run.gradient(asked);
    expect(threads.log.builds).toEqual(["cpu", "gradients"]);
    const repeated = threads.log.begun.slice(2);
    expect(repeated).toEqual([
      { ids: [4, 5], targetIds: [0] },
      { ids: [8], targetIds: [0, 12, 13, 14] },
    ]);
    // No rows are taken over, whose operations would not be recorded.
    expect(threads.log.previous.slice(2)).toEqual([undefined, undefined]);

    const { freed } = threads.log;
    const before = freed.length;
    run.release();
    await vi.waitFor(() => expect(freed.length).toBeGreaterThan(before));
    await expect(run.gradient(asked)).rejects.toMatchObject({ code: "run/released" });

    threads.last.die("out of memory");
    await writing.gradient(asked);
    expect(threads.started).toHaveLength(3);
    model.dispose();
    await vi.waitFor(() => expect(threads.started.every(({ closed }) => closed)).toBe(true));
  });

  it("refuses gradients of a model whose weights are bytes", async () => {
    const files = { config: "{}", checkpoint: [], backend: "cpu", weights: "int8" } as const;
    const { client, info } = await Client.load(threads.spawn, { ...files, checkpoint: [] });
    const narrow = openModel(client, info, new Vocabulary(wordTokenizer(), info)).use();
    const run = await narrow.run({ ids: [4] });
    const asked = { target: { position: 0, id: 3 }, at: [] };
    const refused = { code: "input/unsupported-option", doing: "weights" };
    await expect(run.gradient(asked)).rejects.toMatchObject(refused);
    narrow.dispose();
  });

  it("a chat is a text of its template, whose special tokens are the only ones", async () => {
    const { client, info } = await Client.load(threads.spawn, {
      config: "{}",
      checkpoint: [],
      backend: "cpu",
    });
    const source = "{{ messages[0].content }}{{ eos_token }}";
    const chat = { templates: new Map([["default", source]]), tokens: { eos_token: "</s>" } };
    const words = new Vocabulary(wordTokenizer(), info);
    const other = openModel(client, info, words, undefined, [], chat).use();
    expect([other.hasChatTemplate, model.hasChatTemplate]).toEqual([true, false]);
    const text = await other.chatText([{ role: "user", content: "the cat" }]);
    expect(text).toBe("the cat</s>");
    const run = await other.run({ text, specialTokens: false });
    const textsOf = (tokens: readonly { text: string }[]): string[] =>
      tokens.map((token) => token.text);
    expect(textsOf(run.tokens)).toEqual(["the", "cat", "</s>"]);
    const bare = { specialTokens: false };
    expect(textsOf(other.tokenize("the cat", undefined, bare))).toEqual(["the", "cat"]);
    await expect(model.chatText([{ role: "user" }])).rejects.toThrow(/have no chat template/);
    await expect(other.chatText([], absurd({ tools: [] }))).rejects.toThrow(/tools/);
    expect(() => other.tokenize("the", undefined, absurd({ special: 1 }))).toThrow(/special/);
    expect(() => other.tokenize("the", undefined, absurd({ specialTokens: 1 }))).toThrow(
      /specialTokens/,
    );
    other.dispose();
  });

  it("a run has its tokens, and what was written with its start named", async () => {
    const run = await model.run({ text: "the cat" });
    expect(run.tokens.map(({ text }) => text)).toEqual(["the", "cat", "</s>"]);
    const written = run.targetTokens.map(({ id, role }) => `${id} ${role}`);
    expect(written).toEqual(["0 start", "12 null", "13 null", "14 null"]);
    expect(run.executed()).toEqual({ blocks: 4, reusedBlocks: 0, reusedTokens: 0 });
    expect(run.onCpu()).toEqual([]);
  });

  it("a patched run takes over from the run before it, not from that of its source", async () => {
    const before = [11, 12];
    const source = [21, 22];
    const at: At = { stack: "encoder", layer: 1, step: "context", positions: [0, 1] };
    await model.run({ ids: before });
    const patched = { ids: before, edits: { patches: [{ at, from: { ids: source } }] } };
    await model.run(patched);
    await model.run({ ids: [31] });
    // Of each begun run the one before: of the source's, too, so that it may share a beginning.
    const previous = threads.log.previous.map((run) => run?.request.ids);
    expect(previous).toEqual([undefined, before, before, before]);
    expect(threads.log.previous.at(-1)?.request.edits?.patches).toHaveLength(1);
    const freed = threads.log.freed.map(({ request }) => request.ids);
    expect(freed).toContainEqual(source);
  });

  it("the sums of a pattern are derived from its numbers", async () => {
    const run = await model.run({ text: "the cat" });
    const sums = { queries: [1, 1], keys: [2, 0], least: 0, largest: 1, forbidden: 0 };
    expect(await run.marginals(ENCODER)).toEqual(sums);
    const marginals = (...data: number[]): unknown =>
      marginalsOf({ data: Float32Array.from(data), shape: [2, data.length / 2], axes: [] });
    const rest = { queries: [0, -2], keys: [0, -2], least: -2, largest: -2, forbidden: 2 };
    expect(marginals(-Infinity, -1e9, NaN, -2)).toEqual(rest);
    expect(marginals(NaN, NaN)).toMatchObject({ least: 0, largest: 0 });
  });

  it("updates come with the very run, whose source can be read at once", async () => {
    const updates: unknown[] = [];
    const readings: Promise<unknown>[] = [];
    const runs = new Set<unknown>();
    const onUpdate: RunOptions["onUpdate"] = (run, { generated, finished }) => {
      runs.add(run);
      updates.push([generated, finished, run.targetTokens.length]);
      readings.push(run.attention(ENCODER));
    };
    const run = await model.run({ text: "the" }, { onUpdate });
    expect([...runs]).toEqual([run]);
    expect(updates).toEqual([
      [0, false, 1],
      [1, false, 2],
      [2, false, 3],
      [3, true, 4],
    ]);
    await expect(Promise.all(readings)).resolves.toHaveLength(4);
  });

  it("a text is tokenised once for all who need its tokens", async () => {
    const encode = vi.spyOn(ModelTokenizer.prototype, "encode");
    model.tokenize("the cat the").push(...model.tokenize("cat"));
    const run = await model.run({ text: "the cat the" });
    expect(run.tokens).toHaveLength(4);
    expect(encode.mock.calls.map(([text]) => text)).toEqual(["the cat the", "cat"]);
    encode.mockRestore();
  });

  it("what is foreseen is answered with the news that the source is ready, once, and as if it had been asked", async () => {
    const LATE = { ...ENCODER, layer: 40, stage: "raw" } as const;
    const readings: Promise<unknown>[] = [];
    const counts: number[] = [];
    const count = (): unknown =>
      counts.push(
        threads.last.sent.filter((one) => one.kind === "call" && one.call.kind === "query").length,
      );
    const options: RunOptions = {
      foreseen: [
        { ...ENCODER, what: "attention", stage: "weights" },
        { ...ENCODER, what: "fullyMasked" },
        { ...LATE, what: "attention" },
      ],
      onUpdate: (shown) => {
        if (readings.length > 0) return;
        readings.push(shown.attention(ENCODER), shown.fullyMasked(ENCODER));
        count();
        readings.push(shown.attention(ENCODER));
        readings.push(shown.attention(LATE).catch((one: unknown) => (one as HeadscopeError).code));
        count();
      },
    };
    const run = await model.run({ text: "the" }, options);
    const [once, masked, again, refused] = await Promise.all(readings);
    expect(counts).toEqual([0, 2]);
    expect([once, masked, refused]).toEqual([again, [1], "selection/bad-layer"]);
    expect(await run.fullyMasked(ENCODER)).toEqual([1]);
  });

  it("what is foreseen is computed once, however many steps the run takes after it", async () => {
    const before = threads.log.answersFreed;
    await model.run({ text: "the" }, { foreseen: [{ ...ENCODER, what: "mask" }] });
    expect(threads.log.answersFreed - before).toBe(1);
  });

  it("with queries sent along the page gets the processor once, after the first word", async () => {
    await model.run({ text: "the" });
    expect(threads.log.restedAt).toEqual([]);
    await model.run({ text: "the" }, { foreseen: [{ ...ENCODER, what: "mask" }] });
    expect(threads.log.restedAt).toEqual([1]);
  });

  it("a run without an owner is freed as soon as it is stopped", async () => {
    const controller = new AbortController();
    const stopped = model.run(
      { text: "the" },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(stopped).rejects.toMatchObject({ code: "run/aborted" });
    await vi.waitFor(() =>
      expect(threads.log.freed.map(({ request }) => request.ids)).toEqual([[3, 1]]),
    );
  });

  it.each<(model: Model) => unknown>([
    (model) => model.run({ text: "the", textPair: absurd(null) }),
    (model) => model.run({ text: "the" }, absurd(null)),
    (model) => first(model.generate(absurd(undefined))),
    (model) => first(model.generate({ text: "the" }, absurd(null))),
    (model) => model.tokenize(absurd(5)),
    (model) => model.decode(absurd("the")),
  ])("refuses %s", async (ask) => {
    const malformed = { name: "HeadscopeError", code: "input/malformed" };
    await expect(Promise.resolve(model).then(ask)).rejects.toMatchObject(malformed);
    await expect(model.run({ text: "the" })).resolves.toBeDefined();
  });

  it("measures get the tokenizer's special ids, and the counts where there are notes", async () => {
    for (const unigrams of [undefined, [5, 7]]) {
      const known = await load(unigrams);
      const run = await known.run({ text: "the" });
      expect(await run.measures({ stack: "encoder" })).toEqual([
        { previous: 3, rare: unigrams?.length ?? null },
      ]);
      known.dispose();
    }
  });

  it("asks for the cosines with another of its runs, and with no other model's", async () => {
    const one = await model.run({ ids: [3, 4] });
    const other = await model.run({ ids: [4, 3, 5] });
    const words = { stack: "encoder" as const, positions: [0, 1], otherPositions: [2] };
    expect(await one.cosines({ ...words, other })).toEqual([4, 3, 5]);
    await expect(one.cosines({ ...words, other: {} as typeof other })).rejects.toMatchObject({
      code: "input/malformed",
    });
    const again = await load();
    const stranger = await again.run({ ids: [4, 3] });
    await expect(one.cosines({ ...words, other: stranger })).rejects.toMatchObject({
      code: "selection/other-model",
      got: "a run of another model",
    });
    again.dispose();
    other.release();
    await expect(one.cosines({ ...words, other })).rejects.toMatchObject({ code: "run/released" });
  });

  it("beams are steps of branches with named tokens, then a ranking of texts", async () => {
    const events: (GenerationEvent | BeamEvent)[] = [];
    for await (const event of model.generate({ text: "the" }, { num_beams: 2 })) events.push(event);
    const steps = events.flatMap((event) => (event.kind === "expand" ? [event] : []));
    expect(steps.map(({ step }) => step)).toEqual([0, 1, 2].slice(0, steps.length));
    expect(steps[1]?.branches).toMatchObject([
      { id: 1, parent: 0, fate: "kept", token: { id: 13, text: "#13" } },
    ]);
    const last = events.at(-1);
    expect(events).toHaveLength(steps.length + 1);
    expect(last).toMatchObject({ kind: "finish", hypotheses: [{ ids: [13, 14], rankBySum: 0 }] });
    if (last?.kind === "finish") expect(last.hypotheses[0]?.text).toBe(model.decode([13, 14]));
  });

  it("the pairs of a head have the words of the text that its stack reads", async () => {
    const files = { config: "{}", checkpoint: [], backend: "cpu" as const };
    const { client, info } = await Client.load(threads.spawn, files);
    const written = smallTokenizer(MASKING_JSON.replace(/"the":3,"cat":4/, '"le":3,"chat":4'));
    const other = openModel(client, info, new Vocabulary(wordTokenizer(), info, written)).use();
    const pairsOf = (stack: "encoder" | "decoder"): ReturnType<Model["tokenPairs"]> =>
      other.tokenPairs(absurd({ stack, layer: 0, head: 0, circuit: "query-key", topK: 1 }));
    const pair = { from: 3, to: 4, value: 1 };
    expect(await pairsOf("encoder")).toEqual([{ ...pair, fromText: "the", toText: "cat" }]);
    expect(await pairsOf("decoder")).toEqual([{ ...pair, fromText: "le", toText: "chat" }]);
    const sent = threads.last.sent.flatMap((one) => (one.kind === "call" ? [one.call] : []));
    const asked = { what: "tokenPairs", stack: "encoder" };
    expect(sent.find(({ kind }) => kind === "inquire")).toMatchObject({ question: asked });
    other.dispose();
  });

  it("says what it is after a restart, to those who listen and to those who ask", async () => {
    threads.adapter = { vendor: "a", architecture: "b", description: "c" } as never;
    const files = { config: "{}", checkpoint: [], backend: "webgpu" as const };
    const { client, info } = await Client.load(threads.spawn, files);
    const unread: FieldWarning = { file: "f.json", field: "own", value: "1", effect: "none" };
    const words = new Vocabulary(wordTokenizer(), info);
    const onGpu = openModel(client, info, words, undefined, [unread]).use();
    expect(onGpu.info).toMatchObject({ adapter: threads.adapter, warnings: [unread] });
    const heard: unknown[] = [];
    const leave = onGpu.onRestart(({ leftGpu }) => heard.push([leftGpu, onGpu.info.adapter]));
    threads.last.die("the device was lost");
    await vi.waitFor(() => expect(heard).toEqual([[true, null]]));
    expect(onGpu.info.warnings).toEqual([unread]);
    leave();
    threads.last.die("killed");
    await onGpu.run({ text: "the" });
    expect(heard).toHaveLength(1);
    onGpu.dispose();
  });

  it("tells of each written token before the progress that counts it", async () => {
    const told: unknown[] = [];
    await model.run(
      { text: "the" },
      {
        onToken: ({ step, chosen }) => told.push(`${step} ${chosen.text}`),
        onProgress: ({ generated }) => told.push(generated),
      },
    );
    expect(told).toEqual([0, "0 #12", 1, "1 #13", 2, "2 #14", 3]);
  });

  it("refuses settings of generation that are none, in a run and beside those of generate", async () => {
    for (const generate of [null, "greedy"]) {
      const refused = model.run({ text: "the", generate: absurd(generate) });
      await expect(refused).rejects.toMatchObject({ code: "input/malformed" });
    }
    const misspelt = model.run({ text: "the", generate: absurd({ beams: 2 }) });
    await expect(misspelt).rejects.toMatchObject({ code: "input/unsupported-option" });
    await expect(model.run({ text: "the", generate: { seed: 1 } })).resolves.toBeDefined();
    const twice = first(model.generate({ text: "the", generate: {} }));
    await expect(twice).rejects.toMatchObject({ got: "the field generate" });
  });

  it("does not write under a signal that has ended, and stops at one that ends later", async () => {
    const stopped = { code: "run/aborted" };
    const ended = first(model.generate({ text: "the" }, { signal: AbortSignal.abort() }));
    await expect(ended).rejects.toMatchObject(stopped);
    const controller = new AbortController();
    const { signal } = controller;
    const heard = vi.spyOn(signal, "removeEventListener");
    const loop = async (): Promise<void> => {
      for await (const _ of model.generate({ text: "the" }, { signal })) controller.abort();
    };
    await expect(loop()).rejects.toMatchObject(stopped);
    expect(heard.mock.calls.map(([name]) => name)).toContain("abort");
    await vi.waitFor(() => expect(threads.log.freed.length).toBeGreaterThan(0));
  });

  it("has a print of each file whose numbers count", async () => {
    const known = await model.fingerprints();
    expect(Object.keys(known)).toEqual(["config.json"]);
  });

  it("leaving the loop of generate stops the engine", async () => {
    for await (const { step } of model.generate({ text: "the" })) if (step === 0) break;
    await vi.waitFor(() => expect(threads.log.freed).toHaveLength(1));
  });

  it.each(["num_beam_groups", "typical_p", "stop_strings", "maxTokens"])(
    "generate refuses %s, which is not built in",
    async (name) => {
      const refused = first(model.generate({ text: "the" }, absurd({ [name]: 2 })));
      await expect(refused).rejects.toMatchObject({ code: "input/unsupported-option" });
    },
  );

  it("refuses fields that no input and no option has", async () => {
    const misspelt = { code: "input/malformed", got: "hidden" };
    await expect(model.run(absurd({ text: "the", hidden: [0] }))).rejects.toMatchObject(misspelt);
    const unknown = { code: "input/unsupported-option" };
    const ran = model.run({ text: "the" }, absurd({ onprogress: 1 }));
    await expect(ran).rejects.toMatchObject(unknown);
    const written = first(model.generate({ text: "the" }, absurd({ doSample: true })));
    await expect(written).rejects.toMatchObject(unknown);
    expect(() => model.decode([3], absurd({ clean: true }))).toThrow(
      expect.objectContaining(unknown) as Error,
    );
  });

  describe("of images", () => {
    const image = (): ImageLike => ({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) });

    async function loadImages(): Promise<Model> {
      threads.log.image = { channels: 3, size: [1, 1], patch: [1, 1], grid: [1, 1], specials: 1 };
      const files = { config: "{}", checkpoint: [], backend: "cpu" as const, preprocessor: "{}" };
      const { client, info } = await Client.load(threads.spawn, files);
      const { image: format } = info;
      if (!format) throw new Error("the fake model reads no images");
      return openModel(client, info, new Vocabulary(new ImageReader(format, "{}"), info)).use();
    }

    it("processes an image once, for runs and for drawings, until its bytes change", async () => {
      expect(await model.preprocess(image())).toBeNull();
      const images = await loadImages();
      expect(threads.log.preprocessors).toEqual(["{}"]);
      const shown = image();
      const run = await images.run({ image: shown });
      expect(run.tokens.map(({ text }) => text)).toEqual(["[CLS]", "1,1"]);
      const drawn = await images.preprocess(shown);
      await images.run({ image: shown });
      expect(drawn).toEqual({ ...shown, data: Uint8ClampedArray.of(1, 2, 3, 255) });
      expect(threads.log.processed).toBe(1);
      (shown.data as Uint8Array)[0] = 4;
      expect((await images.preprocess(shown))?.data[0]).toBe(4);
      expect(threads.log.processed).toBe(2);
      images.dispose();
    });

    it("reads numbers beyond a byte as the nearest one, and bytes of a larger buffer as they are", async () => {
      const images = await loadImages();
      const bytesOf = async (data: ArrayLike<number>): Promise<number[]> => {
        const processed = await images.preprocess({ ...image(), data });
        return Array.from(processed?.data ?? []);
      };
      expect(await bytesOf([300, -5, 2.6, 255])).toEqual([255, 0, 3, 255]);
      const larger = Uint8Array.of(0, 1, 2, 3, 4, 5, 6);
      expect(await bytesOf(larger.subarray(1, 5))).toEqual([1, 2, 3, 4]);
      expect(await bytesOf(Uint8ClampedArray.of(9, 8, 7, 6))).toEqual([9, 8, 7, 6]);
      images.dispose();
    });

    it("tries an image again that was refused, and refuses what is none", async () => {
      const images = await loadImages();
      const refused = { ...image(), data: Uint8Array.of(UNREADABLE, 0, 0, 0) };
      for (const asked of [images.preprocess(refused), images.run({ image: refused })])
        await expect(asked).rejects.toMatchObject({ code: "input/bad-image" });
      await expect(images.preprocess(refused)).rejects.toMatchObject({ code: "input/bad-image" });
      expect(threads.log.processed).toBe(2);
      for (const broken of [{ ...image(), height: 2 }, { ...image(), width: -1 }, absurd({})])
        await expect(images.run({ image: broken })).rejects.toMatchObject({
          code: "input/bad-image",
        });
      await expect(images.preprocess(absurd(null))).rejects.toMatchObject({
        code: "input/malformed",
      });
      images.dispose();
    });
  });
});

describe("the latest of several calls", () => {
  /** A task whose calls end when the test says so. */
  function tasks() {
    const calls: { signal: AbortSignal; end: (value: number) => void; fail: () => void }[] = [];
    const call = latest(
      (signal, _name: string) =>
        new Promise<number>((end, reject) => {
          calls.push({ signal, end, fail: () => reject(new Error("no")) });
        }),
    );
    return { calls, call };
  }

  it("aborts those before it, which give nothing, whatever becomes of them", async () => {
    const { calls, call } = tasks();
    const results = [call("one"), call("two"), call("three")];
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    calls[0]?.fail();
    calls[1]?.end(2);
    calls[2]?.end(3);
    expect(await Promise.all(results)).toEqual([null, null, 3]);
    const again = call("four");
    expect(calls[3]?.signal.aborted).toBe(false);
    calls[3]?.fail();
    await expect(again).rejects.toThrow("no");
  });
});
