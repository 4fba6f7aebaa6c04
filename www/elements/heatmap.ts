import { isForbidden, type Cell, type Palette, type Stage, type Tensor } from "../data/index.js";
import { divergingScale, sequentialScale, sharedScale } from "../draw/colours.js";
import { valueAt } from "../draw/layout.js";
import { columnSums, rowSums, type Sign } from "../draw/legend.js";
import { formatValue } from "../draw/text.js";
import type { Inks } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { MatrixFigure, type MatrixContent } from "./matrix/figure.js";
import { renderSigns } from "./matrix/pair-figure.js";
import { MATRIX, PALETTE, STAGE, given, orNull } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

/**
 * One head's attention: queries down, keys across.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to lock, or null to unlock
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-cells-paint - the pairs of one stroke, and whether they are to be opened or blocked
 */
export class HeadscopeHeatmap extends MatrixFigure {
  /** Shape `[query, key]`; -Infinity, or what is no score, marks a masked cell. */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;
  /** The additive mask of the same cells, where it is known: it decides whether a stroke blocks or opens. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;
  /** 1 where dropout removed a weight, 0 elsewhere: such cells of the weights are hatched. */
  @given(orNull(MATRIX)) dropped: Tensor | null = null;
  /** Weights have a sequential scale from zero, the earlier stages a diverging one. */
  @given(STAGE) stage: Stage = "weights";
  /** A tensor shown beside this one: both have one scale. */
  @given(orNull(MATRIX)) beside: Tensor | null = null;
  /** The colour map of the weights. */
  @given(PALETTE) colours: Palette = "blue";

  /** Dropped weights are NaN: a dropped weight is not a weight of 0. */
  protected override get matrix(): Tensor | null {
    const { tensor, droppedWeights } = this;
    return tensor && droppedWeights
      ? this.memo("matrix", [tensor, droppedWeights], () => ({
          ...tensor,
          data: tensor.data.map((weight, at) => (droppedWeights.data[at] === 1 ? NaN : weight)),
        }))
      : tensor;
  }

  /** `dropped`, where it belongs to the tensor shown. */
  private get droppedWeights(): Tensor | null {
    const { tensor, dropped } = this;
    return this.stage === "weights" && dropped?.data.length === tensor?.data.length
      ? dropped
      : null;
  }

  protected override get blank(): string {
    return this.droppedWeights ? message("figure.droppedCell") : super.blank;
  }

  protected override get closing(): Tensor | null {
    return this.mask;
  }

  protected override describe(matrix: Tensor, { ground }: Inks): MatrixContent {
    const { stage, colours, beside, rows, columns, without } = this;
    const tensor = this.tensor ?? matrix;
    const weights = stage === "weights";
    // A large tensor is read once, not at every move of the pointer.
    const scale = this.memo("scale", [tensor, weights, colours, ground, beside], () => {
      const own = weights
        ? sequentialScale(tensor.data, colours, ground)
        : divergingScale(tensor.data, ground);
      return beside ? sharedScale(own, beside.data) : own;
    });
    const title =
      without === ""
        ? message(`stage.${stage}`)
        : message("lens.weightsWithout", { token: without });
    const hatched = (words: string): Sign[] => [{ kind: "forbidden", words }];
    const dropped = message("figure.droppedCell");
    const counts = { queries: formatNumber(rows), keys: formatNumber(columns) };
    return {
      scale,
      name: message("figure.heatmap", { stage: title, ...counts }),
      legend: weights ? this.weightsTitle : title,
      ...(weights && {
        columnSums: this.memo("columnSums", [tensor], () => columnSums(tensor.data, columns)),
        rowSums: this.memo("rowSums", [tensor], () => rowSums(tensor.data, rows)),
      }),
      signs: [
        ...(this.droppedWeights ? hatched(dropped) : []),
        ...(scale.extent.masked > 0 ? hatched(message("figure.maskedCell")) : []),
        ...this.blockedSign(),
      ],
      ...(this.droppedWeights && { foot: renderSigns(hatched(dropped)) }),
    };
  }

  protected override reading(cell: Cell): string {
    const value = this.tensor ? valueAt(this.tensor, cell) : NaN;
    const reason = this.isBlocked(cell)
      ? message("figure.blockedCell")
      : this.droppedWeights && valueAt(this.droppedWeights, cell) === 1
        ? message("figure.droppedCell")
        : (this.emptiness(cell.query) ??
          (isForbidden(value) ? message("figure.maskedCell") : null));
    return reason === null ? formatValue(value) : `${formatValue(value)} · ${reason}`;
  }
}

define("headscope-heatmap", HeadscopeHeatmap);
