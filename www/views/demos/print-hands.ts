// The turning hands as a file has them: a dial for each pair, as on the page.
import {
  type Print,
  type TextMeasure,
  labelFont,
  type Brush,
  type Inks,
} from "../../draw/theme.js";

/** A point of the plane, `y` upwards. */
export interface Point {
  x: number;
  y: number;
}

/** A line from the middle, as a part of the dial's radius. */
export interface PrintedHand {
  end: Point;
  side: "query" | "key";
  /** Whether it stands where both were moved on to: dashed, its end hollow. */
  moved: boolean;
}

export interface PrintedDial {
  hands: readonly PrintedHand[];
  /** From the key to the query, in radians against the clock. */
  from: number;
  to: number;
  /** What is said under it. */
  lines: readonly string[];
}

const RADIUS = 56;
const CELL = { width: 148, line: 18, gap: 20 };
const COLUMNS = 4;
const SIZE = 12.5;
const KEY_HEIGHT = 26;
/** Where the arc between two hands is. */
export const ARC = 0.32;

/** `keys` say what each kind of hand is. */
export function printHands(
  dials: readonly PrintedDial[],
  keys: readonly { hand: PrintedHand; words: string }[],
  inks: Inks,
  measure: TextMeasure,
): Print {
  const widthOf = measure(labelFont(inks, "normal", SIZE), SIZE);
  const lines = Math.max(0, ...dials.map((dial) => dial.lines.length));
  const height = 2 * RADIUS + lines * CELL.line + CELL.gap;
  const columns = Math.min(COLUMNS, dials.length);
  const keyWidths = keys.map(({ words }) => 36 + widthOf(words) + 24);
  const paint = (brush: Brush): void => {
    brush.save();
    brush.direction = "ltr";
    brush.textBaseline = "middle";
    brush.font = labelFont(inks, "normal", SIZE);
    let x = 0;
    keys.forEach(({ hand, words }, at) => {
      paintHand(brush, { x, y: KEY_HEIGHT / 2 - 4 }, 24, hand, inks);
      brush.textAlign = "left";
      brush.fillStyle = inks.ink;
      brush.fillText(words, x + 36, KEY_HEIGHT / 2 - 4);
      x += keyWidths[at] ?? 0;
    });
    dials.forEach((dial, at) => {
      const middle = {
        x: (at % columns) * CELL.width + CELL.width / 2,
        y: KEY_HEIGHT + Math.floor(at / columns) * height + RADIUS + 4,
      };
      brush.strokeStyle = inks.line;
      brush.lineWidth = 1;
      brush.beginPath();
      brush.arc(middle.x, middle.y, RADIUS, 0, 2 * Math.PI);
      brush.stroke();
      brush.strokeStyle = inks.muted;
      brush.beginPath();
      // A canvas counts angles with the clock.
      brush.arc(middle.x, middle.y, ARC * RADIUS, -dial.from, -dial.to, dial.to > dial.from);
      brush.stroke();
      for (const hand of dial.hands) paintHand(brush, middle, RADIUS, hand, inks);
      brush.textAlign = "center";
      dial.lines.forEach((line, index) => {
        brush.fillStyle = index === 0 ? inks.ink : inks.muted;
        brush.fillText(line, middle.x, middle.y + RADIUS + (index + 0.8) * CELL.line);
      });
    });
    brush.restore();
  };
  return {
    width: Math.max(
      columns * CELL.width,
      keyWidths.reduce((sum, one) => sum + one, 0),
    ),
    height: KEY_HEIGHT + Math.ceil(dials.length / Math.max(1, columns)) * height,
    paint,
  };
}

/** A line with a round end for queries and a square one for keys: hues alone would not do. */
function paintHand(
  brush: Brush,
  middle: Point,
  radius: number,
  { end, side, moved }: PrintedHand,
  inks: Inks,
): void {
  const tip = { x: middle.x + radius * end.x, y: middle.y - radius * end.y };
  const colour = side === "query" ? inks.accent : inks.ink;
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.setLineDash(moved ? [3, 4] : []);
  brush.beginPath();
  brush.moveTo(middle.x, middle.y);
  brush.lineTo(tip.x, tip.y);
  brush.stroke();
  brush.setLineDash([]);
  brush.lineWidth = 1;
  brush.fillStyle = moved ? inks.paper : colour;
  brush.beginPath();
  if (side === "query") brush.arc(tip.x, tip.y, 3.4, 0, 2 * Math.PI);
  else brush.rect(tip.x - 3.1, tip.y - 3.1, 6.2, 6.2);
  brush.fill();
  brush.stroke();
}
