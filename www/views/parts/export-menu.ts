import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { StepTensor } from "../../data/index.js";
import { save } from "../../export/save.js";
import { formatBytes, message, type MessageKey } from "../../i18n/index.js";
import type { State } from "../../state/index.js";
import type { Embedded } from "../export/embed-code.js";
import { NUMBER_FORMATS, numbersFile, PAPERS, PICTURE_FORMATS, pictureFile, sizeOf, type NamedFile, type NumberFormat, type Paper, type PictureFormat, type Printable } from "../export/files.js";
import { GROUPS, type NumbersChoice } from "../export/choice.js";
import { numbersChoices, shownNumbers } from "../export/numbers.js";
import { PAIR_PARTS, partState, type PairPart } from "../export/pair-parts.js";
import type { ExportSubject } from "../export/subject.js";
import { isExpected } from "../run/failures.js";
import type { HeadFigures } from "../run/figures.js";
import "./choice.js";
import "./embed-buttons.js";
import { command } from "./events.js";
import { exportMenuStyles } from "./export-menu-styles.js";
import { PagePart } from "./page-part.js";
import { keepInside, placeUnder } from "./place-under.js";
import { sheetStyles } from "./sheet-styles.js";
import { partStyles } from "./styles.js";

const WIDTH = 320;
/** What can be put into other pages from here. */
const PICTURE: readonly (readonly [Embedded, MessageKey])[] = [["picture", "embed.copyPicture"]];
const EXPLORER: readonly (readonly [Embedded, MessageKey])[] = [["explorer", "embed.copyExplorer"]];
/** Files larger than this are announced. */
const LARGE_BYTES = 5_000_000;

/** A button, and under it what can be saved of the picture and of the numbers behind it. */
@customElement("headscope-export-menu")
export class HeadscopeExportMenu extends PagePart {
  static override styles = [partStyles, sheetStyles, exportMenuStyles];

  /** Null while there is nothing that could be saved. */
  @property({ attribute: false }) subject: ExportSubject | null = null;
  /** Finds the figure that is on the screen; of two runs, one of theirs or all together. */
  @property({ attribute: false }) figure: (part: PairPart) => Printable | null = () => null;
  @property({ type: Boolean }) linkCopied = false;

  @state() private expanded = false;
  @state() private paper: Paper = "white";
  /** Which of the pictures of two runs is saved. */
  @state() private pairPart: PairPart = "all";
  /** The numbers that were chosen since the menu was opened; without a choice, those of the picture. */
  @state() private chosen: string | null = null;
  /** What became of the files that were asked for last. */
  @state() private report = "";
  @query(".open") private readonly button!: HTMLElement;
  @query(".menu") private readonly menu!: HTMLElement;
  @query(".formats button") private readonly first!: HTMLElement | null;

  /** The matrices of the block, read when the menu is opened under a picture of them. */
  @state() private steps: { of: HeadFigures; read: StepTensor[] } | null = null;

  /** Files that the browser does not have yet, and what there is to say of one that it will never have. */
  private waiting = 0;
  private lost: string | null = null;

  /** The button that the menu hangs under, and that has the keyboard again when it closes. */
  private opener: Element | null = null;

  /** Opens the menu under a button elsewhere on the page. */
  open(under: Element): void {
    if (this.subject === null) return;
    this.opener = under;
    this.menu.showPopover();
  }

  override render(): TemplateResult {
    return html`
      <button class="open" popovertarget="menu" aria-haspopup="dialog" aria-expanded=${this.expanded} ?disabled=${this.subject === null}>
        ${message("export.open")}
      </button>
      <div id="menu" class="menu" popover role="dialog" aria-label=${message("export.label")} @beforetoggle=${this.opening} @toggle=${this.toggled} @focusout=${this.left} @keydown=${this.pressed}>
        ${this.expanded && this.subject ? this.renderMenu(this.subject) : nothing}
      </div>
    `;
  }

  private renderMenu(subject: ExportSubject): TemplateResult {
    const choices = this.choicesOf(subject);
    const chosen = this.chosenOf(choices, subject);
    return html`
      <h3>${message("export.picture")}</h3>
      ${subject.compared ? this.renderParts() : nothing}
      <div class="formats">
        ${PICTURE_FORMATS.map((format) => this.renderFormat(format, message("export.picture"), () => this.savePicture(format)))}
      </div>
      <headscope-choice
        .label=${message("export.paper")}
        .value=${this.paper}
        .choices=${PAPERS.map((paper) => ({ value: paper, label: message(`export.paper.${paper}`) }))}
        @headscope-choose=${this.choosePaper}
      ></headscope-choice>
      <h3 id="numbers">${message("export.numbers")}</h3>
      <select aria-label=${message("export.which")} @change=${this.chooseNumbers}>
        ${GROUPS.map((group) => this.renderGroup(this.groupLabel(group, subject), choices.filter((choice) => choice.group === group), chosen))}
      </select>
      ${chosen ? html`<p class="small muted">${this.describe(chosen)}</p>` : nothing}
      <div class="formats">
        ${NUMBER_FORMATS.map((format) => this.renderFormat(format, message("export.numbers"), () => this.saveNumbers(format)))}
      </div>
      <h3 class="share">${message("embed.share")}</h3>
      <div class="link">
        <button @click=${() => command(this, "copy-link")}>${message(this.linkCopied ? "bar.linkCopied" : "bar.link")}</button>
        <headscope-embed-buttons .shown=${this.pictured(subject)} .kinds=${PICTURE}></headscope-embed-buttons>
        <headscope-embed-buttons .shown=${subject.state} .kinds=${EXPLORER}></headscope-embed-buttons>
      </div>
      <p class="report small muted" role="status">${this.report}</p>
    `;
  }

  private renderParts(): TemplateResult {
    return html`<headscope-choice
      .label=${message("pairs.part")}
      .value=${this.pairPart}
      .choices=${PAIR_PARTS.map((part) => ({ value: part, label: message(part === "all" ? "pairs.part.all" : `pairs.${part}`) }))}
      @headscope-choose=${this.choosePart}
    ></headscope-choice>`;
  }

  private renderGroup(label: string, choices: readonly NumbersChoice[], chosen: NumbersChoice | undefined): TemplateResult | typeof nothing {
    if (choices.length === 0) return nothing;
    return html`<optgroup label=${label}>
      ${choices.map((choice) => html`<option value=${choice.id} .selected=${choice === chosen}>${choice.label}</option>`)}
    </optgroup>`;
  }

  private renderFormat(format: PictureFormat | NumberFormat, what: string, act: () => void): TemplateResult {
    const name = format === "npy" ? ".npy" : format.toUpperCase();
    return html`<button aria-label=${message("export.save", { what, format: name })} @click=${act}>${name}</button>`;
  }

  private groupLabel(group: NumbersChoice["group"], { head }: ExportSubject): string {
    if (group === "text") return message("export.group.text");
    return group === "steps" ? message("export.group.steps", { layer: head.layer + 1 }) : message("export.group.head", { layer: head.layer + 1, head: head.head + 1 });
  }

  private describe({ shape }: NumbersChoice): string {
    const { table, npy } = sizeOf(shape);
    const count = message("export.shape", { shape: shape.join(" × ") });
    return Math.max(table, npy) < LARGE_BYTES ? count : `${count}. ${message("export.large", { table: formatBytes(table), npy: formatBytes(npy) })}`;
  }

  private choicesOf(subject: ExportSubject): NumbersChoice[] {
    return numbersChoices(subject, this.steps?.of === subject.figures ? this.steps.read : []);
  }

  private chosenOf(choices: readonly NumbersChoice[], subject: ExportSubject): NumbersChoice | undefined {
    const id = this.chosen ?? shownNumbers(subject);
    return choices.find((choice) => choice.id === id) ?? choices[0];
  }

  private savePicture(format: PictureFormat): void {
    const { subject, paper, pairPart } = this;
    const figure = this.figure(pairPart);
    if (subject && figure) void this.keep(() => pictureFile(format, figure, subject, paper, pairPart));
  }

  private saveNumbers(format: NumberFormat): void {
    const { subject } = this;
    const chosen = subject && this.chosenOf(this.choicesOf(subject), subject);
    if (chosen) void this.keep(() => numbersFile(format, chosen));
  }

  private async readSteps({ run, head, figures }: ExportSubject): Promise<void> {
    if (this.steps?.of === figures) return;
    try {
      this.steps = { of: figures, read: await run.steps(head) };
    } catch (thrown) {
      // What a newer run replaced has nobody waiting for it.
      if (!isExpected(thrown)) this.report = message("export.failed", { message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  /** What a figure in another page shows: of two runs the one that is saved, or else their difference. */
  private pictured(subject: ExportSubject): State {
    const alone = subject.compared && partState(this.pairPart, subject, subject.compared);
    return alone ? { ...alone, compare: null } : subject.state;
  }

  private async keep(make: () => Promise<NamedFile | null>): Promise<void> {
    this.waiting += 1;
    this.report = message("export.working");
    let outcome = "";
    try {
      const made = await make();
      if (made) {
        await save(made.file, made.name);
        outcome = message("export.saved", { name: made.name });
      }
    } catch (thrown) {
      outcome = message("export.failed", { message: thrown instanceof Error ? thrown.message : String(thrown) });
      this.lost = outcome;
    }
    this.waiting -= 1;
    if (this.waiting > 0) return;
    this.report = this.lost ?? outcome;
    this.lost = null;
  }

  private readonly choosePaper = (event: CustomEvent<string>): void => {
    const paper = PAPERS.find((candidate) => candidate === event.detail);
    if (paper) this.paper = paper;
  };

  private readonly choosePart = (event: CustomEvent<string>): void => {
    const part = PAIR_PARTS.find((candidate) => candidate === event.detail);
    if (part) this.pairPart = part;
  };

  private readonly chooseNumbers = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) this.chosen = event.target.value;
  };

  private readonly opening = (event: Event): void => {
    if (!(event instanceof ToggleEvent) || event.newState !== "open") return;
    this.report = "";
    this.chosen = null;
    this.pairPart = "all";
    const { subject } = this;
    if (subject?.state.picture === "steps" && !subject.compared) void this.readSteps(subject);
    // The contents are drawn only now; how high they are is known when it is open.
    this.expanded = true;
    placeUnder(this.opener ?? this.button, this.menu, WIDTH);
  };

  private readonly toggled = (event: Event): void => {
    this.expanded = event instanceof ToggleEvent && event.newState === "open";
    if (this.expanded) void this.updateComplete.then(() => this.settle());
    else {
      this.opener = null;
      this.steps = null;
    }
  };

  private settle(): void {
    keepInside(this.menu);
    this.first?.focus();
  }

  /** The keyboard went on to the page behind. */
  private readonly left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && !this.renderRoot.contains(relatedTarget)) this.menu.hidePopover();
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

declare global {
  interface HTMLElementTagNameMap {
    "headscope-export-menu": HeadscopeExportMenu;
  }
}
