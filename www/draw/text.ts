import { directionOf } from "../data/index.js";
import type { Brush } from "./theme.js";

/** Words of the page itself, beside or above a picture: written from the left in every language of a page around it, at the middle of their line. */
export function beginWords(brush: Brush, font: string, ink: string): void {
  brush.direction = "ltr";
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  brush.font = font;
  brush.fillStyle = ink;
}

/** A token, or another text that is not the page's own, in the direction that it is read in; where it hangs is left or right of the place, as ever. */
export function writeLabel(brush: Brush, text: string, x: number, y: number): void {
  brush.direction = directionOf(text);
  brush.fillText(text, x, y);
  brush.direction = "ltr";
}
