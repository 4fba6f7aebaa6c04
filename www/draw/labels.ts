// Which labels fit along an axis, and how a long one is shortened.

export type Measure = (text: string) => number;

const ELLIPSIS = "…";
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Shortens `text` at its end until it is at most `room` wide. Never splits a character. */
export function fitLabel(text: string, room: number, measure: Measure): string {
  if (measure(text) <= room) return text;
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(characters.slice(0, middle).join("") + ELLIPSIS) <= room) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join("") + ELLIPSIS;
}

/** Every how many cells a label has room: 1, 2, 5, 10, 20, 50 … */
export function labelStep(cell: number, pitch: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of [1, 2, 5]) {
      if (step * decade * cell >= pitch) return step * decade;
    }
  }
}

/** The positions that carry a label; a kept one pushes out those too near to it. */
export function labelled(count: number, step: number, kept: readonly number[] = []): number[] {
  const shown: number[] = [];
  for (let index = 0; index < count; index++) {
    const keep = kept.includes(index);
    const regular = index % step === 0 && !kept.some((other) => Math.abs(other - index) < step);
    if (keep || regular) shown.push(index);
  }
  return shown;
}
