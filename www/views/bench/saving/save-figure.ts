import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { save } from "../../../export/save.js";
import { message } from "../../../i18n/index.js";
import { failedReport } from "../../export/failed-report.js";
import {
  NUMBER_FORMATS,
  PICTURE_FORMATS,
  savedReport,
  unsavedReport,
  type NamedFile,
  type NumberFormat,
  type PictureFormat,
  type Unsaved,
} from "../../export/files.js";
import { askSubject } from "../../export/subject.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import {
  figureNumbers,
  figurePicture,
  savedTable,
  type NamedFigure,
  type Saved,
} from "./figure-files.js";
import { FigureLinks, linkFieldStyles } from "./figure-links.js";
import { isBenchFigure, isOfTensor, titleOf, type FigureTable } from "./figure-numbers.js";

/**
 * Around figures of the bench: under them stands how they are saved. Several figures are one picture, each under its
 * caption; a `table` is saved in place of what figures say, and needs none.
 */
@customElement("headscope-save-figure")
export class HeadscopeSaveFigure extends PagePart {
  static override styles = [
    partStyles,
    linkFieldStyles,
    css`
      p {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 12px;
        margin-top: 4px;
        color: var(--headscope-muted);
        font-size: 12px;
      }

      .report {
        overflow-wrap: anywhere;
      }

      @media (pointer: coarse) {
        button {
          min-height: 40px;
          min-width: 40px;
        }
      }
    `,
  ];

  /** What it is called in the names of files. */
  @property() name = "";
  /** What it is called on the picture. */
  @property({ attribute: false }) heading = "";
  /** What else decides it, in words. */
  @property({ attribute: false }) details: readonly string[] = [];
  /** Which part of the run it is of. */
  @property() of: Saved["of"] = {};
  @property({ attribute: false }) table: FigureTable | null = null;
  /** Whether what it shows is still of what was asked for before, as another text or head. */
  @property({ attribute: false }) stale = false;
  @state() private formats: readonly (PictureFormat | NumberFormat)[] = [];
  /** What became of the files that were asked for last. */
  @state() private report: string | TemplateResult = "";
  private readonly links = new FigureLinks(this, (report) => (this.report = report));

  protected override firstUpdated(): void {
    this.look();
  }

  protected override render(): TemplateResult {
    const formats =
      this.table && !this.formats.includes("csv")
        ? [...this.formats, "csv" as const]
        : this.formats;
    return html`<slot @slotchange=${this.look}></slot>
      ${
        formats.length === 0
          ? nothing
          : html`<p>
            <span aria-hidden="true">${message("saving.save")}</span>
            ${formats.map((format) => html`<button aria-label=${message("export.save", { what: this.heading, format: nameOf(format) })} @click=${() => void this.keep(format)}>${nameOf(format)}</button>`)}
            ${this.links.buttons(this.heading)}
            <span class="report" role="status">${this.report}</span>
          </p>`
      }
      ${this.links.field()}`;
  }

  /** The figures in it, each with its caption. */
  private get figures(): NamedFigure[] {
    return [...this.querySelectorAll("*")]
      .filter(isBenchFigure)
      .map((figure) => [
        figure.closest("figure")?.querySelector("figcaption")?.textContent.trim() ??
          titleOf(figure),
        figure,
      ]);
  }

  private readonly look = (): void => {
    const { figures } = this;
    if (figures.length === 0) this.formats = [];
    else
      this.formats = [
        ...PICTURE_FORMATS,
        ...(figures.every(([, figure]) => isOfTensor(figure))
          ? NUMBER_FORMATS
          : (["csv"] as const)),
      ];
  };

  private async keep(format: PictureFormat | NumberFormat): Promise<void> {
    const files = this.filesOf(format);
    if (!files) {
      this.report = message("saving.notYet");
      return;
    }
    this.report = message("export.working");
    try {
      const made = await files;
      if (typeof made === "string") {
        this.report = unsavedReport(made);
        return;
      }
      for (const { file, name } of made) await save(file, name);
      this.report =
        made.length === 0
          ? message("saving.notYet")
          : savedReport(made.map(({ name }) => name).join(", "), made[0]?.note);
    } catch (thrown) {
      this.report = failedReport(thrown);
    }
  }

  private filesOf(format: PictureFormat | NumberFormat): Promise<NamedFile[] | Unsaved> | null {
    const { figures, table } = this;
    const saved = this.asked();
    if (!saved) return null;
    if (format === "svg" || format === "png")
      return figurePicture(
        format,
        () => this.figures,
        () => this.asked(),
      ).then((file) => (typeof file === "string" ? file : [file]));
    return table && format === "csv"
      ? savedTable(table, saved).then((file) => [file])
      : figureNumbers(format, figures, saved);
  }

  /** Null while the page is about another text than the figure: a file must not name the wrong one. */
  private asked(): Saved | null {
    const { name, heading: title, details, of, stale } = this;
    const subject = of === "lab" || stale ? null : askSubject(this);
    return stale || (of !== "lab" && !subject) ? null : { name, title, details, of, subject };
  }
}

function nameOf(format: PictureFormat | NumberFormat): string {
  return format === "npy" ? ".npy" : format.toUpperCase();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-save-figure": HeadscopeSaveFigure;
  }
}
