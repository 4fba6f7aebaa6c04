import type { Palette, Region, Tensor } from "../../data/index.js";
import type { CellPixels } from "../../draw/pixels.js";
import type { Ground } from "../../draw/ramp.js";
import type { MatrixContent } from "../matrix/content.js";

/** With which colours a heatmap is to be painted, and which part of it. */
export interface Painting {
  colours: Palette;
  ground: Ground;
  region: Region | null;
  /** Called when the picture is there that was not yet. */
  changed: () => void;
}

/** The cells of a heatmap that somebody else paints: their numbers are not at hand. */
export interface PaintedCells {
  /** Of their shape; not finite where a cell is hatched, 0 elsewhere. */
  readonly blank: Tensor;
  /** There are no pixels while they are on their way: what was painted last stays. */
  content(
    painting: Painting,
  ): Pick<MatrixContent, "scale" | "mass" | "given"> & { pixels: CellPixels | null };
}
