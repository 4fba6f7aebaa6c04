import { isForbidden, type Cell, type Edits, type HeadEdit, type HeadRef, type MaskEdit, type MaskPreset, type Scope, type Stack, type Tensor } from "../data/index.js";
import { fitPosition } from "./position-edits.js";
import type { EditLists } from "./state.js";

/** How many layers, heads, queries and keys a stack has; edits beyond them are kept but not sent. */
export type Limits = Partial<Record<Stack, { layers: number; heads: number; queries: number; keys: number }>>;

/** The core refuses gates beyond this, and heads whose gates multiply to more. */
export const LARGEST_GATE = 1000;

/** Names one edit: which list it is in and where. */
export interface EditRef {
  list: keyof EditLists;
  index: number;
}

/** Whether anything is edited. */
export function hasEdits({ masks = [], heads = [], positions = [] }: Partial<EditLists>): boolean {
  return masks.length + heads.length + positions.length > 0;
}

/** The cells that edits block in one head: by its mask, where that is known, those that no later edit opens again. */
export function blockedCells(edits: EditLists, head: HeadRef, mask: Tensor | null = null): Cell[] {
  const opens = ({ preset, allow }: MaskEdit): boolean => preset !== undefined || allow !== undefined;
  const known = edits.masks.some(opens) ? mask : null;
  return listedCells(edits, head).filter((cell) => known === null || forbids(known, cell));
}

function forbids({ data, shape }: Tensor, { query, key }: Cell): boolean {
  return isForbidden(data[query * (shape[1] ?? 0) + key] ?? 0);
}

function listedCells(edits: EditLists, head: HeadRef): Cell[] {
  return edits.masks.filter((edit) => covers(edit, head)).flatMap((edit) => (edit.block ?? []).map(([query, key]) => ({ query, key })));
}

/** Blocks a cell of one head, or allows it again in every edit that blocks it. */
export function toggleCell(edits: EditLists, head: HeadRef, cell: Cell): EditLists {
  return lists(edits.masks, "block", head, cell) ? without(edits, "block", head, cell) : withCell(edits, "block", head, cell);
}

/**
 * Blocks those of some cells of one head that are open; where none is, opens them: a blocked one by taking that back,
 * one that the model or a rule forbids by an edit that allows it. `mask` is the head's under these very edits, or null
 * while that is not known.
 */
export function toggleCells(edits: EditLists, head: HeadRef, cells: readonly Cell[], mask: Tensor | null): EditLists {
  const closed = (cell: Cell): boolean => (mask ? forbids(mask, cell) : lists(edits.masks, "block", head, cell));
  const open = cells.filter((cell) => lists(edits.masks, "allow", head, cell) || !closed(cell));
  return open.length > 0 ? open.reduce((changed, cell) => close(changed, head, cell), edits) : cells.reduce((changed, cell) => reopen(changed, head, cell), edits);
}

function close(edits: EditLists, head: HeadRef, cell: Cell): EditLists {
  return lists(edits.masks, "allow", head, cell) ? without(edits, "allow", head, cell) : withCell(edits, "block", head, cell);
}

function reopen(edits: EditLists, head: HeadRef, cell: Cell): EditLists {
  return lists(edits.masks, "block", head, cell) ? without(edits, "block", head, cell) : withCell(edits, "allow", head, cell);
}

type CellList = "block" | "allow";

const isCell = ({ query, key }: Cell) => ([q, k]: [number, number]): boolean => q === query && k === key;

/** Whether an edit that covers a head has a cell in one of its lists. */
function lists(masks: readonly MaskEdit[], list: CellList, head: HeadRef, cell: Cell): boolean {
  return masks.some((edit) => covers(edit, head) && edit[list]?.some(isCell(cell)));
}

/** Takes a cell out of every edit that has it; an edit that says nothing any more goes. */
function without(edits: EditLists, list: CellList, head: HeadRef, cell: Cell): EditLists {
  const masks = edits.masks.flatMap((edit) => {
    const cells = edit[list];
    if (!covers(edit, head) || !cells?.some(isCell(cell))) return [edit];
    const left = cells.filter((one) => !isCell(cell)(one));
    if (left.length > 0) return [{ ...edit, [list]: left }];
    const { block, allow, ...others } = edit;
    const rest: MaskEdit = { ...others, ...(list === "block" ? allow && { allow } : block && { block }) };
    return rest.preset || rest.fill || rest.block || rest.allow ? [rest] : [];
  });
  return { ...edits, masks };
}

/** Adds a cell to the edit of its head's own cells; to a new one where a rule after that would have the last word. */
function withCell(edits: EditLists, list: CellList, head: HeadRef, { query, key }: Cell): EditLists {
  const { masks } = edits;
  const lastRule = masks.findLastIndex((edit) => edit.preset !== undefined && covers(edit, head));
  const own = masks.findLastIndex((edit) => edit[list] !== undefined && isExactly(edit, head));
  const at = own > lastRule ? own : -1;
  if (at >= 0 && lists([masks[at] ?? {}], list, head, { query, key })) return edits;
  // In the order of the grid, as the address writes them.
  const cells = [...(masks[at]?.[list] ?? []), [query, key] as [number, number]].sort(([q, k], [r, l]) => q - r || k - l);
  const grown: MaskEdit = { ...scopeOf(head), [list]: cells };
  return { ...edits, masks: at < 0 ? [...masks, grown] : masks.with(at, grown) };
}

/** Whether edits take everything that a head says. */
export function isSilenced(edits: EditLists, head: HeadRef): boolean {
  return edits.heads.some((edit) => edit.gate === 0 && covers(edit, head));
}

/** Silences a head, or takes it out of the edits that silence it; one of several layers goes as a whole. */
export function toggleHead(edits: EditLists, head: HeadRef): EditLists {
  const silences = (edit: HeadEdit): boolean => edit.gate === 0 && covers(edit, head);
  if (!edits.heads.some(silences)) return { ...edits, heads: [...edits.heads, { ...scopeOf(head), gate: 0 }] };
  const heads = edits.heads.flatMap((edit) => {
    if (!silences(edit)) return [edit];
    const others = edit.layers?.length === 1 ? (edit.heads ?? []).filter((one) => one !== head.head) : [];
    return others.length > 0 ? [{ ...edit, heads: others }] : [];
  });
  return { ...edits, heads };
}

/** Silences all other heads of a head's layer, in one edit; where they are silent already, lets them speak again. */
export function toggleSolo(edits: EditLists, head: HeadRef, count: number): EditLists {
  const others = Array.from({ length: count }, (_, index) => index).filter((index) => index !== head.head);
  const silencesLayer = (edit: HeadEdit): boolean => edit.gate === 0 && edit.stack === head.stack && edit.layers?.length === 1 && edit.layers[0] === head.layer;
  // Another solo of the layer, or a silence of this head, would leave none to be heard.
  const kept = edits.heads.filter((edit) => !silencesLayer(edit));
  if (isSolo(edits, head, count)) return { ...edits, heads: kept };
  return others.length === 0 ? edits : { ...edits, heads: [...kept, { stack: head.stack, layers: [head.layer], heads: others, gate: 0 }] };
}

/** Whether a head is the only one of its layer that is heard. */
export function isSolo(edits: EditLists, head: HeadRef, count: number): boolean {
  return count > 1 && Array.from({ length: count }, (_, index) => index).every((index) => isSilenced(edits, { ...head, head: index }) === (index !== head.head));
}

/** The edits without one of them. */
export function removeEdit(edits: EditLists, { list, index }: EditRef): EditLists {
  return { ...edits, [list]: edits[list].filter((_, at) => at !== index) };
}

/** The part of the edits that fits a model and the present texts: what a run is given. */
export function fittingEdits(edits: EditLists, limits: Limits): Edits {
  const masks = edits.masks.flatMap((edit) => fitMask(edit, limits) ?? []);
  const heads = fitHeads(edits.heads, limits).filter((edit) => edit !== undefined);
  const positions = edits.positions.flatMap((edit) => fitPosition(edit, limits) ?? []);
  return { ...(masks.length > 0 && { masks }), ...(heads.length > 0 && { heads }), ...(positions.length > 0 && { positions }) };
}

/** Whether any part of one edit fits. */
export function isActive(edits: EditLists, { list, index }: EditRef, limits: Limits): boolean {
  if (list === "heads") return fitHeads(edits.heads, limits)[index] !== undefined;
  if (list === "positions") return edits.positions.slice(index, index + 1).some((edit) => fitPosition(edit, limits) !== undefined);
  const mask = edits.masks[index];
  return mask !== undefined && fitMask(mask, limits) !== undefined;
}

/** Each edit of heads as far as it fits; undefined for one that names no head, or takes a head's gates too far. */
function fitHeads(edits: readonly HeadEdit[], limits: Limits): (HeadEdit | undefined)[] {
  const products = new Map<string, number>();
  return edits.map((edit) => {
    const scoped = fitScope(edit, limits);
    if (!scoped || silencesAllOf(edit, scoped, limits)) return undefined;
    const grown = headsOf(scoped, limits).map((name): [string, number] => [name, (products.get(name) ?? 1) * (edit.gate ?? 1)]);
    if (grown.some(([, product]) => Math.abs(product) > LARGEST_GATE)) return undefined;
    for (const [name, product] of grown) products.set(name, product);
    return scoped;
  });
}

/** Whether of some heads that were silenced only those are left that a smaller model has: all of a layer, which nobody meant. */
function silencesAllOf(edit: HeadEdit, scoped: HeadEdit, limits: Limits): boolean {
  const [named = 0, left = 0] = [edit.heads?.length, scoped.heads?.length];
  return edit.gate === 0 && left < named && stacksOf(edit, limits).some(({ heads }) => heads === left);
}

/** A name for every head that an edit covers. */
function headsOf({ stack, layers, heads }: Scope, limits: Limits): string[] {
  const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
  return Object.entries(limits)
    .filter(([name]) => (stack ?? name) === name)
    .flatMap(([name, size]) =>
      (layers ?? range(size.layers)).flatMap((layer) => (heads ?? range(size.heads)).map((head) => `${name} ${layer} ${head}`)),
    );
}

function fitMask(edit: MaskEdit, limits: Limits): MaskEdit | undefined {
  const scoped = fitScope(edit, limits);
  if (!scoped) return undefined;
  const stacks = stacksOf(edit, limits);
  const { preset } = edit;
  if (preset) return { ...scoped, preset: fitPreset(preset, stacks) };
  if (edit.fill !== undefined) return scoped;
  const fits = ([query, key]: [number, number]): boolean => stacks.every((stack) => query < stack.queries && key < stack.keys);
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
function fitScope<Edit extends Scope>(edit: Edit, limits: Limits): Edit | undefined {
  const stacks = stacksOf(edit, limits);
  if (stacks.length === 0) return undefined;
  const layers = edit.layers?.filter((layer) => stacks.every((stack) => layer < stack.layers));
  const heads = edit.heads?.filter((head) => stacks.every((stack) => head < stack.heads));
  if (layers?.length === 0 || heads?.length === 0) return undefined;
  return { ...edit, ...(layers && { layers }), ...(heads && { heads }) };
}

function stacksOf({ stack }: Scope, limits: Limits): NonNullable<Limits[Stack]>[] {
  const chosen = stack ? [limits[stack]] : Object.values(limits);
  return chosen.filter((limit) => limit !== undefined);
}

function scopeOf({ stack, layer, head }: HeadRef): Scope {
  return { stack, layers: [layer], heads: [head] };
}

function covers(scope: Scope, { stack, layer, head }: HeadRef): boolean {
  return (scope.stack ?? stack) === stack && (scope.layers?.includes(layer) ?? true) && (scope.heads?.includes(head) ?? true);
}

function isExactly(scope: Scope, head: HeadRef): boolean {
  return covers(scope, head) && scope.stack !== undefined && scope.layers?.length === 1 && scope.heads?.length === 1;
}
