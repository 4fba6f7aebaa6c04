import type { Region } from "../../../data/index.js";
import { MatrixFigure } from "../../../elements/matrix/figure.js";

/** A figure of the bench keeps the part of it that is shown by itself: no address says it. */
export function keepRegion(event: CustomEvent<Region | null>): void {
  event.stopPropagation();
  if (event.target instanceof MatrixFigure) event.target.region = event.detail;
}
