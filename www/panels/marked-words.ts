import { html, type TemplateResult } from "lit";
import { changedWords } from "../session/changed-words.js";

/** The words of a text; those that the other text lacks are marked. */
export function markedWords(text: string, other: string): TemplateResult {
  const words = changedWords(text, other);
  if (words.length === 0) return html`<span class="muted">–</span>`;
  return html`<bdi
    >${words.map(({ text: word, changed }) =>
      changed ? html`<mark>${word}</mark> ` : html`${word} `,
    )}</bdi
  >`;
}
