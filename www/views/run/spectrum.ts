import type { HeadRef, Spectrum, Stage } from "../../data/index.js";
import type { SingularList } from "../../elements/spectrum/element.js";
import { HeadscopeError, type Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";

/** What a head's patterns have of each of their directions; of a text for which that would take too long, why not. */
export type SpectrumAnswer = Spectrum | "too-long";

/** Asks a run for a head's singular values. */
export async function readSpectrum(run: Run, head: HeadRef): Promise<SpectrumAnswer> {
  try {
    return await run.spectrum(head);
  } catch (thrown) {
    if (thrown instanceof HeadscopeError && thrown.code === "selection/too-large")
      return "too-long";
    throw thrown;
  }
}

/** Both lists of a head under what they are of. Where edits make other weights than a softmax of the masked scores, neither name speaks of one. */
export function namedSpectra(
  { scores, weights }: Spectrum,
  unusual: readonly Stage[],
): SingularList[] {
  const edited = unusual.includes("weights");
  return [
    {
      of: "scores",
      heading: message(edited ? "spectrum.scores.edited" : "spectrum.scores"),
      values: scores.values,
      rank: scores.rank90,
    },
    {
      of: "weights",
      heading: message(edited ? "spectrum.weights.edited" : "spectrum.weights"),
      values: weights.values,
      rank: weights.rank90,
    },
  ];
}
