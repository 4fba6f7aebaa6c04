import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../tests/support/fake-model.js";
import { rowSums } from "../reduce/index.js";
import { DEFAULT_STATE, type State } from "../state/index.js";
import type { Computation } from "./run/computation.js";
import { drawFirst, fetchAhead, FINE, fromSteps, inSteps, Precomputed } from "./first-picture.js";

type Progress = Pick<Computation, "download" | "failure" | "stopped">;

const LOADING: Progress = {
  download: { phase: "loading", loadedBytes: 0, totalBytes: null },
  failure: null,
  stopped: false,
};
const FIRST = { stack: "cross", layer: 1, head: 4 };
const HOME = "http://localhost/";
const fetched = vi.fn();

beforeEach(() => {
  vi.stubGlobal("document", { baseURI: "http://localhost/" });
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
  fetched.mockReset();
});

/** What a page shows that found this answer and then has this State. */
async function shown(
  answer: unknown,
  state: Partial<State> = {},
  progress: Partial<Progress> = {},
): Promise<unknown> {
  fetched.mockImplementation(() => Promise.resolve(new Response(JSON.stringify(answer))));
  const first = new Precomputed(HOME);
  first.of(DEFAULT_STATE, LOADING, false);
  await new Promise((resolve) => setTimeout(resolve));
  return first.of({ ...DEFAULT_STATE, ...state }, { ...LOADING, ...progress }, false)?.head ?? null;
}

describe("numbers in steps", () => {
  it("are as near as the steps of their own map are", () => {
    const data = Float32Array.from({ length: 12 }, (_, at) => (at < 6 ? at / 5 : (at - 6) / 5000));
    const back = fromSteps(inSteps({ data, shape: [2, 2, 3], axes: ["head", "query", "key"] }));
    expect(back).toMatchObject({ shape: [2, 2, 3], axes: ["head", "query", "key"] });
    for (const [at, value] of back.data.entries())
      expect(Math.abs(value - (data[at] ?? NaN))).toBeLessThanOrEqual(
        (at < 6 ? 1 : 0.001) * (0.5 / 255 + 1e-6),
      );
  });

  it("of weights add up to 1 as the weights do, so that no row is told to give less", () => {
    const rows = Array.from({ length: 12 }, (_, row) => {
      const scores = Array.from({ length: 12 }, (_, key) => 1 + (((row * 12 + key) * 37) % 101));
      const sum = scores.reduce((all, one) => all + one);
      return scores.map((score) => score / sum);
    });
    const weights = { data: Float32Array.from(rows.flat()), shape: [12, 12], axes: [] };
    for (const sum of rowSums(fromSteps(inSteps(weights, FINE)))) expect(sum).toBeCloseTo(1, 3);
  });
});

describe("the first picture", () => {
  it.each<[boolean, Partial<State>, Partial<Progress>?]>([
    [true, {}],
    [true, { theme: "dark", language: "zh-CN", colours: "viridis" }],
    [true, { locked: { query: 0, key: 1 } }],
    [false, { text: "I like cats." }],
    [false, { head: 0 }],
    [false, { picture: "lines" }],
    [false, { stage: "raw" }],
    [false, { masked: [1] }],
    [false, {}, { download: { phase: "cancelled" } }],
    [false, {}, { stopped: true }],
  ])("is shown (%s) for %o %o", async (isShown, state, progress) => {
    const picture = await drawFirst(new FakeModel());
    expect(await shown(picture, state, progress)).toEqual(isShown ? FIRST : null);
    expect(await shown({ ...picture, address: "v=1&text=another" }, state, progress)).toBeNull();
  });

  it("that is none is not shown", async () => {
    expect(await shown({})).toBeNull();
  });

  // The last one: what came ahead stays for all that follow.
  it("that was fetched ahead is there at once, is fetched once, and never shown again after the model has answered", async () => {
    const answer = JSON.stringify(await drawFirst(new FakeModel()));
    fetched.mockImplementation(() => Promise.resolve(new Response(answer)));
    const link: State = { ...DEFAULT_STATE, text: "I like cats." };
    await fetchAhead(link, HOME);
    const late = new Precomputed(HOME);
    expect(late.of(DEFAULT_STATE, LOADING, false)).toBeNull();
    await new Promise((resolve) => setTimeout(resolve));
    expect(late.of(DEFAULT_STATE, LOADING, false)?.head).toEqual(FIRST);
    expect(fetched).toHaveBeenCalledTimes(1);
    await fetchAhead(DEFAULT_STATE, HOME);
    const first = new Precomputed(HOME);
    expect(first.of(DEFAULT_STATE, LOADING, false)?.head).toEqual(FIRST);
    expect(first.of(DEFAULT_STATE, LOADING, true)).toBeNull();
    expect(first.of(DEFAULT_STATE, LOADING, false)).toBeNull();
    // An explorer with another home has another picture.
    expect(new Precomputed(`${HOME}other/`).of(DEFAULT_STATE, LOADING, false)).toBeNull();
    expect(fetched.mock.lastCall).toEqual([new URL(`${HOME}other/first-picture.json`)]);
  });
});
