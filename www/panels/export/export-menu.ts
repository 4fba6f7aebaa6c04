import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import type { Printable } from "../../elements/shared/figure.js";
import type { PairPart } from "./pictures.js";
import { Later } from "../../ui/lazy.js";
import { PagePart } from "../../ui/page-part.js";
import { Popover } from "../../ui/popover.js";

const ROOM = 384;

const SHEET = new Later(
  () => import("./export-sheet.js"),
  "export",
  "notices",
  "pairs",
  "pictures",
  "steps",
);

/** A button with the export sheet below it, which is loaded when it is first opened. */
@customElement("headscope-export-menu")
export class HeadscopeExportMenu extends PagePart {
  static override styles = css`
    :host {
      display: inline-block;
    }
    /* Every keystroke makes it wait a moment; only a long wait is worth showing. */
    .open:disabled {
      transition: opacity 0s 0.6s;
    }
  `;

  /** Finds the figure on the screen; in a comparison, one of both runs' or all together. */
  @property({ attribute: false }) figure: (part: PairPart) => Printable | null = () => null;

  /** Whether there is anything to save. */
  @property({ type: Boolean }) ready = false;

  private opened = false;
  private readonly sheet = new Popover(this, 320);

  override render(): TemplateResult {
    const { expanded } = this.sheet;
    this.opened ||= expanded;
    const content = (): TemplateResult =>
      html`<headscope-export-sheet
        .figure=${this.figure}
        .open=${expanded}
      ></headscope-export-sheet>`;
    return html`
      <button
        class="open muted"
        popovertarget="menu"
        aria-haspopup="dialog"
        aria-expanded=${expanded}
        ?disabled=${!this.ready}
      >
        ${message("export.open")}
      </button>
      <div id="menu" class="menu" popover role="dialog" aria-label=${message("export.label")}>
        ${this.opened ? SHEET.show(this, content, ROOM) : nothing}
      </div>
    `;
  }
}
