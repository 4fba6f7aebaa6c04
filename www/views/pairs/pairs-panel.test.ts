// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import type { HeadRef, Tensor } from "../../data/index.js";
import { recorder, testInks } from "../../draw/testing/recorder.js";
import { heard, mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked, choices, choose, words } from "../../ui/testing/asked.js";
import { readHead } from "../run/figures.js";
import { meanVariation } from "./head-change.js";
import { alignedHead, pairedHead, type PairedHead, type WordPair } from "./alignment.js";
import { HeadscopePairsPanel } from "./pairs-panel.js";

const HEAD: HeadRef = { stack: "encoder", layer: 0, head: 2 };
const NAMES = { one: "the dog sleeps", other: "the sleeps now" };

/** "dog" is in the first text alone, "now" in the second alone, and "sleeps" has moved. */
async function paired(): Promise<PairedHead> {
  const model = new FakeModel();
  const read = async (text: string): ReturnType<typeof readHead> =>
    readHead(await model.run({ text }), HEAD, { beside: [], vectors: false });
  const [one, other] = [await read(NAMES.one), await read(NAMES.other)];
  return pairedHead(
    one,
    other,
    alignedHead(one, other, model.info, { aligned: "words", pairs: [] }),
    "weights",
  );
}

const panel = async (properties: Partial<HeadscopePairsPanel> = {}): Promise<HeadscopePairsPanel> =>
  mount(new HeadscopePairsPanel(), { paired: await paired(), names: NAMES, ...properties });
type Figure = HTMLElementTagNameMap["headscope-heatmap" | "headscope-difference"];
const figures = ({ renderRoot }: HeadscopePairsPanel): Figure[] => [
  ...renderRoot.querySelectorAll<Figure>(
    "figure > headscope-heatmap, figure > headscope-difference",
  ),
];
const at = ({ data, shape }: Tensor, query: number, key: number): string =>
  (data[query * (shape[1] ?? 0) + key] ?? NaN).toFixed(3);
const press = (figure: Figure | undefined, key: string): void =>
  void figure?.renderRoot
    .querySelector(".stage")
    ?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const dds = (element: HeadscopePairsPanel): Record<string, string> =>
  Object.fromEntries(
    [...element.renderRoot.querySelectorAll<HTMLElement>("[data-pair]")].map((number) => [
      number.dataset.pair ?? "",
      words(number),
    ]),
  );

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-pairs-panel>", () => {
  it("shows both patterns on one scale, and the first less the second on the tokens of both", async () => {
    const element = await panel();
    const [first, second, difference] = figures(element);
    const { paired: given } = element;
    expect([...element.renderRoot.querySelectorAll("figcaption")].map(words)).toEqual([
      NAMES.one,
      NAMES.other,
      "The first less the second",
    ]);
    expect([first?.tensor, second?.tensor, difference?.tensor]).toEqual([
      given?.one.stages.weights,
      given?.other.stages.weights,
      given?.shared.tensor,
    ]);
    expect(
      [first, second].map((figure) =>
        figure?.localName === "headscope-heatmap"
          ? (figure as HTMLElementTagNameMap["headscope-heatmap"]).beside
          : null,
      ),
    ).toEqual([second?.tensor, first?.tensor]);
    expect(difference?.queries.length).toBeGreaterThan(first?.queries.length ?? 0);
  });

  it("says what it waits for, or what to do, until there is a second run", async () => {
    const element = await mount(new HeadscopePairsPanel(), {});
    const said = (): string => words(element.renderRoot.querySelector(".empty"));
    expect(said()).toBe("Computing the other run…");
    element.blank = true;
    await element.updateComplete;
    expect(said()).toBe("Type another sentence to see both side by side.");
    // A run that failed will not come, and is said to have failed beside its text.
    Object.assign(element, { blank: false, failed: true });
    await element.updateComplete;
    expect(element.renderRoot.querySelector(".empty")).toBeNull();
    Object.assign(element, { failed: false });
    element.download = { phase: "loading", loadedBytes: 1, totalBytes: 2 };
    await element.updateComplete;
    expect(element.renderRoot.querySelector("headscope-download-status")?.download).toBe(
      element.download,
    );
    expect([figures(element), element.print(testInks)]).toEqual([[], null]);
  });

  it("shows the counterpart of a pair in the other pictures, and its three numbers", async () => {
    const element = await panel({ focused: { query: 2, key: 0 }, locked: { query: 0, key: 0 } });
    const { paired: given } = element;
    if (!given) throw new Error("there is no pair");
    const [, second, difference] = figures(element);
    // "sleeps" is the third word of the first and the second of the other.
    expect([second?.focused, second?.locked]).toEqual([
      { query: 1, key: 0 },
      { query: 0, key: 0 },
    ]);
    expect(difference?.focused && difference.queries[difference.focused.query]?.text).toContain(
      "sleeps",
    );
    const [one, other] = [at(given.one.stages.weights, 2, 0), at(given.other.stages.weights, 1, 0)];
    expect(words(element.renderRoot.querySelector(".pair"))).toBe("sleeps looks at the");
    expect(dds(element)).toMatchObject({ one, other });
    expect(Number(dds(element).difference?.replace("−", "-"))).toBeCloseTo(
      Number(one) - Number(other),
      2,
    );
    expect(words(element.renderRoot.querySelector("dt:nth-of-type(2)"))).toBe(
      "second sleeps → the",
    );
    element.focused = { query: 1, key: 0 };
    await element.updateComplete;
    expect([dds(element).other, dds(element).difference, second?.focused]).toEqual([
      "no counterpart",
      "–",
      null,
    ]);
  });

  it("says a pair of any picture in the words of the first, and blocks only there", async () => {
    const element = await panel();
    const [hovers, locks, toggles] = [
      heard(element, "headscope-cell-hover"),
      heard(element, "headscope-cell-lock"),
      [] as unknown[],
    ];
    document.body.addEventListener("headscope-cell-toggle", ({ detail }) => toggles.push(detail), {
      once: true,
    });
    const [first, second] = figures(element);
    press(second, "ArrowDown");
    press(second, "Enter");
    expect([hovers, locks]).toEqual([[{ query: 2, key: 0 }], [{ query: 2, key: 0 }]]);
    press(second, "b");
    expect(toggles).toEqual([]);
    // "now" is not in the first text, so nothing can be held there.
    press(second, "ArrowDown");
    press(second, "Enter");
    expect([hovers.at(-1), locks]).toEqual([null, [{ query: 2, key: 0 }]]);
    press(second, "Escape");
    expect(locks.at(-1)).toBeNull();
    press(first, "b");
    expect(toggles).toHaveLength(1);
  });

  it("takes all three to one stage and one region", async () => {
    const element = await panel({ headDim: 24, otherDim: 24 });
    const patches = asked(element, "headscope-patch");
    expect(Object.values(choices(element))[0]).toContain("[weights]");
    choose(element, Object.keys(choices(element))[0] ?? "", "raw");
    const region = { query: 0, key: 0, queries: 2, keys: 2 };
    figures(element)[1]?.dispatchEvent(
      new CustomEvent("headscope-region-change", { detail: region, bubbles: true, composed: true }),
    );
    expect(patches).toEqual([{ stage: "raw" }, { region }]);
    const before = words(element.renderRoot.querySelector(".controls p"));
    element.stage = "scores";
    await element.updateComplete;
    expect(figures(element)[0]?.tensor).toBe(element.paired?.one.stages.scores);
    expect(words(element.renderRoot.querySelector(".controls p"))).not.toBe(before);
    expect(element.renderRoot.querySelector(".grid.stale")).toBeNull();
    element.stale = true;
    await element.updateComplete;
    expect(element.renderRoot.querySelector(".grid.stale")).not.toBeNull();
  });

  it("says of a stage what it is in the run that is shown, and in the other where that is another thing", async () => {
    const element = await panel({ headDim: 16, otherDim: 16, stage: "scores" });
    const said = (): string => words(element.renderRoot.querySelector(".controls p"));
    expect(said()).toBe("Query · key ÷ √16.");
    element.otherDim = 32;
    await element.updateComplete;
    expect(said()).toBe("First: Query · key ÷ √16. Second: Query · key ÷ √32.");
    Object.assign(element, { otherDim: 16, unusual: ["raw", "scores"] });
    await element.updateComplete;
    expect(said()).toBe("First: As your edits make them. Second: Query · key ÷ √16.");
    element.stage = "weights";
    await element.updateComplete;
    expect(said()).toBe("After softmax: every row adds up to 1.");
  });

  it("says how alike two words are by layer, and why not where that would mean nothing", async () => {
    const pair: WordPair = {
      side: "source",
      stack: "encoder",
      one: { text: "sleeps", positions: [2] },
      other: { text: "sleeps", positions: [1] },
    };
    const alone: WordPair = { ...pair, one: { text: "dog", positions: [1] }, other: null };
    const element = await panel({
      words: [pair, alone],
      cosines: [{ pair: { ...pair }, cosines: [1, 0.875, null] }],
    });
    const bars = element.renderRoot.querySelector("headscope-bars");
    expect([bars?.heading, bars?.max]).toEqual(["“sleeps” and “sleeps”, layer by layer", 1]);
    expect(bars?.items.map(({ label, text }) => `${label} ${text}`)).toEqual([
      "embedding 1.000",
      "layer 1 0.875",
      "layer 2 –",
    ]);
    const texts = (): string => words(element.renderRoot.querySelector(".words"));
    expect(texts()).toContain(
      "“dog” has no counterpartHold it, then click a token of the other sentence.",
    );
    element.sameModel = false;
    await element.updateComplete;
    expect([element.renderRoot.querySelector("headscope-bars"), texts()]).toEqual([
      null,
      expect.stringContaining("Two models write their states in axes of their own"),
    ]);
  });

  it("says what edits moved, only beside the original", async () => {
    const element = await panel();
    const of = (tag: string): Element | null => element.renderRoot.querySelector(tag);
    expect([of("headscope-moved-states"), of("headscope-edit-changes")]).toEqual([null, null]);
    element.moved = {
      stack: "encoder",
      tokens: [],
      distances: { data: new Float32Array(), shape: [0, 0], axes: ["layer", "position"] },
    };
    await element.updateComplete;
    expect([of("headscope-moved-states"), of("headscope-edit-changes")]).not.toContain(null);
    const changes = element.renderRoot.querySelector("headscope-edit-changes");
    await changes?.updateComplete;
    const { paired } = element;
    expect(changes?.head).toEqual({
      before: paired?.other.stages.weights,
      after: paired?.one.stages.weights,
    });
    expect(words(changes?.renderRoot.querySelector('[data-change="head"]') ?? null)).toContain(
      paired
        ? meanVariation(paired.other.stages.weights, paired.one.stages.weights).toFixed(3)
        : "?",
    );
  });
});

describe("the pictures of two runs apart from the page", () => {
  class Canvas {
    getContext(): null {
      return null;
    }
  }
  beforeAll(() => {
    vi.stubGlobal("OffscreenCanvas", Canvas);
    vi.stubGlobal("ImageData", Canvas);
  });
  afterAll(() => vi.unstubAllGlobals());

  it("stand in a row, each under its name", async () => {
    const element = await panel();
    const print = element.print(testInks);
    const { brush, done } = recorder();
    print?.paint(brush);
    const texts = done("fillText").map(({ args }) => String(args[0]));
    expect(texts).toEqual(
      expect.arrayContaining([
        NAMES.one,
        NAMES.other,
        "The first less the second",
        "dog",
        "now",
        "difference",
      ]),
    );
    expect(done("drawImage")).toHaveLength(3);
    expect(print?.width).toBeGreaterThan(
      3 * (figures(element)[0]?.print(testInks)?.width ?? Infinity) - 1,
    );
  });
});
