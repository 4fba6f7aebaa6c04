/*
 * Whole numbers in as few letters as an address has for them. Numbers that go up or down by the same step are one group:
 *
 *   group = step repeat?               step: 4·|step|, +2 where it goes down, +1 where it is taken more than once
 *   repeat                             how often more than twice
 *
 * Each is a varint (seven bits a byte, the lowest first), and the bytes are written in base64url.
 */

/** The largest number that can be packed: a group's first varint holds four times a step exactly. */
export const LARGEST_NUMBER = 2 ** 50;

/** Writes whole numbers from zero to `LARGEST_NUMBER`. */
export function packNumbers(numbers: readonly number[]): string {
  const bytes: number[] = [];
  for (let from = 0; from < numbers.length; ) {
    const step = (numbers[from] ?? 0) - (numbers[from - 1] ?? 0);
    let to = from + 1;
    while (to < numbers.length && (numbers[to] ?? 0) - (numbers[to - 1] ?? 0) === step) to += 1;
    const isRepeated = to - from > 1;
    pushVarint(bytes, 4 * Math.abs(step) + (step < 0 ? 2 : 0) + (isRepeated ? 1 : 0));
    if (isRepeated) pushVarint(bytes, to - from - 2);
    from = to;
  }
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Reads at most `most` numbers; undefined when the text holds none, or more. */
export function unpackNumbers(text: string, most: number): number[] | undefined {
  const varints = readVarints(text);
  if (!varints) return undefined;
  const numbers: number[] = [];
  let number = 0;
  for (let at = 0; at < varints.length; at += 1) {
    const code = varints[at] ?? 0;
    const size = Math.floor(code / 4);
    const step = code % 4 < 2 ? size : -size;
    let count = 1;
    if (code % 2 === 1) {
      at += 1;
      count = (varints[at] ?? Infinity) + 2;
    }
    if (numbers.length + count > most) return undefined;
    for (; count > 0; count -= 1) {
      number += step;
      if (number < 0 || number > LARGEST_NUMBER) return undefined;
      numbers.push(number);
    }
  }
  return numbers;
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  // Not by bits: places of far cells need more than 32.
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  bytes.push(rest);
}

function readVarints(text: string): number[] | undefined {
  let letters: string;
  try {
    letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined; // Not base64: the caller names the field.
  }
  const varints: number[] = [];
  let value = 0;
  let unit = 1;
  for (const letter of letters) {
    const byte = letter.charCodeAt(0);
    value += (byte % 128) * unit;
    unit *= 128;
    if (!Number.isSafeInteger(value)) return undefined;
    if (byte >= 128) continue;
    varints.push(value);
    value = 0;
    unit = 1;
  }
  return unit === 1 ? varints : undefined;
}
