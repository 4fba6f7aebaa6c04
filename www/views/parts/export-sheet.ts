import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { StepTensor } from "../../data/index.js";
import type { Printable } from "../../elements/shared/figure.js";
import { formatBytes, message } from "../../i18n/index.js";
import type { State } from "../../state/index.js";
import type { Embedded } from "../export/embed-code.js";
import {
  GROUPS,
  numbersChoices,
  numbersSnapshot,
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
  type Format,
  type Outcome,
  type Paper,
} from "../export/save.js";
import type { ExportSubject } from "../export/subject.js";
import { isExpected } from "../run/failures.js";
import type { HeadFigures } from "../run/head.js";
import { choiceOf, valueOf } from "./controls.js";
import type { CopyKind } from "./embed-buttons.js";
import "./embed-buttons.js";
import { PagePart } from "../../ui/page-part.js";

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
/** What the CSV and the JSON take for one number, on the average, and the .npy. */
const [TEXT_BYTES, NPY_BYTES] = [13, 4];

/** What can be saved of the picture and of the numbers behind it. */
@customElement("headscope-export-sheet")
export class HeadscopeExportSheet extends PagePart {
  static override styles = css`
    .formats {
      display: flex;
      gap: 8px;
      margin: 8px 0;
    }
    .formats button {
      flex: 1;
    }
    headscope-choice {
      margin-bottom: 16px;
      font-size: 12px;
    }
    select {
      width: 100%;
      margin: 4px 0;
    }
    /* Code to be copied by hand has the whole width. */
    headscope-embed-buttons {
      flex: 1 1 auto;
    }
    .report {
      overflow-wrap: anywhere;
    }
  `;

  /** Whether it is open; it opens without earlier choices and reports, but with the same paper. */
  @property({ type: Boolean }) open = false;
  @property({ attribute: false }) subject: ExportSubject | null = null;
  /** Finds the figure that is on the screen; of two runs, one of theirs or all together. */
  @property({ attribute: false }) figure: (part: PairPart) => Printable | null = () => null;

  @state() private paper: Paper = "white";
  /** Which picture is saved: what the figure shows, or one that stands beside it. */
  @state() private other: Which = "shown";
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

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("open") && this.open) this.first?.focus();
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
    const choices = numbersChoices(
      subject,
      this.steps?.of === subject.figures ? this.steps.read : [],
    );
    // What was held may be released meanwhile.
    const other = this.otherOf(subject);
    const id = this.chosen ?? numbersOf(other, subject) ?? shownNumbers(subject);
    const chosen = choices.find((choice) => choice.id === id) ?? choices[0];
    const part = chosen ? regionChoice(chosen, subject) : null;
    const selected = this.extent === "part" ? (part ?? chosen) : chosen;
    const ofPart = (one: PairPart): string =>
      message(one === "all" ? "pairs.part.all" : `pairs.${one}`);
    const pictures = ["shown" as const, ...otherPictures(subject)];
    return html`
      <h3>${message("export.picture")}</h3>
      <select class="boxed" aria-label=${message("export.whichPicture")} @change=${this.choosePicture}>
        ${pictures.map((which) => html`<option value=${which} .selected=${which === other}>${message(`export.other.${which}`)}</option>`)}
      </select>
      ${subject.compared && other === "shown" ? choiceOf("pairs.part", PAIR_PARTS, this.pairPart, ofPart, (one) => (this.pairPart = one)) : nothing}
      ${this.renderFormats(PICTURE_FORMATS, message("export.picture"), (format) => this.savePicture(format))}
      ${choiceOf(
        "export.paper",
        PAPERS,
        this.paper,
        (one) => message(`export.paper.${one}`),
        (one) => (this.paper = one),
      )}
      <h3 id="numbers">${message("export.numbers")}</h3>
      <select class="boxed" aria-label=${message("export.which")} @change=${this.chooseNumbers}>
        ${GROUPS.map((group) => {
          const options = choices.filter((one) => one.group === group);
          return options.length === 0
            ? nothing
            : html`<optgroup label=${groupLabel(group, subject)}>
              ${options.map((one) => html`<option value=${one.id} .selected=${one === chosen}>${one.label}</option>`)}
            </optgroup>`;
        })}
      </select>
      ${
        part
          ? choiceOf(
              "export.extent",
              EXTENTS,
              this.extent,
              (one) => message(`export.extent.${one}`),
              (one) => (this.extent = one),
            )
          : nothing
      }
      ${selected ? html`<p class="small muted">${describe(selected)}</p>` : nothing}
      ${this.renderFormats(NUMBER_FORMATS, message("export.numbers"), (format) => this.saveNumbers(format, selected))}
      <h3 class="share ruled">${message("embed.share")}</h3>
      <div class="codes inline link">
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
    return html`<headscope-embed-buttons .shown=${shown} .kinds=${codes} link></headscope-embed-buttons>`;
  }

  private renderFormats(
    formats: readonly Format[],
    what: string,
    act: (format: Format) => void,
  ): TemplateResult {
    const name = (format: Format): string => (format === "npy" ? ".npy" : format.toUpperCase());
    return html`<div class="formats">
      ${formats.map((format) => html`<button class="boxed" aria-label=${message("export.save", { what, format: name(format) })} @click=${() => act(format)}>${name(format)}</button>`)}
    </div>`;
  }

  private otherOf(subject: ExportSubject): Which {
    return otherPictures(subject).find((which) => which === this.other) ?? "shown";
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
    const pictures = snapshot.then((one) => [one]);
    void this.keep(save(pictures, format, paper));
  }

  private saveNumbers(format: Format, selected: NumbersChoice | undefined): void {
    if (selected) void this.keep(save([numbersSnapshot(selected)], format));
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

  private readonly choosePicture = ({ target }: Event): void => {
    this.other = valueOf(target, OTHER_PICTURES) ?? "shown";
  };

  private readonly chooseNumbers = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) this.chosen = target.value;
  };
}

function groupLabel(group: NumbersChoice["group"], { head }: ExportSubject): string {
  const [layer, place] = [head.layer + 1, head.head + 1];
  if (group === "text") return message("export.group.text");
  if (group === "steps") return message("export.group.steps", { layer });
  return group === "stack"
    ? message("export.group.stack", { stack: message(`stack.${head.stack}`) })
    : message("export.group.head", { layer, head: place });
}

function describe({ axes }: NumbersChoice): string {
  const sizes = axes.map(({ size }) => size);
  const count = sizes.reduce((product, size) => product * size, 1);
  const [table, npy] = [count * TEXT_BYTES, count * NPY_BYTES];
  const shape = message("export.shape", { shape: sizes.join(" × ") });
  return Math.max(table, npy) < LARGE_BYTES
    ? shape
    : `${shape}. ${message("export.large", { table: formatBytes(table), npy: formatBytes(npy) })}`;
}

/** Cosines are of one text or the other of a translator, by the focused words. */
function numbersOf(other: Which, { compared }: ExportSubject): string | undefined {
  const side = compared?.shownWords[0]?.side;
  return other === "cosines" && side ? `cosines ${side}` : ALONE[other].numbers;
}
