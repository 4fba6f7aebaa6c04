// A drawing context that writes SVG: the painters of the page draw with it what they draw on the screen.
import { pixelsOf } from "../../draw/matrix.js";
import type { TextMeasure, Brush } from "../../draw/theme.js";
import { combined, growth, IDENTITY, isShift, mapped, type Affine } from "./affine.js";
import { cellsMarkup } from "./cells.js";
import { anchorOf, dropOf, fontOf, paintOf } from "./ink.js";
import { drawn, element, short, type Attributes } from "./markup.js";
import { PathData } from "./path.js";

/** What `save` keeps, with the values that a new canvas has. */
const SETTINGS = {
  fillStyle: "#000000" as Brush["fillStyle"],
  strokeStyle: "#000000" as Brush["strokeStyle"],
  lineWidth: 1,
  lineCap: "butt" as CanvasLineCap,
  lineJoin: "miter" as CanvasLineJoin,
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: "start" as CanvasTextAlign,
  textBaseline: "alphabetic" as CanvasTextBaseline,
  direction: "ltr" as CanvasDirection,
  imageSmoothingEnabled: true,
};
type Settings = typeof SETTINGS;

/** What `save` keeps besides the settings that painters may write. */
interface Frame {
  place: Affine;
  /** The name of the area that is painted in, or nothing for all of it. */
  clip: string | undefined;
  dash: readonly number[];
}

/**
 * Writes each call down as one element. Ids begin with `prefix`, so that two files can stand in one page; the font
 * `family` is the sheet's own and need not be repeated at each text.
 */
export class SvgBrush implements Brush {
  fillStyle = SETTINGS.fillStyle;
  strokeStyle = SETTINGS.strokeStyle;
  lineWidth = SETTINGS.lineWidth;
  lineCap = SETTINGS.lineCap;
  lineJoin = SETTINGS.lineJoin;
  globalAlpha = SETTINGS.globalAlpha;
  font = SETTINGS.font;
  textAlign = SETTINGS.textAlign;
  textBaseline = SETTINGS.textBaseline;
  direction = SETTINGS.direction;
  imageSmoothingEnabled = SETTINGS.imageSmoothingEnabled;

  private readonly elements: (string | Promise<string>)[] = [];
  private readonly kept: { settings: Settings; frame: Frame }[] = [];
  private frame: Frame = { place: IDENTITY, clip: undefined, dash: [] };
  private path = new PathData();
  private clips = 0;

  constructor(
    private readonly prefix: string,
    private readonly family: string,
    private readonly measure: TextMeasure,
  ) {}

  /** Everything that was painted, as SVG elements. */
  async markup(): Promise<string> {
    const written: string[] = [];
    for (const markup of this.elements)
      written.push(typeof markup === "string" ? markup : await markup);
    return written.join("\n");
  }

  save(): void {
    const {
      fillStyle,
      strokeStyle,
      lineWidth,
      lineCap,
      lineJoin,
      globalAlpha,
      font,
      textAlign,
      textBaseline,
      direction,
      imageSmoothingEnabled,
    } = this;
    const settings = {
      fillStyle,
      strokeStyle,
      lineWidth,
      lineCap,
      lineJoin,
      globalAlpha,
      font,
      textAlign,
      textBaseline,
      direction,
      imageSmoothingEnabled,
    };
    this.kept.push({ settings, frame: this.frame });
  }

  restore(): void {
    const last = this.kept.pop();
    if (!last) return;
    Object.assign(this, last.settings);
    this.frame = last.frame;
  }

  translate(x: number, y: number): void {
    this.move({ ...IDENTITY, e: x, f: y });
  }

  rotate(angle: number): void {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.move({ a: cos, b: sin, c: -sin, d: cos, e: 0, f: 0 });
  }

  scale(x: number, y: number): void {
    this.move({ ...IDENTITY, a: x, d: y });
  }

  setLineDash(dash: Iterable<number>): void {
    this.frame = { ...this.frame, dash: [...dash] };
  }

  beginPath(): void {
    this.path = new PathData();
  }

  moveTo(x: number, y: number): void {
    this.path.moveTo(this.frame.place, x, y);
  }

  lineTo(x: number, y: number): void {
    this.path.lineTo(this.frame.place, x, y);
  }

  quadraticCurveTo(...points: [number, number, number, number]): void {
    this.path.quadraticCurveTo(this.frame.place, ...points);
  }

  bezierCurveTo(...points: [number, number, number, number, number, number]): void {
    this.path.bezierCurveTo(this.frame.place, ...points);
  }

  arc(x: number, y: number, radius: number, from: number, to: number, backwards = false): void {
    this.path.arc(this.frame.place, x, y, radius, from, to, backwards);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path.rect(this.frame.place, x, y, width, height);
  }

  closePath(): void {
    this.path.close();
  }

  /** Paints only inside the path from now on, and inside what was clipped before. */
  clip(): void {
    const id = `${this.prefix}-clip-${++this.clips}`;
    this.elements.push(
      element("clipPath", { id, ...this.clipped }, element("path", { d: this.path.data })),
    );
    this.frame = { ...this.frame, clip: id };
  }

  fill(): void {
    this.add("path", { d: this.path.data, ...this.filled });
  }

  stroke(): void {
    this.add("path", { d: this.path.data, fill: "none", ...this.stroked });
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.addRect([x, y, width, height], this.filled);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.addRect([x, y, width, height], { fill: "none", ...this.stroked });
  }

  measureText(text: string): { width: number } {
    return { width: this.measure(this.font, fontOf(this.font).size)(text) };
  }

  fillText(text: string, x: number, y: number): void {
    const { size, weight, style, family } = fontOf(this.font);
    const { place } = this.frame;
    const shift = isShift(place);
    const [left, down] = shift ? mapped(place, x, y) : [x, y];
    const anchor = anchorOf(this.textAlign, this.direction);
    const markup = element(
      "text",
      {
        x: left,
        y: down + dropOf(this.textBaseline, size),
        "font-size": size,
        "font-weight": weight,
        "font-style": style,
        "font-family": family === this.family ? undefined : family,
        direction: this.direction === "rtl" ? "rtl" : undefined,
        "text-anchor": anchor === "start" ? undefined : anchor,
        transform: shift ? undefined : matrixOf(place),
        ...this.filled,
      },
      drawn(text),
    );
    // The area that is painted in would turn with the text.
    this.elements.push(this.frame.clip === undefined ? markup : element("g", this.clipped, markup));
  }

  drawImage(image: CanvasImageSource, x: number, y: number, width: number, height: number): void {
    const pixels = pixelsOf(image);
    if (!pixels) throw new TypeError("an image can be written only if its pixels were remembered");
    const { place } = this.frame;
    const [left, top] = mapped(place, x, y);
    const [right, bottom] = mapped(place, x + width, y + height);
    const opacity = this.globalAlpha === 1 ? undefined : String(this.globalAlpha);
    this.elements.push(
      cellsMarkup(
        pixels,
        { x: left, y: top, width: right - left, height: bottom - top },
        this.imageSmoothingEnabled,
        { opacity, ...this.clipped },
      ),
    );
  }

  private move(change: Affine): void {
    this.frame = { ...this.frame, place: combined(this.frame.place, change) };
  }

  private add(name: string, attributes: Attributes): void {
    this.elements.push(element(name, { ...attributes, ...this.clipped }));
  }

  private addRect(
    [x, y, width, height]: readonly [number, number, number, number],
    attributes: Attributes,
  ): void {
    const { place } = this.frame;
    if (isShift(place) && width >= 0 && height >= 0) {
      const [left, top] = mapped(place, x, y);
      this.add("rect", { x: left, y: top, width, height, ...attributes });
    } else {
      const path = new PathData();
      path.rect(place, x, y, width, height);
      this.add("path", { d: path.data, ...attributes });
    }
  }

  private get filled(): Attributes {
    return paintOf("fill", this.fillStyle, this.globalAlpha);
  }

  private get stroked(): Attributes {
    const { place, dash } = this.frame;
    const grown = growth(place);
    return {
      ...paintOf("stroke", this.strokeStyle, this.globalAlpha),
      "stroke-width": this.lineWidth * grown,
      "stroke-linecap": this.lineCap === "butt" ? undefined : this.lineCap,
      "stroke-linejoin": this.lineJoin === "miter" ? undefined : this.lineJoin,
      "stroke-dasharray":
        dash.length === 0 ? undefined : dash.map((length) => short(length * grown)).join(" "),
    };
  }

  private get clipped(): Attributes {
    return { "clip-path": this.frame.clip === undefined ? undefined : `url(#${this.frame.clip})` };
  }
}

function matrixOf({ a, b, c, d, e, f }: Affine): string {
  const turn = [a, b, c, d].map((part) => Number(part.toFixed(5)));
  return `matrix(${[...turn, short(e), short(f)].join(" ")})`;
}
