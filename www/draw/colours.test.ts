import { lab, rgb } from "d3-color";
import { interpolateLab, piecewise } from "d3-interpolate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PALETTES } from "../data/index.js";
import {
  RAMP_STEPS,
  divergingRamp,
  divergingScale,
  extentOf,
  labPath,
  rampColour,
  rampInk,
  rampStep,
  sequentialRamp,
  sequentialScale,
} from "./colours.js";
import { cellPixels } from "./matrix.js";

const GROUNDS = ["light", "dark"] as const;
const steps = Array.from({ length: RAMP_STEPS }, (_, step) => step);
const numbers = (...values: number[]): Float32Array => Float32Array.from(values);

describe("a ramp", () => {
  it.each(PALETTES.flatMap((palette) => GROUNDS.map((ground) => [palette, ground] as const)))(
    "of %s on %s is steadily darker or lighter",
    (palette, ground) => {
      const ramp = sequentialRamp(palette, ground);
      const along = steps.map(
        (step) => lab(rampColour(ramp, step)).l * (ground === "light" ? -1 : 1),
      );
      // Bytes are whole numbers, so neighbours may differ from the ideal by a little.
      along.slice(1).forEach((l, step) => expect(l - (along[step] ?? 0)).toBeGreaterThan(-0.8));
      expect((along.at(-1) ?? 0) - (along[0] ?? 0)).toBeGreaterThan(60);
    },
  );

  it.each(GROUNDS)("has an ink that can be read on every entry, on %s", (ground) => {
    const luminance = (colour: string): number => {
      const { r, g, b } = rgb(colour);
      const [red = 0, green = 0, blue = 0] = [r, g, b].map((channel) =>
        channel <= 10.31475 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const ramps = [
      ...PALETTES.map((palette) => sequentialRamp(palette, ground)),
      divergingRamp(ground),
    ];
    for (const ramp of ramps)
      for (const step of steps) {
        const ratio = luminance(rampColour(ramp, step)) / luminance(rampInk(ramp, step));
        expect(Math.max(ratio, 1 / ratio)).toBeGreaterThan(4.5);
      }
  });
});

describe("a colour", () => {
  const colour = fc
    .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
    .map(([red, green, blue]) => rgb(red, green, blue).formatHex());

  it("leads to the next as in d3, step by step", () => {
    const colours = fc.array(colour, { minLength: 2, maxLength: 7 });
    fc.assert(
      fc.property(colours, fc.double({ min: 0, max: 1, noNaN: true }), (stops, along) => {
        const { r, g, b } = rgb(String(piecewise(interpolateLab, stops)(along)));
        const { r: red, g: green, b: blue } = rgb(labPath(stops)(along).formatRgb());
        expect([red, green, blue]).toEqual([r, g, b]);
      }),
    );
  });
});

describe("a scale", () => {
  it.each([
    [[3, -Infinity, -2, NaN, 1, -Infinity], { min: -2, max: 3, masked: 2 }],
    [[-Infinity], { min: 0, max: 0, masked: 1 }],
    [[], { min: 0, max: 0, masked: 0 }],
  ])("reads the range of %j and counts masked cells", (values, extent) => {
    expect(extentOf(numbers(...values))).toEqual(extent);
  });

  it.each([
    [
      "the largest weight at the ramp's end",
      sequentialScale(numbers(0, 0.5), "blue", "light"),
      [0, 0.25, 0.5],
      [0, 128, 255],
    ],
    [
      "zero in the middle, however lopsided",
      divergingScale(numbers(-1, 9), "dark"),
      [0, 9, -9],
      [128, 255, 0],
    ],
    ["no weight for data without range", sequentialScale(numbers(0, 0), "blue", "light"), [0], [0]],
    ["zero for signed data without range", divergingScale(numbers(0), "light"), [0], [128]],
  ] as const)("has %s", (_, scale, values, expected) => {
    expect(values.map((value) => rampStep(scale, value))).toEqual(expected);
  });

  it("gives each cell its colour and leaves masked cells clear", () => {
    const data = numbers(0, 1, -Infinity, 0.5);
    const scale = sequentialScale(data, "blue", "light");
    const pixels = cellPixels(data, scale);
    expect([...pixels.subarray(0, 12)]).toEqual([
      ...[255, 255, 255, 255],
      ...scale.ramp.subarray(-4),
      ...[0, 0, 0, 0],
    ]);
  });
});
