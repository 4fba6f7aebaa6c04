import type { Brush } from "./theme.js";

/** Words of the page itself, beside or above a picture: written from the left in every language of a page around it, at the middle of their line. */
export function beginWords(brush: Brush, font: string, ink: string): void {
  brush.direction = "ltr";
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  brush.font = font;
  brush.fillStyle = ink;
}
