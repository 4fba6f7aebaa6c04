// A canvas path as the data of an SVG path, in the sheet's coordinates.
import { mapped, type Affine } from "./affine.js";
import { short } from "./markup.js";

const QUARTER = Math.PI / 2;

/** Collects the calls of one path. Points are placed when they are given, as a canvas does. */
export class PathData {
  private readonly parts: string[] = [];

  get data(): string {
    return this.parts.join("");
  }

  moveTo(place: Affine, x: number, y: number): void {
    this.add("M", place, [x, y]);
  }

  lineTo(place: Affine, x: number, y: number): void {
    this.add(this.parts.length === 0 ? "M" : "L", place, [x, y]);
  }

  quadraticCurveTo(place: Affine, ...points: [number, number, number, number]): void {
    this.add("Q", place, points);
  }

  bezierCurveTo(place: Affine, ...points: [number, number, number, number, number, number]): void {
    this.add("C", place, points);
  }

  rect(place: Affine, x: number, y: number, width: number, height: number): void {
    this.add("M", place, [x, y]);
    this.add("L", place, [x + width, y]);
    this.add("L", place, [x + width, y + height]);
    this.add("L", place, [x, y + height]);
    this.close();
  }

  /** A part of a circle as cubic curves of at most a quarter, which stay right however the brush is turned. */
  arc(
    place: Affine,
    x: number,
    y: number,
    radius: number,
    from: number,
    to: number,
    backwards: boolean,
  ): void {
    const sweep = sweepOf(from, to, backwards);
    const pieces = Math.max(1, Math.ceil(Math.abs(sweep) / QUARTER - 1e-9));
    const step = sweep / pieces;
    const handle = (4 / 3) * Math.tan(step / 4) * radius;
    this.lineTo(place, x + radius * Math.cos(from), y + radius * Math.sin(from));
    for (let piece = 0; piece < pieces; piece++) {
      const [start, end] = [from + piece * step, from + (piece + 1) * step];
      const [startX, startY] = [x + radius * Math.cos(start), y + radius * Math.sin(start)];
      const [endX, endY] = [x + radius * Math.cos(end), y + radius * Math.sin(end)];
      this.add("C", place, [
        startX - handle * Math.sin(start),
        startY + handle * Math.cos(start),
        endX + handle * Math.sin(end),
        endY - handle * Math.cos(end),
        endX,
        endY,
      ]);
    }
  }

  close(): void {
    if (this.parts.length > 0) this.parts.push("Z");
  }

  private add(command: string, place: Affine, points: readonly number[]): void {
    const written: string[] = [];
    for (let index = 0; index + 1 < points.length; index += 2) {
      written.push(
        mapped(place, points[index] ?? 0, points[index + 1] ?? 0)
          .map(short)
          .join(" "),
      );
    }
    this.parts.push(`${command}${written.join(" ")}`);
  }
}

/** The angle that a canvas goes through: never more than once around. */
function sweepOf(from: number, to: number, backwards: boolean): number {
  const around = 2 * Math.PI;
  const forwards = backwards ? from - to : to - from;
  const sweep = forwards >= around ? around : ((forwards % around) + around) % around;
  return backwards ? -sweep : sweep;
}
