import type { PatchEdit } from "../data/index.js";
import { message } from "../i18n/index.js";
import { equals } from "../data/equal.js";
import { nameOfHead } from "../state/index.js";
import type { PairedHead } from "./alignment.js";
import type { Pairs } from "./pairs.js";
import { isOfHeads } from "./second-run.js";
import type { Session } from "./session.js";

/** What a patch of a head replaces: its output, its pattern alone, or its values alone. */
const PATCHED = ["context", "weights", "value"] as const;
type Patched = (typeof PATCHED)[number];

/** The patches that a comparison of two texts can make, or the reason why there are none yet. */
export type PatchOffer = { patches: { step: Patched; patch: PatchEdit }[] } | { reason: string };

/**
 * The patches that put the head's output, pattern or values of the other text into the run of the
 * first, without those that are there; null where the comparison is not of one head in two texts,
 * or where its output is there.
 */
export function patchOffer(
  { state, computation: { run }, info }: Pick<Session, "state" | "computation" | "info">,
  { text, other, sameModel, stale }: Pairs,
  { one, other: second }: PairedHead,
): PatchOffer | null {
  const { compare, edits, target } = state;
  const isOfTexts = compare === "other" && sameModel && !isOfHeads(state) && text !== state.text;
  const isOneHead = nameOfHead(one.head) === nameOfHead(second.head);
  if (!isOfTexts || !isOneHead || stale || !run || !other.run || !info || info.image) return null;
  const { stack, layer, head } = one.head;
  const counts = { one: run.tokens.length, other: other.run.tokens.length };
  if (counts.one !== counts.other) return { reason: message("pairs.patchLengths", counts) };
  const isTranslated = info.architecture === "encoder-decoder" && stack !== "encoder";
  if (isTranslated && target === null) return { reason: message("pairs.patchTarget") };
  const patches = PATCHED.map((step) => {
    const patch: PatchEdit = { at: { stack, layer, step, head }, from: { text } };
    return { step, patch };
  });
  const isMade = (patch: PatchEdit): boolean => edits.patches.some((made) => equals(made, patch));
  // Behind a patched output nothing depends on the head's pattern or values.
  if (patches.some(({ step, patch }) => step === "context" && isMade(patch))) return null;
  return { patches: patches.filter(({ patch }) => !isMade(patch)) };
}
