import type { FrozenPattern, HeadEdit, HeadRef, Scope } from "../data/index.js";
import { headsOf, nameOfHead } from "./edits.js";
import type { StackSizes } from "./limits.js";
import { covers } from "./scopes.js";
import { STACKS, type EditLists } from "./state.js";

/*
 * Heads as a person sets them: each has one factor and one pattern, however many edits say so. Setting one of them
 * takes the heads out of what was said of it before, and says it anew in as few edits as it takes.
 */

/** Patterns that have a name. */
export const NAMED_PATTERNS = [
  "uniform",
  "diagonal",
  "previous",
] as const satisfies readonly FrozenPattern[];

/** What a drawn row adds up to where it is taken from a head's weights; numbers of a drawing are whole. */
export const DRAWN_WHOLE = 1000;

/** The factor on what a head says. */
export function gateOf(edits: EditLists, head: HeadRef): number {
  return edits.heads.reduce(
    (product, edit) => (covers(edit, head) ? product * (edit.gate ?? 1) : product),
    1,
  );
}

/** What stands in the place of a head's weights; null where they are computed. */
export function patternOf(edits: EditLists, head: HeadRef): FrozenPattern | null {
  return (
    edits.heads.findLast((edit) => edit.pattern !== undefined && covers(edit, head))?.pattern ??
    null
  );
}

/** With this factor on some heads. */
export function withGate(
  edits: EditLists,
  heads: readonly HeadRef[],
  gate: number,
  sizes: StackSizes,
): EditLists {
  return { ...edits, heads: said(edits.heads, "gate", heads, gate === 1 ? null : { gate }, sizes) };
}

/** With this pattern in place of the weights of some heads, or with null their own. */
export function withPattern(
  edits: EditLists,
  heads: readonly HeadRef[],
  pattern: FrozenPattern | null,
  sizes: StackSizes,
): EditLists {
  return {
    ...edits,
    heads: said(edits.heads, "pattern", heads, pattern === null ? null : { pattern }, sizes),
  };
}

/** Weights `[query][key]` as a drawing: whole numbers, each row adding up to about `DRAWN_WHOLE`. */
export function drawingOf({
  data,
  shape,
}: {
  data: Float32Array;
  shape: readonly number[];
}): number[][] {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) =>
    Array.from(
      data.subarray(row * columns, (row + 1) * columns),
      (weight) => Math.max(0, Math.round(weight * DRAWN_WHOLE)) || 0,
    ),
  );
}

/** A drawing with another number in one cell, and large enough to have it. */
export function painted(
  drawing: readonly (readonly number[])[],
  { query, key }: { query: number; key: number },
  value: number,
): number[][] {
  const rows = Math.max(drawing.length, query + 1);
  const columns = Math.max(drawing[0]?.length ?? 0, key + 1);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) =>
      row === query && column === key ? value : (drawing[row]?.[column] ?? 0),
    ),
  );
}

function said(
  edits: readonly HeadEdit[],
  part: "gate" | "pattern",
  heads: readonly HeadRef[],
  change: Pick<HeadEdit, "gate" | "pattern"> | null,
  sizes: StackSizes,
): HeadEdit[] {
  const kept = edits.flatMap((edit) =>
    edit[part] === undefined ? [edit] : withoutHeads(edit, part, heads, sizes),
  );
  return change === null
    ? kept
    : [...kept, ...scopesOf(heads, sizes).map((scope) => ({ ...scope, ...change }))];
}

/** An edit without some of its heads: as it is where it has none of them, else one for each group of those that are left. */
export function withoutHeads(
  edit: HeadEdit,
  part: "gate" | "pattern",
  heads: readonly HeadRef[],
  sizes: StackSizes,
): HeadEdit[] {
  const { gate, pattern } = edit;
  const change = { ...(gate !== undefined && { gate }), ...(pattern !== undefined && { pattern }) };
  const other =
    part === "gate"
      ? { ...(pattern !== undefined && { pattern }) }
      : { ...(gate !== undefined && { gate }) };
  const all = headsOf(edit, sizes);
  const gone = all.filter((one) => heads.some((head) => nameOfHead(head) === nameOfHead(one)));
  if (gone.length === 0) return [edit];
  const left = all.filter((one) => !gone.includes(one));
  const still = scopesOf(left, sizes).map((scope) => ({ ...scope, ...change }));
  return Object.keys(other).length === 0
    ? still
    : [...still, ...scopesOf(gone, sizes).map((scope) => ({ ...scope, ...other }))];
}

/** Scopes that together cover exactly these heads: layers with the same heads in one, and nothing named that is all of it. */
export function scopesOf(heads: readonly HeadRef[], sizes: StackSizes): Scope[] {
  return STACKS.flatMap((stack) => {
    const size = sizes[stack];
    if (!size) return [];
    const byHeads = new Map<string, { layers: number[]; heads: number[] }>();
    for (let layer = 0; layer < size.layers; layer += 1) {
      const chosen = [
        ...new Set(
          heads.filter((one) => one.stack === stack && one.layer === layer).map(({ head }) => head),
        ),
      ].sort((one, other) => one - other);
      if (chosen.length === 0) continue;
      const group = byHeads.get(chosen.join()) ?? { layers: [], heads: chosen };
      byHeads.set(chosen.join(), { ...group, layers: [...group.layers, layer] });
    }
    return [...byHeads.values()].map(({ layers, heads: chosen }): Scope => {
      const [allLayers, allHeads] = [layers.length === size.layers, chosen.length === size.heads];
      return {
        stack,
        ...(!(allLayers && allHeads) && { layers }),
        ...(!allHeads && { heads: chosen }),
      };
    });
  });
}
