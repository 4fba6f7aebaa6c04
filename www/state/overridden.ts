import type {
  AttentionEdit,
  BlockEdit,
  HeadEdit,
  MaskEdit,
  PositionEdit,
  Scope,
  Sublayer,
} from "../data/index.js";
import type { EditRef } from "./edits.js";
import { KIND_PARTS } from "./kind-rules.js";
import type { EditLists } from "./state.js";

/*
 * Edits apply in the order written: what one says, another may take back. Said of an edit is whether one other undoes all of
 * it, wherever it holds; of several that do so together nothing is said.
 */

/** Whether an edit does nothing because another active one contradicts it: a later one, or of factors any that is 0. */
export function isOverridden(
  edits: EditLists,
  { list, index }: EditRef,
  isActive: (ref: EditRef) => boolean,
): boolean {
  const by = <Edit>(
    all: readonly Edit[],
    undoes: (edit: Edit, other: Edit, isLater: boolean) => boolean,
  ): boolean => {
    const edit = all[index];
    return (
      edit !== undefined &&
      all.some(
        (other, at) =>
          at !== index && undoes(edit, other, at > index) && isActive({ list, index: at }),
      )
    );
  };
  switch (list) {
    case "masks":
      return by(
        edits.masks,
        (edit, other, isLater) => isLater && includes(other, edit) && replacesMask(edit, other),
      );
    case "heads":
      return by(
        edits.heads,
        (edit, other, isLater) => includes(other, edit) && replacesHead(edit, other, isLater),
      );
    case "blocks":
      return by(
        edits.blocks,
        (edit, other, isLater) =>
          isLater &&
          includes(other, edit) &&
          hasSublayersOf(other, edit) &&
          saysAll(edit, other, ["residual", "norm"]),
      );
    case "attention":
      return by(
        edits.attention,
        (edit, other, isLater) =>
          isLater &&
          includes(other, edit) &&
          canHave(other, edit) &&
          saysAll(edit, other, KIND_SAYS),
      );
    case "positions":
      return by(
        edits.positions,
        (edit, other, isLater) =>
          isLater && includes(other, edit) && saysAll(edit, other, PLACE_SAYS),
      );
  }
}

const KIND_SAYS = [
  "kind",
  "scale",
  "temperature",
  "dropout",
] as const satisfies readonly (keyof AttentionEdit)[];
const PLACE_SAYS = ["scheme", "order"] as const satisfies readonly (keyof PositionEdit)[];

/** Whether the other one holds wherever this one does. */
function includes(other: Scope, edit: Scope): boolean {
  const all = (
    whole: readonly number[] | undefined,
    part: readonly number[] | undefined,
  ): boolean => whole === undefined || (part?.every((one) => whole.includes(one)) ?? false);
  return (
    (other.stack === undefined || other.stack === edit.stack) &&
    all(other.layers, edit.layers) &&
    all(other.heads, edit.heads)
  );
}

function hasSublayersOf({ sublayers: whole }: BlockEdit, { sublayers: part }: BlockEdit): boolean {
  return whole === undefined || (part?.every((one: Sublayer) => whole.includes(one)) ?? false);
}

/** Whether the other one's kind is possible wherever this one holds. */
function canHave({ kind }: AttentionEdit, { stack }: AttentionEdit): boolean {
  const stacks = kind && KIND_PARTS[kind].stacks;
  return !stacks || (stack !== undefined && stacks.includes(stack));
}

/** Whether the other one says something of all that this one says. */
function saysAll<Edit>(edit: Edit, other: Edit, says: readonly (keyof Edit)[]): boolean {
  const said = says.filter((what) => edit[what] !== undefined);
  return said.length > 0 && said.every((what) => other[what] !== undefined);
}

/** Factors multiply, so that none but 0 takes the others' place; of patterns the last that gives every row counts. */
function replacesHead({ gate, pattern }: HeadEdit, other: HeadEdit, isLater: boolean): boolean {
  if (gate === undefined && pattern === undefined) return false;
  const isSilenced = gate === undefined || (gate !== 0 && other.gate === 0);
  return isSilenced && (pattern === undefined || (isLater && typeof other.pattern === "string"));
}

/** A rule that stands instead of all before it, or the very cells the other way round. */
function replacesMask(edit: MaskEdit, other: MaskEdit): boolean {
  if (edit.fill !== undefined) return false;
  if (other.preset) return other.mode === "replace";
  if (edit.preset) return false;
  const takesBack = (
    cells: readonly [number, number][] | undefined,
    back: readonly [number, number][] | undefined,
  ): boolean => {
    if (!cells || cells.length === 0) return true;
    const named = new Set(back?.map(String));
    return cells.every((cell) => named.has(String(cell)));
  };
  const hasCells = (edit.block?.length ?? 0) + (edit.allow?.length ?? 0) > 0;
  return hasCells && takesBack(edit.block, other.allow) && takesBack(edit.allow, other.block);
}
