import { lab, rgb } from "d3-color";
import { interpolateLab, piecewise } from "d3-interpolate";
import { interpolateCividis, interpolateViridis } from "d3-scale-chromatic";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PALETTES } from "../data/index.js";
import {
  RAMP_STEPS,
  divergingRamp,
  rampColour,
  rampInk,
  rampSwatch,
  sequentialRamp,
  type Ground,
  labPath,
  lightnessOf,
  rgbOf,
  divergingScale,
  extentOf,
  rampStep,
  sequentialScale,
  headHue,
} from "./colours.js";
import { cellPixels } from "./matrix.js";

const lightness = (ramp: Uint8ClampedArray): number[] =>
  Array.from({ length: RAMP_STEPS }, (_, step) => lab(rampColour(ramp, step)).l);
/** Bytes are whole numbers, so neighbours may differ from the ideal by this much lightness. */
const ROUNDING = 0.8;

const grounds: Ground[] = ["light", "dark"];

describe("sequential ramps", () => {
  for (const palette of PALETTES) {
    for (const ground of grounds) {
      it(`${palette} on ${ground}: more is steadily ${ground === "light" ? "darker" : "lighter"}`, () => {
        const direction = ground === "light" ? -1 : 1;
        const steps = lightness(sequentialRamp(palette, ground));
        steps
          .slice(1)
          .forEach((l, step) =>
            expect((l - (steps[step] ?? 0)) * direction).toBeGreaterThan(-ROUNDING),
          );
        expect(Math.abs((steps.at(-1) ?? 0) - (steps[0] ?? 0))).toBeGreaterThan(60);
      });
    }
  }

  it("are told by a few of their colours, both ends among them", () => {
    const ramp = sequentialRamp("viridis", "dark");
    expect(rampSwatch(ramp, 3)).toEqual([0, 128, 255].map((step) => rampColour(ramp, step)));
  });

  it.each([
    ["viridis", interpolateViridis],
    ["cividis", interpolateCividis],
  ] as const)("have every colour of %s", (palette, colour) => {
    const ramp = sequentialRamp(palette, "dark");
    for (let step = 0; step < RAMP_STEPS; step += 1)
      expect(rampColour(ramp, step)).toBe(rgb(colour(step / (RAMP_STEPS - 1))).formatRgb());
  });

  it("start at the bare cell", () => {
    expect(rampColour(sequentialRamp("blue", "light"), 0)).toBe("rgb(255, 255, 255)");
  });
});

describe("diverging ramps", () => {
  it.each(grounds)("differ in hue, not only in lightness, on %s", (ground) => {
    const ramp = divergingRamp(ground);
    for (const step of [20, 64, 100]) {
      const negative = rgb(rampColour(ramp, step));
      const positive = rgb(rampColour(ramp, RAMP_STEPS - 1 - step));
      expect(negative.r).toBeGreaterThan(negative.b);
      expect(positive.b).toBeGreaterThan(positive.r);
    }
  });

  it.each(grounds)("come closest to the bare cell in the middle on %s", (ground) => {
    const bare = ground === "light" ? 100 : 11;
    const distance = lightness(divergingRamp(ground)).map((l) => Math.abs(l - bare));
    const nearest = distance.indexOf(Math.min(...distance));
    expect(Math.abs(nearest - RAMP_STEPS / 2)).toBeLessThanOrEqual(2);
  });
});

describe("the ink on a ramp", () => {
  it("can be read on every entry of every ramp", () => {
    const luminance = (colour: string): number => {
      const { r, g, b } = rgb(colour);
      const [red = 0, green = 0, blue = 0] = [r, g, b].map((channel) =>
        channel <= 10.31475 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    for (const ground of ["light", "dark"] as const) {
      for (const ramp of [
        sequentialRamp("blue", ground),
        sequentialRamp("viridis", ground),
        divergingRamp(ground),
      ]) {
        for (let step = 0; step < RAMP_STEPS; step++) {
          const [one, other] = [
            luminance(rampColour(ramp, step)),
            luminance(rampInk(ramp, step)),
          ].sort((a, b) => b - a);
          expect(((one ?? 0) + 0.05) / ((other ?? 0) + 0.05)).toBeGreaterThan(4.5);
        }
      }
    }
  });
});

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map(([red, green, blue]) => rgb(red, green, blue).formatHex());

it("goes from colour to colour as d3 does, step by step", () => {
  fc.assert(
    fc.property(
      fc.array(colour, { minLength: 2, maxLength: 7 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (colours, along) => {
        const { r, g, b } = rgb(String(piecewise(interpolateLab, colours)(along)));
        expect(labPath(colours)(along)).toEqual([r, g, b]);
      },
    ),
  );
});

it("says how light a colour is, in digits or as a browser writes it", () => {
  fc.assert(
    fc.property(colour, (hex) => {
      expect(lightnessOf(hex)).toBeCloseTo(lab(hex).l, 9);
      expect(lightnessOf(rgb(hex).formatRgb())).toBeCloseTo(lab(hex).l, 9);
    }),
  );
  expect(rgbOf("rgba(10, 20, 30, 0.5)")).toEqual([10, 20, 30]);
});

it("says nothing of what is not seen, or is written in another way", () => {
  for (const other of ["rgba(0, 0, 0, 0)", "", "oklch(0.5 0.1 20)"])
    expect([rgbOf(other), lightnessOf(other)]).toEqual([null, NaN]);
});

const numbers = (...values: number[]): Float32Array => Float32Array.from(values);

describe("extentOf", () => {
  it("reads finite numbers and counts masked cells", () => {
    expect(extentOf(numbers(3, -Infinity, -2, NaN, 1, -Infinity))).toEqual({
      min: -2,
      max: 3,
      masked: 2,
    });
  });

  it("is empty without a finite number", () => {
    expect(extentOf(numbers(-Infinity))).toEqual({ min: 0, max: 0, masked: 1 });
    expect(extentOf(numbers())).toEqual({ min: 0, max: 0, masked: 0 });
  });
});

describe("scales", () => {
  it("give the largest weight the ramp's end, and nothing its start", () => {
    const scale = sequentialScale(numbers(0, 0.25, 0.5), "blue", "light");
    expect(rampStep(scale, 0)).toBe(0);
    expect(rampStep(scale, 0.5)).toBe(RAMP_STEPS - 1);
    expect(rampStep(scale, 0.25)).toBe(128);
  });

  it("put zero in the middle of signed data, however lopsided", () => {
    const scale = divergingScale(numbers(-1, 9), "dark");
    expect([scale.low, scale.high]).toEqual([-9, 9]);
    expect(rampStep(scale, 0)).toBe(128);
    expect(rampStep(scale, -1)).toBeLessThan(128);
  });

  it("show data without range as no weight, or as zero", () => {
    expect(rampStep(sequentialScale(numbers(0, 0), "blue", "light"), 0)).toBe(0);
    expect(rampStep(divergingScale(numbers(0), "light"), 0)).toBe(128);
  });

  it("never leave the ramp and never turn an order round", () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 2 }),
        (values) => {
          const data = Float32Array.from(values);
          const scale = divergingScale(data, "light");
          const steps = [...data].sort((a, b) => a - b).map((value) => rampStep(scale, value));
          steps.forEach((step, index) => {
            expect(step).toBeGreaterThanOrEqual(steps[index - 1] ?? 0);
            expect(step).toBeLessThan(RAMP_STEPS);
          });
        },
      ),
    );
  });
});

describe("cellPixels", () => {
  it("takes each cell's colour from the ramp and leaves masked cells clear", () => {
    const data = numbers(0, 1, -Infinity, 0.5);
    const scale = sequentialScale(data, "blue", "light");
    const pixels = cellPixels(data, scale);
    expect([...pixels.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    expect([...pixels.subarray(4, 8)]).toEqual([...scale.ramp.subarray(-4)]);
    expect([...pixels.subarray(8, 12)]).toEqual([0, 0, 0, 0]);
    expect(pixels[15]).toBe(255);
  });
});

describe("the hues of heads", () => {
  it.each(["light", "dark"] as const)(
    "are as light as one another and all different, on a %s ground",
    (ground) => {
      const hues = Array.from({ length: 8 }, (_, head) => headHue(head, 8, ground));
      expect(new Set(hues).size).toBe(8);
      const lightness = hues.map((hue) => lab(hue).l);
      expect(Math.max(...lightness) - Math.min(...lightness)).toBeLessThan(8);
    },
  );
});
