import { type Cell, isDrawn } from "../data/index.js";
import { rampStep, type ColourScale } from "./colours.js";
import { LABEL_GAP, SLANT, cellRect, type MatrixLayout, type Rect } from "./layout.js";
import { fitLabel, labelStep, labelled, writeLabel, widthOf } from "./text.js";
import { LABEL_SIZE, labelFont, hatch, type Brush, type Pen } from "./theme.js";

// The labels around a plot are painted once; the pointer adds the emphasised labels of its pair and a crosshair.

export interface AxesScene {
  queries: readonly string[];
  keys: readonly string[];
  /** The greatest widths of a label. */
  queryRoom: number;
  keyRoom: number;
  corner: { query: string; key: string };
  /** Rows in which every key is masked; their labels are struck through. */
  fullyMasked: readonly number[];
}

/** The least distance between two labels. */
const QUERY_PITCH = 11;
const KEY_PITCH = 14;
const SMALLEST_LABEL = 10.5;
/** The distance of slanted lines of text, in columns. */
const SLANTED = 0.75;
/** The height of a line of text, in font sizes. */
const LINE = 1.3;
const CROSSHAIR_ALPHA = 0.45;
/** A smaller cell has one crosshair line instead of two. */
const THIN_CELL = 4;

export interface AxesMarks {
  focused: Cell | null;
  locked: Cell | null;
}

/** A pen that can clear labels. */
export type CanvasPen = Pen<Brush & Pick<CanvasRenderingContext2D, "clearRect">>;

/** Paints the labels that have room. */
export function paintLabels(pen: Pen, layout: MatrixLayout, scene: AxesScene): void {
  const { rows, columns } = layout;
  pen.brush.save();
  pen.brush.direction = "ltr";
  paintCorner(pen, layout, scene);
  for (const row of labelled(rows, queryStep(layout))) paintQuery(pen, layout, scene, row);
  for (const column of labelled(columns, keyStep(layout))) paintKey(pen, layout, scene, column);
  pen.brush.restore();
}

export function paintLocked(pen: Pen, layout: MatrixLayout, locked: Cell | null): void {
  if (locked) paintFrame(pen, layout, locked, pen.inks.ink);
}

/** Emphasises the labels of the pair in focus, in place of those that overlap them, and paints crosshair and frames. */
export function paintMarks(
  pen: CanvasPen,
  layout: MatrixLayout,
  scene: AxesScene,
  { focused, locked }: AxesMarks,
): void {
  paintLocked(pen, layout, locked);
  if (!focused) return;
  pen.brush.save();
  pen.brush.direction = "ltr";
  for (const row of near(focused.query, layout.rows, queryStep(layout)))
    clearQuery(pen, layout, scene, row);
  for (const column of near(focused.key, layout.columns, keyStep(layout)))
    clearKey(pen, layout, scene, column);
  paintQuery(pen, layout, scene, focused.query, true);
  paintKey(pen, layout, scene, focused.key, true);
  pen.brush.restore();
  paintCrosshair(pen, layout, focused);
}

/** The painted labels that overlap the label of a row or column. */
function near(at: number, count: number, step: number): number[] {
  return labelled(count, step).filter((index) => Math.abs(index - at) < step);
}

const queryStep = ({ cell }: MatrixLayout): number => labelStep(cell, QUERY_PITCH);
const keyStep = ({ cell }: MatrixLayout): number => labelStep(cell, KEY_PITCH);

function paintCorner(pen: Pen, { plot }: MatrixLayout, { corner }: AxesScene): void {
  const [right, bottom] = [plot.x - LABEL_GAP, plot.y - LABEL_GAP];
  const text = `${corner.query} ↓   ${corner.key} →`;
  pen.words(11, pen.inks.muted, "right", "alphabetic");
  if (pen.measure(text) <= right) pen.brush.fillText(text, right, bottom);
  else {
    pen.brush.fillText(`${corner.key} →`, right, bottom - 13);
    pen.brush.fillText(`${corner.query} ↓`, right, bottom);
  }
}

function labelSize(cell: number): number {
  return Math.min(LABEL_SIZE, Math.max(SMALLEST_LABEL, cell - 1));
}

/** Sets the style of a label and returns the text that fits. */
function inkLabel(
  { brush, inks }: Pen,
  text: string,
  size: number,
  room: number,
  strong: boolean,
): string {
  const font = labelFont(inks, strong ? "bold" : "normal", size);
  brush.font = font;
  brush.fillStyle = strong ? inks.ink : inks.muted;
  brush.textBaseline = "middle";
  return fitLabel(text, room, (part) => widthOf(brush, font, part));
}

function paintQuery(
  pen: Pen,
  { plot, cell }: MatrixLayout,
  { queries, queryRoom, fullyMasked }: AxesScene,
  row: number,
  strong = false,
): void {
  const text = inkLabel(pen, queries[row] ?? "", labelSize(cell), queryRoom, strong);
  const [x, y] = [plot.x - LABEL_GAP, plot.y + (row + 0.5) * cell];
  pen.brush.textAlign = "right";
  writeLabel(pen.brush, text, x, y + 0.5);
  if (!fullyMasked.includes(row)) return;
  const width = pen.measure(text);
  pen.brush.fillRect(x - width, Math.round(y), width, 1);
}

function paintKey(
  pen: Pen,
  layout: MatrixLayout,
  { keys, keyRoom }: AxesScene,
  column: number,
  strong = false,
): void {
  const size = labelSize(layout.cell * SLANTED);
  const text = inkLabel(pen, keys[column] ?? "", size, keyRoom, strong);
  pen.brush.textAlign = "left";
  slanted(pen.brush, layout, column, () => writeLabel(pen.brush, text, 0, 0));
}

/** Paints with the origin and direction of a column's label. */
function slanted(
  brush: Brush,
  { plot, cell }: MatrixLayout,
  column: number,
  paint: () => void,
): void {
  brush.save();
  brush.translate(plot.x + (column + 0.5) * cell - 1, plot.y - LABEL_GAP + 1);
  brush.rotate(-SLANT);
  paint();
  brush.restore();
}

function clearQuery(
  { brush }: CanvasPen,
  layout: MatrixLayout,
  { queryRoom }: AxesScene,
  row: number,
): void {
  const { plot, cell } = layout;
  const height = Math.min(LINE * labelSize(cell), queryStep(layout) * cell);
  const top = plot.y + (row + 0.5) * cell - height / 2;
  brush.clearRect(plot.x - LABEL_GAP - queryRoom, top, queryRoom, height);
}

function clearKey(
  { brush }: CanvasPen,
  layout: MatrixLayout,
  { keyRoom }: AxesScene,
  column: number,
): void {
  const line = LINE * labelSize(layout.cell * SLANTED);
  const height = Math.min(line, keyStep(layout) * layout.cell * Math.sin(SLANT));
  slanted(brush, layout, column, () => brush.clearRect(0, -height / 2, keyRoom, height));
}

function paintCrosshair(pen: Pen, layout: MatrixLayout, cell: Cell): void {
  const { plot } = layout;
  const { x, y, width, height } = cellRect(layout, cell);
  pen.brush.save();
  pen.line(pen.inks.accent, 1);
  pen.brush.globalAlpha = CROSSHAIR_ALPHA;
  pen.brush.beginPath();
  const thin = width < THIN_CELL;
  for (const edge of thin ? [x + width / 2] : [x, x + width])
    pen.segment(edge, plot.y, edge, plot.y + plot.height);
  for (const edge of thin ? [y + height / 2] : [y, y + height])
    pen.segment(plot.x, edge, plot.x + plot.width, edge);
  pen.brush.stroke();
  pen.brush.restore();
  paintFrame(pen, layout, cell, pen.inks.accent);
}

/** A frame around a cell, at least 6 px wide. */
function paintFrame(pen: Pen, layout: MatrixLayout, cell: Cell, colour: string): void {
  const rect = cellRect(layout, cell);
  pen.line(colour, 2);
  pen.frame(rect, Math.max(0, 6 - rect.width) / 2);
}

/** The cells of a matrix figure. */
export interface PlotScene {
  /** One pixel per cell. */
  image: CanvasImageSource;
  data: Float32Array;
  blocked: readonly Cell[];
  fullyMasked: readonly number[];
}

/** Smaller cells have neither seams nor hatching. */
const SMALLEST_SEPARATE_CELL = 5;
const MASKED_ALPHA = 0.4;

export function paintPlot(pen: Pen, layout: MatrixLayout, scene: PlotScene): void {
  const { brush, inks } = pen;
  const { x, y, width, height } = layout.plot;
  brush.save();
  brush.imageSmoothingEnabled = false;
  if (layout.rows > 0 && layout.columns > 0) brush.drawImage(scene.image, x, y, width, height);
  if (layout.cell >= SMALLEST_SEPARATE_CELL) {
    paintMasked(pen, layout, scene);
    paintSeams(pen, layout);
  }
  paintBlocked(pen, layout, scene.blocked);
  pen.line(inks.line, 1);
  pen.frame(layout.plot, 0.5);
  brush.restore();
}

function paintMasked({ brush, inks }: Pen, layout: MatrixLayout, scene: PlotScene): void {
  const empty = new Set(scene.fullyMasked);
  const masked = rowRuns(
    layout,
    ({ query, key }) =>
      empty.has(query) || !isDrawn(scene.data[query * layout.columns + key] ?? NaN),
  );
  brush.globalAlpha = MASKED_ALPHA;
  hatch(brush, masked, inks.muted);
  brush.globalAlpha = 1;
}

function paintSeams(pen: Pen, { plot, cell, rows, columns }: MatrixLayout): void {
  const { x, y, width, height } = plot;
  pen.brush.beginPath();
  for (let column = 1; column < columns; column++)
    pen.segment(x + column * cell, y, x + column * cell, y + height);
  for (let row = 1; row < rows; row++) pen.segment(x, y + row * cell, x + width, y + row * cell);
  pen.line(pen.inks.paper, 1);
  pen.brush.stroke();
}

export function paintBlocked(pen: Pen, layout: MatrixLayout, blocked: readonly Cell[]): void {
  const { brush, inks } = pen;
  const inside = blocked.filter(({ query, key }) => query < layout.rows && key < layout.columns);
  const areas = inside.map((cell) => cellRect(layout, cell));
  brush.fillStyle = inks.paper;
  for (const { x, y, width, height } of areas) brush.fillRect(x, y, width, height);
  hatch(brush, areas, inks.accent);
  pen.line(inks.accent, 1);
  if (layout.cell >= SMALLEST_SEPARATE_CELL) for (const area of areas) pen.frame(area, -0.5);
}

/** A rectangle for each run of cells in a row for which `belongs` holds. */
function rowRuns(layout: MatrixLayout, belongs: (cell: Cell) => boolean): Rect[] {
  const runs: Rect[] = [];
  for (let query = 0; query < layout.rows; query++) {
    let start = -1;
    for (let key = 0; key <= layout.columns; key++) {
      const inside = key < layout.columns && belongs({ query, key });
      if (inside && start < 0) start = key;
      if (inside || start < 0) continue;
      const first = cellRect(layout, { query, key: start });
      runs.push({ ...first, width: (key - start) * layout.cell });
      start = -1;
    }
  }
  return runs;
}

const CHANNELS = 4;

/** RGBA bytes of `data`, one pixel per cell; masked cells and NaN are transparent. The browser scales the image. */
export function cellPixels(data: Float32Array, scale: ColourScale): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(data.length * CHANNELS);
  const words = new Uint32Array(pixels.buffer);
  const ramp = new Uint32Array(scale.ramp.slice().buffer);
  // A plain loop for speed: it runs over every cell of every head at every keystroke.
  for (let index = 0; index < data.length; index += 1) {
    const value = data[index] ?? NaN;
    if (isDrawn(value)) words[index] = ramp[rampStep(scale, value)] ?? 0;
  }
  return pixels;
}

export interface CellPixels {
  data: Uint8ClampedArray<ArrayBuffer>;
  columns: number;
  rows: number;
  /** Whether it is one of many images, whose cells are too many for an SVG shape each. */
  amongMany?: boolean;
}

// Browsers may forbid reading an image back from a canvas, or add noise against fingerprinting.
const known = new WeakMap<CanvasImageSource, CellPixels>();

/** Stores the pixels of an image for the SVG writer. */
export function rememberPixels(image: CanvasImageSource, pixels: CellPixels): void {
  known.set(image, pixels);
}

/** The stored pixels of an image. */
export function pixelsOf(image: CanvasImageSource): CellPixels | undefined {
  return known.get(image);
}
