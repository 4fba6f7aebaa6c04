import { describe, expect, it, vi } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
  failed,
} from "../../../tests/support/fake-model.js";
import type { Token } from "../../data/index.js";
import type { DecodeOptions, GenerationEvent, LoadOptions } from "../../headscope.js";
import { effect } from "../../signals.js";
import { DEFAULT_STATE, NO_EDITS, paintCells, toggleHead } from "../../state/index.js";
import {
  Computation,
  editsIn,
  firstTokens,
  hasTokensOf,
  type Request,
  targetIdsOf,
} from "./computation.js";
import { LOST_MILLIS, QUIET_MILLIS } from "./silence.js";
import { continuationsOf } from "./continuation.js";
import type { Continuation } from "./output.js";
import { ModelCache } from "../models/model-cache.js";

const STEP = { done: 1, total: 9, generated: 0, at: null, sourceReady: false, finished: false };
const HEAD = { stack: "cross", layer: 1, head: 2 } as const;
const ask = (text: string, more: Partial<Request> = {}): Request => ({
  ...DEFAULT_STATE,
  text,
  ...more,
});

async function ready(model = new FakeModel()): Promise<{
  computation: Computation;
  model: FakeModel;
}> {
  const computation = new Computation(new ModelCache(() => Promise.resolve(model)));
  await computation.use("models/en-fr", ask(""));
  return { computation, model };
}

describe("computing", () => {
  it("answers the last of many requests and holds on to no other run", async () => {
    const { computation, model } = await ready();
    const text = "a dog bites a man a dog bites a man";
    const typed = Array.from(text, (_, at) => text.slice(0, at + 1));
    await Promise.all(typed.map((one) => computation.compute(ask(one))));
    expect(computation.run?.tokens).toEqual(model.tokenize(text));
    expect([computation.progress, model.held.size]).toEqual([null, 1]);
  });

  it("asks for all edits, and knows by each what the finished run leaves out", async () => {
    const { computation, model } = await ready();
    const edits = paintCells(NO_EDITS, HEAD, [{ query: 1, key: 9 }], "toggle", null);
    const misfit = { list: "masks", index: 0, code: "edit/not-in-text", says: "inactive" } as const;
    model.fit = { edits: {}, misfits: [{ ...misfit, values: [], stacks: [] }] };
    await computation.compute(ask("one two", { edits, target: "un deux" }));
    expect(model.inputs[0]).toMatchObject({ edits: { masks: edits.masks }, lenient: true });
    expect(computation.applied?.misfits.get(edits.masks[0] ?? {})).toMatchObject(misfit);
    expect(editsIn(edits, computation.applied)).toEqual({});
    expect(editsIn({ ...edits }, computation.applied)).toEqual({ masks: edits.masks });
  });

  it("keeps the last readable run when a text is refused, and releases it after that", async () => {
    const { computation, model } = await ready();
    await computation.compute(ask("one two"));
    await computation.compute(ask("word ".repeat(100)));
    expect(computation.failure?.code).toBe("input/too-long");
    expect([computation.run?.targetText, computation.stale]).toEqual(["TWO ONE", true]);
    await computation.compute(ask("three"));
    expect([computation.failure, computation.run?.targetText]).toEqual([null, "THREE"]);
    expect(model.held.size).toBe(1);
  });

  it("shows the translation before until the first word of the next, and none of it after a stop", async () => {
    const { computation } = await ready();
    await computation.compute(ask("one two"));
    const shown: (string | undefined)[] = [];
    const stop = effect(() => {
      if (computation.revision > 0) shown.push(computation.answer?.targetText);
    });
    await computation.compute(ask("three four"));
    stop();
    expect(new Set(shown)).toEqual(new Set(["TWO ONE", "FOUR", "FOUR THREE"]));
    const last = computation.compute(ask("five six"));
    await vi.waitFor(() => expect(computation.run?.tokens[0]?.text).toContain("five"));
    computation.stop();
    expect(computation.answer).toBe(computation.run);
    await last;
  });

  it("shows an answer that comes soon as a whole, and a late one in parts", async () => {
    const model = new FakeModel();
    const events = { follows: () => true };
    const computation = new Computation(new ModelCache(() => Promise.resolve(model)), events);
    await computation.use("models/en-fr", ask("one two"));
    const shown: string[] = [];
    const stop = effect(() => {
      if (computation.revision > 0) shown.push(computation.run?.targetText ?? "");
    });
    // By a clock of its own: a busy machine makes no answer late.
    vi.useFakeTimers();
    const computed = async (text: string): Promise<void> => {
      const done = computation.compute(ask(text));
      await vi.advanceTimersByTimeAsync(500);
      await done;
    };
    await computed("three four");
    expect(shown).toEqual(["TWO ONE", "FOUR THREE"]);
    model.pauseMillis = 60;
    await computed("five six");
    expect(new Set(shown.slice(2))).toEqual(new Set(["", "SIX", "SIX FIVE"]));
    stop();
    vi.useRealTimers();
  });

  it("marks the picture while the worker is silent, until the next message", async () => {
    const { computation, model } = await ready();
    await computation.compute(ask("one two"));
    vi.useFakeTimers();
    const report = vi.fn<() => void>();
    vi.spyOn(model, "run").mockImplementation((_, options) => {
      report.mockImplementation(() => options?.onProgress?.(STEP));
      return new Promise(() => undefined);
    });
    void computation.compute(ask("one two three"));
    const after = (millis: number): unknown[] => {
      vi.advanceTimersByTime(millis);
      return [computation.silence.state, computation.stale];
    };
    expect(after(QUIET_MILLIS - 1)).toEqual([null, false]);
    expect(after(1)).toEqual(["quiet", true]);
    report();
    expect(after(QUIET_MILLIS - 1)).toEqual([null, false]);
    expect(after(LOST_MILLIS)).toEqual(["lost", true]);
    computation.stop();
    expect(after(LOST_MILLIS)).toEqual([null, false]);
    vi.useRealTimers();
  });

  it("says how far a run is a moment later, at once where it is slow, and no more when it is stopped", async () => {
    const { computation, model } = await ready();
    vi.useFakeTimers();
    const reports: ((done: number) => void)[] = [];
    vi.spyOn(model, "run").mockImplementation((_, options) => {
      reports.push((done) => options?.onProgress?.({ ...STEP, done }));
      return new Promise(() => undefined);
    });
    const after = (millis: number): unknown[] => {
      vi.advanceTimersByTime(millis);
      return [computation.slow, computation.progress?.done];
    };
    void computation.compute(ask("one two"));
    reports[0]?.(1);
    expect([after(49), after(1)]).toEqual([
      [false, undefined],
      [false, 1],
    ]);
    expect([after(549), after(1)]).toEqual([
      [false, 1],
      [true, 1],
    ]);
    reports[0]?.(2);
    expect(after(0)).toEqual([true, 2]);
    computation.stop();
    expect(computation).toMatchObject({ busy: false, stopped: true, failure: null });
    expect(after(2000)).toEqual([false, undefined]);
    computation.again();
    expect(computation).toMatchObject({ busy: true, stopped: false });
    reports[0]?.(3);
    reports[1]?.(4);
    expect(after(600)).toEqual([true, 4]);
    expect(model.inputs).toEqual([]);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("shows a run again only once it has grown, and releases it for the next one", async () => {
    const { computation } = await ready();
    const seen: [number, string | undefined][] = [];
    const stop = effect(() => {
      const { revision, sourceRevision, run } = computation;
      seen.push([revision - sourceRevision, run?.targetText]);
    });
    await computation.compute(ask("one two"));
    const { revision, sourceRevision } = computation;
    await computation.compute(ask("one two"));
    stop();
    // Once for each length, and at the end.
    expect([revision, sourceRevision]).toEqual([3, 1]);
    expect([computation.revision, computation.sourceRevision]).toEqual([6, 2]);
    expect(seen.map(([, text]) => text)).toContain("TWO");
  });

  it("has nothing to show of a blank text, not even an answer that is late", async () => {
    const { computation, model } = await ready();
    await computation.compute(ask("one two"));
    const late = computation.compute(ask("one two three"));
    await computation.compute(ask(" \n\t"));
    await late;
    expect(computation).toMatchObject({ run: null, busy: false, failure: null });
    expect([model.held.size, model.inputs.length]).toEqual([0, 2]);
  });

  it("releases a run that is finished although a newer request stopped it", async () => {
    const { computation, model } = await ready();
    const run = model.run.bind(model);
    model.run = (input) => run(input);
    const late = computation.compute(ask("one"));
    await computation.compute(ask("one two"));
    await late;
    expect([computation.run?.tokens, model.held.size]).toEqual([model.tokenize("one two"), 1]);
  });

  it("repeats the request once after a crash and shows a second crash", async () => {
    const { computation, model } = await ready();
    model.failing = failed("engine/crashed");
    await computation.compute(ask("one two"));
    model.restart();
    await vi.waitUntil(() => model.inputs.length === 2 && computation.failure !== null);
    model.restart();
    expect([computation.restarts, model.inputs.length]).toEqual([2, 2]);
    expect(computation.failure?.code).toBe("engine/crashed");
  });

  it("tells a model that fills gaps which ordinary tokens of the text are masked", async () => {
    const { computation, model } = await ready(new FakeModel(FAKE_READER));
    await computation.compute(ask("one two three", { masked: [2, 3, 0, 99] }));
    expect(model.inputs).toEqual([{ text: "one two three", masked: [2, 0] }]);
  });
});

describe("a model that writes", () => {
  it("goes on with the text under the same edits, and says what each candidate would add", async () => {
    const { computation, model } = await ready(new FakeModel(FAKE_WRITER));
    const edits = toggleHead(NO_EDITS, { ...HEAD, stack: "decoder" }, FAKE_INFO.stacks);
    await computation.compute(ask("one two", { edits, target: "of a translator", masked: [1] }));
    const { written, candidates } = computation.continuation ?? {};
    expect(written).toBe(" and so on and so on and so on and so on");
    expect(candidates?.map(({ addition }) => addition)).toEqual([" and", " so", " on"]);
    const input = { text: "one two", edits: { heads: edits.heads }, lenient: true };
    // Then the same without the edits, to compare with.
    expect([model.inputs, model.generated]).toEqual([[input], [input, { text: "one two" }]]);
  });

  it("is busy until the text is read, and then goes on until its continuation is there", async () => {
    const { computation } = await ready(new FakeModel(FAKE_WRITER));
    const states: string[] = [];
    const stop = effect(() => {
      const { busy, continuing } = computation;
      const now = busy ? "reads" : continuing ? "goes on" : "rests";
      if (states.at(-1) !== now) states.push(now);
    });
    await computation.compute(ask("one"));
    stop();
    expect(states).toEqual(["rests", "reads", "goes on", "rests"]);
    expect(computation.continuation?.text).toBe("one");
    const reader = await ready(new FakeModel({ ...FAKE_WRITER, predicts: false }));
    await reader.computation.compute(ask("one"));
    expect([reader.model.generated, reader.computation.continuation]).toEqual([[], null]);
  });

  it("keeps its last continuation until it has something to say to the next text, and none for a blank one", async () => {
    const { computation, model } = await ready(new FakeModel(FAKE_WRITER));
    await computation.compute(ask("one"));
    const next = computation.compute(ask("one two"));
    expect(computation.continuation?.text).toBe("one");
    await next;
    expect([computation.continuation?.text, model.generated.length]).toEqual(["one two", 2]);
    await computation.compute(ask(" "));
    expect(computation.continuation).toBeNull();
  });

  it("does not go on where the text fills it", async () => {
    const { computation, model } = await ready(new FakeModel(FAKE_WRITER));
    await computation.compute(ask("word ".repeat(63)));
    expect(computation).toMatchObject({ failure: null, continuation: null });
    expect(model.generated).toEqual([]);
  });
});

describe("loading", () => {
  it("computes what is asked for meanwhile, or keeps the reason why it failed", async () => {
    let arrive: (model: FakeModel) => void = () => undefined;
    const models = new ModelCache(() => new Promise((resolve) => (arrive = resolve)));
    const computation = new Computation(models);
    const used = computation.use("models/en-fr", ask("typed early"));
    await computation.compute(ask("typed later"));
    arrive(new FakeModel());
    await used;
    expect(computation.run?.targetText).toBe("LATER TYPED");
    const failing = new Computation(new ModelCache(() => Promise.reject(failed("load/not-found"))));
    await failing.use("models/en-fr", ask(""));
    expect([failing.download.phase, failing.failure?.code]).toEqual(["failed", "load/not-found"]);
  });

  it("ends when it is cancelled, and no failure is shown", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const models = new ModelCache((_, { signal }) => {
      signals.push(signal);
      return new Promise((_arrive, refuse) =>
        signal?.addEventListener("abort", () => refuse(failed("run/aborted"))),
      );
    });
    const computation = new Computation(models);
    const used = computation.use("models/en-fr", ask("one"));
    computation.cancelDownload();
    await used;
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(computation).toMatchObject({
      download: { phase: "cancelled" },
      failure: null,
      model: null,
      busy: false,
    });
  });

  it("of another model ends the download of the one before it, whose answer is put away", async () => {
    const early = new FakeModel();
    const late = new FakeModel(FAKE_WRITER);
    const loads: { options: LoadOptions; arrive: (model: FakeModel) => void }[] = [];
    const models = new ModelCache(
      (_, options) => new Promise((arrive) => loads.push({ options, arrive })),
    );
    const computation = new Computation(models);
    const first = computation.use("models/en-fr", ask("one"));
    const second = computation.use("models/tiny-gpt", ask("two"));
    expect(loads.map(({ options }) => options.signal?.aborted)).toEqual([true, false]);
    loads[1]?.arrive(late);
    loads[0]?.arrive(early);
    await Promise.all([first, second]);
    expect([early.disposed, early.inputs, late.inputs]).toEqual([true, [], [{ text: "two" }]]);
    expect(computation).toMatchObject({ model: late, failure: null, download: { phase: "ready" } });
    expect(models.ready).toEqual(["models/tiny-gpt"]);
  });

  it("is done once for a bundled model, which is there at once and notified of no crash of another", async () => {
    const translator = new FakeModel();
    const writer = new FakeModel(FAKE_WRITER);
    const load = vi.fn((source: unknown) =>
      Promise.resolve(source === "models/en-fr" ? translator : writer),
    );
    const phases: string[] = [];
    const computation = new Computation(new ModelCache(load));
    effect(() => void phases.push(computation.download.phase));
    await computation.use("models/en-fr", ask("one"));
    await computation.use("models/tiny-gpt", ask("one"));
    phases.length = 0;
    await computation.use("models/en-fr", ask("one"));
    expect([load.mock.calls.length, phases.includes("loading")]).toEqual([2, false]);
    writer.restart();
    expect(computation.restarts).toBe(0);
    translator.restart();
    expect(computation.restarts).toBe(1);
  });

  it("is done anew for a folder from a disk, so that its weights are not kept in memory", async () => {
    const made: FakeModel[] = [];
    const load = vi.fn(() => {
      made.push(new FakeModel());
      return Promise.resolve(made.at(-1) ?? new FakeModel());
    });
    const models = new ModelCache(load);
    const computation = new Computation(models);
    const files = [new File(["{}"], "config.json")];
    const opened = models.add("bert", files);
    await computation.use(opened, ask("one"));
    await computation.use("models/en-fr", ask("one"));
    expect(made.map(({ disposed }) => disposed)).toEqual([true, false]);
    expect([models.opened, models.ready]).toEqual([[opened], ["models/en-fr", opened]]);
    await computation.use(opened, ask("one"));
    expect(load.mock.calls.map(([source]: unknown[]) => source)).toEqual([
      files,
      "models/en-fr",
      files,
    ]);
    models.dispose();
    expect(made.every(({ disposed }) => disposed)).toBe(true);
  });
});

/** Spells its ids as bytes of "🙂", which are a character only together. */
class ByteWriter extends FakeModel {
  override decode(ids: number[], { nameBytes = false }: DecodeOptions = {}): string {
    const bytes = ids.filter((id) => id >= 1000).map((id) => id - 1000);
    const named = bytes.map((byte) => `⟨${byte.toString(16).toUpperCase()}⟩`).join("");
    return bytes.length === 4 ? "🙂" : nameBytes ? named : "\uFFFD".repeat(bytes.length);
  }

  override async *generate(): AsyncIterable<GenerationEvent> {
    for (const [step, byte] of [0xf0, 0x9f, 0x99, 0x82].entries()) {
      const chosen = { id: 1000 + byte, text: "", logit: 0, probability: 0.1 };
      await Promise.resolve();
      const candidates = [chosen, { ...chosen, id: 0 }];
      yield { kind: "step", step, candidates, chosen, probability: 0.1, stages: [], draw: null };
    }
  }
}

it("a continuation names the bytes of a character until it is whole, and adds no part of one", async () => {
  const seen: Continuation[] = [];
  const { signal } = new AbortController();
  const model = new ByteWriter(FAKE_WRITER);
  for await (const now of continuationsOf(model, { text: "one" }, {}, signal)) seen.push(now);
  expect(seen.map(({ written }) => written)).toEqual(["⟨F0⟩", "⟨F0⟩⟨9F⟩", "⟨F0⟩⟨9F⟩⟨99⟩", "🙂"]);
  expect(seen[0]?.candidates.map(({ addition }) => addition)).toEqual([null, ""]);
});

describe("what a translator's decoder read", () => {
  const run = (source: number[], target: number[]): Parameters<typeof hasTokensOf>[0] => {
    const token = (id: number): Token => ({ id, text: "", word: id, special: false, role: null });
    return { tokens: source.map(token), targetTokens: target.map(token) };
  };
  const info = { architecture: "encoder-decoder", maxTokens: 3 } as const;
  const written = run([1, 2], [0, 5, 7, 9]);

  it("is what was written, but for a last token that has no position", () => {
    expect(targetIdsOf(written, { ...info, maxTokens: 8 })).toEqual([0, 5, 7, 9]);
    expect(targetIdsOf(written, info)).toEqual([0, 5, 7]);
    expect(targetIdsOf(written, { ...info, architecture: "decoder" })).toBeUndefined();
  });

  it.each([
    [true, [1, 2], [0, 5, 7]],
    [false, [1, 3], [0, 5, 7]],
    [false, [1], [0, 5, 7]],
    [false, [1, 2], [0, 6, 7]],
  ])("is the same (%s) for %o and %o", (same, source, target) => {
    expect(hasTokensOf(run(source, target), written, info)).toBe(same);
  });
});

it.each([
  [64, 63],
  [63, 32],
  [8, 4],
])("of a text of %d words, and the token at its end, %d tokens are kept", (words, kept) => {
  const text = Array<string>(words).fill("word").join(" ");
  const model = new FakeModel({ ...FAKE_INFO, maxTokens: 64 });
  const decoded = vi.spyOn(model, "decode");
  firstTokens(text, model, DEFAULT_STATE.chat);
  expect(decoded.mock.calls[0]?.[0]).toHaveLength(kept);
  expect(firstTokens(text, null, DEFAULT_STATE.chat)).toBe(text);
});
