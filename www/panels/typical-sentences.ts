/** The held-out sentences on which a head plays its role most, and those on which it deviates. */
import { html, nothing, type TemplateResult } from "lit";
import type { HeldOutSentence, TypicalSentences } from "../data/index.js";
import { message } from "../i18n/index.js";
import { scoreWords } from "../session/run/head-order.js";

/** Both lists, each sentence a button that gives its text to `load`. */
export function typicalSentences(
  { role, most, least }: TypicalSentences,
  sentences: readonly HeldOutSentence[],
  load: (text: string) => void,
): TemplateResult {
  const item = ([index, score]: (typeof most)[number]): TemplateResult | typeof nothing => {
    const { text } = sentences[index] ?? {};
    if (text === undefined) return nothing;
    return html`<li>
      <button @click=${() => load(text)}>
        <bdi>${text}</bdi>
        <span data-score>${scoreWords(score)}</span>
      </button>
    </li>`;
  };
  const list = (key: "typical.most" | "typical.least", of: typeof most): TemplateResult =>
    html`<p class="muted">${message(key, { role: message(`role.${role}`) })}</p>
      <ol>
        ${of.map(item)}
      </ol>`;
  return html`${list("typical.most", most)}${list("typical.least", least)}
    <p class="muted">${message("typical.hint", { role: message(`role.${role}`) })}</p>`;
}
