// Cells under a stroke: which they are, and how they look until the model has answered.
import type { Cell } from "../data/index.js";
import { cellRect, type MatrixLayout } from "./layout.js";
import { paintBlocked } from "./plot.js";
import type { Brush, Inks } from "./theme.js";

/** The cells on the straight way from one to another, both included: a pointer moves faster than it is asked where it is. */
export function between(from: Cell, to: Cell): Cell[] {
  const [down, across] = [to.query - from.query, to.key - from.key];
  const steps = Math.max(Math.abs(down), Math.abs(across));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const along = steps === 0 ? 0 : step / steps;
    return {
      query: from.query + Math.round(down * along),
      key: from.key + Math.round(across * along),
    };
  });
}

/** The cells of the rectangle between two corners, in the order of the grid. */
export function rectangle(one: Cell, other: Cell): Cell[] {
  const [top, left] = [Math.min(one.query, other.query), Math.min(one.key, other.key)];
  const [rows, columns] = [
    Math.abs(one.query - other.query) + 1,
    Math.abs(one.key - other.key) + 1,
  ];
  return Array.from({ length: rows * columns }, (_, place) => ({
    query: top + Math.floor(place / columns),
    key: left + (place % columns),
  }));
}

/** Paints some cells as blocked, or as free to be looked at, over what stands there: nothing else is painted again. */
export function paintStroke(
  brush: Brush,
  layout: MatrixLayout,
  cells: readonly Cell[],
  open: boolean,
  inks: Inks,
): void {
  brush.save();
  if (open) paintOpen(brush, layout, cells, inks);
  else paintBlocked(brush, layout, cells, inks);
  brush.restore();
}

function paintOpen(brush: Brush, layout: MatrixLayout, cells: readonly Cell[], inks: Inks): void {
  for (const cell of cells) {
    const { x, y, width, height } = cellRect(layout, cell);
    brush.fillStyle = inks.accent;
    brush.fillRect(x, y, width, height);
    if (width < 4) continue;
    brush.fillStyle = inks.paper;
    brush.fillRect(x + 1, y + 1, width - 2, height - 2);
  }
}

/** Marks some cells as touched, whatever will come of it: what stands in them stays to be seen. */
export function paintTouched(
  brush: Brush,
  layout: MatrixLayout,
  cells: readonly Cell[],
  inks: Inks,
): void {
  brush.save();
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 2;
  for (const cell of cells) {
    const { x, y, width, height } = cellRect(layout, cell);
    brush.strokeRect(x + 1, y + 1, Math.max(0, width - 2), Math.max(0, height - 2));
  }
  brush.restore();
}

/** The outline of the rectangle that the keyboard has laid out. */
export function paintRange(
  brush: Brush,
  layout: MatrixLayout,
  from: Cell,
  to: Cell,
  inks: Inks,
): void {
  const [one, other] = [cellRect(layout, from), cellRect(layout, to)];
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  brush.save();
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 2;
  brush.strokeRect(
    x,
    y,
    Math.max(one.x, other.x) + one.width - x,
    Math.max(one.y, other.y) + one.height - y,
  );
  brush.restore();
}
