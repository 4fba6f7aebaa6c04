// Painters of a head's dimensions: every number a cell, and above them what changes while the pointer moves.
import { isForbidden, type Cell, type Stage, type Tensor } from "../data/index.js";
import { formatFixed } from "../i18n/index.js";
import { stripsOf, type DimensionsLayout } from "./dimensions.js";
import { hatch } from "./hatch.js";
import { fitLabel } from "./labels.js";
import { MARK } from "./lines.js";
import { RAMP_STEPS, rampColour } from "./ramp.js";
import { paintLegend } from "./legend.js";
import { rampStep, type ColourScale } from "./scale.js";
import { rowsInSight } from "./scrolled.js";
import { valueAt } from "./strongest.js";
import { writeLabel } from "./text.js";
import { LABEL_SIZE, labelFont, type Brush, type Inks } from "./theme.js";

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
