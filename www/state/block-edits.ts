import type { BlockEdit, ModelInfo, Stack, Sublayer } from "../data/index.js";
import type { EditLists } from "./state.js";

/*
 * How sublayers are joined to the stream, as a person sets it: each has its residual or not, and one place for its norm.
 * Setting one of them takes the sublayers out of what was said of it before.
 */

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
  return {
    ...edits,
    blocks: said(edits.blocks, "residual", joints, residual ? null : { residual }, info),
  };
}

/** With the norm of some layers' sublayer in this place. */
export function withNorm(
  edits: EditLists,
  joints: readonly Joint[],
  norm: NormPlace,
  info: Pick<ModelInfo, "stacks">,
): EditLists {
  return {
    ...edits,
    blocks: said(edits.blocks, "norm", joints, norm === "model" ? null : { norm }, info),
  };
}

type Change = Pick<BlockEdit, "residual" | "norm">;

function said(
  edits: readonly BlockEdit[],
  part: keyof Change,
  joints: readonly Joint[],
  change: Change | null,
  info: Pick<ModelInfo, "stacks">,
): BlockEdit[] {
  const kept = edits.flatMap((edit) =>
    edit[part] === undefined ? [edit] : without(edit, part, joints, info),
  );
  return change === null
    ? kept
    : [...kept, ...scopesOf(joints, info).map((scope) => ({ ...scope, ...change }))];
}

/** An edit that says nothing of it any more for some sublayers. */
function without(
  edit: BlockEdit,
  part: keyof Change,
  joints: readonly Joint[],
  info: Pick<ModelInfo, "stacks">,
): BlockEdit[] {
  const { residual, norm } = edit;
  const change = {
    ...(residual !== undefined && { residual }),
    ...(norm !== undefined && { norm }),
  };
  const other =
    part === "norm"
      ? { ...(residual !== undefined && { residual }) }
      : { ...(norm !== undefined && { norm }) };
  const all = jointsOf(info).filter((joint) => holdsFor(edit, joint));
  const gone = all.filter((joint) => joints.some((one) => isSame(one, joint)));
  if (gone.length === 0) return [edit];
  const still = scopesOf(
    all.filter((joint) => !gone.includes(joint)),
    info,
  ).map((scope) => ({ ...scope, ...change }));
  return Object.keys(other).length === 0
    ? still
    : [...still, ...scopesOf(gone, info).map((scope) => ({ ...scope, ...other }))];
}

/** Scopes that together cover exactly these sublayers: layers with the same ones in one. */
function scopesOf(
  joints: readonly Joint[],
  info: Pick<ModelInfo, "stacks">,
): Pick<BlockEdit, "stack" | "layers" | "sublayers">[] {
  return stacksWithBlocks(info).flatMap((stack) => {
    const bySublayers = new Map<string, { layers: number[]; sublayers: Sublayer[] }>();
    const count = info.stacks[stack]?.layers ?? 0;
    for (let layer = 0; layer < count; layer += 1) {
      const sublayers = SUBLAYERS.filter((sublayer) =>
        joints.some((one) => isSame(one, { stack, layer, sublayer })),
      );
      if (sublayers.length === 0) continue;
      const group = bySublayers.get(sublayers.join()) ?? { layers: [], sublayers };
      bySublayers.set(sublayers.join(), { ...group, layers: [...group.layers, layer] });
    }
    return [...bySublayers.values()].map(({ layers, sublayers }) => ({
      stack,
      ...(layers.length < count && { layers }),
      ...(sublayers.length < sublayersOf(stack, info).length && { sublayers }),
    }));
  });
}

function jointsOf(info: Pick<ModelInfo, "stacks">): Joint[] {
  return stacksWithBlocks(info).flatMap((stack) =>
    Array.from({ length: info.stacks[stack]?.layers ?? 0 }, (_, layer) =>
      sublayersOf(stack, info).map((sublayer) => ({ stack, layer, sublayer })),
    ).flat(),
  );
}

/** The stacks of a model that have blocks of their own. */
export function stacksWithBlocks({ stacks }: Pick<ModelInfo, "stacks">): BlockStack[] {
  return (["encoder", "decoder"] as const).filter((stack) => stacks[stack] !== undefined);
}

function holdsFor({ stack, layers, sublayers }: BlockEdit, joint: Joint): boolean {
  return (
    (stack ?? joint.stack) === joint.stack &&
    (layers?.includes(joint.layer) ?? true) &&
    (sublayers?.includes(joint.sublayer) ?? true)
  );
}

function isSame(one: Joint, other: Joint): boolean {
  return one.stack === other.stack && one.layer === other.layer && one.sublayer === other.sublayer;
}
