// A matrix figure apart from the page: the painters of the screen, at a size that follows from the matrix alone.
import type { Cell } from "../../data/index.js";
import { paintLabels, paintLocked } from "../../draw/axes.js";
import { layoutMatrix } from "../../draw/layout.js";
import { paintGiven, paintLegend, paintMass } from "../../draw/legend.js";
import { paintPlot } from "../../draw/plot.js";
import type { Print } from "../../draw/print.js";
import { paintSigns, SIGNS_HEIGHT } from "../../draw/signs.js";
import { LABEL_SIZE, labelFont, type Brush, type Inks } from "../../draw/theme.js";
import { message } from "../../i18n/index.js";
import { cellImage, measurer } from "./canvas.js";
import type { MatrixContent } from "./content.js";
import type { Painted } from "./drawn.js";

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
