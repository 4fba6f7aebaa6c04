import { type Cell, isDrawn } from "../data/index.js";
import { rampStep, type ColourScale } from "./colours.js";
import { LABEL_GAP, SLANT, cellRect, type MatrixLayout, type Rect } from "./layout.js";
import { fitLabel, labelStep, labelled, writeLabel, widthOf } from "./text.js";
import { LABEL_SIZE, labelFont, hatch, type Brush, type Pen } from "./theme.js";

// The labels around a plot, and what the pointer does to them: the labels of its pair in full ink, and a crosshair. The
// labels stay while the pointer moves, so that what follows it has little to paint.

/** What the labels show, pointed at or not. */
export interface AxesScene {
  queries: readonly string[];
  keys: readonly string[];
  /** Room for one label, measured along it. */
  queryRoom: number;
  keyRoom: number;
  corner: { query: string; key: string };
  /** Rows whose label is struck through, because they may look at nothing. */
  fullyMasked: readonly number[];
}

/** The least distance between two labels, in cells' own direction. */
const QUERY_PITCH = 11;
const KEY_PITCH = 14;
const SMALLEST_LABEL = 10.5;
/** Slanted lines of text are nearer to each other than their columns. */
const SLANTED = 0.75;
/** The height of a line of text, in its size. */
const LINE = 1.3;
const CROSSHAIR_ALPHA = 0.45;
/** Two lines around a cell below this size would run together. */
const THIN_CELL = 4;

/** A pair under the pointer, and one that is held. */
export interface AxesMarks {
  focused: Cell | null;
  locked: Cell | null;
}

/** A pen that can take back a label, which paper cannot. */
export type CanvasPen = Pen<Brush & Pick<CanvasRenderingContext2D, "clearRect">>;

/** The labels that have room. */
export function paintLabels(pen: Pen, layout: MatrixLayout, scene: AxesScene): void {
  const { rows, columns } = layout;
  pen.brush.save();
  pen.brush.direction = "ltr";
  paintCorner(pen, layout, scene);
  for (const row of labelled(rows, queryStep(layout))) paintQuery(pen, layout, scene, row);
  for (const column of labelled(columns, keyStep(layout))) paintKey(pen, layout, scene, column);
  pen.brush.restore();
}

/** The frame of the pair that is held. */
export function paintLocked(pen: Pen, layout: MatrixLayout, locked: Cell | null): void {
  if (locked) paintFrame(pen, layout, locked, pen.inks.ink);
}

/** Over labels that are there: a pair's own in full ink, in the place of those too near to them, and its crosshair. */
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

/** Which labels have no room beside that of a row or column: its own plain one, and its neighbours'. */
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

/** Labels shrink a little with their cells before some of them are left out. */
function labelSize(cell: number): number {
  return Math.min(LABEL_SIZE, Math.max(SMALLEST_LABEL, cell - 1));
}

/** Sets the look of one label and returns the text that fits its room. */
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

/** Along the slanted line of a column's label, which begins at the origin. */
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

/** No more than the label's own line: the next one stays whole. */
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

/** A frame that stays visible around cells of a single pixel. */
function paintFrame(pen: Pen, layout: MatrixLayout, cell: Cell, colour: string): void {
  const rect = cellRect(layout, cell);
  pen.line(colour, 2);
  pen.frame(rect, Math.max(0, 6 - rect.width) / 2);
}

// The plot of a matrix figure: its cells, the lines between them, and the
// hatching over what is masked or blocked. Painted once per tensor.

export interface PlotScene {
  /** One pixel per cell, transparent where the tensor holds no finite number. */
  image: CanvasImageSource;
  data: Float32Array;
  blocked: readonly Cell[];
  /** Rows that may look at nothing. */
  fullyMasked: readonly number[];
}

/** Cells smaller than this touch each other, and are too small for hatching to be seen. */
const SMALLEST_SEPARATE_CELL = 5;
/** Masked cells are a quiet ground, often half of the plot. */
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

/** Cells gathered into as few rectangles as rows allow: one for each unbroken stretch of a row in which `belongs` holds. */
export function rowRuns(layout: MatrixLayout, belongs: (cell: Cell) => boolean): Rect[] {
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

// A matrix as pixels, one per cell: the browser enlarges it, so painting costs
// the same whatever the size on the screen.

const CHANNELS = 4;

/** RGBA bytes of `data` under `scale`; a cell without a number to draw stays transparent. */
export function cellPixels(data: Float32Array, scale: ColourScale): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(data.length * CHANNELS);
  const words = new Uint32Array(pixels.buffer);
  const ramp = new Uint32Array(scale.ramp.slice().buffer);
  // A plain loop: it runs over every cell of every head, at every keystroke.
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
  /** Whether it is one of many, whose cells all together are too many for a file that has a shape for each. */
  amongMany?: boolean;
}

// Reading an image back from a canvas may be forbidden, or answered with noise against fingerprints.
const known = new WeakMap<CanvasImageSource, CellPixels>();

/** Remembers what an image was made of, for whoever has to write it down instead of drawing it. */
export function rememberPixels(image: CanvasImageSource, pixels: CellPixels): void {
  known.set(image, pixels);
}

/** What an image was made of, if it was remembered. */
export function pixelsOf(image: CanvasImageSource): CellPixels | undefined {
  return known.get(image);
}
