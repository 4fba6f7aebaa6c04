// A positional encoding apart from the page: the painters of the screen, at a size that follows from the tensor alone.
import type { Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/format.js";
import { paintLegend } from "../../draw/legend.js";
import type { Print } from "../../draw/print.js";
import { divergingScale } from "../../draw/scale.js";
import { layoutStrip } from "../../draw/strip.js";
import { paintStrip } from "../../draw/strip-paint.js";
import { labelFont, type Brush, type Inks } from "../../draw/theme.js";
import { columnOf, paintWave, sampleColumns } from "../../draw/waves.js";
import { message } from "../../i18n/index.js";
import { cellImage } from "../matrix/canvas.js";
import { PositionWords } from "./words.js";

/** A dimension is at least this wide, in pixels of the page. */
const LEAST_ACROSS = 3;
const WIDTH = 720;
/** What the numbers of the positions take beside the plot. */
const AROUND = 40;
const WORDS_HEIGHT = 22;
const TEXT_SIZE = 12;
const WAVE = { height: 36, gap: 10, left: 110, right: 70 };

/** Null where the browser cannot draw. */
export function printPositions(tensor: Tensor, inks: Inks): Print | null {
  const [positions = 0, dimensions = 0] = tensor.shape;
  const scale = divergingScale(tensor.data, inks.ground);
  const image = cellImage(tensor.data, scale, positions, dimensions);
  if (!image) return null;
  const width = Math.max(WIDTH, dimensions * LEAST_ACROSS + AROUND);
  const layout = layoutStrip(positions, dimensions, width, 1);
  const words = new PositionWords(tensor);
  const columns = sampleColumns(dimensions);
  const wavesTop = WORDS_HEIGHT + layout.height + 2 * WAVE.gap;

  const paint = (brush: Brush): void => {
    brush.save();
    brush.font = labelFont(inks, "normal", TEXT_SIZE);
    brush.fillStyle = inks.muted;
    brush.textAlign = "left";
    brush.textBaseline = "middle";
    brush.fillText(`${words.rows} ↓   ${words.columns} →`, layout.plot.x, WORDS_HEIGHT / 2);
    brush.translate(0, WORDS_HEIGHT);
    paintStrip(brush, layout, image, inks);
    paintLegend(brush, layout.legend, scale, message("figure.value"), inks);
    brush.restore();
    columns.forEach((column, index) =>
      paintColumn(brush, column, wavesTop + index * (WAVE.height + WAVE.gap)),
    );
  };

  function paintColumn(brush: Brush, column: number, top: number): void {
    const values = columnOf(tensor.data, dimensions, column);
    const reach = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const place = {
      x: WAVE.left,
      y: top,
      width: width - WAVE.left - WAVE.right,
      height: WAVE.height,
    };
    paintWave(brush, place, values, reach, inks);
    brush.save();
    brush.font = labelFont(inks, "normal", TEXT_SIZE);
    brush.fillStyle = inks.muted;
    brush.textBaseline = "middle";
    brush.textAlign = "right";
    brush.fillText(words.column(column), WAVE.left - 12, top + WAVE.height / 2);
    brush.textAlign = "left";
    brush.fillText(`±${formatValue(reach)}`, width - WAVE.right + 12, top + WAVE.height / 2);
    brush.restore();
  }

  return { width, height: wavesTop + columns.length * (WAVE.height + WAVE.gap), paint };
}
