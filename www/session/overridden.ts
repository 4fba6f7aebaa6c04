/** Whether an edit has no effect because a later one overrules it. */
import { type AttentionEdit, type HeadEdit, type MaskEdit, VARIANT_PARTS } from "../data/index.js";
import { equals } from "../data/equal.js";
import { type EditLists, type EditRef, type EditScope, isWithin, STACKS } from "../state/edits.js";

/**
 * Whether a single other active edit cancels an edit; several that do so together are not found.
 */
export function isOverridden(
  edits: EditLists,
  { list, index }: EditRef,
  isActive: (ref: EditRef) => boolean,
): boolean {
  if (list === "patches") {
    const later = edits.patches.slice(index + 1);
    const own = edits.patches[index];
    return later.some((other, ahead) => {
      const isSame = own && equals([other.at, other.to], [own.at, own.to]);
      return isSame && isActive({ list, index: index + 1 + ahead });
    });
  }
  const all: readonly EditScope[] = edits[list];
  const edit = all[index];
  return all.some(
    (other, at) =>
      edit !== undefined &&
      at !== index &&
      isWithin(edit, other) &&
      undoes(list, edit, other, at > index) &&
      isActive({ list, index: at }),
  );
}

/** Whether one edit cancels another wherever both apply: a later one, or a gate of 0. */
function undoes(
  list: keyof EditLists,
  edit: EditScope,
  other: EditScope,
  isLater: boolean,
): boolean {
  if (list === "heads") return replacesHead(edit, other, isLater);
  if (!isLater || (list === "attention" && !isPossible(other, edit.stack))) return false;
  if (list === "masks") return replacesMask(edit, other);
  const scope = ["stack", "layers", "heads", "sublayers", "parameters"];
  const own = Object.keys(edit).filter((field) => !scope.includes(field));
  return own.length > 0 && own.every((field) => field in other);
}

function isPossible({ kind = "softmax" }: AttentionEdit, stack: EditScope["stack"]): boolean {
  const { stacks } = VARIANT_PARTS[kind];
  return stack ? stacks.includes(stack) : stacks.length === STACKS.length;
}

/**
 * Whether a head edit cancels another: gates multiply, so only 0 cancels them; the last pattern
 * that gives every row counts.
 */
function replacesHead({ gate, pattern }: HeadEdit, other: HeadEdit, isLater: boolean): boolean {
  if (gate === undefined && pattern === undefined) return false;
  const isGone = gate === undefined || (gate !== 0 && other.gate === 0);
  return isGone && (pattern === undefined || (isLater && typeof other.pattern === "string"));
}

/**
 * Whether a mask edit cancels another: a rule that replaces all before it, or the same cells the
 * other way round.
 */
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
