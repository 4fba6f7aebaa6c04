import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { styled } from "../../elements/shared/styled.js";
import type { HeadscopeError } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { PagePart } from "../parts/page-part.js";
import { partStyles } from "../parts/styles.js";

/** The place of a part of the page that is on its way, or could not be fetched. */
@customElement("headscope-later-status")
export class HeadscopeLaterStatus extends PagePart {
  static override styles = [
    partStyles,
    css`
      .place {
        display: grid;
        place-content: center;
        justify-items: center;
        gap: 4px;
        padding: 8px 16px;
        text-align: center;
      }

      .place > * {
        max-width: 48ch;
      }

      /* What comes at once needs no words. */
      .coming {
        animation: appear 200ms 400ms both;
      }

      @keyframes appear {
        from {
          opacity: 0;
        }
      }

      @media (prefers-reduced-motion: reduce) {
        .coming {
          animation-duration: 1ms;
        }
      }

      button {
        color: var(--headscope-accent);
        font-weight: 600;
      }

      button[aria-disabled="true"] {
        color: var(--headscope-muted);
        cursor: default;
      }
    `,
  ];

  /** Null while it is on its way. */
  @property({ attribute: false }) failure: HeadscopeError | null = null;
  /** Tries once more. */
  @property({ attribute: false }) again: () => void = () => undefined;
  /** The height that is kept for it, so that nothing moves when it comes. */
  @property({ type: Number }) room = 0;

  /** Whether it was tried again: the button stays, and with it the keyboard, until something comes of it. */
  @state() private tried = false;

  override render(): TemplateResult {
    const { failure, tried } = this;
    return html`<div class="place" style=${styled({ "min-height": `${Math.ceil(this.room)}px` })}>
      <div role="status">${failure ? nothing : html`<p class="coming small muted">${message("later.coming")}</p>`}</div>
      <div role="alert">${failure ? html`<p>${message("embed.unreached")} <code class="small muted">${failure.code}</code></p>` : nothing}</div>
      ${failure || tried ? html`<button aria-disabled=${failure === null} @click=${this.pressed}>${message("embed.again")}</button>` : nothing}
    </div>`;
  }

  private readonly pressed = (): void => {
    if (!this.failure) return;
    this.tried = true;
    this.again();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-later-status": HeadscopeLaterStatus;
  }
}
