import { describe, expect, it, vi } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
  failed,
} from "../../../tests/support/fake-model.js";
import type { DecodeOptions, GenerationEvent } from "../../headscope.js";
import { effect } from "../../signals.js";
import { DEFAULT_STATE, NO_EDITS, toggleCells, toggleHead } from "../../state/index.js";
import { Computation, type Continuation, editsIn, goOn, type Request } from "./computation.js";
import { ModelCache } from "./model-cache.js";

const HEAD = { stack: "cross", layer: 1, head: 2 } as const;
const ask = (text: string, more: Partial<Request> = {}): Request => ({
  ...DEFAULT_STATE,
  text,
  ...more,
});
const crash = failed("engine/crashed", { message: "crashed" });

/** A promise that a test keeps when it wants. */
function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((keep) => (resolve = keep));
  return { promise, resolve };
}

async function ready(
  model = new FakeModel(),
): Promise<{ computation: Computation; model: FakeModel; restarts: () => number }> {
  let restarts = 0;
  const computation = new Computation(new ModelCache(() => Promise.resolve(model)), {
    restarted: () => (restarts += 1),
  });
  await computation.use("models/en-fr", ask(""));
  return { computation, model, restarts: () => restarts };
}

describe("computing", () => {
  it("answers the last of many requests and holds on to no other run", async () => {
    const { computation, model } = await ready();
    const typed = Array.from({ length: 200 }, (_, count) =>
      "a dog bites a man ".repeat(3).slice(0, count),
    );
    await Promise.all(typed.map((text) => computation.compute(ask(text))));
    expect(computation.run?.tokens.map(({ text }) => text)).toEqual(
      model.tokenize(typed.at(-1) ?? "").map(({ text }) => text),
    );
    expect([computation.progress, model.held.size]).toEqual([null, 1]);
  });

  it("remembers what the model writes without edits, and asks when it does not know", async () => {
    const { computation, model } = await ready();
    const edits = toggleHead(NO_EDITS, HEAD, FAKE_INFO.stacks);
    await computation.compute(ask("one two", { edits }));
    expect([computation.run?.targetText, computation.unedited]).toEqual([
      "TWO ONE!",
      { text: "one two", translation: "TWO ONE" },
    ]);
    expect(model.inputs).toHaveLength(2);
    await computation.compute(
      ask("one two", { edits: toggleHead(edits, { ...HEAD, head: 3 }, FAKE_INFO.stacks) }),
    );
    expect(model.inputs).toHaveLength(3);
  });

  it("asks for all edits, and knows by each what the finished run leaves out", async () => {
    const { computation, model } = await ready();
    const edits = toggleCells(NO_EDITS, HEAD, [{ query: 1, key: 9 }], null);
    const misfit = { list: "masks", index: 0, code: "edit/not-in-text", says: "inactive" } as const;
    model.fit = { edits: {}, misfits: [{ ...misfit, values: [], stacks: [] }] };
    await computation.compute(ask("one two", { edits, target: "un deux" }));
    expect(model.inputs[0]).toMatchObject({ edits: { masks: edits.masks }, lenient: true });
    expect(computation.applied?.misfits.get(edits.masks[0] ?? {})).toMatchObject(misfit);
    expect(editsIn(edits, computation.applied)).toEqual({});
    expect(editsIn({ ...edits }, computation.applied)).toEqual({ masks: edits.masks });
  });

  it("keeps the last readable run when a text is refused", async () => {
    const { computation } = await ready();
    await computation.compute(ask("one two"));
    await computation.compute(ask("word ".repeat(100)));
    expect([computation.failure?.code, computation.run?.targetText]).toEqual([
      "input/too-long",
      "TWO ONE",
    ]);
    await computation.compute(ask("three"));
    expect([computation.failure, computation.run?.targetText]).toEqual([null, "THREE"]);
  });

  it("has nothing to show of a blank text, not even an answer that is late", async () => {
    const { computation, model } = await ready();
    await computation.compute(ask("one two"));
    const late = computation.compute(ask("one two three"));
    await computation.compute(ask(" \n\t"));
    await late;
    expect([
      computation.run,
      computation.busy,
      computation.failure,
      model.held.size,
      model.inputs.length,
    ]).toEqual([null, false, null, 0, 2]);
    await computation.compute(ask("one"));
    expect(computation.run?.targetText).toBe("ONE");
  });

  it("can be stopped and started again", async () => {
    const { computation } = await ready();
    const stopped = computation.compute(ask("one two three"));
    computation.stop();
    await stopped;
    expect([computation.stopped, computation.failure]).toEqual([true, null]);
    computation.again();
    await vi.waitUntil(() => computation.run?.targetText === "THREE TWO ONE");
    expect(computation.stopped).toBe(false);
  });
});

describe("a crash", () => {
  it("repeats the request once and shows a second crash", async () => {
    const { computation, model, restarts } = await ready();
    model.failing = crash;
    await computation.compute(ask("one two"));
    model.restart();
    await vi.waitUntil(() => model.inputs.length === 2 && computation.failure !== null);
    model.restart();
    expect([restarts(), model.inputs.length, computation.failure?.code]).toEqual([
      2,
      2,
      "engine/crashed",
    ]);
    model.failing = null;
    computation.again();
    await vi.waitUntil(() => computation.run?.targetText === "TWO ONE");
    expect(computation.failure).toBeNull();
  });
});

describe("a model that writes", () => {
  it("goes on with the text under the same edits, and says what each candidate would add", async () => {
    const { computation, model } = await ready(new FakeModel(FAKE_WRITER));
    const edits = toggleHead(NO_EDITS, { ...HEAD, stack: "decoder" }, FAKE_INFO.stacks);
    await computation.compute(
      ask("one two", { edits, target: "kept for a translator", hidden: [1] }),
    );
    expect(computation.continuation?.written).toBe(" and so on and so on and so on and so on");
    expect(computation.continuation?.candidates.map(({ addition }) => addition)).toEqual([
      " and",
      " so",
      " on",
    ]);
    expect(model.generated).toEqual([
      { text: "one two", edits: { heads: edits.heads }, lenient: true },
    ]);
    expect(model.inputs).toEqual(model.generated);
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
    expect([computation.failure, computation.continuation, model.generated.length]).toEqual([
      null,
      null,
      0,
    ]);
  });
});

describe("a model that fills gaps", () => {
  it("is told which ordinary tokens of the text are hidden", async () => {
    const { computation, model } = await ready(new FakeModel(FAKE_READER));
    await computation.compute(ask("one two three", { hidden: [2, 3, 0, 99] }));
    expect(model.inputs).toEqual([{ text: "one two three", hidden: [2, 0] }]);
    expect(computation.run?.tokens.map(({ role }) => role)).toEqual(["mask", null, "mask", "end"]);
  });
});

describe("loading", () => {
  it("computes what is asked for meanwhile", async () => {
    const { promise, resolve } = deferred<FakeModel>();
    const computation = new Computation(new ModelCache(() => promise));
    const used = computation.use("models/en-fr", ask("typed early"));
    await computation.compute(ask("typed later"));
    resolve(new FakeModel());
    await used;
    expect(computation.run?.targetText).toBe("LATER TYPED");
  });

  it("that fails keeps the reason", async () => {
    const refused = failed("load/not-found", { message: "no" });
    const computation = new Computation(new ModelCache(() => Promise.reject(refused)));
    await computation.use("models/en-fr", ask(""));
    expect([computation.download.phase, computation.failure?.code]).toEqual([
      "failed",
      "load/not-found",
    ]);
  });
});

describe("another model", () => {
  it("ends the download of the one before it, whose answer is put away", async () => {
    const [early, late] = [new FakeModel(), new FakeModel(FAKE_WRITER)];
    const [slow, fast] = [deferred<FakeModel>(), deferred<FakeModel>()];
    const signals: (AbortSignal | undefined)[] = [];
    const models = new ModelCache((source, { signal }) => {
      signals.push(signal);
      return source === "models/en-fr" ? slow.promise : fast.promise;
    });
    const computation = new Computation(models);
    const first = computation.use("models/en-fr", ask("one"));
    const second = computation.use("models/tiny-gpt", ask("two"));
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
    fast.resolve(late);
    slow.resolve(early);
    await Promise.all([first, second]);
    expect([computation.model, early.disposed, early.inputs, late.inputs]).toEqual([
      late,
      true,
      [],
      [{ text: "two" }],
    ]);
    expect([models.ready, computation.download.phase, computation.failure]).toEqual([
      ["models/tiny-gpt"],
      "ready",
      null,
    ]);
  });

  it("that was loaded before is there at once, and hears of no crash of another", async () => {
    const [translator, writer] = [new FakeModel(), new FakeModel(FAKE_WRITER)];
    let loads = 0;
    let restarts = 0;
    const models = new ModelCache((source) => {
      loads += 1;
      return Promise.resolve(source === "models/en-fr" ? translator : writer);
    });
    const phases: string[] = [];
    const computation = new Computation(models, { restarted: () => (restarts += 1) });
    effect(() => void phases.push(computation.download.phase));
    await computation.use("models/en-fr", ask("one"));
    await computation.use("models/tiny-gpt", ask("one"));
    phases.length = 0;
    await computation.use("models/en-fr", ask("one"));
    expect([loads, computation.run?.targetText, phases.includes("loading")]).toEqual([
      2,
      "ONE",
      false,
    ]);
    writer.restart();
    expect(restarts).toBe(0);
    translator.restart();
    expect(restarts).toBe(1);
  });
});

describe("a folder from a disk", () => {
  it("is read anew each time, so that its weights are not kept in memory", async () => {
    const made: FakeModel[] = [];
    const sources: unknown[] = [];
    const models = new ModelCache((source) => {
      sources.push(source);
      const model = new FakeModel();
      made.push(model);
      return Promise.resolve(model);
    });
    const computation = new Computation(models);
    const files = [new File(["{}"], "config.json")];
    const opened = models.add("bert", files);
    await computation.use(opened, ask("one"));
    await computation.use("models/en-fr", ask("one"));
    expect([made.map(({ disposed }) => disposed), models.opened, models.ready]).toEqual([
      [true, false],
      [opened],
      ["models/en-fr", opened],
    ]);
    await computation.use(opened, ask("one"));
    expect(sources).toEqual([files, "models/en-fr", files]);
    models.dispose();
    expect(made.every(({ disposed }) => disposed)).toBe(true);
  });
});

/** Spells its ids as bytes of "🙂", which are a character only together. */
class ByteWriter extends FakeModel {
  override decode(ids: number[], { nameBytes = false }: DecodeOptions = {}): string {
    const bytes = ids.filter((id) => id >= BYTE).map((id) => id - BYTE);
    const named = bytes.map((byte) => `⟨${byte.toString(16).toUpperCase()}⟩`).join("");
    return bytes.length === 4 ? "🙂" : nameBytes ? named : "\uFFFD".repeat(bytes.length);
  }

  override async *generate(): AsyncIterable<GenerationEvent> {
    for (const [step, byte] of [0xf0, 0x9f, 0x99, 0x82].entries()) {
      const chosen = { id: BYTE + byte, text: "", logit: 0, probability: 0.1 };
      await Promise.resolve();
      yield { step, candidates: [chosen, { ...chosen, id: 0 }], chosen, probability: 0.1 };
    }
  }
}
const BYTE = 1000;

it("a continuation names the bytes of a character until it is whole, and adds no part of one", async () => {
  const seen: Continuation[] = [];
  const { signal } = new AbortController();
  await goOn(new ByteWriter(FAKE_WRITER), { text: "one" }, signal, (now) => seen.push(now));
  expect(seen.map(({ written }) => written)).toEqual(["⟨F0⟩", "⟨F0⟩⟨9F⟩", "⟨F0⟩⟨9F⟩⟨99⟩", "🙂"]);
  expect(seen[0]?.candidates.map(({ addition }) => addition)).toEqual([null, ""]);
});
