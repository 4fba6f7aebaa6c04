import type {
  BlockEdit,
  FrozenPattern,
  HeadEdit,
  HeadRef,
  ModelInfo,
  Stack,
  Sublayer,
} from "../data/index.js";
import { covers, headsOf, isSilenced, scopeOf } from "./edits.js";
import { STACKS, type EditLists, type StackSizes } from "./state.js";

/*
 * Heads and sublayers as a person sets them: a head has one factor and one pattern, a sublayer its residual or not and one
 * place for its norm, however many edits say so. Setting one of them takes the heads or the sublayers out of what was said
 * of it before, and says it anew in as few edits as it takes.
 */

/** Patterns that have a name. */
export const NAMED_PATTERNS = [
  "uniform",
  "diagonal",
  "previous",
] as const satisfies readonly FrozenPattern[];

/** What a drawn row adds up to where it is taken from a head's weights; numbers of a drawing are whole. */
export const DRAWN_WHOLE = 1000;

export const SUBLAYERS = [
  "self-attention",
  "cross-attention",
  "feed-forward",
] as const satisfies readonly Sublayer[];
export const NORM_PLACES = ["model", "none", "pre", "post"] as const satisfies readonly NonNullable<
  BlockEdit["norm"]
>[];
export type NormPlace = (typeof NORM_PLACES)[number];

/** A stack that has blocks of its own. */
export type BlockStack = Exclude<Stack, "cross">;

/** A sublayer of a block. */
export interface Joint {
  stack: BlockStack;
  layer: number;
  sublayer: Sublayer;
}

/** The factor on what a head says. */
export function gateOf(edits: EditLists, head: HeadRef): number {
  return edits.heads.reduce(
    (product, edit) => (covers(edit, head) ? product * (edit.gate ?? 1) : product),
    1,
  );
}

/** What stands in the place of a head's weights; null where they are computed. */
export function patternOf(edits: EditLists, head: HeadRef): FrozenPattern | null {
  return (
    edits.heads.findLast((edit) => edit.pattern !== undefined && covers(edit, head))?.pattern ??
    null
  );
}

/** With this factor on some heads. */
export function withGate(
  edits: EditLists,
  heads: readonly HeadRef[],
  gate: number,
  sizes: StackSizes,
): EditLists {
  const change = gate === 1 ? {} : { gate };
  return { ...edits, heads: restated(edits.heads, "gate", heads, change, headsIn(sizes)) };
}

/** With this pattern in place of the weights of some heads, or with null their own. */
export function withPattern(
  edits: EditLists,
  heads: readonly HeadRef[],
  pattern: FrozenPattern | null,
  sizes: StackSizes,
): EditLists {
  const change = pattern === null ? {} : { pattern };
  return { ...edits, heads: restated(edits.heads, "pattern", heads, change, headsIn(sizes)) };
}

/** Silences a head, or wakes it and no other, however many one edit silences. */
export function toggleHead(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  if (isSilenced(edits, head)) return woken(edits, [head], sizes);
  return { ...edits, heads: [...edits.heads, { ...scopeOf(head), gate: 0 }] };
}

/** Silences all other heads of a head's layer, in one edit; where they are silent already, lets them speak again. */
export function toggleSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): EditLists {
  const layer = layerOf(head, sizes);
  const others = layer.map((one) => one.head).filter((one) => one !== head.head);
  if (others.length === 0) return edits;
  // Another solo of the layer, or a silence of this head, would leave none to be heard.
  const rest = woken(edits, layer, sizes);
  if (isSolo(edits, head, sizes)) return rest;
  return {
    ...rest,
    heads: [...rest.heads, { stack: head.stack, layers: [head.layer], heads: others, gate: 0 }],
  };
}

/** Whether a head is the only one of its layer that is heard. */
export function isSolo(edits: EditLists, head: HeadRef, sizes: StackSizes): boolean {
  const layer = layerOf(head, sizes);
  return (
    layer.length > 1 && layer.every((one) => isSilenced(edits, one) === (one.head !== head.head))
  );
}

/** With some heads taken out of the edits that silence them; what else those say stays, for these heads too. */
function woken(edits: EditLists, heads: readonly HeadRef[], sizes: StackSizes): EditLists {
  return {
    ...edits,
    heads: edits.heads.flatMap((edit) =>
      edit.gate === 0 ? without(edit, "gate", heads, headsIn(sizes)) : [edit],
    ),
  };
}

/** All heads of a head's layer. */
function layerOf({ stack, layer }: HeadRef, sizes: StackSizes): HeadRef[] {
  return headsOf({ stack, layers: [layer] }, sizes);
}

/** Weights `[query][key]` as a drawing: whole numbers, each row adding up to about `DRAWN_WHOLE`. */
export function drawingOf({
  data,
  shape,
}: {
  data: Float32Array;
  shape: readonly number[];
}): number[][] {
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
export function sublayersOf(stack: BlockStack, { stacks }: Pick<ModelInfo, "stacks">): Sublayer[] {
  return SUBLAYERS.filter(
    (sublayer) =>
      sublayer !== "cross-attention" || (stack === "decoder" && stacks.cross !== undefined),
  );
}

/** How one is joined to the stream. */
export function joinedAs(
  { blocks }: EditLists,
  joint: Joint,
): { residual: boolean; norm: NormPlace } {
  const about = blocks.filter((edit) => holdsFor(edit, joint));
  return {
    residual: about.findLast(({ residual }) => residual !== undefined)?.residual ?? true,
    norm: about.findLast(({ norm }) => norm !== undefined)?.norm ?? "model",
  };
}

/** With or without what enters some layers' sublayer added to what it gives. */
export function withResidual(
  edits: EditLists,
  joints: readonly Joint[],
  residual: boolean,
  info: Pick<ModelInfo, "stacks">,
): EditLists {
  const change = residual ? {} : { residual };
  return { ...edits, blocks: restated(edits.blocks, "residual", joints, change, jointsIn(info)) };
}

/** With the norm of some layers' sublayer in this place. */
export function withNorm(
  edits: EditLists,
  joints: readonly Joint[],
  norm: NormPlace,
  info: Pick<ModelInfo, "stacks">,
): EditLists {
  const change = norm === "model" ? {} : { norm };
  return { ...edits, blocks: restated(edits.blocks, "norm", joints, change, jointsIn(info)) };
}

/** The heads or the sublayers of a model, and how edits name them. */
interface Parts<Edit, Part> {
  /** Layer by layer of each stack. */
  layers: readonly (readonly Part[])[][];
  holdsFor: (edit: Edit, part: Part) => boolean;
  /** Where an edit holds that is about some parts of some layers, `all` of these and all of those if it says so. */
  scope: (
    parts: readonly Part[],
    layers: number[],
    all: { layers: boolean; parts: boolean },
  ) => Partial<Edit>;
  /** What an edit can say of them. */
  says: readonly (keyof Edit)[];
  nameOf: (part: Part) => string;
}

function headsIn(sizes: StackSizes): Parts<HeadEdit, HeadRef> {
  return {
    layers: STACKS.map((stack) =>
      Array.from({ length: sizes[stack]?.layers ?? 0 }, (_, layer) =>
        headsOf({ stack, layers: [layer] }, sizes),
      ),
    ),
    holdsFor: covers,
    scope: (heads, layers, all) => ({
      ...(heads[0] && { stack: heads[0].stack }),
      ...(!(all.layers && all.parts) && { layers }),
      ...(!all.parts && { heads: heads.map(({ head }) => head) }),
    }),
    says: ["gate", "pattern"],
    nameOf: ({ stack, layer, head }) => `${stack} ${layer} ${head}`,
  };
}

function jointsIn(info: Pick<ModelInfo, "stacks">): Parts<BlockEdit, Joint> {
  return {
    layers: (["encoder", "decoder"] as const).map((stack) =>
      Array.from({ length: info.stacks[stack]?.layers ?? 0 }, (_, layer) =>
        sublayersOf(stack, info).map((sublayer) => ({ stack, layer, sublayer })),
      ),
    ),
    holdsFor,
    scope: (joints, layers, all) => ({
      ...(joints[0] && { stack: joints[0].stack }),
      ...(!all.layers && { layers }),
      ...(!all.parts && { sublayers: joints.map(({ sublayer }) => sublayer) }),
    }),
    says: ["residual", "norm"],
    nameOf: ({ stack, layer, sublayer }) => `${stack} ${layer} ${sublayer}`,
  };
}

function holdsFor({ stack, layers, sublayers }: BlockEdit, joint: Joint): boolean {
  return (
    (stack ?? joint.stack) === joint.stack &&
    (layers?.includes(joint.layer) ?? true) &&
    (sublayers?.includes(joint.sublayer) ?? true)
  );
}

/** Edits with a change of some parts in the place of what was said of it before; an empty change says nothing any more. */
function restated<Edit extends object, Part>(
  edits: readonly Edit[],
  name: keyof Edit,
  parts: readonly Part[],
  change: Partial<Edit>,
  model: Parts<Edit, Part>,
): Edit[] {
  return [
    ...edits.flatMap((edit) => without(edit, name, parts, model)),
    ...saidOf(parts, change, model),
  ];
}

/** An edit that says something no more of some parts: as it is where it has none of them, else in as many edits as it takes. */
function without<Edit extends object, Part>(
  edit: Edit,
  name: keyof Edit,
  parts: readonly Part[],
  model: Parts<Edit, Part>,
): Edit[] {
  if (edit[name] === undefined) return [edit];
  const named = new Set(parts.map(model.nameOf));
  const all = model.layers.flat(2).filter((part) => model.holdsFor(edit, part));
  const gone = all.filter((part) => named.has(model.nameOf(part)));
  if (gone.length === 0) return [edit];
  const saying = (says: readonly (keyof Edit)[]): Partial<Edit> =>
    Object.fromEntries(
      says.flatMap((what) => (edit[what] === undefined ? [] : [[what, edit[what]]])),
    ) as Partial<Edit>;
  const left = all.filter((part) => !named.has(model.nameOf(part)));
  return [
    ...saidOf(left, saying(model.says), model),
    ...saidOf(gone, saying(model.says.filter((what) => what !== name)), model),
  ];
}

/** Edits that say something of exactly these parts: layers with the same ones in one, and nothing named that is all of it. */
function saidOf<Edit, Part>(
  parts: readonly Part[],
  says: Partial<Edit>,
  { layers, scope, nameOf }: Parts<Edit, Part>,
): Edit[] {
  if (Object.keys(says).length === 0) return [];
  const named = new Set(parts.map(nameOf));
  return layers.flatMap((stack) => {
    const groups = new Map<string, { parts: readonly Part[]; layers: number[]; whole: boolean }>();
    for (const [layer, all] of stack.entries()) {
      const places = all.flatMap((part, place) => (named.has(nameOf(part)) ? [place] : []));
      if (places.length === 0) continue;
      const group = groups.get(places.join());
      if (group) group.layers.push(layer);
      else
        groups.set(places.join(), {
          parts: all.filter((_, place) => places.includes(place)),
          layers: [layer],
          whole: places.length === all.length,
        });
    }
    return [...groups.values()].map(
      (group) =>
        ({
          ...scope(group.parts, group.layers, {
            layers: group.layers.length === stack.length,
            parts: group.whole,
          }),
          ...says,
        }) as Edit,
    );
  });
}
