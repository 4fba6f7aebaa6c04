// @vitest-environment happy-dom
// @isolate: texts are measured on a canvas that stands for all later ones.
// The dials of rotary positions: a hand for each vector of a pair of dimensions, and their angles.
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { GoldenSections } from "../../tests/golden/golden.js";
import type { Rotary } from "../data/index.js";
import { recorder, testInks } from "../draw/testing/recorder.js";
import { all, mount, put, rowsOf, tabulate } from "../elements/testing/mount.js";
import { painted, printed, stubPainting } from "../elements/testing/painted.js";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeRotaryDials } from "./dials.js";

beforeEach(async () => {
  stubPainting(320);
  await loadSentences("experiments");
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Of each pair of dimensions the first number is in the first half of a vector. */
const FOUND = {
  speeds: [1, 0.1],
  here: { query: [1, 2, 0, 2], key: [0, 2, 1, 0] },
  shifted: { query: [0, 2, 1, 2], key: [-1, 2, 0, 0] },
} as unknown as Rotary;

it("a row has the angles of a pair's hands, and the one from the key to the query", async () => {
  const element = await mount(new HeadscopeRotaryDials(), { found: FOUND, shift: 3 });
  expect(element.table()?.rows.map((row) => row.map((one) => Math.round(Number(one))))).toEqual([
    [0, 1, 0, 90, -90, 90, 180, -90],
    [1, 0, 45, 0, 45, 45, 0, 45],
  ]);
  await tabulate(element);
  expect(rowsOf(element)[1]).toEqual([
    "0",
    "1.000",
    ...["0°", "90°", "−90°", "90°", "180°", "−90°"],
  ]);
  await put(element, { shift: 0 });
  expect(element.table()?.columns).toHaveLength(5);
  expect(element.table()?.rows[0]).toHaveLength(5);
});

const file = new GoldenSections("dials.txt");
afterAll(() => file.end());

it.each<[string, () => Promise<string>]>([
  ["two dials", () => painted(new HeadscopeRotaryDials(), { found: FOUND, shift: 0 })],
  [
    "two dials, and shifted ones",
    () => painted(new HeadscopeRotaryDials(), { found: FOUND, shift: 3 }),
  ],
  [
    "print of two dials, and shifted ones",
    () => printed(new HeadscopeRotaryDials(), { found: FOUND, shift: 3 }),
  ],
])("%s: what is painted is in the golden file", async (name, paint) => {
  const text = await paint();
  expect(text.split("\n")).toEqual(file.textOf(name, text).split("\n"));
});

it("shows few pairs, and all of them on request", async () => {
  const many = 10;
  const vector = Array<number>(2 * many).fill(1);
  const found = {
    speeds: Array<number>(many).fill(1),
    here: { query: vector, key: vector },
    shifted: { query: vector, key: vector },
  } as unknown as Rotary;
  const element = await mount(new HeadscopeRotaryDials(), { found });
  expect(element.table()?.rows).toHaveLength(8);
  expect(element.print({ font: "" } as never)).toMatchObject({ width: 4 * 148 });
  const { brush, done } = recorder();
  element.print(testInks)?.paint(brush);
  const rims = done("arc").filter(({ args }) => args[2] === 56);
  const [first, ...others] = [0, 1, 3, 4, 7].map((at) => rims[at]?.args.slice(0, 2).map(Number));
  const [x = NaN, y = NaN] = first ?? [];
  const down = (others.at(-1)?.[1] ?? NaN) - y;
  // Four in a row, and the fifth below the first.
  expect(down).toBeGreaterThan(2 * 56);
  expect(others).toEqual([
    [x + 148, y],
    [x + 3 * 148, y],
    [x, y + down],
    [x + 3 * 148, y + down],
  ]);
  all(element, ".foot button")[0]?.click();
  await element.updateComplete;
  expect(element.table()?.rows).toHaveLength(many);
  await put(element, { found: FOUND });
  expect(all(element, ".foot button")).toHaveLength(1);
  await put(element, { found: null });
  expect([element.table(), element.print({ font: "" } as never)]).toEqual([null, null]);
});
