// What the lines of a bipartite picture mean, painted in a line under one that leaves the page.
import { formatValue } from "./format.js";
import { linkLook } from "./lines-paint.js";
import { labelFont, type Brush, type Inks } from "./theme.js";

export interface LinkLegend {
  /** What the numbers are. */
  title: string;
  /** The weight of the strongest link. */
  most: number;
  /** Each head with its hue, where there are several. */
  heads: readonly { words: string; colour: string }[];
}

export const LINK_LEGEND_HEIGHT = 28;
const SHARES = [0.1, 0.5, 1];
const TEXT_SIZE = 11;
const STROKE = 28;
const SWATCH = 10;
const GAP = { words: 6, next: 16 };

/** Three strokes with the weights that they stand for, then the hue of each head. */
export function paintLinkLegend(
  brush: Brush,
  x: number,
  y: number,
  { title, most, heads }: LinkLegend,
  inks: Inks,
): void {
  const middle = y + LINK_LEGEND_HEIGHT / 4;
  let left = x;
  const write = (words: string): void => {
    brush.fillStyle = inks.muted;
    brush.fillText(words, left, middle);
    left += brush.measureText(words).width + GAP.next;
  };
  brush.save();
  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  write(title);
  for (const share of SHARES) {
    const { width, alpha } = linkLook(share);
    brush.globalAlpha = alpha;
    brush.strokeStyle = inks.ink;
    brush.lineWidth = width;
    brush.beginPath();
    brush.moveTo(left, middle);
    brush.lineTo(left + STROKE, middle);
    brush.stroke();
    brush.globalAlpha = 1;
    left += STROKE + GAP.words;
    write(formatValue(most * share));
  }
  for (const { words, colour } of heads) {
    brush.fillStyle = colour;
    brush.fillRect(left, middle - SWATCH / 2, SWATCH, SWATCH);
    left += SWATCH + GAP.words;
    write(words);
  }
  brush.restore();
}
