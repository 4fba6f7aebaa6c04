import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { loadSentences, message } from "../../i18n/index.js";
import type { Printable } from "../../elements/shared/figure.js";
import type { PairPart } from "../export/pictures.js";
import { Later } from "../../ui/lazy.js";
import type { HeadscopeExportSheet } from "./export-sheet.js";
import { SessionPart } from "../session.js";
import { keepInside, Popover, sheetStyles } from "../../ui/popover.js";
import { partStyles } from "../../ui/base-styles.js";

const WIDTH = 320;
/** About the height of what is in it. */
const ROOM = 384;

const SHEET = new Later(() =>
  Promise.all([import("./export-sheet.js"), loadSentences("export", "pairs")]),
);

/** A button, and under it what can be saved, which is fetched when it is first opened. */
@customElement("headscope-export-menu")
export class HeadscopeExportMenu extends SessionPart {
  static override styles = [
    partStyles,
    sheetStyles,
    css`
      :host {
        display: inline-block;
      }

      .open {
        --_arrow: 5px;
        color: var(--headscope-muted);
        transition: none;
      }

      /* Every keystroke makes it wait a moment; only a long wait is worth showing. */
      .open:disabled {
        transition: opacity 0s 0.6s;
      }

      .menu {
        --_width: 320px;
        padding: 16px;
      }
    `,
  ];

  /** Finds the figure that is on the screen; of two runs, one of theirs or all together. */
  @property({ attribute: false }) figure: (part: PairPart) => Printable | null = () => null;

  @query(".menu") private readonly menu!: HTMLElement;
  @query("headscope-export-sheet") private readonly sheet!: HeadscopeExportSheet | null;
  protected override readonly turn = 0;
  private readonly sheetPopover = new Popover(this, WIDTH);
  /** Whether it was ever opened: before that nothing is fetched. */
  private wanted = false;
  /** Whether the sheet has been given its place since it was opened. */
  private settled = false;

  /** Opens the menu under a button elsewhere on the page. */
  open(under: Element): void {
    if (this.session.subject && under instanceof HTMLElement) this.sheetPopover.open(under);
  }

  override render(): TemplateResult {
    const { subject } = this.session;
    const { expanded } = this.sheetPopover;
    this.wanted ||= expanded;
    return html`
      <button class="open" popovertarget="menu" aria-haspopup="dialog" aria-expanded=${expanded} ?disabled=${subject === null}>
        ${message("export.open")}
      </button>
      <div id="menu" class="menu" popover role="dialog" aria-label=${message("export.label")}>
        ${this.wanted ? SHEET.show(this, () => html`<headscope-export-sheet .open=${expanded} .subject=${subject} .figure=${this.figure}></headscope-export-sheet>`, ROOM) : nothing}
      </div>
    `;
  }

  protected override updated(): void {
    const { sheet } = this;
    const { subject } = this.session;
    const { expanded } = this.sheetPopover;
    this.settled &&= expanded;
    if (!sheet || !expanded || this.settled || !subject) return;
    this.settled = true;
    // How high its contents are is known only now.
    void sheet.updateComplete.then(() => {
      keepInside(this.menu);
      sheet.focus();
    });
  }
}
