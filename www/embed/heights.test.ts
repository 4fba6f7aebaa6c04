// The heights that a page reserves for figures before they come.
import { expect, it } from "vitest";
import { guessTokens, HEIGHTS } from "./heights.js";

it.each([
  ["The cat sat.", 6],
  ["don't", 5],
  ["猫坐在垫子上", 8],
  ["", 1],
])("%j has about %i tokens", (text, tokens) => {
  expect(guessTokens(text)).toBe(tokens);
});

it("figures with a row for each token grow with the text, and scroll beyond a comfortable height", () => {
  const height = (tokens: number): number => HEIGHTS["headscope-lines"]({ width: 600, tokens });
  expect([height(5), height(10), height(16), height(100)]).toEqual([252, 392, 552, 552]);
});

it("matrices leave no more room than their cells need, with the legend and without", () => {
  const sizes = [300, 900].map((width) => [5, 40].map((tokens) => ({ width, tokens })));
  const heights = (tag: "headscope-heatmap" | "headscope-mask"): number[][] =>
    sizes.map((row) => row.map((guess) => HEIGHTS[tag](guess)));
  expect(heights("headscope-heatmap")).toMatchInlineSnapshot(`
    [
      [
        380,
        360,
      ],
      [
        458,
        698,
      ],
    ]
  `);
  expect(heights("headscope-mask")).toMatchInlineSnapshot(`
    [
      [
        278,
        258,
      ],
      [
        418,
        658,
      ],
    ]
  `);
});

it("other figures have the height of their parts", () => {
  const guess = { width: 600, tokens: 20 };
  expect(HEIGHTS["headscope-image"](guess)).toBe(472);
  expect(HEIGHTS["headscope-image"]({ ...guess, width: 100 })).toBe(132);
  expect(HEIGHTS["headscope-positions"](guess)).toBe(66 + 14 * 20 + 72 + 300);
  expect(HEIGHTS["headscope-positions"]({ ...guess, tokens: 1000 })).toBe(66 + 1000 + 72 + 300);
  expect(HEIGHTS["headscope-steps"](guess)).toBe(120 + 380 + 412);
  expect(HEIGHTS["headscope-steps"]({ ...guess, tokens: 4 })).toBe(120 + 80 + 412);
  expect([223, 224].map((width) => HEIGHTS["headscope-spectrum"]({ ...guess, width }))).toEqual([
    296, 140,
  ]);
  expect(HEIGHTS["headscope-tokens"](guess)).toBe(90);
  expect(HEIGHTS["headscope-tokens"]({ ...guess, width: 10 })).toBe(600);
});
