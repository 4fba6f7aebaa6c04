import { html } from "lit";
import { isForbidden, type Cell, type Tensor } from "../../data/index.js";
import { rampColour } from "../../draw/ramp.js";
import { uniformScale, type ColourScale } from "../../draw/scale.js";
import type { Sign } from "../../draw/signs.js";
import type { Inks } from "../../draw/theme.js";
import { formatNumber, message } from "../../i18n/index.js";
import type { MatrixContent } from "../matrix/content.js";
import { MatrixFigure } from "../matrix/figure.js";
import { matrixStyles } from "../matrix/styles.js";
import { Memo } from "../shared/memo.js";
import { baseStyles } from "../shared/base-styles.js";
import { stageStyles } from "../shared/stage-styles.js";
import { styled } from "../shared/styled.js";
import { MATRIX, given, orNull } from "../shared/checked.js";

/**
 * Who may look at whom: filled where a query may look at a key, hatched where not.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to hold, or null to let go
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-cells-paint - the pairs of one stroke, and whether they are to be opened or blocked
 */
export class HeadscopeMask extends MatrixFigure {
  static override styles = [baseStyles, stageStyles, matrixStyles];

  /** Additive, shape `[query, key]`: 0 where allowed, -Infinity or -1e9 where not. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;

  private readonly scale = new Memo<ColourScale>();

  protected override get matrix(): Tensor | null {
    return this.mask;
  }

  protected override get closing(): Tensor | null {
    return this.mask;
  }

  protected override describe(mask: Tensor, { ground }: Inks): MatrixContent {
    const scale = this.scale.get([mask, ground], () => uniformScale(mask.data, ground));
    const signs: Sign[] = [
      { kind: "allowed", words: message("figure.allowed"), colour: rampColour(scale.ramp, 0) },
      { kind: "forbidden", words: message("figure.forbidden") },
      ...this.blockedSign(),
    ];
    return {
      scale,
      name: message("figure.mask", {
        queries: formatNumber(this.rows),
        keys: formatNumber(this.columns),
        allowed: formatNumber(mask.data.length - scale.extent.masked),
      }),
      legend: null,
      mass: null,
      signs,
      foot: html`${signs.map(({ kind, words, colour }) => html`<span class="sign" part="legend"><i class=${kind} style=${styled(colour ? { background: colour } : {})}></i>${words}</span>`)}`,
    };
  }

  protected override reading(cell: Cell): string {
    if (this.isBlocked(cell)) return message("figure.blockedCell");
    const value = this.mask?.data[cell.query * this.columns + cell.key];
    return message(isForbidden(value ?? NaN) ? "figure.forbidden" : "figure.allowed");
  }
}
