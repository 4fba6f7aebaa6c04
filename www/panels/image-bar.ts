/** The image that a model reads in place of a text: a part of the bar of the sentence. */
import { html, nothing, type TemplateResult } from "lit";
import { isolated } from "../data/index.js";
import { formatPercent, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";

const MAX_GUESSES = 3;

/** Renders the image, which the bar paints, what replaces it, and the model's classes for it. */
export function renderImage(session: Session): TemplateResult {
  const { predictions = [] } = session.expectation ?? {};
  const { isOwn } = session.shownImage;
  const classes = predictions
    .slice(0, MAX_GUESSES)
    .map(({ text, probability }) => `${isolated(text)} ${formatPercent(probability)}`);
  const take = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) void session.openImage(file);
    input.value = "";
  };
  const choose = ({ currentTarget }: Event): void =>
    ((currentTarget as Element).previousElementSibling as HTMLInputElement).click();
  return html`<canvas
      role="img"
      aria-label=${message(isOwn ? "image.label" : "image.sample")}
    ></canvas>
    <input type="file" accept="image/*" hidden @change=${take} />
    <button class="act" @click=${choose}>${message("image.choose")}</button>
    ${
      isOwn
        ? html`<button class="act" @click=${() => void session.openImage(null)}>
            ${message("image.sample")}
          </button>`
        : nothing
    }
    <span class="small muted">${message("image.drop")}</span>
    ${
      classes.length > 0
        ? html`<p class="guesses small muted narrow">
            ${message("image.classes")}: ${classes.join(" · ")}
          </p>`
        : nothing
    }`;
}
