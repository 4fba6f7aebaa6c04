import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { message, type MessageKey } from "../../i18n/index.js";
import type { State } from "../../state/index.js";
import { embedCode, type Embedded } from "../export/embed-code.js";
import { askSubject } from "../export/subject.js";
import { fittingState } from "../run/fitting.js";
import { copyFieldStyles } from "./copy-field-styles.js";
import { command } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** Copies the link to the page with its pictures, and the HTML that shows them in other pages; a browser that lets nobody copy shows it to be copied by hand. */
@customElement("headscope-embed-buttons")
export class HeadscopeEmbedButtons extends PagePart {
  static override styles = [
    partStyles,
    copyFieldStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }

      div {
        display: flex;
        flex-wrap: wrap;
        gap: 0 16px;
      }

      button:hover {
        text-decoration: underline;
        text-underline-offset: 3px;
      }

      textarea {
        margin-top: 4px;
      }

      p {
        overflow-wrap: anywhere;
      }
    `,
  ];

  /** What the pictures show; null while there is nothing. */
  @property({ attribute: false }) shown: State | null = null;
  /** What can be copied, each with the words of its button. */
  @property({ attribute: false }) kinds: readonly (readonly [kind: Embedded, label: MessageKey])[] =
    [];

  /** Whether the link was copied a moment ago; null where these buttons do not offer it. */
  @property({ attribute: false }) linkCopied: boolean | null = null;

  /** What became of the last code. */
  @state() private report: MessageKey | null = null;
  /** Code that could not be put where it can be pasted from. */
  @state() private code: string | null = null;

  override render(): TemplateResult | typeof nothing {
    if (!this.shown) return nothing;
    return html`<div>
        ${this.linkCopied === null ? nothing : html`<button @click=${() => command(this, "copy-link")}>${message(this.linkCopied ? "bar.linkCopied" : "bar.link")}</button>`}
        ${this.kinds.map(([kind, label]) => html`<button @click=${() => void this.copy(kind)}>${message(label)}</button>`)}
      </div>
      ${this.code === null ? nothing : html`<textarea class="small" readonly rows="5" aria-label=${message("embed.byHand")} .value=${this.code}></textarea>`}
      <p class="small muted" aria-live="polite">${this.report && message(this.report)}</p>`;
  }

  /** A figure refuses what its model and text do not have, which an explorer's State may hold for another model. */
  private fitting(kind: Embedded, state: State): State {
    const subject = kind === "explorer" ? null : askSubject(this);
    return subject ? fittingState(state, subject.info, subject.run) : state;
  }

  private async copy(kind: Embedded): Promise<void> {
    const code = this.shown && embedCode(kind, this.fitting(kind, this.shown));
    this.code = null;
    if (code === null) {
      this.report = "embed.ownModel";
      return;
    }
    try {
      await navigator.clipboard.writeText(code);
      this.report = "embed.copied";
    } catch {
      this.code = code;
      this.report = "embed.byHand";
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-embed-buttons": HeadscopeEmbedButtons;
  }
}
