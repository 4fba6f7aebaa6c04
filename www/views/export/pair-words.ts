import type { HeadRef } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { modelLabel } from "../models.js";
import { isSigned } from "../pairs/alignment.js";
import type { ComparedSubject, ExportSubject } from "./subject.js";

/** Which two runs a picture is about, and, where their tokens share axes, how they do. */
export function pairLines(
  { state, head, target, editWords }: ExportSubject,
  { names, paired, reading }: ComparedSubject,
  shareAxes: boolean,
): string[] {
  const sameModel = state.otherModel === null || state.otherModel === state.model;
  return [
    ...(sameModel ? [message("model.label", { name: modelLabel(state.model) })] : []),
    ...(state.compare === "original" ? [message("export.text", { text: state.text })] : []),
    message("pairs.exportedFirst", { name: names.one }),
    ...writtenLine(target),
    ...(editWords.length === 0 ? [] : [message("export.edits", { edits: editWords.join("; ") })]),
    secondLine(head, paired.other.head, names.other),
    ...(state.compare === "original" ? [] : writtenLine(reading.target)),
    ...(shareAxes && state.compare === "other" ? [message(`pairs.aligned.${state.aligned}`)] : []),
    ...(shareAxes && isSigned(paired.shared) ? [message("pairs.signs")] : []),
  ];
}

/** Another model may have no such head; then the second picture is of another one. */
function secondLine(first: HeadRef, { stack, layer, head }: HeadRef, name: string): string {
  if (stack === first.stack && layer === first.layer && head === first.head)
    return message("pairs.exportedSecond", { name });
  return message("pairs.exportedSecondAt", {
    name,
    stack: message(`stack.${stack}`),
    layer: layer + 1,
    head: head + 1,
  });
}

function writtenLine(target: string | null): string[] {
  return target === null ? [] : [message("export.own", { text: target })];
}
