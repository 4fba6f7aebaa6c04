/**
 * Text as outlines: the glyphs of the file's own fonts as paths, so that every program shows the
 * same. Fetched only when a file is saved with outlines. Characters of a variable font, or of no
 * font of ours, stay text.
 */
import { create, type Font } from "fontkit";
import type { Brush } from "../draw/theme.js";
import { measurer } from "../draw/text.js";
import { covers, FAMILIES, fontOf, type LoadedSlice, weightOf } from "./fonts.js";
import { MIDDLE_DROP } from "./placed-brush.js";

/** A family with one weight, which bold texts are set in, too. */
const ONE_WEIGHT = "Noto Sans Math";

interface Face {
  font: Font;
  covers: (character: number) => boolean;
}

/** A stretch of a text in one font; null for what has no outlines. */
interface Stretch {
  font: Font | null;
  text: string;
}

/** The outlines of the fonts that a file contains. */
export class Outlines {
  /** The texts without outlines that were painted so far, each once. */
  readonly plain = new Set<string>();
  private readonly faces: Readonly<Record<400 | 600, readonly Face[]>>;

  constructor(slices: readonly LoadedSlice[]) {
    const ordered = FAMILIES.flatMap((family) =>
      slices.filter(({ slice }) => slice.family === family),
    );
    const facesOf = (weight: "400" | "600"): Face[] =>
      ordered
        .filter((one) => this.has(one))
        .filter(({ slice }) => slice.weight === weight || slice.family === ONE_WEIGHT)
        .map(({ slice, bytes }) => ({
          font: create(new Uint8Array(bytes) as Buffer) as Font,
          covers: (character) => covers(slice, character),
        }));
    this.faces = { 400: facesOf("400"), 600: facesOf("600") };
  }

  /** Whether a slice is a font whose outlines can be read: of a variable one only the thinnest. */
  has({ slice }: LoadedSlice): boolean {
    return !slice.weight.includes(" ");
  }

  /** A brush that paints on another one, with outlines in place of text. */
  on(brush: Brush): Brush {
    const fillText = (text: string, x: number, y: number): void => this.paint(brush, text, x, y);
    return new Proxy(brush, {
      get: (target, name) => {
        if (name === "fillText") return fillText;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    });
  }

  private paint(brush: Brush, text: string, x: number, y: number): void {
    const { size, weight } = fontOf(brush.font);
    const measure = measurer(brush.font);
    const laidOut = this.stretches(text, weightOf(weight)).map((stretch) => {
      const run = stretch.font?.layout(stretch.text) ?? null;
      const scale = size / (stretch.font?.unitsPerEm ?? 1);
      return {
        ...stretch,
        run,
        scale,
        width: run ? run.advanceWidth * scale : measure(stretch.text),
      };
    });
    const width = laidOut.reduce((sum, one) => sum + one.width, 0);
    const { textAlign, textBaseline, direction } = brush;
    const end = direction === "rtl" ? "start" : "end";
    const before =
      textAlign === "center" ? 0.5 : textAlign === "right" || textAlign === end ? 1 : 0;
    const base = y + (textBaseline === "middle" ? MIDDLE_DROP * size : 0);
    let left = x - before * width;
    for (const { run, scale, text: own, width: wide } of laidOut) {
      if (run) {
        brush.beginPath();
        let at = left;
        run.glyphs.forEach((glyph, index) => {
          const { xOffset = 0, yOffset = 0, xAdvance = 0 } = run.positions[index] ?? {};
          trace(brush, glyph.path.commands, at + xOffset * scale, base - yOffset * scale, scale);
          at += xAdvance * scale;
        });
        brush.fill();
      } else {
        this.plain.add(own);
        asText(brush, own, left, y);
      }
      left += wide;
    }
  }

  private stretches(text: string, weight: 400 | 600): Stretch[] {
    const stretches: Stretch[] = [];
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      const font = this.faces[weight].find((face) => face.covers(code))?.font ?? null;
      const last = stretches.at(-1);
      if (last?.font === font) last.text += character;
      else stretches.push({ font, text: character });
    }
    return stretches;
  }
}

/** Adds the outline of a glyph, whose y axis points up, to the path. */
function trace(
  brush: Brush,
  commands: readonly { command: string; args: number[] }[],
  x: number,
  y: number,
  scale: number,
): void {
  let from: [number, number] = [x, y];
  for (const { command, args } of commands) {
    const points = args.map((value, index) =>
      index % 2 === 0 ? x + value * scale : y - value * scale,
    );
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = points;
    if (command === "moveTo") brush.moveTo(a, b);
    else if (command === "lineTo") brush.lineTo(a, b);
    else if (command === "bezierCurveTo") brush.bezierCurveTo(a, b, c, d, e, f);
    else if (command === "quadraticCurveTo") {
      // A quadratic curve as a cubic one: its points lie two thirds of the way to the control.
      const [fromX, fromY] = from;
      brush.bezierCurveTo(
        fromX + (2 / 3) * (a - fromX),
        fromY + (2 / 3) * (b - fromY),
        c + (2 / 3) * (a - c),
        d + (2 / 3) * (b - d),
        c,
        d,
      );
    }
    if (points.length >= 2) from = [points.at(-2) ?? x, points.at(-1) ?? y];
  }
}

function asText(brush: Brush, text: string, x: number, y: number): void {
  const { textAlign, direction } = brush;
  brush.direction = "ltr";
  brush.textAlign = "left";
  brush.fillText(text, x, y);
  Object.assign(brush, { textAlign, direction });
}
