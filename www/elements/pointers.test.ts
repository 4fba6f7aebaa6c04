// @vitest-environment happy-dom
// @isolate: texts are measured on a canvas that stands for all later ones.
// What is under the pointer, at the edges of what each figure has room for.
import { render } from "lit";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { LitElement } from "lit";
import type { Cell } from "../data/index.js";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeDimensions } from "./dimensions.js";
import { HeadscopeImage } from "./image.js";
import { HeadscopeLens } from "./lens.js";
import { HeadscopeLines } from "./lines.js";
import { HeadscopeHeatmap } from "./heatmap.js";
import { tip } from "./matrix/table.js";
import { HeadscopePositions } from "./positions.js";
import "./steps/element.js";
import { HeadscopeStrip } from "./steps/strip.js";
import {
  all,
  eventsOf,
  matrixOf,
  mount,
  numberedTokens,
  PATCH_TOKENS,
  PATCHES,
  press,
  rowsOf,
  spoken,
  stageOf,
  tabulate,
  textsOf,
  tokensOf,
} from "./testing/mount.js";
import { painted, stubPainting } from "./testing/painted.js";
import { PAPER_INKS } from "../export/sheet.js";

beforeEach(() => stubPainting(500));
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const PAIR = {
  queries: tokensOf("le", "chat"),
  keys: tokensOf("the", "cat", "sleeps"),
};
const WEIGHTS = matrixOf(3, [0.5, 0.3, 0.2, 0, 0.25, 0.75]);

/** Moves the pointer to a place of the picture; a test page has every element at its origin. */
function pointAt(element: LitElement, clientX: number, clientY: number): void {
  const [inner = stageOf(element)] = all(element, ".window");
  inner.dispatchEvent(
    new PointerEvent("pointermove", { clientX, clientY, bubbles: true, pointerType: "mouse" }),
  );
}

/** The layout of a figure on the page. */
const layoutOf = (element: LitElement): Layout => Reflect.get(element, "layout") as Layout;

/** What the layouts of the figures say of their places. */
interface Layout {
  left: number;
  right: number;
  top: number;
  pitch: number;
  labels: number;
  plot: { x: number; y: number };
  boxes: { plot: { x: number; y: number; width: number; height: number } }[];
}

type Cells = Pick<Layout, "plot"> & { cell: number };
type Strips = Pick<Layout, "top" | "pitch"> & { left: { keys: number }; cell: number };
type Plot = Pick<Layout, "plot"> & { cell: { width: number; height: number } };

describe("<headscope-lines>", () => {
  const lines = async (locked: Cell | null = null): Promise<HeadscopeLines> =>
    mount(new HeadscopeLines(), { ...PAIR, locked, patterns: [{ head: 0, weights: WEIGHTS }] });
  it("takes a query left of the links, a key right of them, each with its strongest weight", async () => {
    const element = await lines();
    const { left, right, top, pitch } = layoutOf(element);
    const hovered = eventsOf(element, "headscope-cell-hover");
    const row = (at: number): number => top + (at + 0.5) * pitch;
    pointAt(element, left, row(1));
    pointAt(element, right, row(0));
    pointAt(element, left - 30, row(0));
    pointAt(element, right + 30, row(1));
    pointAt(element, right, row(2));
    // There are three keys but two queries.
    pointAt(element, left, row(2));
    expect(hovered).toEqual([
      { query: 1, key: 2 },
      { query: 0, key: 0 },
      { query: 0, key: 1 },
      { query: 1, key: 2 },
      null,
    ]);
  });

  it("takes a key for the locked query's", async () => {
    const element = await lines({ query: 0, key: 0 });
    const { right, top, pitch } = layoutOf(element);
    const hovered = eventsOf(element, "headscope-cell-hover");
    pointAt(element, right + 10, top + 2.5 * pitch);
    expect(hovered).toEqual([{ query: 0, key: 2 }]);
  });

  it("moves by the keyboard in the column that the pointer was in", async () => {
    const element = await lines();
    const { left, right, top, pitch } = layoutOf(element);
    pointAt(element, right, top + 0.5 * pitch);
    await press(element, "ArrowDown");
    expect(spoken(element)).toBe("le attends to cat: 0.300");
    pointAt(element, left, top + 0.5 * pitch);
    await press(element, "ArrowDown");
    expect(spoken(element)).toBe("chat attends to sleeps: 0.750");
  });
});

it.each([
  // Of a figure 400 wide: right of a cell in the left half, else left of it.
  [100, "max-width: 270px; transform: translate(130px, 40px)", "left: 0"],
  [199, "max-width: 171px; transform: translate(229px, 40px)", "left: 0"],
  [200, "max-width: 190px; transform: translate(-210px, 40px)", "right: 0"],
  [380, "max-width: 320px; transform: translate(-30px, 40px)", "right: 0"],
])("a tooltip of a cell at %i is on the side with more room", (x, style, side) => {
  const place = document.createElement("div");
  const words = { query: "le", key: "the", value: "0.5" };
  render(tip(words, { x, y: 50, width: 20, height: 20 }, 400), place);
  const [shown] = place.querySelectorAll<HTMLElement>(".tip");
  const styles = shown?.style.cssText ?? "";
  expect(styles).toContain(style);
  expect(styles).toContain(side);
});

describe("<headscope-image>", () => {
  const tokens = PATCH_TOKENS;
  const tensor = matrixOf(
    5,
    Array.from({ length: 25 }, (_, at) => (at % 6 === 0 ? 0.6 : 0.1)),
  );
  const image = (specials = 1): Promise<HeadscopeImage> =>
    mount(new HeadscopeImage(), {
      queries: specials === 1 ? tokens : tokens.slice(1).map((one) => ({ ...one, id: one.id - 1 })),
      keys: specials === 1 ? tokens : tokens.slice(1),
      tensor: specials === 1 ? tensor : matrixOf(4, Array<number>(16).fill(0.25)),
      grid: { ...PATCHES, specials },
      comfortableHeight: 228,
    } as Partial<HeadscopeImage>);
  const queries = (cells: readonly (Cell | null)[]): (number | undefined)[] =>
    cells.map((cell) => cell?.query);

  it("takes the patch under the pointer, and the special token above the patches", async () => {
    const element = await image();
    const hovered = eventsOf(element, "headscope-cell-hover");
    // Patches of 100 pixels begin below the 28 of the special token, which is 56 wide.
    pointAt(element, 0, 28);
    pointAt(element, 100, 28);
    pointAt(element, 99, 128);
    pointAt(element, 199, 227);
    pointAt(element, 200, 227);
    pointAt(element, 55, 21);
    pointAt(element, 56, 21);
    expect(queries(hovered)).toEqual([1, 2, 3, 4, undefined, 0, undefined]);
    expect(hovered[3]).toEqual({ query: 4, key: 4 });
  });

  it("moves from patch to patch, and up from the first row to the special token", async () => {
    const element = await image();
    const hovered = eventsOf(element, "headscope-cell-hover");
    await press(element, "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft");
    await press(element, "ArrowUp", "ArrowRight", "ArrowUp");
    expect(queries(hovered)).toEqual([1, 2, 4, 3, 1, 2, 0]);
  });

  it("stays in the first row where there is no special token", async () => {
    const element = await image(0);
    const hovered = eventsOf(element, "headscope-cell-hover");
    await press(element, "ArrowRight", "ArrowDown", "ArrowUp", "ArrowUp");
    expect(queries(hovered)).toEqual([1, 3, 1]);
  });

  it("leads from each column of patches to a special token above, the last one from beyond", async () => {
    const texts = ["[CLS]", "[DIST]", "1,1", "1,2", "1,3", "2,1", "2,2", "2,3"];
    const patches = tokensOf(...texts);
    const element = await mount(new HeadscopeImage(), {
      queries: patches,
      keys: patches,
      tensor: matrixOf(8, Array<number>(64).fill(0.125)),
      grid: { channels: 3, size: [4, 6], patch: [2, 2], grid: [2, 3], specials: 2 },
    });
    const hovered = eventsOf(element, "headscope-cell-hover");
    await press(element, "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp");
    await press(element, "ArrowDown", "ArrowRight", "ArrowUp", "ArrowDown");
    await press(element, "ArrowRight", "ArrowUp");
    expect(queries(hovered)).toEqual([2, 5, 2, 0, 2, 3, 1, 3, 4, 1]);
  });

  it("names the clearest patch, special tokens apart", async () => {
    const element = await image();
    expect(textsOf(element, "[part=legend]").join()).toContain("0.100");
    pointAt(element, 199, 227);
    await element.updateComplete;
    expect(textsOf(element, "[part=legend]").join()).toContain("0.600");
  });
});

it("<headscope-dimensions> reads the product under the pointer, and the pair beside the strips", async () => {
  const vectors = {
    query: matrixOf(2, [1, 2, 3, 4], ["position", "head_dim"]),
    key: matrixOf(2, [1, -1, 0.5, 2, 0, 3], ["position", "head_dim"]),
  };
  const stages = { raw: WEIGHTS, scores: WEIGHTS, masked: WEIGHTS, weights: WEIGHTS };
  const element = await mount(new HeadscopeDimensions(), { ...PAIR, stages, vectors });
  const { left, cell, top, pitch } = layoutOf(element) as unknown as Strips;
  pointAt(element, left.keys + 1.5 * cell, top + 1.5 * pitch);
  await element.updateComplete;
  expect(spoken(element)).toContain("4.000");
  expect(spoken(element)).toContain("2.000");
  pointAt(element, left.keys - 4, top + 1.5 * pitch);
  await element.updateComplete;
  expect(spoken(element)).toBe("le attends to cat: q · k 0.300, scaled 0.300, weight 0.300");
});

it("<headscope-positions> reads the number under the pointer, and keeps its row for the table", async () => {
  const element = new HeadscopePositions();
  await mount(element, {
    tensor: matrixOf(2, [0, 1, 0.5, -0.5, 1, 0.25], ["position", "model_dim"]),
  });
  const { plot, cell } = layoutOf(element) as unknown as Plot;
  const reading = async (row: number, column: number): Promise<string[]> => {
    pointAt(element, plot.x + column * cell.width, plot.y + row * cell.height);
    await element.updateComplete;
    return [".reading", ".pointed span:first-child"].flatMap((part) => textsOf(element, part));
  };
  expect(await reading(0, 0)).toEqual(["Position 1, dimension 1: 0", "dimension 1"]);
  expect(await reading(1.5, 1.5)).toEqual(["Position 2, dimension 2: −0.500", "dimension 2"]);
  expect(await reading(-1, 0)).toEqual(["", "dimension 2"]);
});

it("<headscope-strip> takes the number under the pointer, but nothing over the labels of rows", async () => {
  const step = (name: "input" | "query"): HeadscopeStrip["steps"][number] => ({
    step: name,
    tensor: matrixOf(2, [1, 2, 3, 4], ["position", "model_dim"]),
  });
  const element = await mount(new HeadscopeStrip(), {
    steps: [step("input"), step("query")],
    head: { stack: "encoder", layer: 0, head: 0 },
    heads: 1,
    queries: tokensOf("le", "chat"),
    keys: tokensOf("le", "chat"),
  });
  const { boxes, labels } = layoutOf(element);
  const hovered = eventsOf(element, "headscope-number-hover");
  const held = eventsOf(element, "headscope-number-hold");
  const [first] = boxes;
  if (!first) throw new Error("there is no box");
  const { x, y, width, height } = first.plot;
  pointAt(element, x, y);
  pointAt(element, x + width - 0.01, y + height - 0.01);
  pointAt(element, labels - 1, y);
  expect(hovered).toEqual([
    { step: "input", row: 0, column: 0 },
    { step: "input", row: 1, column: 1 },
    null,
  ]);
  stageOf(element).dispatchEvent(new MouseEvent("click", { clientX: x + 0.6 * width, clientY: y }));
  expect(held).toEqual([{ step: "input", row: 0, column: 1 }]);
});

describe("<headscope-heatmap>", () => {
  it("takes the cell under the pointer, in the whole matrix and in a region of it", async () => {
    const side = 20;
    const element = await mount(new HeadscopeHeatmap(), {
      tensor: matrixOf(side, Array<number>(side * side).fill(0.05)),
      queries: numberedTokens("q", side),
      keys: numberedTokens("k", side),
    });
    const hovered = eventsOf(element, "headscope-cell-hover");
    const point = (query: number, key: number): void => {
      const { plot, cell } = layoutOf(element) as unknown as Cells;
      pointAt(element, plot.x + key * cell, plot.y + query * cell);
    };
    point(0, 0);
    point(19.9, 3);
    point(20, 3);
    element.region = { query: 10, key: 4, rows: 8, columns: 8 };
    await element.updateComplete;
    point(1.5, 2.5);
    expect(hovered).toEqual([
      { query: 0, key: 0 },
      { query: 19, key: 3 },
      null,
      { query: 11, key: 6 },
    ]);
  });

  it("locks the cell that is clicked, and unlocks it when it is clicked again", async () => {
    const element = await mount(new HeadscopeHeatmap(), { ...PAIR, tensor: WEIGHTS });
    const { plot, cell } = layoutOf(element) as unknown as Cells;
    const locked = eventsOf(element, "headscope-cell-lock");
    const place = { clientX: plot.x + 1.5 * cell, clientY: plot.y + 0.5 * cell };
    const click = (): boolean =>
      stageOf(element).dispatchEvent(new MouseEvent("click", { ...place, bubbles: true }));
    click();
    element.locked = { query: 0, key: 1 };
    await element.updateComplete;
    click();
    expect(locked).toEqual([{ query: 0, key: 1 }, null]);
  });
});

describe("<headscope-lens>", () => {
  beforeAll(() => loadSentences("layers"));
  const WORDS = ["a", "b", "c", "d", "e", "f"];
  const layers = async (more: Partial<HeadscopeLens> = {}): Promise<HeadscopeLens> =>
    mount(new HeadscopeLens(), {
      tokens: tokensOf("le", "chat"),
      words: WORDS,
      numbers: matrixOf(2, [0, 0.125, 0.25, 0.375, 0.5, 0.625], ["layer", "position"]),
      quantity: "probability",
      ...more,
    });
  /** The words of the cell that is read out: those of depths stand one below another. */
  const word = (element: LitElement): string | undefined =>
    WORDS.find((one) => new RegExp(`\\b${one}\\b`).test(spoken(element)));
  const click = (element: LitElement): boolean =>
    stageOf(element).dispatchEvent(new MouseEvent("click", { bubbles: true }));

  it("takes the cell under the pointer, its first corner included, and none beside the plot", async () => {
    const element = await layers();
    const { plot, cell } = Reflect.get(element, "layout") as Plot;
    const chosen = eventsOf(element, "headscope-depth-choose");
    const at = async (column: number, row: number): Promise<string | undefined> => {
      pointAt(element, plot.x + column * cell.width, plot.y + row * cell.height);
      await element.updateComplete;
      return word(element);
    };
    expect(await at(0, 0)).toBe("a");
    expect(await at(1.01, 1.5)).toBe("d");
    expect(spoken(element)).toContain("0.375");
    click(element);
    expect(await at(2.99, 0.99)).toBe("e");
    expect(await at(3.01, 0.5)).toBeUndefined();
    expect(await at(-0.01, 0.5)).toBeUndefined();
    expect(await at(0.5, 2.01)).toBeUndefined();
    expect(await at(0.5, -0.01)).toBeUndefined();
    click(element);
    expect(chosen).toEqual([{ layer: 1, position: 1 }]);
  });

  it("moves by the keyboard from the chosen cell, and chooses one that was moved to", async () => {
    const element = await layers({ chosen: { layer: 1, position: 0 } });
    const chosen = eventsOf(element, "headscope-depth-choose");
    await press(element, "Enter");
    expect(chosen).toEqual([]);
    await press(element, "ArrowRight");
    expect(word(element)).toBe("e");
    await press(element, "ArrowRight", "ArrowDown", " ");
    expect([word(element), chosen]).toEqual(["f", [{ layer: 2, position: 1 }]]);
    await press(element, "x");
    expect(word(element)).toBe("f");
  });

  it("forgets a cell that is no longer there, and its reading when the pointer leaves", async () => {
    const element = await layers();
    await press(element, "End", "ArrowDown");
    const fewer = matrixOf(1, [0, 0.25, 0.5], ["layer", "position"]);
    await mount(element, { tokens: tokensOf("le"), words: ["a", "c", "e"], numbers: fewer });
    expect(word(element)).toBeUndefined();
    await press(element, "ArrowRight");
    expect(word(element)).toBe("c");
    const [inner = stageOf(element)] = all(element, ".window");
    inner.dispatchEvent(new PointerEvent("pointerleave", { bubbles: true }));
    await element.updateComplete;
    expect(word(element)).toBeUndefined();
  });

  it("has a table of the same cells, a row for each token", async () => {
    const element = await layers();
    await tabulate(element);
    const rows = rowsOf(element, "tbody tr").map((row) => row.slice(1));
    expect(rows.map((row) => row.map((one) => one.split(" ")[0]))).toEqual([
      ["a", "c", "e"],
      ["b", "d", "f"],
    ]);
    expect(textsOf(element, "thead th")).toHaveLength(4);
  });

  it("has no picture to save without numbers, else one as wide as its depths", async () => {
    expect((await layers({ numbers: null })).print(PAPER_INKS)).toBeNull();
    const element = await layers();
    const { width = 0, height } = element.print(PAPER_INKS) ?? {};
    const fewer = matrixOf(2, [0, 0.25], ["layer", "position"]);
    await mount(element, { words: ["a", "b"], numbers: fewer });
    const less = element.print(PAPER_INKS);
    const lonely = await layers({
      words: ["a", "b", "c", "d"],
      numbers: matrixOf(2, [0, 0, 0, 0]),
    });
    const column = (lonely.print(PAPER_INKS)?.width ?? 0) - (less?.width ?? 0);
    expect(column).toBeGreaterThan(0);
    expect([width - (less?.width ?? 0), height]).toEqual([2 * column, less?.height]);
  });
});

describe("a stroke over cells of a heatmap", () => {
  const REGION = { query: 0, key: 1, rows: 2, columns: 2 };
  /** What is painted over the cells: over one of the region, and over one beside it. */
  async function stroked(more: Partial<HeadscopeHeatmap>, open: boolean): Promise<string[]> {
    const lines = (text: string): string[] => text.split("-- marks")[0]?.split("\n") ?? [];
    const properties = { ...PAIR, tensor: WEIGHTS, region: REGION, ...more };
    const before = lines(await painted(new HeadscopeHeatmap(), properties)).length;
    document.body.replaceChildren();
    const all = await painted(new HeadscopeHeatmap(), properties, (element) => {
      const cells = [0, 1].map((key) => ({ query: 1, key }));
      element.paintStroke(cells, open);
    });
    return lines(all).slice(before - 1);
  }
  const rects = (lines: string[], call: string): string[] =>
    lines.filter((line) => line.trim().startsWith(call)).map((line) => line.trim());

  it("is painted at once where the cell stands in the shown region", async () => {
    const allowed = rects(await stroked({}, true), "fillRect");
    // The first cell of the second row, in a frame of the accent.
    const [outer, inner, ...others] = allowed.map((line) =>
      line.split(" ").slice(1, 5).map(Number),
    );
    const { plot, cell } = await layoutOfRegion();
    expect(outer).toEqual([plot.x, plot.y + cell, cell, cell]);
    expect(inner).toEqual([plot.x + 1, plot.y + cell + 1, cell - 2, cell - 2]);
    expect(others).toEqual([]);
  });

  it("blocks cells, or only frames them until it has ended", async () => {
    const blocked = await stroked({}, false);
    expect(rects(blocked, "fillRect")).toHaveLength(1);
    expect(rects(blocked, "clip")).toHaveLength(1);
    const marked = await stroked({ strokes: "mark" }, false);
    expect([rects(marked, "fillRect"), rects(marked, "strokeRect").length]).toEqual([[], 1]);
    expect(rects(marked, "strokeRect")[0]).toContain("2, 1]");
  });

  it("is painted away once it has ended, unless the page answers with what it changed", async () => {
    const lines = async (reported: boolean, strokes: "mask" | "mark"): Promise<number> => {
      document.body.replaceChildren();
      const properties = { ...PAIR, tensor: WEIGHTS, strokes };
      const text = await painted(new HeadscopeHeatmap(), properties, async (element) => {
        element.paintStroke([{ query: 0, key: 0 }], true);
        element.endStroke(reported);
        await element.updateComplete;
      });
      return (text.split("-- marks")[0] ?? "").split("\n").length;
    };
    const clean = await lines(false, "mask");
    expect(await lines(true, "mask")).toBeGreaterThan(clean);
    expect(await lines(true, "mark")).toBe(clean);
  });

  async function layoutOfRegion(): Promise<Cells> {
    document.body.replaceChildren();
    const properties = { ...PAIR, tensor: WEIGHTS, region: REGION };
    const element = await mount(new HeadscopeHeatmap(), properties);
    return Reflect.get(element, "layout") as Cells;
  }
});
