import type { HeadRef, Spectrum } from "../../data/index.js";
import { HeadscopeError, type Run } from "../../headscope.js";

/** What a head's patterns have of each of their directions; of a text for which that would take too long, why not. */
export type SpectrumAnswer = Spectrum | "too-long";

/** Asks a run for a head's singular values. */
export async function readSpectrum(run: Run, head: HeadRef): Promise<SpectrumAnswer> {
  try {
    return await run.spectrum(head);
  } catch (thrown) {
    if (thrown instanceof HeadscopeError && thrown.code === "selection/too-large") return "too-long";
    throw thrown;
  }
}
