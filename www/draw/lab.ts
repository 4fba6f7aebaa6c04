// Colours as numbers, and a way from one to the next that the eye takes for even: straight in CIE L*a*b* (1976), with the
// white of D50 and the matrices of CSS Color 4, section 10. The first screen needs no more of a colour library than this.

/** Red, green and blue in sRGB, from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];
/** Lightness from 0 to 100; green to red; blue to yellow. */
type Lab = readonly [lightness: number, a: number, b: number];

const WHITE = [0.96422, 1, 0.82521] as const;
/** Where the cube root gives way to a straight line, and that line. */
const KNEE = 6 / 29;
const SLOPE = 3 * KNEE ** 2;
const FOOT = 4 / 29;

/** What a computed style says of a colour, or its six hexadecimal digits; null for anything else, and for what is not seen. */
export function rgbOf(css: string): Rgb | null {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(css);
  if (hex) return [Number(`0x${hex[1]}`), Number(`0x${hex[2]}`), Number(`0x${hex[3]}`)];
  const numbers = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css);
  return numbers && Number(numbers[4] ?? 1) > 0
    ? [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])]
    : null;
}

/** How light a colour is, from 0 to 100; NaN where that cannot be told. */
export function lightnessOf(css: string): number {
  const colour = rgbOf(css);
  return colour ? labOf(colour)[0] : NaN;
}

/** Through these colours in equal steps, given by their hexadecimal digits; from 0 to 1. */
export function labPath(colours: readonly string[]): (along: number) => Rgb {
  const stops = colours.map((colour) => labOf(rgbOf(colour) ?? [0, 0, 0]));
  const last = stops.length - 2;
  return (along) => {
    const place = along * (last + 1);
    const at = Math.max(0, Math.min(last, Math.floor(place)));
    const [from, to] = [stops[at] ?? [0, 0, 0], stops[at + 1] ?? [0, 0, 0]];
    const between = (axis: 0 | 1 | 2): number =>
      from[axis] + (place - at) * (to[axis] - from[axis]);
    return fromLab([between(0), between(1), between(2)]);
  };
}

function labOf(colour: Rgb): Lab {
  const [red, green, blue] = [light(colour[0]), light(colour[1]), light(colour[2])];
  const y = bent(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue);
  // Grey has no hue, not even by rounding.
  const grey = red === green && green === blue;
  const x = grey ? y : bent((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / WHITE[0]);
  const z = grey ? y : bent((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / WHITE[2]);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function fromLab([lightness, a, b]: Lab): Rgb {
  const middle = (lightness + 16) / 116;
  const [x, y, z] = [
    WHITE[0] * straight(middle + a / 500),
    WHITE[1] * straight(middle),
    WHITE[2] * straight(middle - b / 200),
  ];
  return [
    channel(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    channel(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    channel(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}

/** A channel of sRGB as light. */
export function light(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Light as a channel of sRGB. */
function channel(amount: number): number {
  const share = amount <= 0.0031308 ? 12.92 * amount : 1.055 * amount ** (1 / 2.4) - 0.055;
  return Math.max(0, Math.min(255, Math.round(255 * share)));
}

function bent(amount: number): number {
  return amount > KNEE ** 3 ? Math.cbrt(amount) : amount / SLOPE + FOOT;
}

function straight(value: number): number {
  return value > KNEE ? value ** 3 : SLOPE * (value - FOOT);
}
