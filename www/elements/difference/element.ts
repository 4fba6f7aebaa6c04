import { html, nothing } from "lit";
import { property } from "lit/decorators.js";
import type { Cell, Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/format.js";
import { divergingScale, type ColourScale } from "../../draw/scale.js";
import { valueAt } from "../../draw/strongest.js";
import type { Inks } from "../../draw/theme.js";
import { formatNumber, message } from "../../i18n/index.js";
import type { MatrixContent } from "../matrix/content.js";
import { MatrixFigure } from "../matrix/figure.js";
import { matrixStyles } from "../matrix/styles.js";
import { Memo } from "../shared/memo.js";
import { baseStyles } from "../shared/base-styles.js";
import { stageStyles } from "../shared/stage-styles.js";
import { MATRIX, given, orNull } from "../shared/checked.js";

/**
 * What one pattern has more than another, cell by cell: one hue where the first is larger, the other where the second
 * is. A cell that only one of them has is hatched.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to hold, or null to let go
 * @fires headscope-cell-toggle - the pair to block or to allow again
 */
export class HeadscopeDifference extends MatrixFigure {
  static override styles = [baseStyles, stageStyles, matrixStyles];

  /** Shape `[query, key]`, the first less the second; NaN where one of them has no number. */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;

  /** Whether a sign before a token says which of the two texts alone has it. */
  @property({ type: Boolean }) signed = false;

  private readonly scale = new Memo<ColourScale>();
  private readonly gaps = new Memo<boolean>();

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  /** Cells of two patterns are nobody's to paint. */
  protected override get closing(): Tensor | null {
    return this.tensor;
  }

  protected override describe(tensor: Tensor, { ground }: Inks): MatrixContent {
    const gaps = this.gaps.get([tensor], () =>
      tensor.data.some((value) => !Number.isFinite(value)),
    );
    return {
      scale: this.scale.get([tensor, ground], () => divergingScale(tensor.data, ground)),
      name: message("figure.difference", {
        queries: formatNumber(this.rows),
        keys: formatNumber(this.columns),
      }),
      legend: message("pairs.difference"),
      mass: null,
      signs: gaps ? [{ kind: "forbidden", words: message("pairs.noCounterpart") }] : [],
      foot: this.signed ? html`<span part="legend">${message("pairs.signs")}</span>` : nothing,
    };
  }

  protected override reading(cell: Cell): string {
    const value = this.tensor ? valueAt(this.tensor, cell) : NaN;
    return Number.isFinite(value) ? formatSigned(value) : message("pairs.noCounterpart");
  }
}

/** A difference says its sign, whichever it is. */
export function formatSigned(value: number): string {
  return value > 0 ? `+${formatValue(value)}` : formatValue(value);
}
