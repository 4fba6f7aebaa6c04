import { describe, expect, it, vi } from "vitest";
import { FakeModel, failed } from "../../../tests/support/fake-model.js";
import { NO_EDITS, type ModelName } from "../../state/index.js";
import { Computation } from "./computation.js";
import { OtherComputation, type Wish } from "./other.js";
import { ModelCache } from "./model-pool.js";

const wish = (text: string, model: ModelName = "models/en-fr"): Wish => ({
  comparison: "other",
  key: `${model} ${text}`,
  model,
  input: () => ({ text }),
});

async function ready(): Promise<{
  other: OtherComputation;
  model: FakeModel;
  models: ModelCache;
  loads: () => number;
}> {
  const model = new FakeModel();
  let loads = 0;
  const models = new ModelCache(() => {
    loads += 1;
    return Promise.resolve(model);
  });
  await models.load("models/en-fr", {});
  return { other: new OtherComputation(models), model, models, loads: () => loads };
}

const settled = (other: OtherComputation): Promise<boolean> => vi.waitUntil(() => !other.busy);

describe("the other run", () => {
  it("answers the last of many wishes, once, and holds on to no other run", async () => {
    const { other, model } = await ready();
    for (const text of ["one", "one two", "one two three"]) other.want(wish(text));
    other.want(wish("one two three"));
    await settled(other);
    other.want(wish("one two three"));
    expect(other.busy).toBe(false);
    expect([
      other.run?.targetText,
      other.isFor(wish("one two three")),
      other.isFor(wish("one")),
      model.held.size,
    ]).toEqual(["THREE TWO ONE", true, false, 1]);
  });

  it("stops for the run that is shown, keeps what it had, and begins again after it", async () => {
    const { other, model } = await ready();
    other.want(wish("one"));
    await settled(other);
    other.want(wish("one two"));
    other.hold();
    expect([other.busy, other.run?.targetText]).toEqual([false, "ONE"]);
    other.want(wish("one two"));
    await settled(other);
    expect([other.run?.targetText, model.held.size]).toEqual(["TWO ONE", 1]);
  });

  it("has a failure of its own, which is not repeated until it is asked to", async () => {
    const { other, model } = await ready();
    model.failing = failed("input/malformed", { message: "no" });
    other.want(wish("one"));
    await settled(other);
    other.want(wish("one"));
    expect([other.busy, other.failure?.code, model.inputs.length]).toEqual([
      false,
      "input/malformed",
      1,
    ]);
    model.failing = null;
    other.again();
    other.want(wish("one"));
    await settled(other);
    expect([other.failure, other.run?.targetText]).toEqual([null, "ONE"]);
  });

  it("fetches another model, and takes it from the models the next time", async () => {
    const { other, models, loads } = await ready();
    other.want(wish("one", "models/tiny-gpt"));
    expect(other.download).toEqual({ phase: "loading", loadedBytes: 0, totalBytes: null });
    await settled(other);
    expect([other.download, models.ready, loads()]).toEqual([
      null,
      ["models/en-fr", "models/tiny-gpt"],
      2,
    ]);
    other.want(wish("two", "models/tiny-gpt"));
    await settled(other);
    expect(loads()).toBe(2);
  });

  it.each(["engine/crashed", "gpu/lost"])(
    "is computed again after its thread died, but not when it was what died with %s",
    async (code) => {
      const { other, model } = await ready();
      other.want(wish("one"));
      await settled(other);
      model.restart();
      expect(other.run).toBeNull();
      other.want(wish("one"));
      await settled(other);
      model.failing = failed(code, { message: "crashed" });
      other.want(wish("two"));
      await settled(other);
      model.restart();
      other.want(wish("two"));
      expect([other.busy, other.failure?.code]).toEqual([false, code]);
    },
  );
});

describe("a folder from a disk beside the run that is shown", () => {
  const folder = (): {
    models: ModelCache;
    other: OtherComputation;
    opened: ModelName;
    made: Map<unknown, FakeModel>;
  } => {
    const made = new Map<unknown, FakeModel>();
    const models = new ModelCache((source) => {
      const model = new FakeModel();
      made.set(typeof source === "string" ? source : "folder", model);
      return Promise.resolve(model);
    });
    return {
      models,
      other: new OtherComputation(models),
      opened: models.add("bert", []),
      made,
    };
  };

  it("is put away when another model's run is there, and when the comparison ends", async () => {
    const { models, other, opened, made } = folder();
    other.want(wish("one", opened));
    await settled(other);
    other.want(wish("one", "models/tiny-gpt"));
    expect(made.get("folder")?.disposed).toBe(false);
    await settled(other);
    expect([made.get("folder")?.disposed, models.loaded(opened)]).toEqual([true, null]);
    other.want(wish("one", opened));
    await settled(other);
    other.want(null);
    expect([made.get("folder")?.disposed, made.get("models/tiny-gpt")?.disposed]).toEqual([
      true,
      false,
    ]);
  });

  it("stays while the one or the other run uses it", async () => {
    const { models, other, opened, made } = folder();
    const first = new Computation(models);
    const request = { text: "one", hidden: [], target: null, edits: NO_EDITS };
    await first.use(opened, request);
    other.want(wish("two", opened));
    await settled(other);
    other.clear();
    expect(models.loaded(opened)).toBe(first.model);
    other.want(wish("two", opened));
    await settled(other);
    await first.use("models/en-fr", request);
    expect([other.run?.targetText, made.get("folder")?.disposed]).toEqual(["TWO", false]);
    other.clear();
    expect(made.get("folder")?.disposed).toBe(true);
  });
});
