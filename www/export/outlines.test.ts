import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Outlines } from "./outlines.js";
import { SvgBrush } from "./svg.js";

const FOLDER = "node_modules/@fontsource";
const bytesOf = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer;

const latin = {
  slice: { family: "Noto Sans", weight: "400", range: "U+20-7E", url: "" },
  bytes: bytesOf(`${FOLDER}/noto-sans/files/noto-sans-latin-400-normal.woff2`),
} as const;
const han = {
  slice: { family: "Noto Sans SC", weight: "100 900", range: "U+4E00-9FFF", url: "" },
  bytes: bytesOf(`${FOLDER}-variable/noto-sans-sc/files/noto-sans-sc-119-wght-normal.woff2`),
} as const;

async function painted(
  text: string,
  align: CanvasTextAlign = "left",
  outlines = new Outlines([latin, han]),
): Promise<string> {
  const svg = new SvgBrush("", "");
  const brush = outlines.on(svg);
  brush.font = "100px sans-serif";
  brush.textAlign = align;
  brush.textBaseline = "alphabetic";
  brush.fillText(text, 1000, 200);
  return svg.markup();
}

const numbersIn = (markup: string): number[] =>
  [...(/ d="([^"]*)"/.exec(markup)?.[1]?.matchAll(/-?[\d.]+/g) ?? [])].map(([number]) =>
    Number(number),
  );
const across = (markup: string): number[] => numbersIn(markup).filter((_, at) => at % 2 === 0);

it("a text is the outlines of its glyphs, from its place on and on its baseline", async () => {
  const markup = await painted("HI");
  expect(markup).not.toContain("<text");
  const down = numbersIn(markup).filter((_, at) => at % 2 === 1);
  // Capitals of Noto Sans are 0.714 of their size high.
  expect([Math.max(...down), Math.min(...down)]).toEqual([200, 128.6]);
  expect(Math.min(...across(markup))).toBeGreaterThan(1000);
  const centred = across(await painted("HI", "center"));
  const right = across(await painted("HI", "right"));
  expect(Math.max(...right)).toBeLessThan(1000);
  expect((Math.min(...centred) + Math.max(...centred)) / 2).toBeCloseTo(1000, -1);
});

it("what has no outlines stays text, after what has, and is known afterwards", async () => {
  const outlines = new Outlines([latin, han]);
  const markup = await painted("I字", "left", outlines);
  expect([...outlines.plain]).toEqual(["字"]);
  expect(markup).toContain("<path");
  expect(markup).toMatch(/<text x="10[2-9]\d[^>]*>字<\/text>/);
});

it("round glyphs stay between the baseline and the height of capitals, controls of curves too", async () => {
  const markup = await painted("OS8");
  const numbers = numbersIn(markup);
  const down = numbers.filter((_, at) => at % 2 === 1);
  expect(markup).toContain("C");
  // They reach 0.012 of their size beyond the lines on which flat letters stand.
  expect(Math.max(...down)).toBeLessThanOrEqual(202);
  expect(Math.min(...down)).toBeGreaterThanOrEqual(126);
  expect(Math.min(...across(markup))).toBeGreaterThan(1000);
  expect(Math.max(...across(markup))).toBeLessThan(1200);
});

it("a text is set in its own size, at the middle where that is asked for", async () => {
  const heights = async (size: number, baseline: CanvasTextBaseline): Promise<number[]> => {
    const svg = new SvgBrush("", "");
    const brush = new Outlines([latin]).on(svg);
    brush.font = `${size}px sans-serif`;
    brush.textBaseline = baseline;
    brush.fillText("H", 0, 100);
    const down = numbersIn(await svg.markup()).filter((_, at) => at % 2 === 1);
    return [Math.max(...down), Math.max(...down) - Math.min(...down)];
  };
  const [base, height = 0] = await heights(20, "alphabetic");
  expect([base, height]).toEqual([100, expect.closeTo(14.28, 1)]);
  const [middle = 0] = await heights(20, "middle");
  expect(middle).toBeCloseTo(100 + 0.285 * 20, 1);
});

it("curves of a font with one control are the same curves with two", async () => {
  const path = / d="([^"]*)"/.exec(await painted("OS8"))?.[1] ?? "";
  const steps = [...path.matchAll(/([MLCZ])([^MLCZ]*)/g)].map(([, command = "", numbers = ""]) => ({
    command,
    numbers: numbers.split(/[ ,]|(?=-)/).flatMap((one) => (one === "" ? [] : Number(one))),
  }));
  const curves = steps.filter(({ command }) => command === "C");
  expect(curves.length).toBeGreaterThan(20);
  let from = [0, 0];
  for (const { command, numbers } of steps) {
    // Both controls lie two thirds of the way from an end to the one control of the font.
    if (command === "C")
      for (const axis of [0, 1]) {
        const [start = NaN, first = NaN] = [from[axis], numbers[axis]];
        const [second = NaN, end = NaN] = [numbers[2 + axis], numbers[4 + axis]];
        expect((3 * first - start) / 2).toBeCloseTo((3 * second - end) / 2, 1);
      }
    if (numbers.length > 0) from = numbers.slice(-2);
  }
});
