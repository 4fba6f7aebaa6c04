import { html } from "lit";
import { property } from "lit/decorators.js";
import type { Cell, Tensor } from "../data/index.js";
import { type ColourScale, type Ground, scaleOf } from "../draw/colours.js";
import type { Sign } from "../draw/legend.js";
import { formatSigned } from "../draw/number-words.js";
import type { Inks } from "../draw/theme.js";
import { language, message } from "../i18n/index.js";
import { type MatrixContent, MatrixFigure, numberAt } from "./matrix/figure.js";
import { given, MATRIX, orNull } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

/**
 * The difference of two patterns, cell by cell: one hue where the first is larger, the other where
 * the second is. A cell that only one of the patterns has is hatched. The events are those of the
 * heatmap.
 */
export class HeadscopeDifference extends MatrixFigure {
  /**
   * The difference, shape `[query, key]`, the first pattern less the second; NaN where one of them
   * lacks the pair, infinite where one of them masks it.
   */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;
  /** Whether a sign before a token tells which of two texts has it. */
  @property({ type: Boolean }) signed = false;
  /**
   * The range of the numbers of both patterns: the colour scale reaches to a hundredth of it at
   * least, so that a difference of rounding looks like none.
   */
  @given("number") range = 0;

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  protected override describe({ data }: Tensor, { ground }: Inks): MatrixContent {
    const signs = this.memo("signs", [data, language()], () => differenceSigns(data));
    const least = this.range * LEAST_SHARE;
    return {
      scale: this.memo("scale", [data, ground, least], () => differenceScale(data, ground, least)),
      name: message("figure.difference", this.sizes),
      legend: message("pairs.difference"),
      signs,
      ...(this.signed && { foot: html`<span part="legend">${message("pairs.signs")}</span>` }),
    };
  }

  protected override reading(cell: Cell): string {
    const value = numberAt(this.tensor, cell);
    return Number.isNaN(value) ? message("pairs.noCounterpart") : formatSigned(value);
  }
}

/** What is hatched in a difference: a pair of one pattern alone, or one that one pattern masks. */
function differenceSigns(data: Float32Array): Sign[] {
  const hatched = [
    [data.some(Number.isNaN), "pairs.noCounterpart"],
    [data.some((value) => Math.abs(value) === Infinity), "pairs.maskedInOne"],
  ] as const;
  return hatched.flatMap(([is, words]) =>
    is ? [{ kind: "forbidden", words: message(words) }] : [],
  );
}

/** The share of the range of two patterns that the scale of their difference reaches at least. */
const LEAST_SHARE = 0.01;

/** A scale about zero whose legend names its own ends, which may lie beyond the numbers. */
function differenceScale(data: Float32Array, ground: Ground, least: number): ColourScale {
  const scale = scaleOf(data, "signed", ground, null, least);
  const { extent, low, high } = scale;
  return high > least ? scale : { ...scale, extent: { ...extent, min: low, max: high } };
}

define("headscope-difference", HeadscopeDifference);
