import type {
  BlockEdit,
  FrozenPattern,
  HeadEdit,
  HeadRef,
  ModelInfo,
  Scope,
  Stack,
  Sublayer,
  Tensor,
} from "../data/index.js";
import {
  covers,
  type EditLists,
  headsOf,
  isSilenced,
  scopeOf,
  STACKS,
  type StackSizes,
} from "./edits.js";

/*
 * Edits of heads and sublayers as a user sets them: a head has one gate and one pattern, a sublayer its residual or not
 * and one place for its norm, however many edits say so. Setting one of them removes what earlier edits say of these
 * heads or sublayers, and adds as few edits as possible.
 */

export const NAMED_PATTERNS = [
  "uniform",
  "diagonal",
  "previous",
] as const satisfies readonly FrozenPattern[];

/** The sum of a drawn row that is taken from a head's weights; numbers of a drawing are whole. */
export const DRAWN_WHOLE = 1000;

export const SUBLAYERS = [
  "self-attention",
  "cross-attention",
  "feed-forward",
] as const satisfies readonly Sublayer[];
export type NormPlace = NonNullable<BlockEdit["norm"]>;
export const NORM_PLACES = ["model", "none", "pre", "post"] as const satisfies readonly NormPlace[];

/** A stack that has blocks of its own. */
export type BlockStack = Exclude<Stack, "cross">;

/** A sublayer of a block. */
export interface Joint {
  stack: BlockStack;
  layer: number;
  sublayer: Sublayer;
}

type Infos = Pick<ModelInfo, "stacks">;

/** The factor on a head's output. */
export function gateOf(edits: EditLists, head: HeadRef): number {
  const gates = edits.heads.filter((edit) => covers(edit, head)).map(({ gate = 1 }) => gate);
  return gates.reduce((product, gate) => product * gate, 1);
}

/** The pattern that replaces a head's weights; null where they are computed. */
export function patternOf(edits: EditLists, head: HeadRef): FrozenPattern | null {
  return edits.heads.findLast((edit) => edit.pattern && covers(edit, head))?.pattern ?? null;
}

/** With this gate on some heads. */
export function withGate(
  edits: EditLists,
  heads: readonly HeadRef[],
  gate: number,
  sizes: StackSizes,
): EditLists {
  return withHeads(edits, heads, { gate: gate === 1 ? undefined : gate }, sizes);
}

/** With this pattern in place of the weights of some heads, or with null their own. */
export function withPattern(
  edits: EditLists,
  heads: readonly HeadRef[],
  pattern: FrozenPattern | null,
  sizes: StackSizes,
): EditLists {
  return withHeads(edits, heads, { pattern: pattern ?? undefined }, sizes);
}

/** Silences a head, or wakes it and no other, however many one edit silences. */
export function toggleHead(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  if (isSilenced(edits, head)) return wake(edits, [head], sizes);
  return { ...edits, heads: [...edits.heads, { ...scopeOf(head), gate: 0 }] };
}

/** Silences all other heads of a head's layer, in one edit; where they are silent already, wakes them. */
export function toggleSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  const { stack, layer } = head;
  const all = layerOf(head, sizes);
  const others = all.map((one) => one.head).filter((one) => one !== head.head);
  if (others.length === 0) return edits;
  // Another solo of the layer, or a silence of this head, would leave none.
  const rest = wake(edits, all, sizes);
  if (isSolo(edits, head, sizes)) return rest;
  return { ...rest, heads: [...rest.heads, { stack, layers: [layer], heads: others, gate: 0 }] };
}

/** Whether a head is the only one of its layer that is not silenced. */
export function isSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): boolean {
  const layer = layerOf(head, sizes);
  return (
    layer.length > 1 && layer.every((one) => isSilenced(edits, one) === (one.head !== head.head))
  );
}

/** Takes heads out of the edits that silence them; other parts of those edits stay. */
function wake(edits: EditLists, heads: readonly HeadRef[], sizes: StackSizes): EditLists {
  const parts = headParts(sizes);
  return {
    ...edits,
    heads: edits.heads.flatMap((edit) =>
      edit.gate === 0 ? without(edit, "gate", heads.map(headPart), parts) : [edit],
    ),
  };
}

function layerOf({ stack, layer }: HeadRef, sizes: StackSizes): HeadRef[] {
  return headsOf({ stack, layers: [layer] }, sizes);
}

/** Weights `[query][key]` as a drawing: whole numbers, each row adding up to about `DRAWN_WHOLE`. */
export function drawingOf({ data, shape }: Pick<Tensor, "data" | "shape">): number[][] {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) =>
    Array.from(
      data.subarray(row * columns, (row + 1) * columns),
      (weight) => Math.max(0, Math.round(weight * DRAWN_WHOLE)) || 0,
    ),
  );
}

/** A drawing with another number in one cell, and large enough to have it. */
export function painted(
  drawing: readonly (readonly number[])[],
  { query, key }: { query: number; key: number },
  value: number,
): number[][] {
  const rows = Math.max(drawing.length, query + 1);
  const columns = Math.max(drawing[0]?.length ?? 0, key + 1);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) =>
      row === query && column === key ? value : (drawing[row]?.[column] ?? 0),
    ),
  );
}

/** The sublayers that a stack's blocks have. */
export function sublayersOf(stack: BlockStack, { stacks }: Infos): Sublayer[] {
  const hasCross = stack === "decoder" && stacks.cross !== undefined;
  return SUBLAYERS.filter((sublayer) => hasCross || sublayer !== "cross-attention");
}

/** How a sublayer is connected to the residual stream. */
export function joinedAs(
  { blocks }: EditLists,
  joint: Joint,
): { residual: boolean; norm: NormPlace } {
  const own = blocks.filter((edit) => isOf(edit, jointPart(joint), "sublayers"));
  return {
    residual: own.findLast(({ residual }) => residual !== undefined)?.residual ?? true,
    norm: own.findLast(({ norm }) => norm !== undefined)?.norm ?? "model",
  };
}

/** With or without the input of some sublayers added to their output. */
export function withResidual(
  edits: EditLists,
  joints: readonly Joint[],
  residual: boolean,
  info: Infos,
): EditLists {
  return withJoints(edits, joints, { residual: residual ? undefined : false }, info);
}

/** With the norm of some sublayers in this place. */
export function withNorm(
  edits: EditLists,
  joints: readonly Joint[],
  norm: NormPlace,
  info: Infos,
): EditLists {
  return withJoints(edits, joints, { norm: norm === "model" ? undefined : norm }, info);
}

function withHeads(
  edits: EditLists,
  heads: readonly HeadRef[],
  change: Partial<Record<keyof HeadEdit, unknown>>,
  sizes: StackSizes,
): EditLists {
  return { ...edits, heads: restated(edits.heads, heads.map(headPart), change, headParts(sizes)) };
}

function withJoints(
  edits: EditLists,
  joints: readonly Joint[],
  change: Partial<Record<keyof BlockEdit, unknown>>,
  { stacks }: Infos,
): EditLists {
  const all: Parts = {
    ids: "sublayers",
    stacks: (["encoder", "decoder"] as const).map((stack) =>
      Array.from({ length: stacks[stack]?.layers ?? 0 }, (_, layer) =>
        sublayersOf(stack, { stacks }).map((id) => ({ stack, layer, id })),
      ),
    ),
  };
  return { ...edits, blocks: restated(edits.blocks, joints.map(jointPart), change, all) };
}

/** A head or a sublayer. */
interface Part {
  stack: Stack;
  layer: number;
  id: number | string;
}

/** All heads or sublayers of a model, layer by layer of each stack, and the field in which edits list them. */
interface Parts {
  ids: "heads" | "sublayers";
  stacks: readonly (readonly Part[])[][];
}

type PartEdit = Scope & { sublayers?: readonly string[] };

const headPart = ({ stack, layer, head }: HeadRef): Part => ({ stack, layer, id: head });
const jointPart = ({ stack, layer, sublayer }: Joint): Part => ({ stack, layer, id: sublayer });
const nameOf = ({ stack, layer, id }: Part): string => `${stack} ${layer} ${id}`;

function headParts(sizes: StackSizes): Parts {
  const layers = (stack: Stack): Part[][] =>
    Array.from({ length: sizes[stack]?.layers ?? 0 }, (_, layer) =>
      headsOf({ stack, layers: [layer] }, sizes).map(headPart),
    );
  return { ids: "heads", stacks: STACKS.map(layers) };
}

function isOf(edit: PartEdit, { stack, layer, id }: Part, ids: Parts["ids"]): boolean {
  const own = edit[ids] as readonly (number | string)[] | undefined;
  return (
    (edit.stack ?? stack) === stack &&
    (edit.layers?.includes(layer) ?? true) &&
    (own?.includes(id) ?? true)
  );
}

/** Edits with one field changed for some parts, in place of what they say of it; an undefined field is removed. */
function restated<Edit extends PartEdit>(
  edits: readonly Edit[],
  parts: readonly Part[],
  change: Readonly<Record<string, unknown>>,
  all: Parts,
): Edit[] {
  const [name = ""] = Object.keys(change);
  return [
    ...edits.flatMap((edit) => without(edit, name, parts, all)),
    ...editsAbout<Edit>(parts, change, all),
  ];
}

/** An edit without one field for some parts: as it is where it does not cover them, else as several edits. */
function without<Edit extends PartEdit>(
  edit: Edit,
  name: string,
  parts: readonly Part[],
  all: Parts,
): Edit[] {
  const named = new Set(parts.map(nameOf));
  const own = all.stacks.flat(2).filter((part) => isOf(edit, part, all.ids));
  const [gone, left] = [true, false].map((is) =>
    own.filter((part) => named.has(nameOf(part)) === is),
  );
  const scope = ["stack", "layers", "heads", "sublayers"];
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(edit).filter(([field]) => !scope.includes(field)),
  );
  if (fields[name] === undefined || !gone?.length) return [edit];
  return [
    ...editsAbout<Edit>(left ?? [], fields, all),
    ...editsAbout<Edit>(gone, { ...fields, [name]: undefined }, all),
  ];
}

/** Edits of exactly these parts: one for all layers with the same parts, and no list that would name everything. */
function editsAbout<Edit extends PartEdit>(
  parts: readonly Part[],
  change: Readonly<Record<string, unknown>>,
  { ids, stacks }: Parts,
): Edit[] {
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return [];
  const named = new Set(parts.map(nameOf));
  return stacks.flatMap((stack) => {
    const groups = new Map<string, { own: Part[]; layers: number[]; isWhole: boolean }>();
    for (const [layer, all] of stack.entries()) {
      const own = all.filter((part) => named.has(nameOf(part)));
      const key = own.map(({ id }) => id).join();
      const isWhole = own.length === all.length;
      if (own.length > 0)
        groups.set(key, { own, layers: [...(groups.get(key)?.layers ?? []), layer], isWhole });
    }
    return [...groups.values()].map(({ own, layers, isWhole }) => {
      const isAll = layers.length === stack.length;
      const lists = {
        stack: own[0]?.stack,
        // A list of some heads is read layer by layer, a list of sublayers is not.
        ...(!(isAll && (isWhole || ids === "sublayers")) && { layers }),
        ...(!isWhole && { [ids]: own.map(({ id }) => id) }),
      };
      return { ...lists, ...Object.fromEntries(fields) } as Edit;
    });
  });
}
