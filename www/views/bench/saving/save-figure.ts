import { ContextConsumer } from "@lit/context";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Table } from "../../../export/provenance.js";
import { message } from "../../../i18n/index.js";
import {
  NUMBER_FORMATS,
  PICTURE_FORMATS,
  save,
  type Format,
  type Snapshot,
} from "../../export/save.js";
import "../../parts/embed-buttons.js";
import { sessionContext } from "../../session.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import {
  dataSnapshot,
  isBenchFigure,
  isOfTensor,
  numbersSnapshots,
  pictureSnapshot,
  titleOf,
  type BenchFigure,
  type Described,
} from "./figure-numbers.js";

/**
 * Around figures of the bench: under them stands how they are saved. Several figures are one picture, each under its
 * caption; a `table` is saved in place of what figures say, and needs none.
 */
@customElement("headscope-save-figure")
export class HeadscopeSaveFigure extends PagePart {
  static override styles = [
    partStyles,
    css`
      p {
        align-items: baseline;
        gap: 0 12px;
        margin-top: 4px;
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

  private readonly explorer = new ContextConsumer(this, { context: sessionContext });
  @property() name = "";
  @property({ attribute: false }) heading = "";
  @property({ attribute: false }) details: readonly string[] = [];
  @property() of: Described["of"] = {};
  @property({ attribute: false }) table: Table | null = null;
  /** Whether what it shows is still of what was asked for before, as another text or head. */
  @property({ attribute: false }) stale = false;
  @state() private formats: readonly Format[] = [];
  @state() private report: string | TemplateResult = "";

  protected override firstUpdated(): void {
    this.findFormats();
  }

  protected override render(): TemplateResult {
    const formats =
      this.table && !this.formats.includes("csv")
        ? [...this.formats, "csv" as const]
        : this.formats;
    return html`<slot @slotchange=${this.findFormats}></slot>
      ${
        formats.length === 0
          ? nothing
          : html`<p class="inline small muted">
            <span aria-hidden="true">${message("saving.save")}</span>
            ${formats.map((format) => html`<button aria-label=${message("export.save", { what: this.heading, format: nameOf(format) })} @click=${() => void this.saveAs(format)}>${nameOf(format)}</button>`)}
            <headscope-embed-buttons class="figure" .heading=${this.heading} .say=${this.setReport}></headscope-embed-buttons>
            <span class="report" role="status">${this.report}</span>
          </p>`
      }`;
  }

  private readonly setReport = (report: string): void => {
    this.report = report;
  };

  /** The figures in it, each with its caption. */
  private get figures(): [title: string, figure: BenchFigure][] {
    return [...this.querySelectorAll("*")]
      .filter(isBenchFigure)
      .map((figure) => [
        figure.closest("figure")?.querySelector("figcaption")?.textContent.trim() ??
          titleOf(figure),
        figure,
      ]);
  }

  private readonly findFormats = (): void => {
    const { figures } = this;
    const ofTensors = figures.every(([, figure]) => isOfTensor(figure));
    this.formats =
      figures.length === 0
        ? []
        : [...PICTURE_FORMATS, ...(ofTensors ? NUMBER_FORMATS : (["csv"] as const))];
  };

  private async saveAs(format: Format): Promise<void> {
    const snapshots = this.snapshots(format);
    if (snapshots.length === 0) {
      this.report = message("saving.notYet");
      return;
    }
    this.report = message("export.working");
    this.report = (await save(snapshots, format)).report;
  }

  /** None while the page is about another text than the figure: a file must not name the wrong one. */
  private snapshots(format: Format): Snapshot[] {
    const { name, heading: title, details, of, stale, figures, table } = this;
    const subject = of === "lab" ? null : (this.explorer.value?.firstSubject ?? null);
    if (stale || (of !== "lab" && !subject)) return [];
    const described = { name, title, details, of, subject };
    if (format === "svg" || format === "png") return [pictureSnapshot(figures, described)];
    return table && format === "csv"
      ? [dataSnapshot(table, described)]
      : numbersSnapshots(figures, described);
  }
}

function nameOf(format: Format): string {
  return format === "npy" ? ".npy" : format.toUpperCase();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-save-figure": HeadscopeSaveFigure;
  }
}
