import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Cell, Region } from "../../../data/index.js";
import { formatValue } from "../../../draw/format.js";
import { strongestOf, valueAt } from "../../../draw/strongest.js";
import "../../../elements/heatmap/index.js";
import "../../../elements/mask/index.js";
import { labelAt } from "../../../elements/shared/token-label.js";
import { message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { firstFailure } from "../../run/failures.js";
import { readHead, type HeadFigures } from "../../run/figures.js";
import { Loader } from "../../run/loader.js";
import { nameOfHead } from "../../../state/index.js";
import { renderFailed } from "../failed-words.js";
import type { OnBench } from "../on-bench.js";
import "../saving/save-figure.js";
import { labStyles } from "./lab-styles.js";

/** Side by side they have room for little more. */
const CELLS_HEIGHT = 176;

/** What the rules do to the head that is looked at, stage by stage: four pictures of the same pairs, with one cell in all of them. */
@customElement("headscope-mask-stages")
export class HeadscopeMaskStages extends PagePart {
  static override styles = [
    partStyles,
    labStyles,
    css`
      .row {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(248px, 1fr));
        gap: 16px 24px;
        margin-top: 8px;
      }

      figure {
        min-width: 0;
        margin: 0;
      }

      figcaption {
        margin-bottom: 4px;
        font-weight: 600;
      }

      .reading {
        min-height: 1.45em;
      }

      .reading b {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;
  @state() private hovered: Cell | null = null;
  @state() private held: Cell | null = null;
  /** The part that all four show. */
  @state() private region: Region | null = null;

  /** The head's numbers, where the page has not read them because a GPU paints it. */
  private readonly read = new Loader<HeadFigures>(() => this.requestUpdate());

  protected override willUpdate(): void {
    const { figures, run, head, revision } = this.on ?? {};
    if (figures || !run || !head) this.read.clear();
    else
      this.read.want(`${revision} ${nameOfHead(head)}`, () =>
        readHead(run, head, { beside: [], vectors: false }),
      );
  }

  override render(): TemplateResult {
    const failure = firstFailure([this.read]);
    if (failure !== null)
      return html`<p class="failed">${renderFailed(failure, message("lab.failed"))}</p>`;
    const figures = this.on?.figures ?? this.read.value;
    if (!figures) return html`<p class="muted">${message("lab.waiting")}</p>`;
    const { stages, mask, queries, keys, fullyMasked } = figures;
    const within = (cell: Cell | null): Cell | null =>
      cell && cell.query < queries.length && cell.key < keys.length ? cell : null;
    const held = within(this.held);
    const focused = within(this.hovered) ?? held ?? strongestOf(stages.weights, nextTo(figures));
    return html`<p class="small muted">${message("stages.intro", { layer: figures.head.layer + 1, head: figures.head.head + 1 })}</p>
      <p class="reading numbers" aria-live="off">${focused ? this.renderReading(figures, focused) : nothing}</p>
      <headscope-save-figure name="stages" .heading=${message("stages.title")} .of=${figures.head} .stale=${this.read.stale}><div class="row" @headscope-cell-hover=${this.hover} @headscope-cell-lock=${this.hold} @headscope-region-change=${this.showRegion}>
        <figure>
          <figcaption>${message("stages.scores")}</figcaption>
          <headscope-heatmap .tensor=${stages.scores} .stage=${"scores"} .queries=${queries} .keys=${keys} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${this.region}></headscope-heatmap>
        </figure>
        <figure>
          <figcaption>${message("stages.mask")}</figcaption>
          <headscope-mask .mask=${mask} .queries=${queries} .keys=${keys} .fullyMasked=${fullyMasked} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${this.region}></headscope-mask>
        </figure>
        <figure>
          <figcaption>${message("stages.masked")}</figcaption>
          <headscope-heatmap .tensor=${stages.masked} .stage=${"masked"} .queries=${queries} .keys=${keys} .fullyMasked=${fullyMasked} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${this.region}></headscope-heatmap>
        </figure>
        <figure>
          <figcaption>${message("stages.weights")}</figcaption>
          <headscope-heatmap .tensor=${stages.weights} .stage=${"weights"} .queries=${queries} .keys=${keys} .fullyMasked=${fullyMasked} .focused=${focused} .locked=${held} .comfortableHeight=${CELLS_HEIGHT} .region=${this.region}></headscope-heatmap>
        </figure>
      </div></headscope-save-figure>`;
  }

  /** The numbers of one pair at every stage. */
  private renderReading({ stages, mask, queries, keys }: HeadFigures, cell: Cell): TemplateResult {
    const pair = message("figure.cell", {
      query: labelAt(queries, cell.query),
      key: labelAt(keys, cell.key),
      value: "",
    }).trim();
    const numbers = [
      valueAt(stages.scores, cell),
      valueAt(mask, cell),
      valueAt(stages.masked, cell),
    ].map(formatValue);
    return html`<bdi>${pair}</bdi> ${numbers[0]} + ${numbers[1]} = ${numbers[2]} → softmax → <b>${formatValue(valueAt(stages.weights, cell))}</b>`;
  }

  private readonly hover = ({ detail }: CustomEvent<Cell | null>): void => {
    this.hovered = detail;
  };

  private readonly showRegion = (event: CustomEvent<Region | null>): void => {
    event.stopPropagation();
    this.region = event.detail;
  };

  private readonly hold = ({ detail }: CustomEvent<Cell | null>): void => {
    this.held = detail;
  };
}

/** The pairs of the last query: what the page says before anything is pointed at. */
function nextTo({ queries, keys }: HeadFigures): Cell[] {
  return keys.map((_, key) => ({ query: queries.length - 1, key }));
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-stages": HeadscopeMaskStages;
  }
}
