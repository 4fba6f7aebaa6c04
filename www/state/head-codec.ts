import { type FrozenPattern, LARGEST_CELL } from "../data/index.js";
import { NAMED_PATTERNS } from "./head-edits.js";
import { packNumbers, unpackNumbers } from "./packed.js";

/*
 * A pattern in the place of a head's weights in an address, behind the scope that it holds for: `c2.3~uniform`.
 *
 *   pattern = "~" ( "uniform" | "diagonal" | "previous" | "drawn(" numbers ")" )
 *   numbers = columns, then the cells row by row, whole numbers as `packed.ts` writes them
 */

const DRAWN = /^~drawn\(([\w-]*)\)$/;

export function encodePattern(pattern: FrozenPattern): string {
  if (typeof pattern === "string") return `~${pattern}`;
  return `~drawn(${packNumbers([pattern[0]?.length ?? 0, ...pattern.flat().map(Math.round)])})`;
}

/** Reads it, with at most so many cells; undefined when it is none. */
export function decodePattern(text: string, most: number): FrozenPattern | undefined {
  const packed = DRAWN.exec(text)?.[1];
  return packed === undefined
    ? NAMED_PATTERNS.find((name) => text === `~${name}`)
    : drawn(packed, most);
}

function drawn(packed: string, most: number): number[][] | undefined {
  const [columns = 0, ...cells] = unpackNumbers(packed, most + 1) ?? [];
  if (
    columns < 1 ||
    cells.length === 0 ||
    cells.length > most ||
    cells.length % columns !== 0 ||
    cells.some((cell) => cell > LARGEST_CELL)
  )
    return undefined;
  return Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
}
