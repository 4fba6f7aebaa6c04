// Many thin bars as one outline, for an SVG whose view box is as wide as there are bars and 1 high.

/** Up to so many bars there is a gap between them; more would not have a pixel each. */
const MOST_GAPS = 60;
const GAP = 0.2;

/** How much of its place each of so many bars takes. */
export function barWidth(count: number): number {
  return count <= MOST_GAPS ? 1 - GAP : 1;
}

/** The bars `from` to `to` (not included), each as high as its share of `largest`. */
export function barOutline(
  values: readonly number[],
  from: number,
  to: number,
  largest: number,
): string {
  const width = barWidth(values.length);
  return values
    .slice(from, to)
    .map((value, index) => {
      const share = value > 0 && largest > 0 ? Math.min(1, value / largest) : 0;
      return `M${from + index},1V${+(1 - share).toFixed(4)}h${width}V1z`;
    })
    .join("");
}
