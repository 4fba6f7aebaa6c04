/** No score of a model comes near it: what lies below was forbidden, by −∞ or by −1e9. */
const LEAST_SCORE = -1e8;

/** Whether a cell of a mask, or a score after it, may not be looked at. */
export function isForbidden(value: number): boolean {
  return value < LEAST_SCORE;
}

/** Whether a picture has a colour for a number. */
export function isDrawn(value: number): boolean {
  return Number.isFinite(value) && !isForbidden(value);
}
