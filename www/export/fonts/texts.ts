// The texts of a picture, found by painting it without a trace.
import type { Print, TextMeasure, Brush } from "../../draw/theme.js";
import { fontOf } from "../svg/ink.js";

export const WEIGHTS = [400, 600] as const;
export type Weight = (typeof WEIGHTS)[number];

/** Characters, as code points, by the weight that they are set in. */
export type Characters = Readonly<Record<Weight, ReadonlySet<number>>>;

/** Every character that the picture has. */
export function charactersOf(print: Print, measure: TextMeasure): Characters {
  const reader = new ReadingBrush(measure);
  print.paint(reader);
  return reader.read;
}

/** The weight of a canvas font, as the one of those two that is meant. */
function weightOf(font: string): Weight {
  const { weight = "400" } = fontOf(font);
  return weight === "bold" || Number(weight) >= WEIGHTS[1] ? WEIGHTS[1] : WEIGHTS[0];
}

const nothing = (): void => undefined;

/** Remembers what is written, and draws nothing. */
class ReadingBrush implements Brush {
  readonly read: Readonly<Record<Weight, Set<number>>> = { 400: new Set(), 600: new Set() };

  fillStyle: Brush["fillStyle"] = "";
  strokeStyle: Brush["strokeStyle"] = "";
  lineWidth = 1;
  lineCap: CanvasLineCap = "butt";
  lineJoin: CanvasLineJoin = "miter";
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  direction: CanvasDirection = "ltr";
  imageSmoothingEnabled = true;

  readonly translate = nothing;
  readonly rotate = nothing;
  readonly scale = nothing;
  readonly beginPath = nothing;
  readonly moveTo = nothing;
  readonly lineTo = nothing;
  readonly quadraticCurveTo = nothing;
  readonly bezierCurveTo = nothing;
  readonly arc = nothing;
  readonly rect = nothing;
  readonly closePath = nothing;
  readonly clip = nothing;
  readonly fill = nothing;
  readonly stroke = nothing;
  readonly fillRect = nothing;
  readonly strokeRect = nothing;
  readonly setLineDash = nothing;
  readonly drawImage = nothing;

  private readonly kept: string[] = [];

  constructor(private readonly measure: TextMeasure) {}

  save(): void {
    this.kept.push(this.font);
  }

  restore(): void {
    this.font = this.kept.pop() ?? this.font;
  }

  fillText(text: string): void {
    const read = this.read[weightOf(this.font)];
    for (const character of text) read.add(character.codePointAt(0) ?? 0);
  }

  measureText(text: string): { width: number } {
    return { width: this.measure(this.font, fontOf(this.font).size)(text) };
  }
}
