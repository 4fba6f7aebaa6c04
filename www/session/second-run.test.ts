import { describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, failed } from "../../tests/support/fake-model.js";
import { DEFAULT_STATE, NO_EDITS, type ModelName, type State, toggleHead } from "../state/index.js";
import { Computation, inputOf } from "./run/computation.js";
import {
  isOfHeads,
  otherTargetOf,
  secondRequest,
  type SecondRequest,
  SecondRun,
} from "./second-run.js";
import { ModelCache } from "./models/model-cache.js";
import { ShownImage } from "./run/shown-image.js";

const asked = (text: string, model: ModelName = "models/en-fr"): SecondRequest => ({
  comparison: "other",
  key: `${model} ${text}`,
  model,
  input: () => ({ text }),
});

const HEAD = { stack: "cross", layer: 0, head: 1 } as const;

async function ready(): Promise<{ other: SecondRun; model: FakeModel }> {
  const model = new FakeModel();
  const models = new ModelCache(() => Promise.resolve(model));
  await models.fetch("models/en-fr", new AbortController().signal);
  return { other: new SecondRun(models), model };
}

const settled = (other: SecondRun): Promise<boolean> => vi.waitUntil(() => !other.busy);

describe("the other run", () => {
  it("answers the last of many requests, once, and holds on to no other run", async () => {
    const { other, model } = await ready();
    for (const text of ["one", "one two", "one two three"]) other.want(asked(text));
    other.want(asked("one two three"));
    await settled(other);
    other.want(asked("one two three"));
    expect(other.busy).toBe(false);
    const found = [other.run?.targetText, other.isFor(asked("one")), model.held.size];
    expect(found).toEqual(["THREE TWO ONE", false, 1]);
  });

  it("stops for the run that is shown, keeps what it had, and begins again after it", async () => {
    const { other, model } = await ready();
    other.want(asked("one"));
    await settled(other);
    other.want(asked("one two"));
    other.stop();
    await settled(other);
    expect([other.failure, other.run?.targetText]).toEqual([null, "ONE"]);
    other.want(asked("one two"));
    await settled(other);
    expect([other.run?.targetText, model.held.size]).toEqual(["TWO ONE", 1]);
  });

  it("has a failure of its own, which is not repeated until it is asked to", async () => {
    const { other, model } = await ready();
    model.failing = failed("input/malformed", { message: "no" });
    other.want(asked("one"));
    await settled(other);
    other.want(asked("one"));
    const found = [other.busy, other.failure?.code, model.inputs.length];
    expect(found).toEqual([false, "input/malformed", 1]);
    model.failing = null;
    other.again();
    other.want(asked("one"));
    await settled(other);
    expect([other.failure, other.run?.targetText]).toEqual([null, "ONE"]);
  });

  it.each(["engine/crashed", "gpu/lost"])(
    "is computed again after its thread died, but not when it was what died with %s",
    async (code) => {
      const { other, model } = await ready();
      other.want(asked("one"));
      await settled(other);
      model.restart();
      expect(other.run).toBeNull();
      other.want(asked("one"));
      await settled(other);
      model.failing = failed(code, { message: "crashed" });
      other.want(asked("two"));
      await settled(other);
      model.restart();
      other.want(asked("two"));
      expect([other.busy, other.failure?.code]).toEqual([false, code]);
    },
  );
});

it("the other translation stands beside the user's own one of the same text", () => {
  const texts = { text: "one", otherText: null, target: "un", otherTarget: "une" };
  expect(otherTargetOf(texts)).toBe("une");
  expect(otherTargetOf({ ...texts, otherTarget: null })).toBe("un");
  // Of a translation that the model writes, and of another text, the model writes the other too.
  expect(otherTargetOf({ ...texts, target: null })).toBeNull();
  expect(otherTargetOf({ ...texts, otherText: "two" })).toBeNull();
  const heads = { ...DEFAULT_STATE, compare: "other", otherHead: HEAD } as const;
  expect(isOfHeads({ ...heads, ...texts })).toBe(false);
  expect(isOfHeads({ ...heads, ...texts, otherTarget: null })).toBe(true);
});

it("a folder from a disk is disposed of when neither run uses it", async () => {
  const made = new Map<unknown, FakeModel>();
  const models = new ModelCache((source) => {
    const model = new FakeModel();
    made.set(typeof source === "string" ? source : "folder", model);
    return Promise.resolve(model);
  });
  const opened = models.add("bert", []);
  const disposed = (): boolean | undefined => made.get("folder")?.disposed;
  const first = new Computation(models);
  const other = new SecondRun(models);
  const request = {
    text: "one",
    masked: [],
    target: null,
    chat: "off" as const,
    sampling: null,
    edits: NO_EDITS,
  };
  await first.use(opened, request);
  other.want(asked("two", opened));
  await settled(other);
  other.clear();
  expect(models.loaded(opened)).toBe(first.model);
  other.want(asked("two", opened));
  await settled(other);
  await first.use("models/en-fr", request);
  expect([other.run?.targetText, disposed()]).toEqual(["TWO", false]);
  other.want(asked("one", "models/tiny-gpt"));
  expect(disposed()).toBe(false);
  await settled(other);
  expect([disposed(), models.loaded(opened)]).toEqual([true, null]);
});

const IMAGE = new ShownImage();
const EDITS = toggleHead(NO_EDITS, { stack: "cross", layer: 0, head: 0 }, FAKE_INFO.stacks);
const state = (more: Partial<State>): State => ({ ...DEFAULT_STATE, text: "one two", ...more });

async function first(): Promise<{ model: FakeModel; run: Awaited<ReturnType<FakeModel["run"]>> }> {
  const model = new FakeModel();
  return { model, run: await model.run({ text: "one two" }) };
}

describe("what a comparison asks for", () => {
  it("is none without a comparison, a first run or a text", async () => {
    const shown = await first();
    expect(secondRequest(state({}), null, shown, IMAGE)).toBeNull();
    expect(secondRequest(state({}), "other", { model: null, run: null }, IMAGE)).toBeNull();
    expect(secondRequest(state({ otherText: " " }), "other", shown, IMAGE)).toBeNull();
  });

  it("reads as the original the very tokens of the edited run, and no edits", async () => {
    const shown = await first();
    const request = secondRequest(state({ edits: EDITS, target: "un" }), "original", shown, IMAGE);
    expect(request?.input(shown.model)).toEqual({
      text: "one two",
      targetIds: shown.run.targetTokens.map(({ id }) => id),
    });
  });

  it("reads another text without the first one's translation and masked tokens", async () => {
    const shown = await first();
    const asks = state({ otherText: "three", target: "un", masked: [0], edits: EDITS });
    const request = secondRequest(asks, "other", shown, IMAGE);
    expect(request?.model).toBe("models/en-fr");
    expect(request?.input(shown.model)).toEqual({ text: "three" });
  });

  it("reads two heads of one text in one run, with its edits", async () => {
    const shown = await first();
    const otherHead = { stack: "encoder", layer: 0, head: 1 } as const;
    const heads = state({ compare: "other", otherHead, masked: [0], edits: EDITS });
    const own = inputOf(heads, shown.model, IMAGE);
    expect(secondRequest(heads, "other", shown, IMAGE)?.input(shown.model)).toEqual(own);
    const texts = { ...heads, otherText: "three" };
    expect(secondRequest(texts, "other", shown, IMAGE)?.input(shown.model)).toEqual({
      text: "three",
    });
  });
});
