import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { loadSentences, message } from "../../i18n/index.js";
import type { Printable } from "../../elements/shared/scene.js";
import type { PairPart } from "../export/pictures.js";
import type { ExportSubject } from "../export/subject.js";
import { Later } from "../../ui/lazy.js";
import type { HeadscopeExportSheet } from "./export-sheet.js";
import { PagePart } from "../../ui/page-part.js";
import { keepInside, placeUnder } from "../../ui/popover.js";
import { sheetStyles } from "./sheet-styles.js";
import { partStyles } from "../../ui/base-styles.js";

const WIDTH = 320;
/** About the height of what is in it. */
const ROOM = 384;

const SHEET = new Later(() =>
  Promise.all([import("./export-sheet.js"), loadSentences("export", "pairs")]),
);

/** A button, and under it what can be saved, which is fetched when it is first opened. */
@customElement("headscope-export-menu")
export class HeadscopeExportMenu extends PagePart {
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
    width: min(320px, calc(100vw - 32px));
    max-height: calc(100dvh - 32px);
    padding: 16px;
    overflow: auto;
  }
`,
  ];

  /** Null while there is nothing that could be saved. */
  @property({ attribute: false }) subject: ExportSubject | null = null;
  /** Finds the figure that is on the screen; of two runs, one of theirs or all together. */
  @property({ attribute: false }) figure: (part: PairPart) => Printable | null = () => null;
  @property({ type: Boolean }) linkCopied = false;

  @state() private expanded = false;
  @query(".open") private readonly button!: HTMLElement;
  @query(".menu") private readonly menu!: HTMLElement;
  @query("headscope-export-sheet") private readonly sheet!: HeadscopeExportSheet | null;

  /** Whether it was ever opened: nothing is fetched for those who never do. */
  private wanted = false;
  /** Whether the sheet has been given its place since it was opened. */
  private settled = false;

  /** The button that the menu hangs under, and that has the keyboard again when it closes. */
  private opener: Element | null = null;

  /** Opens the menu under a button elsewhere on the page. */
  open(under: Element): void {
    if (this.subject === null) return;
    this.opener = under;
    this.menu.showPopover();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("expanded")) this.settled = false;
    this.wanted ||= this.expanded;
  }

  override render(): TemplateResult {
    return html`
      <button class="open" popovertarget="menu" aria-haspopup="dialog" aria-expanded=${this.expanded} ?disabled=${this.subject === null}>
        ${message("export.open")}
      </button>
      <div id="menu" class="menu" popover role="dialog" aria-label=${message("export.label")} @beforetoggle=${this.opening} @toggle=${this.toggled} @focusout=${this.left} @keydown=${this.pressed}>
        ${this.wanted ? SHEET.show(this, () => this.renderSheet(), ROOM) : nothing}
      </div>
    `;
  }

  private renderSheet(): TemplateResult {
    return html`<headscope-export-sheet .open=${this.expanded} .subject=${this.subject} .figure=${this.figure} .linkCopied=${this.linkCopied}></headscope-export-sheet>`;
  }

  protected override updated(): void {
    const { sheet, expanded } = this;
    if (!sheet || !expanded || this.settled || !this.subject || !this.menu.matches(":popover-open"))
      return;
    this.settled = true;
    void sheet.updateComplete.then(() => {
      keepInside(this.menu);
      sheet.focus();
    });
  }

  private readonly opening = (event: Event): void => {
    if (!(event instanceof ToggleEvent) || event.newState !== "open") return;
    // The contents are drawn only now; how high they are is known when it is open.
    this.expanded = true;
    placeUnder(this.opener ?? this.button, this.menu, WIDTH);
  };

  private readonly toggled = (event: Event): void => {
    this.expanded = event instanceof ToggleEvent && event.newState === "open";
    if (this.expanded) this.requestUpdate();
    else this.opener = null;
  };

  /** The keyboard went on to the page behind. */
  private readonly left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && !this.renderRoot.contains(relatedTarget))
      this.menu.hidePopover();
  };

  /** No key in here is meant for the page; Escape closes and takes the keyboard back to the button. */
  private readonly pressed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== "Escape") return;
    event.preventDefault();
    const opener = this.opener ?? this.button;
    this.menu.hidePopover();
    if (opener instanceof HTMLElement) opener.focus();
  };
}
