import { fitLabel, writeLabel } from "./text.js";
import { type Print, type TextMeasure, Pen, labelFont, type Inks } from "./theme.js";

// Bars with their words, for files; on the page they are elements.

/** One bar: as long as `value`, to the left of zero where that is negative, with what it is before and the number after it. */
export interface PrintedBar {
  label: string;
  value: number;
  text: string;
  marked?: boolean;
}

const SIZE = 12.5;
const ROW = 22;
const THICK = 9;
const TRACK = 320;
const GAP = 12;
const LABEL_ROOM = 220;

/** A value as a share of the longest bar, at most that to either side of zero. */
export function shareOf(value: number, max: number): number {
  return max > 0 && Number.isFinite(value) ? Math.max(-1, Math.min(1, value / max)) : 0;
}

/** `heading` stands above them; a bar of the value `max` has the whole length. */
export function printBars(
  bars: readonly PrintedBar[],
  heading: string,
  max: number,
  inks: Inks,
  measure: TextMeasure,
): Print {
  const widthOf = measure(labelFont(inks, "bold", SIZE), SIZE);
  const widest = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((most, text) => Math.max(most, widthOf(text)), 0));
  const least = Math.min(0, ...bars.map(({ value }) => shareOf(value, max)));
  const unit = TRACK / (1 - least);
  const left = Math.min(LABEL_ROOM, widest(bars.map(({ label }) => label))) + GAP;
  const zero = left - least * unit;
  const top = heading === "" ? 0 : ROW + 4;
  return {
    width: Math.max(left + TRACK + GAP + widest(bars.map(({ text }) => text)), widest([heading])),
    height: top + bars.length * ROW,
    paint: (brush) => {
      const pen = new Pen(brush, inks);
      brush.save();
      brush.direction = "ltr";
      pen.words(SIZE, inks.ink, "left", "middle", "bold");
      if (heading !== "") brush.fillText(heading, 0, ROW / 2);
      bars.forEach(({ label, value, text, marked }, index) => {
        const middle = top + (index + 0.5) * ROW;
        pen.words(SIZE, inks.ink, "left", "middle", marked ? "bold" : "normal");
        writeLabel(brush, fitLabel(label, LABEL_ROOM, widthOf), 0, middle);
        const length = shareOf(value, max) * unit;
        brush.fillStyle = marked ? inks.accent : inks.muted;
        const across = Math.max(1, Math.abs(length));
        brush.fillRect(Math.min(zero, zero + length), middle - THICK / 2, across, THICK);
        brush.fillStyle = inks.muted;
        brush.fillText(text, left + TRACK + GAP, middle);
      });
      brush.restore();
    },
  };
}

// Many thin bars as one outline, for an SVG whose view box is as wide as there are bars and 1 high.

/** Up to so many bars there is a gap between them; more would not have a pixel each. */
const MOST_GAPS = 60;
const OUTLINE_GAP = 0.2;

/** How much of its place each of so many bars takes. */
export function barWidth(count: number): number {
  return count <= MOST_GAPS ? 1 - OUTLINE_GAP : 1;
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
