// Figures of the bench and how they are saved: as a picture, and as a tensor or else a table.
import { ContextConsumer } from "@lit/context";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadRef, Region } from "../../data/index.js";
import { numberAt, placesOf, printBars } from "../../draw/charts.js";
import { regionOf } from "../../draw/region.js";
import { HeadscopeBars } from "../../elements/bars.js";
import { HeadscopeCurves } from "../../elements/curves.js";
import { HeadscopeHeatmap, HeadscopeMask, HeadscopeNumbers } from "../../elements/matrices.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { MatrixFigure } from "../../elements/matrix/figure.js";
import { HeadscopePositions } from "../../elements/positions.js";
import { sceneOf, type Scene } from "../../elements/shared/figure.js";
import {
  NO_RUN,
  type LabelledTensor,
  type Part,
  type Provenance,
  type Table,
} from "../../export/provenance.js";
import { message } from "../../i18n/index.js";
import { HeadscopeRotaryDials } from "../demos/dials.js";
import {
  NUMBER_FORMATS,
  PICTURE_FORMATS,
  save,
  sideBySide,
  type Format,
  type Snapshot,
} from "../export/save.js";
import {
  folderName,
  provenanceOf,
  runLines,
  tokenAxis,
  type ExportSubject,
} from "../export/subject.js";
import { modelLabel } from "../models.js";
import "../parts/embed-buttons.js";
import { sessionContext } from "../session.js";
import { PagePart } from "../../ui/page-part.js";

const FIGURES = [
  HeadscopeBars,
  HeadscopeCurves,
  HeadscopeHeatmap,
  HeadscopeMask,
  HeadscopeNumbers,
  HeadscopePositions,
  HeadscopeRotaryDials,
];
/** Figures whose numbers are a table, and not a tensor. */
const TABLES = [HeadscopeBars, HeadscopeCurves, HeadscopeRotaryDials];

type BenchFigure = InstanceType<(typeof FIGURES)[number]>;
type TableFigure = HeadscopeBars | HeadscopeCurves | HeadscopeRotaryDials;
/** Figures with the titles that they have beside each other. */
type Titled = readonly (readonly [title: string, figure: BenchFigure])[];

export function isBenchFigure(element: Element): element is BenchFigure {
  return FIGURES.some((figure) => element instanceof figure);
}

export function numbersOf(figure: BenchFigure): LabelledTensor | Table | null {
  if (figure instanceof HeadscopeCurves)
    return {
      columns: [figure.titles.x, ...figure.lines.map(({ name }) => name)],
      rows: placesOf(figure.lines).map((place) => [
        place,
        ...figure.lines.map((line) => numberAt(line, place, figure.stepped)),
      ]),
    };
  if (figure instanceof HeadscopeBars)
    return {
      columns: [figure.heading, ""],
      rows: figure.items.map(({ label, value }) => [label, value]),
    };
  if (figure instanceof HeadscopeRotaryDials) return figure.table();
  const tensor = figure instanceof HeadscopeMask ? figure.mask : figure.tensor;
  return tensor && { tensor, axes: axesOf(figure) };
}

function axesOf(figure: Exclude<BenchFigure, TableFigure>): LabelledTensor["axes"] {
  if (figure instanceof HeadscopePositions)
    return (figure.tensor?.axes ?? []).map((name) => ({ name, labels: null, first: 1 }));
  if (!(figure instanceof HeadscopeNumbers))
    return [tokenAxis("query", figure.queries), tokenAxis("key", figure.keys)];
  const { rowNames, columnNames, titles } = figure;
  return [
    { name: titles.rows, labels: rowNames, first: 1 },
    { name: titles.columns, labels: columnNames, first: 1 },
  ];
}

function pictureOf(figure: BenchFigure): Scene {
  if (!(figure instanceof HeadscopeBars)) return sceneOf(figure);
  const { items, heading, max } = figure;
  return (inks) => (items.length === 0 ? null : printBars(items, heading, max, inks, measurer));
}

/** What it calls itself, where nothing stands above it. */
function titleOf(figure: BenchFigure): string {
  if (figure instanceof HeadscopeCurves) return figure.titles.y;
  return figure instanceof HeadscopeNumbers ? figure.titles.values : "";
}

/** A saved figure, and the run or model that it shows. */
export interface Described {
  name: string;
  title: string;
  /** What else decides it, such as what was chosen beside it. */
  details: readonly string[];
  /** The part of the run that it shows; `model` for the model alone, `lab` for no model. */
  of: Partial<HeadRef> | "model" | "lab";
  /** What the page is about; null where no model is needed. */
  subject: ExportSubject | null;
}

/** Figures as one picture, side by side, each under its title where there are several. */
function pictureSnapshot(figures: Titled, described: Described): Snapshot {
  const { title, details } = described;
  const scenes = figures.map(([name, figure]) => [name, pictureOf(figure)] as const);
  return {
    title,
    lines: [...details, ...linesOf(described)],
    provenance: {
      ...provenanceFor(described, ""),
      part: sharedPart(figures.map(([, figure]) => figure)),
    },
    scene: (inks) => {
      const shown = scenes.filter(([, scene]) => scene(inks) !== null);
      const [first] = shown;
      if (!first || shown.length === 1) return first?.[1](inks) ?? null;
      const parts = shown.flatMap(([, scene]) => scene(inks)?.part ?? []);
      const row = sideBySide(shown)(inks);
      return row && parts.length > 0 ? { ...row, part: [...new Set(parts)].join("\n") } : row;
    },
  };
}

function dataSnapshot(data: LabelledTensor | Table, described: Described, title = ""): Snapshot {
  return { provenance: provenanceFor(described, title), data: () => Promise.resolve(data) };
}

/** Which part of their matrices figures show; null where that is all, or where they do not agree. */
function sharedPart(figures: readonly BenchFigure[]): Part | null {
  const [first, ...others] = figures.map((figure) => {
    if (!(figure instanceof MatrixFigure)) return null;
    const { rows, columns } = figure;
    const region = regionOf(figure.region, { rows, columns });
    return region && { region, whole: { rows, columns } };
  });
  return first && others.every((other) => JSON.stringify(other) === JSON.stringify(first))
    ? first
    : null;
}

/** A figure of the bench keeps the part of it that is shown by itself: no address says it. */
export function keepRegion(event: CustomEvent<Region | null>): void {
  event.stopPropagation();
  if (event.target instanceof MatrixFigure) event.target.region = event.detail;
}

function linesOf({ of, subject }: Described): string[] {
  if (of === "lab" || !subject) return [];
  return of === "model"
    ? [message("model.label", { name: modelLabel(subject.state.model) })]
    : runLines(subject);
}

function provenanceFor({ name, of, subject }: Described, title: string): Provenance {
  const quantity = title === "" ? name : `${name} ${title}`;
  if (of === "lab" || !subject) return { ...NO_RUN, quantity };
  if (of === "model") return { ...NO_RUN, quantity, model: folderName(subject.state.model) };
  // Of two compared runs it shows the first.
  return provenanceOf({ ...subject, compared: null }, { quantity, ...of });
}

/**
 * Around figures of the bench: under them stands how they are saved. Several figures are one picture, each under its
 * caption; a `table` is saved in place of what figures say, and needs none.
 */
@customElement("headscope-save-figure")
export class HeadscopeSaveFigure extends PagePart {
  static override styles = css`
    .inline {
      gap: 0 12px;
      margin-top: 4px;
    }
    .report {
      overflow-wrap: anywhere;
    }
    button {
      min-width: var(--_touch);
    }
  `;

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
    const hasTable = figures.some(([, figure]) => TABLES.some((one) => figure instanceof one));
    const numbers = hasTable ? (["csv"] as const) : NUMBER_FORMATS;
    this.formats = figures.length === 0 ? [] : [...PICTURE_FORMATS, ...numbers];
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
    if (table && format === "csv") return [dataSnapshot(table, described)];
    return figures.flatMap(([shown, figure]) => {
      const data = numbersOf(figure);
      return data ? [dataSnapshot(data, described, figures.length > 1 ? shown : "")] : [];
    });
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
