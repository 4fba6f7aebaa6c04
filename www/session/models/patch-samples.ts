/**
 * Pairs of texts between which a patch of one head recovers much of the effect: found among
 * held-out sentences by `tools/samples/patches.ts`, which wrote them.
 */
import type { HeadRef } from "../../data/index.js";
import { type ModelName, NO_EDITS, type State } from "../../state/index.js";
import found from "./patch-samples.json" with { type: "json" };

/** A pair of texts, and the head whose patch recovers most. */
export interface PatchSample extends HeadRef {
  /** What the exchanged word decides. */
  kind: "translation" | "agreement" | "induction";
  clean: string;
  corrupted: string;
  /** The positions of masked tokens, in both texts. */
  masked: readonly number[];
  /** The answer to the clean text, and that to the corrupted one. */
  entry: number;
  against: number;
}

const SAMPLES = found as Readonly<Record<string, readonly PatchSample[]>>;

export function patchSamplesOf(model: ModelName): readonly PatchSample[] {
  return SAMPLES[model] ?? [];
}

/** The fields of the State that a sample sets besides the settings of the grid. */
export function patchSampleState(sample: PatchSample): Partial<State> {
  const { clean, corrupted, masked, entry, against, stack, layer, head } = sample;
  const texts = { text: clean, otherText: corrupted, otherModel: null, masked, target: null };
  const none = { locked: null, picked: null, region: null, pairs: [], compare: null };
  return { ...texts, ...none, edits: NO_EDITS, entry, against, stack, layer, head };
}
