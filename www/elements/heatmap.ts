import {
  isForbidden,
  type Cell,
  isJoined,
  type PairNumbers,
  type Palette,
  type Tensor,
} from "../data/index.js";
import { scaleOf } from "../draw/colours.js";
import type { Sign } from "../draw/legend.js";
import { formatValue } from "../draw/text.js";
import type { Inks } from "../draw/theme.js";
import { message } from "../i18n/index.js";
import { poolWeights, rowSums } from "../reduce/index.js";
import { type MatrixContent, MatrixFigure, numberAt } from "./matrix/figure.js";
import { renderSigns } from "./matrix/pair-figure.js";
import { given, MATRIX, orNull, PAIR_NUMBERS, PALETTE } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

/** The rounding error that a row sum of 1 may have. */
const ROUNDING = 1e-3;

export const isWhole = (sum: number): boolean => Math.abs(sum - 1) < ROUNDING;

function sumsOf(weights: Tensor): NonNullable<MatrixContent["sums"]> {
  const query = rowSums(weights);
  const key = poolWeights(weights, "query", [...query.keys()], "sum");
  return { query: query.every(isWhole) ? null : query, key };
}

/**
 * One head's attention: queries down, keys across.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to lock, or null to unlock
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-cells-paint - the pairs of one stroke, and whether they are to be opened or
 *   blocked
 * @fires headscope-cells-stroke - the pairs of a stroke so far, or null when it is given up
 */
export class HeadscopeHeatmap extends MatrixFigure {
  /**
   * The numbers, shape `[query, key]`; -Infinity, or another value that is no score, marks a masked
   * cell.
   */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;
  /** The additive mask of the same cells, if known: it decides whether a stroke blocks or opens. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;
  /** Dropout, 1 where it removed a weight, 0 elsewhere: such cells of the weights are hatched. */
  @given(orNull(MATRIX)) dropped: Tensor | null = null;
  /**
   * The numbers: a stage of the head, what each key adds, or heads that are joined. Weights, norms
   * and joined heads have a sequential scale from zero, all others a diverging one.
   */
  @given(PAIR_NUMBERS) stage: PairNumbers = "weights";
  /** A tensor shown beside this one: both share one scale. */
  @given(orNull(MATRIX)) beside: Tensor | null = null;
  /** The colour map of the weights. */
  @given(PALETTE) colours: Palette = "blue";

  /** The numbers to paint, with NaN for dropped weights: a dropped weight is not a weight of 0. */
  protected override get matrix(): Tensor | null {
    const { tensor, droppedWeights } = this;
    if (!tensor || !droppedWeights) return tensor;
    return this.memo("matrix", [tensor, droppedWeights], () => ({
      ...tensor,
      data: tensor.data.map((weight, at) => (droppedWeights.data[at] === 1 ? NaN : weight)),
    }));
  }

  private get droppedWeights(): Tensor | null {
    const { tensor, dropped, stage } = this;
    return stage === "weights" && dropped?.data.length === tensor?.data.length ? dropped : null;
  }

  protected override get blank(): string {
    return this.droppedWeights ? message("figure.droppedCell") : super.blank;
  }

  protected override get maskOf(): Tensor | null {
    return this.mask;
  }

  protected override describe(matrix: Tensor, { ground }: Inks): MatrixContent {
    const { stage, colours, beside, without, droppedWeights } = this;
    const { data } = this.tensor ?? matrix;
    const weights = stage === "weights";
    const isSigned = !weights && stage !== "norms" && !isJoined(stage);
    // A large tensor is read once, not at every move of the pointer.
    const scale = this.memo("scale", [data, isSigned, colours, ground, beside], () =>
      scaleOf(data, isSigned ? "signed" : colours, ground, beside?.data),
    );
    const title =
      without === ""
        ? message(`stage.${stage}`)
        : message("lens.weightsWithout", { token: without });
    const dropped: Sign = { kind: "forbidden", words: message("figure.droppedCell") };
    const masked: Sign = { kind: "forbidden", words: message("figure.maskedCell") };
    return {
      scale,
      name: message("figure.heatmap", { stage: title, ...this.sizes }),
      legend: weights ? this.weightsTitle : title,
      ...(weights && { sums: this.memo("sums", [data], () => sumsOf(this.tensor ?? matrix)) }),
      signs: [
        ...(droppedWeights ? [dropped] : []),
        ...(scale.extent.masked > 0 ? [masked] : []),
        ...this.blockedSign(),
      ],
      ...(droppedWeights && { foot: renderSigns([dropped]) }),
    };
  }

  protected override isClosed(cell: Cell): boolean {
    const { tensor, mask } = this;
    return super.isClosed(cell) || [tensor, mask].some((one) => isForbidden(numberAt(one, cell)));
  }

  protected override reading(cell: Cell): string {
    const value = numberAt(this.tensor, cell);
    const isDropped = numberAt(this.droppedWeights, cell) === 1 && !this.isBlocked(cell);
    const masked = isForbidden(value) ? message("figure.maskedCell") : null;
    const reason = isDropped ? message("figure.droppedCell") : (this.reasonOf(cell) ?? masked);
    return reason === null ? formatValue(value) : `${formatValue(value)} · ${reason}`;
  }
}

define("headscope-heatmap", HeadscopeHeatmap);
