import { html, nothing, type TemplateResult } from "lit";
import type { Cell, Region, Tensor } from "../../data/index.js";
import type { ColourScale } from "../../draw/colours.js";
import { layoutMatrix, type LayoutRequest, type MatrixLayout } from "../../draw/layout.js";
import {
  paintGiven,
  paintLegend,
  paintMass,
  paintSigns,
  SIGNS_HEIGHT,
  type Sign,
} from "../../draw/legend.js";
import { paintLabels, paintLocked, paintPlot, type AxesScene } from "../../draw/matrix.js";
import { canEnlarge, cutOut, inRegion, shownOf, type Extent } from "../../draw/region.js";
import { LABEL_SIZE, labelFont, Pen, type Inks, type Print } from "../../draw/theme.js";
import { formatNumber, message } from "../../i18n/index.js";
import { cellImage, measurer } from "./canvas.js";
import { STEP, type RegionPointer } from "./gestures.js";
import { labelWidths, type Lengths } from "./pair-figure.js";

/** What a kind of matrix figure decides for itself. */
export interface MatrixContent {
  scale: ColourScale;
  name: string;
  /** What the legend's numbers are, or null for a figure without a legend. */
  legend: string | null;
  /** The sum of each column, or null where a sum would mean nothing. */
  mass: Float64Array | null;
  /** The sum of each row, where not all of them are 1. */
  given?: Float64Array | null | undefined;
  /** What the signs on the cells mean, where the legend does not say it. */
  signs: Sign[];
  foot: TemplateResult | typeof nothing;
}

export interface Painted {
  matrix: Tensor;
  queries: string[];
  keys: string[];
  blocked: Cell[];
  /** Rows that may look at nothing. */
  fullyMasked: number[];
  mass: Float64Array | null;
  given: Float64Array | null;
}

/** What is painted of a region, in places counted from its first row and column: of null, the very same matrix. */
export function drawn(region: Region | null, whole: Painted): Painted {
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
    mass: whole.mass?.slice(key, key + columns) ?? null,
    given: whole.given?.slice(query, query + rows) ?? null,
  };
}

/** A cell of the matrix in the places of what is drawn, or null where that does not show it. */
export function drawnCell(region: Region | null, cell: Cell | null): Cell | null {
  return cell && region ? inRegion(region, cell) : cell;
}

/** A cell of what is drawn in the places of the matrix. */
export function wholeCell(region: Region | null, cell: Cell | null): Cell | null {
  return cell && region ? { query: region.query + cell.query, key: region.key + cell.key } : cell;
}

/** What the bars are: those below the plot, and those beside it where it has any. */
function massWords({ given }: Pick<MatrixContent, "given">): string {
  return message(given ? "figure.masses" : "figure.mass");
}

/** Lays out a matrix whose labels take so much room. */
export function layOut(
  { legend, mass, given }: Pick<MatrixContent, "legend" | "mass" | "given">,
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
    legendText: legend === null ? null : Math.max(leastLegend, widthOf(legend)),
    marginalText: mass ? widthOf(massWords({ given })) + 8 : null,
    rowMarginals: Boolean(given),
  });
}

/** All that stays while the pointer moves and has words. */
export function paintWords(
  pen: Pen,
  layout: MatrixLayout,
  { mass, given }: Painted,
  { scale, legend }: MatrixContent,
  axes: AxesScene,
): void {
  if (legend !== null && layout.legend) paintLegend(pen, layout.legend, scale, legend);
  if (mass) paintMass(pen, layout, mass, massWords({ given }));
  if (given) paintGiven(pen, layout, given);
  paintLabels(pen, layout, axes);
}

// A matrix figure apart from the page: the painters of the screen, at a size that follows from the matrix alone.

/** Sides of a cell, in pixels of the page. */
const CELL = { largest: 28, legible: 14, smallest: 1 };
/** Few cells are large, more shrink to a legible size, and only very many shrink further. */
const EASY_SIDE = 720;
const MOST_SIDE = 2048;
const WIDTH = 560;
/** On paper there is room for long words. */
const LABEL_ROOM = 200;
const LEGEND_TEXT = 60;

function cellSide(count: number): number {
  const easy = Math.min(CELL.largest, Math.max(CELL.legible, Math.floor(EASY_SIDE / count)));
  return easy * count <= MOST_SIDE ? easy : Math.max(CELL.smallest, Math.floor(MOST_SIDE / count));
}

/** Null where the browser cannot draw. */
export function printMatrix(
  scene: Painted,
  content: MatrixContent,
  locked: Cell | null,
  corner: AxesScene["corner"],
  inks: Inks,
): Print | null {
  const { matrix } = scene;
  const { scale, signs, legend } = content;
  const [rows = 0, columns = 0] = matrix.shape;
  const image = cellImage(matrix.data, scale, rows, columns);
  if (!image) return null;
  const most = { query: LABEL_ROOM, key: LABEL_ROOM };
  const layout = layOut({ ...scene, legend }, labelWidths(scene, most, inks), LEGEND_TEXT, inks, {
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

/** Up to this many rows and columns every label is read at a glance. */
const EASY = 24;

/** Buttons under a matrix that is too large to read as a whole, and which part of it is seen. */
export function regionControls(
  held: Region | null,
  extent: Extent,
  pointer: RegionPointer,
): TemplateResult | typeof nothing {
  if (!held && Math.max(extent.rows, extent.columns) <= EASY) return nothing;
  // What can do nothing now stays where the keyboard is.
  return html`<button part="button" aria-disabled=${!canEnlarge(held, extent)} @click=${() => pointer.zoom(STEP)}>${message("region.nearer")}</button>
    <button part="button" aria-disabled=${!held} @click=${() => pointer.zoom(1 / STEP)}>${message("region.further")}</button>
    <button part="button" aria-disabled=${!held} @click=${() => pointer.ask(null)}>${message("region.all")}</button>
    ${held ? html`<span>${regionWords(held, extent)}</span>` : nothing}`;
}

/** Which rows and columns are shown, counted from one. */
export function regionWords(held: Region, extent: Extent): string {
  const { query, key, rows, columns } = shownOf(held, extent);
  return message("region.shown", {
    firstQuery: formatNumber(query + 1),
    lastQuery: formatNumber(query + rows),
    queries: formatNumber(extent.rows),
    firstKey: formatNumber(key + 1),
    lastKey: formatNumber(key + columns),
    keys: formatNumber(extent.columns),
  });
}
