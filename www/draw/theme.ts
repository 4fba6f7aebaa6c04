// The inks that a painter is handed; an element reads them from its custom properties.
import type { Ground } from "./ramp.js";

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
