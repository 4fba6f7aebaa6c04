import { html, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import { sentenceOf } from "../run/failures.js";
import { asFailure } from "../run/failures.js";

/** What failed on the bench, in the page's words: no text is too long for it, and no folder is to blame. */
export function failedWords(thrown: unknown): string {
  return sentenceOf(asFailure(thrown), { maxTokens: 0, showsEarlierText: false, ownFolder: false });
}

/** That the engine, or its GPU, stopped over a long piece of work, and what is left of that. */
export function crashedWords(crash: unknown, begun: boolean): string {
  const key = asFailure(crash).code === "gpu/lost" ? "bench.gpuLost" : "bench.crashed";
  return message(begun ? `${key}.kept` : key);
}

/** What failed, with its code; `sentence` where whoever shows it has one that says more of what to do. */
export function renderFailed(thrown: unknown, sentence = failedWords(thrown)): TemplateResult {
  return renderCoded({ sentence, code: asFailure(thrown).code });
}

/** A sentence with a code that is the same in every language. */
export function renderCoded({
  sentence,
  code,
}: {
  sentence: string;
  code: string;
}): TemplateResult {
  return html`${sentence} <code class="small muted">${code}</code>`;
}
