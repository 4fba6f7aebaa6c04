// Single-precision numbers as decimals, for files that people and programs read.

/** Six digits always survive single precision (but next to zero), nine always tell two neighbours apart. */
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;

/** The shortest decimal that reads back as the same single-precision number; `-0`, `-Infinity` and `NaN` keep their names. */
export function shortest(value: number): string {
  if (Object.is(value, -0)) return "-0";
  if (!Number.isFinite(value)) return String(value);
  for (let digits = FEWEST_DIGITS; digits < MOST_DIGITS; digits++) {
    const near = Number(value.toPrecision(digits));
    if (Math.fround(near) === value) return String(near);
  }
  return String(Number(value.toPrecision(MOST_DIGITS)));
}
