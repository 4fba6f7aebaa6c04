import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { StepTensor } from "../../data/index.js";
import type { Printable } from "../../elements/shared/scene.js";
import { formatBytes, message } from "../../i18n/index.js";
import type { State } from "../../state/index.js";
import type { Embedded } from "../export/embed-code.js";
import {
  GROUPS,
  numbersChoices,
  regionChoice,
  shownNumbers,
  type NumbersChoice,
} from "../export/numbers.js";
import {
  OTHER_PICTURES,
  otherPicture,
  otherPictures,
  PAIR_PARTS,
  partState,
  shownPicture,
  type OtherPicture,
  type PairPart,
} from "../export/pictures.js";
import {
  failedReport,
  NUMBER_FORMATS,
  PAPERS,
  PICTURE_FORMATS,
  save,
  sizeOf,
  type Format,
  type Outcome,
  type Paper,
} from "../export/save.js";
import type { ExportSubject } from "../export/subject.js";
import { isExpected } from "../run/failures.js";
import type { HeadFigures } from "../run/figures.js";
import { choice } from "../../ui/choice.js";
import type { CopyKind } from "./embed-buttons.js";
import "./embed-buttons.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

type Which = OtherPicture | "shown";

/** The code of each picture for other pages, and the numbers behind one that stands beside the figure. */
const ALONE: Readonly<Record<Which, { code: Embedded | null; numbers?: string }>> = {
  shown: { code: "picture" },
  grid: { code: "grid", numbers: "thumbnails" },
  spectrum: { code: "spectrum", numbers: "singular-values" },
  tokens: { code: "tokens" },
  strongest: { code: null, numbers: "weights" },
  cosines: { code: null },
};
const EXPLORER: readonly CopyKind[] = [["explorer", "embed.copyExplorer"]];
/** Of a pattern that the picture shows a part of, that part or all of it. */
const EXTENTS = ["part", "whole"] as const;
/** Files larger than this are announced. */
const LARGE_BYTES = 5_000_000;

/** What can be saved of the picture and of the numbers behind it. */
@customElement("headscope-export-sheet")
export class HeadscopeExportSheet extends PagePart {
  static override styles = [
    partStyles,
    css`
  h3 {
    font-size: 14px;
    font-weight: 600;
  }

  .formats {
    display: flex;
    gap: 8px;
    margin: 8px 0;
  }

  .formats button {
    flex: 1;
    padding: 4px 12px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
  }

  .formats button:hover {
    border-color: currentColor;
  }

  headscope-choice {
    margin-bottom: 16px;
    font-size: 12px;
  }

  select {
    width: 100%;
    margin: 8px 0 4px;
    padding: 4px 8px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
    background: var(--headscope-paper);
  }

  .share {
    margin-top: 16px;
    padding-top: 12px;
    border-top: 1px solid var(--headscope-line);
  }

  .link {
    display: flex;
    flex-wrap: wrap;
    gap: 0 16px;
    margin: 4px 0;
    color: var(--headscope-accent);
  }

  /* Code to be copied by hand has the whole width. */
  headscope-embed-buttons {
    flex: 1 1 auto;
  }

  .report {
    overflow-wrap: anywhere;
  }
`,
  ];

  /** Whether it is open; it opens without earlier choices and reports, but with the same paper. */
  @property({ type: Boolean }) open = false;
  /** Null while there is nothing that could be saved. */
  @property({ attribute: false }) subject: ExportSubject | null = null;
  /** Finds the figure that is on the screen; of two runs, one of theirs or all together. */
  @property({ attribute: false }) figure: (part: PairPart) => Printable | null = () => null;
  @property({ type: Boolean }) linkCopied = false;

  @state() private paper: Paper = "white";
  /** Which picture is saved: what the figure shows, or one that stands beside it. */
  @state() private other: Which = "shown";
  /** Which of the pictures of two runs is saved. */
  @state() private pairPart: PairPart = "all";
  /** The numbers that were chosen since it was opened; without a choice, those of the picture. */
  @state() private chosen: string | null = null;
  @state() private extent: (typeof EXTENTS)[number] = "part";
  /** What became of the files that were asked for last. */
  @state() private report: string | TemplateResult = "";
  /** The matrices of the block, read when it is opened under a picture of them. */
  @state() private steps: { of: HeadFigures; read: StepTensor[] } | null = null;

  /** Files that the browser does not have yet, and what there is to say of one that it will never have. */
  private waiting = 0;
  private lost: string | TemplateResult | null = null;
  @query(".formats button") private readonly first!: HTMLElement | null;

  /** Takes the keyboard to its first button. */
  override focus(): void {
    this.first?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("open")) return;
    Object.assign(this, {
      report: "",
      chosen: null,
      steps: null,
      pairPart: "all",
      extent: "part",
      other: "shown",
    });
    const { open, subject } = this;
    if (open && subject?.state.picture === "steps" && !subject.compared)
      void this.readSteps(subject);
  }

  protected override render(): TemplateResult | typeof nothing {
    return this.open && this.subject ? this.renderChoices(this.subject) : nothing;
  }

  private renderChoices(subject: ExportSubject): TemplateResult {
    const choices = this.choicesOf(subject);
    const other = this.otherOf(subject);
    const chosen = this.chosenOf(choices, subject, other);
    const part = chosen ? regionChoice(chosen, subject) : null;
    const selected = this.extent === "part" ? (part ?? chosen) : chosen;
    return html`
      <h3>${message("export.picture")}</h3>
      <select aria-label=${message("export.whichPicture")} @change=${this.choosePicture}>
        ${["shown" as const, ...otherPictures(subject)].map((which) => html`<option value=${which} .selected=${which === other}>${message(`export.other.${which}`)}</option>`)}
      </select>
      ${
        subject.compared && other === "shown"
          ? choice({
              label: message("pairs.part"),
              values: PAIR_PARTS,
              value: this.pairPart,
              show: (one) => message(one === "all" ? "pairs.part.all" : `pairs.${one}`),
              choose: (one) => (this.pairPart = one),
            })
          : nothing
      }
      <div class="formats">
        ${PICTURE_FORMATS.map((format) => this.renderFormat(format, message("export.picture"), () => this.savePicture(format)))}
      </div>
      ${choice({
        label: message("export.paper"),
        values: PAPERS,
        value: this.paper,
        show: (paper) => message(`export.paper.${paper}`),
        choose: (paper) => (this.paper = paper),
      })}
      <h3 id="numbers">${message("export.numbers")}</h3>
      <select aria-label=${message("export.which")} @change=${this.chooseNumbers}>
        ${GROUPS.map((group) =>
          this.renderGroup(
            this.groupLabel(group, subject),
            choices.filter((choice) => choice.group === group),
            chosen,
          ),
        )}
      </select>
      ${
        part
          ? choice({
              label: message("export.extent"),
              values: EXTENTS,
              value: this.extent,
              show: (extent) => message(`export.extent.${extent}`),
              choose: (extent) => (this.extent = extent),
            })
          : nothing
      }
      ${selected ? html`<p class="small muted">${this.describe(selected)}</p>` : nothing}
      <div class="formats">
        ${NUMBER_FORMATS.map((format) => this.renderFormat(format, message("export.numbers"), () => this.saveNumbers(format, selected)))}
      </div>
      <h3 class="share">${message("embed.share")}</h3>
      <div class="link">
        ${keyed(other, this.renderCode(other, subject))}
        <headscope-embed-buttons .shown=${subject.state} .kinds=${EXPLORER}></headscope-embed-buttons>
      </div>
      <p class="report small muted" role="status">${this.report}</p>
    `;
  }

  /** The buttons of each picture are its own: what became of one picture's code says nothing of another's. */
  private renderCode(other: Which, subject: ExportSubject): TemplateResult {
    const shown = other === "shown" ? this.pictured(subject) : subject.state;
    const { code } = ALONE[other];
    // The tokens of a translator are two texts.
    const both = code === "tokens" && subject.info.architecture === "encoder-decoder";
    const codes: CopyKind[] = code ? [[both ? "both-tokens" : code, "embed.copyPicture"]] : [];
    return html`<headscope-embed-buttons .shown=${shown} .kinds=${codes} .linkCopied=${this.linkCopied}></headscope-embed-buttons>`;
  }

  private renderGroup(
    label: string,
    choices: readonly NumbersChoice[],
    chosen: NumbersChoice | undefined,
  ): TemplateResult | typeof nothing {
    if (choices.length === 0) return nothing;
    return html`<optgroup label=${label}>
      ${choices.map((choice) => html`<option value=${choice.id} .selected=${choice === chosen}>${choice.label}</option>`)}
    </optgroup>`;
  }

  private renderFormat(format: Format, what: string, act: () => void): TemplateResult {
    const name = format === "npy" ? ".npy" : format.toUpperCase();
    return html`<button aria-label=${message("export.save", { what, format: name })} @click=${act}>${name}</button>`;
  }

  private groupLabel(group: NumbersChoice["group"], { head }: ExportSubject): string {
    if (group === "text") return message("export.group.text");
    if (group === "stack")
      return message("export.group.stack", { stack: message(`stack.${head.stack}`) });
    return group === "steps"
      ? message("export.group.steps", { layer: head.layer + 1 })
      : message("export.group.head", { layer: head.layer + 1, head: head.head + 1 });
  }

  private describe({ shape }: NumbersChoice): string {
    const { table, npy } = sizeOf(shape);
    const count = message("export.shape", { shape: shape.join(" × ") });
    return Math.max(table, npy) < LARGE_BYTES
      ? count
      : `${count}. ${message("export.large", { table: formatBytes(table), npy: formatBytes(npy) })}`;
  }

  private choicesOf(subject: ExportSubject): NumbersChoice[] {
    return numbersChoices(subject, this.steps?.of === subject.figures ? this.steps.read : []);
  }

  /** What was held may be let go meanwhile. */
  private otherOf(subject: ExportSubject): Which {
    return otherPictures(subject).find((which) => which === this.other) ?? "shown";
  }

  private chosenOf(
    choices: readonly NumbersChoice[],
    subject: ExportSubject,
    other: Which,
  ): NumbersChoice | undefined {
    const id = this.chosen ?? numbersOf(other, subject) ?? shownNumbers(subject);
    return choices.find((choice) => choice.id === id) ?? choices[0];
  }

  private savePicture(format: Format): void {
    const { paper, pairPart, subject } = this;
    const other = subject ? this.otherOf(subject) : "shown";
    const figure = this.figure(other === "shown" ? pairPart : "all");
    if (!subject || !figure) return;
    const snapshot =
      other === "shown"
        ? Promise.resolve(shownPicture(subject, figure, pairPart))
        : otherPicture(other, subject, figure.inks);
    void this.keep(
      save(
        snapshot.then((one) => [one]),
        format,
        paper,
      ),
    );
  }

  private saveNumbers(format: Format, selected: NumbersChoice | undefined): void {
    if (selected)
      void this.keep(save([{ provenance: selected.provenance(), data: selected.read }], format));
  }

  private async readSteps({ run, head, figures }: ExportSubject): Promise<void> {
    if (this.steps?.of === figures) return;
    try {
      this.steps = { of: figures, read: await run.steps(head) };
    } catch (thrown) {
      // A newer run has replaced this one.
      if (!isExpected(thrown)) this.report = failedReport(thrown);
    }
  }

  /** What a figure in another page shows: of two runs the one that is saved, or else their difference. */
  private pictured(subject: ExportSubject): State {
    return (
      (subject.compared && partState(this.pairPart, subject, subject.compared)) ?? subject.state
    );
  }

  private async keep(saving: Promise<Outcome>): Promise<void> {
    this.waiting += 1;
    this.report = message("export.working");
    const { saved, report } = await saving;
    if (!saved) this.lost = report;
    this.waiting -= 1;
    if (this.waiting > 0) return;
    this.report = this.lost ?? report;
    this.lost = null;
  }

  private readonly choosePicture = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    this.other = OTHER_PICTURES.find((which) => which === value) ?? "shown";
  };

  private readonly chooseNumbers = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) this.chosen = event.target.value;
  };
}

/** Cosines are of one text or the other of a translator, by the focused words. */
function numbersOf(other: Which, { compared }: ExportSubject): string | undefined {
  const side = compared?.shownWords[0]?.side;
  return other === "cosines" && side ? `cosines ${side}` : ALONE[other].numbers;
}
