import type { BlockRef } from "../../data/index.js";
import type { Chip } from "../../elements/chips/element.js";
import { loadSentences } from "../../i18n/index.js";
import { hasEdits, type EditLists, type Limits } from "../../state/index.js";
import type { AxisTokens } from "../edit-labels.js";
import { Later } from "../../ui/lazy.js";

/** What says of an edit what it does: a page without edits does without. */
export const EDIT_LABELS = new Later(async () => {
  const [labels] = await Promise.all([import("../edit-labels.js"), loadSentences("rules")]);
  return labels;
});

const NONE: Chip[] = [];

/** A chip for every edit, once their words are here. */
export function chipsOf(
  edits: EditLists,
  limits: Limits,
  tokens: AxisTokens,
  onCpu: readonly BlockRef[],
): Chip[] {
  return hasEdits(edits)
    ? (EDIT_LABELS.want()?.editChips(edits, limits, tokens, onCpu) ?? NONE)
    : NONE;
}
