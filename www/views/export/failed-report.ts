import { html, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import { sentenceOf } from "../explorer/failure-words.js";
import { asFailure } from "../run/failures.js";

/** What there is to say of a file that could not be made, with the code of what failed. */
export function failedReport(thrown: unknown): TemplateResult {
  const failure = asFailure(thrown);
  const sentence = sentenceOf(failure, { maxTokens: 0, showsEarlierText: false, ownFolder: false });
  return html`${message("export.failed", { message: sentence })} <code>${failure.code}</code>`;
}
