import type { HeadEdit, MaskEdit, Scope, Stack } from "../data/index.js";
import { LARGEST_GATE } from "./edits.js";
import { MOST_CELLS, packCells, unpackCells } from "./runs.js";
import type { EditLists } from "./state.js";

/*
 * Edits in an address, short enough to read: `c2.3!5-7,6-7;c2.3x0`.
 *
 *   edits  = edit *( ";" edit )
 *   edit   = scope "!" cells | scope "*" runs | scope "x" gate
 *   scope  = [ "e" | "d" | "c" ] [ numbers ] "." [ numbers ]     layers "." heads; absent means everywhere
 *   cells  = [ query "-" key *( "," query "-" key ) ]
 *   runs   = many cells, as `runs.ts` writes them; whichever of the two is shorter
 *
 * All positions count from one, as the page shows them.
 */

/** So few stay readable. */
const FEW_CELLS = 8;

const LETTER_OF: Record<Stack, string> = { encoder: "e", decoder: "d", cross: "c" };
const STACK_OF: Record<string, Stack> = { e: "encoder", d: "decoder", c: "cross" };
const EDIT = /^([edc]?)([\d,]*)\.([\d,]*)(?:!([\d,-]*)|\*([\w-]+)|x(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))$/;

/** Writes edits down; an empty text when there are none. */
export function encodeEdits(edits: EditLists): string {
  return [...edits.masks.map(encodeMask), ...edits.heads.map(encodeHead)].join(";");
}

/** Reads edits; undefined when any part of the text is not one. */
export function decodeEdits(text: string): EditLists | undefined {
  const masks: MaskEdit[] = [];
  const heads: HeadEdit[] = [];
  let count = 0;
  for (const part of text === "" ? [] : text.split(";")) {
    const [whole, stack = "", layers = "", head = "", cells, runs, gate] = EDIT.exec(part) ?? [];
    const scope = decodeScope(stack, layers, head);
    if (whole === undefined || scope === undefined) return undefined;
    if (gate !== undefined) {
      if (Math.abs(Number(gate)) > LARGEST_GATE) return undefined;
      heads.push({ ...scope, gate: Number(gate) });
    } else {
      const block = runs === undefined ? decodeCells(cells ?? "") : unpackCells(runs, MOST_CELLS - count);
      if (block === undefined) return undefined;
      count += block.length;
      masks.push({ ...scope, block });
    }
  }
  return { masks, heads };
}

function encodeMask(edit: MaskEdit): string {
  const block = edit.block ?? [];
  const listed = `!${block.map(([query, key]) => encodeCell({ query, key })).join(",")}`;
  const runs = block.length < FEW_CELLS ? undefined : packCells(block);
  return encodeScope(edit) + (runs === undefined || runs.length + 1 > listed.length ? listed : `*${runs}`);
}

function encodeHead(edit: HeadEdit): string {
  return `${encodeScope(edit)}x${edit.gate ?? 1}`;
}

function encodeScope({ stack, layers, heads }: Scope): string {
  return `${stack ? LETTER_OF[stack] : ""}${encodeIndices(layers)}.${encodeIndices(heads)}`;
}

/** Positions as the address shows them, such as `3,5`. */
export function encodeIndices(indices: readonly number[] = []): string {
  return indices.map((index) => index + 1).join(",");
}

/** Reads such positions; undefined when any of them is none. */
export function decodeIndices(text: string): number[] | undefined {
  const indices = text === "" ? [] : text.split(",").map(decodeIndex);
  return indices.every((index) => index !== undefined) ? indices : undefined;
}

function decodeScope(letter: string, layers: string, heads: string): Scope | undefined {
  const scope: Scope = {};
  const stack = STACK_OF[letter];
  if (stack) scope.stack = stack;
  for (const [name, text] of [["layers", layers], ["heads", heads]] as const) {
    if (text === "") continue;
    const indices = decodeIndices(text);
    if (indices === undefined) return undefined;
    scope[name] = indices;
  }
  return scope;
}

function decodeCells(text: string): [number, number][] | undefined {
  const cells: [number, number][] = [];
  for (const part of text === "" ? [] : text.split(",")) {
    const cell = decodeCell(part);
    if (cell === undefined) return undefined;
    cells.push([cell.query, cell.key]);
  }
  return cells;
}

/** A cell as the address shows it, such as `5-7`. */
export function encodeCell({ query, key }: { query: number; key: number }): string {
  return `${query + 1}-${key + 1}`;
}

/** Reads such a cell; undefined when it is none. */
export function decodeCell(text: string): { query: number; key: number } | undefined {
  const [query, key, ...rest] = text.split("-").map(decodeIndex);
  return query === undefined || key === undefined || rest.length > 0 ? undefined : { query, key };
}

/** Reads a position that counts from one; undefined when it is none. */
export function decodeIndex(text: string): number | undefined {
  const shown = /^\d+$/.test(text) ? Number(text) : 0;
  return shown >= 1 && Number.isSafeInteger(shown) ? shown - 1 : undefined;
}
