// Several pictures as one: side by side, each under its name.
import { type Print, type TextMeasure, labelFont, type Inks } from "../draw/theme.js";
import { beginWords, writeLabel } from "../draw/text.js";
import { wrapped } from "./wrap.js";

export interface NamedPrint {
  name: string;
  print: Print;
}

const NAME = { size: 14, line: 20 };
const MOST_LINES = 2;
const BELOW_NAME = 10;
const BETWEEN = 40;

/** As wide as all of them and as high as the highest; the pictures begin at one height. */
export function rowOf(pictures: readonly NamedPrint[], inks: Inks, measure: TextMeasure): Print {
  const font = labelFont(inks, "bold", NAME.size);
  let x = 0;
  const placed = pictures.map(({ name, print }) => {
    const at = x;
    x += print.width + BETWEEN;
    return { at, print, lines: wrapped(name, print.width, MOST_LINES, measure(font, NAME.size)) };
  });
  const top = Math.max(0, ...placed.map(({ lines }) => lines.length)) * NAME.line + BELOW_NAME;
  return {
    width: Math.max(0, x - BETWEEN),
    height: top + Math.max(0, ...placed.map(({ print }) => print.height)),
    paint: (brush) => {
      for (const { at, print, lines } of placed) {
        brush.save();
        beginWords(brush, font, inks.ink);
        // A name may be a sentence that somebody typed, in any language.
        lines.forEach((line, index) => writeLabel(brush, line, at, (index + 0.5) * NAME.line));
        brush.restore();
        brush.save();
        brush.translate(at, top);
        print.paint(brush);
        brush.restore();
      }
    },
  };
}
