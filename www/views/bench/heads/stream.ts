import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { StreamDepth, Tensor } from "../../../data/index.js";
import "../../../elements/matrices.js";
import { tokenLabels } from "../../../elements/shared/templates.js";
import { Memo } from "../../../elements/shared/controllers.js";
import { language, message } from "../../../i18n/index.js";
import type { BlockStack } from "../../../state/index.js";
import "../../../ui/choice.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { firstFailure } from "../../run/failures.js";
import { Loader } from "../../run/loader.js";
import { renderFailed } from "../failed-words.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, STREAM_MEASURES } from "../lab-table.js";
import { saysMore, type OnBench } from "../on-bench.js";
import { keepRegion } from "../saving/figure-numbers.js";
import "../saving/save-figure.js";
import "./norm-by-hand.js";

/** What is said of every token at every depth of the stream. */
type Measure = (typeof STREAM_MEASURES)[number];
const HEIGHT = 240;

/** The residual stream token by token and depth by depth, and one norm of it by hand. */
@customElement("headscope-stream")
export class HeadscopeStream extends PagePart {
  static override styles = [
    partStyles,
    css`
      headscope-numbers {
        margin: 8px 0 16px;
      }

      headscope-norm-by-hand {
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }
    `,
  ];

  @property({ attribute: false, hasChanged: saysMore }) on!: OnBench;
  @state() private measure: Measure = "norm";
  private readonly depths = new Loader<{ stack: BlockStack; all: StreamDepth[] }>(() =>
    this.requestUpdate(),
  );
  private readonly drawn = new Memo<{ tensor: Tensor; rows: string[]; columns: string[] }>();

  protected override willUpdate(): void {
    const { run, revision } = this.on;
    const { stack } = this;
    if (run)
      this.depths.want(`${revision} ${stack}`, async () => ({
        stack,
        all: await run.residuals({ stack }),
      }));
  }
  protected readonly settings = new LabSettings(this, "stream", {
    of: setting(
      LAB_TABLE.stream.of,
      () => this.measure,
      (measure) => (this.measure = measure),
    ),
  });

  override render(): TemplateResult | typeof nothing {
    const { head, run } = this.on;
    if (!head || !run) return nothing;
    const failure = firstFailure([this.depths]);
    return html`<headscope-choice
        look="segments"
        .label=${message("stream.measure")}
        .value=${this.measure}
        .choices=${STREAM_MEASURES.map((value) => ({ value, label: message(`stream.${value}`) }))}
        @headscope-choose=${this.choose}
      ></headscope-choice>
      <p class="small muted">${message(`stream.${this.measure}.hint`)}</p>
      ${failure === null ? this.renderFigure() : html`<p class="small" role="status">${renderFailed(failure, message("headBench.numbersNotRead"))}</p>`}
      <headscope-norm-by-hand .on=${this.on} .stack=${this.stack} .layer=${head.layer} .tokens=${this.tokens}></headscope-norm-by-hand>`;
  }

  private renderFigure(): TemplateResult | typeof nothing {
    const { value } = this.depths;
    const { tokens, measure } = this;
    const count = value?.all[0]?.norm.length;
    // While another stack or a longer text is read, what was read is of other tokens.
    if (value?.stack !== this.stack || count !== tokens.length) return nothing;
    const said = message(`stream.${measure}`);
    const { tensor, rows, columns } = this.drawn.get([value, tokens, measure, language()], () => ({
      tensor: tensorOf(value.all, measure, tokens.length),
      rows: value.all.map(({ layer, point }) =>
        point === "embedding" || point === "final-norm"
          ? message(`stream.at.${point}`)
          : message("stream.at", { layer: layer + 1, sublayer: message(`sublayer.${point}`) }),
      ),
      columns: tokenLabels(tokens),
    }));
    return html`<headscope-save-figure name=${`stream-${measure}`} .heading=${said} .of=${{ stack: this.stack }} .stale=${this.depths.stale}><headscope-numbers
      .tensor=${tensor}
      .rowNames=${rows}
      .columnNames=${columns}
      .titles=${{ rows: message("moved.depth"), columns: message("moved.token"), values: said }}
      .signed=${measure === "mean" || measure === "similarity"}
      .comfortableHeight=${HEIGHT}
      @headscope-cell-hover=${stop}
      @headscope-cell-lock=${stop}
      @headscope-cell-toggle=${stop}
      @headscope-region-change=${keepRegion}
    ></headscope-numbers></headscope-save-figure>`;
  }

  /** Cross-attention is a sublayer of the decoder's blocks. */
  private get stack(): BlockStack {
    return this.on.head?.stack === "encoder" ? "encoder" : "decoder";
  }

  private get tokens(): OnBenchTokens {
    const { run } = this.on;
    if (!run) return [];
    return this.stack === "encoder" || run.targetTokens.length === 0
      ? run.tokens
      : run.targetTokens;
  }

  private readonly choose = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    const measure = STREAM_MEASURES.find((one) => one === event.detail);
    if (measure) this.measure = measure;
  };
}

type OnBenchTokens = NonNullable<OnBench["run"]>["tokens"];

/** `[depth, token]`; NaN where a measure is not defined. */
function tensorOf(depths: readonly StreamDepth[], measure: Measure, tokens: number): Tensor {
  const rows = depths.map((depth) =>
    Array.from({ length: tokens }, (_, token) => depth[measure]?.[token] ?? NaN),
  );
  return {
    data: Float32Array.from(rows.flat()),
    shape: [depths.length, tokens],
    axes: ["depth", "token"],
  };
}

function stop(event: Event): void {
  event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-stream": HeadscopeStream;
  }
}
