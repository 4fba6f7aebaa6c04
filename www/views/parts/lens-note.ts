import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { tokenLabel } from "../../elements/shared/token-label.js";
import { formatPercent, message } from "../../i18n/index.js";
import type { Looked } from "../run/looked.js";
import { patch } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** What an attention sink is, where a head has one, and the offer to look at the other keys without it. */
@customElement("headscope-lens-note")
export class HeadscopeLensNote extends PagePart {
  static override styles = [
    partStyles,
    css`
      aside {
        max-width: 62ch;
        margin: 20px auto 0;
        padding-left: 16px;
        border-left: 2px solid var(--headscope-line);
      }

      button {
        margin-top: 4px;
        color: var(--headscope-accent);
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) looked: Looked | null = null;

  override render(): TemplateResult | typeof nothing {
    const { sink = null, lens, figures } = this.looked ?? {};
    const token = sink && figures?.keys[sink.key];
    if (!sink || !token || !lens?.weightsOnly) return nothing;
    const left = lens.withoutSink;
    return html`<aside class="small muted" aria-label=${message("sink.label")}>
      <p>${message("sink.what", { token: tokenLabel(token), share: formatPercent(sink.share, 0) })} ${message("sink.why")}</p>
      <button aria-pressed=${left} @click=${() => patch(this, { sink: left ? "kept" : "out" })}>${message("sink.without", { token: tokenLabel(token) })}</button>
    </aside>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lens-note": HeadscopeLensNote;
  }
}
