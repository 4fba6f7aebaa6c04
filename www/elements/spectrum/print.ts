// Singular values apart from the page, at a size of their own.
import { barWidth } from "../../draw/bar-outline.js";
import { formatValue } from "../../draw/format.js";
import type { Print } from "../../draw/print.js";
import { labelFont, type Brush, type Inks } from "../../draw/theme.js";
import { formatNumber, formatPercent, message } from "../../i18n/index.js";
import { HELD } from "./element.js";

const WIDTH = 360;
const PLOT = { top: 18, height: 140 };
const TEXT = { size: 12, line: 18 };
/** Of the bars that hold less than most; as light as on the page. */
const LEFT_ALPHA = 0.38;

export interface PrintedSpectrum {
  values: readonly number[];
  rank: number;
}

/** Null where there are none. */
export function printSpectrum({ values, rank }: PrintedSpectrum, inks: Inks): Print | null {
  const [largest = 0] = values;
  const count = values.length;
  if (count === 0) return null;
  const base = PLOT.top + PLOT.height;
  const paint = (brush: Brush): void => {
    brush.save();
    brush.direction = "ltr";
    brush.fillStyle = inks.ink;
    values.forEach((value, at) => {
      const height = value > 0 && largest > 0 ? (value / largest) * PLOT.height : 0;
      brush.globalAlpha = at < rank ? 1 : LEFT_ALPHA;
      brush.fillRect(
        (at / count) * WIDTH,
        base - height,
        (barWidth(count) / count) * WIDTH,
        height,
      );
    });
    brush.globalAlpha = 1;
    brush.fillStyle = inks.muted;
    brush.fillRect(0, base, WIDTH, 1);
    brush.font = labelFont(inks, "normal", TEXT.size);
    brush.textBaseline = "middle";
    brush.textAlign = "right";
    brush.fillText(formatValue(largest), WIDTH, TEXT.size / 2);
    brush.textAlign = "left";
    brush.fillText("1", 0, base + TEXT.line / 2 + 2);
    if (count > 1) {
      brush.textAlign = "right";
      brush.fillText(formatNumber(count), WIDTH, base + TEXT.line / 2 + 2);
    }
    brush.textAlign = "left";
    brush.fillStyle = inks.ink;
    brush.fillText(
      message("spectrum.holds", { count, rank, share: formatPercent(HELD, 0) }),
      0,
      base + 1.5 * TEXT.line + 4,
    );
    brush.restore();
  };
  return { width: WIDTH, height: base + 2 * TEXT.line + 6, paint };
}
