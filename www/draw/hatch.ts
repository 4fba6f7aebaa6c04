// Hatching: the sign for "nobody may look here", readable without any colour.
import type { Rect } from "./layout.js";
import type { Brush } from "./theme.js";

/** Distance of the lines from one another, measured along x. */
const PITCH = 6;

/** Fills `areas` with thin rising lines. The lines run on from one area to the next. */
export function hatch(brush: Brush, areas: readonly Rect[], colour: string): void {
  if (areas.length === 0) return;
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  brush.save();
  brush.beginPath();
  for (const { x, y, width, height } of areas) {
    brush.rect(x, y, width, height);
    left = Math.min(left, x);
    right = Math.max(right, x + width);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + height);
  }
  brush.clip();
  brush.beginPath();
  const drop = bottom - top;
  const start = Math.floor(left / PITCH) * PITCH;
  for (let x = start; x <= right + drop; x += PITCH) {
    brush.moveTo(x, top);
    brush.lineTo(x - drop, bottom);
  }
  brush.strokeStyle = colour;
  brush.lineWidth = 1;
  brush.stroke();
  brush.restore();
}
