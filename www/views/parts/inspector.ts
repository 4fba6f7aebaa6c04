import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Cell, ModelInfo, Tensor } from "../../data/index.js";
import { valueAt } from "../../draw/strongest.js";
import "../../elements/bars/index.js";
import { tokenLabel } from "../../elements/shared/token-label.js";
import { formatFixed, message } from "../../i18n/index.js";
import type { Expectation } from "../run/expectation.js";
import type { HeadFigures } from "../run/figures.js";
import { PagePart } from "./page-part.js";
import "./predictions.js";
import { partStyles } from "./styles.js";

/** How many keys the list of the strongest has. */
const TOP_KEYS = 5;

/** The pair under the pointer: every number is one cell of a tensor of the run. */
@customElement("headscope-inspector")
export class HeadscopeInspector extends PagePart {
  static override styles = [
    partStyles,
    css`
      section + section {
        margin-top: 20px;
        padding-top: 20px;
        border-top: 1px solid var(--headscope-line);
      }

      .pair {
        margin: 12px 0;
        font: 400 24px/1.3 var(--headscope-font-text);
        overflow-wrap: anywhere;
      }

      .pair span {
        font: 400 14px/1.3 var(--headscope-font-ui);
        color: var(--headscope-muted);
      }

      dl {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 4px 16px;
        font-variant-numeric: tabular-nums;
      }

      dt {
        color: var(--headscope-muted);
      }

      dd {
        text-align: right;
      }

      dd.result {
        font-weight: 600;
      }

      p.empty {
        margin-top: 8px;
      }
    `,
  ];

  @property({ attribute: false }) figures: HeadFigures | null = null;
  @property({ attribute: false }) focused: Cell | null = null;
  /** Whether the pair is under the pointer, rather than locked or the strongest. */
  @property({ type: Boolean }) pointed = false;
  @property({ attribute: false }) info: ModelInfo | null = null;
  /** Null where the model expects nothing that is shown. */
  @property({ attribute: false }) expectation: Expectation | null = null;
  @property({ type: Number }) headDim = 0;

  override render(): TemplateResult {
    const { figures, focused } = this;
    const title = message(this.pointed ? "inspect.title" : "inspect.pair");
    return html`
      <section aria-label=${title}>
        <h2>${title}</h2>
        ${figures && focused ? this.renderPair(figures, focused) : html`<p class="empty muted">${message("inspect.empty")}</p>`}
      </section>
      ${figures && focused ? this.renderTopKeys(figures, focused) : nothing}
      ${figures ? html`<section><headscope-predictions .info=${this.info} .expectation=${this.expectation}></headscope-predictions></section>` : nothing}
    `;
  }

  private renderPair({ stages, mask, fullyMasked, queries, keys }: HeadFigures, cell: Cell): TemplateResult {
    const query = queries[cell.query];
    const key = keys[cell.key];
    const row = rowOf(stages.masked, cell.query);
    const count = row.filter((value) => value !== -Infinity).length;
    return html`
      <p class="pair"><bdi>${query ? tokenLabel(query) : ""}</bdi> <span>${message("inspect.looksAt")}</span> <bdi>${key ? tokenLabel(key) : ""}</bdi></p>
      <dl>
        <dt>${message("inspect.raw")}</dt>
        <dd data-stage="raw">${formatFixed(valueAt(stages.raw, cell))}</dd>
        <dt>${message("inspect.scaled", { size: this.headDim })}</dt>
        <dd data-stage="scores">${formatFixed(valueAt(stages.scores, cell))}</dd>
        <dt>${message("inspect.mask")}</dt>
        <dd data-stage="mask">${valueAt(mask, cell) === 0 ? "+ 0" : formatFixed(valueAt(mask, cell), 0)}</dd>
        <dt>${message(count === 1 ? "inspect.softmaxOne" : "inspect.softmax", { count })}</dt>
        <dd class="result" data-stage="weights">${formatFixed(valueAt(stages.weights, cell))}</dd>
      </dl>
      ${fullyMasked.includes(cell.query) ? html`<p class="empty small muted">${message("inspect.rowMasked")}</p>` : nothing}
    `;
  }

  private renderTopKeys({ stages, keys }: HeadFigures, { query }: Cell): TemplateResult {
    const items = rowOf(stages.weights, query)
      .map((value, index) => ({ value, token: keys[index] }))
      .sort((a, b) => b.value - a.value)
      .slice(0, TOP_KEYS)
      .map(({ value, token }) => ({ label: token ? tokenLabel(token) : "", value, text: formatFixed(value) }));
    return html`<section><headscope-bars .heading=${message("inspect.topKeys")} .max=${1} .items=${items}></headscope-bars></section>`;
  }
}

function rowOf(tensor: Tensor, query: number): number[] {
  const keys = tensor.shape[1] ?? 0;
  return Array.from(tensor.data.subarray(query * keys, (query + 1) * keys));
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-inspector": HeadscopeInspector;
  }
}
