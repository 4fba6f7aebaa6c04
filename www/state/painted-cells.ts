/**
 * Painted cells: pairs of a query and a key that are blocked or opened one by one or by a stroke,
 * in one head or in all heads of a reach. Painting a cell first removes it from edits that say the
 * opposite; if that is not enough, an edit gets the cell.
 */
import {
  type Cell,
  type HeadRef,
  isForbidden,
  type MaskEdit,
  type Scope,
  type Stack,
  type Tensor,
} from "../data/index.js";
import { covers, type EditLists, isWithin, type Reach, scopeAt, withEdit } from "./edits.js";

/** The effect of painting on cells; a toggle depends on their present state. */
export type Paint = "block" | "open" | "toggle";

/** The list of a mask edit with the cells that it blocks, or those that it allows. */
type CellList = "block" | "allow";
type Pair = readonly [query: number, key: number];

const LISTS = {
  block: { list: "block", opposite: "allow" },
  open: { list: "allow", opposite: "block" },
} as const satisfies Record<string, { list: CellList; opposite: CellList }>;

/** One stroke over the cells of a head, or of all heads within a reach of it. */
interface Stroke {
  head: HeadRef;
  reach: Reach;
  scope: Scope;
  cells: readonly Cell[];
  paint: "block" | "open";
  isOpen: (cell: Cell) => boolean;
  /** Whether the head's mask under the present edits is known. */
  isMaskKnown: boolean;
}

/**
 * Blocks or opens cells of a head, or of all heads within `reach` of it, everywhere in each of the
 * stacks. Stacks differ in size: each has its own cells, and cells beyond a text apply to longer
 * ones. A toggle blocks the open cells; if none is open, it opens all: a blocked one by removing
 * the edit, one that the model or a rule masks by an edit that allows it. `mask` is the head's
 * under the present edits, or null while it is unknown.
 */
export function paintCells(
  edits: EditLists,
  head: HeadRef,
  cells: readonly Cell[],
  paint: Paint,
  mask: Tensor | null,
  reach: Reach = "head",
  stacks: readonly Stack[] = [],
): EditLists {
  const isOpen = openIn(edits, head, mask);

  if (paint === "toggle") {
    const open = cells.filter(isOpen);
    return open.length > 0
      ? paintCells(edits, head, open, "block", mask, reach, stacks)
      : paintCells(edits, head, cells, "open", mask, reach, stacks);
  }

  if (reach === "everywhere")
    return stacks.reduce((painted, stack) => {
      const known = stack === head.stack ? mask : null;
      return paintCells(painted, { ...head, stack }, cells, paint, known, "stack");
    }, edits);

  const scope = scopeAt(reach, head);
  const stroke = { head, reach, scope, cells, paint, isOpen, isMaskKnown: mask !== null };
  const { masks, settled } = withoutOpposites(edits.masks, stroke);
  const isChanged = masks.some((edit, index) => edit !== edits.masks[index]);
  const before = isChanged || masks.length < edits.masks.length ? { ...edits, masks } : edits;
  return withCells(before, stroke, newCells(stroke, settled));
}

/**
 * The mask edits without the stroke's cells where they say the opposite, and the numbers of the
 * cells that this settles: the whole scope had them the other way round, so they need no new edit.
 */
function withoutOpposites(
  masks: readonly MaskEdit[],
  { head, scope, cells, paint }: Stroke,
): { masks: MaskEdit[]; settled: ReadonlySet<number> } {
  const { list, opposite } = LISTS[paint];
  const painted = new Set(cells.map(numberOfCell));
  const settled = new Set<number>();

  const rest = masks.flatMap((edit): MaskEdit[] => {
    const { [opposite]: listed = [], ...fields } = edit;
    const others: MaskEdit = fields;
    const kept = listed.filter((pair) => !painted.has(numberOfPair(pair)));
    const isConcerned = covers(edit, head) || isWithin(edit, scope);
    if (kept.length === listed.length || !isConcerned) return [edit];

    if (isWithin(scope, edit)) for (const pair of listed) settled.add(numberOfPair(pair));
    if (kept.length > 0) return [{ ...edit, [opposite]: kept }];

    const isEmpty = (others.preset ?? others.fill ?? others[list]) === undefined;
    return isEmpty ? [] : [others];
  });

  return { masks: rest, settled };
}

/** The cells of a stroke that an edit must name. */
function newCells(
  { cells, paint, reach, isOpen, isMaskKnown }: Stroke,
  settled: ReadonlySet<number>,
): Cell[] {
  // A cell's state in this head may differ in the other heads of its reach.
  const isOfOthersToo = reach !== "head";
  const needsEdit = (cell: Cell): boolean => {
    if (paint === "block") return isOfOthersToo || isOpen(cell);
    return isMaskKnown ? !isOpen(cell) : isOfOthersToo;
  };

  return cells.filter((cell) => !settled.has(numberOfCell(cell)) && needsEdit(cell));
}

/**
 * The edits with more cells of a stroke: in the edit with cells of the same scope, unless a later
 * rule would override it, or in a new one.
 */
function withCells(
  edits: EditLists,
  { head, scope, paint }: Stroke,
  cells: readonly Cell[],
): EditLists {
  const { list } = LISTS[paint];
  const { masks } = edits;
  const lastRule = masks.findLastIndex((edit) => edit.preset !== undefined && covers(edit, head));
  const isOfScope = (edit: MaskEdit): boolean => isWithin(edit, scope) && isWithin(scope, edit);
  const index = masks.findLastIndex(
    (edit, at) => at > lastRule && edit[list] !== undefined && isOfScope(edit),
  );

  const known = new Set(masks[index]?.[list]?.map(numberOfPair));
  const numbers = new Set([...known, ...cells.map(numberOfCell)]);
  if (numbers.size === known.size) return edits;

  const pairs = [...numbers].sort((one, other) => one - other).map(pairOfNumber);
  return withEdit(edits, "masks", { ...scope, [list]: pairs }, index < 0 ? undefined : index);
}

/** A function that says whether a head's cell is open, as far as that is known. */
function openIn({ masks }: EditLists, head: HeadRef, mask: Tensor | null): (cell: Cell) => boolean {
  const own = masks.filter((edit) => covers(edit, head));
  const listed = (list: CellList): Set<number> =>
    new Set(own.flatMap((edit) => edit[list] ?? []).map(numberOfPair));
  const allowed = listed("allow");
  const blocked = listed("block");

  const isClosed = (cell: Cell): boolean => {
    if (!mask) return blocked.has(numberOfCell(cell));
    const columns = mask.shape[1] ?? 0;
    return isForbidden(mask.data[cell.query * columns + cell.key] ?? 0);
  };
  return (cell) => allowed.has(numberOfCell(cell)) || !isClosed(cell);
}

/**
 * The bound of key indices, more than a text has, so that a cell has one number, in the order of
 * the grid.
 */
const MOST_KEYS = 2 ** 24;

const numberOfPair = ([query, key]: Pair): number => query * MOST_KEYS + key;
const numberOfCell = ({ query, key }: Cell): number => numberOfPair([query, key]);
const pairOfNumber = (number: number): [query: number, key: number] => [
  Math.floor(number / MOST_KEYS),
  number % MOST_KEYS,
];
