import { type Cell, isDrawn, type Tensor } from "../data/index.js";
import { rampStep, type ColourScale } from "./colours.js";
import { LABEL_GAP, SLANT, cellRect, type MatrixLayout, type Rect } from "./layout.js";
import { fitLabel, labelStep, labelled, writeLabel, widthOf } from "./text.js";
import { LABEL_SIZE, labelFont, hatch, type Brush, type Inks, type Pen } from "./theme.js";

/** A matrix, or the region of one, with what is painted in and around it. */
export interface MatrixScene {
  matrix: Tensor;
  queries: readonly string[];
  keys: readonly string[];
  blocked: readonly Cell[];
  /** Rows in which every key is masked; their labels are struck through. */
  fullyMasked: readonly number[];
  /** The sums that bars show; null for none. */
  columnSums: Float64Array | null;
  rowSums: Float64Array | null;
  /** The greatest widths of a label. */
  room: Readonly<Record<keyof Cell, number>>;
  corner: Readonly<Record<keyof Cell, string>>;
}

/** The least distance between two labels. */
const PITCH = { query: 11, key: 14 };
const SMALLEST_LABEL = 10.5;
/** The distance of slanted lines of text, in columns. */
const SLANTED = 0.75;
/** The height of a line of text, in font sizes. */
const LINE = 1.3;
const CROSSHAIR_ALPHA = 0.45;
/** A smaller cell has one crosshair line instead of two. */
const THIN_CELL = 4;
/** Smaller cells have neither seams nor hatching. */
const SMALLEST_SEPARATE_CELL = 5;
const MASKED_ALPHA = 0.4;
const SUM_ALPHA = 0.55;
const SUM_TITLE = { size: 11, gap: 10 };

const SIDES = ["query", "key"] as const;
const largestOf = (sums: Float64Array | null): number =>
  sums?.reduce((largest, value) => Math.max(largest, value), 0) ?? 0;

/** Paints a matrix figure: its cells, the labels and sums around them, and the marks of the pointer. */
export class MatrixPainter {
  private readonly brush: Brush & Partial<Pick<CanvasRenderingContext2D, "clearRect">>;
  private readonly inks: Inks;
  private readonly largest: Readonly<Record<keyof Cell, number>>;

  constructor(
    private readonly pen: Pen,
    private readonly layout: MatrixLayout,
    private readonly scene: MatrixScene,
  ) {
    this.brush = pen.brush;
    this.inks = pen.inks;
    this.largest = { query: largestOf(scene.rowSums), key: largestOf(scene.columnSums) };
  }

  /** The cells; `image` has one pixel for each. */
  plot(image: CanvasImageSource): void {
    const { brush, inks, pen, layout, scene } = this;
    const { x, y, width, height } = layout.plot;
    brush.save();
    brush.imageSmoothingEnabled = false;
    if (layout.rows > 0 && layout.columns > 0) brush.drawImage(image, x, y, width, height);
    if (layout.cell >= SMALLEST_SEPARATE_CELL) {
      brush.globalAlpha = MASKED_ALPHA;
      hatch(brush, this.maskedRuns(), inks.muted);
      brush.globalAlpha = 1;
      this.seams();
    }
    this.block(scene.blocked);
    pen.line(inks.line, 1);
    pen.frame(layout.plot, 0.5);
    brush.restore();
  }

  /** A rectangle for each run of masked cells in a row. */
  private maskedRuns(): Rect[] {
    const { layout, scene } = this;
    const { rows, columns, cell } = layout;
    const { data } = scene.matrix;
    const empty = new Set(scene.fullyMasked);
    const runs: Rect[] = [];
    for (let query = 0; query < rows; query++) {
      let start = -1;
      for (let key = 0; key <= columns; key++) {
        const masked = empty.has(query) || !isDrawn(data[query * columns + key] ?? NaN);
        const inside = key < columns && masked;
        if (inside && start < 0) start = key;
        if (inside || start < 0) continue;
        runs.push({ ...cellRect(layout, { query, key: start }), width: (key - start) * cell });
        start = -1;
      }
    }
    return runs;
  }

  private seams(): void {
    const { pen, layout } = this;
    const { cell, rows, columns, plot } = layout;
    const { x, y, width, height } = plot;
    pen.brush.beginPath();
    for (let column = 1; column < columns; column++)
      pen.segment(x + column * cell, y, x + column * cell, y + height);
    for (let row = 1; row < rows; row++) pen.segment(x, y + row * cell, x + width, y + row * cell);
    pen.line(pen.inks.paper, 1);
    pen.brush.stroke();
  }

  private block(blocked: readonly Cell[]): void {
    const { brush, inks, pen, layout } = this;
    const inside = blocked.filter(({ query, key }) => query < layout.rows && key < layout.columns);
    const areas = inside.map((cell) => cellRect(layout, cell));
    brush.fillStyle = inks.paper;
    for (const { x, y, width, height } of areas) brush.fillRect(x, y, width, height);
    hatch(brush, areas, inks.accent);
    pen.line(inks.accent, 1);
    if (layout.cell >= SMALLEST_SEPARATE_CELL) for (const area of areas) pen.frame(area, -0.5);
  }

  /** Cells of a stroke over the present picture: as blocked, as allowed, or only outlined. */
  stroke(cells: readonly Cell[], look: "blocked" | "open" | "outlined"): void {
    const { brush, inks, pen, layout } = this;
    brush.save();
    if (look === "blocked") this.block(cells);
    else if (look === "outlined") pen.line(inks.accent, 2);
    for (const cell of look === "blocked" ? [] : cells) {
      const rect = cellRect(layout, cell);
      const { x, y, width, height } = rect;
      if (look === "outlined") {
        brush.strokeRect(x + 1, y + 1, Math.max(0, width - 2), Math.max(0, height - 2));
        continue;
      }
      brush.fillStyle = inks.accent;
      brush.fillRect(x, y, width, height);
      if (width < 4) continue;
      brush.fillStyle = inks.paper;
      brush.fillRect(x + 1, y + 1, width - 2, height - 2);
    }
    brush.restore();
  }

  /** The sums of columns as bars that hang below the plot, and their title. */
  columnSums(title: string): void {
    const { brush, inks, pen } = this;
    const area = this.layout.marginals;
    if (!area || !this.scene.columnSums) return;
    brush.save();
    this.bars("key");
    brush.globalAlpha = 1;
    pen.words(SUM_TITLE.size, inks.muted);
    if (area.wordsBelow) brush.fillText(title, area.x, area.y + area.height + 10);
    else brush.fillText(title, area.x + area.width + SUM_TITLE.gap, area.y + 7);
    brush.restore();
  }

  /** The sums of rows as bars right of the plot. */
  rowSums(): void {
    if (!this.layout.rowMarginals || !this.scene.rowSums) return;
    this.brush.save();
    this.bars("query");
    this.brush.restore();
  }

  private bars(side: keyof Cell): void {
    const { brush, inks, scene } = this;
    brush.fillStyle = inks.muted;
    brush.globalAlpha = SUM_ALPHA;
    const sums = side === "key" ? scene.columnSums : scene.rowSums;
    for (const index of sums?.keys() ?? []) this.bar(side, index);
  }

  private bar(side: keyof Cell, index: number): void {
    const { brush, layout, scene, largest } = this;
    const { cell, marginals, rowMarginals } = layout;
    const gap = cell >= 8 ? cell * 0.16 : 0;
    const across = cell - 2 * gap;
    const sums = side === "key" ? scene.columnSums : scene.rowSums;
    if (!sums) return;
    const share = (sums[index] ?? 0) / (largest[side] || 1);
    if (side === "key" && marginals) {
      const { x, y, height } = marginals;
      brush.fillRect(x + index * cell + gap, y, across, Math.max(1, share * height));
    } else if (side === "query" && rowMarginals) {
      const { x, y, width } = rowMarginals;
      brush.fillRect(x, y + index * cell + gap, share * width, across);
    }
  }

  /** The labels that have room; they stay while the pointer moves. */
  labels(): void {
    const { brush, layout } = this;
    brush.save();
    brush.direction = "ltr";
    this.cornerTitle();
    for (const row of labelled(layout.rows, this.step("query"))) this.query(row);
    for (const column of labelled(layout.columns, this.step("key"))) this.key(column);
    brush.restore();
  }

  private cornerTitle(): void {
    const { brush, inks, pen, layout, scene } = this;
    const { query, key } = scene.corner;
    const [right, bottom] = [layout.plot.x - LABEL_GAP, layout.plot.y - LABEL_GAP];
    const text = `${query} ↓   ${key} →`;
    pen.words(11, inks.muted, "right", "alphabetic");
    if (pen.measure(text) <= right) brush.fillText(text, right, bottom);
    else {
      brush.fillText(`${key} →`, right, bottom - 13);
      brush.fillText(`${query} ↓`, right, bottom);
    }
  }

  /** Of every how many rows or columns one is labelled. */
  private step(side: keyof Cell): number {
    return labelStep(this.layout.cell, PITCH[side]);
  }

  private size(side: keyof Cell): number {
    const cell = this.layout.cell * (side === "key" ? SLANTED : 1);
    return Math.min(LABEL_SIZE, Math.max(SMALLEST_LABEL, cell - 1));
  }

  /** Sets the style of a label and returns the text that fits. */
  private label(side: keyof Cell, index: number, strong: boolean): string {
    const { brush, inks, scene } = this;
    const text = (side === "query" ? scene.queries : scene.keys)[index] ?? "";
    const font = labelFont(inks, strong ? "bold" : "normal", this.size(side));
    brush.font = font;
    brush.fillStyle = strong ? inks.ink : inks.muted;
    brush.textBaseline = "middle";
    return fitLabel(text, scene.room[side], (part) => widthOf(brush, font, part));
  }

  private query(row: number, strong = false): void {
    const { brush, pen, layout, scene } = this;
    const text = this.label("query", row, strong);
    const [x, y] = [layout.plot.x - LABEL_GAP, layout.plot.y + (row + 0.5) * layout.cell];
    brush.textAlign = "right";
    writeLabel(brush, text, x, y + 0.5);
    if (!scene.fullyMasked.includes(row)) return;
    const width = pen.measure(text);
    brush.fillRect(x - width, Math.round(y), width, 1);
  }

  private key(column: number, strong = false): void {
    const text = this.label("key", column, strong);
    this.brush.textAlign = "left";
    this.slanted(column, () => writeLabel(this.brush, text, 0, 0));
  }

  /** Paints with the origin and direction of a column's label. */
  private slanted(column: number, paint: () => void): void {
    const { brush, layout } = this;
    const { plot, cell } = layout;
    brush.save();
    brush.translate(plot.x + (column + 0.5) * cell - 1, plot.y - LABEL_GAP + 1);
    brush.rotate(-SLANT);
    paint();
    brush.restore();
  }

  /** Clears a label, before another is painted over it. */
  private clear(side: keyof Cell, index: number): void {
    const { brush, layout, scene } = this;
    const { plot, cell } = layout;
    const room = scene.room[side];
    const pitch = this.step(side) * cell * (side === "key" ? Math.sin(SLANT) : 1);
    const height = Math.min(LINE * this.size(side), pitch);
    const top = plot.y + (index + 0.5) * cell - height / 2;
    if (side === "query") brush.clearRect?.(plot.x - LABEL_GAP - room, top, room, height);
    else this.slanted(index, () => brush.clearRect?.(0, -height / 2, room, height));
  }

  /** Frames the pair in focus with a crosshair, and emphasises its labels, in place of those that overlap them, and its sums. */
  focus(focused: Cell): void {
    const { brush, inks, pen, layout } = this;
    const { plot } = layout;
    brush.save();
    brush.direction = "ltr";
    for (const side of SIDES) {
      const step = this.step(side);
      const count = side === "query" ? layout.rows : layout.columns;
      for (const index of labelled(count, step))
        if (Math.abs(index - focused[side]) < step) this.clear(side, index);
    }
    this.query(focused.query, true);
    this.key(focused.key, true);
    brush.restore();
    const { x, y, width, height } = cellRect(layout, focused);
    brush.save();
    pen.line(inks.accent, 1);
    brush.globalAlpha = CROSSHAIR_ALPHA;
    brush.beginPath();
    const thin = width < THIN_CELL;
    for (const edge of thin ? [x + width / 2] : [x, x + width])
      pen.segment(edge, plot.y, edge, plot.y + plot.height);
    for (const edge of thin ? [y + height / 2] : [y, y + height])
      pen.segment(plot.x, edge, plot.x + plot.width, edge);
    brush.stroke();
    brush.restore();
    this.frame(focused, inks.accent);
    brush.save();
    brush.fillStyle = inks.accent;
    this.bar("key", focused.key);
    this.bar("query", focused.query);
    brush.restore();
  }

  /** A frame around a cell, at least 6 px wide. */
  frame(cell: Cell, colour: string): void {
    const rect = cellRect(this.layout, cell);
    this.pen.line(colour, 2);
    this.pen.frame(rect, Math.max(0, 6 - rect.width) / 2);
  }

  /** Outlines the rectangle that the keyboard selects. */
  range(from: Cell, to: Cell): void {
    const { brush, inks, pen, layout } = this;
    const [one, other] = [cellRect(layout, from), cellRect(layout, to)];
    const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
    const width = Math.max(one.x, other.x) + one.width - x;
    const height = Math.max(one.y, other.y) + one.height - y;
    brush.save();
    pen.line(inks.accent, 2);
    pen.frame({ x, y, width, height });
    brush.restore();
  }
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
