import { type Cell, isDrawn } from "../data/index.js";
import { rampStep, type ColourScale } from "./colours.js";
import { LABEL_GAP, SLANT, cellRect, type MatrixLayout, type Rect } from "./layout.js";
import { fitLabel, labelStep, labelled, writeLabel, widthOf } from "./text.js";
import { LABEL_SIZE, labelFont, type Brush, type Inks, hatch } from "./theme.js";

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

/** What can take back a label, which paper cannot. */
type Canvas = Brush & Pick<CanvasRenderingContext2D, "clearRect">;

/** The labels that have room. */
export function paintLabels(
  brush: Brush,
  layout: MatrixLayout,
  scene: AxesScene,
  inks: Inks,
): void {
  brush.save();
  brush.direction = "ltr";
  paintCorner(brush, layout, scene, inks);
  for (const row of labelled(layout.rows, queryStep(layout)))
    paintQuery(brush, layout, scene, row, inks, false);
  for (const column of labelled(layout.columns, keyStep(layout)))
    paintKey(brush, layout, scene, column, inks, false);
  brush.restore();
}

/** The frame of the pair that is held. */
export function paintLocked(
  brush: Brush,
  layout: MatrixLayout,
  locked: Cell | null,
  inks: Inks,
): void {
  if (locked) paintFrame(brush, layout, locked, inks.ink);
}

/** Over labels that are there: a pair's own in full ink, in the place of those too near to them, and its crosshair. */
export function paintMarks(
  brush: Canvas,
  layout: MatrixLayout,
  scene: AxesScene,
  { focused, locked }: AxesMarks,
  inks: Inks,
): void {
  paintLocked(brush, layout, locked, inks);
  if (!focused) return;
  brush.save();
  brush.direction = "ltr";
  for (const row of near(focused.query, layout.rows, queryStep(layout)))
    clearQuery(brush, layout, scene, row);
  for (const column of near(focused.key, layout.columns, keyStep(layout)))
    clearKey(brush, layout, scene, column);
  paintQuery(brush, layout, scene, focused.query, inks, true);
  paintKey(brush, layout, scene, focused.key, inks, true);
  brush.restore();
  paintCrosshair(brush, layout, focused, inks);
}

/** Which labels have no room beside that of a row or column: its own plain one, and its neighbours'. */
function near(at: number, count: number, step: number): number[] {
  return labelled(count, step).filter((index) => Math.abs(index - at) < step);
}

const queryStep = ({ cell }: MatrixLayout): number => labelStep(cell, QUERY_PITCH);
const keyStep = ({ cell }: MatrixLayout): number => labelStep(cell, KEY_PITCH);

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
function inkLabel(
  brush: Brush,
  text: string,
  size: number,
  room: number,
  strong: boolean,
  inks: Inks,
): string {
  const font = labelFont(inks, strong ? "bold" : "normal", size);
  brush.font = font;
  brush.fillStyle = strong ? inks.ink : inks.muted;
  return fitLabel(text, room, (part) => widthOf(brush, font, part));
}

function paintQuery(
  brush: Brush,
  layout: MatrixLayout,
  scene: AxesScene,
  row: number,
  inks: Inks,
  strong: boolean,
): void {
  const { plot, cell } = layout;
  brush.textAlign = "right";
  brush.textBaseline = "middle";
  const text = inkLabel(
    brush,
    scene.queries[row] ?? "",
    labelSize(cell),
    scene.queryRoom,
    strong,
    inks,
  );
  const y = plot.y + (row + 0.5) * cell;
  writeLabel(brush, text, plot.x - LABEL_GAP, y + 0.5);
  if (scene.fullyMasked.includes(row)) {
    const width = brush.measureText(text).width;
    brush.fillRect(plot.x - LABEL_GAP - width, Math.round(y), width, 1);
  }
}

function paintKey(
  brush: Brush,
  layout: MatrixLayout,
  scene: AxesScene,
  column: number,
  inks: Inks,
  strong: boolean,
): void {
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  const text = inkLabel(
    brush,
    scene.keys[column] ?? "",
    labelSize(layout.cell * SLANTED),
    scene.keyRoom,
    strong,
    inks,
  );
  slanted(brush, layout, column, () => writeLabel(brush, text, 0, 0));
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
function clearQuery(brush: Canvas, layout: MatrixLayout, scene: AxesScene, row: number): void {
  const { plot, cell } = layout;
  const height = Math.min(LINE * labelSize(cell), queryStep(layout) * cell);
  brush.clearRect(
    plot.x - LABEL_GAP - scene.queryRoom,
    plot.y + (row + 0.5) * cell - height / 2,
    scene.queryRoom,
    height,
  );
}

function clearKey(brush: Canvas, layout: MatrixLayout, scene: AxesScene, column: number): void {
  const height = Math.min(
    LINE * labelSize(layout.cell * SLANTED),
    keyStep(layout) * layout.cell * Math.sin(SLANT),
  );
  slanted(brush, layout, column, () => brush.clearRect(0, -height / 2, scene.keyRoom, height));
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

// The plot of a matrix figure: its cells, the lines between them, and the
// hatching over what is masked or blocked. Painted once per tensor.

export interface PlotScene {
  /** One pixel per cell, transparent where the tensor holds no finite number. */
  image: CanvasImageSource;
  data: Float32Array;
  /** Cells that the reader blocked. */
  blocked: readonly Cell[];
  /** Rows that may look at nothing. */
  fullyMasked: readonly number[];
}

/** Cells smaller than this touch each other, and are too small for hatching to be seen. */
const SMALLEST_SEPARATE_CELL = 5;
/** Masked cells are a quiet ground, often half of the plot. */
const MASKED_ALPHA = 0.4;

export function paintPlot(brush: Brush, layout: MatrixLayout, scene: PlotScene, inks: Inks): void {
  const { x, y, width, height } = layout.plot;
  brush.save();
  brush.imageSmoothingEnabled = false;
  if (layout.rows > 0 && layout.columns > 0) brush.drawImage(scene.image, x, y, width, height);
  if (layout.cell >= SMALLEST_SEPARATE_CELL) {
    paintMasked(brush, layout, scene, inks);
    paintSeams(brush, layout, inks);
  }
  paintBlocked(brush, layout, scene.blocked, inks);
  brush.strokeStyle = inks.line;
  brush.lineWidth = 1;
  brush.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
  brush.restore();
}

function paintMasked(brush: Brush, layout: MatrixLayout, scene: PlotScene, inks: Inks): void {
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

function paintSeams(brush: Brush, layout: MatrixLayout, inks: Inks): void {
  const { x, y, width, height } = layout.plot;
  brush.beginPath();
  for (let column = 1; column < layout.columns; column++) {
    brush.moveTo(x + column * layout.cell, y);
    brush.lineTo(x + column * layout.cell, y + height);
  }
  for (let row = 1; row < layout.rows; row++) {
    brush.moveTo(x, y + row * layout.cell);
    brush.lineTo(x + width, y + row * layout.cell);
  }
  brush.strokeStyle = inks.paper;
  brush.lineWidth = 1;
  brush.stroke();
}

/** Cells that the reader blocked. */
export function paintBlocked(
  brush: Brush,
  layout: MatrixLayout,
  blocked: readonly Cell[],
  inks: Inks,
): void {
  const inside = blocked.filter(({ query, key }) => query < layout.rows && key < layout.columns);
  const areas = inside.map((cell) => cellRect(layout, cell));
  brush.fillStyle = inks.paper;
  for (const area of areas) brush.fillRect(area.x, area.y, area.width, area.height);
  hatch(brush, areas, inks.accent);
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 1;
  if (layout.cell < SMALLEST_SEPARATE_CELL) return;
  for (const area of areas)
    brush.strokeRect(area.x + 0.5, area.y + 0.5, area.width - 1, area.height - 1);
}

// Cells of a matrix gathered into as few rectangles as rows allow.

/** One rectangle for each unbroken stretch of a row in which `belongs` holds. */
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
  // Counted by hand: this is asked for every cell of every head, at every keystroke.
  for (let index = 0; index < data.length; index += 1) {
    const value = data[index] ?? NaN;
    if (isDrawn(value)) words[index] = ramp[rampStep(scale, value)] ?? 0;
  }
  return pixels;
}

/** A picture of one pixel per cell, as numbers. */
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
