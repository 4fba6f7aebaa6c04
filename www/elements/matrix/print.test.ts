// @vitest-environment happy-dom
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PALETTES, type Palette, type Stage, type Tensor, type Token } from "../../data/index.js";
import type { Print } from "../../draw/print.js";
import { pixelsOf } from "../../draw/pixels.js";
import { RAMP_STEPS, rampSwatch, sequentialRamp } from "../../draw/ramp.js";
import { testInks } from "../../draw/testing/inks.js";
import { recorder } from "../../draw/testing/recorder.js";
import { HeadscopeHeatmap } from "../heatmap/index.js";
import { HeadscopeMask } from "../mask/index.js";
import { HeadscopePositions } from "../positions/index.js";
import { mount } from "../testing/mount.js";

/** As much of it as a picture that is only handed on needs. */
class Canvas {
  getContext(): null {
    return null;
  }
}

const tokens = (count: number): Token[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    text: `t${id}`,
    word: id,
    special: false,
    role: null,
  }));
const matrix = (
  rows: number,
  columns: number,
  value: (index: number) => number = () => 0.5,
): Tensor => ({
  data: Float32Array.from({ length: rows * columns }, (_, index) => value(index)),
  shape: [rows, columns],
  axes: ["query", "key"],
});
const heatmap = (
  rows: number,
  columns: number,
  more: Partial<HeadscopeHeatmap> = {},
): Promise<HeadscopeHeatmap> =>
  mount(new HeadscopeHeatmap(), {
    tensor: matrix(rows, columns),
    queries: tokens(rows),
    keys: tokens(columns),
    ...more,
  });

const shared = (found: readonly unknown[], colours: readonly string[]): number =>
  colours.filter((colour) => found.includes(colour)).length;

function painted(print: Print | null): { texts: string[]; image: unknown[]; frames: unknown[][] } {
  const { brush, done } = recorder();
  print?.paint(brush);
  return {
    texts: done("fillText").map(({ args }) => String(args[0])),
    image: done("drawImage").flatMap(({ args }) => args),
    frames: done("strokeRect").map(({ args }) => [...args]),
  };
}

describe("a figure apart from the page", () => {
  beforeAll(() => {
    vi.stubGlobal("OffscreenCanvas", Canvas);
    vi.stubGlobal("ImageData", Canvas);
  });
  afterAll(() => vi.unstubAllGlobals());

  it("has all labels, its legend, and a pixel for each cell", async () => {
    const { texts, image } = painted((await heatmap(3, 4)).print(testInks));
    for (const text of [
      "t0",
      "t1",
      "t2",
      "t3",
      "weights",
      "0.500",
      "below: mass received; right: mass given",
    ])
      expect(texts).toContain(text);
    expect(painted((await heatmap(2, 2)).print(testInks)).texts).toContain("mass received");
    expect(pixelsOf(image[0] as CanvasImageSource)).toMatchObject({ columns: 4, rows: 3 });
  });

  it("is as large as its matrix asks, not as the window gives, and within bounds", async () => {
    const size = async (count: number): Promise<number> =>
      (await heatmap(count, count)).print(testInks)?.width ?? 0;
    expect(await size(60)).toBeGreaterThan(await size(30));
    expect(await size(500)).toBeLessThan(2600);
  });

  it("keeps the pair that is locked and leaves out the one under the pointer", async () => {
    const plain = painted((await heatmap(3, 3)).print(testInks)).frames.length;
    const focused = await heatmap(3, 3, { focused: { query: 1, key: 1 } });
    expect(painted(focused.print(testInks)).frames).toHaveLength(plain);
    const locked = await heatmap(3, 3, { locked: { query: 1, key: 1 } });
    expect(painted(locked.print(testInks)).frames).toHaveLength(plain + 1);
  });

  it("says what its signs mean", async () => {
    const masked = await heatmap(2, 2, {
      tensor: matrix(2, 2, (index) => (index === 1 ? -Infinity : 1)),
      stage: "masked",
      blocked: [{ query: 0, key: 1 }],
    });
    expect(painted(masked.print(testInks)).texts).toEqual(
      expect.arrayContaining(["masked", "blocked by you"]),
    );
    const mask = await mount(new HeadscopeMask(), {
      mask: matrix(2, 2, () => 0),
      queries: tokens(2),
      keys: tokens(2),
    });
    expect(painted(mask.print(testInks)).texts).toEqual(
      expect.arrayContaining(["may look", "may not look"]),
    );
  });

  it("has the weights and their legend in the colour map of the page, and signed stages in one of their own", async () => {
    const fills = async (colours: Palette, stage: Stage): Promise<unknown[]> => {
      const { brush, done } = recorder();
      (await heatmap(2, 2, { tensor: matrix(2, 2, (index) => index / 4), colours, stage }))
        .print(testInks)
        ?.paint(brush);
      return done("fillRect").map(({ fill }) => fill);
    };
    const coloursOf = (palette: Palette): string[] =>
      rampSwatch(sequentialRamp(palette, "light"), RAMP_STEPS);
    for (const palette of PALETTES) {
      const found = await fills(palette, "weights");
      const most = PALETTES.toSorted(
        (one, other) => shared(found, coloursOf(other)) - shared(found, coloursOf(one)),
      );
      expect(most[0]).toBe(palette);
    }
    expect(await fills("viridis", "scores")).toEqual(await fills("blue", "scores"));
  });

  it("does not exist where nothing can be drawn", async () => {
    expect((await heatmap(0, 0)).print(testInks)).toBeNull();
    expect((await heatmap(2, 2, { keys: tokens(3) })).print(testInks)).toBeNull();
    expect((await mount(new HeadscopePositions(), {})).print(testInks)).toBeNull();
  });

  it("has the positions' numbers and single dimensions", async () => {
    const positions = await mount(new HeadscopePositions(), {
      tensor: { ...matrix(4, 16), axes: ["position", "model_dim"] },
    });
    const { texts } = painted(positions.print(testInks));
    for (const text of ["4", "value", "dimension 1", "dimension 9", "±0.500"])
      expect(texts).toContain(text);
  });
});
