import { nothing, type TemplateResult, html } from "lit";
import type { Cell, Region, Tensor } from "../../data/index.js";
import type { ColourScale } from "../../draw/colours.js";
import { layoutMatrix } from "../../draw/layout.js";
import {
  type Sign,
  paintGiven,
  paintLegend,
  paintMass,
  paintSigns,
  SIGNS_HEIGHT,
} from "../../draw/legend.js";
import { paintLabels, paintLocked, paintPlot } from "../../draw/matrix.js";
import { cutOut, inRegion, shownOf, canEnlarge, type Extent } from "../../draw/region.js";
import { type Print, LABEL_SIZE, labelFont, type Brush, type Inks } from "../../draw/theme.js";
import { message, formatNumber } from "../../i18n/index.js";
import { cellImage, measurer } from "./canvas.js";
import { STEP, type RegionPointer } from "./gestures.js";

/** What a kind of matrix figure decides for itself. */
export interface MatrixContent {
  scale: ColourScale;
  /** The accessible name. */
  name: string;
  /** What the legend's numbers are, or null for a figure without a legend. */
  legend: string | null;
  /** The sum of each column, or null where a sum would mean nothing. */
  mass: Float64Array | null;
  /** The sum of each row, where not all of them are 1. */
  given?: Float64Array | null | undefined;
  /** What the signs on the cells mean, where the legend does not say it. */
  signs: Sign[];
  /** Words under the figure. */
  foot: TemplateResult | typeof nothing;
}

/** A matrix with all that is painted of it. */
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
    fullyMasked: whole.fullyMasked.flatMap((row) =>
      row >= query && row < query + rows ? [row - query] : [],
    ),
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

/** First and last row and column that are shown, counted from one. */
export function bounds(
  region: Region | null,
  extent: { rows: number; columns: number },
): Record<"firstQuery" | "lastQuery" | "firstKey" | "lastKey", number> {
  const { query, key, rows, columns } = shownOf(region, extent);
  return {
    firstQuery: query + 1,
    lastQuery: query + rows,
    firstKey: key + 1,
    lastKey: key + columns,
  };
}

// A matrix figure apart from the page: the painters of the screen, at a size that follows from the matrix alone.

export interface PrintedMatrix extends Painted {
  locked: Cell | null;
  /** What its rows and its columns are. */
  corner: { query: string; key: string };
}

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

/** What the bars are: those below the plot, and those beside it where it has any. */
export function massWords({ given }: Pick<MatrixContent, "given">): string {
  return message(given ? "figure.masses" : "figure.mass");
}

/** Null where the browser cannot draw. */
export function printMatrix(
  scene: PrintedMatrix,
  content: MatrixContent,
  inks: Inks,
): Print | null {
  const { matrix, queries, keys, blocked, fullyMasked, mass, given, locked, corner } = scene;
  const { scale, legend, signs } = content;
  const [rows = 0, columns = 0] = matrix.shape;
  const image = cellImage(matrix.data, scale, rows, columns);
  if (!image) return null;
  const measure = measurer(labelFont(inks, "bold"), LABEL_SIZE);
  const longest = (labels: string[]): number =>
    Math.min(
      LABEL_ROOM,
      Math.ceil(labels.reduce((most, label) => Math.max(most, measure(label)), 0)),
    );
  const layout = layoutMatrix({
    rows,
    columns,
    width: WIDTH,
    ratio: 1,
    comfortableHeight: 0,
    settledCell: cellSide(Math.max(rows, columns)),
    queryLabel: Math.max(longest(queries), 48),
    keyLabel: longest(keys),
    legendText: legend === null ? null : Math.max(LEGEND_TEXT, Math.ceil(measure(legend))),
    marginalText: mass ? Math.ceil(measure(massWords(scene))) + 8 : null,
    rowMarginals: given !== null,
  });
  const axes = { queries, keys, queryRoom: LABEL_ROOM, keyRoom: LABEL_ROOM, corner, fullyMasked };
  const words = massWords(scene);
  const paint = (brush: Brush): void => {
    paintPlot(brush, layout, { image, data: matrix.data, blocked, fullyMasked }, inks);
    if (legend !== null && layout.legend) paintLegend(brush, layout.legend, scale, legend, inks);
    if (mass) paintMass(brush, layout, mass, words, inks);
    if (given) paintGiven(brush, layout, given, inks);
    paintLabels(brush, layout, axes, inks);
    paintLocked(brush, layout, locked, inks);
    if (signs.length > 0) paintSigns(brush, layout.plot.x, layout.height + 8, signs, inks);
  };
  return {
    width: layout.width,
    height: layout.height + (signs.length > 0 ? SIGNS_HEIGHT : 0),
    paint,
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

/** Which rows and columns are shown. */
export function regionWords(held: Region, extent: Extent): string {
  const { firstQuery, lastQuery, firstKey, lastKey } = bounds(held, extent);
  return message("region.shown", {
    firstQuery: formatNumber(firstQuery),
    lastQuery: formatNumber(lastQuery),
    queries: formatNumber(extent.rows),
    firstKey: formatNumber(firstKey),
    lastKey: formatNumber(lastKey),
    keys: formatNumber(extent.columns),
  });
}
