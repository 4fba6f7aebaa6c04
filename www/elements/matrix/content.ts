import { html, nothing, type TemplateResult } from "lit";
import type { Cell, Region, Tensor } from "../../data/index.js";
import type { ColourScale } from "../../draw/colours.js";
import { layoutMatrix, type LayoutRequest, type MatrixLayout } from "../../draw/layout.js";
import {
  paintColumnSums,
  paintLegend,
  paintRowSums,
  paintSigns,
  SIGNS_HEIGHT,
  type Sign,
  type Sums,
} from "../../draw/legend.js";
import { paintLabels, paintLocked, paintPlot, type AxesScene } from "../../draw/matrix.js";
import { canEnlarge, cutOut, inRegion, type Extent } from "../../draw/region.js";
import { LABEL_SIZE, labelFont, Pen, type Inks, type Print } from "../../draw/theme.js";
import { formatNumber, message } from "../../i18n/index.js";
import { cellImage, measurer } from "./canvas.js";
import { STEP, type MatrixGestures } from "./gestures.js";
import { labelWidths, type Lengths } from "./pair-figure.js";

/** What differs between the kinds of matrix figures. */
export interface MatrixContent extends Partial<Sums> {
  scale: ColourScale;
  name: string;
  /** What the legend's numbers are; a figure without it has no legend. */
  legend?: string;
  /** The meaning of hatched and coloured cells. */
  signs?: Sign[];
  foot?: TemplateResult;
}

/** A matrix, or the region of it, as it is painted. */
export interface Painted extends Sums {
  matrix: Tensor;
  queries: string[];
  keys: string[];
  blocked: Cell[];
  fullyMasked: number[];
}

/** A region of the whole, its cells counted from its first row and column; for null, the same object. */
export function cutPainted(region: Region | null, whole: Painted): Painted {
  if (!region) return whole;
  const { query, key, rows, columns } = region;
  return {
    matrix: cutOut(whole.matrix, region),
    queries: whole.queries.slice(query, query + rows),
    keys: whole.keys.slice(key, key + columns),
    blocked: whole.blocked.flatMap((cell) => inRegion(region, cell) ?? []),
    fullyMasked: whole.fullyMasked
      .filter((row) => row >= query && row < query + rows)
      .map((row) => row - query),
    columnSums: whole.columnSums?.slice(key, key + columns) ?? null,
    rowSums: whole.rowSums?.slice(query, query + rows) ?? null,
  };
}

const sumsTitle = ({ rowSums }: Partial<Sums>): string =>
  message(rowSums ? "figure.masses" : "figure.mass");

/** Lays out a matrix whose labels have these widths. */
export function layOut(
  { legend, columnSums, rowSums }: MatrixContent,
  labels: Lengths,
  leastLegend: number,
  inks: Inks,
  room: Omit<LayoutRequest, "queryLabel" | "keyLabel" | "legendText" | "marginalText">,
): MatrixLayout {
  const measure = measurer(labelFont(inks, "bold"), LABEL_SIZE);
  const widthOf = (words: string): number => Math.ceil(measure(words));
  return layoutMatrix({
    ...room,
    queryLabel: labels.query,
    keyLabel: labels.key,
    legendText: legend === undefined ? null : Math.max(leastLegend, widthOf(legend)),
    marginalText: columnSums ? widthOf(sumsTitle({ rowSums: rowSums ?? null })) + 8 : null,
    rowMarginals: Boolean(rowSums),
  });
}

/** Paints legend, sums and labels, which stay while the pointer moves. */
export function paintWords(
  pen: Pen,
  layout: MatrixLayout,
  { columnSums, rowSums }: Sums,
  { scale, legend }: MatrixContent,
  axes: AxesScene,
): void {
  if (legend !== undefined && layout.legend) paintLegend(pen, layout.legend, scale, legend);
  if (columnSums) paintColumnSums(pen, layout, columnSums, sumsTitle({ rowSums }));
  if (rowSums) paintRowSums(pen, layout, rowSums);
  paintLabels(pen, layout, axes);
}

// A matrix figure in a file has a size that follows from the matrix alone.

/** Sides of a cell, in CSS pixels. */
const CELL = { largest: 28, legible: 14, smallest: 1 };
/** Cells shrink from the largest to a legible size to keep to the first, and further only to keep to the second. */
const EASY_SIDE = 720;
const MOST_SIDE = 2048;
const WIDTH = 560;
const LABEL_ROOM = 200;
const LEGEND_TEXT = 60;

function cellSide(count: number): number {
  const easy = Math.min(CELL.largest, Math.max(CELL.legible, Math.floor(EASY_SIDE / count)));
  return easy * count <= MOST_SIDE ? easy : Math.max(CELL.smallest, Math.floor(MOST_SIDE / count));
}

/** Null without a 2D context. */
export function printMatrix(
  scene: Painted,
  content: MatrixContent,
  locked: Cell | null,
  corner: AxesScene["corner"],
  inks: Inks,
): Print | null {
  const { matrix } = scene;
  const { scale, signs = [] } = content;
  const [rows = 0, columns = 0] = matrix.shape;
  const image = cellImage(matrix.data, scale, rows, columns);
  if (!image) return null;
  const labels = labelWidths(scene, { query: LABEL_ROOM, key: LABEL_ROOM }, inks);
  const { columnSums, rowSums } = scene;
  const layout = layOut({ ...content, columnSums, rowSums }, labels, LEGEND_TEXT, inks, {
    rows,
    columns,
    width: WIDTH,
    ratio: 1,
    comfortableHeight: 0,
    settledCell: cellSide(Math.max(rows, columns)),
  });
  const axes = { ...scene, queryRoom: LABEL_ROOM, keyRoom: LABEL_ROOM, corner };
  return {
    width: layout.width,
    height: layout.height + (signs.length > 0 ? SIGNS_HEIGHT : 0),
    paint: (brush) => {
      const pen = new Pen(brush, inks);
      paintPlot(pen, layout, { ...scene, image, data: matrix.data });
      paintWords(pen, layout, scene, content, axes);
      paintLocked(pen, layout, locked);
      if (signs.length > 0) paintSigns(pen, layout.plot.x, layout.height + 8, signs);
    },
  };
}

/** A matrix of at most this many rows and columns needs no zoom. */
const EASY = 24;

/** The zoom buttons under a large matrix, and which region is shown. */
export function regionControls(
  held: Region | null,
  extent: Extent,
  gestures: MatrixGestures,
): TemplateResult | typeof nothing {
  if (!held && Math.max(extent.rows, extent.columns) <= EASY) return nothing;
  // A button without effect is not disabled: it would lose the focus.
  return html`<button part="button" aria-disabled=${!canEnlarge(held, extent)} @click=${() => gestures.zoom(STEP)}>${message("region.nearer")}</button>
    <button part="button" aria-disabled=${!held} @click=${() => gestures.zoom(1 / STEP)}>${message("region.further")}</button>
    <button part="button" aria-disabled=${!held} @click=${() => gestures.ask(null)}>${message("region.all")}</button>
    ${held ? html`<span>${regionWords(held, extent)}</span>` : nothing}`;
}

/** The rows and columns of a region, counted from one. */
export function regionWords({ query, key, rows, columns }: Region, extent: Extent): string {
  return message("region.shown", {
    firstQuery: formatNumber(query + 1),
    lastQuery: formatNumber(query + rows),
    queries: formatNumber(extent.rows),
    firstKey: formatNumber(key + 1),
    lastKey: formatNumber(key + columns),
    keys: formatNumber(extent.columns),
  });
}
