import { css, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { RunProgress } from "../headscope.js";
import {
  formatBytes,
  formatSeconds,
  message,
  type MessageKey,
  wantSentences,
} from "../i18n/index.js";
import { renderDetails } from "../elements/shared/templates.js";
import { modelLabel } from "../session/models/models.js";
import { Later } from "../ui/lazy.js";
import type { Command } from "../session/run/notices.js";
import { type Session, SessionPart } from "../session/session.js";
import styles from "./download.css?inline";

const RETRY_LABELS: Readonly<Partial<Record<Command, MessageKey>>> = {
  "load-model": "load.again",
  undo: "load.back",
  "shorten-text": "text.useFirst",
};

const QUESTION = new Later(() => import("./model-question.js"), "hub", "notices");
/** The height of a question on a wide page. */
const QUESTION_HEIGHT = 72;

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
    const { session } = this;
    const { computation, notices, back } = session;
    // A training stands in the place of a model that could not be read.
    const failure = session.state.training === null ? session.failure : null;
    const { slow, progress, stopped, silence } = computation;
    const button = (name: Command, label: MessageKey): TemplateResult =>
      html`<button class="act" @click=${() => session.command(name)}>${message(label)}</button>`;
    // One that cannot be said has its code.
    const worded =
      notices.list.length > 0 && wantSentences("notices") === false ? [] : notices.list;
    // Outside the live regions, which would read every step aloud.
    return html`
      ${
        slow && !stopped && progress
          ? this.renderProgress(progress, button("stop-run", "run.stop"))
          : nothing
      }
      ${session.opening ? renderOpening(session.opening) : nothing}
      ${session.models.consent.asked.map((model) =>
        QUESTION.show(
          this,
          () => html`<headscope-model-question .model=${model}></headscope-model-question>`,
          QUESTION_HEIGHT,
        ),
      )}
      <div role="status" aria-label=${message("notice.label")}>
        ${
          silence.state
            ? html`<div class="band inline">
                <p>${message(`run.${silence.state}`)}</p>
                ${silence.state === "lost" ? button("load-model", "run.restart") : nothing}
              </div>`
            : nothing
        }
        ${
          stopped
            ? html`<div class="band inline">
                <p>${message("run.stopped")}</p>
                ${button("run-again", "run.again")}
              </div>`
            : nothing
        }
        ${worded.map(
          ({ key, values, names = {}, code, action }) =>
            html`<div class="band inline">
              <p>
                ${message(key, {
                  ...values,
                  ...Object.fromEntries(
                    Object.entries(names).map(([name, own]) => [name, message(own)]),
                  ),
                })}${code === undefined ? nothing : renderDetails(html`<code>${code}</code>`)}
              </p>
              ${action ? button(action.command, action.label) : nothing}
              <button class="act" @click=${() => notices.remove(key)}>
                ${message("notice.dismiss")}
              </button>
            </div>`,
        )}
      </div>
      <div role="alert">
        ${
          failure
            ? html`<div class="band inline failure">
                <p>${failure.sentence} ${renderDetails(html`<code>${failure.code}</code>`)}</p>
                ${
                  failure.retry
                    ? button(failure.retry, RETRY_LABELS[failure.retry] ?? "run.again")
                    : nothing
                }
                ${
                  failure.retry === "load-model" && back !== null
                    ? html`<button class="act" @click=${() => session.goBack()}>
                        ${message("load.backTo", { model: modelLabel(back) })}
                      </button>`
                    : nothing
                }
              </div>`
            : nothing
        }
      </div>
    `;
  }

  /**
   * Renders the progress, with the layer while a text is read; each generated token passes all
   * layers.
   */
  private renderProgress(
    { at, generated, done, total }: RunProgress,
    stop: TemplateResult,
  ): TemplateResult {
    const steps = message("run.progress", { done, total });
    const layers = at && generated === 0 ? this.session.sizes[at.stack]?.layers : null;
    const words =
      at && layers
        ? message("run.layer", { stack: message(`stack.${at.stack}`), layer: at.layer + 1, layers })
        : steps;
    return html`<div class="band inline">
      <p>${words}</p>
      <progress max=${total} value=${done} aria-label=${steps}></progress>
      ${stop}
    </div>`;
  }
}

/** Renders what is being read of a folder beside the model in use. */
function renderOpening({
  name,
  reading,
  download,
}: NonNullable<Session["opening"]>): TemplateResult {
  const {
    file = "",
    loadedBytes = 0,
    totalBytes = null,
  } = download.phase === "loading" ? download : {};
  const words = message("load.reading", { name, file, loaded: formatBytes(loadedBytes) });
  return html`<div class="band inline">
    <p>${words}</p>
    <progress
      max=${totalBytes ?? nothing}
      value=${totalBytes === null ? nothing : loadedBytes}
      aria-label=${message("load.model")}
    ></progress>
    <button class="act" @click=${() => reading.abort()}>${message("load.cancel")}</button>
  </div>`;
}

/** The progress of the model's download, in place of its first picture. */
@customElement("headscope-download-status")
export class HeadscopeDownloadStatus extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** Whether the progress is one line above another picture. */
  @property({ type: Boolean }) thin = false;

  override render(): TemplateResult | typeof nothing {
    const { session, thin } = this;
    const { download } = session.computation;
    const button = (name: Command, label: MessageKey): TemplateResult =>
      html`<button class="act" @click=${() => session.command(name)}>${message(label)}</button>`;
    if (download.phase === "cancelled")
      return html`<div role="status">
        <p>${message("load.cancelled")}</p>
        ${button("load-model", "load.again")}
      </div>`;
    if (download.phase !== "loading") return nothing;
    const { loadedBytes, totalBytes: total, bytesPerSecond: rate = 0, waitSeconds } = download;
    const { waitsForPage = false } = download;
    const loaded = formatBytes(loadedBytes);
    const bytes = [
      total === null ? loaded : message("load.bytes", { loaded, total: formatBytes(total) }),
      ...(rate > 0 ? [message("load.rate", { rate: formatBytes(rate) })] : []),
      ...(rate > 0 && total !== null
        ? [message("load.left", { time: formatSeconds((total - loadedBytes) / rate) })]
        : []),
    ].join(" · ");
    return html`<div class=${thin ? "thin" : ""}>
      ${thin ? nothing : html`<p>${message("load.model")}</p>`}
      <progress
        max=${total ?? nothing}
        value=${total === null ? nothing : loadedBytes}
        aria-label=${message("load.model")}
        title=${bytes}
      ></progress>
      ${
        thin || (total === null && loadedBytes === 0)
          ? nothing
          : html`<p class="muted">${download.file ? `${download.file} · ${bytes}` : bytes}</p>`
      }
      ${waitsForPage ? html`<p>${message("load.waitsForPage")}</p>` : nothing}
      ${
        waitSeconds === undefined
          ? nothing
          : html`<p>${message("load.waits", { time: formatSeconds(waitSeconds) })}</p>`
      }
      ${button("cancel-download", "load.cancel")}
    </div>`;
  }
}
