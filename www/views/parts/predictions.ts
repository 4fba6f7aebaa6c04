import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Architecture, ModelInfo } from "../../data/index.js";
import "../../elements/bars/index.js";
import { predictionLabel, tokenLabel } from "../../elements/shared/token-label.js";
import { formatPercent, message } from "../../i18n/index.js";
import type { Expectation } from "../run/expectation.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** What the model expects at one place: after a token, or instead of one that is hidden from it. */
@customElement("headscope-predictions")
export class HeadscopePredictions extends PagePart {
  static override styles = [
    partStyles,
    css`
      p + p,
      headscope-bars + p {
        margin-top: 8px;
      }
    `,
  ];

  @property({ attribute: false }) info: ModelInfo | null = null;
  /** Null where the model expects nothing that is shown. */
  @property({ attribute: false }) expectation: Expectation | null = null;

  override render(): TemplateResult | typeof nothing {
    const { info, expectation } = this;
    if (!info) return nothing;
    if (!info.predicts) return html`<p class="small muted">${message("inspect.nextNone")}</p>`;
    if (expectation) return renderExpectation(expectation, info);
    const hint = HINTS[info.architecture];
    return hint && (info.architecture !== "encoder" || info.maskToken !== null)
      ? html`<p class="small muted">${message(hint)}</p>`
      : nothing;
  }
}

const HINTS = {
  "encoder-decoder": "inspect.nextHint",
  encoder: "fill.hint",
  decoder: null,
} as const satisfies Record<Architecture, string | null>;

/** The least share that is printed as a number. */
const LEAST_SHOWN = 0.001;

function sharePercent(share: number): string {
  return share < LEAST_SHOWN ? `< ${formatPercent(LEAST_SHOWN)}` : formatPercent(share);
}

function renderExpectation(
  { at, predictions, truth }: Expectation,
  info: ModelInfo,
): TemplateResult {
  const items = predictions.map((prediction) => ({
    label: predictionLabel(prediction, at, info),
    value: prediction.probability,
    text: formatPercent(prediction.probability),
    marked: prediction.id === truth?.id,
  }));
  return html`<headscope-bars .heading=${message(truth ? "fill.title" : "inspect.next", { token: tokenLabel(at) })} .max=${1} .items=${items}></headscope-bars>
    ${truth ? html`<p class="small muted">${message("fill.true", { token: tokenLabel(at), share: sharePercent(truth.probability) })}</p>` : nothing}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-predictions": HeadscopePredictions;
  }
}
