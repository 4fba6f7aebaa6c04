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
  type EditLists,
  isWithin,
  type NumberRange,
  type Reach,
  scopeAt,
  scopeIn,
  within,
} from "./edits.js";

/*
 * Mask rules: edits with a preset, each with the numbers that its kind has, in the range that the core takes. Mask edits
 * apply in the order of their list.
 */

export type PresetKind = MaskPreset["kind"];
export const MASK_MODES = ["and", "or", "replace"] as const satisfies readonly MaskMode[];
export type PresetNumber = "width" | "dilation" | "length" | "keys" | "seed" | "size" | "stride";

/** A preset with any of the numbers that presets have. */
export interface PresetValues extends Partial<Record<PresetNumber, number>> {
  kind: PresetKind;
  tokens?: readonly number[];
  oneSided?: boolean;
}

export const NUMBER_RANGES: Readonly<Record<PresetNumber, NumberRange>> = {
  width: { least: 0, most: LARGEST_WHOLE, usual: 2 },
  dilation: { least: 1, most: LARGEST_WHOLE, usual: 2 },
  length: { least: 0, most: LARGEST_WHOLE, usual: 4 },
  keys: { least: 0, most: MOST_RANDOM_KEYS, usual: 2 },
  seed: { least: 0, most: LARGEST_WHOLE, usual: 1 },
  size: { least: 1, most: LARGEST_WHOLE, usual: 4 },
  stride: { least: 1, most: LARGEST_WHOLE, usual: 4 },
};

/** The fields of each kind, in the order in which kinds are offered. */
export const PRESET_PARTS: Readonly<
  Record<PresetKind, { numbers: readonly PresetNumber[]; tokens?: true; oneSided?: true }>
> = {
  window: { numbers: ["width"], oneSided: true },
  dilated: { numbers: ["width", "dilation"], oneSided: true },
  global: { numbers: ["width"], tokens: true, oneSided: true },
  random: { numbers: ["width", "keys", "seed"], tokens: true, oneSided: true },
  block: { numbers: ["size"] },
  strided: { numbers: ["stride"], oneSided: true },
  prefix: { numbers: ["length"] },
  causal: { numbers: [] },
  padding: { numbers: ["length"] },
  none: { numbers: [] },
};
export const PRESET_KINDS = Object.keys(PRESET_PARTS) as PresetKind[];

/** The preset that has these numbers, each within its range. */
export function presetOf({ kind, ...values }: PresetValues): MaskPreset {
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  return {
    kind,
    ...(tokens && { tokens: [...new Set(values.tokens ?? [0])].sort((one, other) => one - other) }),
    ...Object.fromEntries(numbers.map((name) => [name, within(values[name], NUMBER_RANGES[name])])),
    ...(oneSided && values.oneSided && { oneSided }),
  } as MaskPreset;
}

/** A mask edit with a preset, and its place among all mask edits. */
export interface MaskRule extends Scope {
  index: number;
  mode: MaskMode;
  invert: boolean;
  preset: MaskPreset;
}

/** The rules in the order in which they apply. */
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

function editOf({ mode, invert, preset, ...edit }: Omit<MaskRule, "index">): MaskEdit {
  return { ...scopeIn(edit), ...(mode !== "and" && { mode }), ...(invert && { invert }), preset };
}

/** What forbidden cells add to their scores, where one number holds for all heads. */
export function fillOf({ masks }: EditLists): MaskFill {
  return masks.findLast(isFill)?.fill ?? "-inf";
}

/** With this number for every forbidden cell. */
export function withFill(edits: EditLists, fill: MaskFill): EditLists {
  const masks = edits.masks.filter((edit) => !isFill(edit));
  return { ...edits, masks: fill === "-inf" ? masks : [...masks, { fill }] };
}

function isFill(edit: MaskEdit): boolean {
  const { fill, preset, block, allow, stack, layers, heads } = edit;
  return fill !== undefined && !preset && !block && !allow && !stack && !layers && !heads;
}

/*
 * Painted cells: blocked or opened one by one or by the stroke, in one head or as far as a scope reaches. Painting a cell
 * first removes it from edits that say the opposite; only what is left is a new cell of an edit.
 */

export type Paint = "block" | "open";
type CellList = "block" | "allow";

/**
 * Blocks those of some cells of one head that are open; where none is, opens them: a blocked one by removing that edit,
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
  const open = cells.filter(openIn(edits, head, mask));
  const paint = open.length > 0 ? "block" : "open";
  return paintFor(edits, head, paint === "block" ? open : cells, paint, mask, reach, stacks);
}

/** Blocks or opens cells of all heads within `reach` of a head, in one stack. */
function paintCells(
  edits: EditLists,
  head: HeadRef,
  cells: readonly Cell[],
  paint: Paint,
  mask: Tensor | null,
  reach: Reach,
): EditLists {
  if (cells.length === 0) return edits;
  const scope = scopeAt(reach, head);
  const isOpen = openIn(edits, head, mask);
  const [opposite, list]: CellList[] = paint === "block" ? ["allow", "block"] : ["block", "allow"];
  const { masks, taken } = without(edits.masks, opposite ?? "allow", head, scope, cells);
  const left = cells.filter((cell) => {
    if (taken.has(nameOf(cell))) return false;
    // What holds in this head already may not hold in the others.
    if (paint === "block") return reach !== "head" || isOpen(cell);
    return mask ? !isOpen(cell) : reach !== "head";
  });
  const painted = withCells(masks, list ?? "block", head, scope, left);
  return painted === edits.masks ? edits : { ...edits, masks: painted };
}

/**
 * Blocks or opens cells of a head, or of all heads within `reach` of it, everywhere in each of the stacks. Stacks are not
 * of one size: each has its own cells, and cells that a text does not have wait for a longer one.
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
  return stacks.reduce((all, stack) => {
    const known = stack === head.stack ? mask : null;
    return paintCells(all, { ...head, stack }, cells, paint, known, "stack");
  }, edits);
}

/** Whether a head's cells are open, as far as that is known. */
function openIn({ masks }: EditLists, head: HeadRef, mask: Tensor | null): (cell: Cell) => boolean {
  const allowed = listed(masks, "allow", head);
  const blocked = listed(masks, "block", head);
  const isClosed = (cell: Cell): boolean =>
    mask
      ? isForbidden(mask.data[cell.query * (mask.shape[1] ?? 0) + cell.key] ?? 0)
      : blocked.has(nameOf(cell));
  return (cell) => allowed.has(nameOf(cell)) || !isClosed(cell);
}

/** A number for a cell: texts are shorter than 2²⁴ tokens. */
function nameOf({ query, key }: Cell): number {
  return query * 2 ** 24 + key;
}

const cellOf = ([query, key]: readonly [number, number]): Cell => ({ query, key });

/** The cells that edits covering a head have in one of their lists. */
function listed(masks: readonly MaskEdit[], list: CellList, head: HeadRef): Set<number> {
  const own = masks.filter((edit) => covers(edit, head)).flatMap((edit) => edit[list] ?? []);
  return new Set(own.map((cell) => nameOf(cellOf(cell))));
}

/**
 * Takes cells out of every edit that has them and covers this head or lies within the scope; an edit that is left with
 * nothing goes. `taken` are those that were listed for all of the scope: they need no new edit.
 */
function without(
  masks: readonly MaskEdit[],
  list: CellList,
  head: HeadRef,
  scope: Scope,
  cells: readonly Cell[],
): { masks: readonly MaskEdit[]; taken: Set<number> } {
  const taken = new Set<number>();
  const gone = new Set(cells.map(nameOf));
  const left = masks.flatMap((edit) => {
    const own = edit[list];
    if (!own || !(covers(edit, head) || isWithin(edit, scope))) return [edit];
    const rest = own.filter((cell) => !gone.has(nameOf(cellOf(cell))));
    if (rest.length === own.length) return [edit];
    if (isWithin(scope, edit)) for (const cell of own) taken.add(nameOf(cellOf(cell)));
    if (rest.length > 0) return [{ ...edit, [list]: rest }];
    const fields = Object.entries(edit).filter(([name]) => name !== list);
    const others: MaskEdit = Object.fromEntries(fields);
    return others.preset || others.fill || others.block || others.allow ? [others] : [];
  });
  const isSame = left.length === masks.length && left.every((edit, at) => edit === masks[at]);
  return { masks: isSame ? masks : left, taken };
}

/** Adds cells to the edit of the scope's own cells; to a new one where a later rule would overrule that. */
function withCells(
  masks: readonly MaskEdit[],
  list: CellList,
  head: HeadRef,
  scope: Scope,
  cells: readonly Cell[],
): readonly MaskEdit[] {
  const lastRule = masks.findLastIndex((edit) => edit.preset !== undefined && covers(edit, head));
  const own = masks.findLastIndex(
    (edit) => edit[list] !== undefined && isWithin(edit, scope) && isWithin(scope, edit),
  );
  const at = own > lastRule ? own : -1;
  const before = masks[at]?.[list] ?? [];
  const all = new Map(before.map((cell) => [nameOf(cellOf(cell)), cell]));
  for (const cell of cells)
    if (!all.has(nameOf(cell))) all.set(nameOf(cell), [cell.query, cell.key]);
  if (all.size === new Set(before.map((cell) => nameOf(cellOf(cell)))).size) return masks;
  // In the order of the grid, as the address writes them.
  const sorted = [...all.values()].sort(([q, k], [r, l]) => q - r || k - l);
  const grown: MaskEdit = { ...scope, [list]: sorted };
  return at < 0 ? [...masks, grown] : masks.with(at, grown);
}
