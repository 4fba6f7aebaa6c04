// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import type { Token } from "../../data/index.js";
import { HeadscopeBars } from "../../elements/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { DEFAULT_STATE, NO_EDITS } from "../../state/index.js";
import { asked, button, choices, choose, words } from "../../ui/testing/asked.js";
import { readHead } from "../run/figures.js";
import type { Expectation } from "../run/readings.js";
import type { Together } from "../run/together.js";
import { HeadscopeInspector, HeadscopePredictions, HeadscopeTogetherList } from "./inspector.js";

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

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: false, role: null }));

const TOGETHER: Together = {
  wish: { side: "source", tokens: [0, 2], pool: "sum", looking: "from" },
  pool: "sum",
  looking: "from",
  bothWays: true,
  picked: tokens("the", "cat"),
  items: tokens("a", "b", "c").map((token, at) => ({ token, value: [0.25, 1.5, 0][at] ?? 0 })),
  most: 2,
  side: "source",
  shares: [],
};

const list = (change: Partial<Together> = {}): Promise<HeadscopeTogetherList> =>
  mount(new HeadscopeTogetherList(), { together: { ...TOGETHER, ...change } });
const bars = (element: HeadscopeTogetherList): { max: number | undefined; lines: string[] } => {
  const found = element.renderRoot.querySelector("headscope-bars");
  return {
    max: found?.max,
    lines: (found?.items ?? []).map(({ label, text }) => `${label} ${text}`),
  };
};

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-together-list>", () => {
  it("is not there where nothing is picked", async () => {
    const element = await mount(new HeadscopeTogetherList(), {});
    expect(words(element.renderRoot)).toBe("");
  });

  it("names what was picked, and has the strongest first, on bars as long as several can be", async () => {
    const element = await list();
    expect(words(element.renderRoot.querySelector(".picked"))).toBe("the, cat");
    expect(bars(element)).toEqual({ max: 2, lines: ["b 1.500", "a 0.250"] });
    expect(words(element.renderRoot)).toContain("The 2 strongest of 3");
  });

  it("has at most eight, in the order of the text where all are nothing, and does not count where all are there", async () => {
    const many = tokens("a", "b", "c", "d", "e", "f", "g", "h", "i", "j").map((token) => ({
      token,
      value: token.id,
    }));
    expect(bars(await list({ items: many })).lines.map(([label]) => label)).toEqual([
      "j",
      "i",
      "h",
      "g",
      "f",
      "e",
      "d",
      "c",
    ]);
    const none = await list({ items: tokens("a", "b").map((token) => ({ token, value: 0 })) });
    expect(bars(none).lines).toEqual(["a 0.000", "b 0.000"]);
    expect(words(none.renderRoot)).not.toContain("strongest");
  });

  it("asks for another way to combine them and for the other direction, and keeps the rest of what was picked", async () => {
    const element = await list();
    const patches = asked(element, "headscope-patch");
    expect(choices(element)).toEqual({
      Direction: "[look at] are looked at by",
      "How they are combined": "[sum] mean",
    });
    choose(element, "How they are combined", "mean");
    choose(element, "Direction", "to");
    button(element, "Let go").click();
    expect(patches).toEqual([
      { picked: { ...TOGETHER.wish, pool: "mean" } },
      { picked: { ...TOGETHER.wish, looking: "to" } },
      { picked: null },
    ]);
  });

  it("says the direction where there is only one", async () => {
    const element = await list({ bothWays: false, looking: "to" });
    expect(Object.keys(choices(element))).toEqual(["How they are combined"]);
    expect(words(element.renderRoot.querySelector(".choices"))).toContain("are looked at by");
  });
});

describe("<headscope-inspector>", () => {
  it("does not call softmax or √d what an edit made otherwise", async () => {
    const head = { stack: "encoder", layer: 0, head: 0 } as const;
    const figures = await readHead(await new FakeModel().run({ text: "a b" }), head, {
      beside: [],
      vectors: false,
    });
    const inspector = await mount(new HeadscopeInspector(), {
      figures,
      focused: { query: 0, key: 0 },
      headDim: 4,
      state: DEFAULT_STATE,
    });
    const names = (): string[] =>
      [...inspector.renderRoot.querySelectorAll("dt")].map(({ textContent }) => textContent);
    expect(names()).toEqual(["q · k", "÷ √4", "mask", "softmax over 3 keys"]);
    inspector.state = {
      ...DEFAULT_STATE,
      edits: {
        ...NO_EDITS,
        attention: [{ kind: "low-rank" }, { stack: "encoder", layers: [3], kind: "cosine" }],
      },
    };
    await inspector.updateComplete;
    expect(names()).toEqual(["q · k", "÷ √4", "mask", "weights"]);
    inspector.state = { ...DEFAULT_STATE, edits: { ...NO_EDITS, attention: [{ kind: "cosine" }] } };
    await inspector.updateComplete;
    expect(names()).toEqual(["raw", "scores", "mask", "softmax over 3 keys"]);
  });

  it("invites to point at cells only where there is a picture of some", async () => {
    const inspector = await mount(new HeadscopeInspector(), {});
    const empty = (): string | undefined =>
      inspector.renderRoot.querySelector(".empty")?.textContent;
    expect(empty()).toBe("Nothing to show yet.");
    inspector.figures = await readHead(
      await new FakeModel().run({ text: "a b" }),
      { stack: "encoder", layer: 0, head: 0 },
      { beside: [], vectors: false },
    );
    await inspector.updateComplete;
    expect(empty()).toMatch(/^Point at a cell/);
  });
});
