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

/** The 2D context calls that painters make: a canvas on the page, off the page, or a recorder in a test. */
export type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export const LABEL_SIZE = 12.5;

/** A canvas font for labels. */
export function labelFont(inks: Inks, weight: "normal" | "bold" = "normal", size = LABEL_SIZE): string {
  return `${weight === "bold" ? "600 " : ""}${String(size)}px ${inks.font}`;
}
