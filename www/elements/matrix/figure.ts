import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { isForbidden, type Cell, type Region, type Tensor, type Token } from "../../data/index.js";
import type { ColourScale } from "../../draw/colours.js";
import { cellRect, layoutMatrix, placeAt, valueAt } from "../../draw/layout.js";
import type { LayoutRequest, MatrixLayout } from "../../draw/layout.js";
import { paintLegend, paintSigns, SIGNS_HEIGHT, type Sign } from "../../draw/legend.js";
import { labelSteps, MatrixPainter, type MatrixScene, cellImage } from "../../draw/matrix.js";
import { canEnlarge, cutOut, inRegion, nearest, regionOf, shownOf } from "../../draw/region.js";
import { formatValue, measurer } from "../../draw/text.js";
import {
  labelFont,
  OWN_ROOM,
  Pen,
  type Inks,
  type Print,
  type PrintRoom,
} from "../../draw/theme.js";
import { formatFixed, formatNumber, language, message } from "../../i18n/index.js";
import { given, listOf, TOKENS } from "../shared/checked.js";
import type { ClientPoint } from "../shared/figure.js";
import { tokenLabels } from "../shared/templates.js";
import { PaintableFigure, STEP } from "./gestures.js";
import { labelWidths, PRINT_LABELS, type Lengths } from "./pair-figure.js";
import { numbersTable, tip } from "./table.js";

/** The parts of a matrix figure that depend on its kind. */
export interface MatrixContent {
  scale: ColourScale;
  name: string;
  /** The title of the legend's numbers; without it there is no legend. */
  legend?: string;
  /** The meaning of hatched and coloured cells. */
  signs?: Sign[];
  foot?: TemplateResult;
  sums?: MatrixScene["sums"];
}

const NO_SUMS = { query: null, key: null };
const SUMS_DECIMALS = 2;
const WIDE_SUM = 88.88;
const NO_COMPANY: readonly Companion[] = [];
const LEGEND_TEXT = { page: 48, print: 60 };
/** The most rows and columns of a matrix that needs no zoom. */
const EASY = 24;
const CELL = { largest: 28, legible: 14, smallest: 1 };
/**
 * The sides of a plot in CSS pixels: cells shrink from the largest to a legible size to keep to
 * `easy`, and further only to keep to `most`.
 */
const SIDE = { easy: 720, most: 2048 };
const PRINT_WIDTH = 560;
/** The side of a cell whose label has room, in pixels of the page. */
const LABEL_PITCH = 14;
/** The share of a figure's width that its cells have beside labels and legend. */
const CELLS_SHARE = 0.68;

/** The first of each group of at most `most`, all of nearly one size. */
function starts(count: number, most: number): number[] {
  const groups = Math.ceil(count / most);
  return Array.from({ length: groups }, (_, group) => Math.round((group * count) / groups));
}

function printedCell(count: number): number {
  const easy = Math.min(CELL.largest, Math.max(CELL.legible, Math.floor(SIDE.easy / count)));
  return easy * count <= SIDE.most ? easy : Math.max(CELL.smallest, Math.floor(SIDE.most / count));
}

const largestOf = (sums: readonly number[]): string =>
  formatFixed(Math.max(0, ...sums), SUMS_DECIMALS);

/** The title of the bars of sums, and the number that the longest of them stands for. */
function sumsTitle({ query, key }: MatrixScene["sums"]): string[] {
  if (!key) return [];
  const below = largestOf(key);
  return query
    ? [message("figure.masses"), message("figure.massesScale", { below, right: largestOf(query) })]
    : [message("figure.mass"), message("figure.massScale", { below })];
}

/** The widest title of the bars of sums: figures beside each other have the same room for it. */
const widestTitle = ({ query }: MatrixScene["sums"]): string[] =>
  sumsTitle({ query: query && [WIDE_SUM], key: [WIDE_SUM] });

/** One of the figures that stand beside each other, each figure itself among them. */
export interface Companion {
  queries: readonly Token[];
  keys: readonly Token[];
  legend: string;
  /** Whether the figure has sums of its columns, and of its rows. */
  sums: Readonly<Record<keyof Cell, boolean>>;
}

function layOut(
  { legend, sums = NO_SUMS }: MatrixContent,
  leastLegend: number,
  inks: Inks,
  room: Omit<LayoutRequest, "legendText" | "sumsText" | "company">,
  company: readonly Companion[],
): MatrixLayout {
  const measure = measurer(labelFont(inks, "bold"));
  const legends = [legend ?? "", ...company.map((one) => one.legend)].map(measure);
  const sumsText = (of: MatrixScene["sums"]): number =>
    Math.ceil(Math.max(...widestTitle(of).map(measure))) + 8;
  const request: LayoutRequest = {
    ...room,
    legendText: legend === undefined ? null : Math.ceil(Math.max(leastLegend, ...legends)),
    sumsText: sums.key ? sumsText(sums) : null,
    rowSums: sums.query !== null,
  };
  if (company.length === 0) return layoutMatrix(request);
  return layoutMatrix({
    ...request,
    company: {
      rows: Math.max(...company.map(({ queries }) => queries.length)),
      columns: Math.max(...company.map(({ keys }) => keys.length)),
      rowSums: company.some((one) => one.sums.query),
      sumsText: company.some((one) => one.sums.key) ? sumsText(NO_SUMS) : 0,
    },
  });
}

function paintLegendOf({ scale, legend }: MatrixContent, layout: MatrixLayout, pen: Pen): void {
  if (legend !== undefined && layout.legend) paintLegend(pen, layout.legend, scale, legend);
}

/** The number of a cell; NaN without a matrix. */
export const numberAt = (matrix: Tensor | null, cell: Cell): number =>
  matrix ? valueAt(matrix, cell) : NaN;

/**
 * A matrix of queries and keys with labels, crosshair and legend; `describe` of each kind says what
 * to draw. A large matrix can be shown as a region; properties and events count cells in the whole
 * matrix.
 */
export abstract class MatrixFigure extends PaintableFigure {
  /**
   * Whether a tall matrix keeps to the comfortable height; otherwise its cells stay large and the
   * figure grows downwards.
   */
  @property({ type: Boolean }) compact = false;
  /**
   * The figures that stand beside each other, this one among them: all have cells of one size, and
   * their first rows at one height. Empty for a figure alone.
   */
  @given(listOf({ queries: TOKENS, keys: TOKENS, legend: "text" }))
  company: readonly Companion[] = [];
  private layout: MatrixLayout | null = null;
  private content: MatrixContent | null = null;
  /**
   * The scale, name and marks of the present matrix. Called once per update, so kinds memoise what
   * is costly.
   */
  protected abstract describe(matrix: Tensor, inks: Inks): MatrixContent;

  /**
   * A matrix of masked scores or weights that shows which pairs are masked; null if only `blocked`
   * does.
   */
  protected get maskOf(): Tensor | null {
    return this.matrix;
  }

  protected get cellSide(): number {
    return this.layout?.cell ?? 1;
  }

  cellUnder(event: ClientPoint): Cell | null {
    const at = this.pointOf(event);
    const place = this.layout && at && placeAt(this.layout, at);
    const { query, key } = shownOf(this.visible, this);
    return place && { query: query + place.row, key: key + place.column };
  }

  private local(cell: Cell | null, region = this.visible): Cell | null {
    return cell && inRegion(shownOf(region, this), cell);
  }

  protected get corner(): { query: string; key: string } {
    return { query: message("figure.query"), key: message("figure.key") };
  }

  protected get blank(): string {
    return formatValue(NaN);
  }

  protected isMasked(cell: Cell): boolean {
    const value = this.maskOf?.data[cell.query * this.columns + cell.key] ?? 0;
    return this.isBlocked(cell) || isForbidden(value);
  }

  /** Paints a stroke over the present picture: painting all cells again would delay the stroke. */
  paintStroke(cells: readonly Cell[], open: boolean): void {
    const { content, layout, matrix } = this;
    const brush = this.cells?.getContext("2d");
    if (!brush || !layout || !content || !matrix) return;
    const look = this.strokes === "mark" ? "outlined" : open ? "open" : "blocked";
    const local = cells.flatMap((cell) => this.local(cell) ?? []);
    const scene = this.scene(matrix, content);
    new MatrixPainter(new Pen(brush, this.inks), layout, scene).stroke(local, look);
  }

  endStroke(reported: boolean): void {
    if (reported && this.strokes !== "mark") return;
    this.forget("cells");
    this.requestUpdate();
  }

  override print(inks: Inks, room: PrintRoom = OWN_ROOM): Print | null {
    // A file has all of the matrix, unless a user chose a part.
    const chosen = regionOf(this.region, this);
    const whole = this.printPart(chosen, inks, room);
    if (!whole || room.width === null) return whole;
    const { query, key, rows, columns } = shownOf(chosen, this);
    if (whole.plot / Math.max(1, columns) >= LABEL_PITCH) return whole;
    const most = Math.max(1, Math.floor(whole.plot / LABEL_PITCH));
    const parts: Print[] = [];
    for (const top of starts(rows, most))
      for (const left of starts(columns, most)) {
        const size = { rows: Math.min(most, rows - top), columns: Math.min(most, columns - left) };
        const part = this.printPart({ query: query + top, key: key + left, ...size }, inks, room);
        if (part) parts.push(part);
      }
    return { ...whole, parts };
  }

  /** A region for a file, or the whole with null; `plot` is the width of its cells. */
  private printPart(
    region: Region | null,
    inks: Inks,
    { width, colourBar, held }: PrintRoom,
  ): (Print & { plot: number }) | null {
    const { drawn } = this;
    if (!drawn || drawn.data.length === 0) return null;
    const { legend, ...described } = this.describe(drawn, inks);
    const content = { ...described, ...(colourBar && legend !== undefined && { legend }) };
    const locked = this.local(this.inside(this.locked), region);
    const scene = { ...this.sceneOf(region, drawn, content), room: PRINT_LABELS };
    const [rows = 0, columns = 0] = scene.matrix.shape;
    const { scale, signs = [] } = content;
    const image = cellImage(scene.matrix, scale);
    if (!image) return null;
    const company = region ? NO_COMPANY : this.company;
    const counts = company.flatMap(({ queries, keys }) => [queries.length, keys.length]);
    const request = {
      rows,
      columns,
      labels: this.roomFor(labelWidths(scene.labels, PRINT_LABELS, inks), PRINT_LABELS, inks),
      width: width ?? PRINT_WIDTH,
      ratio: 1,
      comfortableHeight: width === null ? 0 : Infinity,
      ...(width === null && { settledCell: printedCell(Math.max(rows, columns, ...counts)) }),
    };
    const layout = layOut(content, LEGEND_TEXT.print, inks, request, company);
    return {
      width: layout.width,
      height: layout.height + (signs.length > 0 ? SIGNS_HEIGHT : 0),
      plot: layout.plot.width,
      ...(region && { part: this.regionWords(region) }),
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        const painter = new MatrixPainter(pen, layout, scene);
        painter.plot(image);
        paintLegendOf(content, layout, pen);
        painter.words(sumsTitle(scene.sums));
        if (locked && held) painter.frame(locked, inks.ink);
        if (signs.length > 0) paintSigns(pen, layout.plot.x, layout.height + 8, signs);
      },
    };
  }

  /**
   * The matrix, or its region, as it is painted; the same object as long as its parts are
   * unchanged.
   */
  private scene(whole: Tensor, content: MatrixContent): MatrixScene {
    const { sums = NO_SUMS } = content;
    const { visible, labels, blocked, emptyRows, room, corner } = this;
    const words = [...Object.values(room), ...Object.values(corner)];
    const inputs = [visible, whole, labels, blocked, emptyRows, sums.query, sums.key, ...words];
    return this.memo("scene", inputs, () => this.sceneOf(visible, whole, content));
  }

  /** A region of the matrix as it is painted, or all of it with null. */
  private sceneOf(
    part: Region | null,
    whole: Tensor,
    { sums = NO_SUMS }: MatrixContent,
  ): MatrixScene {
    const { labels, blocked, emptyRows, room, corner } = this;
    const region = shownOf(part, this);
    const { query, key, rows, columns } = region;
    const lastRow = query + rows;
    const lastColumn = key + columns;
    return {
      matrix: part ? cutOut(whole, part) : whole,
      labels: {
        query: labels.query.slice(query, lastRow),
        key: labels.key.slice(key, lastColumn),
      },
      blocked: (blocked ?? []).flatMap((cell) => inRegion(region, cell) ?? []),
      fullyMasked: emptyRows.map((row) => row - query).filter((row) => row >= 0 && row < rows),
      sums: {
        query: sums.query?.slice(query, lastRow) ?? null,
        key: sums.key?.slice(key, lastColumn) ?? null,
      },
      room,
      corner,
    };
  }

  private regionWords({ query, key, rows, columns }: Region): string {
    return message("region.shown", {
      firstQuery: formatNumber(query + 1),
      lastQuery: formatNumber(query + rows),
      firstKey: formatNumber(key + 1),
      lastKey: formatNumber(key + columns),
      ...this.sizes,
    });
  }

  protected override get name(): string {
    const name = this.content?.name ?? "";
    return this.visible ? `${name}. ${this.regionWords(this.visible)}` : name;
  }

  protected override get help(): string {
    const marks = this.strokes === "mark";
    const own = `${marks ? this.keysHelp : super.help} ${message("region.help")}`;
    return this.blocking ? `${own} ${message(marks ? "paint.helpMark" : "paint.help")}` : own;
  }

  protected override spoken(): string {
    const { anchor, hovered } = this;
    if (!anchor || !hovered) return super.spoken();
    const rows = Math.abs(anchor.query - hovered.query) + 1;
    const columns = Math.abs(anchor.key - hovered.key) + 1;
    return `${super.spoken()}. ${message("paint.range", { rows, columns })}`;
  }

  protected labelWidths(inks: Inks, most: Lengths): Lengths {
    return labelWidths(this.labels, most, inks);
  }

  /** The widths of labels that the figure and all beside it have room for. */
  private roomFor(own: Lengths, most: Lengths, inks: Inks): Lengths {
    const others = this.company.map(({ queries, keys }) =>
      labelWidths({ query: tokenLabels(queries), key: tokenLabels(keys) }, most, inks),
    );
    return {
      query: Math.max(own.query, ...others.map(({ query }) => query)),
      key: Math.max(own.key, ...others.map(({ key }) => key)),
    };
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.blocking) this.anchor = null;
    // The theme colours can be read only after the first rendering.
    const matrix = this.hasUpdated ? this.drawn : null;
    this.content = matrix && this.describe(matrix, this.inks);
    this.layout = null;
    const { inks, content, company } = this;
    if (!matrix || !content || this.size.width === 0) return;
    this.nearby = this.findNearby(content);
    const extent = shownOf(this.visible, this);
    const { legend, sums = NO_SUMS } = content;
    // A part of a matrix is as large as there is room for, whatever stands beside it.
    const beside = this.visible ? NO_COMPANY : company;
    const { width, ratio } = this.size;
    const { comfortableHeight, compact, highest } = this;
    const room = [extent.rows, extent.columns, width, ratio, comfortableHeight, compact, highest];
    const own = [this.labels, inks, legend, !sums.key, !sums.query, beside];
    this.layout = this.memo("layout", [...own, ...room], () =>
      this.layOutPart(content, extent, beside),
    );
    // Before the page changes: a browser lays out all changes before it writes on a canvas.
    this.paintOverlay(this.scene(matrix, content), content, this.layout);
  }

  /** Lays out so many rows and columns in the figure's own room. */
  private layOutPart(
    content: MatrixContent,
    part: Pick<LayoutRequest, "rows" | "columns" | "settledCell">,
    beside: readonly Companion[],
  ): MatrixLayout {
    const { inks, comfortableHeight, compact, highest } = this;
    const { width, ratio } = this.size;
    const labels = this.roomFor(this.labelWidths(inks, this.room), this.room, inks);
    const { rows, columns } = part;
    const room = {
      rows,
      columns,
      width,
      ratio,
      comfortableHeight,
      compact,
      labels,
      ...(part.settledCell !== undefined && { settledCell: part.settledCell }),
      ...(highest !== null && { highest }),
    };
    return layOut(content, LEGEND_TEXT.page, inks, room, beside);
  }

  private findNearby(content: MatrixContent): Region | null {
    const near = this.inside(this.near);
    if (!near || this.company.length > 0) return null;
    const columns = Math.floor((this.size.width * CELLS_SHARE) / LABEL_PITCH);
    const rows = Math.floor(this.cellsHeight(content) / LABEL_PITCH);
    return nearest(near, this.nearby, this, { rows, columns });
  }

  /** The height that cells with room for their labels have beside labels, sums and legend. */
  private cellsHeight(content: MatrixContent): number {
    const { comfortableHeight, highest } = this;
    if (highest === null) return comfortableHeight;
    const { height, plot } = this.layOutPart(
      content,
      { rows: 1, columns: 1, settledCell: LABEL_PITCH },
      NO_COMPANY,
    );
    return Math.min(comfortableHeight, highest - (height - plot.height));
  }

  protected override renderPicture(): TemplateResult {
    const { layout, tipped } = this;
    const size = layout ? { width: `${layout.width}px`, height: `${layout.height}px` } : {};
    const place = this.local(tipped);
    return this.renderGestures(
      this.renderStage(
        this.name,
        this.listeners,
        size,
        html`${this.canvases}
        ${
          tipped && place && layout
            ? tip(this.words(tipped), cellRect(layout, place), layout.width)
            : nothing
        }`,
      ),
    );
  }

  protected override renderFoot(): TemplateResult | typeof nothing {
    return this.content
      ? html`${this.content.foot ?? nothing}${this.renderZoom()}${this.renderLeftOut()}`
      : nothing;
  }

  /** Renders of how many queries and keys one is named, if not all are. */
  private renderLeftOut(): TemplateResult | typeof nothing {
    if (!this.layout) return nothing;
    const steps = labelSteps(this.layout);
    const said = (["key", "query"] as const).flatMap((side) =>
      steps[side] > 1 ? message(`region.labels.${side}`, { step: formatNumber(steps[side]) }) : [],
    );
    return said.length > 0 ? html`<span>${said.join(" ")}</span>` : nothing;
  }

  private renderZoom(): TemplateResult | typeof nothing {
    const { visible } = this;
    if (!visible && Math.max(this.rows, this.columns) <= EASY) return nothing;
    // A button without effect is not disabled: it would lose the focus.
    return html`<button
        part="button"
        aria-disabled=${!canEnlarge(visible, this)}
        @click=${() => this.zoom(STEP)}
      >
        ${message("region.nearer")}
      </button>
      <button part="button" aria-disabled=${!visible} @click=${() => this.zoom(1 / STEP)}>
        ${message("region.further")}
      </button>
      <button part="button" aria-disabled=${!visible} @click=${() => this.requestRegion(null)}>
        ${message("region.all")}
      </button>
      ${visible ? html`<span>${this.regionWords(visible)}</span>` : nothing}`;
  }

  protected override renderTable({ data }: Tensor): TemplateResult | typeof nothing {
    if (!this.content) return nothing;
    const { name, scale, sums = NO_SUMS } = this.content;
    const { blank, labels, corner } = this;
    const row = this.shown?.query ?? 0;
    const options = { blank, corner, row, words: scale.words, sums: sums.query };
    return numbersTable(name, data, labels, options);
  }

  /** Paints the cells only after something in them has changed, not for the pointer. */
  protected override updated(): void {
    const { drawn, content, layout, cells } = this;
    if (!drawn || !content || !layout || !cells) return;
    const { scale } = content;
    const scene = this.scene(drawn, content);
    const image = this.memo("image", [scene.matrix, scale], () => cellImage(scene.matrix, scale));
    this.memo("cells", [cells, image, scene, this.inks, layout], () => {
      if (!image) return;
      this.paintOn(cells, layout.width, layout.height, (pen) =>
        new MatrixPainter(pen, layout, scene).plot(image),
      );
      const { painting } = this;
      if (painting) this.paintStroke(painting.cells, painting.open);
    });
    this.paintOverlay(scene, content, layout);
  }

  /**
   * Paints labels, legend and marks; does nothing when the page repeats the hovered cell as
   * `focused`.
   */
  private paintOverlay(scene: MatrixScene, content: MatrixContent, layout: MatrixLayout): void {
    const { overlay, inks } = this;
    if (!overlay) return;
    const [focused, locked, anchor] = [this.shown, this.locked, this.anchor].map((cell) =>
      this.local(this.inside(cell)),
    );
    const { width, height } = layout;
    const { ratio } = this.size;
    const places = [focused, locked, anchor].flatMap((cell) => [cell?.query, cell?.key]);
    const { scale, legend } = content;
    const inputs = [overlay, scene, layout, scale, legend, inks, ratio, language(), ...places];
    this.memo("overlay", inputs, () =>
      this.paintOn(overlay, width, height, (pen) => {
        const painter = new MatrixPainter(pen, layout, scene);
        paintLegendOf(content, layout, pen);
        painter.words(sumsTitle(scene.sums), focused);
        if (locked) painter.frame(locked, inks.ink);
        if (focused) painter.focus(focused);
        if (anchor && focused) painter.range(anchor, focused);
      }),
    );
  }
}
