// A picture that is free of the page: of its own size, painted wherever it is wanted.
import type { Brush } from "./theme.js";

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
