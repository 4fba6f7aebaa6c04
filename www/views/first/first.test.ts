import { afterEach, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import { rowSums } from "../../draw/legend.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import type { Computation } from "../run/computation.js";
import { drawFirst } from "./draw.js";
import { FINE, fromSteps, inSteps } from "./picture.js";
import { fetchAhead, Precomputed } from "./precomputed.js";

const LOADING: Pick<Computation, "download" | "failure" | "stopped"> = {
  download: { phase: "loading", loadedBytes: 0, totalBytes: null },
  failure: null,
  stopped: false,
};

async function sightOf(answer: unknown): Promise<Precomputed> {
  vi.stubGlobal("document", { baseURI: "http://localhost/" });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(answer))));
  const sight = new Precomputed();
  sight.of(DEFAULT_STATE, LOADING, false);
  await new Promise((resolve) => setTimeout(resolve));
  return sight;
}

afterEach(() => vi.unstubAllGlobals());

describe("numbers in steps", () => {
  it("are as near as the steps of their own map are", () => {
    const data = Float32Array.from({ length: 12 }, (_, index) =>
      index < 6 ? index / 5 : (index - 6) / 5000,
    );
    const tensor = { data, shape: [2, 2, 3], axes: ["head", "query", "key"] };
    const back = fromSteps(inSteps(tensor));
    expect([back.shape, back.axes]).toEqual([tensor.shape, tensor.axes]);
    back.data.forEach((value, index) =>
      expect(Math.abs(value - (data[index] ?? NaN))).toBeLessThanOrEqual(
        (index < 6 ? 1 : 0.001) * (0.5 / 255 + 1e-6),
      ),
    );
  });

  it("of weights add up to 1 as the weights do, so that no row is told to give less", () => {
    const [rows, columns] = [12, 12];
    const scores = Float32Array.from(
      { length: rows * columns },
      (_, index) => 1 + ((index * 37) % 101),
    );
    const data = scores.map(
      (score, index) =>
        score /
        scores
          .subarray(
            Math.floor(index / columns) * columns,
            (Math.floor(index / columns) + 1) * columns,
          )
          .reduce((sum, one) => sum + one, 0),
    );
    expect(
      rowSums(
        fromSteps(inSteps({ data, shape: [rows, columns], axes: ["query", "key"] }, FINE)).data,
        rows,
      ),
    ).toBeNull();
  });
});

describe("the first picture", () => {
  it("is shown for the first State until the model answers, whatever the page looks like, and never again", async () => {
    const sight = await sightOf(await drawFirst(new FakeModel()));
    const dark: State = { ...DEFAULT_STATE, theme: "dark", language: "zh-CN", colours: "viridis" };
    expect(sight.of(dark, LOADING, false)?.head).toEqual({ stack: "cross", layer: 1, head: 4 });
    expect(sight.of(dark, LOADING, true)).toBeNull();
    expect(sight.of(dark, LOADING, false)).toBeNull();
  });

  it("is shown for no other text, head or picture, and not without a model on its way", async () => {
    const picture = await drawFirst(new FakeModel());
    for (const other of [
      { text: "I like cats." },
      { head: 0 },
      { picture: "lines" },
      { stage: "raw" },
      { hidden: [1] },
    ] satisfies Partial<State>[]) {
      expect(
        (await sightOf(picture)).of({ ...DEFAULT_STATE, ...other }, LOADING, false),
      ).toBeNull();
    }
    expect(
      (await sightOf(picture)).of(
        DEFAULT_STATE,
        { ...LOADING, download: { phase: "cancelled" } },
        false,
      ),
    ).toBeNull();
  });

  it("that was built for another State, or is none, is not shown", async () => {
    for (const answer of [
      { ...(await drawFirst(new FakeModel())), address: "v=1&text=another" },
      {},
    ]) {
      expect((await sightOf(answer)).of(DEFAULT_STATE, LOADING, false)).toBeNull();
    }
  });

  // The last one: what came ahead stays for all that follow.
  it("that was fetched ahead is there at once, and is taken once, also by a link that shows it later or never", async () => {
    const picture = await drawFirst(new FakeModel());
    vi.stubGlobal("document", { baseURI: "http://localhost/" });
    const fetched = vi.fn(() => Promise.resolve(new Response(JSON.stringify(picture))));
    vi.stubGlobal("fetch", fetched);
    const link: State = { ...DEFAULT_STATE, text: "I like cats." };
    await fetchAhead(link);
    const sight = new Precomputed();
    expect([sight.of(link, LOADING, false), sight.of(DEFAULT_STATE, LOADING, false)]).toEqual([
      null,
      null,
    ]);
    const another = new Precomputed();
    expect(another.of(DEFAULT_STATE, LOADING, false)).toBeNull();
    await new Promise((resolve) => setTimeout(resolve));
    expect(another.of(DEFAULT_STATE, LOADING, false)?.head).toEqual({
      stack: "cross",
      layer: 1,
      head: 4,
    });
    expect(fetched).toHaveBeenCalledTimes(1);
    await fetchAhead(DEFAULT_STATE);
    expect(new Precomputed().of(DEFAULT_STATE, LOADING, false)?.head).toEqual({
      stack: "cross",
      layer: 1,
      head: 4,
    });
  });
});
