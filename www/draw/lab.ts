/**
 * Colours in CIE L*a*b* (1976) under the white D50, in which ramps take even steps, and in sRGB.
 * The matrices between linear sRGB and XYZ under D50 are Lindbloom's, adapted by Bradford.
 */

export interface Lab {
  /** The lightness, from 0 to 100. */
  l: number;
  a: number;
  b: number;
}

/** Red, green and blue. */
export type Channels = Three;
type Three = readonly [number, number, number];
type Matrix = readonly [Three, Three, Three];

/** The X, Y and Z of the white of D50. */
const WHITE: Three = [0.96422, 1, 0.82521];
const TO_XYZ: Matrix = [
  [0.4360747, 0.3850649, 0.1430804],
  [0.2225045, 0.7168786, 0.0606169],
  [0.0139322, 0.0971045, 0.7141733],
];
const TO_RGB: Matrix = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
];
/** Below this side of a cube, the curve of lightness is a line. */
const LINE_BELOW = 6 / 29;

/** Three numbers, each from its place. */
const each = (of: (place: 0 | 1 | 2) => number): Three => [of(0), of(1), of(2)];

function product([first, second, third]: Matrix, [x, y, z]: Three): Three {
  const dot = ([p, q, r]: Three): number => p * x + q * y + r * z;
  return [dot(first), dot(second), dot(third)];
}

const linear = (channel: number): number =>
  channel <= 10.31475 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;

function byte(light: number): number {
  const channel = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.max(0, Math.min(255, Math.round(channel * 255)));
}

const root = (share: number): number =>
  share > LINE_BELOW ** 3 ? Math.cbrt(share) : share / (3 * LINE_BELOW ** 2) + 4 / 29;

const cube = (side: number): number =>
  side > LINE_BELOW ? side ** 3 : 3 * LINE_BELOW ** 2 * (side - 4 / 29);

/** The bytes of red, green and blue of `#rrggbb` or `rgb(…)`; NaN for another form. */
export function channelsOf(css: string): Channels {
  const [, digits] = /^#([\da-f]{6})$/i.exec(css) ?? [];
  if (digits !== undefined) {
    const all = parseInt(digits, 16);
    return [all >> 16, (all >> 8) & 255, all & 255];
  }
  const [, red, green, blue] = /^rgb\((\d+),\s*(\d+),\s*(\d+)\)$/.exec(css) ?? [];
  return [Number(red), Number(green), Number(blue)];
}

/** A colour that `channelsOf` reads. */
export function labOf(css: string): Lab {
  const [red, green, blue] = channelsOf(css);
  const xyz = product(TO_XYZ, [linear(red), linear(green), linear(blue)]);
  const [x, y, z] = each((place) => root(xyz[place] / WHITE[place]));
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

/** The nearest bytes of red, green and blue, each within the range of sRGB. */
export function bytesOf({ l, a, b }: Lab): Channels {
  const y = (l + 16) / 116;
  const sides: Three = [y + a / 500, y, y - b / 200];
  const [red, green, blue] = product(
    TO_RGB,
    each((place) => WHITE[place] * cube(sides[place])),
  );
  return [byte(red), byte(green), byte(blue)];
}
