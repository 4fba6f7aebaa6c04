// The labels around a plot and the crosshair on it: what changes while the
// pointer moves, painted on a layer of its own above the cells.
import type { Cell } from "../data/index.js";
import { fitLabel, labelStep, labelled } from "./labels.js";
import { LABEL_GAP, SLANT, cellRect, type MatrixLayout } from "./layout.js";
import { LABEL_SIZE, labelFont, type Brush, type Inks } from "./theme.js";

export interface AxesScene {
  queries: readonly string[];
  keys: readonly string[];
  /** Room for one label, measured along it. */
  queryRoom: number;
  keyRoom: number;
  corner: { query: string; key: string };
  focused: Cell | null;
  locked: Cell | null;
  /** Rows whose label is struck through, because they may look at nothing. */
  fullyMasked: readonly number[];
}

/** The least distance between two labels, in cells' own direction. */
const QUERY_PITCH = 11;
const KEY_PITCH = 14;
const SMALLEST_LABEL = 10.5;
/** Slanted lines of text are nearer to each other than their columns. */
const SLANTED = 0.75;
const CROSSHAIR_ALPHA = 0.45;
/** Two lines around a cell below this size would run together. */
const THIN_CELL = 4;

export function paintAxes(brush: Brush, layout: MatrixLayout, scene: AxesScene, inks: Inks): void {
  brush.save();
  brush.direction = "ltr";
  paintCorner(brush, layout, scene, inks);
  paintQueries(brush, layout, scene, inks);
  paintKeys(brush, layout, scene, inks);
  if (scene.locked) paintFrame(brush, layout, scene.locked, inks.ink);
  if (scene.focused) paintCrosshair(brush, layout, scene.focused, inks);
  brush.restore();
}

function paintCorner(brush: Brush, layout: MatrixLayout, scene: AxesScene, inks: Inks): void {
  const { x, y } = layout.plot;
  const text = `${scene.corner.query} ↓   ${scene.corner.key} →`;
  brush.font = labelFont(inks, "normal", 11);
  brush.fillStyle = inks.muted;
  brush.textBaseline = "alphabetic";
  const fits = brush.measureText(text).width <= x - LABEL_GAP;
  brush.textAlign = "right";
  if (fits) brush.fillText(text, x - LABEL_GAP, y - LABEL_GAP);
  else {
    brush.fillText(`${scene.corner.key} →`, x - LABEL_GAP, y - LABEL_GAP - 13);
    brush.fillText(`${scene.corner.query} ↓`, x - LABEL_GAP, y - LABEL_GAP);
  }
}

/** Labels shrink a little with their cells before some of them are left out. */
function labelSize(cell: number): number {
  return Math.min(LABEL_SIZE, Math.max(SMALLEST_LABEL, cell - 1));
}

/** Sets the look of one label and returns the text that fits its room. */
function inkLabel(brush: Brush, text: string, size: number, room: number, strong: boolean, inks: Inks): string {
  brush.font = labelFont(inks, strong ? "bold" : "normal", size);
  brush.fillStyle = strong ? inks.ink : inks.muted;
  return fitLabel(text, room, (part) => brush.measureText(part).width);
}

function paintQueries(brush: Brush, layout: MatrixLayout, scene: AxesScene, inks: Inks): void {
  const { plot, cell, rows } = layout;
  const strong = scene.focused?.query;
  brush.textAlign = "right";
  brush.textBaseline = "middle";
  for (const row of labelled(rows, labelStep(cell, QUERY_PITCH), strong === undefined ? [] : [strong])) {
    const text = inkLabel(brush, scene.queries[row] ?? "", labelSize(cell), scene.queryRoom, row === strong, inks);
    const y = plot.y + (row + 0.5) * cell;
    brush.fillText(text, plot.x - LABEL_GAP, y + 0.5);
    if (scene.fullyMasked.includes(row)) {
      const width = brush.measureText(text).width;
      brush.fillRect(plot.x - LABEL_GAP - width, Math.round(y), width, 1);
    }
  }
}

function paintKeys(brush: Brush, layout: MatrixLayout, scene: AxesScene, inks: Inks): void {
  const { plot, cell, columns } = layout;
  const strong = scene.focused?.key;
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  for (const column of labelled(columns, labelStep(cell, KEY_PITCH), strong === undefined ? [] : [strong])) {
    const text = inkLabel(brush, scene.keys[column] ?? "", labelSize(cell * SLANTED), scene.keyRoom, column === strong, inks);
    brush.save();
    brush.translate(plot.x + (column + 0.5) * cell - 1, plot.y - LABEL_GAP + 1);
    brush.rotate(-SLANT);
    brush.fillText(text, 0, 0);
    brush.restore();
  }
}

function paintCrosshair(brush: Brush, layout: MatrixLayout, cell: Cell, inks: Inks): void {
  const { plot } = layout;
  const { x, y, width, height } = cellRect(layout, cell);
  brush.save();
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 1;
  brush.globalAlpha = CROSSHAIR_ALPHA;
  brush.beginPath();
  const thin = width < THIN_CELL;
  for (const edge of thin ? [x + width / 2] : [x, x + width]) {
    brush.moveTo(edge, plot.y);
    brush.lineTo(edge, plot.y + plot.height);
  }
  for (const edge of thin ? [y + height / 2] : [y, y + height]) {
    brush.moveTo(plot.x, edge);
    brush.lineTo(plot.x + plot.width, edge);
  }
  brush.stroke();
  brush.restore();
  paintFrame(brush, layout, cell, inks.accent);
}

/** A frame that stays visible around cells of a single pixel. */
function paintFrame(brush: Brush, layout: MatrixLayout, cell: Cell, colour: string): void {
  const { x, y, width, height } = cellRect(layout, cell);
  const spare = Math.max(0, 6 - width) / 2;
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.strokeRect(x - spare, y - spare, width + 2 * spare, height + 2 * spare);
}
