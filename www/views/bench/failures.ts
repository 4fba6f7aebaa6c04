import { html, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import { renderDetails } from "../../elements/shared/templates.js";
import { isBlank } from "../run/computation.js";
import { asFailure, describeFailure, type Refusal } from "../run/failures.js";

export type { Refusal } from "../run/failures.js";

/** The engine, or its GPU, stopped during long work; `begun` says that a part is done. */
export function crashedWords(crash: unknown, begun: boolean): string {
  const key = asFailure(crash).code === "gpu/lost" ? "bench.gpuLost" : "bench.crashed";
  return message(begun ? `${key}.kept` : key);
}

/** A failure with its code, by default in the words of the page. */
export function renderFailed(thrown: unknown, sentence?: string): TemplateResult {
  return renderCoded({ ...describeFailure(thrown), ...(sentence !== undefined && { sentence }) });
}

export function renderCoded({ sentence, code }: Refusal): TemplateResult {
  return html`${sentence} ${renderDetails(html`<code>${code}</code>`)}`;
}

/** In place of a bench without a run: a sentence has to be typed, or the model has not read it yet. */
export function renderNoRun(
  text: string,
  noText: "rule.noText" | "at.noText" = "rule.noText",
): TemplateResult {
  return html`<p class="muted">${message(isBlank(text) ? noText : "rule.unread")}</p>`;
}
