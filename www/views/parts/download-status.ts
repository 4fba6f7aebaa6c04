import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { formatBytes, message } from "../../i18n/index.js";
import type { Download } from "../run/download.js";
import { command } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles, progressStyles } from "../../ui/base-styles.js";

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

      /* One line, in the place of another: the bar lies under its words. */
      .thin {
        display: block;
        min-height: 0;
      }

      .thin progress {
        position: absolute;
        inset: auto 0 -6px;
        max-width: none;
        height: 3px;
      }

      .thin button {
        margin: -6px;
        padding: 6px;
        font-size: 12px;
        font-weight: 400;
      }
    `,
  ];

  @property({ attribute: false }) download: Download = { phase: "ready" };
  /** Whether it stands in a line of the page, whose place something else has. */
  @property({ type: Boolean }) thin = false;

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
    const bytes =
      totalBytes === null
        ? loaded
        : message("load.bytes", { loaded, total: formatBytes(totalBytes) });
    const bar = html`<progress max=${totalBytes ?? nothing} value=${totalBytes === null ? nothing : loadedBytes} aria-label=${message("load.model")} title=${bytes}></progress>`;
    const cancel = html`<button @click=${() => command(this, "cancel-download")}>${message("load.cancel")}</button>`;
    if (this.thin) return html`<div class="thin">${bar}${cancel}</div>`;
    return html`<div>
      <p>${message("load.model")}</p>
      ${bar}
      <p class="muted numbers">${bytes}</p>
      ${cancel}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-download-status": HeadscopeDownloadStatus;
  }
}
