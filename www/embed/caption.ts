import { html, render, type ReactiveElement } from "lit";
import { sheetOf } from "./notice.js";

const CSS = `
  .about {
    max-width: 80ch;
    margin: 8px 0 0;
    color: var(--_muted);
    font-size: 13px;
  }
`;

/** The attribute of a figure that works alone for its caption. */
export const CAPTION = "caption";
/** The height of a caption of one line, with its distance from the picture. */
export const CAPTION_HEIGHT = 27;

/**
 * The caption under a figure that works alone: the words of its attribute `caption`, or, where that
 * is empty, what the figure shows. A figure without the attribute has none.
 */
export class Caption {
  private readonly place = document.createElement("div");
  private shown = false;

  constructor(private readonly host: ReactiveElement) {}

  /** Shows the caption; `about` says what the figure shows, null without a picture. */
  show(about: string | null): void {
    const own = about === null ? null : this.host.getAttribute(CAPTION);
    const words = own?.trim() === "" ? about : own;
    this.attach();
    render(words === null ? null : html`<p class="about" part="caption">${words}</p>`, this.place);
  }

  /** Puts the caption back under the picture, where an update of the figure has removed it. */
  keep(): void {
    if (this.shown && this.place.parentNode === null) this.host.renderRoot.append(this.place);
  }

  private attach(): void {
    const root = this.host.renderRoot;
    if (!(root instanceof ShadowRoot) || this.shown) return;
    this.shown = true;
    root.append(this.place);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(CSS)];
  }
}
