// Saving of figures of the experiments: as a picture, and as a tensor or else a table.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadRef, Region, Tensor } from "../data/index.js";
import { numberAt, placesOf, printBars } from "../draw/charts.js";
import { regionOf } from "../draw/region.js";
import { HeadscopeBars } from "../elements/bars.js";
import { HeadscopeCurves } from "../elements/curves.js";
import { HeadscopeNumbers } from "../elements/numbers.js";
import { MatrixFigure } from "../elements/matrix/figure.js";
import { HeadscopePositions } from "../elements/positions.js";
import { sceneOf, type Scene } from "../elements/shared/figure.js";
import {
  axis,
  NO_RUN,
  type LabelledTensor,
  type Part,
  type Provenance,
  type Table,
} from "../export/provenance.js";
import { sideBySide } from "../export/sheet.js";
import { message } from "../i18n/index.js";
import { equals } from "../data/equal.js";
import { HeadscopeBeamTree } from "./beam-figure.js";
import { HeadscopeRotaryDials } from "./dials.js";
import {
  formatButtons,
  NUMBER_FORMATS,
  PICTURE_FORMATS,
  save,
  type Format,
  type Snapshot,
} from "./save.js";
import { folderName, provenanceOf, runLines } from "../session/origin.js";
import { modelLabel } from "../session/models/models.js";
import "./embed-buttons.js";
import { SessionPart } from "../session/session.js";

/** Figures whose numbers are a table, and figures whose numbers are a tensor. */
const TABLES = [HeadscopeBars, HeadscopeBeamTree, HeadscopeCurves, HeadscopeRotaryDials];
const TENSORS = [HeadscopeNumbers, HeadscopePositions];

type TensorFigure = InstanceType<(typeof TENSORS)[number]>;
type ExperimentFigure = InstanceType<(typeof TABLES)[number]> | TensorFigure;
type Titled = readonly [title: string, figure: ExperimentFigure];

function isExperimentFigure(element: Element): element is ExperimentFigure {
  return [...TABLES, ...TENSORS].some((figure) => element instanceof figure);
}

export function numbersOf(figure: ExperimentFigure): LabelledTensor | Table | null {
  if (figure instanceof HeadscopeCurves) {
    const { titles, lines, stepped } = figure;
    return {
      columns: [titles.x, ...lines.map(({ name }) => name)],
      rows: placesOf(lines).map((at) => [at, ...lines.map((line) => numberAt(line, at, stepped))]),
    };
  }
  if (figure instanceof HeadscopeBars) {
    const rows = figure.items.map(({ label, value }) => [label, value]);
    return { columns: [figure.heading, ""], rows };
  }
  if (figure instanceof HeadscopeRotaryDials || figure instanceof HeadscopeBeamTree)
    return figure.table();
  const { tensor } = figure;
  return tensor && { tensor, axes: axesOf(figure, tensor) };
}

function axesOf(figure: TensorFigure, { axes, shape }: Tensor): LabelledTensor["axes"] {
  if (figure instanceof HeadscopePositions)
    return axes.map((name, at) => axis(name, shape[at] ?? 0));
  const { rowNames, columnNames, titles } = figure;
  return [axis(titles.rows, rowNames), axis(titles.columns, columnNames)];
}

/** Figures as one picture, side by side, each under its title if there are several. */
function pictureOf(figures: readonly Titled[]): Scene {
  const scenes = figures.map(([name, figure]): readonly [string, Scene] => {
    if (!(figure instanceof HeadscopeBars)) return [name, sceneOf(figure)];
    const { items, heading, max } = figure;
    const bars: Scene = (inks) => printBars(items, heading, max, inks);
    return [name, items.length === 0 ? () => null : bars];
  });
  const [first, ...others] = scenes;
  return first && others.length === 0 ? first[1] : sideBySide(scenes);
}

/** The part of their matrices that figures show; null for all of it, or if the figures differ. */
function sharedPart(figures: readonly Titled[]): Part | null {
  const [first, ...others] = figures.map(([, figure]) => {
    if (!(figure instanceof MatrixFigure)) return null;
    const { rows, columns } = figure;
    const region = regionOf(figure.region, { rows, columns });
    return region && { region, whole: { rows, columns } };
  });
  return first && others.every((other) => equals(other, first)) ? first : null;
}

/**
 * Keeps the region of a figure of the experiments in the figure itself, since no address has it.
 */
export function keepRegion(event: CustomEvent<Region | null>): void {
  event.stopPropagation();
  if (event.target instanceof MatrixFigure) event.target.region = event.detail;
}

/** The texts of runs that a figure asked for by itself, in place of the page's. */
type OwnTexts = Pick<Provenance, "text" | "target" | "masked" | "edits" | "compared" | "aligned">;

/**
 * The subject of a figure: a part of the run, runs of its own, `model` for the model alone, `study`
 * for a study of it, which no link has, `none` for no model.
 */
export type ShownOf = Partial<HeadRef> | OwnTexts | "model" | "study" | "none";

/**
 * Wraps figures of the experiments with buttons that save them. Several figures are one picture,
 * each under its caption; a `table` is saved in place of the figures' numbers, and needs no figure.
 */
@customElement("headscope-save-figure")
export class HeadscopeSaveFigure extends SessionPart {
  static override styles = css`
    .inline {
      gap: 0 12px;
      margin-top: 4px;
    }
    button {
      min-width: var(--_touch);
    }
  `;

  @property() name = "";
  @property({ attribute: false }) heading = "";
  /** Further details for the file, such as a choice beside the figure. */
  @property({ attribute: false }) details: readonly string[] = [];
  @property() of: ShownOf = {};
  @property({ attribute: false }) table: Table | null = null;
  /** Whether the figure still shows an earlier question, such as another text or head. */
  @property({ attribute: false }) stale = false;
  @state() private report: string | TemplateResult = "";

  protected override render(): TemplateResult {
    const { figures, table, heading } = this;
    const hasTable = figures.some(([, figure]) => TABLES.some((one) => figure instanceof one));
    const numbers: readonly Format[] = hasTable ? ["csv"] : NUMBER_FORMATS;
    const formats: readonly Format[] =
      figures.length > 0 ? [...PICTURE_FORMATS, ...numbers] : table ? ["csv"] : [];
    return html`<slot @slotchange=${() => this.requestUpdate()}></slot> ${
        formats.length === 0
          ? nothing
          : html`<p class="inline small muted">
              <span aria-hidden="true">${message("saving.save")}</span>
              ${formatButtons(formats, heading, (format) => this.saveAs(format))}
              ${
                this.of === "study"
                  ? nothing
                  : html`<headscope-embed-buttons
                      class="figure"
                      .heading=${heading}
                      .say=${(report: string) => (this.report = report)}
                    ></headscope-embed-buttons>`
              }
              <span class="report" role="status">${this.report}</span>
            </p>`
      }`;
  }

  private get figures(): Titled[] {
    return [...this.querySelectorAll("*")].filter(isExperimentFigure).map((figure) => {
      const caption = figure.closest("figure")?.querySelector("figcaption")?.textContent.trim();
      const own = figure instanceof HeadscopeCurves ? figure.titles.y : "";
      return [caption ?? (figure instanceof HeadscopeNumbers ? figure.titles.values : own), figure];
    });
  }

  private async saveAs(format: Format): Promise<void> {
    const saving = this.within(() => {
      const snapshots = this.snapshots(format);
      this.report = message(snapshots.length === 0 ? "saving.notYet" : "export.working");
      return snapshots.length > 0 ? save(snapshots, format) : null;
    });
    if (saving) this.report = (await saving).report;
  }

  /**
   * The snapshots to save; empty while the page is about another text than the figure, since a file
   * must not name the wrong one.
   */
  private snapshots(format: Format): Snapshot[] {
    const { name, heading: title, details, of, stale, figures, table } = this;
    const subject = of === "none" ? null : this.session.firstSubject;
    if (stale || (of !== "none" && !subject)) return [];
    const model = subject?.state.model;
    const provenance = (quantity: string): Provenance =>
      !subject || typeof of === "string"
        ? { ...NO_RUN, quantity, model: folderName(model ?? "") }
        : // The figure shows the first of two compared runs.
          provenanceOf({ ...subject, compared: null }, { quantity, ...of });
    if (PICTURE_FORMATS.some((one) => one === format)) {
      const ofModel = model ? [message("model.label", { name: modelLabel(model) })] : [];
      // Runs of its own are named in the details.
      const isOfRun = typeof of === "object" && !("text" in of);
      const lines = [...details, ...(isOfRun && subject ? runLines(subject) : ofModel)];
      const about = { ...provenance(name), part: sharedPart(figures) };
      return [{ title, lines, provenance: about, scene: pictureOf(figures) }];
    }
    if (table && format === "csv")
      return [{ provenance: provenance(name), data: () => Promise.resolve(table) }];
    return figures.flatMap(([shown, figure]) => {
      const data = numbersOf(figure);
      const quantity = figures.length > 1 && shown !== "" ? `${name} ${shown}` : name;
      return data ? [{ provenance: provenance(quantity), data: () => Promise.resolve(data) }] : [];
    });
  }
}
