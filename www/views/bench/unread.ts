import { html, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import { isBlank } from "../run/computation.js";

/**
 * What stands in the place of a bench that has no run: without a sentence there will be none; with one it waits for the
 * model to read it, whether that is on its way or was stopped, which the page says elsewhere.
 */
export function renderUnread(
  text: string,
  noText: "rule.noText" | "at.noText" = "rule.noText",
): TemplateResult {
  return html`<p class="muted">${message(isBlank(text) ? noText : "rule.unread")}</p>`;
}
