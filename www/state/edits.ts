import {
  type AttentionEdit,
  type BlockEdit,
  type Cell,
  type Edits,
  type HeadEdit,
  type HeadRef,
  isForbidden,
  type MaskEdit,
  type PositionEdit,
  type Scope,
  type Stack,
  type Tensor,
} from "../data/index.js";

export const STACKS = ["encoder", "decoder", "cross"] as const satisfies readonly Stack[];

/** How many layers and heads each stack of a model has. */
export type StackSizes = Partial<Record<Stack, { layers: number; heads: number }>>;

/** The active edits, in the order in which they were made. Always all lists. */
export interface EditLists {
  readonly masks: readonly MaskEdit[];
  readonly heads: readonly HeadEdit[];
  readonly blocks: readonly BlockEdit[];
  readonly attention: readonly AttentionEdit[];
  readonly positions: readonly PositionEdit[];
}

export const NO_EDITS: EditLists = {
  masks: [],
  heads: [],
  blocks: [],
  attention: [],
  positions: [],
};
export const EDIT_LISTS = Object.keys(NO_EDITS) as (keyof EditLists)[];

/** Names one edit by its list and its place there. */
export interface EditRef {
  list: keyof EditLists;
  index: number;
}

/** The edit that an id names, such as “masks:0”. */
export function refOf(id: string): EditRef | undefined {
  const [name, index] = id.split(":");
  const list = EDIT_LISTS.find((one) => one === name);
  return list && { list, index: Number(index) };
}

/** Edits of the API with all their lists. */
export function editLists(edits: Edits): EditLists {
  return { ...NO_EDITS, ...edits };
}

/** Edits as the API has them: without empty lists. */
export function editsOf(lists: EditLists): Edits {
  const named = EDIT_LISTS.filter((list) => lists[list].length > 0);
  return Object.fromEntries(named.map((list) => [list, lists[list]]));
}

export function countEdits(edits: Partial<EditLists>): number {
  return EDIT_LISTS.reduce((sum, list) => sum + (edits[list]?.length ?? 0), 0);
}

export function hasEdits(edits: Partial<EditLists>): boolean {
  return countEdits(edits) > 0;
}

/** The edits without one of them. */
export function removeEdit(edits: EditLists, { list, index }: EditRef): EditLists {
  return { ...edits, [list]: edits[list].filter((_, at) => at !== index) };
}

/** The scope of an edit, without parts that are undefined. */
export function scopeIn({ stack, layers, heads }: Scope): Scope {
  return { ...(stack && { stack }), ...(layers && { layers }), ...(heads && { heads }) };
}

/** Whether a scope covers a head. */
export function covers(scope: Scope, { stack, layer, head }: HeadRef): boolean {
  return (
    (scope.stack ?? stack) === stack &&
    (scope.layers?.includes(layer) ?? true) &&
    (scope.heads?.includes(head) ?? true)
  );
}

/** Whether one scope covers all that another covers. */
export function isWithin(inner: Scope, outer: Scope): boolean {
  const isPart = (some?: readonly number[], all?: readonly number[]): boolean =>
    all === undefined || (some?.every((one) => all.includes(one)) ?? false);
  return (
    (outer.stack === undefined || inner.stack === outer.stack) &&
    isPart(inner.layers, outer.layers) &&
    isPart(inner.heads, outer.heads)
  );
}

/** The cells that edits block in one head: by its mask, where that is known, those that no later edit opens again. */
export function blockedCells(edits: EditLists, head: HeadRef, mask: Tensor | null = null): Cell[] {
  const listed = edits.masks
    .filter((edit) => covers(edit, head))
    .flatMap((edit) => (edit.block ?? []).map(([query, key]) => ({ query, key })));
  const mayOpen = edits.masks.some(({ preset, allow }) => preset ?? allow);
  if (!mayOpen || mask === null) return listed;
  const { data, shape } = mask;
  return listed.filter(({ query, key }) => isForbidden(data[query * (shape[1] ?? 0) + key] ?? 0));
}

/** Whether an edit gives a head the gate 0. */
export function isSilenced(edits: EditLists, head: HeadRef): boolean {
  return edits.heads.some((edit) => edit.gate === 0 && covers(edit, head));
}

/** Whether edits drop some of a head's weights. */
export function dropsOf(edits: EditLists, head: HeadRef): boolean {
  return edits.attention.some((edit) => edit.dropout !== undefined && covers(edit, head));
}

/** Every head that a scope covers. */
export function headsOf({ stack, layers, heads }: Scope, sizes: StackSizes): HeadRef[] {
  const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
  return STACKS.filter((name) => (stack ?? name) === name).flatMap((name) => {
    const size = sizes[name];
    if (!size) return [];
    return (layers ?? range(size.layers)).flatMap((layer) =>
      (heads ?? range(size.heads)).map((head) => ({ stack: name, layer, head })),
    );
  });
}

/** A name for a head. */
export function nameOfHead({ stack, layer, head }: HeadRef): string {
  return `${stack} ${layer} ${head}`;
}

/** The scope of an edit, seen from a head. */
export const REACHES = ["head", "layer", "stack", "everywhere"] as const;
export type Reach = (typeof REACHES)[number];

export function scopeAt(reach: Reach, { stack, layer, head }: HeadRef): Scope {
  if (reach === "everywhere") return {};
  if (reach === "stack") return { stack };
  return reach === "layer" ? { stack, layers: [layer] } : { stack, layers: [layer], heads: [head] };
}

/** The scope of one head alone. */
export function scopeOf(head: HeadRef): Scope {
  return scopeAt("head", head);
}

/** The reach of a scope from a head; null for any other scope. */
export function reachOf({ stack, layers, heads }: Scope, head: HeadRef): Reach | null {
  const text = JSON.stringify({ stack, layers, heads });
  return REACHES.find((reach) => JSON.stringify(scopeAt(reach, head)) === text) ?? null;
}

/** The range of a number of an edit, and its default; whole numbers unless it says so. */
export interface NumberRange {
  least: number;
  most: number;
  usual: number;
  fraction?: boolean;
}

export function isInRange(value: unknown, { least, most, fraction }: NumberRange): boolean {
  const isNumber = fraction ? typeof value === "number" : Number.isInteger(value);
  return isNumber && Number(value) >= least && Number(value) <= most;
}

/** A number in its range: a missing one is the default, one out of range is set to the nearer end. */
export function within(value: number | undefined, range: NumberRange): number {
  const { least, most, usual, fraction } = range;
  if (value === undefined || !Number.isFinite(value)) return usual;
  return Math.min(most, Math.max(least, fraction ? value : Math.round(value)));
}
