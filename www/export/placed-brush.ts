/** What drawing contexts of vector files share: the state of a canvas, and where a point lies. */
import { measurer } from "../draw/text.js";
import type { Brush } from "../draw/theme.js";

/**
 * The distance of the baseline below the middle of a text in Noto Sans, as a share of the size:
 * some programs know no other alignment.
 */
export const MIDDLE_DROP = 0.285;

/** The state that `save` stores, with the values of a new canvas. */
class Settings {
  fillStyle: Brush["fillStyle"] = "#000000";
  strokeStyle: Brush["strokeStyle"] = "#000000";
  lineWidth = 1;
  lineJoin: CanvasLineJoin = "miter";
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  direction: CanvasDirection = "ltr";
  imageSmoothingEnabled = true;
  /** The brush's coordinates on the sheet: `x' = cos x − sin y + dx`, `y' = sin x + cos y + dy`. */
  protected place = { cos: 1, sin: 0, dx: 0, dy: 0 };
  /** The id of the clip area; empty for the whole sheet. */
  protected clipId = "";
  protected dash: readonly number[] = [];
}

const SETTINGS = Object.keys(new Settings()) as (keyof Settings)[];

export type Point = readonly [x: number, y: number];

/** A drawing context whose coordinates are moved and turned like those of a canvas. */
export abstract class PlacedBrush extends Settings {
  private readonly saved: object[] = [];

  save(): void {
    this.saved.push(Object.fromEntries(SETTINGS.map((name) => [name, this[name]])));
  }

  restore(): void {
    Object.assign(this, this.saved.pop());
  }

  translate(x: number, y: number): void {
    const [dx, dy] = this.at([x, y]);
    this.place = { ...this.place, dx, dy };
  }

  rotate(angle: number): void {
    const { cos, sin, dx, dy } = this.place;
    const turn = Math.cos(angle);
    const lift = Math.sin(angle);
    this.place = { cos: cos * turn - sin * lift, sin: sin * turn + cos * lift, dx, dy };
  }

  setLineDash(dash: Iterable<number>): void {
    this.dash = [...dash];
  }

  measureText(text: string): { width: number } {
    return { width: measurer(this.font)(text) };
  }

  protected at([x, y]: Point): Point {
    const { cos, sin, dx, dy } = this.place;
    return [cos * x - sin * y + dx, sin * x + cos * y + dy];
  }

  protected get isShifted(): boolean {
    return this.place.cos === 1 && this.place.sin === 0;
  }
}
