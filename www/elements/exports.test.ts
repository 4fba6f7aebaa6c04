// @vitest-environment happy-dom
// What these pictures look like is in the golden files.
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { recorder, testInks } from "../draw/testing/recorder.js";
import { OWN_ROOM, type Print } from "../draw/theme.js";
import { loadSentences, message } from "../i18n/index.js";
import { printGrid, type PrintedHeads, printSpectrum, printTokens } from "./exports.js";
import { HeadscopeLines } from "./lines.js";
import { HeadscopeHeatmap } from "./heatmap.js";
import { HeadscopePositions } from "./positions.js";
import { matrixOf, mount, numberedTokens, stubCanvas, tokensOf } from "./testing/mount.js";

beforeAll(async () => {
  stubCanvas();
  await loadSentences("export");
});
afterAll(() => vi.unstubAllGlobals());
afterEach(() => document.body.replaceChildren());

const painted = (print: Print | null, call: string): (readonly unknown[])[] => {
  const { brush, done } = recorder();
  print?.paint(brush);
  return done(call).map(({ args }) => args);
};
const textsOf = (print: Print | null): unknown[] =>
  painted(print, "fillText").map(([text]) => text);

const HEADS: PrintedHeads = {
  thumbnails: {
    data: Float32Array.from({ length: 24 }, (_, at) => (at < 20 ? at / 24 : -at / 24)),
    shape: [2, 3, 2, 2],
    axes: ["layer", "head", "query", "key"],
  },
  order: null,
  roles: null,
  basis: "heldOut",
  ablated: [],
  selected: null,
  colours: "blue",
};

it("printGrid has a legend for either kind of scale", () => {
  const words = ["maximum of the head", "−maximum of the head"];
  expect(textsOf(printGrid(HEADS, testInks))).toEqual(expect.arrayContaining(words));
});

it("printGrid stands heads in rows of a layer, in order in lines of their own, with their words below", () => {
  const frames = (print: Print | null): number[][] =>
    painted(print, "strokeRect")
      .map((args) => args.map(Number))
      .filter(([, , width, height]) => width === height);
  const whole = printGrid(HEADS, testInks);
  const grid = frames(whole);
  expect(grid).toHaveLength(6);
  const corner = (at: number): [number, number] => [grid[at]?.[0] ?? NaN, grid[at]?.[1] ?? NaN];
  const [[left, top], [right], [, below]] = [corner(0), corner(1), corner(3)];
  expect(right).toBeGreaterThan(left + 50);
  expect(below).toBeGreaterThan(top + 50);
  expect(corner(4)).toEqual([right, below]);
  // Numbers of the heads over the columns, of the layers beside the rows.
  expect(textsOf(whole).slice(0, 5)).toEqual(["1", "2", "3", "1", "2"]);

  const order = [
    { layer: 1, head: 2, note: "first" },
    { layer: 0, head: 0, note: "" },
  ];
  const listed = printGrid({ ...HEADS, order }, testInks);
  const words = textsOf(listed);
  expect(words.slice(0, 3)).toEqual(["2 · 3", "first", "1 · 1"]);
  const [one, two] = frames(listed);
  expect(one?.[1]).toBe(two?.[1]);
  expect(two?.[0]).toBeGreaterThan((one?.[0] ?? 0) + (one?.[2] ?? 0));
});

it("printGrid draws ablated heads faintly and says so, and names roles with their scores", () => {
  const role = { role: "previous", score: 0.5, second: { role: "self", score: 0.25 } } as const;
  const roles = [[role, null, null], []] as unknown as PrintedHeads["roles"];
  const print = printGrid({ ...HEADS, roles, ablated: [{ layer: 0, head: 1 }] }, testInks);
  const words = textsOf(print);
  const name = message("role.previous.short");
  const at = words.indexOf(name);
  expect(words.slice(at, at + 3)).toEqual([name, "0.50", message("role.self.short")]);
  expect(words).toContain(message("export.faint"));
  expect(words).toContain(message("grid.roles.heldOut"));
  const plain = printGrid(HEADS, testInks);
  expect(textsOf(plain)).not.toContain(message("export.faint"));
  // Two more lines of text and two notes.
  expect(print?.height).toBeGreaterThan(plain?.height ?? 0);
});

const LONG_WORD = tokensOf(...Array<string>(12).fill("donaudampfschiff"));
it.each([
  ["sets tokens in lines", numberedTokens("word", 60)],
  ["divides a word that is wider than a line", LONG_WORD.map((one) => ({ ...one, word: 1 }))],
])("printTokens %s", (_, tokens) => {
  const print = printTokens([{ name: "First", tokens }], testInks);
  expect(textsOf(print)).toEqual(["First", ...tokens.map(({ text }) => text)]);
  const chips = painted(print, "fillRect").map((args) => args.map(Number));
  for (const [x = 0, , width = 0] of chips)
    expect(x + width).toBeLessThanOrEqual(print?.width ?? 0);
  expect(new Set(chips.map(([, y]) => y)).size).toBeGreaterThan(2);
});

it("no heads, no tokens and no singular values are no picture", () => {
  const lost = { layer: 7, head: 0, note: "gone" };
  for (const order of [[], [lost]]) expect(printGrid({ ...HEADS, order }, testInks)).toBeNull();
  expect(printTokens([{ name: "Text", tokens: [] }], testInks)).toBeNull();
  expect(printSpectrum({ values: [], rank: 0 }, testInks)).toBeNull();
});

it("singular values are bars in proportion to the largest, of which those of the rank are full", () => {
  const { paint } = printSpectrum({ values: [4, 2, 1, 0], rank: 2 }, testInks) ?? expect.fail();
  const bars: { height: number; base: number; alpha: number }[] = [];
  const { brush } = recorder();
  const seen = new Proxy(brush, {
    get: (on, name) =>
      name === "fillRect"
        ? (_: number, y: number, __: number, height: number) =>
            bars.push({ height, base: y + height, alpha: on.globalAlpha })
        : (Reflect.get(on, name) as unknown),
  });
  paint(seen);
  const [line] = bars.splice(4);
  expect(bars.map(({ height }) => height)).toEqual([140, 70, 35, 0]);
  expect(bars.map(({ alpha }) => alpha)).toEqual([1, 1, 0.38, 0.38]);
  expect(new Set(bars.map(({ base }) => base)).size).toBe(1);
  expect(line).toMatchObject({ height: 1, alpha: 1 });
});

it("a figure in a file is as large as its matrix needs, within bounds, and null where it draws nothing", async () => {
  const print = async (side: number, keys = side): Promise<Print | null> => {
    const tensor = matrixOf(side, Array<number>(side * side).fill(0.5));
    const queries = numberedTokens("q", side);
    const columns = numberedTokens("k", keys);
    const element = await mount(new HeadscopeHeatmap(), { tensor, queries, keys: columns });
    return element.print(testInks);
  };
  const widths = [(await print(30))?.width, (await print(60))?.width, (await print(500))?.width];
  expect(widths).toEqual([...widths].sort((a = 0, b = 0) => a - b));
  expect(widths[2]).toBeLessThan(2600);
  expect((await print(0)) ?? (await print(2, 3))).toBeNull();
  expect((await mount(new HeadscopePositions(), {})).print(testInks)).toBeNull();
});

it.each([
  [
    "heatmap",
    new HeadscopeHeatmap(),
    { queries: tokensOf("a", "b"), keys: tokensOf("c", "d"), stage: "weights" },
  ],
  ["picture of positions", new HeadscopePositions(), {}],
])("a %s in a file has its colour bar, or none", async (_, element, fields) => {
  const tensor = matrixOf(2, [0.25, 0.75, 0.5, 0.5], ["position", "dimension"]);
  await mount(element, { tensor, ...fields });
  const whole = element.print(testInks, OWN_ROOM);
  const bare = element.print(testInks, { ...OWN_ROOM, colourBar: false });
  expect(textsOf(bare).length).toBeGreaterThan(0);
  expect(textsOf(bare).length).toBeLessThan(textsOf(whole).length);
});

it("lines in a file have a legend of three links, and of their heads if there are several", async () => {
  const weights = matrixOf(2, [0.25, 0.75, 0.5, 0.5]);
  const texts = { queries: tokensOf("a", "b"), keys: tokensOf("c", "d") };
  const print = async (...heads: number[]): Promise<Print | null> => {
    const patterns = heads.map((head) => ({ head, weights }));
    const element = await mount(new HeadscopeLines(), { ...texts, patterns, heads: 4 });
    return element.print(testInks);
  };
  const legend = async (...heads: number[]): Promise<(readonly unknown[])[]> =>
    painted(await print(...heads), "fillText").slice(-3 - (heads.length > 1 ? heads.length : 0));
  const one = await legend(0);
  expect(one.map(([text]) => text)).toEqual(["0.075", "0.375", "0.750"]);
  const several = await legend(0, 2);
  const names = [1, 3].map((head) => message("lines.head", { head }));
  expect(several.map(([text]) => text)).toEqual(["0.075", "0.375", "0.750", ...names]);

  // Of signed numbers the most negative one too.
  const signed = await mount(new HeadscopeLines(), {
    ...texts,
    patterns: [{ head: 0, weights: matrixOf(2, [0.25, -0.75, 0.5, 0.5]) }],
    stage: "effects",
  });
  const words = painted(signed.print(testInks), "fillText").slice(-5);
  expect(words.map(([text]) => text)).toEqual([
    message("stage.effects"),
    "0.075",
    "0.375",
    "0.750",
    "−0.750",
  ]);

  // All of it is in one line from left to right, below the picture and in the file.
  const places = several.map(([, x]) => Number(x));
  expect(places).toEqual([...places].sort((left, right) => left - right));
  expect(new Set(several.map(([, , y]) => y)).size).toBe(1);
  const file = await print(0, 2);
  const y = Number(several[0]?.[2]);
  const height = file?.height ?? 0;
  expect(y).toBeGreaterThan(height - 28);
  expect(y).toBeLessThan(height);
  const swatches = painted(file, "fillRect").filter(([, , width]) => width === 10);
  expect(swatches.slice(-2).map(([, top]) => Number(top) + 5)).toEqual([y, y]);
});
