import type { Ground } from "./colours.js";
import type { Rect } from "./layout.js";

// The inks that a painter is handed; an element reads them from its custom properties.

export interface Inks {
  ground: Ground;
  ink: string;
  paper: string;
  muted: string;
  line: string;
  accent: string;
  /** Font family of labels on a canvas. */
  font: string;
}

/**
 * The calls and settings of a 2D context that painters may use: a canvas on the page or off it offers them, a recorder
 * in a test, and the writer of SVG, which has to know how to write each of them down.
 */
export type Brush = Pick<
  CanvasRenderingContext2D,
  | "save"
  | "restore"
  | "translate"
  | "rotate"
  | "scale"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "quadraticCurveTo"
  | "bezierCurveTo"
  | "arc"
  | "rect"
  | "closePath"
  | "fillRect"
  | "strokeRect"
  | "setLineDash"
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineCap"
  | "lineJoin"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "direction"
  | "imageSmoothingEnabled"
> & {
  // One form of what a context takes in several.
  clip: () => void;
  fill: () => void;
  stroke: () => void;
  fillText: (text: string, x: number, y: number) => void;
  measureText: (text: string) => { width: number };
  drawImage: (
    image: CanvasImageSource,
    x: number,
    y: number,
    width: number,
    height: number,
  ) => void;
};

export const LABEL_SIZE = 12.5;

/** A canvas font for labels. */
export function labelFont(
  inks: Inks,
  weight: "normal" | "bold" = "normal",
  size = LABEL_SIZE,
): string {
  return `${weight === "bold" ? "600 " : ""}${String(size)}px ${inks.font}`;
}

/** A brush in the inks of a figure, with the ways in which all figures write and draw lines. */
export class Pen<On extends Brush = Brush> {
  constructor(
    readonly brush: On,
    readonly inks: Inks,
  ) {}

  /** Sets how words look from now on. */
  words(
    size: number,
    ink: string,
    align: CanvasTextAlign = "left",
    baseline: CanvasTextBaseline = "middle",
    weight: "normal" | "bold" = "normal",
  ): void {
    const { brush } = this;
    brush.font = labelFont(this.inks, weight, size);
    brush.fillStyle = ink;
    brush.textAlign = align;
    brush.textBaseline = baseline;
  }

  readonly measure = (text: string): number => this.brush.measureText(text).width;

  /** Sets how lines look from now on. */
  line(colour: string, width: number): void {
    this.brush.strokeStyle = colour;
    this.brush.lineWidth = width;
  }

  /** Adds a straight line to the path. */
  segment(fromX: number, fromY: number, toX: number, toY: number): void {
    this.brush.moveTo(fromX, fromY);
    this.brush.lineTo(toX, toY);
  }

  /** A frame, so far around a rectangle. */
  frame({ x, y, width, height }: Rect, around = 0): void {
    this.brush.strokeRect(x - around, y - around, width + 2 * around, height + 2 * around);
  }
}

// A picture that is free of the page: of its own size, painted wherever it is wanted.

export interface Print {
  width: number;
  height: number;
  /** Which part of the whole it is, in words; absent for all of it. */
  part?: string;
  /** Paints it with its upper left corner at the brush's origin. */
  paint: (brush: Brush) => void;
}

/** Measures text set in a canvas font whose size is given beside it. */
export type TextMeasure = (font: string, size: number) => (text: string) => number;

// Hatching: the sign for "nobody may look here", readable without any colour.

/** Distance of the lines from one another, measured along x. */
const PITCH = 6;

/** Fills `areas` with thin rising lines. The lines run on from one area to the next. */
export function hatch(brush: Brush, areas: readonly Rect[], colour: string): void {
  if (areas.length === 0) return;
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  brush.save();
  brush.beginPath();
  for (const { x, y, width, height } of areas) {
    brush.rect(x, y, width, height);
    left = Math.min(left, x);
    right = Math.max(right, x + width);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + height);
  }
  brush.clip();
  brush.beginPath();
  const drop = bottom - top;
  const start = Math.floor(left / PITCH) * PITCH;
  for (let x = start; x <= right + drop; x += PITCH) {
    brush.moveTo(x, top);
    brush.lineTo(x - drop, bottom);
  }
  brush.strokeStyle = colour;
  brush.lineWidth = 1;
  brush.stroke();
  brush.restore();
}
