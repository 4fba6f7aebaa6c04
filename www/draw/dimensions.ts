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
import { MARK } from "./lines.js";
import { fitLabel, writeLabel } from "./text.js";
import { hatch, LABEL_SIZE, labelFont, type Brush, type Inks } from "./theme.js";

// What a query and the keys multiply, dimension by dimension, before it is added up.

/** q ⊙ k of one query with every key, `[key, head_dim]`: each product of two numbers, none of them summed. */
export function productsOf(
  { query: { data: queries, shape }, key: { data: keys } }: HeadVectors,
  query: number,
): Float32Array {
  const width = shape[1] ?? 0;
  const from = query * width;
  return keys.map((value, index) => value * (queries[from + (index % width)] ?? 0));
}

// Where the parts of a head's dimensions lie: the query's vector above, then a row for each key
// with its vector, the products, their sum, the scaled sum and the weight.

export interface DimensionsLayout extends ScrolledLayout {
  rows: number;
  dimensions: number;
  /** Where labels end. */
  label: number;
  /** Left edges of the keys' vectors and of the products, the width of one number and the height of a strip. */
  keys: number;
  products: number;
  cell: number;
  strip: number;
  /** Whether a row has its products under its vector, for want of width. */
  stacked: boolean;
  /** Right edges of the three numbers, and the decimals that they have room for. */
  numbers: { raw: number; scores: number; weights: number };
  digits: number;
  /** Top of the query's strip. */
  query: number;
  legends: { vectors: LegendPlace; products: LegendPlace };
}

export interface DimensionsRequest {
  /** Keys. */
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

export function layoutDimensions({
  rows,
  dimensions,
  width,
  ratio,
  comfortableHeight,
  keyLabel,
}: DimensionsRequest): DimensionsLayout {
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

/** Tops of a row's two strips, in the window. */
export function stripsOf(
  { top, pitch, strip, stacked }: DimensionsLayout,
  scroll: number,
  row: number,
): { keys: number; products: number } {
  const keys = top + row * pitch - scroll + ROW_SEAM / 2;
  return { keys, products: stacked ? keys + strip + STACKED_SEAM : keys };
}

/** The dimension under a distance from the left, or null beside the strips. */
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

// Painters of a head's dimensions: every number a cell, and above them what changes while the pointer moves.

export interface DimensionsScene {
  scroll: number;
  query: number;
  stages: Record<Stage, Tensor>;
  /** Null until they were read; the numbers are there before. */
  strips: DimensionStrips | null;
  /** The colour of a weight, for the bar under it. */
  weightInk: string;
  /** Keys that the reader blocked for this query. */
  blocked: readonly number[];
  titles: {
    query: string;
    keys: string;
    products: string;
    raw: string;
    scores: string;
    weights: string;
    vectors: string;
  };
}

/** One query's vector, all keys' vectors, and their products, with the scales of their colours. */
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
/** What a weight of three decimals takes. */
const NUMBER_ROOM = 34;

export function paintDimensions(
  brush: Brush,
  layout: DimensionsLayout,
  scene: DimensionsScene,
  inks: Inks,
): void {
  const { strips, scroll } = scene;
  brush.save();
  brush.direction = "ltr";
  paintTitles(brush, layout, scene, inks);
  if (strips) {
    const { vectorScale, productScale, query } = strips;
    paintStrip(brush, layout, query, vectorScale, layout.keys, layout.query, inks);
    paintLegend(brush, layout.legends.vectors, vectorScale, scene.titles.vectors, inks);
    paintLegend(brush, layout.legends.products, productScale, scene.titles.products, inks);
  }
  clipRows(brush, layout);
  const { first, end } = rowsInSight(layout, scroll, layout.rows);
  for (let row = first; row < end; row++) paintRow(brush, layout, scene, row, inks);
  brush.restore();
}

function clipRows(brush: Brush, { width, top, height, foot }: DimensionsLayout): void {
  brush.beginPath();
  brush.rect(0, top, width, height - top - foot);
  brush.clip();
}

function paintTitles(
  brush: Brush,
  layout: DimensionsLayout,
  { titles }: DimensionsScene,
  inks: Inks,
): void {
  const { keys, products, numbers, top, cell, dimensions, stacked, query, strip } = layout;
  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.fillStyle = inks.muted;
  brush.textBaseline = "alphabetic";
  brush.textAlign = "left";
  const y = top - TITLE_GAP;
  brush.fillText(titles.keys, keys, stacked ? y - TITLE_LINE : y);
  brush.fillText(titles.products, products, y);
  brush.textAlign = "right";
  brush.fillText(titles.raw, numbers.raw, y);
  brush.fillText(titles.scores, numbers.scores, y);
  brush.fillText(titles.weights, numbers.weights, y);
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  brush.fillText(titles.query, keys + cell * dimensions + 8, query + strip / 2);
}

/** A vector as a strip of cells; seams part them where there is room. */
function paintStrip(
  brush: Brush,
  { cell, strip }: DimensionsLayout,
  values: Float32Array,
  scale: ColourScale,
  x: number,
  y: number,
  inks: Inks,
): void {
  const seam = cell >= 5 ? 1 : 0;
  values.forEach((value, dimension) => {
    brush.fillStyle = rampColour(scale.ramp, rampStep(scale, value));
    brush.fillRect(x + dimension * cell, y, cell - seam, strip);
  });
  brush.strokeStyle = inks.line;
  brush.lineWidth = 1;
  brush.strokeRect(x - 0.5, y - 0.5, values.length * cell - seam + 1, strip + 1);
}

function paintRow(
  brush: Brush,
  layout: DimensionsLayout,
  scene: DimensionsScene,
  row: number,
  inks: Inks,
): void {
  const { strips, stages, scroll, query } = scene;
  const { dimensions, strip, products, pitch, top, numbers } = layout;
  const at = stripsOf(layout, scroll, row);
  const cellOf = { query, key: row };
  const forbidden = isForbidden(valueAt(stages.masked, cellOf));
  if (strips) {
    const part = (data: Float32Array): Float32Array =>
      data.subarray(row * dimensions, (row + 1) * dimensions);
    paintStrip(brush, layout, part(strips.keys), strips.vectorScale, layout.keys, at.keys, inks);
    paintStrip(
      brush,
      layout,
      part(strips.products),
      strips.productScale,
      products,
      at.products,
      inks,
    );
  }
  const middle = top + (row + 0.5) * pitch - scroll;
  if (forbidden) paintForbidden(brush, layout, scene, row, inks);
  else {
    const weight = valueAt(stages.weights, cellOf);
    const from = numbers.scores + BAR_PADDING;
    brush.fillStyle = scene.weightInk;
    brush.globalAlpha = WEIGHT_ALPHA;
    brush.fillRect(from, middle - strip / 2, (numbers.weights - from) * weight, strip);
    brush.globalAlpha = 1;
  }
  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.textBaseline = "middle";
  brush.textAlign = "right";
  brush.fillStyle = forbidden ? inks.muted : inks.ink;
  brush.fillText(
    formatFixed(valueAt(stages.raw, cellOf), layout.digits),
    numbers.raw,
    middle + 0.5,
  );
  brush.fillText(
    formatFixed(valueAt(stages.scores, cellOf), layout.digits),
    numbers.scores,
    middle + 0.5,
  );
  brush.fillText(formatFixed(valueAt(stages.weights, cellOf)), numbers.weights, middle + 0.5);
}

/** A key that the query may not look at: its weight is hatched, as its cell is in the other pictures. */
function paintForbidden(
  brush: Brush,
  layout: DimensionsLayout,
  { blocked, scroll }: DimensionsScene,
  row: number,
  inks: Inks,
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

export function paintPointed(
  brush: Brush,
  layout: DimensionsLayout,
  scene: PointedScene,
  inks: Inks,
): void {
  const { label, query, strip, top, pitch } = layout;
  const measure = (part: string): number => brush.measureText(part).width;
  brush.save();
  brush.direction = "ltr";
  brush.textAlign = "right";
  brush.textBaseline = "middle";
  brush.font = labelFont(inks, "bold");
  brush.fillStyle = inks.ink;
  writeLabel(
    brush,
    fitLabel(scene.query, scene.room, measure),
    label + MARK,
    query + strip / 2 + 0.5,
  );
  if (scene.dimension !== null)
    paintDimension(brush, layout, scene.dimension, query, query + strip, [layout.keys], inks);
  clipRows(brush, layout);
  const { first, end } = rowsInSight(layout, scene.scroll, scene.keys.length);
  for (let row = first; row < end; row++) {
    const strong = scene.focused?.key === row;
    brush.font = labelFont(inks, strong ? "bold" : "normal", Math.min(LABEL_SIZE, pitch - 4));
    brush.fillStyle = strong ? inks.ink : inks.muted;
    writeLabel(
      brush,
      fitLabel(scene.keys[row] ?? "", scene.room, measure),
      label,
      top + (row + 0.5) * pitch - scene.scroll + 0.5,
    );
  }
  const { focused, locked, scroll } = scene;
  if (locked && locked.query === focused?.query)
    paintMark(brush, layout, scroll, locked.key, inks.ink);
  if (focused) {
    paintMark(brush, layout, scroll, focused.key, inks.accent);
    const at = stripsOf(layout, scroll, focused.key);
    if (scene.dimension !== null) {
      paintDimension(brush, layout, scene.dimension, at.keys, at.keys + strip, [layout.keys], inks);
      paintDimension(
        brush,
        layout,
        scene.dimension,
        at.products,
        at.products + strip,
        [layout.products],
        inks,
      );
    }
  }
  brush.restore();
}

/** A short upright bar between a label and its strip. */
function paintMark(
  brush: Brush,
  { label, top, pitch }: DimensionsLayout,
  scroll: number,
  row: number,
  colour: string,
): void {
  brush.fillStyle = colour;
  brush.fillRect(label + MARK, top + row * pitch - scroll + 2, 3, pitch - 4);
}

/** A frame around one number of a strip. */
function paintDimension(
  brush: Brush,
  { cell }: DimensionsLayout,
  dimension: number,
  from: number,
  to: number,
  edges: readonly number[],
  inks: Inks,
): void {
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 2;
  for (const edge of edges)
    brush.strokeRect(edge + dimension * cell - 1, from - 1, cell + 1, to - from + 2);
}

/** The ramp's own colour for a middling weight. */
export function weightInk(ramp: Uint8ClampedArray): string {
  return rampColour(ramp, RAMP_STEPS >> 1);
}
