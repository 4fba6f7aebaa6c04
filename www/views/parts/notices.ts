import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { RunProgress } from "../../headscope.js";
import { formatBytes, message, type MessageKey } from "../../i18n/index.js";
import { modelLabel } from "../models.js";
import type { Command } from "../run/notices.js";
import { SessionPart } from "../session.js";

const RETRY_LABELS: Readonly<Partial<Record<Command, MessageKey>>> = {
  "load-model": "load.again",
  undo: "load.back",
};

@customElement("headscope-notices")
export class HeadscopeNotices extends SessionPart {
  static override styles = css`
    .band {
      --_band: 8px;
      background: var(--_chip);
    }
  `;

  protected override readonly turn = 0;

  override render(): TemplateResult {
    const { computation, notices } = this.session;
    return html`
      ${this.renderProgress()}
      <div role="status" aria-label=${message("notice.label")}>
        ${computation.stopped ? html`<div class="band inline"><p>${message("run.stopped")}</p>${this.button("run-again", message("run.again"))}</div>` : nothing}
        ${notices.list.map(
          ({ key, values, names = {}, code, action }) =>
            html`<div class="band inline">
              <p>${message(key, { ...values, ...Object.fromEntries(Object.entries(names).map(([name, own]) => [name, message(own)])) })}${code === undefined ? nothing : html` <code class="small muted">${code}</code>`}</p>
              ${action ? this.button(action.command, message(action.label)) : nothing}
              <button class="act" @click=${() => notices.take(key)}>${message("notice.dismiss")}</button>
            </div>`,
        )}
      </div>
      <div role="alert">${this.renderFailure()}</div>
    `;
  }

  private button(name: Command, label: string): TemplateResult {
    return html`<button class="act" @click=${() => this.session.command(name)}>${label}</button>`;
  }

  /** Outside the live region, which would read every step aloud. */
  private renderProgress(): TemplateResult | typeof nothing {
    const { slow, progress, stopped } = this.session.computation;
    if (!slow || stopped || !progress) return nothing;
    const { done, total } = progress;
    const steps = message("run.progress", { done, total });
    return html`<div class="band inline">
      <p>${this.layerOf(progress) ?? steps}</p>
      <progress max=${total} value=${done} aria-label=${steps}></progress>
      ${this.button("stop-run", message("run.stop"))}
    </div>`;
  }

  /** Which layer is being computed, while a text is read: of one that is written, every token goes through all. */
  private layerOf({ at, generated }: RunProgress): string | null {
    const layers = at && this.session.sizes[at.stack]?.layers;
    return at && layers && generated === 0
      ? message("run.layer", { stack: message(`stack.${at.stack}`), layer: at.layer + 1, layers })
      : null;
  }

  private renderFailure(): TemplateResult | typeof nothing {
    const { failure, back } = this.session;
    if (!failure) return nothing;
    const { sentence, code, retry } = failure;
    return html`<div class="band inline failure">
      <p>${sentence} <code class="small muted">${code}</code></p>
      ${retry ? this.button(retry, message(RETRY_LABELS[retry] ?? "run.again")) : nothing}
      ${retry === "load-model" && back !== null ? html`<button class="act" @click=${() => this.session.goBack()}>${message("load.backTo", { model: modelLabel(back) })}</button>` : nothing}
    </div>`;
  }
}

/** The progress of the model's download, in the place of its first picture. */
@customElement("headscope-download-status")
export class HeadscopeDownloadStatus extends SessionPart {
  static override styles = css`
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
    }
  `;

  /** Whether it is one line above another picture. */
  @property({ type: Boolean }) thin = false;

  override render(): TemplateResult | typeof nothing {
    const { download } = this.session.computation;
    if (download.phase === "loading")
      return this.renderBytes(download.loadedBytes, download.totalBytes);
    if (download.phase === "cancelled")
      return html`<div role="status">
          <p>${message("load.cancelled")}</p>
          <button class="act" @click=${() => this.session.command("load-model")}>${message("load.again")}</button>
        </div>`;
    return nothing;
  }

  private renderBytes(loadedBytes: number, totalBytes: number | null): TemplateResult {
    const loaded = formatBytes(loadedBytes);
    const bytes =
      totalBytes === null
        ? loaded
        : message("load.bytes", { loaded, total: formatBytes(totalBytes) });
    const bar = html`<progress max=${totalBytes ?? nothing} value=${totalBytes === null ? nothing : loadedBytes} aria-label=${message("load.model")} title=${bytes}></progress>`;
    const cancel = html`<button class="act" @click=${() => this.session.command("cancel-download")}>${message("load.cancel")}</button>`;
    if (this.thin) return html`<div class="thin">${bar}${cancel}</div>`;
    return html`<div>
      <p>${message("load.model")}</p>
      ${bar}
      <p class="muted">${bytes}</p>
      ${cancel}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-download-status": HeadscopeDownloadStatus;
  }
}
