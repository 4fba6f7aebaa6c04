// The plot of a matrix figure: its cells, the lines between them, and the
// hatching over what is masked or blocked. Painted once per tensor.
import { isDrawn, type Cell } from "../data/index.js";
import { hatch } from "./hatch.js";
import { cellRect, type MatrixLayout } from "./layout.js";
import { rowRuns } from "./runs.js";
import type { Brush, Inks } from "./theme.js";

export interface PlotScene {
  /** One pixel per cell, transparent where the tensor holds no finite number. */
  image: CanvasImageSource;
  data: Float32Array;
  /** Cells that the reader blocked. */
  blocked: readonly Cell[];
  /** Rows that may look at nothing. */
  fullyMasked: readonly number[];
}

/** Cells smaller than this touch each other, and are too small for hatching to be seen. */
const SMALLEST_SEPARATE_CELL = 5;
/** Masked cells are a quiet ground, often half of the plot. */
const MASKED_ALPHA = 0.4;

export function paintPlot(brush: Brush, layout: MatrixLayout, scene: PlotScene, inks: Inks): void {
  const { x, y, width, height } = layout.plot;
  brush.save();
  brush.imageSmoothingEnabled = false;
  if (layout.rows > 0 && layout.columns > 0) brush.drawImage(scene.image, x, y, width, height);
  if (layout.cell >= SMALLEST_SEPARATE_CELL) {
    paintMasked(brush, layout, scene, inks);
    paintSeams(brush, layout, inks);
  }
  paintBlocked(brush, layout, scene.blocked, inks);
  brush.strokeStyle = inks.line;
  brush.lineWidth = 1;
  brush.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
  brush.restore();
}

function paintMasked(brush: Brush, layout: MatrixLayout, scene: PlotScene, inks: Inks): void {
  const empty = new Set(scene.fullyMasked);
  const masked = rowRuns(
    layout,
    ({ query, key }) =>
      empty.has(query) || !isDrawn(scene.data[query * layout.columns + key] ?? NaN),
  );
  brush.globalAlpha = MASKED_ALPHA;
  hatch(brush, masked, inks.muted);
  brush.globalAlpha = 1;
}

function paintSeams(brush: Brush, layout: MatrixLayout, inks: Inks): void {
  const { x, y, width, height } = layout.plot;
  brush.beginPath();
  for (let column = 1; column < layout.columns; column++) {
    brush.moveTo(x + column * layout.cell, y);
    brush.lineTo(x + column * layout.cell, y + height);
  }
  for (let row = 1; row < layout.rows; row++) {
    brush.moveTo(x, y + row * layout.cell);
    brush.lineTo(x + width, y + row * layout.cell);
  }
  brush.strokeStyle = inks.paper;
  brush.lineWidth = 1;
  brush.stroke();
}

/** Cells that the reader blocked. */
export function paintBlocked(
  brush: Brush,
  layout: MatrixLayout,
  blocked: readonly Cell[],
  inks: Inks,
): void {
  const inside = blocked.filter(({ query, key }) => query < layout.rows && key < layout.columns);
  const areas = inside.map((cell) => cellRect(layout, cell));
  brush.fillStyle = inks.paper;
  for (const area of areas) brush.fillRect(area.x, area.y, area.width, area.height);
  hatch(brush, areas, inks.accent);
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 1;
  if (layout.cell < SMALLEST_SEPARATE_CELL) return;
  for (const area of areas)
    brush.strokeRect(area.x + 0.5, area.y + 0.5, area.width - 1, area.height - 1);
}
