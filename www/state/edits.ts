import {
  type Cell,
  type Edits,
  type HeadRef,
  isForbidden,
  type Scope,
  type Tensor,
} from "../data/index.js";
import { EDIT_LISTS, NO_EDITS, STACKS, type EditLists, type StackSizes } from "./state.js";

/** Names one edit: which list it is in and where. */
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

/** Edits as the API has them: without lists that are empty. */
export function editsOf(lists: EditLists): Edits {
  const said = EDIT_LISTS.filter((list) => lists[list].length > 0);
  return Object.fromEntries(said.map((list) => [list, lists[list]]));
}

/** Whether anything is edited. */
export function hasEdits(edits: Partial<EditLists>): boolean {
  return countEdits(edits) > 0;
}

export function countEdits(edits: Partial<EditLists>): number {
  return EDIT_LISTS.reduce((sum, list) => sum + (edits[list]?.length ?? 0), 0);
}

/** The scope of one head alone. */
export function scopeOf({ stack, layer, head }: HeadRef): Scope {
  return { stack, layers: [layer], heads: [head] };
}

/** Where an edit holds, without the parts that say nothing. */
export function scopeIn({ stack, layers, heads }: Scope): Scope {
  return { ...(stack && { stack }), ...(layers && { layers }), ...(heads && { heads }) };
}

/** Whether a scope is about a head. */
export function covers(scope: Scope, { stack, layer, head }: HeadRef): boolean {
  return (
    (scope.stack ?? stack) === stack &&
    (scope.layers?.includes(layer) ?? true) &&
    (scope.heads?.includes(head) ?? true)
  );
}

/** Whether all that one scope is about, the other is about as well. */
export function isWithin(inner: Scope, outer: Scope): boolean {
  const part = (some: readonly number[] | undefined, all: readonly number[] | undefined): boolean =>
    all === undefined || (some?.every((one) => all.includes(one)) ?? false);
  return (
    (outer.stack === undefined || inner.stack === outer.stack) &&
    part(inner.layers, outer.layers) &&
    part(inner.heads, outer.heads)
  );
}

/** The edits without one of them. */
export function removeEdit(edits: EditLists, { list, index }: EditRef): EditLists {
  return { ...edits, [list]: edits[list].filter((_, at) => at !== index) };
}

/** The cells that edits block in one head: by its mask, where that is known, those that no later edit opens again. */
export function blockedCells(edits: EditLists, head: HeadRef, mask: Tensor | null = null): Cell[] {
  const listed = edits.masks
    .filter((edit) => covers(edit, head))
    .flatMap((edit) => (edit.block ?? []).map(([query, key]) => ({ query, key })));
  const isOpened = edits.masks.some(
    ({ preset, allow }) => preset !== undefined || allow !== undefined,
  );
  if (!isOpened || mask === null) return listed;
  const { data, shape } = mask;
  return listed.filter(({ query, key }) => isForbidden(data[query * (shape[1] ?? 0) + key] ?? 0));
}

/** Whether edits take everything that a head says. */
export function isSilenced(edits: EditLists, head: HeadRef): boolean {
  return edits.heads.some((edit) => edit.gate === 0 && covers(edit, head));
}

/** Whether edits drop some of a head's weights. */
export function dropsOf(edits: EditLists, head: HeadRef): boolean {
  return edits.attention.some((edit) => edit.dropout !== undefined && covers(edit, head));
}

/** Every head that a scope covers. */
export function headsOf({ stack, layers, heads }: Scope, limits: StackSizes): HeadRef[] {
  const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
  return STACKS.filter((name) => (stack ?? name) === name).flatMap((name) => {
    const size = limits[name];
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

/** Where an edit holds, seen from a head. */
export const REACHES = ["head", "layer", "stack", "everywhere"] as const;
export type Reach = (typeof REACHES)[number];

export function scopeAt(reach: Reach, { stack, layer, head }: HeadRef): Scope {
  if (reach === "everywhere") return {};
  if (reach === "stack") return { stack };
  return reach === "layer" ? { stack, layers: [layer] } : { stack, layers: [layer], heads: [head] };
}

/** How far a scope reaches from a head; null for one that is not about this head alone or what it is part of. */
export function reachOf(found: Scope, head: HeadRef): Reach | null {
  const written = ({ stack, layers, heads }: Scope): string =>
    JSON.stringify([stack, layers, heads]);
  return REACHES.find((reach) => written(scopeAt(reach, head)) === written(found)) ?? null;
}

/** The range of a number of an edit, and what it is at first; whole where it is no fraction. */
export interface NumberRange {
  least: number;
  most: number;
  usual: number;
  fraction?: boolean;
}

/** A number as its range takes it: one that is missing or no number is as at first, one out of range at its end. */
export function within(
  value: number | undefined,
  { least, most, usual, fraction }: NumberRange,
): number {
  if (value === undefined || !Number.isFinite(value)) return usual;
  return Math.min(most, Math.max(least, fraction ? value : Math.round(value)));
}
