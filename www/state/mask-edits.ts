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
  withEdit,
  within,
} from "./edits.js";

/*
 * Mask rules: edits with a preset, each with the numbers that its kind has, in the range that the
 * core takes. Mask edits apply in the order of their list.
 */

export const MASK_MODES = ["and", "or", "replace"] as const satisfies readonly MaskMode[];
type PresetKind = MaskPreset["kind"];
type PresetNumber = "width" | "dilation" | "length" | "keys" | "seed" | "size" | "stride";

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

export function rulesOf({ masks }: EditLists): MaskRule[] {
  return masks.flatMap(({ preset, mode = "and", invert = false, ...edit }, index) =>
    preset ? [{ index, mode, invert, preset, ...scopeIn(edit) }] : [],
  );
}

/** With a rule in the place of the one that has its index; without an index after all others. */
export function withRule(
  edits: EditLists,
  { index, mode, invert, preset, ...scope }: Partial<MaskRule> & Pick<MaskRule, "preset">,
): EditLists {
  const joined = { ...(mode && mode !== "and" && { mode }), ...(invert && { invert }) };
  return withEdit(edits, "masks", { ...scopeIn(scope), ...joined, preset }, index);
}

/** What forbidden cells add to their scores, where one number holds for all heads. */
export function fillOf({ masks }: EditLists): MaskFill {
  return masks.findLast(isFill)?.fill ?? "-inf";
}

export function withFill(edits: EditLists, fill: MaskFill): EditLists {
  const masks = edits.masks.filter((edit) => !isFill(edit));
  return { ...edits, masks: fill === "-inf" ? masks : [...masks, { fill }] };
}

const isFill = (edit: MaskEdit): boolean =>
  edit.fill !== undefined && Object.keys(edit).length === 1;

/*
 * Painted cells: blocked or opened one by one or by the stroke, in one head or as far as a scope
 * reaches. Painting a cell first removes it from edits that say the opposite; only what is left is
 * a new cell of an edit.
 */

type CellList = "block" | "allow";
type Pair = readonly [query: number, key: number];

/** A number for a cell, in the order of the grid: texts are shorter than 2²⁴ tokens. */
const SPAN = 2 ** 24;
const numberOf = ([query, key]: Pair): number => query * SPAN + key;
const placeOf = ({ query, key }: Cell): number => numberOf([query, key]);

/**
 * Blocks or opens cells of a head, or of all heads within `reach` of it, everywhere in each of the
 * stacks. Stacks are not of one size: each has its own cells, and cells that a text does not have
 * wait for a longer one. A toggle blocks those that are open; where none is, it opens them: a
 * blocked one by removing that edit, one that the model or a rule forbids by an edit that allows
 * it. `mask` is the head's under these very edits, or null while that is not known.
 */
export function paintCells(
  edits: EditLists,
  head: HeadRef,
  cells: readonly Cell[],
  paint: "block" | "open" | "toggle",
  mask: Tensor | null,
  reach: Reach = "head",
  stacks: readonly Stack[] = [],
): EditLists {
  const isOpen = openIn(edits, head, mask);
  if (paint === "toggle") {
    const open = cells.filter(isOpen);
    const [some, how]: [readonly Cell[], "block" | "open"] =
      open.length > 0 ? [open, "block"] : [cells, "open"];
    return paintCells(edits, head, some, how, mask, reach, stacks);
  }
  if (reach === "everywhere")
    return stacks.reduce((all, stack) => {
      const known = stack === head.stack ? mask : null;
      return paintCells(all, { ...head, stack }, cells, paint, known, "stack");
    }, edits);
  const scope = scopeAt(reach, head);
  const [list, opposite]: readonly [CellList, CellList] =
    paint === "block" ? ["block", "allow"] : ["allow", "block"];
  const stroke = new Set(cells.map(placeOf));
  /** Cells that the whole scope had the other way round: they need no new edit. */
  const undone = new Set<number>();
  const masks = edits.masks.flatMap((edit): MaskEdit[] => {
    const { [opposite]: own = [], ...fields } = edit;
    const others: MaskEdit = fields;
    const rest = own.filter((cell) => !stroke.has(numberOf(cell)));
    if (rest.length === own.length || !(covers(edit, head) || isWithin(edit, scope))) return [edit];
    if (isWithin(scope, edit)) for (const cell of own) undone.add(numberOf(cell));
    if (rest.length > 0) return [{ ...edit, [opposite]: rest }];
    return (others.preset ?? others.fill ?? others[list]) ? [others] : [];
  });
  const added = cells.filter((cell) => {
    if (undone.has(placeOf(cell))) return false;
    // What holds in this head already may not hold in the others.
    if (paint === "block") return reach !== "head" || isOpen(cell);
    return mask ? !isOpen(cell) : reach !== "head";
  });
  const before = { ...edits, masks };
  // The edit of the scope's own cells grows, unless a later rule would overrule that.
  const lastRule = masks.findLastIndex((edit) => edit.preset !== undefined && covers(edit, head));
  const at = masks.findLastIndex(
    (edit, index) =>
      index > lastRule &&
      edit[list] !== undefined &&
      isWithin(edit, scope) &&
      isWithin(scope, edit),
  );
  const listed = new Set(masks[at]?.[list]?.map(numberOf));
  const { size } = listed;
  for (const cell of added) listed.add(placeOf(cell));
  if (listed.size === size) {
    const isSame =
      masks.length === edits.masks.length && masks.every((one, i) => one === edits.masks[i]);
    return isSame ? edits : before;
  }
  const grown = [...listed]
    .sort((one, other) => one - other)
    .map((place): [number, number] => [Math.floor(place / SPAN), place % SPAN]);
  return withEdit(before, "masks", { ...scope, [list]: grown }, at < 0 ? undefined : at);
}

/** Whether a head's cells are open, as far as that is known. */
function openIn({ masks }: EditLists, head: HeadRef, mask: Tensor | null): (cell: Cell) => boolean {
  const listed = (list: CellList): Set<number> =>
    new Set(masks.flatMap((edit) => (covers(edit, head) ? (edit[list] ?? []) : [])).map(numberOf));
  const allowed = listed("allow");
  const blocked = listed("block");
  const isClosed = ({ query, key }: Cell): boolean =>
    mask
      ? isForbidden(mask.data[query * (mask.shape[1] ?? 0) + key] ?? 0)
      : blocked.has(numberOf([query, key]));
  return (cell) => allowed.has(placeOf(cell)) || !isClosed(cell);
}
