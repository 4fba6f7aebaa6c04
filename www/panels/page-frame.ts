import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import { renderDetails } from "../elements/shared/templates.js";
import { filesOf } from "../session/models/picked-files.js";
import { SessionPart } from "../session/session.js";

/**
 * The footer: the kernel in use, the computed work, and the promises: no data leaves the page, and
 * it opens again offline.
 */
@customElement("headscope-page-footer")
export class HeadscopePageFooter extends SessionPart {
  static override styles = css`
    .band {
      --_band: 12px 20px;
      border: solid var(--_line);
      border-width: 1px 0 0;
    }
    @container (max-width: 820px) {
      .end {
        margin-left: 0;
      }
    }
  `;

  override render(): TemplateResult {
    const { info, executed, opensOffline } = this.session;
    const { blocks = 0, reusedBlocks: reused = 0, reusedTokens: tokens = 0 } = executed ?? {};
    // In a text that continues, the earlier tokens are reused in every layer, and no layer as a
    // whole.
    const goesOn = reused === 0 && tokens > 0;
    return html`<footer class="band inline small muted">
      ${
        info?.kernel
          ? renderDetails(
              html`<span>${message("foot.kernel", { kernel: info.kernel })}</span>${
                  executed
                    ? html` ·
                        <span class="executed"
                          >${message(goesOn ? "foot.executedKept" : "foot.executed", {
                            blocks,
                            reused,
                            tokens,
                          })}</span
                        >`
                    : nothing
                }`,
            )
          : nothing
      }
      <span class="private end"
        >${message("foot.private")}${
          opensOffline ? html` <span role="status">${message("foot.offline")}</span>` : nothing
        }</span
      >
    </footer>`;
  }
}

const DRAGS = ["dragover", "dragleave", "drop"] as const;

/**
 * Opens a model's folder, a saved page, a study, a text or an image that is dropped anywhere, and
 * shows a target while files are dragged over the page. A text that is dropped on the heads is not
 * the model's next text: its lines are studied for those that are typical of each head.
 */
@customElement("headscope-drop-target")
export class HeadscopeDropTarget extends SessionPart implements EventListenerObject {
  static override styles = css`
    p[popover] {
      /*
       * In the top layer: the page around it is measured by itself, and what is fixed in it may not
       * be so to the window.
       */
      inset: 16px;
      display: grid;
      width: auto;
      max-height: none;
      height: auto;
      place-content: center;
      border: 2px dashed var(--_accent);
      opacity: 0.94;
      font: 400 24px/1.35 var(--headscope-font-text);
      text-align: center;
      pointer-events: none;
    }
  `;

  @state() private offered = false;

  override connectedCallback(): void {
    super.connectedCallback();
    for (const type of DRAGS) window.addEventListener(type, this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const type of DRAGS) window.removeEventListener(type, this);
  }

  override render(): TemplateResult | typeof nothing {
    return this.offered ? html`<p popover="manual">${message("model.drop")}</p>` : nothing;
  }

  protected override updated(): void {
    this.renderRoot.querySelector("p")?.showPopover();
  }

  handleEvent(event: DragEvent): void {
    const { dataTransfer, relatedTarget, type } = event;
    // Text that is dragged into the sentence is left to the page.
    const files = dataTransfer?.types.includes("Files") ?? false;
    // Moving from one element to another inside the page is not leaving the page.
    if (type === "dragleave") this.offered &&= relatedTarget !== null;
    else this.offered = files && type === "dragover";
    if (!files || type === "dragleave") return;
    event.preventDefault();
    if (type === "drop") void this.take(event);
  }

  private async take(event: DragEvent): Promise<void> {
    // A text or a link may be dropped too.
    const hasFiles = [...(event.dataTransfer?.items ?? [])].some(({ kind }) => kind === "file");
    const isOnHeads = event
      .composedPath()
      .some((one) => (one as Element).localName === "headscope-heads-panel");
    const files = await filesOf(event);
    const { pageFile, studyFile, textFile } = await import("../session/models/picked-folder.js");
    const { session } = this;
    const [first] = files;
    const page = pageFile(files);
    const text = textFile(files);
    if (first?.type.startsWith("image/")) void session.openImage(first);
    else if (studyFile(files)) void session.openPicked(files);
    else if (text) void (isOnHeads ? session.study("compute", text) : session.openText(text));
    else if (page) void session.links.openFile(page);
    else if (hasFiles) void session.openPicked(files);
  }
}
