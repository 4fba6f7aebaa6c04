// @vitest-environment happy-dom
import { afterEach, expect, it, describe, beforeAll, vi } from "vitest";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeBars } from "./bars.js";
import { HeadscopeChips } from "./chips.js";
import { HeadscopeCurves } from "./curves.js";
import { HeadscopeDimensions } from "./dimensions.js";
import { HeadscopeLines, linksOfMass, layoutLines, linkAt } from "./lines.js";
import { View } from "./matrix/scrolled-figure.js";
import { HeadscopePositions } from "./positions.js";
import { HeadscopeSpectrum } from "./spectrum.js";
import {
  mount,
  put,
  eventsOf,
  matrixOf,
  nameOf,
  press,
  rowsOf,
  stageOf,
  tabulate,
  spoken,
  stubRoom,
  tokensOf,
} from "./testing/mount.js";

const bars = (element: HeadscopeBars): string[] =>
  Array.from(
    element.renderRoot.querySelectorAll<HTMLElement>("i"),
    ({ style }) => `${style.marginLeft} ${style.width}`,
  );
const items = (...values: number[]): HeadscopeBars["items"] =>
  values.map((value) => ({ label: "gave", value, text: "0.5", marked: value === 0.75 }));

beforeAll(() => loadSentences("bench"));
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it.each([
  ["shares of one whole", [0.75, 0], 1, [" 75%", " 0%"]],
  ["what is no share, inside its track", [5, NaN], 2, [" 100%", " 0%"]],
  ["nothing where there is no longest bar", [5], 0, [" 0%"]],
  ["what is negative to the left of zero", [0.5, -0.25], 1, ["20% 40%", "0% 20%"]],
] as const)("<headscope-bars> draws %s", async (_, values, max, expected) => {
  const element = await mount(new HeadscopeBars(), { items: items(...values), max });
  expect(bars(element)).toEqual(expected);
});

it("<headscope-bars> says what they are, and marks the one to find", async () => {
  const element = await mount(new HeadscopeBars(), { items: items(0.75, 0.5) });
  expect(element.renderRoot.querySelector("h3")).toBeNull();
  await put(element, { heading: "This query looks at" });
  expect(element.renderRoot.querySelector("h3")?.textContent).toBe("This query looks at");
  const marked = Array.from(element.renderRoot.querySelectorAll("li"), ({ className }) =>
    className.includes("marked"),
  );
  expect(marked).toEqual([true, false]);
});

it("<headscope-chips> names what each button takes back, and says which one goes, or that all go", async () => {
  const chips = [
    { id: "mask-0", label: "j may not look at gave", note: "computed on the CPU" },
    { id: "head-1", label: "1.6 silenced", inactive: true },
  ];
  const element = await mount(new HeadscopeChips(), { chips, label: "Your edits" });
  const [removed, cleared] = [
    eventsOf(element, "headscope-chip-remove"),
    eventsOf(element, "headscope-chips-clear"),
  ];
  const buttons = [...element.renderRoot.querySelectorAll<HTMLButtonElement>(".remove")];
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Undo this edit: j may not look at gave",
    "Undo this edit: 1.6 silenced",
  ]);
  expect(element.renderRoot.querySelector("ul")?.getAttribute("aria-label")).toBe("Your edits");
  expect(element.renderRoot.querySelectorAll(".inactive")).toHaveLength(1);
  expect(element.renderRoot.querySelector("small")?.textContent).toBe("computed on the CPU");
  buttons[1]?.click();
  element.renderRoot.querySelector<HTMLButtonElement>(".clear")?.click();
  expect([removed, cleared]).toEqual([[{ id: "head-1" }], [null]]);
  await put(element, { chips: [] });
  expect(element.renderRoot.textContent.trim()).toBe("");
});

it("<headscope-spectrum> fills the bars that hold 90 %, list by list, and says so in words", async () => {
  const element = await mount(new HeadscopeSpectrum(), {
    lists: [
      { of: "scores", heading: "Scores", values: [40], rank: 1 },
      { of: "weights", heading: "Weights", values: [4, 2, 1], rank: 2 },
    ],
  });
  const figures = [...element.renderRoot.querySelectorAll("figure")];
  const bars = (name: string): number =>
    (figures[1]?.querySelector(`path.${name}`)?.getAttribute("d") ?? "").split("M").length - 1;
  expect([bars("held"), bars("left")]).toEqual([2, 1]);
  expect(
    figures.map((figure) => [
      figure.dataset.of,
      figure.querySelector(".largest")?.textContent,
      figure.querySelector("p")?.textContent,
    ]),
  ).toEqual([
    ["scores", "40.000", "1 of 1 hold 90%"],
    ["weights", "4.000", "2 of 3 hold 90%"],
  ]);
  expect(figures[1]?.querySelector("svg")?.getAttribute("aria-label")).toBe(
    "Weights: 3 singular values, from 4.000 down to 1.000; the first 2 hold 90% of the sum of their squares",
  );
});

const AXES = ["position", "model_dim"];
const tensor = matrixOf(2, [0, 1, 0.5, 0.5, 1, 0.25], AXES);
const said = ({ renderRoot }: HeadscopePositions): (string | undefined)[] =>
  [".reading", ".pointed span"].map((part) => renderRoot.querySelector(part)?.textContent.trim());

describe("<headscope-positions>", () => {
  it("reads the number under the keyboard, draws its dimension as a wave, and forgets a place that is gone", async () => {
    const element = await mount(new HeadscopePositions(), { tensor });
    expect(nameOf(element)).toBe("Positional encoding: 3 positions by 2 dimensions");
    await press(element, "ArrowDown", "End", "ArrowRight", "ArrowDown");
    expect(said(element)).toEqual(["Position 3, dimension 2: 0.250", "dimension 2"]);
    stageOf(element).dispatchEvent(new PointerEvent("pointerleave"));
    await element.updateComplete;
    expect(said(element)).toEqual(["", "dimension 2"]);
    await press(element, "End");
    await put(element, { tensor: matrixOf(1, [0.5], AXES) });
    expect(said(element)).toEqual(["", "dimension 1"]);
  });
});

const LINES = [
  {
    name: "Encoder",
    points: [
      { x: 0, y: 1 },
      { x: 0.5, y: 2 },
    ],
  },
  { name: "Decoder", points: [{ x: 0, y: 1 }] },
];
const GIVEN = {
  lines: LINES,
  titles: { x: "heads removed", y: "loss" },
  words: { x: (share: number): string => `${share * 100}%` },
};

const keysOf = (element: HeadscopeCurves): string[] =>
  Array.from(element.renderRoot.querySelectorAll(".keys li"), (key) => key.textContent.trim());

describe("<headscope-curves>", () => {
  it("names its lines, and has all their numbers in a table; a missing one is a dash, or held where it is stepped", async () => {
    const element = await mount(new HeadscopeCurves(), { ...GIVEN, marked: 0.6 });
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
    await tabulate(element);
    expect(rowsOf(element)).toEqual([
      ["heads removed", "Encoder", "Decoder"],
      ["0%", "1.000", "1.000"],
      ["50%", "2.000", "–"],
    ]);
    await put(element, { stepped: true });
    expect(rowsOf(element).at(-1)).toEqual(["50%", "2.000", "1.000"]);
  });

  it("reads the numbers of a place by the keyboard, lets go of it, and leaves the keys that scroll a page to it", async () => {
    const element = await mount(new HeadscopeCurves(), GIVEN);
    expect(nameOf(element)).toBe("loss by heads removed: Encoder, Decoder");
    await press(element, "End");
    expect(keysOf(element)).toEqual(["heads removed 50%", "Encoder 2.000", "Decoder –"]);
    expect(spoken(element)).toBe("heads removed 50%: Encoder 2.000, Decoder –");
    await press(element, "ArrowLeft");
    expect(keysOf(element)[0]).toBe("heads removed 0%");
    await press(element, "Escape");
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
    const free = (key: string): boolean =>
      stageOf(element).dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    expect(["ArrowUp", "PageDown", "End"].map(free)).toEqual([true, true, false]);
  });

  it("is read by a finger, which may be lifted, and says nothing aloud of what a pointer passes over", async () => {
    stubRoom();
    const element = await mount(new HeadscopeCurves(), {
      lines: LINES,
      titles: { x: "x", y: "y" },
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const point = async (type: string, pointerType: string): Promise<void> => {
      stageOf(element).dispatchEvent(
        new PointerEvent(type, { pointerType, clientX: 399, bubbles: true }),
      );
      await element.updateComplete;
    };
    await point("pointerdown", "touch");
    await point("pointerleave", "touch");
    expect([keysOf(element)[0], spoken(element)]).toEqual(["x 0.500", ""]);
    await point("pointerleave", "mouse");
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
  });
});

const rows = (...values: number[]): ReturnType<typeof matrixOf> =>
  matrixOf(3, values, ["position", "head_dim"]);
const stages = {
  raw: matrixOf(2, [2, -3.5, 1, 9]),
  scores: matrixOf(2, [1.155, -2.021, 0.577, 5.196]),
  masked: matrixOf(2, [1.155, -Infinity, 0.577, 5.196]),
  weights: matrixOf(2, [1, 0, 0.01, 0.99]),
};
const vectors = { query: rows(1, 2, -1, 1, 1, 1), key: rows(2, 0.5, 1, -1, -1, 0.5) };

const dimensions = (properties: Partial<HeadscopeDimensions> = {}): Promise<HeadscopeDimensions> =>
  mount(new HeadscopeDimensions(), {
    stages,
    vectors,
    queries: tokensOf("le", "chat"),
    keys: tokensOf("the", "cat"),
    ...properties,
  });

describe("<headscope-dimensions>", () => {
  it("calls stages that an edit makes otherwise by their own names, and no product their sum", async () => {
    const element = await dimensions({ focused: { query: 1, key: 0 } });
    expect(nameOf(element)).toBe("Dimensions of the query chat: 2 keys by 3 dimensions");
    expect(spoken(element)).toBe("chat looks at the: q · k 1.000, scaled 0.577, weight 0.010");
    await tabulate(element);
    const said = (): unknown[] => [
      rowsOf(element, "table:first-of-type thead tr")[0]?.slice(1, 5),
      rowsOf(element, "tbody tr").filter(([name]) => name === "sum").length,
    ];
    expect(said()).toEqual([["q · k", "÷ √3", "masked", "softmax"], 1]);
    await put(element, { unusual: ["raw", "scores", "weights"] });
    expect(said()).toEqual([["raw", "scores", "masked", "weights"], 0]);
    expect(spoken(element)).toBe("chat looks at the: raw 1.000, score 0.577, weight 0.010");
  });

  it("walks keys up and down and queries left and right, and says what the reader blocked", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    const foot = (): string => element.renderRoot.querySelector(".foot")?.textContent ?? "";
    await press(element, "ArrowDown");
    expect(spoken(element)).toBe(
      "le looks at cat: q · k −3.500, scaled −2.021, weight 0 · may not look",
    );
    await put(element, { blocked: [{ query: 0, key: 1 }] });
    expect(spoken(element)).toContain("blocked by you");
    expect(foot()).toContain("may not look");
    await press(element, "ArrowRight");
    expect(spoken(element)).toContain("chat looks at cat");
    expect(foot()).not.toContain("may not look");
    await press(element, "PageUp", "Home");
    expect(spoken(element)).toContain("le looks at the");
  });

  it("shows tables of every key, and of every dimension of the pair with the engine's sum", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    await tabulate(element);
    expect(rowsOf(element, "tbody tr")).toEqual([
      ["the", "2.000", "1.155", "1.155", "1.000"],
      ["cat", "−3.500", "−2.021", "−∞", "0"],
      ["1", "1.000", "2.000", "2.000"],
      ["2", "2.000", "0.500", "1.000"],
      ["3", "−1.000", "1.000", "−1.000"],
      ["sum", "", "", "2.000"],
    ]);
  });

  it.each([[null], [{ query: rows(1, 2, 3), key: vectors.key }]])(
    "has its numbers without vectors, and with vectors of another size",
    async (given) => {
      const element = await dimensions({ vectors: given, focused: { query: 1, key: 1 } });
      expect(spoken(element)).toContain("q · k 9.000");
      await tabulate(element);
      expect(element.renderRoot.querySelectorAll("table")).toHaveLength(1);
    },
  );
});

const FIRST = { head: 2, weights: matrixOf(3, [0.25, 0.75, 0, 0.1, 0.2, 0.7]) };
const OTHER = { head: 0, weights: matrixOf(3, [1, 0, 0, 0, 1, 0]) };

const lines = (properties: Partial<HeadscopeLines> = {}): Promise<HeadscopeLines> =>
  mount(new HeadscopeLines(), {
    patterns: [FIRST],
    heads: 4,
    queries: tokensOf("le", "chat"),
    keys: tokensOf("the", "cat", "."),
    ...properties,
  });

describe("<headscope-lines>", () => {
  it("walks by the keyboard: a query's strongest link first, then each of its keys", async () => {
    const element = await lines({ locked: { query: 0, key: 1 } });
    const walked = [spoken(element)];
    for (const keys of [
      ["ArrowDown"],
      ["ArrowRight", "ArrowUp"],
      ["Home"],
      ["ArrowLeft", "PageUp"],
    ]) {
      await press(element, ...keys);
      walked.push(spoken(element));
    }
    expect(walked).toEqual([
      "le looks at cat: 0.750",
      "chat looks at .: 0.700",
      "chat looks at cat: 0.200",
      "chat looks at the: 0.100",
      "le looks at cat: 0.750",
    ]);
  });

  it("draws several heads, each named where its number is said, in the choice and in the tables", async () => {
    const element = await lines({ patterns: [FIRST, OTHER], focused: { query: 0, key: 0 } });
    expect(spoken(element)).toBe("le looks at the: head 3 0.250 · head 1 1.000");
    const asked = eventsOf(element, "headscope-beside-toggle");
    const buttons = [...element.renderRoot.querySelectorAll<HTMLButtonElement>(".heads button")];
    expect(
      buttons.map((button) =>
        ["aria-label", "aria-pressed"].map((name) => button.getAttribute(name)).join(" "),
      ),
    ).toEqual(["Head 1 true", "Head 2 false", "Head 4 false"]);
    buttons[1]?.click();
    expect(asked).toEqual([1]);
    await tabulate(element);
    expect(rowsOf(element, "table").map(([caption]) => caption)).toEqual([
      "Weights of head 3",
      "Weights of head 1",
    ]);
    expect(rowsOf(element, "tbody tr")[1]).toEqual(["chat", "0.100", "0.200", "0.700"]);
    await put(element, { heads: 1 });
    expect(element.renderRoot.querySelector(".heads")).toBeNull();
  });
});

describe("the links of a bipartite view", () => {
  const kept = (columns: number, values: readonly number[], percent: number): string =>
    linksOfMass(matrixOf(columns, values), percent)
      .map(({ query, key }) => `${query}-${key}`)
      .join(" ");
  const ROWS = [0.5, 0.1, 0.4, 0, 0.95, 0.05];

  it.each([
    [50, "0-0 1-1"],
    [90, "0-0 0-2 1-1"],
    [91, "0-0 0-2 0-1 1-1"],
    [100, "0-0 0-2 0-1 1-1 1-2"],
  ])("hold %i percent of each query, the heaviest first", (percent, expected) => {
    expect(kept(3, ROWS, percent)).toBe(expected);
    expect(kept(2, [0, 0, 1e-30, 1], 100)).toBe("1-1 1-0");
  });

  it("are found under a point of their curve, unless they are too far", () => {
    const straight = [0, 1, 2, 3, 4, 5].map((at) => ({ query: at, key: at, weight: 1 }));
    const size = { rows: 6, columns: 6 };
    const layout = layoutLines(size, 600, 400, { query: 60, key: 60 });
    const [x, y] = [(layout.left + layout.right) / 2, new View(layout, 0).middle(2)];
    const under = (left: number, top: number, scroll = 0): unknown =>
      linkAt(new View(layout, scroll), [{ links: straight }], { x: left, y: top });
    expect(under(x, y + 3)).toEqual({ query: 2, key: 2 });
    expect([under(x, y + layout.pitch / 2), under(layout.left - 5, y)]).toEqual([null, null]);
    expect(under(x, new View(layout, 0).middle(0), 2 * layout.pitch)).toEqual({ query: 2, key: 2 });
  });
});
