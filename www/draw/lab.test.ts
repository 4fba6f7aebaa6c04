import { lab, rgb } from "d3-color";
import { interpolateLab, piecewise } from "d3-interpolate";
import fc from "fast-check";
import { expect, it } from "vitest";
import { labPath, lightnessOf, rgbOf } from "./lab.js";

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
