// A sheet of paper around a picture: a title above it, where it comes from, and who made it.
import { type Print, type TextMeasure, labelFont, type Brush, type Inks } from "../draw/theme.js";
import { PAINTED_FONT } from "./fonts/slice.js";
import { wrapped } from "./wrap.js";

export interface SheetWords {
  title: string;
  /** One after the other under the title, each as long as it is. */
  lines: readonly string[];
  /** At the foot, small. */
  maker: string;
}

const MARGIN = 24;
const TITLE = { size: 17, line: 24 };
const TEXT = { size: 12, line: 18 };
const MAKER = { size: 10, line: 14 };
const GAP = 12;
/** A long text stands whole in the file's description. */
const MOST_LINES = 3;

/** Colours of print: ink on white, whatever the page looks like. */
export const PAPER_INKS: Inks = {
  ground: "light",
  ink: "#191b1f",
  paper: "#ffffff",
  muted: "#5c5a55",
  line: "#d8d6ce",
  accent: "#b3431b",
  font: PAINTED_FONT,
};

/** Lays a picture on a sheet that is as large as it needs to be. */
export function sheetOf(
  picture: Print,
  words: SheetWords,
  inks: Inks,
  measure: TextMeasure,
): Print {
  const fit = (text: string, weight: "normal" | "bold", size: number): string[] =>
    wrapped(text, picture.width, MOST_LINES, measure(labelFont(inks, weight, size), size));
  const title = fit(words.title, "bold", TITLE.size);
  const lines = words.lines.flatMap((line) => fit(line, "normal", TEXT.size));
  const top = MARGIN + title.length * TITLE.line + 4 + lines.length * TEXT.line + GAP;
  const foot = top + picture.height + GAP;
  const width = picture.width + 2 * MARGIN;
  const height = Math.ceil(foot + MAKER.line + MARGIN - 8);

  const paint = (brush: Brush): void => {
    brush.save();
    brush.direction = "ltr";
    brush.fillStyle = inks.paper;
    brush.fillRect(0, 0, width, height);
    brush.textAlign = "left";
    brush.textBaseline = "middle";
    brush.fillStyle = inks.ink;
    brush.font = labelFont(inks, "bold", TITLE.size);
    title.forEach((line, index) =>
      brush.fillText(line, MARGIN, MARGIN + (index + 0.5) * TITLE.line),
    );
    brush.fillStyle = inks.muted;
    brush.font = labelFont(inks, "normal", TEXT.size);
    const under = MARGIN + title.length * TITLE.line + 4;
    lines.forEach((line, index) => brush.fillText(line, MARGIN, under + (index + 0.5) * TEXT.line));
    brush.font = labelFont(inks, "normal", MAKER.size);
    brush.textAlign = "right";
    brush.fillText(words.maker, width - MARGIN, foot + MAKER.line / 2);
    brush.restore();
    brush.save();
    brush.translate(MARGIN, top);
    picture.paint(brush);
    brush.restore();
  };
  return { width, height, paint };
}
