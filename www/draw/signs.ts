// What the signs on cells mean, painted in a line under a picture that leaves the page.
import { hatch } from "./hatch.js";
import { labelFont, type Brush, type Inks } from "./theme.js";

export interface Sign {
  kind: "allowed" | "forbidden" | "blocked";
  words: string;
  /** Of an allowed cell. */
  colour?: string;
}

export const SIGNS_HEIGHT = 28;
const SIDE = 14;
const TEXT_SIZE = 11;
const GAP = { words: 8, next: 20 };
/** As quiet as on the cells. */
const FORBIDDEN_ALPHA = 0.4;

/** Small cells with their meaning, one after the other from `x`; `y` is their top. */
export function paintSigns(
  brush: Brush,
  x: number,
  y: number,
  signs: readonly Sign[],
  inks: Inks,
): void {
  brush.save();
  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  brush.lineWidth = 1;
  let left = x;
  for (const { kind, words, colour } of signs) {
    const area = { x: left, y, width: SIDE, height: SIDE };
    if (kind === "allowed") {
      brush.fillStyle = colour ?? inks.ink;
      brush.fillRect(left, y, SIDE, SIDE);
    }
    if (kind === "forbidden") {
      brush.globalAlpha = FORBIDDEN_ALPHA;
      hatch(brush, [area], inks.muted);
      brush.globalAlpha = 1;
    }
    if (kind === "blocked") hatch(brush, [area], inks.accent);
    brush.strokeStyle = kind === "blocked" ? inks.accent : inks.line;
    brush.strokeRect(left + 0.5, y + 0.5, SIDE - 1, SIDE - 1);
    brush.fillStyle = inks.muted;
    brush.fillText(words, left + SIDE + GAP.words, y + SIDE / 2 + 0.5);
    left += SIDE + GAP.words + brush.measureText(words).width + GAP.next;
  }
  brush.restore();
}
