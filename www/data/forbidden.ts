/** No score of a model comes near it: what lies below was forbidden, by −∞ or by −1e9. */
const LEAST_SCORE = -1e8;

/** Whether a cell of a mask, or a score after it, may not be looked at. */
export function isForbidden(value: number | undefined): boolean {
  return value !== undefined && value < LEAST_SCORE;
}
