/** What edits change in what the model writes, and in the likeliest tokens. */
import { html, nothing, type TemplateResult } from "lit";
import { message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { markedWords } from "./marked-words.js";
import "./output-ribbon.js";

/** Renders what the model writes with the edits and without them, and the likeliest tokens. */
export function renderEffect({
  computation,
  pairs,
  info,
}: Pick<Session, "computation" | "pairs" | "info">): TemplateResult | typeof nothing {
  const { output, unedited } = computation;
  const expectation = pairs?.changes?.expectation ?? null;
  const texts = output !== null && output.of === unedited?.of;
  if (!texts && expectation === null) return nothing;
  return html`<div class="effect">
    ${texts ? renderOutputs(output.words, unedited.words) : nothing}
    ${
      expectation
        ? html`<headscope-output-ribbon
            .changes=${expectation}
            .info=${info}
          ></headscope-output-ribbon>`
        : nothing
    }
  </div>`;
}

/** Renders the output with the edits beside that without them; each marks the words of its own. */
function renderOutputs(edited: string, unedited: string): TemplateResult {
  const same = edited === unedited;
  const line = (name: "edited" | "unedited", own: string, other: string): TemplateResult =>
    html`<p class="sentence ${name}">
      <span class="small muted">${message(`text.${name}`)}</span>
      ${own.trim() === "" ? message("go.nothing") : markedWords(own, other)}
    </p>`;
  return html`<div class="outputs" role="status">
    ${line("edited", edited, unedited)}
    ${
      same
        ? html`<p class="small muted">${message("text.unchanged")}</p>`
        : line("unedited", unedited, edited)
    }
  </div>`;
}
