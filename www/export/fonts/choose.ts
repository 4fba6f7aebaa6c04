// Which slices a picture needs, and what a file says of each.
import type { Slice } from "./slice.js";
import { FAMILIES } from "./slice.js";
import { WEIGHTS, type Characters, type Weight } from "./texts.js";

type Run = readonly [first: number, last: number];

const runs = new WeakMap<Slice, readonly Run[]>();

/** Whether the slice has a glyph for the character. */
export function covers(slice: Slice, character: number): boolean {
  let known = runs.get(slice);
  if (!known) runs.set(slice, (known = runsOf(slice.range)));
  // Most slices have dozens of runs, in ascending order.
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first, last] = known[middle] ?? [0, 0];
    if (character > last) low = middle + 1;
    else if (character < first) high = middle;
    else return true;
  }
  return false;
}

/** `U+41-5A,U+2212` as runs of numbers. */
function runsOf(range: string): Run[] {
  return range.split(",").map((run) => {
    const [first = "", last = first] = run.slice(2).split("-");
    return [parseInt(first, 16), parseInt(last, 16)];
  });
}

/**
 * The fewest slices, one after the other, that have all the characters in their weights: of the first family that knows a
 * character the slice that is needed anyway, or else the smallest, which stands first. What none has is left to the system.
 */
export function chosen(characters: Characters, slices: readonly Slice[]): Slice[] {
  const needed = new Set<Slice>();
  for (const weight of WEIGHTS) {
    const fitting = slices.filter((slice) => fits(slice, weight, slices));
    for (const character of characters[weight]) {
      const family = FAMILIES.find((name) =>
        fitting.some((slice) => slice.family === name && covers(slice, character)),
      );
      const having = fitting.filter((slice) => slice.family === family && covers(slice, character));
      const [first] = having;
      if (first && !having.some((slice) => needed.has(slice))) needed.add(first);
    }
  }
  return slices.filter((slice) => needed.has(slice));
}

/** Whether a browser would take it for that weight: of a family that has no other, it makes the letters bold by itself. */
function fits({ family, weight }: Slice, wanted: Weight, slices: readonly Slice[]): boolean {
  if (includes(weight, wanted)) return true;
  return !slices.some((other) => other.family === family && includes(other.weight, wanted));
}

function includes(weight: Slice["weight"], wanted: Weight): boolean {
  const [least = 0, most = least] = weight.split(" ").map(Number);
  return least <= wanted && wanted <= most;
}
