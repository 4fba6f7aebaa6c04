import type { Ground } from "./colours.js";
import type { Rect } from "./layout.js";

export interface Inks {
  ground: Ground;
  ink: string;
  paper: string;
  muted: string;
  line: string;
  accent: string;
  font: string;
}

/**
 * The part of a 2D context that painters use; a canvas, the SVG writer and a test recorder
 * implement it.
 */
export type Brush = Pick<
  CanvasRenderingContext2D,
  | "save"
  | "restore"
  | "translate"
  | "rotate"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "bezierCurveTo"
  | "arc"
  | "rect"
  | "fillRect"
  | "strokeRect"
  | "setLineDash"
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineJoin"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "direction"
  | "imageSmoothingEnabled"
> & {
  clip: () => void;
  fill: () => void;
  stroke: () => void;
  fillText: (text: string, x: number, y: number) => void;
  measureText: (text: string) => { width: number };
  drawImage: (image: CanvasImageSource, x: number, y: number, wide: number, high: number) => void;
};

type Weight = "normal" | "bold";
export const LABEL_SIZE = 12.5;

export function labelFont(inks: Inks, weight: Weight = "normal", size = LABEL_SIZE): string {
  return `${weight === "bold" ? "600 " : ""}${size}px ${inks.font}`;
}

export type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

export class Pen<On extends Brush = Brush> {
  constructor(
    readonly brush: On,
    readonly inks: Inks,
  ) {}

  words(
    size: number,
    ink: string,
    align: CanvasTextAlign = "left",
    baseline: CanvasTextBaseline = "middle",
    weight: Weight = "normal",
  ): void {
    this.brush.font = labelFont(this.inks, weight, size);
    this.brush.fillStyle = ink;
    this.brush.textAlign = align;
    this.brush.textBaseline = baseline;
    // A page may be written from right to left.
    this.brush.direction = "ltr";
  }

  readonly measure = (text: string): number => this.brush.measureText(text).width;

  line(colour: string, width: number): void {
    this.brush.strokeStyle = colour;
    this.brush.lineWidth = width;
  }

  segments(...lines: readonly Segment[]): void {
    this.brush.beginPath();
    for (const [fromX, fromY, toX, toY] of lines) {
      this.brush.moveTo(fromX, fromY);
      this.brush.lineTo(toX, toY);
    }
    this.brush.stroke();
  }

  frame({ x, y, width, height }: Rect, around = 0): void {
    this.brush.strokeRect(x - around, y - around, width + 2 * around, height + 2 * around);
  }

  fill({ x, y, width, height }: Rect, colour: string): void {
    this.brush.fillStyle = colour;
    this.brush.fillRect(x, y, width, height);
  }
}

export interface Print {
  width: number;
  height: number;
  /** The name of the region shown; absent for the whole. */
  part?: string;
  /** The parts of a picture whose labels have no room in one; absent if they have. */
  parts?: readonly Print[];
  paint: (brush: Brush) => void;
}

/** What a picture for a file is laid out for. */
export interface PrintRoom {
  /** The width to fill, in pixels of the page; null for the picture's own. */
  width: number | null;
  /** Whether it has a legend of its lines. */
  legend: boolean;
  /** Whether it has the bar that gives the numbers of its colours. */
  colourBar: boolean;
  /** Whether the held pair is marked. */
  held: boolean;
}

export const OWN_ROOM: PrintRoom = { width: null, legend: true, colourBar: true, held: true };

const PITCH = 6;

/** Hatches areas, which marks masked cells; the lines continue from one area to the next. */
export function hatch(brush: Brush, areas: readonly Rect[], colour: string): void {
  if (areas.length === 0) return;
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  brush.save();
  brush.beginPath();
  for (const { x, y, width, height } of areas) {
    brush.rect(x, y, width, height);
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  brush.clip();
  brush.beginPath();
  const drop = bottom - top;
  for (let x = Math.floor(left / PITCH) * PITCH; x <= right + drop; x += PITCH) {
    brush.moveTo(x, top);
    brush.lineTo(x - drop, bottom);
  }
  brush.strokeStyle = colour;
  brush.lineWidth = 1;
  brush.stroke();
  brush.restore();
}
