import { html, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import { isBlank } from "../run/computation.js";
import { asFailure, sentenceOf } from "../run/failures.js";

/** Why something is refused, with a code that is the same in every language. */
export interface Refusal {
  sentence: string;
  code: string;
}

/** What failed on the bench, in the page's words: no text is too long for it, and no folder is to blame. */
export function failedWords(thrown: unknown): string {
  return sentenceOf(asFailure(thrown));
}

/** The engine, or its GPU, stopped during long work; `begun` says that a part is done. */
export function crashedWords(crash: unknown, begun: boolean): string {
  const key = asFailure(crash).code === "gpu/lost" ? "bench.gpuLost" : "bench.crashed";
  return message(begun ? `${key}.kept` : key);
}

/** A failure with its code, by default in the words of the page. */
export function renderFailed(thrown: unknown, sentence = failedWords(thrown)): TemplateResult {
  return renderCoded({ sentence, code: asFailure(thrown).code });
}

export function renderCoded({ sentence, code }: Refusal): TemplateResult {
  return html`${sentence} <code class="small muted">${code}</code>`;
}

/** In place of a bench without a run: a sentence has to be typed, or the model has not read it yet. */
export function renderNoRun(
  text: string,
  noText: "rule.noText" | "at.noText" = "rule.noText",
): TemplateResult {
  return html`<p class="muted">${message(isBlank(text) ? noText : "rule.unread")}</p>`;
}
