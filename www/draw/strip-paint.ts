// Painters of a positional encoding: its numbers with their axes, and the mark under the pointer.
import { labelStep } from "./labels.js";
import type { StripCell, StripLayout } from "./strip.js";
import { labelFont, type Brush, type Inks } from "./theme.js";

const TEXT_SIZE = 11;
const NUMBER_PITCH = 16;
const WIDE_NUMBER_PITCH = 40;

export function paintStrip(
  brush: Brush,
  layout: StripLayout,
  image: CanvasImageSource,
  inks: Inks,
): void {
  const { plot, cell } = layout;
  brush.save();
  brush.imageSmoothingEnabled = cell.width < 1;
  brush.drawImage(image, plot.x, plot.y, plot.width, plot.height);
  brush.strokeStyle = inks.line;
  brush.lineWidth = 1;
  brush.strokeRect(plot.x - 0.5, plot.y - 0.5, plot.width + 1, plot.height + 1);
  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.fillStyle = inks.muted;
  brush.textBaseline = "middle";
  brush.textAlign = "right";
  const rows = Math.round(plot.height / cell.height);
  for (let row = 0; row < rows; row += labelStep(cell.height, NUMBER_PITCH)) {
    brush.fillText(String(row + 1), plot.x - 8, plot.y + (row + 0.5) * cell.height);
  }
  brush.textAlign = "center";
  const columns = Math.round(plot.width / cell.width);
  for (let column = 0; column < columns; column += labelStep(cell.width, WIDE_NUMBER_PITCH)) {
    brush.fillText(String(column + 1), plot.x + (column + 0.5) * cell.width, plot.y - 9);
  }
  brush.restore();
}

/** Hairlines through the number under the pointer; the cell itself stays free. */
export function paintStripMark(brush: Brush, layout: StripLayout, at: StripCell, inks: Inks): void {
  const { plot, cell } = layout;
  const x = plot.x + at.dimension * cell.width;
  const y = plot.y + at.position * cell.height;
  brush.save();
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 1;
  brush.globalAlpha = 0.6;
  brush.strokeRect(plot.x, y, plot.width, cell.height);
  brush.strokeRect(x - 0.5, plot.y, cell.width + 1, plot.height);
  brush.restore();
}
