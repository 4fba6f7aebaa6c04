import {
  type AttentionEdit,
  type BlockEdit,
  type Cell,
  type Edits,
  type FrozenPattern,
  type HeadEdit,
  type HeadRef,
  isForbidden,
  LARGEST_GATE,
  LONGEST_DECOMPOSED,
  type MaskEdit,
  type MaskPreset,
  type Scope,
  type Stack,
  type Tensor,
} from "../data/index.js";
import { covers } from "./scopes.js";
import { KIND_PARTS, toldKind } from "./kind-rules.js";
import type { Limits, StackSizes } from "./limits.js";
import { fitPosition, isRelative, placementOf } from "./position-edits.js";
import { EDIT_LISTS, NO_EDITS, STACKS, type EditLists } from "./state.js";

/** Names one edit: which list it is in and where. */
export interface EditRef {
  list: keyof EditLists;
  index: number;
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

/** The cells that edits block in one head: by its mask, where that is known, those that no later edit opens again. */
export function blockedCells(edits: EditLists, head: HeadRef, mask: Tensor | null = null): Cell[] {
  const opens = ({ preset, allow }: MaskEdit): boolean =>
    preset !== undefined || allow !== undefined;
  const known = edits.masks.some(opens) ? mask : null;
  return listedCells(edits, head).filter((cell) => known === null || forbids(known, cell));
}

function forbids({ data, shape }: Tensor, { query, key }: Cell): boolean {
  return isForbidden(data[query * (shape[1] ?? 0) + key] ?? 0);
}

function listedCells(edits: EditLists, head: HeadRef): Cell[] {
  return edits.masks
    .filter((edit) => covers(edit, head))
    .flatMap((edit) => (edit.block ?? []).map(([query, key]) => ({ query, key })));
}

/** Whether edits take everything that a head says. */
export function isSilenced(edits: EditLists, head: HeadRef): boolean {
  return edits.heads.some((edit) => edit.gate === 0 && covers(edit, head));
}

/** Whether edits drop some of a head's weights. */
export function dropsOf(edits: EditLists, head: HeadRef): boolean {
  return edits.attention.some((edit) => edit.dropout !== undefined && covers(edit, head));
}

/** The edits without one of them. */
export function removeEdit(edits: EditLists, { list, index }: EditRef): EditLists {
  return { ...edits, [list]: edits[list].filter((_, at) => at !== index) };
}

/** The part of the edits that fits a model and the present texts: what a run is given. */
export function fittingEdits(edits: EditLists, limits: Limits): Edits {
  return editsOf({
    masks: edits.masks.flatMap((edit) => fitMask(edit, limits) ?? []),
    heads: fitHeads(edits.heads, limits).filter((edit) => edit !== undefined),
    blocks: edits.blocks.flatMap((edit) => fitBlock(edit, limits) ?? []),
    attention: edits.attention.flatMap((edit) => fitKind(edit, edits, limits)),
    positions: edits.positions.flatMap((edit) => fitPosition(edit, limits) ?? []),
  });
}

/** Says of each edit whether any part of it fits. Edits of heads are looked at once for all, since their factors multiply. */
export function activeIn(edits: EditLists, limits: Limits): (ref: EditRef) => boolean {
  const heads = fitHeads(edits.heads, limits);
  return ({ list, index }) => {
    if (list === "heads") return heads[index] !== undefined;
    const block = list === "blocks" ? edits.blocks[index] : undefined;
    if (block) return fitBlock(block, limits) !== undefined;
    const kind = list === "attention" ? edits.attention[index] : undefined;
    if (kind) return fitKind(kind, edits, limits).length > 0;
    if (list === "positions")
      return edits.positions
        .slice(index, index + 1)
        .some((edit) => fitPosition(edit, limits) !== undefined);
    const mask = edits.masks[index];
    return list === "masks" && mask !== undefined && fitMask(mask, limits) !== undefined;
  };
}

/** Each edit of heads as far as it fits; undefined for one that names no head, or takes a head's gates too far. */
function fitHeads(edits: readonly HeadEdit[], limits: Limits): (HeadEdit | undefined)[] {
  const products = new Map<string, number>();
  return edits.map((edit) => {
    const scoped = fitScope(edit, limits);
    if (!scoped || silencesAllOf(edit, scoped, limits)) return undefined;
    const grown = headsOf(scoped, limits)
      .map(nameOfHead)
      .map((name): [string, number] => [name, (products.get(name) ?? 1) * (edit.gate ?? 1)]);
    if (grown.some(([, product]) => Math.abs(product) > LARGEST_GATE)) return undefined;
    for (const [name, product] of grown) products.set(name, product);
    return scoped.pattern === undefined
      ? scoped
      : fitPattern(scoped, scoped.pattern, stacksOf(edit, limits));
  });
}

/** Without the rows and columns of a drawn pattern that the text does not have. */
function fitPattern(
  edit: HeadEdit,
  pattern: FrozenPattern,
  stacks: readonly NonNullable<Limits[Stack]>[],
): HeadEdit | undefined {
  if (typeof pattern === "string") return edit;
  const [queries, keys] = [
    Math.min(...stacks.map((stack) => stack.queries)),
    Math.min(...stacks.map((stack) => stack.keys)),
  ];
  const left = pattern.slice(0, queries).map((row) => row.slice(0, keys));
  return left.length > 0 ? { ...edit, pattern: left } : undefined;
}

/** A block's edit with the layers and sublayers that exist; cross-attention belongs to the decoder of a translator. */
function fitBlock(edit: BlockEdit, limits: Limits): BlockEdit | undefined {
  const { cross, ...stacks } = limits;
  const scoped = fitScope(edit, stacks);
  if (!scoped) return undefined;
  const hasCross = cross !== undefined && edit.stack !== "encoder";
  const sublayers = edit.sublayers?.filter(
    (sublayer) => sublayer !== "cross-attention" || hasCross,
  );
  return sublayers?.length === 0 ? undefined : { ...scoped, ...(sublayers && { sublayers }) };
}

/**
 * A kind of attention in the stacks where it makes sense, with the layers and heads that exist. Positions that join the
 * scores leave no place for a kind that never holds them.
 */
function fitKind(edit: AttentionEdit, edits: EditLists, limits: Limits): AttentionEdit[] {
  const { holdsScores } = KIND_PARTS[edit.kind ?? "softmax"];
  const isShort = ({ queries, keys }: { queries: number; keys: number }): boolean =>
    edit.kind !== "low-rank" || Math.min(queries, keys) <= LONGEST_DECOMPOSED;
  const joined = (stack: Stack): boolean =>
    stack !== "cross" && isRelative(placementOf(edits, stack));
  const fits = (stack: Stack): boolean => limits[stack] !== undefined && isShort(limits[stack]);
  const among = STACKS.filter(
    (stack) => limits[stack] !== undefined && (edit.stack ?? stack) === stack,
  );
  const left = among.filter((stack) => holdsScores || !joined(stack));
  const placed = left.length === among.length ? [edit] : left.map((stack) => ({ ...edit, stack }));
  return placed.flatMap((one) => toldKind(one, fits)).flatMap((one) => fitScope(one, limits) ?? []);
}

/** Whether of some heads that were silenced only those are left that a smaller model has: all of a layer, which nobody meant. */
function silencesAllOf(edit: HeadEdit, scoped: HeadEdit, limits: Limits): boolean {
  const [named = 0, left = 0] = [edit.heads?.length, scoped.heads?.length];
  return (
    edit.gate === 0 && left < named && stacksOf(edit, limits).some(({ heads }) => heads === left)
  );
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

function fitMask(edit: MaskEdit, limits: Limits): MaskEdit | undefined {
  const scoped = fitScope(edit, limits);
  if (!scoped) return undefined;
  const stacks = stacksOf(edit, limits);
  const { preset } = edit;
  if (preset) return { ...scoped, preset: fitPreset(preset, stacks) };
  if (edit.fill !== undefined) return scoped;
  const fits = ([query, key]: [number, number]): boolean =>
    stacks.every((stack) => query < stack.queries && key < stack.keys);
  const block = edit.block?.filter(fits) ?? [];
  const allow = edit.allow?.filter(fits) ?? [];
  if (block.length + allow.length === 0) return undefined;
  return { ...scoped, ...(block.length > 0 && { block }), ...(allow.length > 0 && { allow }) };
}

/** Without the global tokens that a text does not have. In cross-attention a token may be a query or a key. */
function fitPreset(preset: MaskPreset, stacks: readonly NonNullable<Limits[Stack]>[]): MaskPreset {
  if (!("tokens" in preset)) return preset;
  const end = Math.min(...stacks.map(({ queries, keys }) => Math.max(queries, keys)));
  return { ...preset, tokens: preset.tokens.filter((token) => token < end) };
}

/** The edit with the layers and heads that exist; undefined when none of those it names does. */
function fitScope<Edit extends Scope | BlockEdit>(edit: Edit, limits: Limits): Edit | undefined {
  const stacks = stacksOf(edit, limits);
  if (stacks.length === 0) return undefined;
  const layers = edit.layers?.filter((layer) => stacks.every((stack) => layer < stack.layers));
  const heads =
    "heads" in edit
      ? edit.heads.filter((head) => stacks.every((stack) => head < stack.heads))
      : undefined;
  if (layers?.length === 0 || heads?.length === 0) return undefined;
  return { ...edit, ...(layers && { layers }), ...(heads && { heads }) };
}

function stacksOf({ stack }: Pick<Scope, "stack">, limits: Limits): NonNullable<Limits[Stack]>[] {
  const chosen = stack ? [limits[stack]] : Object.values(limits);
  return chosen.filter((limit) => limit !== undefined);
}
