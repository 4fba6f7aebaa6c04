import { describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import { HeadscopeError, type LoadOptions } from "../../headscope.js";
import { DEFAULT_STATE, NO_EDITS, toggleCell, toggleHead } from "../../state/index.js";
import { Computation, type Request } from "./computation.js";

const HEAD = { stack: "cross", layer: 1, head: 2 } as const;
const ask = (text: string, more: Partial<Request> = {}): Request => ({ ...DEFAULT_STATE, text, ...more });
const crash = new HeadscopeError({ code: "engine/crashed", message: "crashed", doing: "", expected: "", got: "" });

async function ready(): Promise<{ computation: Computation; model: FakeModel; restarts: () => number }> {
  const model = new FakeModel();
  let restarts = 0;
  const computation = new Computation(() => Promise.resolve(model), { changed: () => undefined, restarted: () => (restarts += 1) });
  await computation.load("models/fake");
  return { computation, model, restarts: () => restarts };
}

describe("computing", () => {
  it("answers the last of many requests and holds on to no other run", async () => {
    const { computation, model } = await ready();
    const typed = Array.from({ length: 200 }, (_, count) => "a dog bites a man ".repeat(3).slice(0, count));
    await Promise.all(typed.map((text) => computation.compute(ask(text))));
    expect(computation.run?.tokens.map(({ text }) => text)).toEqual(model.tokenize(typed.at(-1) ?? "").map(({ text }) => text));
    expect([computation.progress, model.held.size]).toEqual([null, 1]);
  });

  it("shows a run while it is still written", async () => {
    const model = new FakeModel();
    const shown: (string | undefined)[] = [];
    const computation: Computation = new Computation(() => Promise.resolve(model), {
      changed: () => shown.push(computation.run?.targetText),
      restarted: () => undefined,
    });
    await computation.load("models/fake");
    await computation.compute(ask("one two three"));
    expect(shown.slice(-5)).toEqual(["", "THREE", "THREE TWO", "THREE TWO ONE", "THREE TWO ONE"]);
  });

  it("remembers what the model writes without edits, and asks when it does not know", async () => {
    const { computation, model } = await ready();
    const edits = toggleHead(NO_EDITS, HEAD);
    await computation.compute(ask("one two", { edits }));
    expect([computation.run?.targetText, computation.unedited]).toEqual(["TWO ONE!", { text: "one two", translation: "TWO ONE" }]);
    expect(model.inputs).toHaveLength(2);
    await computation.compute(ask("one two", { edits: toggleHead(edits, { ...HEAD, head: 3 }) }));
    expect(model.inputs).toHaveLength(3);
  });

  it("sends only edits that fit the texts", async () => {
    const { computation, model } = await ready();
    const edits = toggleCell(toggleCell(NO_EDITS, HEAD, { query: 0, key: 0 }), HEAD, { query: 1, key: 9 });
    await computation.compute(ask("one two", { edits, target: "un deux" }));
    expect(model.inputs[0]?.edits).toEqual({ masks: [{ stack: "cross", layers: [1], heads: [2], block: [[0, 0]] }] });
  });

  it("keeps the last readable run when a text is refused", async () => {
    const { computation } = await ready();
    await computation.compute(ask("one two"));
    await computation.compute(ask("word ".repeat(100)));
    expect([computation.failure?.code, computation.run?.targetText]).toEqual(["input/too-long", "TWO ONE"]);
    await computation.compute(ask("three"));
    expect([computation.failure, computation.run?.targetText]).toEqual([null, "THREE"]);
  });

  it("has nothing to show of a blank text, not even an answer that is late", async () => {
    const { computation, model } = await ready();
    await computation.compute(ask("one two"));
    const late = computation.compute(ask("one two three"));
    await computation.compute(ask(" \n\t"));
    await late;
    expect([computation.run, computation.busy, computation.failure, model.held.size, model.inputs.length]).toEqual([null, false, null, 0, 2]);
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
    expect([restarts(), model.inputs.length, computation.failure?.code]).toEqual([2, 2, "engine/crashed"]);
    model.failing = null;
    computation.again();
    await vi.waitUntil(() => computation.run?.targetText === "TWO ONE");
    expect(computation.failure).toBeNull();
  });
});

describe("crashes far apart", () => {
  it("are each recovered from", async () => {
    const { computation, model } = await ready();
    await computation.compute(ask("one two"));
    for (const runs of [2, 3]) {
      model.restart();
      await vi.waitUntil(() => model.inputs.length === runs && !computation.busy);
    }
    expect([computation.failure, computation.run?.targetText]).toEqual([null, "TWO ONE"]);
  });
});

describe("loading", () => {
  it("computes what was asked for meanwhile", async () => {
    const model = new FakeModel();
    const computation = new Computation(() => Promise.resolve(model), { changed: () => undefined, restarted: () => undefined });
    await computation.compute(ask("typed early"));
    await computation.load("models/fake");
    expect(computation.run?.targetText).toBe("EARLY TYPED");
  });

  it("says how far it is, can be cancelled, and can be asked for again", async () => {
    const model = new FakeModel();
    let release: () => void = () => undefined;
    const load = ({ signal, onProgress }: LoadOptions): Promise<FakeModel> => {
      onProgress?.({ file: "model.safetensors", loadedBytes: 3, totalBytes: 9 });
      return new Promise((resolve, reject) => {
        release = () => resolve(model);
        signal?.addEventListener("abort", () => reject(new Error("stopped")));
      });
    };
    const computation = new Computation((_, options) => load(options), { changed: () => undefined, restarted: () => undefined });
    const first = computation.load("models/fake");
    expect(computation.download).toEqual({ phase: "loading", loadedBytes: 3, totalBytes: 9 });
    computation.cancelDownload();
    await first;
    expect([computation.download.phase, computation.failure]).toEqual(["cancelled", null]);
    const second = computation.load("models/fake");
    release();
    await second;
    expect([computation.download.phase, computation.model]).toEqual(["ready", model]);
  });

  it("that fails keeps the reason", async () => {
    const refused = new HeadscopeError({ code: "load/not-found", message: "no", doing: "", expected: "", got: "" });
    const computation = new Computation(() => Promise.reject(refused), { changed: () => undefined, restarted: () => undefined });
    await computation.load("models/fake");
    expect([computation.download.phase, computation.failure?.code]).toEqual(["failed", "load/not-found"]);
  });
});
