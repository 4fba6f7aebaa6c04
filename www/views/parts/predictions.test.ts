// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_READER, FAKE_WRITER } from "../../../tests/support/fake-model.js";
import type { Token } from "../../data/index.js";
import { HeadscopeBars } from "../../elements/index.js";
import { mount } from "../../elements/testing/mount.js";
import type { Expectation } from "../run/expectation.js";
import { HeadscopePredictions } from "./predictions.js";

const DOG: Token = { id: 7, text: "dog", word: 0, special: false, role: null };
const EXPECTED: Expectation = {
  at: DOG,
  predictions: [
    { id: 3, text: "cat", logit: 2, probability: 0.6 },
    { id: 7, text: "dog", logit: 1, probability: 0.3 },
  ],
  truth: { id: 7, probability: 0.3 },
};

async function shown(
  properties: Partial<HeadscopePredictions>,
): Promise<{ heading: string; labels: string[]; marked: boolean[]; text: string }> {
  const element = await mount(new HeadscopePredictions(), { info: FAKE_READER, ...properties });
  const bars = element.renderRoot.querySelector("headscope-bars");
  const { heading, items } = bars instanceof HeadscopeBars ? bars : { heading: "", items: [] };
  return {
    heading,
    labels: items.map(({ label }) => label),
    marked: items.map(({ marked }) => marked ?? false),
    text: element.renderRoot.textContent.trim(),
  };
}

afterEach(() => document.body.replaceChildren());

describe("<headscope-predictions>", () => {
  it("marks the true token among those that the model would put in its place", async () => {
    const { heading, labels, marked, text } = await shown({ expectation: EXPECTED });
    expect([heading, labels, marked, text]).toEqual([
      "What the model would put in place of “dog”",
      ["cat", "dog"],
      [false, true],
      "The true one, “dog”, has 30.0%.",
    ]);
  });

  it("names the true token with its own share also where it is not among the first", async () => {
    const below = (probability: number): Promise<{ text: string }> =>
      shown({ expectation: { ...EXPECTED, truth: { id: 9, probability } } });
    expect((await below(0.012)).text).toBe("The true one, “dog”, has 1.2%.");
    expect((await below(0.0000012)).text).toBe("The true one, “dog”, has < 0.1%.");
  });

  it("after a token has no right answer, and calls the end by its name", async () => {
    const predictions = [{ id: 1, text: "</s>", logit: 0, probability: 1 }];
    const { heading, labels } = await shown({
      info: FAKE_INFO,
      expectation: { at: DOG, predictions, truth: null },
    });
    expect([heading, labels]).toEqual(["What the model would write after “dog”", ["end"]]);
  });

  it("tells a piece that goes on with a word from one that begins it, but where every text begins", async () => {
    const predictions = [
      { id: 3, text: "ouv", logit: 2, probability: 0.5 },
      { id: 4, text: "ouv", continuesWord: true as const, logit: 1, probability: 0.4 },
    ];
    expect((await shown({ expectation: { at: DOG, predictions, truth: null } })).labels).toEqual([
      "ouv",
      "…ouv",
    ]);
    for (const text of ["c'", "c’", "semi-", "("]) {
      expect(
        (await shown({ expectation: { at: { ...DOG, text }, predictions, truth: null } })).labels,
      ).toEqual(["ouv", "ouv"]);
    }
    const hidden = { ...DOG, text: "'", hiddenId: 9 };
    expect((await shown({ expectation: { at: hidden, predictions, truth: null } })).labels).toEqual(
      ["ouv", "…ouv"],
    );
    const start: Token = { id: 0, text: "<s>", word: -1, special: true, role: "start" };
    expect((await shown({ expectation: { at: start, predictions, truth: null } })).labels).toEqual([
      "ouv",
      "ouv",
    ]);
  });

  it("without an expectation says how to get one, as fits the model", async () => {
    expect((await shown({})).text).toContain("Hide a token");
    expect((await shown({ info: FAKE_INFO })).text).toContain("Choose the decoder");
    expect((await shown({ info: FAKE_WRITER })).text).toBe("");
    expect((await shown({ info: { ...FAKE_READER, maskToken: null } })).text).toBe("");
    expect((await shown({ info: { ...FAKE_READER, predicts: false } })).text).toContain(
      "no output head",
    );
  });
});
