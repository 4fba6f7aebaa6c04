import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellPixels } from "./pixels.js";
import { RAMP_STEPS } from "./ramp.js";
import { divergingScale, extentOf, rampStep, sequentialScale } from "./scale.js";

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
