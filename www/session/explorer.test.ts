// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel } from "../../tests/support/fake-model.js";
import type { ModelInfo } from "../data/index.js";
import { DEFAULT_STATE } from "../state/index.js";
import { Explorer, type StateChange } from "./explorer.js";
import { sampleImage } from "./run/shown-image.js";
import { answered } from "./testing/session.js";

const waiting = { load: () => new Promise<never>(() => undefined) };

it("begins with an address or with attributes, and has both of what it shows", () => {
  expect(new Explorer(waiting).state).toEqual(DEFAULT_STATE);
  const linked = new Explorer({ ...waiting, state: "#v=1&text=A+cat&layer=3" });
  expect(linked.address).toBe("v=1&text=A+cat&layer=3");
  expect(linked.attributes).toEqual({ text: "A cat", layer: "3" });
  const named = new Explorer({ ...waiting, state: { model: "./mine", "role-filter": "self" } });
  expect(named.state).toMatchObject({ model: "at/./mine", roleFilter: "self" });
  expect(named.attributes).toEqual({ model: "./mine", "role-filter": "self" });
  expect(named.address).toBe("v=1&model=./mine&role=self");
  // What stands beside this page need not stand beside the page that links lead to.
  const guest = new Explorer({ ...waiting, state: { model: "./mine" }, home: "https://a.org/b/" });
  expect(guest.address).toBeNull();
  named.state = { ...named.state, model: "opened/mine" };
  expect(named.attributes).toBeNull();
});

it("changes the fields that attributes name, as a step of undo, and all by an address", () => {
  const own = new Explorer(waiting);
  own.set({ text: "A cat", layer: 3 });
  own.set({ head: 2, layer: null });
  expect(own.state).toMatchObject({ text: "A cat", layer: DEFAULT_STATE.layer, head: 1 });
  own.session.command("undo");
  expect(own.state).toMatchObject({ text: "A cat", layer: 2, head: DEFAULT_STATE.head });
  own.set({ text: "A cat", layer: 3 });
  own.session.command("undo");
  expect(own.state.text).toBe(DEFAULT_STATE.text);
  own.open("v=1&head=4");
  expect(own.state).toEqual({ ...DEFAULT_STATE, head: 3 });
  expect(own.session.store.undoes).toBeNull();
});

it("refuses attributes that no State has, and changes nothing then", () => {
  const explorer = new Explorer(waiting);
  for (const [attributes, words] of [
    [{ layers: "2" }, /found layers/],
    [{ text: "A cat", layer: "x" }, /expected 1, 2, 3 …, found layer="x"/],
    [{ layer: 0 }, /found layer="0"/],
  ] as const) {
    expect(() => explorer.set(attributes)).toThrow(words);
    expect(() => new Explorer({ ...waiting, state: attributes })).toThrow(words);
  }
  expect(explorer.state).toBe(DEFAULT_STATE);
});

it("tells its surroundings of every change, and which they made themselves", () => {
  const explorer = new Explorer(waiting);
  const changed = vi.fn<(change: StateChange) => void>();
  const stop = explorer.onState(changed);
  explorer.set({ layer: 3 });
  explorer.session.update({ layer: 0 });
  explorer.open("v=1");
  stop();
  explorer.session.update({ layer: 3 });
  expect(changed.mock.calls.map(([{ state, isOwn }]) => [state.layer, isOwn])).toEqual([
    [2, false],
    [0, true],
    [1, false],
  ]);
});

it("reads an image of its own in a model of images, beside another explorer of the page", async () => {
  const image = { size: 2, patch: 1, classes: [] } as unknown as ModelInfo["image"];
  const drawn = { width: 1, height: 1, data: new Uint8ClampedArray(4) };
  vi.stubGlobal("createImageBitmap", () => ({ width: 1, height: 1, close: () => undefined }));
  const context = { fillRect: vi.fn(), drawImage: vi.fn(), getImageData: () => drawn };
  vi.stubGlobal(
    "OffscreenCanvas",
    vi.fn(function () {
      return { getContext: () => context };
    }),
  );
  const models = [1, 2].map(() => new FakeModel({ ...FAKE_INFO, image }));
  const explorers = models.map((model) => new Explorer({ load: () => Promise.resolve(model) }));
  for (const explorer of explorers) {
    explorer.begin();
    await answered(explorer.session);
  }
  await explorers[0]?.session.openImage(new Blob());
  for (const { session } of explorers) await answered(session);
  const read = models.map(({ inputs }) => inputs.at(-1)?.image);
  expect(read).toEqual([drawn, sampleImage()]);
  expect(explorers.map(({ session }) => session.shownImage.isOwn)).toEqual([true, false]);
  for (const explorer of explorers) explorer.dispose();
});

it("finds bundled models and links at a home of its own", () => {
  const { session } = new Explorer({ ...waiting, home: "https://a.example/b/" });
  expect(session.addressOf("models/en-fr")).toMatch(/^https:\/\/a\.example\/b\/models\/en-fr/);
  expect(new Explorer(waiting).session.home).toBe(document.baseURI);
});

it("computes between begin and dispose, also once more", async () => {
  const made: FakeModel[] = [];
  const load = (): Promise<FakeModel> => {
    const model = new FakeModel();
    made.push(model);
    return Promise.resolve(model);
  };
  const explorer = new Explorer({ load, state: { text: "one two" } });
  for (const times of [1, 2]) {
    explorer.begin();
    await answered(explorer.session);
    expect(explorer.session.computation.run?.tokens).toHaveLength(3);
    explorer.dispose();
    expect(explorer.session.computation.run).toBeNull();
    expect(made.map(({ disposed }) => disposed)).toEqual(Array(times).fill(true));
  }
});

it("shows nothing once it was disposed of, at whichever moment that is", async () => {
  for (const millis of [0, 20, 60, 300]) {
    vi.useFakeTimers();
    const explorer = new Explorer({ load: () => Promise.resolve(new FakeModel()) });
    explorer.begin();
    await vi.advanceTimersByTimeAsync(1000);
    const { session } = explorer;
    expect(session.settled).toBe(true);
    explorer.set({ text: `one two ${millis}` });
    session.pointing.pointAt({ query: 0, key: 0 });
    session.pointing.pointAt({ query: 1, key: 0 });
    await vi.advanceTimersByTimeAsync(millis);
    explorer.dispose();
    const { hover } = session.pointing;
    const frame = vi.spyOn(globalThis, "requestAnimationFrame");
    await vi.advanceTimersByTimeAsync(1000);
    expect([frame.mock.calls.length, session.pointing.hover]).toEqual([0, hover]);
    frame.mockRestore();
    vi.useRealTimers();
  }
});
