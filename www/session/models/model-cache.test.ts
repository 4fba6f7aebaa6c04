import { describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import type { Adapter } from "../../headscope.js";
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

  it("are loaded from the address of a folder that the page names, which is offered again", async () => {
    const load = vi.fn(() => Promise.resolve(new FakeModel()));
    const models = new ModelCache(load, (model) => `address of ${model}`);
    await models.fetch("at/./models/mine/", signal);
    expect(load).toHaveBeenCalledWith("address of at/./models/mine/", expect.anything());
    expect(models.opened).toEqual(["at/./models/mine/"]);
  });
});
