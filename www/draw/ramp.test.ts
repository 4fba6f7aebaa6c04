import { lab, rgb } from "d3-color";
import { interpolateCividis, interpolateViridis } from "d3-scale-chromatic";
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
} from "./ramp.js";

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
