// A text as its tokens apart from the page: as wide as a page, and as high as it is long.
import type { Token } from "../../data/index.js";
import { hatch } from "../../draw/hatch.js";
import { fitLabel } from "../../draw/labels.js";
import type { Rect } from "../../draw/layout.js";
import type { Print } from "../../draw/print.js";
import { beginWords, writeLabel } from "../../draw/text.js";
import { labelFont, type Brush, type Inks } from "../../draw/theme.js";
import { wordsOf } from "../../reduce/index.js";
import { measurer } from "../matrix/canvas.js";
import { isHidden, saidOf } from "../shared/token-label.js";

const WIDTH = 640;
const SIZE = 13.5;
const CHIP = { height: 28, padding: 7, gap: 5, least: 20 };
const NAME = { size: 12, line: 22 };
const BETWEEN = 16;
const GROUND_ALPHA = 0.45;
const SEAM = [1, 2];
const EDGE = [3, 3];

/** A token in its place; `joined` is one that goes on with the word before it. */
interface PlacedToken extends Rect {
  token: Token;
  label: string;
  joined: boolean;
}

/** A text, and what it is called. */
export interface PrintedText {
  name: string;
  tokens: readonly Token[];
}

/** One text below the other, each under its name. Null where there are no tokens. */
export function printTokens(texts: readonly PrintedText[], inks: Inks): Print | null {
  const font = labelFont(inks, "normal", SIZE);
  let height = 0;
  const strips = texts.flatMap(({ name, tokens }) => {
    if (tokens.length === 0) return [];
    const chips = place(tokens, measurer(font, SIZE));
    const top = height;
    height += NAME.line + Math.max(...chips.map(({ y }) => y)) + CHIP.height + BETWEEN;
    return [{ name, chips, top }];
  });
  if (strips.length === 0) return null;
  const paint = (brush: Brush): void => {
    for (const { name, chips, top } of strips) {
      brush.save();
      beginWords(brush, labelFont(inks, "normal", NAME.size), inks.muted);
      brush.fillText(name, 0, top + NAME.size / 2);
      brush.translate(0, top + NAME.line);
      brush.font = font;
      brush.textAlign = "center";
      brush.lineWidth = 1;
      for (const chip of chips) paintChip(brush, chip, inks);
      brush.restore();
    }
  };
  return { width: WIDTH, height: height - BETWEEN, paint };
}

/** The pieces of a word touch each other; a word that does not fit begins a line, and one that is wider than a line is parted. */
function place(tokens: readonly Token[], measure: (text: string) => number): PlacedToken[] {
  const placed: PlacedToken[] = [];
  let [x, y] = [0, 0];
  for (const { indices } of wordsOf(tokens)) {
    const pieces = indices.flatMap((index) => {
      const token = tokens[index];
      if (!token) return [];
      const label = fitLabel(saidOf(token), WIDTH - 2 * CHIP.padding, measure);
      return [
        { token, label, width: Math.max(CHIP.least, Math.ceil(measure(label)) + 2 * CHIP.padding) },
      ];
    });
    const whole = pieces.reduce((sum, { width }) => sum + width, 0);
    if (x > 0 && x + whole > WIDTH) [x, y] = [0, y + CHIP.height + CHIP.gap];
    pieces.forEach(({ token, label, width }, piece) => {
      if (x > 0 && x + width > WIDTH) [x, y] = [0, y + CHIP.height + CHIP.gap];
      placed.push({ token, label, x, y, width, height: CHIP.height, joined: piece > 0 && x > 0 });
      x += width;
    });
    x += CHIP.gap;
  }
  return placed;
}

function paintChip(brush: Brush, { token, label, joined, ...chip }: PlacedToken, inks: Inks): void {
  const { x, y, width, height } = chip;
  const middle = y + height / 2;
  const hidden = isHidden(token);
  if (!token.special) {
    brush.fillStyle = inks.line;
    brush.globalAlpha = GROUND_ALPHA;
    brush.fillRect(x, y, width, height);
    brush.globalAlpha = 1;
  }
  if (hidden) hatch(brush, [chip], inks.line);
  if (token.special || token.role === "unknown") {
    brush.save();
    brush.setLineDash(token.special ? EDGE : SEAM);
    brush.strokeStyle = token.special ? inks.line : inks.muted;
    brush.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    brush.restore();
  }
  if (joined) {
    brush.save();
    brush.setLineDash(SEAM);
    brush.strokeStyle = inks.muted;
    brush.beginPath();
    brush.moveTo(x, y);
    brush.lineTo(x, y + height);
    brush.stroke();
    brush.restore();
  }
  brush.fillStyle = token.special ? inks.muted : inks.ink;
  writeLabel(brush, label, x + width / 2, middle);
  if (hidden) brush.fillRect(x + CHIP.padding, middle, width - 2 * CHIP.padding, 1);
}
