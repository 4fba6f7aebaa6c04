import { type Cell, isForbidden, type Tensor } from "../data/index.js";
import { rampColour, uniformScale } from "../draw/colours.js";
import type { Sign } from "../draw/legend.js";
import type { Inks } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { type MatrixContent, MatrixFigure, numberAt } from "./matrix/figure.js";
import { renderSigns } from "./matrix/pair-figure.js";
import { given, MATRIX, orNull } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

/**
 * A mask: filled where a key is visible to a query, hatched where it is masked. The events are
 * those of the heatmap.
 */
export class HeadscopeMask extends MatrixFigure {
  /** The additive mask, shape `[query, key]`: 0 where allowed, -Infinity or -1e9 where masked. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;

  protected override get matrix(): Tensor | null {
    return this.mask;
  }

  protected override describe({ data }: Tensor, { ground }: Inks): MatrixContent {
    const scale = this.memo("scale", [data, ground], () => uniformScale(data, ground));
    const signs: Sign[] = [
      { kind: "allowed", words: message("figure.allowed"), colour: rampColour(scale.ramp, 0) },
      { kind: "forbidden", words: message("figure.forbidden") },
      ...this.blockedSign(),
    ];
    const allowed = formatNumber(data.length - scale.extent.masked);
    const name = message("figure.mask", { ...this.sizes, allowed });
    return { scale, name, signs, foot: renderSigns(signs) };
  }

  protected override isClosed(cell: Cell): boolean {
    return super.isClosed(cell) || isForbidden(numberAt(this.mask, cell));
  }

  protected override reading(cell: Cell): string {
    if (this.isBlocked(cell)) return message("figure.blockedCell");
    const isMasked = isForbidden(numberAt(this.mask, cell));
    return message(isMasked ? "figure.forbidden" : "figure.allowed");
  }
}

define("headscope-mask", HeadscopeMask);
