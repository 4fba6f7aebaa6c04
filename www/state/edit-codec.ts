import {
  type AttentionEdit,
  type BlockEdit,
  type HeadEdit,
  LARGEST_GATE,
  type MaskEdit,
  type PositionEdit,
  type Scope,
  type Stack,
} from "../data/index.js";
import { decodeJoined, encodeJoined } from "./block-codec.js";
import { decodePattern, encodePattern } from "./head-codec.js";
import { decodeKind, encodeKind } from "./kind-codec.js";
import { decodeRule, encodeRule } from "./mask-codec.js";
import { MOST_CELLS, packCells, unpackCells } from "./runs.js";
import { decodePlacement, encodePlacement } from "./position-codec.js";
import { decodeCell, decodeIndices, encodeCell, encodeIndices } from "./place-codec.js";
import type { EditLists } from "./state.js";

/*
 * Edits in an address, short enough to read: `c2.3!5-7,6-7;c2.3x0`.
 *
 *   edits  = edit *( ";" edit )
 *   edit   = scope ( "!" | "~open" ) cells | scope ( "*" | "~open*" ) runs | scope "x" gate | scope ( rule | pattern | joined | kind | placement )
 *   scope  = [ "e" | "d" | "c" ] [ numbers ] "." [ numbers ]     layers "." heads; absent means everywhere
 *   rule   = a preset, as in `mask-codec.ts`; pattern as in `head-codec.ts`; joined as in `block-codec.ts`, without heads; kind as in `kind-codec.ts`;
 *            placement, where tokens stand, as in `position-codec.ts`
 *   cells  = [ query "-" key *( "," query "-" key ) ]
 *   runs   = many cells, as `runs.ts` writes them; whichever of the two is shorter
 *
 * All positions count from one, as the page shows them.
 */

/** So few stay readable. */
const FEW_CELLS = 8;

const LETTER_OF: Record<Stack, string> = { encoder: "e", decoder: "d", cross: "c" };
const STACK_OF: Record<string, Stack> = { e: "encoder", d: "decoder", c: "cross" };
const EDIT =
  /^([edc]?)([\d,]*)\.([\d,]*)(?:(~open\*?|[!*])([\w,-]*)|(~.*)|x(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))$/;

/** Writes edits down; an empty text when there are none. */
export function encodeEdits(edits: EditLists): string {
  const { masks, heads, blocks, attention, positions } = edits;
  const kinds = attention.map((edit) => encodeScope(edit) + encodeKind(edit));
  const placements = positions.map((edit) => encodeScope(edit) + encodePlacement(edit));
  return [
    ...masks.map(encodeMask),
    ...heads.flatMap(encodeHead),
    ...blocks.flatMap(encodeBlock),
    ...kinds,
    ...placements,
  ].join(";");
}

/** Reads edits; undefined when any part of the text is not one. */
export function decodeEdits(text: string): EditLists | undefined {
  const masks: MaskEdit[] = [];
  const heads: HeadEdit[] = [];
  const blocks: BlockEdit[] = [];
  const attention: AttentionEdit[] = [];
  const positions: PositionEdit[] = [];
  let count = 0;
  for (const part of text === "" ? [] : text.split(";")) {
    const [whole, stack = "", layers = "", head = "", mark = "", cells = "", rule, gate] =
      EDIT.exec(part) ?? [];
    const scope = decodeScope(stack, layers, head);
    if (whole === undefined || scope === undefined) return undefined;
    if (gate !== undefined) {
      if (Math.abs(Number(gate)) > LARGEST_GATE) return undefined;
      heads.push({ ...scope, gate: Number(gate) });
    } else if (rule?.startsWith("~at")) {
      const placement = decodePlacement(rule);
      const isWhole = stack !== "c" && layers + head === "";
      if (placement === undefined || !isWhole) return undefined;
      positions.push({
        ...(scope.stack && { stack: scope.stack === "decoder" ? "decoder" : "encoder" }),
        ...placement,
      });
    } else if (rule !== undefined) {
      const pattern = decodePattern(rule, MOST_CELLS - count);
      const joined = head === "" && stack !== LETTER_OF.cross ? decodeJoined(rule) : undefined;
      const kind = decodeKind(rule);
      const preset = decodeRule(rule);
      if (pattern) {
        count += typeof pattern === "string" ? 0 : pattern.length * (pattern[0]?.length ?? 0);
        heads.push({ ...scope, pattern });
      } else if (joined) blocks.push({ ...blockScope(scope), ...joined });
      else if (kind) attention.push({ ...scope, ...kind });
      else if (preset) masks.push({ ...scope, ...preset });
      else return undefined;
    } else {
      const listed = mark.endsWith("*")
        ? unpackCells(cells, MOST_CELLS - count)
        : decodeCells(cells);
      if (listed === undefined) return undefined;
      count += listed.length;
      masks.push({ ...scope, [mark.startsWith("~") ? "allow" : "block"]: listed });
    }
  }
  return { masks, heads, blocks, attention, positions };
}

function encodeMask(edit: MaskEdit): string {
  const rule = encodeRule(edit);
  if (rule !== "") return encodeScope(edit) + rule;
  return (
    encodeScope(edit) +
    (edit.allow
      ? encodeCells("~open", "~open*", edit.allow)
      : encodeCells("!", "*", edit.block ?? []))
  );
}

/** Cells one by one, or as run-lengths, whichever is shorter. */
function encodeCells(mark: string, packedMark: string, cells: readonly [number, number][]): string {
  const listed = mark + cells.map(([query, key]) => encodeCell({ query, key })).join(",");
  const runs = cells.length < FEW_CELLS ? undefined : packCells(cells);
  const packed = runs === undefined ? listed : packedMark + runs;
  return packed.length < listed.length ? packed : listed;
}

/** A factor and a pattern of the same heads are two edits. */
function encodeHead(edit: HeadEdit): string[] {
  const { gate, pattern } = edit;
  const scope = encodeScope(edit);
  return [
    ...(gate === undefined && pattern ? [] : [`${scope}x${gate ?? 1}`]),
    ...(pattern ? [scope + encodePattern(pattern)] : []),
  ];
}

function encodeBlock(edit: BlockEdit): string[] {
  const { stack, layers } = edit;
  const scope = encodeScope({ ...(stack && { stack }), ...(layers && { layers }) });
  return encodeJoined(edit).map((joined) => scope + joined);
}

/** Cross-attention has no blocks of its own. */
function blockScope({ stack, layers }: Scope): Pick<BlockEdit, "stack" | "layers"> {
  return { ...(stack && stack !== "cross" && { stack }), ...(layers && { layers }) };
}

function encodeScope({ stack, layers, heads }: Scope): string {
  return `${stack ? LETTER_OF[stack] : ""}${encodeIndices(layers)}.${encodeIndices(heads)}`;
}

function decodeScope(letter: string, layers: string, heads: string): Scope | undefined {
  const scope: Scope = {};
  const stack = STACK_OF[letter];
  if (stack) scope.stack = stack;
  for (const [name, text] of [
    ["layers", layers],
    ["heads", heads],
  ] as const) {
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
