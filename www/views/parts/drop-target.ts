import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { droppedFiles, modelFolder, pageFile } from "../run/picked-folder.js";
import { openFolder, openPage } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/**
 * Takes in a model's folder or a saved page that is dropped anywhere, and says so while one is held over the page. Fires
 * `headscope-folder` or `headscope-page-file`.
 */
@customElement("headscope-drop-target")
export class HeadscopeDropTarget extends PagePart {
  static override styles = [
    partStyles,
    css`
      p {
        /* In the top layer: the page around it is measured by itself, and what is fixed in it may not be so to the window. */
        inset: 16px;
        display: grid;
        width: auto;
        height: auto;
        margin: 0;
        color: inherit;
        place-content: center;
        border: 2px dashed var(--headscope-accent);
        border-radius: 8px;
        background: var(--headscope-paper);
        opacity: 0.94;
        font: 400 24px/1.35 var(--headscope-font-text);
        text-align: center;
        pointer-events: none;
      }
    `,
  ];

  /** Whether files are held over the page. */
  @state() private offered = false;

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("dragover", this.over);
    window.addEventListener("dragleave", this.left);
    window.addEventListener("drop", this.dropped);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("dragover", this.over);
    window.removeEventListener("dragleave", this.left);
    window.removeEventListener("drop", this.dropped);
  }

  override render(): TemplateResult | typeof nothing {
    return this.offered ? html`<p popover="manual">${message("model.drop")}</p>` : nothing;
  }

  protected override updated(): void {
    this.renderRoot.querySelector("p")?.showPopover();
  }

  private readonly over = (event: DragEvent): void => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    this.offered = true;
  };

  private readonly left = (event: DragEvent): void => {
    // Leaving one element for another inside the page is not leaving the page.
    if (event.relatedTarget === null) this.offered = false;
  };

  private readonly dropped = (event: DragEvent): void => {
    this.offered = false;
    if (!event.dataTransfer || !carriesFiles(event)) return;
    event.preventDefault();
    void this.take(event.dataTransfer);
  };

  private async take(transfer: DataTransfer): Promise<void> {
    const files = await droppedFiles(transfer);
    const page = pageFile(files);
    const folder = modelFolder(files);
    if (page) openPage(this, page);
    else if (folder) openFolder(this, folder);
  }
}

/** Text that is dragged into the sentence is none of our business. */
function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-drop-target": HeadscopeDropTarget;
  }
}
