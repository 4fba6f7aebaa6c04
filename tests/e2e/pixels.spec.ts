import { expect, test, type Locator } from "@playwright/test";
import type { Tensor } from "../../www/data/index.js";
import { cellPixels } from "../../www/draw/matrix.js";
import {
  divergingScale,
  sequentialScale,
  uniformScale,
  type ColourScale,
} from "../../www/draw/colours.js";
import { engine } from "./embed-page.js";
import { ExplorerPage } from "./explorer-page.js";

/*
 * A few pixels of what is really on the screen, by their numbers: the middle of every cell, where no letter, seam or
 * frame is. So neither fonts nor how a machine smooths edges can matter; each channel may differ by this much of 255.
 */
const TOLERANCE = 3;
const OPAQUE = 255;

const TEXT = "The dog and the cat.";
const HEAD = { stack: "decoder", layer: 0, head: 1 } as const;
const ADDRESS = `#v=1&model=models/tiny-gpt&text=${encodeURIComponent(TEXT)}&stack=decoder&layer=1&head=2`;

/** The colours in the middle of the cells, row by row, and how much of each cell is painted at all, from 0 to 1. */
interface SeenCells {
  colours: number[][];
  covered: number[];
}

/** Reads the canvas of the cells, on which nothing is painted but their plot and a frame of one pixel around it. */
async function seen(
  canvas: Locator,
  [rows = 0, columns = 0]: readonly number[],
): Promise<SeenCells> {
  return canvas.evaluate(
    (element, [rows, columns]) => {
      if (!(element instanceof HTMLCanvasElement)) throw new Error("that is no canvas");
      const brush = element.getContext("2d");
      if (!brush) throw new Error("it cannot be read");
      const { width, height } = element;
      const { data } = brush.getImageData(0, 0, width, height);
      const pixel = (x: number, y: number): number[] => [
        ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
      ];
      let [left, top, right, bottom] = [width, height, 0, 0];
      for (let at = 3; at < data.length; at += 4) {
        if (data[at] === 0) continue;
        const [x, y] = [((at - 3) / 4) % width, Math.floor((at - 3) / 4 / width)];
        [left, top, right, bottom] = [
          Math.min(left, x),
          Math.min(top, y),
          Math.max(right, x),
          Math.max(bottom, y),
        ];
      }
      const [wide, high] = [(right - left - 1) / columns, (bottom - top - 1) / rows];
      const colours: number[][] = [];
      const covered: number[] = [];
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1) {
          const [x, y] = [left + 1 + column * wide, top + 1 + row * high];
          colours.push(pixel(Math.floor(x + wide / 2), Math.floor(y + high / 2)));
          let [painted, all] = [0, 0];
          // Inside the seams.
          for (let down = Math.ceil(y + 2); down < y + high - 2; down += 1) {
            for (let across = Math.ceil(x + 2); across < x + wide - 2; across += 1) {
              all += 1;
              if ((pixel(across, down)[3] ?? 0) > 0) painted += 1;
            }
          }
          covered.push(painted / all);
        }
      }
      return { colours, covered };
    },
    [rows, columns] as const,
  );
}

/** Every number in its colour; a cell without one has nothing but hatching. */
function expectColours(
  { colours, covered }: SeenCells,
  { data }: Tensor,
  scale: ColourScale,
): void {
  const wanted = cellPixels(data, scale);
  expect(colours).toHaveLength(data.length);
  colours.forEach((colour, cell) => {
    const own = [...wanted.subarray(cell * 4, cell * 4 + 4)];
    if (own[3] === OPAQUE) {
      const apart = Math.max(...own.map((channel, at) => Math.abs(channel - (colour[at] ?? NaN))));
      expect(apart, `cell ${cell}: ${colour.join()} for ${own.join()}`).toBeLessThanOrEqual(
        TOLERANCE,
      );
      expect(covered[cell]).toBe(1);
    } else {
      expect(covered[cell], `the hatching of cell ${cell}`).toBeGreaterThan(0.05);
      expect(covered[cell]).toBeLessThan(0.95);
    }
  });
}

test("the colour of every cell is that of its number, light and dark, and a masked cell is hatched", async ({
  page,
}) => {
  test.setTimeout(120000);
  const model = await engine("models/tiny-gpt");
  const run = await model.run({ text: TEXT });
  const weights = await run.attention(HEAD);
  const explorer = new ExplorerPage(page);
  const cells = page.locator("headscope-heatmap canvas.cells");
  for (const [theme, colours] of [
    ["light", "blue"],
    ["dark", "viridis"],
  ] as const) {
    await explorer.open(`${ADDRESS}&theme=${theme}&colours=${colours}`);
    expectColours(
      await seen(cells, weights.shape),
      weights,
      sequentialScale(weights.data, colours, theme),
    );
  }
  const masked = await run.attention({ ...HEAD, stage: "masked" });
  await explorer.open(`${ADDRESS}&theme=dark&stage=masked`);
  expectColours(await seen(cells, masked.shape), masked, divergingScale(masked.data, "dark"));
  await test.step("the mask", async () => {
    const mask = await run.mask(HEAD);
    expect(mask.data.filter((value) => value === 0)).toHaveLength(
      (mask.data.length + (mask.shape[0] ?? 0)) / 2,
    );
    await explorer.open(`${ADDRESS}&theme=light&picture=mask`);
    expectColours(
      await seen(page.locator("headscope-mask canvas.cells"), mask.shape),
      mask,
      uniformScale(mask.data, "light"),
    );
    model.dispose();
  });
});
