import { lab, rgb } from "d3-color";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isDrawn, isForbidden, LEAST_SCORE, PALETTES } from "../data/index.js";
import { extentOf, RAMP_STEPS, rampColour, rampOf } from "./colours.js";
import { rampInk } from "./inks.js";
import { rampStep, scaleOf, uniformScale } from "./colours.js";
import { cellPixels } from "./matrix.js";

const GROUNDS = ["light", "dark"] as const;
const steps = Array.from({ length: RAMP_STEPS }, (_, step) => step);
const numbers = (...values: number[]): Float32Array => Float32Array.from(values);

it.each(PALETTES.flatMap((palette) => GROUNDS.map((ground) => [palette, ground] as const)))(
  "a ramp of %s on %s is steadily darker or lighter",
  (palette, ground) => {
    const ramp = rampOf(palette, ground);
    const sign = ground === "light" ? -1 : 1;
    const along = steps.map((step) => lab(rampColour(ramp, step)).l * sign);
    // Bytes are whole numbers, so neighbours may differ from the ideal by a little.
    along.slice(1).forEach((l, step) => expect(l - (along[step] ?? 0)).toBeGreaterThan(-0.8));
    expect((along.at(-1) ?? 0) - (along[0] ?? 0)).toBeGreaterThan(60);
  },
);

it.each(GROUNDS)("a ramp on %s has a legible ink on every entry", (ground) => {
  const luminance = (colour: string): number => {
    const { r, g, b } = rgb(colour);
    const [red = 0, green = 0, blue = 0] = [r, g, b].map((channel) =>
      channel <= 10.31475 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  for (const palette of [...PALETTES, "signed"] as const)
    for (const step of steps) {
      const ramp = rampOf(palette, ground);
      const ratio = luminance(rampColour(ramp, step)) / luminance(rampInk(ramp, step));
      expect(Math.max(ratio, 1 / ratio)).toBeGreaterThan(4.5);
    }
});

it.each([
  [[3, -Infinity, -2, NaN, 1, -Infinity], { min: -2, max: 3, masked: 2 }],
  [[-Infinity], { min: 0, max: 0, masked: 1 }],
  [[], { min: 0, max: 0, masked: 0 }],
])("extentOf %j", (values, extent) => {
  expect(extentOf(numbers(...values))).toEqual(extent);
});

it.each([
  ["the largest weight last", scaleOf(numbers(0, 0.5), "blue", "light"), [0, 0.25, 0.5]],
  ["zero in the middle", scaleOf(numbers(-1, 9), "signed", "dark"), [-9, 0, 9]],
] as const)("a scale has %s", (_, scale, values) => {
  expect(values.map((value) => rampStep(scale, value))).toEqual([0, 128, 255]);
});

it("a scale without range has one entry: the first of weights, the middle of signed numbers", () => {
  expect(rampStep(scaleOf(numbers(0, 0), "blue", "light"), 0)).toBe(0);
  expect(rampStep(scaleOf(numbers(0), "signed", "light"), 0)).toBe(128);
});

it("cellPixels gives each cell its colour and leaves masked cells clear", () => {
  const data = numbers(0, 1, -Infinity, 0.5);
  const scale = scaleOf(data, "blue", "light");
  const white = Array<number>(4).fill(255);
  const clear = Array<number>(4).fill(0);
  const pixels = [...cellPixels(data, scale).subarray(0, 12)];
  expect(pixels).toEqual([...white, ...scale.ramp.subarray(-4), ...clear]);
});

it("the pixels and the extent of many cells are those of each cell alone", () => {
  const value = fc.oneof(
    fc.float(),
    fc.float({ min: -4, max: 4 }),
    fc.constantFrom(0, -0, NaN, Infinity, -Infinity, LEAST_SCORE, 2 * LEAST_SCORE),
  );
  const scales = [
    (data: Float32Array) => scaleOf(data, "blue", "light"),
    (data: Float32Array) => scaleOf(data, "signed", "dark"),
    (data: Float32Array) => uniformScale(data, "light"),
  ];
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), fc.constantFrom(...scales), (values, of) => {
      const data = Float32Array.from(values);
      const scale = of(data);
      const pixels = cellPixels(data, scale);
      for (const [index, number] of data.entries()) {
        const at = 4 * rampStep(scale, number);
        const colour = isDrawn(number) ? [...scale.ramp.subarray(at, at + 4)] : [0, 0, 0, 0];
        expect([...pixels.subarray(4 * index, 4 * index + 4)]).toEqual(colour);
      }
      const drawn = [...data].filter(isDrawn);
      const { min, max, masked } = extentOf(data);
      // Zero equals −0.
      expect(min === (drawn.length > 0 ? Math.min(...drawn) : 0)).toBe(true);
      expect(max === (drawn.length > 0 ? Math.max(...drawn) : 0)).toBe(true);
      expect(masked).toBe([...data].filter(isForbidden).length);
    }),
  );
});
