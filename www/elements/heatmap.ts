import { html, nothing } from "lit";
import { isForbidden, type Cell, type Palette, type Stage, type Tensor } from "../data/index.js";
import { divergingScale, sequentialScale, sharedScale, type ColourScale } from "../draw/colours.js";
import { valueAt } from "../draw/layout.js";
import { massGiven, massReceived, type Sign } from "../draw/legend.js";
import { formatValue } from "../draw/text.js";
import type { Inks } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import type { MatrixContent } from "./matrix/content.js";
import { MatrixFigure } from "./matrix/figure.js";
import { MATRIX, PALETTE, STAGE, given, orNull } from "./shared/checked.js";
import { Memo, define } from "./shared/controllers.js";
import { matrixStyles, baseStyles, stageStyles } from "./shared/base-styles.js";

/**
 * One head's attention: queries down, keys across.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to hold, or null to let go
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-cells-paint - the pairs of one stroke, and whether they are to be opened or blocked
 */
export class HeadscopeHeatmap extends MatrixFigure {
  static override styles = [baseStyles, stageStyles, matrixStyles];

  /** Shape `[query, key]`; -Infinity, or what is no score, marks a cell that may not be looked at. */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;
  /** The additive mask of the same cells, where it is known: it says whether a stroke blocks or opens. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;
  /** 1 where dropout took a weight, 0 elsewhere: such cells of the weights are hatched. */
  @given(orNull(MATRIX)) dropped: Tensor | null = null;
  /** Weights are drawn from zero up, the earlier stages on both sides of zero. */
  @given(STAGE) stage: Stage = "weights";
  /** A tensor whose picture stands beside this one: both have one scale. */
  @given(orNull(MATRIX)) beside: Tensor | null = null;
  /** The colour map of the weights. */
  @given(PALETTE) colours: Palette = "blue";

  // Reading a large tensor at every pointer move would be felt, so it is read once.
  private readonly scale = new Memo<ColourScale>();
  private readonly left = new Memo<Tensor>();
  private readonly mass = new Memo<Float64Array>();
  private readonly given = new Memo<Float64Array | null>();

  /** What was dropped is no weight of 0, and drawn as no number. */
  protected override get matrix(): Tensor | null {
    const { tensor, taken } = this;
    return tensor && taken
      ? this.left.get([tensor, taken], () => ({
          ...tensor,
          data: tensor.data.map((weight, at) => (taken.data[at] === 1 ? NaN : weight)),
        }))
      : tensor;
  }

  private get taken(): Tensor | null {
    const { tensor, dropped } = this;
    return this.stage === "weights" && dropped?.data.length === tensor?.data.length
      ? dropped
      : null;
  }

  private isDropped({ query, key }: Cell): boolean {
    return this.taken?.data[query * this.columns + key] === 1;
  }

  protected override get blank(): string {
    return this.taken ? message("figure.droppedCell") : super.blank;
  }

  protected override get closing(): Tensor | null {
    return this.mask;
  }

  protected override describe(drawn: Tensor, { ground }: Inks): MatrixContent {
    const { stage, colours, beside, rows, columns } = this;
    const tensor = this.tensor ?? drawn;
    const weights = stage === "weights";
    const scale = this.scale.get([tensor, weights, colours, ground, beside], () => {
      const own = weights
        ? sequentialScale(tensor.data, colours, ground)
        : divergingScale(tensor.data, ground);
      return beside ? sharedScale(own, beside.data) : own;
    });
    const title =
      this.without === ""
        ? message(`stage.${stage}`)
        : message("lens.weightsWithout", { token: this.without });
    const forbidden = (words: string): Sign[] => [{ kind: "forbidden", words }];
    const dropped = message("figure.droppedCell");
    return {
      scale,
      mass: weights ? this.mass.get([tensor], () => massReceived(tensor.data, columns)) : null,
      given: weights ? this.given.get([tensor], () => massGiven(tensor.data, rows)) : null,
      name: message("figure.heatmap", {
        stage: title,
        queries: formatNumber(rows),
        keys: formatNumber(columns),
      }),
      legend: weights ? this.weightsTitle : title,
      signs: [
        ...(this.taken ? forbidden(dropped) : []),
        ...(scale.extent.masked > 0 ? forbidden(message("figure.maskedCell")) : []),
        ...this.blockedSign(),
      ],
      foot: this.taken
        ? html`<span class="sign" part="legend"><i class="forbidden"></i>${dropped}</span>`
        : nothing,
    };
  }

  protected override reading(cell: Cell): string {
    const value = this.tensor ? valueAt(this.tensor, cell) : NaN;
    const reason = this.isBlocked(cell)
      ? message("figure.blockedCell")
      : this.isDropped(cell)
        ? message("figure.droppedCell")
        : (this.emptiness(cell.query) ??
          (isForbidden(value) ? message("figure.maskedCell") : null));
    return reason === null ? formatValue(value) : `${formatValue(value)} · ${reason}`;
  }
}

define("headscope-heatmap", HeadscopeHeatmap);
