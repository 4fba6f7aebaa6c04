import type { nothing, TemplateResult } from "lit";
import type { ColourScale } from "../../draw/scale.js";
import type { Sign } from "../../draw/signs.js";

/** What a kind of matrix figure decides for itself. */
export interface MatrixContent {
  scale: ColourScale;
  /** The accessible name. */
  name: string;
  /** What the legend's numbers are, or null for a figure without a legend. */
  legend: string | null;
  /** The sum of each column, or null where a sum would mean nothing. */
  mass: Float64Array | null;
  /** The sum of each row, where not all of them are 1. */
  given?: Float64Array | null | undefined;
  /** What the signs on the cells mean, where the legend does not say it. */
  signs: Sign[];
  /** Words under the figure. */
  foot: TemplateResult | typeof nothing;
}
