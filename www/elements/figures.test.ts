// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeBars } from "./bars.js";
import { HeadscopeChips } from "./chips.js";
import { HeadscopeCurves } from "./curves.js";
import { dimensionAt, HeadscopeDimensions } from "./dimensions.js";
import { HeadscopeLines, linksOfMass, layoutLines, linkAt } from "./lines.js";
import { View } from "./matrix/scrolled-figure.js";
import { HeadscopePositions } from "./positions.js";
import { HeadscopeSpectrum } from "./spectrum.js";
import { all, eventsOf, matrixOf, mount, nameOf, press, put, rowsOf } from "./testing/mount.js";
import { spoken, stageOf, tabulate, textsOf, tokensOf } from "./testing/mount.js";

beforeAll(() => loadSentences("experiments"));
afterEach(() => document.body.replaceChildren());

const items = (...values: number[]): HeadscopeBars["items"] =>
  values.map((value) => ({ label: "gave", value, text: "0.5", marked: value === 0.75 }));

it.each([
  ["shares of one whole", [0.75, 0], 1, [" 75%", " 0%"]],
  ["no number and too large ones inside the track", [5, NaN], 2, [" 100%", " 0%"]],
  ["nothing where there is no longest bar", [5], 0, [" 0%"]],
  ["negative bars to the left of zero", [0.5, -0.25], 1, ["20% 40%", "0% 20%"]],
] as const)("<headscope-bars> draws %s", async (_, values, max, expected) => {
  const element = await mount(new HeadscopeBars(), { items: items(...values), max });
  const bars = all(element, "i").map(({ style }) => `${style.marginLeft} ${style.width}`);
  expect(bars).toEqual(expected);
  const below = values.filter((value) => value < 0);
  expect(all(element, ".signed .below")).toHaveLength(below.length);
});

it("<headscope-chips> names what each button removes, and fires which one, or all", async () => {
  const chips = [
    { id: "mask-0", label: "j → gave: masked", note: "computed on the CPU" },
    { id: "head-1", label: "1.6 ablated", inactive: true },
  ];
  const element = await mount(new HeadscopeChips(), { chips, label: "Your edits" });
  const removed = eventsOf(element, "headscope-chip-remove");
  const cleared = eventsOf(element, "headscope-chips-clear");
  const buttons = all(element, ".remove");
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Undo this edit: j → gave: masked",
    "Undo this edit: 1.6 ablated",
  ]);
  expect(all(element, "ul")[0]?.getAttribute("aria-label")).toBe("Your edits");
  expect(all(element, ".inactive")).toHaveLength(1);
  expect(textsOf(element, "small")).toEqual(["computed on the CPU"]);
  buttons[1]?.click();
  all(element, ".clear")[0]?.click();
  expect([removed, cleared]).toEqual([[{ id: "head-1" }], [null]]);
  await put(element, { chips: [] });
  expect(element.renderRoot.textContent.trim()).toBe("");
});

it("<headscope-spectrum> fills the bars that hold 90 %, list by list, and has a sentence", async () => {
  const element = await mount(new HeadscopeSpectrum(), {
    lists: [
      { of: "scores", heading: "Scores", values: [40], rank: 1 },
      { of: "weights", heading: "Weights", values: [4, 2, 1], rank: 2 },
    ],
  });
  const bars = all(element, "[data-of=weights] path").map(
    (path) => (path.getAttribute("d") ?? "").split("M").length - 1,
  );
  expect(bars).toEqual([2, 1]);
  expect(textsOf(element, ".largest")).toEqual(["40.000", "4.000"]);
  expect(textsOf(element, "p")).toEqual(["1 of 1 explain 90% of Σσ²", "2 of 3 explain 90% of Σσ²"]);
  expect(all(element, "svg")[1]?.getAttribute("aria-label")).toBe(
    "Weights: 3 singular values, 4.000 to 1.000; 2 explain 90% of Σσ²",
  );
});

it("<headscope-positions> reads the number under the keyboard and draws its dimension as a wave", async () => {
  const axes = ["position", "model_dim"];
  const element = new HeadscopePositions();
  await mount(element, { tensor: matrixOf(2, [0, 1, 0.5, 0.5, 1, 0.25], axes) });
  const shown = (): string[] =>
    [".reading", ".pointed span:first-child"].flatMap((part) => textsOf(element, part));
  expect(nameOf(element)).toBe("Positional encoding, positions by dimensions: 3 × 2");
  await press(element, "ArrowDown", "End", "ArrowRight", "ArrowDown");
  expect(shown()).toEqual(["Position 3, dimension 2: 0.250", "dimension 2"]);
  stageOf(element).dispatchEvent(new PointerEvent("pointerleave"));
  await element.updateComplete;
  expect(shown()).toEqual(["", "dimension 2"]);
  // A place that the next tensor lacks.
  await press(element, "End");
  await put(element, { tensor: matrixOf(1, [0.5], axes) });
  expect(shown()).toEqual(["", "dimension 1"]);
});

it.each([
  [
    ["position", "head_dim"],
    "Positional encoding, positions by dimensions: 3 × 1",
    "Position 3, dimension 1: 0.500",
  ],
  [
    ["distance", "model_dim"],
    "Keys of distances, distances by dimensions: 3 × 1",
    "Distance 1, dimension 1: 0.500",
  ],
  [
    ["distance", "head"],
    "Relative positions, distances by heads: 3 × 1",
    "Distance 1, head 1: 0.500",
  ],
])(
  "<headscope-positions> names the axes %j, and counts distances from the middle",
  async (axes, name, cell) => {
    const element = await mount(new HeadscopePositions(), {
      tensor: matrixOf(1, [0, 1, 0.5], axes),
    });
    expect(nameOf(element)).toBe(name);
    await press(element, "End", "ArrowDown", "ArrowDown");
    expect(textsOf(element, ".reading")).toEqual([cell]);
    await tabulate(element);
    const rows = rowsOf(element)
      .slice(1)
      .map(([first]) => first);
    expect(rows).toEqual(axes[0] === "distance" ? ["−1", "0", "1"] : ["1", "2", "3"]);
  },
);

describe("<headscope-curves>", () => {
  const first = { x: 0, y: 1 };
  const GIVEN = {
    lines: [
      { name: "Encoder", points: [first, { x: 0.5, y: 2 }] },
      { name: "Decoder", points: [first] },
    ],
    titles: { x: "heads removed", y: "loss" },
    words: { x: (share: number): string => `${share * 100}%` },
  };
  const legend = (element: HeadscopeCurves): string[] => textsOf(element, ".keys li");

  it("has all numbers in a table, with a dash for a missing one unless it is stepped", async () => {
    const element = await mount(new HeadscopeCurves(), { ...GIVEN, marked: 0.6 });
    expect(legend(element)).toEqual(["Encoder", "Decoder"]);
    await tabulate(element);
    expect(rowsOf(element)).toEqual([
      ["heads removed", "Encoder", "Decoder"],
      ["0%", "1.000", "1.000"],
      ["50%", "2.000", "–"],
    ]);
    await put(element, { stepped: true });
    expect(rowsOf(element).at(-1)).toEqual(["50%", "2.000", "1.000"]);
  });

  it("reads the numbers of a place by the keyboard, and leaves keys that scroll to the page", async () => {
    const element = await mount(new HeadscopeCurves(), GIVEN);
    expect(nameOf(element)).toBe("loss by heads removed: Encoder, Decoder");
    await press(element, "End");
    expect(legend(element)).toEqual(["heads removed 50%", "Encoder 2.000", "Decoder –"]);
    expect(spoken(element)).toBe("heads removed 50%: Encoder 2.000, Decoder –");
    await press(element, "ArrowLeft");
    expect(legend(element)[0]).toBe("heads removed 0%");
    await press(element, "Escape");
    expect(legend(element)).toEqual(["Encoder", "Decoder"]);
    const isLeft = (key: string): boolean =>
      stageOf(element).dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    expect(["ArrowUp", "PageDown", "End"].map(isLeft)).toEqual([true, true, false]);
  });

  it.each([
    ["mouse", ["Encoder", "Decoder"]],
    ["touch", ["heads removed 50%", "Encoder 2.000", "Decoder –"]],
  ])(
    "reads the numbers of a place until a %s leaves, but a finger leaves them",
    async (pointerType, left) => {
      const element = await mount(new HeadscopeCurves(), GIVEN);
      await press(element, "End");
      stageOf(element).dispatchEvent(new PointerEvent("pointerleave", { pointerType }));
      await element.updateComplete;
      expect(legend(element)).toEqual(left);
    },
  );
});

describe("<headscope-dimensions>", () => {
  const rows = (...values: number[]): ReturnType<typeof matrixOf> =>
    matrixOf(3, values, ["position", "head_dim"]);
  const vectors = { query: rows(1, 2, -1, 1, 1, 1), key: rows(2, 0.5, 1, -1, -1, 0.5) };
  const dimensions = (more: Partial<HeadscopeDimensions> = {}): Promise<HeadscopeDimensions> =>
    mount(new HeadscopeDimensions(), {
      stages: {
        raw: matrixOf(2, [2, -3.5, 1, 9]),
        scores: matrixOf(2, [1.155, -2.021, 0.577, 5.196]),
        masked: matrixOf(2, [1.155, -Infinity, 0.577, 5.196]),
        weights: matrixOf(2, [1, 0, 0.01, 0.99]),
      },
      vectors,
      queries: tokensOf("le", "chat"),
      keys: tokensOf("the", "cat"),
      ...more,
    });

  it("has names of their own for stages that an edit replaces, and then no sum of products", async () => {
    const element = await dimensions({ focused: { query: 1, key: 0 } });
    expect(nameOf(element)).toBe("Dimensions of the query chat: 2 keys by 3 dimensions");
    expect(spoken(element)).toBe("chat attends to the: q · k 1.000, scaled 0.577, weight 0.010");
    await tabulate(element);
    const shown = (): unknown[] => [
      rowsOf(element, "table:first-of-type thead tr")[0]?.slice(1, 5),
      rowsOf(element, "tbody tr").filter(([name]) => name === "sum").length,
    ];
    expect(shown()).toEqual([["q · k", "÷ √3", "masked", "softmax"], 1]);
    await put(element, { unusual: ["raw", "scores", "weights"] });
    expect(shown()).toEqual([["raw", "scores", "masked", "weights"], 0]);
    expect(spoken(element)).toBe("chat attends to the: raw 1.000, scaled 0.577, weight 0.010");
  });

  it("moves to keys up and down and to queries left and right, and reads masked and blocked pairs", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    const foot = (): string | undefined => textsOf(element, ".foot")[0];
    await press(element, "ArrowDown");
    const pair = "le may not attend to cat: q · k −3.500, scaled −2.021, weight 0";
    expect(spoken(element)).toBe(`${pair} · masked`);
    await put(element, { blocked: [{ query: 0, key: 1 }] });
    expect(spoken(element)).toBe(`${pair} · blocked by you`);
    expect(foot()).toContain("masked");
    await press(element, "ArrowRight");
    expect(spoken(element)).toContain("chat attends to cat");
    expect(foot()).not.toContain("masked");
    await press(element, "PageUp", "Home");
    expect(spoken(element)).toContain("le attends to the");
  });

  it("reads the dimension whose cell is under the pointer, in either strip", () => {
    const layout = { left: { keys: 100, products: 200 }, cell: 8 };
    const places = [99, 100, 107, 108, 123, 124, 199, 200, 223, 224];
    const read = places.map((x) => dimensionAt(x, layout, 3));
    expect(read).toEqual([null, 0, 0, 1, 2, null, null, 0, 2, null]);
  });

  it("has tables of every key, and of every dimension of the pair with the engine's sum", async () => {
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
    // Without vectors, and with vectors of another size.
    for (const given of [null, { query: rows(1, 2, 3), key: vectors.key }]) {
      await put(element, { vectors: given });
      expect(spoken(element)).toContain("q · k 2.000");
      expect(all(element, "table")).toHaveLength(1);
    }
  });
});

describe("<headscope-lines>", () => {
  const FIRST = { head: 2, weights: matrixOf(3, [0.25, 0.75, 0, 0.1, 0.2, 0.7]) };
  const OTHER = { head: 0, weights: matrixOf(3, [1, 0, 0, 0, 1, 0]) };
  const lines = (more: Partial<HeadscopeLines> = {}): Promise<HeadscopeLines> =>
    mount(new HeadscopeLines(), {
      patterns: [FIRST],
      heads: 4,
      queries: tokensOf("le", "chat"),
      keys: tokensOf("the", "cat", "."),
      ...more,
    });

  it("moves by the keyboard: a query's strongest link first, then each of its keys", async () => {
    const element = await lines({ locked: { query: 0, key: 1 } });
    expect(spoken(element)).toBe("le attends to cat: 0.750");
    const moved = async (...keys: string[]): Promise<string> => {
      await press(element, ...keys);
      return spoken(element);
    };
    expect(await moved("ArrowDown")).toBe("chat attends to .: 0.700");
    expect(await moved("ArrowRight", "ArrowUp")).toBe("chat attends to cat: 0.200");
    expect(await moved("Home")).toBe("chat attends to the: 0.100");
    expect(await moved("ArrowLeft", "PageUp")).toBe("le attends to cat: 0.750");
  });

  it("draws several heads, each named in the sentence, in the choice and in the tables", async () => {
    const element = await lines({ patterns: [FIRST, OTHER], focused: { query: 0, key: 0 } });
    expect(spoken(element)).toBe("le attends to the: head 3 0.250 · head 1 1.000");
    const toggled = eventsOf(element, "headscope-beside-toggle");
    const buttons = all(element, ".heads button");
    const states = buttons.map((one) =>
      ["aria-label", "aria-pressed"].map((name) => one.getAttribute(name)).join(),
    );
    expect(states).toEqual(["Head 1,true", "Head 2,false", "Head 4,false"]);
    buttons[1]?.click();
    expect(toggled).toEqual([1]);
    await tabulate(element);
    expect(textsOf(element, "caption")).toEqual(["Weights of head 3", "Weights of head 1"]);
    expect(rowsOf(element, "tbody tr")[1]).toEqual(["chat", "0.100", "0.200", "0.700"]);
    await put(element, { heads: 1 });
    expect(all(element, ".heads")).toEqual([]);
  });

  it.each([
    [50, "0-0 1-1"],
    [90, "0-0 0-2 1-1"],
    [91, "0-0 0-2 0-1 1-1"],
    [100, "0-0 0-2 0-1 1-1 1-2"],
  ])("linksOfMass has the heaviest links of %i percent of each query", (percent, expected) => {
    const links = (columns: number, values: readonly number[], share: number): string =>
      linksOfMass(matrixOf(columns, values), share)
        .map(({ query, key }) => `${query}-${key}`)
        .join(" ");
    expect(links(3, [0.5, 0.1, 0.4, 0, 0.95, 0.05], percent)).toBe(expected);
    expect(links(2, [0, 0, 1e-30, 1], 100)).toBe("1-1 1-0");
    // Equal links are in the order of their keys.
    expect(links(3, [0.25, 0.5, 0.25], 100)).toBe("0-1 0-0 0-2");
    // Negative numbers count by their size.
    expect(links(3, [0.25, -0.5, 0.25], 75)).toBe("0-1 0-0");
  });

  it("linkAt finds a link under a point of its curve, unless it is too far", () => {
    const links = [0, 1, 2, 3, 4, 5].map((at) => ({ query: at, key: at, weight: 1 }));
    const room = { width: 600, comfortableHeight: 400 };
    const layout = layoutLines({ rows: 6, columns: 6 }, room, { query: 60, key: 60 });
    const view = new View(layout, 0);
    const x = (layout.left + layout.right) / 2;
    const y = view.middle(2);
    const under = (left: number, top: number, scroll = 0): unknown =>
      linkAt(new View(layout, scroll), [{ links }], { x: left, y: top });
    expect(under(x, y + 3)).toEqual({ query: 2, key: 2 });
    expect([under(x, y + layout.pitch / 2), under(layout.left - 5, y)]).toEqual([null, null]);
    expect(under(x, view.middle(0), 2 * layout.pitch)).toEqual({ query: 2, key: 2 });
    // Both curves are in reach; the nearer one is the first.
    const close = [links[2], { query: 2, key: 3, weight: 1 }].flatMap((link) => link ?? []);
    const point = { x: layout.left + 0.2 * (layout.right - layout.left), y };
    expect(linkAt(view, [{ links: close }], point)).toEqual({ query: 2, key: 2 });
  });
});
