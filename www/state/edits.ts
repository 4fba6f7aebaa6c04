import {
  type At,
  type BlockEdit,
  type Cell,
  type Edits,
  type HeadRef,
  isForbidden,
  type Scope,
  type Stack,
  type Sublayer,
  type Tensor,
} from "../data/index.js";

export const STACKS = ["encoder", "decoder", "cross"] as const satisfies readonly Stack[];

export type StackSizes = Partial<Record<Stack, { layers: number; heads: number }>>;

/** The name of a list of edits. */
export type EditList = keyof Edits;

/** The edits, in the order in which they were made; every list is present. */
export type EditLists = {
  readonly [List in EditList]-?: readonly NonNullable<Edits[List]>[number][];
};

export const NO_EDITS: EditLists = {
  masks: [],
  heads: [],
  blocks: [],
  attention: [],
  positions: [],
  patches: [],
};
export const EDIT_LISTS = Object.keys(NO_EDITS) as (keyof EditLists)[];

export interface EditRef {
  list: keyof EditLists;
  index: number;
}

/** The edit with an id such as “masks:0”. */
export function refOf(id: string): EditRef | undefined {
  const [name, index] = id.split(":");
  const list = EDIT_LISTS.find((one) => one === name);
  return list && { list, index: Number(index) };
}

export function editLists(edits: Edits): EditLists {
  return { ...NO_EDITS, ...edits };
}

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

/** The edits with another one at a place of a list, by default the end. */
export function withEdit<List extends keyof EditLists>(
  edits: EditLists,
  list: List,
  edit: EditLists[List][number],
  index = edits[list].length,
): EditLists {
  return { ...edits, [list]: (edits[list] as readonly unknown[]).toSpliced(index, 1, edit) };
}

export function removeEdit(edits: EditLists, { list, index }: EditRef): EditLists {
  return { ...edits, [list]: edits[list].filter((_, at) => at !== index) };
}

/** The subject of an edit: a head, a sublayer of a layer, or a whole stack. */
export interface Part {
  stack: Stack;
  layer?: number;
  head?: number;
  sublayer?: Sublayer;
}

/** The scope of an edit of any list. */
export type EditScope = Scope & Pick<BlockEdit, "sublayers">;

export function scopeIn({ stack, layers, heads }: Scope): Scope {
  return { ...(stack && { stack }), ...(layers && { layers }), ...(heads && { heads }) };
}

/** The scope of an address: its stack, its layer, and its head if it is of one. */
export function scopeOf({ stack, layer, head }: At): Scope {
  return { stack, layers: [layer], ...(head !== undefined && { heads: [head] }) };
}

export function covers({ stack, layers, heads, sublayers }: EditScope, part: Part): boolean {
  const has = <One>(list: readonly One[] | undefined, one: One | undefined): boolean =>
    list === undefined || one === undefined || list.includes(one);
  return (
    (stack ?? part.stack) === part.stack &&
    has(layers, part.layer) &&
    has(heads, part.head) &&
    has(sublayers, part.sublayer)
  );
}

export function isWithin(inner: EditScope, outer: EditScope): boolean {
  const isPart = (some?: readonly unknown[], all?: readonly unknown[]): boolean =>
    all === undefined || (some?.every((one) => all.includes(one)) ?? false);
  return (
    (outer.stack === undefined || inner.stack === outer.stack) &&
    isPart(inner.layers, outer.layers) &&
    isPart(inner.heads, outer.heads) &&
    isPart(inner.sublayers, outer.sublayers)
  );
}

/**
 * The cells that edits block in one head; if the mask is known, those that no later edit opens
 * again.
 */
export function blockedCells(edits: EditLists, head: HeadRef, mask: Tensor | null = null): Cell[] {
  const listed = edits.masks
    .filter((edit) => covers(edit, head))
    .flatMap((edit) => (edit.block ?? []).map(([query, key]) => ({ query, key })));
  const mayOpen = edits.masks.some(({ preset, allow }) => preset ?? allow);
  if (!mayOpen || mask === null) return listed;
  const { data, shape } = mask;
  return listed.filter(({ query, key }) => isForbidden(data[query * (shape[1] ?? 0) + key] ?? 0));
}

export function isAblated(edits: EditLists, head: HeadRef): boolean {
  return edits.heads.some((edit) => edit.gate === 0 && covers(edit, head));
}

export function headsOf({ stack, layers, heads }: Scope, sizes: StackSizes): HeadRef[] {
  return STACKS.filter((name) => (stack ?? name) === name).flatMap((name) => {
    const size = sizes[name] ?? { layers: 0, heads: 0 };
    return (layers ?? [...Array(size.layers).keys()]).flatMap((layer) =>
      (heads ?? [...Array(size.heads).keys()]).map((head) => ({ stack: name, layer, head })),
    );
  });
}

export function nameOfHead({ stack, layer, head }: HeadRef): string {
  return `${stack} ${layer} ${head}`;
}

/** The scope of an edit, relative to a head. */
export const REACHES = ["head", "layer", "stack", "everywhere"] as const;
export type Reach = (typeof REACHES)[number];

export function scopeAt(reach: Reach, { stack, layer, head }: HeadRef): Scope {
  if (reach === "everywhere") return {};
  if (reach === "stack") return { stack };
  return reach === "layer" ? { stack, layers: [layer] } : { stack, layers: [layer], heads: [head] };
}

/** The range of a number of an edit, and its default; whole numbers unless `fraction` is set. */
export interface NumberRange {
  least: number;
  most: number;
  usual: number;
  fraction?: boolean;
}

/** A number within its range: the default if missing, the nearer end if out of range. */
export function within(value: number | undefined, range: NumberRange): number {
  const { least, most, usual, fraction } = range;
  if (value === undefined || !Number.isFinite(value)) return usual;
  return Math.min(most, Math.max(least, fraction ? value : Math.round(value)));
}
