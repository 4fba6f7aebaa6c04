import type { HeadRef } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { modelLabel } from "../models.js";
import { isSigned } from "../pairs/difference.js";
import type { ComparedSubject, ExportSubject } from "./subject.js";

/** What a picture of two runs is called: the first run's head; the second's own place stands in its line. */
export function pairTitle({ state, head }: ExportSubject): string {
  const what = message("pairs.exportPicture", { what: message(`stage.${state.stage}`) });
  return message("export.title", { stack: message(`stack.${head.stack}`), layer: head.layer + 1, head: head.head + 1, what });
}

/** Which two runs the picture is about. */
export function pairLines({ state, head, target, editWords }: ExportSubject, { names, paired, reading }: ComparedSubject): string[] {
  const sameModel = state.otherModel === null || state.otherModel === state.model;
  return [
    ...(sameModel ? [message("model.label", { name: modelLabel(state.model) })] : []),
    ...(state.compare === "original" ? [message("export.text", { text: state.text })] : []),
    message("pairs.exportedFirst", { name: names.one }),
    ...writtenLine(target),
    ...(editWords.length === 0 ? [] : [message("export.edits", { edits: editWords.join("; ") })]),
    secondLine(head, paired.other.head, names.other),
    ...(state.compare === "original" ? [] : writtenLine(reading.target)),
    ...(isSigned(paired.shared) ? [message("pairs.signs")] : []),
  ];
}

/** Another model may have no such head; then the second picture is of another one. */
function secondLine(first: HeadRef, { stack, layer, head }: HeadRef, name: string): string {
  if (stack === first.stack && layer === first.layer && head === first.head) return message("pairs.exportedSecond", { name });
  return message("pairs.exportedSecondAt", { name, stack: message(`stack.${stack}`), layer: layer + 1, head: head + 1 });
}

function writtenLine(target: string | null): string[] {
  return target === null ? [] : [message("export.own", { text: target })];
}
