import {
  type HeadVectors,
  isForbidden,
  type Cell,
  type Stage,
  type Tensor,
} from "../data/index.js";
import { formatFixed } from "../i18n/index.js";
import { RAMP_STEPS, rampColour, rampStep, type ColourScale } from "./colours.js";
import {
  LABEL_GAP,
  type LegendPlace,
  type ScrolledLayout,
  rowsInSight,
  valueAt,
} from "./layout.js";
import { paintLegend } from "./legend.js";
import { clipRows, MARK } from "./lines.js";
import { fitLabel, writeLabel } from "./text.js";
import { hatch, LABEL_SIZE, type Pen } from "./theme.js";

/** q ⊙ k of one query with every key, `[key, head_dim]`. */
export function productsOf(
  { query: { data: queries, shape }, key: { data: keys } }: HeadVectors,
  query: number,
): Float32Array {
  const width = shape[1] ?? 0;
  const from = query * width;
  return keys.map((value, index) => value * (queries[from + (index % width)] ?? 0));
}

/** The query's vector above; a row for each key with its vector, the products, their sum, the scaled sum and the weight. */
export interface DimensionsLayout extends ScrolledLayout {
  rows: number;
  dimensions: number;
  label: number;
  /** Left edges of the vectors and the products, the width of a cell and the height of a strip. */
  keys: number;
  products: number;
  cell: number;
  strip: number;
  /** Whether a narrow figure has the products under the vectors. */
  stacked: boolean;
  /** Right edges of the three numbers, and their decimals. */
  numbers: { raw: number; scores: number; weights: number };
  digits: number;
  query: number;
  legends: { vectors: LegendPlace; products: LegendPlace };
}

export interface DimensionsRequest {
  rows: number;
  dimensions: number;
  width: number;
  ratio: number;
  comfortableHeight: number;
  keyLabel: number;
}

const QUERY_TOP = 10;
const HEAD = 66;
const FOOT = 48;
const STRIP_GAP = 18;
const NUMBER_WIDTH = { wide: 60, stacked: 46 };
/** Below this width the products move under the vectors. */
const STACKED_BELOW = 560;
const LARGEST_CELL = 9;
const PITCH = { least: 18, most: 26 };
const STACKED_PITCH = 34;
const STACKED_SEAM = 2;
const ROW_SEAM = 4;
const LARGEST_WINDOW = 560;
const LEGEND_WIDTH = 112;
const LEGEND_HEIGHT = 8;

export function layoutDimensions(request: DimensionsRequest): DimensionsLayout {
  const { rows, dimensions, width, ratio, comfortableHeight, keyLabel } = request;
  const stacked = width < STACKED_BELOW;
  const number = stacked ? NUMBER_WIDTH.stacked : NUMBER_WIDTH.wide;
  const left = keyLabel + LABEL_GAP + MARK;
  const strips = stacked ? 1 : 2;
  const room = width - left - (strips - 1) * STRIP_GAP - 3 * number;
  const across = Math.max(
    1 / ratio,
    Math.min(LARGEST_CELL, room / strips / Math.max(1, dimensions)),
  );
  const cell = Math.floor(across * ratio) / ratio;
  const used = left + strips * cell * dimensions + (strips - 1) * STRIP_GAP + 3 * number;
  const keys = Math.round((left + Math.max(0, (width - used) / 2)) * ratio) / ratio;
  const products = stacked ? keys : keys + cell * dimensions + STRIP_GAP;
  const right = products + cell * dimensions + number;
  const pitch = stacked
    ? STACKED_PITCH
    : Math.min(
        PITCH.most,
        Math.max(PITCH.least, Math.floor(comfortableHeight / Math.max(1, rows))),
      );
  const height = HEAD + Math.min(rows * pitch, Math.max(comfortableHeight, LARGEST_WINDOW)) + FOOT;
  const legend = (x: number): LegendPlace => ({
    x,
    y: height - FOOT + 16,
    width: Math.min(LEGEND_WIDTH, width / 2 - 64),
    height: LEGEND_HEIGHT,
    upright: false,
  });
  return {
    width: Math.max(width, Math.ceil(used)),
    height,
    contentHeight: HEAD + rows * pitch + FOOT,
    top: HEAD,
    foot: FOOT,
    pitch,
    rows,
    dimensions,
    label: keys - LABEL_GAP - MARK,
    keys,
    products,
    cell,
    strip: stacked ? (pitch - ROW_SEAM - STACKED_SEAM) / 2 : pitch - ROW_SEAM,
    stacked,
    numbers: { raw: right, scores: right + number, weights: right + 2 * number },
    digits: stacked ? 2 : 3,
    query: QUERY_TOP,
    legends: stacked
      ? { vectors: legend(4), products: legend(width / 2 + 4) }
      : { vectors: legend(keys), products: legend(products) },
  };
}

/** The tops of a row's strips, in the window. */
export function stripsOf(
  { top, pitch, strip, stacked }: DimensionsLayout,
  scroll: number,
  row: number,
): { keys: number; products: number } {
  const keys = top + row * pitch - scroll + ROW_SEAM / 2;
  return { keys, products: stacked ? keys + strip + STACKED_SEAM : keys };
}

/** The dimension at a distance from the left; null beside the strips. */
export function dimensionAt(
  { keys, products, cell, dimensions }: DimensionsLayout,
  x: number,
): number | null {
  for (const left of [keys, products]) {
    const dimension = Math.floor((x - left) / cell);
    if (dimension >= 0 && dimension < dimensions) return dimension;
  }
  return null;
}

export interface DimensionsScene {
  scroll: number;
  query: number;
  stages: Record<Stage, Tensor>;
  /** Null until they are read. */
  strips: DimensionStrips | null;
  weightInk: string;
  /** Keys that the user blocked for this query. */
  blocked: readonly number[];
  titles: Record<"query" | "keys" | "products" | "raw" | "scores" | "weights" | "vectors", string>;
}

/** The vector of a query, those of all keys, and their products. */
export interface DimensionStrips {
  query: Float32Array;
  /** `[key, head_dim]`, both. */
  keys: Float32Array;
  products: Float32Array;
  vectorScale: ColourScale;
  productScale: ColourScale;
}

export interface PointedScene {
  scroll: number;
  query: string;
  keys: readonly string[];
  room: number;
  focused: Cell | null;
  locked: Cell | null;
  dimension: number | null;
}

const TEXT_SIZE = 11;
const TITLE_GAP = 9;
const TITLE_LINE = 14;
const FORBIDDEN_ALPHA = 0.4;
const WEIGHT_ALPHA = 0.25;
const BAR_PADDING = 5;
/** The width of a weight with three decimals. */
const NUMBER_ROOM = 34;

export function paintDimensions(pen: Pen, layout: DimensionsLayout, scene: DimensionsScene): void {
  const { strips, scroll, titles } = scene;
  const { legends } = layout;
  pen.brush.save();
  pen.brush.direction = "ltr";
  paintTitles(pen, layout, scene);
  if (strips) {
    const { vectorScale, productScale, query } = strips;
    paintStrip(pen, layout, query, vectorScale, layout.keys, layout.query);
    paintLegend(pen, legends.vectors, vectorScale, titles.vectors);
    paintLegend(pen, legends.products, productScale, titles.products);
  }
  clipRows(pen.brush, layout);
  const { first, end } = rowsInSight(layout, scroll, layout.rows);
  for (let row = first; row < end; row++) paintRow(pen, layout, scene, row);
  pen.brush.restore();
}

function paintTitles(pen: Pen, layout: DimensionsLayout, { titles }: DimensionsScene): void {
  const { brush, inks } = pen;
  const { keys, products, numbers, top, cell, dimensions, stacked, query, strip } = layout;
  const y = top - TITLE_GAP;
  pen.words(TEXT_SIZE, inks.muted, "left", "alphabetic");
  brush.fillText(titles.keys, keys, stacked ? y - TITLE_LINE : y);
  brush.fillText(titles.products, products, y);
  brush.textAlign = "right";
  for (const stage of ["raw", "scores", "weights"] as const)
    brush.fillText(titles[stage], numbers[stage], y);
  pen.words(TEXT_SIZE, inks.muted);
  brush.fillText(titles.query, keys + cell * dimensions + 8, query + strip / 2);
}

/** Paints a vector as a strip of cells. */
function paintStrip(
  pen: Pen,
  { cell, strip: height }: DimensionsLayout,
  values: Float32Array,
  scale: ColourScale,
  x: number,
  y: number,
): void {
  const seam = cell >= 5 ? 1 : 0;
  values.forEach((value, dimension) => {
    pen.brush.fillStyle = rampColour(scale.ramp, rampStep(scale, value));
    pen.brush.fillRect(x + dimension * cell, y, cell - seam, height);
  });
  pen.line(pen.inks.line, 1);
  pen.frame({ x, y, width: values.length * cell - seam, height }, 0.5);
}

function paintRow(pen: Pen, layout: DimensionsLayout, scene: DimensionsScene, row: number): void {
  const { brush, inks } = pen;
  const { strips, stages, scroll, query } = scene;
  const { dimensions, strip, keys, products, pitch, top, numbers, digits } = layout;
  const at = stripsOf(layout, scroll, row);
  const [raw, scores, masked, weight] = [
    stages.raw,
    stages.scores,
    stages.masked,
    stages.weights,
  ].map((stage) => valueAt(stage, { query, key: row })) as [number, number, number, number];
  const forbidden = isForbidden(masked);
  if (strips) {
    const part = (data: Float32Array): Float32Array =>
      data.subarray(row * dimensions, (row + 1) * dimensions);
    paintStrip(pen, layout, part(strips.keys), strips.vectorScale, keys, at.keys);
    paintStrip(pen, layout, part(strips.products), strips.productScale, products, at.products);
  }
  const middle = top + (row + 0.5) * pitch - scroll;
  if (forbidden) paintForbidden(pen, layout, scene, row);
  else {
    const from = numbers.scores + BAR_PADDING;
    brush.fillStyle = scene.weightInk;
    brush.globalAlpha = WEIGHT_ALPHA;
    brush.fillRect(from, middle - strip / 2, (numbers.weights - from) * weight, strip);
    brush.globalAlpha = 1;
  }
  pen.words(TEXT_SIZE, forbidden ? inks.muted : inks.ink, "right");
  brush.fillText(formatFixed(raw, digits), numbers.raw, middle + 0.5);
  brush.fillText(formatFixed(scores, digits), numbers.scores, middle + 0.5);
  brush.fillText(formatFixed(weight), numbers.weights, middle + 0.5);
}

/** Hatches the products and the weight of a masked key. */
function paintForbidden(
  { brush, inks }: Pen,
  layout: DimensionsLayout,
  { blocked, scroll }: DimensionsScene,
  row: number,
): void {
  const { products, dimensions, cell, strip, numbers, stacked } = layout;
  const own = blocked.includes(row);
  const at = stripsOf(layout, scroll, row);
  const height = stacked ? at.products + strip - at.keys : strip;
  const x = numbers.scores + BAR_PADDING;
  const areas = [
    { x: products, y: at.products, width: dimensions * cell, height: strip },
    { x, y: at.keys, width: Math.max(0, numbers.weights - NUMBER_ROOM - x), height },
  ];
  brush.globalAlpha = own ? 1 : FORBIDDEN_ALPHA;
  hatch(brush, areas, own ? inks.accent : inks.muted);
  brush.globalAlpha = 1;
}

export function paintPointed(pen: Pen, layout: DimensionsLayout, scene: PointedScene): void {
  const { brush, inks } = pen;
  const { label, query, strip, top, pitch } = layout;
  const { focused, locked, scroll, room, dimension } = scene;
  const write = (text: string, x: number, y: number): void =>
    writeLabel(brush, fitLabel(text, room, pen.measure), x, y);
  const frame = (left: number, y: number): void => {
    if (dimension === null) return;
    const { cell } = layout;
    pen.line(inks.accent, 2);
    brush.strokeRect(left + dimension * cell - 1, y - 1, cell + 1, strip + 2);
  };
  const mark = (row: number, colour: string): void => {
    brush.fillStyle = colour;
    brush.fillRect(label + MARK, top + row * pitch - scroll + 2, 3, pitch - 4);
  };
  brush.save();
  brush.direction = "ltr";
  pen.words(LABEL_SIZE, inks.ink, "right", "middle", "bold");
  write(scene.query, label + MARK, query + strip / 2 + 0.5);
  frame(layout.keys, query);
  clipRows(brush, layout);
  const { first, end } = rowsInSight(layout, scroll, scene.keys.length);
  for (let row = first; row < end; row++) {
    const strong = focused?.key === row;
    const size = Math.min(LABEL_SIZE, pitch - 4);
    pen.words(size, strong ? inks.ink : inks.muted, "right", "middle", strong ? "bold" : "normal");
    write(scene.keys[row] ?? "", label, top + (row + 0.5) * pitch - scroll + 0.5);
  }
  if (locked && locked.query === focused?.query) mark(locked.key, inks.ink);
  if (focused) {
    mark(focused.key, inks.accent);
    const at = stripsOf(layout, scroll, focused.key);
    frame(layout.keys, at.keys);
    frame(layout.products, at.products);
  }
  brush.restore();
}

/** The middle colour of a ramp. */
export function weightInk(ramp: Uint8ClampedArray): string {
  return rampColour(ramp, RAMP_STEPS >> 1);
}
