import {
  type AttentionEdit,
  type EditMisfit,
  type HeadEdit,
  type HeadRef,
  KIND_PARTS,
  type MaskEdit,
  type Scope,
  type Stage,
} from "../data/index.js";
import { covers, type EditLists, type EditRef, isWithin, STACKS } from "./edits.js";
import { isRelative } from "./position-edits.js";

/** Whether a run has any part of an edit. */
export function isActive(misfit: EditMisfit | undefined): boolean {
  return !misfit || !["otherModel", "inactive", "impossible"].includes(misfit.says);
}

type Undoes<Edit> = (edit: Edit, other: Edit, isLater: boolean) => boolean;

/** Whether one edit undoes another wherever that holds: a later one, or a gate of 0. */
const UNDOES: { readonly [List in keyof EditLists]: Undoes<EditLists[List][number]> } = {
  masks: (edit, other, isLater) => isLater && replacesMask(edit, other),
  heads: replacesHead,
  blocks: (edit, other, isLater) =>
    isLater &&
    (other.sublayers === undefined ||
      (edit.sublayers?.every((one) => other.sublayers?.includes(one)) ?? false)) &&
    saysAll(edit, other, ["residual", "norm"]),
  attention: (edit, other, isLater) =>
    isLater &&
    isPossible(other, edit.stack) &&
    saysAll(edit, other, ["kind", "scale", "temperature", "dropout"]),
  positions: (edit, other, isLater) => isLater && saysAll(edit, other, ["scheme", "order"]),
};

/** Whether one other active edit undoes all of an edit; several that do so together are not found. */
export function isOverridden(
  edits: EditLists,
  { list, index }: EditRef,
  isActive: (ref: EditRef) => boolean,
): boolean {
  const all: readonly Scope[] = edits[list];
  const undoes = UNDOES[list] as Undoes<Scope>;
  const edit = all[index];
  return all.some(
    (other, at) =>
      edit !== undefined &&
      at !== index &&
      isWithin(edit, other) &&
      undoes(edit, other, at > index) &&
      isActive({ list, index: at }),
  );
}

/** Whether an edit's variant is possible in a stack, or in all. */
function isPossible({ kind = "softmax" }: AttentionEdit, stack: AttentionEdit["stack"]): boolean {
  const { stacks } = KIND_PARTS[kind];
  return stack ? stacks.includes(stack) : stacks.length === STACKS.length;
}

/** Whether the other edit has every field of these that this one has. */
function saysAll<Edit>(edit: Edit, other: Edit, fields: readonly (keyof Edit)[]): boolean {
  const own = fields.filter((field) => edit[field] !== undefined);
  return own.length > 0 && own.every((field) => other[field] !== undefined);
}

/** Gates multiply, so that none but 0 replaces the others; of patterns the last that gives every row counts. */
function replacesHead({ gate, pattern }: HeadEdit, other: HeadEdit, isLater: boolean): boolean {
  if (gate === undefined && pattern === undefined) return false;
  const isGone = gate === undefined || (gate !== 0 && other.gate === 0);
  return isGone && (pattern === undefined || (isLater && typeof other.pattern === "string"));
}

/** A rule that replaces all before it, or the very cells the other way round. */
function replacesMask(edit: MaskEdit, other: MaskEdit): boolean {
  if (edit.fill !== undefined) return false;
  if (other.preset) return other.mode === "replace";
  if (edit.preset) return false;
  const has = (back: readonly unknown[] = [], cells: readonly unknown[] = []): boolean => {
    const named = new Set(back.map(String));
    return cells.every((cell) => named.has(String(cell)));
  };
  const hasCells = (edit.block?.length ?? 0) + (edit.allow?.length ?? 0) > 0;
  return hasCells && has(other.allow, edit.block) && has(other.block, edit.allow);
}

type Kinds = ReadonlySet<AttentionEdit["kind"]>;
/** Variants whose raw numbers are no products of queries and keys. */
const OTHER_RAW: Kinds = new Set(["cosine", "additive", "linear", "performer"] as const);
/** Variants whose weights are no softmax over single keys, or are changed after it. */
const OTHER_WEIGHTS: Kinds = new Set(["linear", "performer", "linformer", "low-rank"] as const);

/** The stages of a head that edits may make other than softmax(q · k ÷ √d − ∞ where masked). */
export function unusualStages(
  { attention, heads, masks, positions }: EditLists,
  head: HeadRef,
): readonly Stage[] {
  const own = attention.filter((edit) => covers(edit, head));
  const raw = own.some(({ kind }) => OTHER_RAW.has(kind));
  const unusual: Readonly<Record<Stage, boolean>> = {
    raw,
    scores:
      raw ||
      own.some(
        ({ kind, scale, temperature }) =>
          kind === "linformer" || (scale ?? temperature) !== undefined,
      ) ||
      positions.some((edit) => isRelative(edit) && (edit.stack ?? head.stack) === head.stack),
    masked: masks.some((edit) => (edit.fill ?? "-inf") !== "-inf" && covers(edit, head)),
    weights:
      own.some(({ kind, dropout }) => OTHER_WEIGHTS.has(kind) || dropout !== undefined) ||
      heads.some((edit) => edit.pattern && covers(edit, head)),
  };
  return (["raw", "scores", "masked", "weights"] as const).filter((stage) => unusual[stage]);
}
