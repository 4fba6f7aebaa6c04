import { lab, lch, rgb } from "d3-color";
import fc from "fast-check";
import { expect, it } from "vitest";
import { headHue } from "./inks.js";
import { bytesOf, channelsOf, labOf } from "./lab.js";

const byte = fc.integer({ min: 0, max: 255 });

it("colours are converted as d3-color converts them", () => {
  fc.assert(
    fc.property(byte, byte, byte, (red, green, blue) => {
      const { l, a, b } = lab(rgb(red, green, blue));
      const own = labOf(`rgb(${[red, green, blue].join(", ")})`);
      expect([own.l - l, own.a - a, own.b - b].every((off) => Math.abs(off) < 1e-4)).toBe(true);
    }),
  );
  const coordinate = fc.double({ min: -110, max: 110, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), coordinate, coordinate, (l, a, b) => {
      const { r, g, b: blue } = rgb(lab(l, a, b).formatRgb());
      expect(bytesOf({ l, a, b })).toEqual([r, g, blue]);
    }),
  );
});

it("a head's hue is that of d3-color's cylinder", () => {
  for (const [ground, light] of [
    ["light", 46],
    ["dark", 70],
  ] as const)
    for (const head of [0, 3, 7])
      expect(headHue(head, 8, ground)).toBe(lch(light, 58, (285 + 45 * head) % 360).formatRgb());
});

it.each([
  ["#0a80FF", [10, 128, 255]],
  ["rgb(1, 22, 255)", [1, 22, 255]],
  ["rgba(0, 0, 0, 0)", [NaN, NaN, NaN]],
  ["white", [NaN, NaN, NaN]],
])("%s has the bytes %j", (css, bytes) => {
  expect(channelsOf(css)).toEqual(bytes);
});
