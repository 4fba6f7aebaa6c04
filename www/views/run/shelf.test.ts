import { expect, it } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import { Shelf } from "./shelf.js";

const ADAPTER = { vendor: "maker", architecture: "line", description: "", software: false };

it("lets all models go that are on a GPU which is left, and no other", async () => {
  const gone = [
    new FakeModel({ ...FAKE_INFO, adapter: ADAPTER }),
    new FakeModel({ ...FAKE_INFO, adapter: ADAPTER }),
  ];
  const restarted = new FakeModel();
  const models = [...gone, restarted];
  const shelf = new Shelf(() => Promise.resolve(models.shift() ?? restarted));
  const names = ["models/en-fr", "models/tiny-gpt", "models/tiny-bert"] as const;
  for (const name of names) await shelf.load(name, {});
  expect(shelf.leaveGpu()).toEqual(names.slice(0, 2));
  expect([...gone, restarted].map(({ disposed }) => disposed)).toEqual([true, true, false]);
  expect(names.map((name) => shelf.loaded(name))).toEqual([null, null, restarted]);
});

it("loads a folder that the page names from its address, and offers it again", async () => {
  const asked: unknown[] = [];
  const shelf = new Shelf(
    (source) => {
      asked.push(source);
      return Promise.resolve(new FakeModel());
    },
    (model) => `address of ${model}`,
  );
  await shelf.load("at/./models/mine/", {});
  expect([asked, shelf.opened]).toEqual([["address of at/./models/mine/"], ["at/./models/mine/"]]);
});
