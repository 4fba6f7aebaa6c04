import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Overflow } from "../../../data/index.js";
import { theLab, type Lab } from "../../../engine/index.js";
import { formatFixed, formatNumber, message } from "../../../i18n/index.js";
import type { Rows } from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { Asked } from "../asked.js";
import { renderFailed } from "../failed-words.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, MOST_GROWTH } from "../lab-table.js";
import "../../parts/embed-buttons.js";
import { labStyles } from "./lab-styles.js";
import type { Digits } from "./number-words.js";
import "./worked-grid.js";

const WAYS = ["plainSingle", "shiftedSingle", "plainDouble", "shiftedDouble"] as const;

/** Softmax with the maximum subtracted and without, in f32 and f64, on scores that are multiplied until something breaks. */
@customElement("headscope-overflow-lab")
export class HeadscopeOverflowLab extends PagePart {
  static override styles = [
    partStyles,
    labStyles,
    css`
      .four {
        display: flex;
        flex-wrap: wrap;
        gap: 16px 32px;
      }

      figure {
        min-width: 0;
        margin: 0;
      }

      figcaption {
        margin-bottom: 4px;
      }
    `,
  ];

  /** The scores with the mask, `[query, key]`; empty where they are no numbers. */
  @property({ attribute: false }) scores: Rows = [];
  @property({ attribute: false }) words: readonly string[] = [];
  @property({ attribute: false }) lab: () => Promise<Pick<Lab, "ask">> = theLab;
  @property({ type: Number }) digits: Digits = 3;

  @state() private place = 0;
  private readonly asked = new Asked<Overflow>(this);
  protected readonly settings = new LabSettings(this, "overflow", {
    times: setting(
      LAB_TABLE.overflow.times,
      () => this.place,
      (place) => (this.place = place),
    ),
  });

  /** What the scores are multiplied by, in few digits. */
  private get times(): number {
    return Number((10 ** (this.place / 100)).toPrecision(3));
  }

  override willUpdate(): void {
    const { scores, times, lab } = this;
    if (scores.length === 0) return;
    this.asked.ask([scores, times], async (signal) =>
      (await lab()).ask("overflow", { scores: scores.map((row) => [...row]), times }, { signal }),
    );
  }

  override render(): TemplateResult {
    if (this.scores.length === 0)
      return html`<section aria-labelledby="title">
      <h3 id="title">${message("numbers.overflow.title")}</h3>
      <p role="status">${message("numbers.overflow.unusable")}</p>
    </section>`;
    const { answer, failure } = this.asked;
    const times = formatNumber(this.times, 2);
    return html`<section aria-labelledby="title">
      <h3 id="title">${message("numbers.overflow.title")}</h3>
      <p class="note">${message("numbers.overflow.note", { single: answer ? formatFixed(answer.largestSingle, 2) : "…", double: answer ? formatFixed(answer.largestDouble, 2) : "…" })}</p>
      <div class="line">
        <label>${message("numbers.overflow.times")}
          <input type="range" min="0" max=${MOST_GROWTH} step="1" .value=${String(this.place)} aria-valuetext="× ${times}" @input=${this.slid} />
        </label>
        <output>× ${times}</output>
      </div>
      ${failure ? html`<p role="status">${renderFailed(failure)}</p>` : nothing}
      ${answer ? this.renderAnswer(answer) : nothing}
    </section>`;
  }

  private renderAnswer(answer: Overflow): TemplateResult {
    const { fromSingle, fromDouble } = answer;
    return html`<p role="status">${fromSingle === null || fromDouble === null ? message("numbers.overflow.never") : message("numbers.overflow.from", { single: factorText(fromSingle), double: factorText(fromDouble) })}</p>
      <div class="four">
        ${WAYS.map((way) => {
          const { weights, infinite, infiniteSums, notNumbers } = answer[way];
          const label = message(`numbers.overflow.${way}`);
          return html`<figure data-way=${way}>
            <figcaption><b>${label}</b> <span class="small muted">${message(infinite + infiniteSums + notNumbers === 0 ? "numbers.overflow.fine" : "numbers.overflow.broken", { infinite, sums: infiniteSums, nan: notNumbers })}</span> <headscope-embed-buttons class="figure" .heading=${label}></headscope-embed-buttons></figcaption>
            <headscope-worked-grid weights .rows=${weights} .rowNames=${this.words} .columnNames=${this.words} .label=${label} .digits=${this.digits}></headscope-worked-grid>
          </figure>`;
        })}
      </div>`;
  }

  private readonly slid = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.place = Number(target.value);
  };
}

/** In four digits at least, so that 0.9958 is not said to be 1. */
function factorText(factor: number): string {
  return formatNumber(factor, Math.min(20, Math.max(2, 3 - Math.floor(Math.log10(factor)))));
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-overflow-lab": HeadscopeOverflowLab;
  }
}
