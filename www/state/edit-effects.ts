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
import { covers, isWithin, type EditRef } from "./edits.js";
import { isRelative } from "./position-edits.js";
import { STACKS, type EditLists } from "./state.js";

/** Whether a run has any part of an edit. */
export function isActive(misfit: EditMisfit | undefined): boolean {
  return !misfit || !["otherModel", "inactive", "impossible"].includes(misfit.says);
}

/** Whether one edit takes the effect of another wherever that holds: by a later one, or by a factor of 0. */
const UNDOES: {
  readonly [List in keyof EditLists]: (
    edit: EditLists[List][number],
    other: EditLists[List][number],
    isLater: boolean,
  ) => boolean;
} = {
  masks: (edit, other, isLater) => isLater && replacesMask(edit, other),
  heads: replacesHead,
  blocks: (edit, other, isLater) =>
    isLater &&
    (other.sublayers === undefined ||
      (edit.sublayers?.every((one) => other.sublayers?.includes(one)) ?? false)) &&
    saysAll(edit, other, ["residual", "norm"]),
  attention: (edit, other, isLater) =>
    isLater &&
    canHave(other, edit) &&
    saysAll(edit, other, ["kind", "scale", "temperature", "dropout"]),
  positions: (edit, other, isLater) => isLater && saysAll(edit, other, ["scheme", "order"]),
};

/**
 * Whether an edit does nothing because one other active edit undoes all of it; of several that do so together nothing is
 * said.
 */
export function isOverridden(
  edits: EditLists,
  { list, index }: EditRef,
  isActive: (ref: EditRef) => boolean,
): boolean {
  const all: readonly Scope[] = edits[list];
  const undoes = UNDOES[list] as (edit: Scope, other: Scope, isLater: boolean) => boolean;
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

/** Whether the other one's kind is possible wherever this one holds. */
function canHave({ kind }: AttentionEdit, { stack }: AttentionEdit): boolean {
  const { stacks } = KIND_PARTS[kind ?? "softmax"];
  return stack ? stacks.includes(stack) : stacks.length === STACKS.length;
}

/** Whether the other one says something of all that this one says. */
function saysAll<Edit>(edit: Edit, other: Edit, says: readonly (keyof Edit)[]): boolean {
  const said = says.filter((what) => edit[what] !== undefined);
  return said.length > 0 && said.every((what) => other[what] !== undefined);
}

/** Factors multiply, so that none but 0 takes the others' place; of patterns the last that gives every row counts. */
function replacesHead({ gate, pattern }: HeadEdit, other: HeadEdit, isLater: boolean): boolean {
  if (gate === undefined && pattern === undefined) return false;
  const isGone = gate === undefined || (gate !== 0 && other.gate === 0);
  return isGone && (pattern === undefined || (isLater && typeof other.pattern === "string"));
}

/** A rule that stands instead of all before it, or the very cells the other way round. */
function replacesMask(edit: MaskEdit, other: MaskEdit): boolean {
  if (edit.fill !== undefined) return false;
  if (other.preset) return other.mode === "replace";
  if (edit.preset) return false;
  const takesBack = (
    cells: readonly [number, number][] = [],
    back: readonly [number, number][] = [],
  ): boolean => {
    const named = new Set(back.map(String));
    return cells.every((cell) => named.has(String(cell)));
  };
  const hasCells = (edit.block?.length ?? 0) + (edit.allow?.length ?? 0) > 0;
  return hasCells && takesBack(edit.block, other.allow) && takesBack(edit.allow, other.block);
}

/** Kinds whose raw numbers are no products of queries and keys. */
const OTHER_RAW = new Set<string | undefined>(["cosine", "additive", "linear", "performer"]);
/** Kinds whose weights are no softmax over single keys, or one that was changed after it was taken. */
const OTHER_WEIGHTS = new Set<string | undefined>(["linear", "performer", "linformer", "low-rank"]);

/** The stages of a head that may not be what softmax(q · k ÷ √d − ∞ where masked) says, for an edit is about them; more than are is no harm. */
export function unusualStages(
  { attention, heads, masks, positions }: EditLists,
  head: HeadRef,
): readonly Stage[] {
  const kinds = attention.filter((edit) => covers(edit, head));
  const raw = kinds.some(({ kind }) => OTHER_RAW.has(kind));
  const unusual: Readonly<Record<Stage, boolean>> = {
    raw,
    scores:
      raw ||
      kinds.some(
        ({ kind, scale, temperature }) =>
          kind === "linformer" || scale !== undefined || temperature !== undefined,
      ) ||
      positions.some((edit) => isRelative(edit) && (edit.stack ?? head.stack) === head.stack),
    masked: masks.some(
      (edit) => edit.fill !== undefined && edit.fill !== "-inf" && covers(edit, head),
    ),
    weights:
      kinds.some(({ kind, dropout }) => OTHER_WEIGHTS.has(kind) || dropout !== undefined) ||
      heads.some((edit) => edit.pattern !== undefined && covers(edit, head)),
  };
  return (["raw", "scores", "masked", "weights"] as const).filter((stage) => unusual[stage]);
}
