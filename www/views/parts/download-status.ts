import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { formatBytes, message } from "../../i18n/index.js";
import type { Download } from "../run/computation.js";
import { command } from "./events.js";
import { PagePart } from "./page-part.js";
import { partStyles, progressStyles } from "./styles.js";

/** Where the model's download stands, in the place where its first picture will be. */
@customElement("headscope-download-status")
export class HeadscopeDownloadStatus extends PagePart {
  static override styles = [
    partStyles,
    progressStyles,
    css`
      div {
        display: grid;
        justify-items: start;
        align-content: center;
        gap: 12px;
        min-height: 320px;
        max-width: 320px;
        margin: 0 auto;
      }

      progress {
        width: 100%;
      }

      button {
        color: var(--headscope-accent);
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) download: Download = { phase: "ready" };

  override render(): TemplateResult | typeof nothing {
    const { download } = this;
    switch (download.phase) {
      case "loading":
        return this.renderBytes(download.loadedBytes, download.totalBytes);
      case "cancelled":
        return html`<div role="status">
          <p>${message("load.cancelled")}</p>
          <button @click=${() => command(this, "load-model")}>${message("load.again")}</button>
        </div>`;
      case "ready":
      case "failed":
        return nothing;
    }
  }

  private renderBytes(loadedBytes: number, totalBytes: number | null): TemplateResult {
    const loaded = formatBytes(loadedBytes);
    return html`<div>
      <p>${message("load.model")}</p>
      <progress max=${totalBytes ?? nothing} value=${totalBytes === null ? nothing : loadedBytes} aria-label=${message("load.model")}></progress>
      <p class="muted numbers">${totalBytes === null ? loaded : message("load.bytes", { loaded, total: formatBytes(totalBytes) })}</p>
      <button @click=${() => command(this, "cancel-download")}>${message("load.cancel")}</button>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-download-status": HeadscopeDownloadStatus;
  }
}
