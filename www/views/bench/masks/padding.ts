import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { formatValue } from "../../../draw/format.js";
import { tokenLabel } from "../../../elements/shared/token-label.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { firstFailure } from "../../run/failures.js";
import { Loader } from "../../run/loader.js";
import { renderFailed } from "../failed-words.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE } from "../lab-table.js";
import type { OnBench } from "../on-bench.js";
import { RestingText } from "../resting-text.js";
import { ruleStyles } from "../rule-styles.js";
import { readBatch, type Padded } from "./batch.js";
import { labStyles } from "./lab-styles.js";

/** Short, so that it has to be padded. */
const OTHER = "The dog sleeps.";

/** Two texts of different length in one batch: what padding is, and that a mask over it changes nothing. */
@customElement("headscope-mask-padding")
export class HeadscopeMaskPadding extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    labStyles,
    css`
      input {
        flex: 1 1 auto;
        min-width: 0;
      }

      label {
        width: min(100%, 560px);
        white-space: nowrap;
      }

      .batch {
        margin: 12px 0;
      }

      .batch td,
      .batch th {
        padding: 3px 2px;
        border: 0;
      }

      .batch span {
        display: block;
        padding: 2px 6px;
        text-align: center;
        border-radius: 3px;
        background: var(--headscope-chip);
        color: var(--headscope-ink);
      }

      .batch .pad {
        background: repeating-linear-gradient(-45deg, var(--headscope-line) 0 1px, transparent 1px 5px);
        color: var(--headscope-muted);
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;
  private readonly other = new RestingText(this, OTHER);
  protected readonly settings = new LabSettings(this, "pad", {
    text: setting(LAB_TABLE.pad.text, () => this.other.value, this.other.put),
  });
  /** Whose numbers are shown. */
  private of: OnBench["model"] = null;
  private readonly batch = new Loader<Padded[]>(() => this.requestUpdate());

  protected override willUpdate(): void {
    const { model, growing } = this.on ?? {};
    const { texts } = this;
    if (!model || texts.length < 2 || model !== this.of) this.batch.clear();
    this.of = model ?? null;
    // While the page itself computes, its text may change again at once.
    if (!model || texts.length < 2 || growing) return;
    this.batch.want(JSON.stringify(texts), () => {
      return readBatch(model, texts);
    });
  }

  /** The page's and the reader's, as far as there are any. */
  private get texts(): string[] {
    return [this.on?.text ?? "", this.other.value].filter((one) => one.trim() !== "");
  }

  override render(): TemplateResult {
    const { model } = this.on ?? {};
    const failure = firstFailure([this.batch]);
    const batch = this.batch.value;
    return html`<p class="small muted">${message("pad.intro")}</p>
      <label>${message("pad.other")} ${this.other.field()}</label>
      ${failure !== null ? html`<p class="failed">${renderFailed(failure, message("pad.failed"))}</p>` : !batch || !model ? html`<p class="muted">${message(this.texts.length < 2 ? "pad.missing" : "lab.waiting")}</p>` : this.renderBatch(batch, model.info.architecture === "decoder")}`;
  }

  private renderBatch(batch: readonly Padded[], causal: boolean): TemplateResult {
    const longest = Math.max(...batch.map(({ tokens }) => tokens.length));
    return html`<div class="wide batch" tabindex="0" role="group" aria-label=${message("pad.batch")}>
        <table>
          <caption class="visually-hidden">${message("pad.batch")}</caption>
          <tbody>
            ${batch.map(
              ({ tokens, pads }, index) => html`<tr>
                <th scope="row">${formatNumber(index + 1)}</th>
                ${tokens.map((token) => html`<td><span><bdi>${tokenLabel(token)}</bdi></span></td>`)}
                ${Array.from({ length: pads }, () => html`<td><span class="pad">${message("token.pad")}</span></td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <div class="wide" tabindex="0" role="group" aria-label=${message("pad.numbers")}>
        <table>
          <caption>${message("pad.table", { tokens: longest })}</caption>
          <thead>
            <tr>
              <th scope="col">${message("pad.text")}</th>
              <th scope="col">${message("pad.tokens")}</th>
              <th scope="col">${message("pad.pads")}</th>
              <th scope="col">${message("pad.masked")}</th>
              <th scope="col">${message("pad.open")}</th>
              <th scope="col">${message("pad.largest")}</th>
            </tr>
          </thead>
          <tbody>
            ${batch.map(
              ({ tokens, pads, masked, open, largest }, index) => html`<tr>
                <th scope="row">${formatNumber(index + 1)}</th>
                <td>${formatNumber(tokens.length)}</td>
                <td>${formatNumber(pads)}</td>
                <td>${formatValue(masked)}</td>
                <td>${formatValue(open)}</td>
                <td>${formatValue(largest)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${causal ? html`<p class="small muted">${message("pad.causal")}</p>` : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-padding": HeadscopeMaskPadding;
  }
}
