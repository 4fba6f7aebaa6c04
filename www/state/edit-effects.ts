import * as data from "../data/index.js";
import { covers, type EditLists, scopeOf } from "./edits.js";
import { isRelative } from "./position-edits.js";

/** Whether any part of an edit applies to a run. */
export function isActive(misfit: data.EditMisfit | undefined): boolean {
  return !misfit || !["otherModel", "inactive", "impossible"].includes(misfit.says);
}

/**
 * The stages of a head that edits, or a model with other scores, may compute by another formula
 * than softmax(q · k ÷ √d − ∞ where masked).
 */
export function unusualStages(
  edits: EditLists,
  head: data.HeadRef,
  info?: { usualScores: boolean } | null,
): readonly data.Stage[] {
  const own = edits.attention.filter((edit) => covers(edit, head));
  const parts = own.map(({ kind = "softmax" }) => data.VARIANT_PARTS[kind]);
  const raw = parts.some((variant) => variant.raw === "other");
  const unusual: Readonly<Record<data.Stage, boolean>> = {
    raw,
    scores:
      raw ||
      info?.usualScores === false ||
      parts.some((variant) => variant.weights === "segments") ||
      own.some(({ scale, temperature }) => (scale ?? temperature) !== undefined) ||
      edits.positions.some((edit) => isRelative(edit) && covers(edit, head)),
    masked: edits.masks.some((edit) => (edit.fill ?? "-inf") !== "-inf" && covers(edit, head)),
    weights:
      parts.some((variant) => variant.weights !== "softmax") ||
      own.some(({ dropout }) => dropout !== undefined) ||
      edits.heads.some((edit) => edit.pattern && covers(edit, head)) ||
      edits.patches.some(({ at }) => at.step === "weights" && covers(scopeOf(at), head)),
  };
  return (["raw", "scores", "masked", "weights"] as const).filter((stage) => unusual[stage]);
}
