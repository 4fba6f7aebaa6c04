import { describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import type { Adapter } from "../../headscope.js";
import type { ModelName } from "../../state/index.js";
import { ModelCache } from "./model-cache.js";

const ADAPTER: Adapter = { vendor: "maker", architecture: "", description: "", software: false };

describe("the models of an explorer", () => {
  const { signal } = new AbortController();

  it("leave a GPU together, and no other", async () => {
    const onGpu = { ...FAKE_INFO, adapter: ADAPTER };
    const made = [onGpu, onGpu, FAKE_INFO].map((info) => new FakeModel(info));
    const loads = [...made];
    const models = new ModelCache(() => Promise.resolve(loads.shift() ?? new FakeModel()));
    const names = ["models/en-fr", "models/tiny-gpt", "models/tiny-bert"] as const;
    for (const name of names) await models.fetch(name, signal);
    expect(models.leaveGpu()).toEqual(names.slice(0, 2));
    expect(made.map(({ disposed }) => disposed)).toEqual([true, true, false]);
    expect(names.map((name) => models.loaded(name))).toEqual([null, null, made[2]]);
  });

  it("that are bundled stay loaded while they have a user, and the last one without", async () => {
    const made: FakeModel[] = [];
    const models = new ModelCache(() => {
      made.push(new FakeModel());
      return Promise.resolve(made.at(-1) ?? new FakeModel());
    });
    const [page, comparison] = [{}, {}];
    const take = async (user: object, name: ModelName): Promise<void> => {
      models.keepOnlyFor(user, null);
      models.keepFor(user, name);
      if (!models.loaded(name)) await models.fetch(name, signal);
    };
    await take(comparison, "models/tiny-gpt");
    await take(page, "models/en-fr");
    await take(page, "models/tiny-bert");
    await take(page, "models/en-fr");
    expect(made).toHaveLength(3);
    await take(page, "models/tiny-vit");
    // The comparison has the first, and the translator was left last.
    expect(models.ready).toEqual(["models/tiny-gpt", "models/en-fr", "models/tiny-vit"]);
    expect(made.map(({ disposed }) => disposed)).toEqual([false, false, true, false]);
    await take(page, "models/tiny-bert");
    expect(models.ready).toEqual(["models/tiny-gpt", "models/tiny-vit", "models/tiny-bert"]);
    expect([made.length, models.loaded("models/tiny-bert")]).toEqual([5, made[4]]);
  });

  it("are loaded from the address of a folder that the page names, which is offered again", async () => {
    const load = vi.fn(() => Promise.resolve(new FakeModel()));
    const models = new ModelCache(load, (model) => `address of ${model}`);
    await models.fetch("at/./models/mine/", signal);
    expect(load).toHaveBeenCalledWith("address of at/./models/mine/", expect.anything());
    expect(models.opened).toEqual(["at/./models/mine/"]);
  });
});
