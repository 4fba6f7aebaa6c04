import {
  isForbidden,
  type Cell,
  type HeadRef,
  type MaskEdit,
  type Scope,
  type Stack,
  type Tensor,
} from "../data/index.js";
import { scopeAt, type Reach } from "./mask-rules.js";
import { covers } from "./scopes.js";
import type { EditLists } from "./state.js";

/*
 * Cells that a person paints: blocked or opened one by one or by the stroke, in one head or as far as a scope reaches.
 * Painting a cell first takes back what says the opposite of it; only what is left is a new cell of an edit.
 */

export type Paint = "block" | "open";
type CellList = "block" | "allow";

/** Blocks a cell of one head, or allows it again in every edit that blocks it. */
export function toggleCell(edits: EditLists, head: HeadRef, cell: Cell): EditLists {
  return paintCells(
    edits,
    head,
    [cell],
    lists(edits.masks, "block", head).has(nameOf(cell)) ? "open" : "block",
    null,
  );
}

/**
 * Blocks those of some cells of one head that are open; where none is, opens them: a blocked one by taking that back,
 * one that the model or a rule forbids by an edit that allows it. `mask` is the head's under these very edits, or null
 * while that is not known.
 */
export function toggleCells(
  edits: EditLists,
  head: HeadRef,
  cells: readonly Cell[],
  mask: Tensor | null,
  reach: Reach = "head",
  stacks: readonly Stack[] = [],
): EditLists {
  const isOpen = openIn(edits, head, mask);
  const open = cells.filter(isOpen);
  return open.length > 0
    ? paintFor(edits, head, open, "block", mask, reach, stacks)
    : paintFor(edits, head, cells, "open", mask, reach, stacks);
}

/** Blocks or opens cells of a head, or of all that `reach` is about seen from it. */
export function paintCells(
  edits: EditLists,
  head: HeadRef,
  cells: readonly Cell[],
  paint: Paint,
  mask: Tensor | null,
  reach: Reach = "head",
): EditLists {
  if (cells.length === 0) return edits;
  const scope = scopeAt(reach, head);
  const isOpen = openIn(edits, head, mask);
  const [opposite, list] =
    paint === "block" ? (["allow", "block"] as const) : (["block", "allow"] as const);
  const { masks, taken } = without(edits.masks, opposite, head, scope, new Set(cells.map(nameOf)));
  const left = cells.filter((cell) => {
    if (taken.has(nameOf(cell))) return false;
    // What holds in this head already may not hold in the others.
    if (paint === "block") return reach !== "head" || isOpen(cell);
    return mask ? !isOpen(cell) : reach !== "head";
  });
  const painted = withCells(masks, list, head, scope, left);
  return painted === edits.masks ? edits : { ...edits, masks: painted };
}

/**
 * The same in every stack of a model, where that is asked for. Stacks are not of one size: each has its own cells, and
 * those that a text does not have wait until it does.
 */
export function paintFor(
  edits: EditLists,
  head: HeadRef,
  cells: readonly Cell[],
  paint: Paint,
  mask: Tensor | null,
  reach: Reach = "head",
  stacks: readonly Stack[] = [],
): EditLists {
  if (reach !== "everywhere") return paintCells(edits, head, cells, paint, mask, reach);
  return stacks.reduce(
    (painted, stack) =>
      paintCells(
        painted,
        { ...head, stack },
        cells,
        paint,
        stack === head.stack ? mask : null,
        "stack",
      ),
    edits,
  );
}

/** Whether a head's cells are open, as far as that is known. */
function openIn({ masks }: EditLists, head: HeadRef, mask: Tensor | null): (cell: Cell) => boolean {
  const allowed = lists(masks, "allow", head);
  const blocked = mask ? null : lists(masks, "block", head);
  const closed = (cell: Cell): boolean =>
    mask
      ? isForbidden(mask.data[cell.query * (mask.shape[1] ?? 0) + cell.key] ?? 0)
      : (blocked?.has(nameOf(cell)) ?? false);
  return (cell) => allowed.has(nameOf(cell)) || !closed(cell);
}

/** A number for a cell: texts are shorter than 2²⁴ tokens. */
function nameOf({ query, key }: Cell): number {
  return query * 2 ** 24 + key;
}

/** The cells that edits covering a head have in one of their lists. */
function lists(masks: readonly MaskEdit[], list: CellList, head: HeadRef): Set<number> {
  return new Set(
    masks
      .filter((edit) => covers(edit, head))
      .flatMap((edit) => (edit[list] ?? []).map(([query, key]) => nameOf({ query, key }))),
  );
}

/**
 * Takes cells out of every edit that has them and is about this head or lies within the scope; an edit that says nothing
 * any more goes. `taken` are those that were said as far as the scope reaches: nothing more has to be said of them.
 */
function without(
  masks: readonly MaskEdit[],
  list: CellList,
  head: HeadRef,
  scope: Scope,
  cells: ReadonlySet<number>,
): { masks: readonly MaskEdit[]; taken: Set<number> } {
  const taken = new Set<number>();
  const left = masks.flatMap((edit) => {
    const listed = edit[list];
    if (!listed || !(covers(edit, head) || within(edit, scope))) return [edit];
    const kept = listed.filter(([query, key]) => !cells.has(nameOf({ query, key })));
    if (kept.length === listed.length) return [edit];
    if (within(scope, edit)) for (const [query, key] of listed) taken.add(nameOf({ query, key }));
    if (kept.length > 0) return [{ ...edit, [list]: kept }];
    const { block, allow, ...others } = edit;
    const rest: MaskEdit = {
      ...others,
      ...(list === "block" ? allow && { allow } : block && { block }),
    };
    return rest.preset || rest.fill || rest.block || rest.allow ? [rest] : [];
  });
  return {
    masks:
      left.length === masks.length && left.every((edit, at) => edit === masks[at]) ? masks : left,
    taken,
  };
}

/** Adds cells to the edit of the scope's own cells; to a new one where a rule after that would have the last word. */
function withCells(
  masks: readonly MaskEdit[],
  list: CellList,
  head: HeadRef,
  scope: Scope,
  cells: readonly Cell[],
): readonly MaskEdit[] {
  if (cells.length === 0) return masks;
  const lastRule = masks.findLastIndex((edit) => edit.preset !== undefined && covers(edit, head));
  const own = masks.findLastIndex(
    (edit) => edit[list] !== undefined && within(edit, scope) && within(scope, edit),
  );
  const at = own > lastRule ? own : -1;
  const listed = masks[at]?.[list] ?? [];
  const known = new Set(listed.map(([query, key]) => nameOf({ query, key })));
  const fresh = [...new Map(cells.map((cell) => [nameOf(cell), cell])).values()].filter(
    (cell) => !known.has(nameOf(cell)),
  );
  if (fresh.length === 0) return masks;
  // In the order of the grid, as the address writes them.
  const all = [...listed, ...fresh.map(({ query, key }): [number, number] => [query, key])].sort(
    ([q, k], [r, l]) => q - r || k - l,
  );
  const grown: MaskEdit = { ...scope, [list]: all };
  return at < 0 ? [...masks, grown] : masks.with(at, grown);
}

/** Whether all that one scope is about, the other is about as well. */
function within(inner: Scope, outer: Scope): boolean {
  const part = (some: readonly number[] | undefined, all: readonly number[] | undefined): boolean =>
    all === undefined || (some?.every((one) => all.includes(one)) ?? false);
  return (
    (outer.stack === undefined || inner.stack === outer.stack) &&
    part(inner.layers, outer.layers) &&
    part(inner.heads, outer.heads)
  );
}
