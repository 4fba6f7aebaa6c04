import {
  type Cell,
  type HeadRef,
  isForbidden,
  LARGEST_WHOLE,
  type MaskEdit,
  type MaskFill,
  type MaskMode,
  type MaskPreset,
  MOST_RANDOM_KEYS,
  type Scope,
  type Stack,
  type Tensor,
} from "../data/index.js";
import {
  covers,
  isWithin,
  scopeAt,
  scopeIn,
  within,
  type NumberRange,
  type Reach,
} from "./edits.js";
import type { EditLists } from "./state.js";

/*
 * Presets of masks as a person makes them: each with the numbers that it has, every one of them within what the core
 * takes. A rule is an edit with a preset; edits of masks hold in the order in which they are listed.
 */

export type PresetKind = MaskPreset["kind"];
export const PRESET_KINDS = [
  "window",
  "dilated",
  "global",
  "random",
  "block",
  "strided",
  "prefix",
  "causal",
  "padding",
  "none",
] as const satisfies readonly PresetKind[];
export const MASK_MODES = ["and", "or", "replace"] as const satisfies readonly MaskMode[];

/** A preset with any of the numbers that presets have. */
export interface PresetValues {
  kind: PresetKind;
  width?: number;
  dilation?: number;
  length?: number;
  keys?: number;
  seed?: number;
  size?: number;
  stride?: number;
  tokens?: readonly number[];
  oneSided?: boolean;
}

export type PresetNumber = "width" | "dilation" | "length" | "keys" | "seed" | "size" | "stride";

/** The range of each number. */
export const NUMBER_RANGES: Readonly<Record<PresetNumber, NumberRange>> = {
  width: { least: 0, most: LARGEST_WHOLE, usual: 2 },
  dilation: { least: 1, most: LARGEST_WHOLE, usual: 2 },
  length: { least: 0, most: LARGEST_WHOLE, usual: 4 },
  keys: { least: 0, most: MOST_RANDOM_KEYS, usual: 2 },
  seed: { least: 0, most: LARGEST_WHOLE, usual: 1 },
  size: { least: 1, most: LARGEST_WHOLE, usual: 4 },
  stride: { least: 1, most: LARGEST_WHOLE, usual: 4 },
};

/** What each preset is made of. */
export const PRESET_PARTS: Readonly<
  Record<PresetKind, { numbers: readonly PresetNumber[]; tokens?: true; oneSided?: true }>
> = {
  none: { numbers: [] },
  causal: { numbers: [] },
  padding: { numbers: ["length"] },
  prefix: { numbers: ["length"] },
  window: { numbers: ["width"], oneSided: true },
  dilated: { numbers: ["width", "dilation"], oneSided: true },
  global: { numbers: ["width"], tokens: true, oneSided: true },
  random: { numbers: ["width", "keys", "seed"], tokens: true, oneSided: true },
  block: { numbers: ["size"] },
  strided: { numbers: ["stride"], oneSided: true },
};

/** The preset that has these numbers, each within its range. */
export function presetOf({ kind, ...values }: PresetValues): MaskPreset {
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  const own = numbers.map((name) => [name, within(values[name], NUMBER_RANGES[name])] as const);
  return {
    kind,
    ...(tokens && { tokens: [...new Set(values.tokens ?? [0])].sort((one, other) => one - other) }),
    ...Object.fromEntries(own),
    ...(oneSided && values.oneSided && { oneSided }),
  } as MaskPreset;
}

/** An edit of masks by a preset, with its place among all edits of masks. */
export interface MaskRule extends Scope {
  index: number;
  mode: MaskMode;
  invert: boolean;
  preset: MaskPreset;
}

/** The rules in the order in which they hold. */
export function rulesOf({ masks }: EditLists): MaskRule[] {
  return masks.flatMap(({ preset, mode = "and", invert = false, ...edit }, index) =>
    preset ? [{ index, mode, invert, preset, ...scopeIn(edit) }] : [],
  );
}

/** With one more rule, after all others. */
export function addRule(edits: EditLists, rule: Omit<MaskRule, "index">): EditLists {
  return { ...edits, masks: [...edits.masks, editOf(rule)] };
}

/** With a rule in the place of the one that has its index. */
export function changeRule(edits: EditLists, rule: MaskRule): EditLists {
  return { ...edits, masks: edits.masks.with(rule.index, editOf(rule)) };
}

/** What forbidden cells add to their scores, where one thing is said for all heads. */
export function fillOf({ masks }: EditLists): MaskFill {
  return masks.findLast(isFill)?.fill ?? "-inf";
}

/** With this number for every forbidden cell. */
export function withFill(edits: EditLists, fill: MaskFill): EditLists {
  const masks = edits.masks.filter((edit) => !isFill(edit));
  return { ...edits, masks: fill === "-inf" ? masks : [...masks, { fill }] };
}

function isFill({ fill, preset, block, allow, stack, layers, heads }: MaskEdit): boolean {
  return fill !== undefined && !preset && !block && !allow && !stack && !layers && !heads;
}

function editOf({ mode, invert, preset, ...edit }: Omit<MaskRule, "index">): MaskEdit {
  return {
    ...scopeIn(edit),
    ...(mode !== "and" && { mode }),
    ...(invert && { invert }),
    preset,
  };
}

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
    if (!listed || !(covers(edit, head) || isWithin(edit, scope))) return [edit];
    const kept = listed.filter(([query, key]) => !cells.has(nameOf({ query, key })));
    if (kept.length === listed.length) return [edit];
    if (isWithin(scope, edit)) for (const [query, key] of listed) taken.add(nameOf({ query, key }));
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
    (edit) => edit[list] !== undefined && isWithin(edit, scope) && isWithin(scope, edit),
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
