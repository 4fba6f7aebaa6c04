import { type Cell, LEAST_SCORE, type Tensor } from "../data/index.js";
import { stepsOf, type ColourScale } from "./colours.js";
import { LABEL_GAP, SLANT, cellRect, type MatrixLayout, type Rect } from "./layout.js";
import { MASKED_ALPHA } from "./legend.js";
import { fitLabel, labelStep, labelled, writeLabel, widthOf } from "./text.js";
import { LABEL_SIZE, labelFont, hatch, type Brush, type Inks, type Pen } from "./theme.js";

/** A value for queries, which are the rows, and one for keys. */
type Sides<Value> = Readonly<Record<keyof Cell, Value>>;

export interface MatrixScene {
  matrix: Tensor;
  labels: Sides<readonly string[]>;
  blocked: readonly Cell[];
  /** Rows in which every key is masked; their labels are struck through. */
  fullyMasked: readonly number[];
  sums: Sides<readonly number[] | null>;
  room: Sides<number>;
  corner: Sides<string>;
}

const PITCH = { query: 11, key: 14 };
const SMALLEST_LABEL = 10.5;
const SLANTED = 0.75;
const CROSSHAIR_ALPHA = 0.45;
/** The side below which a cell has one crosshair line instead of two. */
const THIN_CELL = 4;
/** The side below which cells have neither seams nor hatching. */
const SMALLEST_SEPARATE_CELL = 5;
const SUM_ALPHA = 0.55;
/** The height of a line of the title of sums. */
const SUMS_LINE = 15;
const SIDES = ["query", "key"] as const;

/** Of how many queries, and of how many keys, one has a label. */
export const labelSteps = ({ cell }: MatrixLayout): Sides<number> => ({
  query: labelStep(cell, PITCH.query),
  key: labelStep(cell, PITCH.key),
});

export class MatrixPainter {
  private readonly brush: Brush;
  private readonly inks: Inks;
  private readonly largest: Sides<number>;

  constructor(
    private readonly pen: Pen,
    private readonly layout: MatrixLayout,
    private readonly scene: MatrixScene,
  ) {
    this.brush = pen.brush;
    this.inks = pen.inks;
    const largest = (side: keyof Cell): number =>
      scene.sums[side]?.reduce((most, value) => Math.max(most, value), 0) ?? 0;
    this.largest = { query: largest("query"), key: largest("key") };
  }

  plot(image: CanvasImageSource): void {
    const { brush, inks, pen, layout, scene } = this;
    const { rows, columns, cell } = layout;
    const { x, y, width, height } = layout.plot;
    brush.save();
    brush.imageSmoothingEnabled = false;
    if (rows > 0 && columns > 0) brush.drawImage(image, x, y, width, height);
    if (cell >= SMALLEST_SEPARATE_CELL) {
      brush.globalAlpha = MASKED_ALPHA;
      hatch(brush, this.maskedRuns(), inks.muted);
      brush.globalAlpha = 1;
      pen.line(inks.paper, 1);
      const places = (count: number): number[] =>
        Array.from({ length: Math.max(0, count - 1) }, (_, index) => (index + 1) * cell);
      pen.segments(
        ...places(columns).map((at) => [x + at, y, x + at, y + height] as const),
        ...places(rows).map((at) => [x, y + at, x + width, y + at] as const),
      );
    }
    this.block(scene.blocked);
    pen.line(inks.line, 1);
    pen.frame(layout.plot, 0.5);
    brush.restore();
  }

  private maskedRuns(): Rect[] {
    const { layout, scene } = this;
    const { rows, columns, cell } = layout;
    const empty = new Set(scene.fullyMasked);
    const runs: Rect[] = [];
    for (let query = 0; query < rows; query++) {
      let start = -1;
      const isEmpty = empty.has(query);
      for (let key = 0; key <= columns; key++) {
        const value = scene.matrix.data[query * columns + key] ?? NaN;
        const isDrawn = value >= LEAST_SCORE && value < Infinity;
        const inside = key < columns && (isEmpty || !isDrawn);
        if (inside && start < 0) start = key;
        if (inside || start < 0) continue;
        runs.push({ ...cellRect(layout, { query, key: start }), width: (key - start) * cell });
        start = -1;
      }
    }
    return runs;
  }

  private block(blocked: readonly Cell[]): void {
    const { brush, inks, pen, layout } = this;
    const areas = blocked
      .filter(({ query, key }) => query < layout.rows && key < layout.columns)
      .map((cell) => cellRect(layout, cell));
    for (const area of areas) pen.fill(area, inks.paper);
    hatch(brush, areas, inks.accent);
    pen.line(inks.accent, 1);
    if (layout.cell >= SMALLEST_SEPARATE_CELL) for (const area of areas) pen.frame(area, -0.5);
  }

  /**
   * Paints the cells of a stroke over the present picture: as blocked, as allowed, or only
   * outlined.
   */
  stroke(cells: readonly Cell[], look: "blocked" | "open" | "outlined"): void {
    const { brush, inks, pen, layout } = this;
    brush.save();
    if (look === "blocked") this.block(cells);
    else pen.line(inks.accent, 2);
    for (const cell of look === "blocked" ? [] : cells) {
      const area = cellRect(layout, cell);
      const side = Math.max(0, area.width - 2);
      const inner = { x: area.x + 1, y: area.y + 1, width: side, height: side };
      if (look === "outlined") pen.frame(inner);
      else {
        pen.fill(area, inks.accent);
        if (side >= 2) pen.fill(inner, inks.paper);
      }
    }
    brush.restore();
  }

  /**
   * Paints the bars of sums with the lines of their title, and the labels except those that the
   * labels of the pair in focus overlap.
   */
  words(sumsTitle: readonly string[], focused: Cell | null = null): void {
    const { brush, inks, pen, layout } = this;
    const area = layout.sums.key;
    this.bars("key");
    if (area && this.scene.sums.key) {
      brush.save();
      pen.words(11, inks.muted);
      const { x, y, width, height } = area;
      if (area.wordsBelow) brush.fillText(sumsTitle.join(" · "), x, y + height + 10);
      else
        for (const [line, words] of sumsTitle.entries())
          brush.fillText(words, x + width + 10, y + 7 + line * SUMS_LINE);
      brush.restore();
    }
    this.bars("query");
    brush.save();
    this.cornerTitle();
    for (const side of SIDES)
      for (const index of this.labelled(side))
        if (!focused || Math.abs(index - focused[side]) >= this.step(side))
          this.label(side, index, false);
    brush.restore();
  }

  private bars(side: keyof Cell): void {
    const { brush, inks, scene } = this;
    brush.save();
    brush.fillStyle = inks.muted;
    brush.globalAlpha = SUM_ALPHA;
    for (const index of scene.sums[side]?.keys() ?? []) this.bar(side, index);
    brush.restore();
  }

  private bar(side: keyof Cell, index: number): void {
    const { brush, layout, scene, largest } = this;
    const { cell } = layout;
    const sums = scene.sums[side];
    const area = layout.sums[side];
    if (!sums || !area) return;
    const { x, y, width, height } = area;
    const gap = cell >= 8 ? cell * 0.16 : 0;
    const across = cell - 2 * gap;
    const share = (sums[index] ?? 0) / (largest[side] || 1);
    if (side === "query") brush.fillRect(x, y + index * cell + gap, share * width, across);
    else brush.fillRect(x + index * cell + gap, y, across, Math.max(1, share * height));
  }

  private cornerTitle(): void {
    const { brush, inks, pen, layout, scene } = this;
    const { query, key } = scene.corner;
    const right = layout.plot.x - LABEL_GAP;
    const bottom = layout.plot.y - LABEL_GAP;
    const text = `${query} ↓   ${key} →`;
    pen.words(11, inks.muted, "right", "alphabetic");
    if (pen.measure(text) <= right) brush.fillText(text, right, bottom);
    else {
      brush.fillText(`${key} →`, right, bottom - 13);
      brush.fillText(`${query} ↓`, right, bottom);
    }
  }

  private step(side: keyof Cell): number {
    return labelSteps(this.layout)[side];
  }

  private labelled(side: keyof Cell): number[] {
    const { rows, columns } = this.layout;
    return labelled(side === "query" ? rows : columns, this.step(side));
  }

  private size(side: keyof Cell): number {
    const cell = this.layout.cell * (side === "key" ? SLANTED : 1);
    return Math.min(LABEL_SIZE, Math.max(SMALLEST_LABEL, cell - 1));
  }

  private label(side: keyof Cell, index: number, strong: boolean): void {
    const { brush, inks, pen, layout, scene } = this;
    const { plot, cell } = layout;
    const font = labelFont(inks, strong ? "bold" : "normal", this.size(side));
    brush.font = font;
    brush.fillStyle = strong ? inks.ink : inks.muted;
    brush.textBaseline = "middle";
    brush.textAlign = side === "query" ? "right" : "left";
    const text = fitLabel(scene.labels[side][index] ?? "", scene.room[side], (part) =>
      widthOf(brush, font, part),
    );
    if (side === "key") {
      brush.save();
      brush.translate(plot.x + (index + 0.5) * cell - 1, plot.y - LABEL_GAP + 1);
      brush.rotate(-SLANT);
      writeLabel(brush, text, 0, 0);
      brush.restore();
      return;
    }
    const x = plot.x - LABEL_GAP;
    const y = plot.y + (index + 0.5) * cell;
    writeLabel(brush, text, x, y + 0.5);
    if (!scene.fullyMasked.includes(index)) return;
    const width = pen.measure(text);
    brush.fillRect(x - width, Math.round(y), width, 1);
  }

  /** Frames the pair in focus with a crosshair, and emphasises its labels and its sums. */
  focus(focused: Cell): void {
    const { brush, inks, pen, layout } = this;
    const { plot } = layout;
    brush.save();
    for (const side of SIDES) this.label(side, focused[side], true);
    const { x, y, width, height } = cellRect(layout, focused);
    pen.line(inks.accent, 1);
    brush.globalAlpha = CROSSHAIR_ALPHA;
    const thin = width < THIN_CELL;
    const edges = (from: number, size: number): number[] =>
      thin ? [from + size / 2] : [from, from + size];
    pen.segments(
      ...edges(x, width).map((at) => [at, plot.y, at, plot.y + plot.height] as const),
      ...edges(y, height).map((at) => [plot.x, at, plot.x + plot.width, at] as const),
    );
    brush.globalAlpha = 1;
    this.frame(focused, inks.accent);
    brush.fillStyle = inks.accent;
    for (const side of SIDES) this.bar(side, focused[side]);
    brush.restore();
  }

  /** A frame around a cell, at least 6 px wide. */
  frame(cell: Cell, colour: string): void {
    const rect = cellRect(this.layout, cell);
    this.pen.line(colour, 2);
    this.pen.frame(rect, Math.max(0, 6 - rect.width) / 2);
  }

  range(from: Cell, to: Cell): void {
    const one = cellRect(this.layout, from);
    const other = cellRect(this.layout, to);
    const x = Math.min(one.x, other.x);
    const y = Math.min(one.y, other.y);
    const width = Math.max(one.x, other.x) + one.width - x;
    const height = Math.max(one.y, other.y) + one.height - y;
    this.pen.line(this.inks.accent, 2);
    this.pen.frame({ x, y, width, height });
  }
}

const CHANNELS = 4;

/**
 * RGBA bytes of `data`, one pixel per cell; masked cells and NaN are transparent. The browser
 * scales the image.
 */
export function cellPixels(data: Float32Array, scale: ColourScale): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(data.length * CHANNELS);
  const words = new Uint32Array(pixels.buffer);
  const ramp = new Uint32Array(scale.ramp.slice().buffer);
  const steps = stepsOf(scale, data);
  // The entry of a value without a colour is past the end of the ramp.
  for (let index = 0; index < data.length; index += 1) words[index] = ramp[steps[index] ?? 0] ?? 0;
  return pixels;
}

export interface CellPixels {
  data: Uint8ClampedArray<ArrayBuffer>;
  columns: number;
  rows: number;
  /** Whether the image is one of many, whose cells are too many for an SVG shape each. */
  amongMany?: boolean;
}

/**
 * The pixels of images, for the SVG writer: browsers may forbid reading an image back from a
 * canvas, or add noise against fingerprinting.
 */
export const imagePixels = new WeakMap<CanvasImageSource, CellPixels>();

type Cells = Pick<Tensor, "data" | "shape">;

/** A matrix as an image of one pixel per cell; null without a 2D context or cells. */
export function cellImage(matrix: Cells, scale: ColourScale): OffscreenCanvas | null {
  const [rows = 0, columns = 0] = matrix.shape;
  if (rows === 0 || columns === 0 || typeof OffscreenCanvas === "undefined") return null;
  return pixelImage(cellPixels(matrix.data, scale), columns, rows);
}

/** An image of RGBA bytes. */
export function pixelImage(
  data: Uint8ClampedArray<ArrayBuffer>,
  columns: number,
  rows: number,
): OffscreenCanvas {
  const image = new OffscreenCanvas(columns, rows);
  image.getContext("2d")?.putImageData(new ImageData(data, columns, rows), 0, 0);
  imagePixels.set(image, { data, columns, rows });
  return image;
}

/** Sizes and clears a canvas; its brush counts in CSS pixels. Null without a 2D context. */
export function sizedBrush(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
): CanvasRenderingContext2D | null {
  const columns = Math.round(width * ratio);
  const rows = Math.round(height * ratio);
  // Setting a size allocates a canvas again, so only when it differs.
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const brush = canvas.getContext("2d");
  brush?.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush?.clearRect(0, 0, width, height);
  return brush;
}
