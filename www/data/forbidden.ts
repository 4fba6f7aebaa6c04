import { LEAST_SCORE } from "./generated.js";

/** Whether a cell of a mask, or a score after it, may not be looked at. */
export function isForbidden(value: number): boolean {
  return value < LEAST_SCORE;
}

/** Whether a picture has a colour for a number. */
export function isDrawn(value: number): boolean {
  return Number.isFinite(value) && !isForbidden(value);
}
