import { color, rgb } from "d3-color";
import type { Rect } from "../draw/layout.js";
import { pixelsOf, type CellPixels } from "../draw/matrix.js";
import type { Brush, Print, TextMeasure } from "../draw/theme.js";
import {
  allSlices,
  base64,
  chosen,
  fileFont,
  fontOf,
  fontRules,
  load,
  weightOf,
  type Characters,
  type LoadedSlice,
  type Slice,
} from "./fonts.js";
import { encodePng } from "./png.js";
import type { PictureWords } from "./sheet.js";

// Numbers, texts and attributes as XML takes them.

/** A number of pixels in as few characters as it takes: hundredths are finer than any printer. */
const short = (value: number): string => String(Number(value.toFixed(2)) + 0);

/** What XML 1.0 forbids in any form: control characters and half characters. */
const FORBIDDEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text as the content of an element or the value of an attribute. */
const escaped = (text: string): string =>
  text.replace(FORBIDDEN, "\uFFFD").replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element; an attribute that is undefined is left out, a number is a number of pixels. */
function element(name: string, attributes: Attributes, content?: string): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined
      ? ""
      : ` ${key}="${typeof value === "number" ? short(value) : escaped(value)}"`,
  );
  const start = `<${name}${written.join("")}`;
  return content === undefined ? `${start}/>` : `${start}>${content}</${name}>`;
}

/** The brush's own coordinates, seen from the sheet: a turn, then a shift, `x' = cos x − sin y + dx`, `y' = sin x + cos y + dy`. */
interface Placement {
  readonly cos: number;
  readonly sin: number;
  readonly dx: number;
  readonly dy: number;
}

const IN_PLACE: Placement = { cos: 1, sin: 0, dx: 0, dy: 0 };

const mapped = ({ cos, sin, dx, dy }: Placement, x: number, y: number): [x: number, y: number] => [
  cos * x - sin * y + dx,
  sin * x + cos * y + dy,
];

/** Whether directions stay as they are. */
const isShift = ({ cos, sin }: Placement): boolean => cos === 1 && sin === 0;

// Colours and fonts of a canvas as the attributes of SVG, in the forms that every program reads.

/** A colour, with its transparency in an attribute of its own. */
function paintOf(property: "fill" | "stroke", style: unknown, alpha: number): Attributes {
  const named = typeof style === "string" ? style : "black";
  const known = color(named)?.rgb();
  const opacity = (known?.opacity ?? 1) * alpha;
  return {
    [property]: known?.copy({ opacity: 1 }).formatHex() ?? named,
    [`${property}-opacity`]: opacity === 1 ? undefined : String(Number(opacity.toFixed(3))),
  };
}

/** Where a text hangs, as SVG names it: by the text's own direction, where a canvas means left and right. */
function anchorOf(align: CanvasTextAlign, direction: CanvasDirection): "start" | "middle" | "end" {
  if (align === "center") return "middle";
  if (align === "start" || align === "end") return align;
  return (align === "left") === (direction === "rtl") ? "end" : "start";
}

/** How far below the middle of a text its baseline lies in Noto Sans, in parts of the size: not every program knows the others. */
const MIDDLE_DROP = 0.285;

/** Beyond this a file of rectangles is slow to open. */
const MOST_RECTANGLES = 10_000;

/** The cells of a matrix: a rectangle each, but none for one that shows nothing, while they can be counted, else one image with a pixel each. */
async function cellsMarkup(
  { data, columns, rows, amongMany }: CellPixels,
  place: Rect,
  smooth: boolean,
  attributes: Attributes,
): Promise<string> {
  if (columns * rows > MOST_RECTANGLES || amongMany || smooth)
    return element("image", {
      class: "cells",
      ...place,
      preserveAspectRatio: "none",
      "image-rendering": smooth ? undefined : "optimizeSpeed",
      style: smooth ? undefined : "image-rendering:pixelated",
      ...attributes,
      href: `data:image/png;base64,${base64(await encodePng(data, columns, rows))}`,
    });
  const [width, height] = [place.width / columns, place.height / rows];
  const cells = Array.from({ length: columns * rows }, (_, at) => {
    const [red, green, blue, alpha] = data.subarray(4 * at, 4 * at + 4);
    const x = place.x + ((at % columns) * place.width) / columns;
    const y = place.y + (Math.floor(at / columns) * place.height) / rows;
    const fill = rgb(red ?? 0, green ?? 0, blue ?? 0).formatHex();
    return alpha === 255 ? element("rect", { x, y, width, height, fill }) : "";
  });
  // Edges that are smoothed would leave hairlines between neighbours.
  const style = { class: "cells", "shape-rendering": "crispEdges", ...attributes };
  return element("g", style, cells.join(""));
}

// A drawing context that writes SVG: the painters of the page draw with it what they draw on the screen.

/** What `save` keeps, with the values that a new canvas has: of what painters set, and what they do by calls. */
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
  protected place: Placement = IN_PLACE;
  /** The name of the area that is painted in; empty for all of it. */
  protected clipId = "";
  protected dash: readonly number[] = [];
}

const SETTINGS = Object.keys(new Settings()) as (keyof Settings)[];

/**
 * Writes each call down as one element. Ids begin with `prefix`, so that two files can stand in one page; the font
 * `family` is the sheet's own and need not be repeated at each text.
 */
export class SvgBrush extends Settings implements Brush {
  /** The code points that were written, by the weight that they are set in. */
  readonly characters: Characters = { 400: new Set(), 600: new Set() };
  private readonly elements: (string | (() => Promise<string>))[] = [];
  private readonly saved: object[] = [];
  /** The data of the path, in the coordinates of the sheet. */
  private path: string[] = [];
  private clips = 0;

  constructor(
    private readonly prefix: string,
    private readonly family: string,
    private readonly measure: TextMeasure,
  ) {
    super();
  }

  /** Everything that was painted, as SVG elements. */
  async markup(): Promise<string> {
    const written: string[] = [];
    for (const markup of this.elements)
      written.push(typeof markup === "string" ? markup : await markup());
    return written.join("\n");
  }

  save(): void {
    this.saved.push(Object.fromEntries(SETTINGS.map((name) => [name, this[name]])));
  }

  restore(): void {
    Object.assign(this, this.saved.pop());
  }

  translate(dx: number, dy: number): void {
    const [x, y] = mapped(this.place, dx, dy);
    this.place = { ...this.place, dx: x, dy: y };
  }

  rotate(angle: number): void {
    const { cos, sin, dx, dy } = this.place;
    const [turn, lift] = [Math.cos(angle), Math.sin(angle)];
    this.place = { cos: cos * turn - sin * lift, sin: sin * turn + cos * lift, dx, dy };
  }

  setLineDash(dash: Iterable<number>): void {
    this.dash = [...dash];
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.draw("M", x, y);
  }

  lineTo(x: number, y: number): void {
    this.draw(this.path.length === 0 ? "M" : "L", x, y);
  }

  bezierCurveTo(...points: [number, number, number, number, number, number]): void {
    this.draw("C", ...points);
  }

  /** A part of a circle as cubic curves of at most a quarter, which stay right however the brush is turned. */
  arc(x: number, y: number, radius: number, from: number, to: number, backwards = false): void {
    const sweep = sweepOf(from, to, backwards);
    const pieces = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
    const step = sweep / pieces;
    const handle = (4 / 3) * Math.tan(step / 4) * radius;
    this.lineTo(x + radius * Math.cos(from), y + radius * Math.sin(from));
    for (let piece = 0; piece < pieces; piece++) {
      const [start, end] = [from + piece * step, from + (piece + 1) * step];
      const [startX, startY] = [x + radius * Math.cos(start), y + radius * Math.sin(start)];
      const [endX, endY] = [x + radius * Math.cos(end), y + radius * Math.sin(end)];
      this.bezierCurveTo(
        startX - handle * Math.sin(start),
        startY + handle * Math.cos(start),
        endX + handle * Math.sin(end),
        endY - handle * Math.cos(end),
        endX,
        endY,
      );
    }
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  closePath(): void {
    if (this.path.length > 0) this.path.push("Z");
  }

  /** Paints only inside the path from now on, and inside what was clipped before. */
  clip(): void {
    const id = `${this.prefix}-clip-${++this.clips}`;
    this.elements.push(
      element("clipPath", { id, ...this.clipped }, element("path", { d: this.path.join("") })),
    );
    this.clipId = id;
  }

  fill(): void {
    this.add("path", { d: this.path.join(""), ...this.filled });
  }

  stroke(): void {
    this.add("path", { d: this.path.join(""), fill: "none", ...this.stroked });
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
    const { size, weight, family } = fontOf(this.font);
    for (const character of text)
      this.characters[weightOf(weight)].add(character.codePointAt(0) ?? 0);
    const { place } = this;
    const shift = isShift(place);
    const [left, down] = shift ? mapped(place, x, y) : [x, y];
    const anchor = anchorOf(this.textAlign, this.direction);
    const markup = element(
      "text",
      {
        x: left,
        y: down + (this.textBaseline === "middle" ? MIDDLE_DROP * size : 0),
        "font-size": size,
        "font-weight": weight,
        "font-family": family === this.family ? undefined : family,
        direction: this.direction === "rtl" ? "rtl" : undefined,
        "text-anchor": anchor === "start" ? undefined : anchor,
        transform: shift ? undefined : matrixOf(place),
        ...this.filled,
      },
      // SVG would draw several spaces as one, and none at either end.
      escaped(text.replace(/ (?= )|^ | $/g, "\u00A0")),
    );
    // The area that is painted in would turn with the text.
    this.elements.push(this.clipId === "" ? markup : element("g", this.clipped, markup));
  }

  drawImage(image: CanvasImageSource, x: number, y: number, width: number, height: number): void {
    const [left, top] = mapped(this.place, x, y);
    const [right, bottom] = mapped(this.place, x + width, y + height);
    const opacity = this.globalAlpha === 1 ? undefined : String(this.globalAlpha);
    const attributes = { opacity, ...this.clipped };
    const smooth = this.imageSmoothingEnabled;
    this.elements.push(async () => {
      const pixels = pixelsOf(image);
      if (!pixels)
        throw new TypeError("an image can be written only if its pixels were remembered");
      const place = { x: left, y: top, width: right - left, height: bottom - top };
      return cellsMarkup(pixels, place, smooth, attributes);
    });
  }

  /** Points are placed when they are given, as a canvas does. */
  private draw(command: string, ...points: readonly number[]): void {
    const written: string[] = [];
    for (let index = 0; index + 1 < points.length; index += 2) {
      const at = mapped(this.place, points[index] ?? 0, points[index + 1] ?? 0);
      written.push(at.map(short).join(" "));
    }
    this.path.push(`${command}${written.join(" ")}`);
  }

  private add(name: string, attributes: Attributes): void {
    this.elements.push(element(name, { ...attributes, ...this.clipped }));
  }

  private addRect(
    [x, y, width, height]: readonly [number, number, number, number],
    attributes: Attributes,
  ): void {
    const { place } = this;
    if (isShift(place) && width >= 0 && height >= 0) {
      const [left, top] = mapped(place, x, y);
      this.add("rect", { x: left, y: top, width, height, ...attributes });
    } else {
      const { path } = this;
      this.beginPath();
      this.rect(x, y, width, height);
      this.add("path", { d: this.path.join(""), ...attributes });
      this.path = path;
    }
  }

  private get filled(): Attributes {
    return paintOf("fill", this.fillStyle, this.globalAlpha);
  }

  private get stroked(): Attributes {
    return {
      ...paintOf("stroke", this.strokeStyle, this.globalAlpha),
      "stroke-width": this.lineWidth,
      "stroke-linejoin": this.lineJoin === "miter" ? undefined : this.lineJoin,
      "stroke-dasharray": this.dash.length === 0 ? undefined : this.dash.map(short).join(" "),
    };
  }

  private get clipped(): Attributes {
    return { "clip-path": this.clipId === "" ? undefined : `url(#${this.clipId})` };
  }
}

/** The angle that a canvas goes through: never more than once around. */
function sweepOf(from: number, to: number, backwards: boolean): number {
  const around = 2 * Math.PI;
  const forwards = backwards ? from - to : to - from;
  const sweep = forwards >= around ? around : ((forwards % around) + around) % around;
  return backwards ? -sweep : sweep;
}

function matrixOf({ cos, sin, dx, dy }: Placement): string {
  const turn = [cos, sin, -sin, cos].map((part) => Number(part.toFixed(5)));
  return `matrix(${[...turn, short(dx), short(dy)].join(" ")})`;
}

// A whole SVG file: what was painted, and what the file says of itself.

/** Paints `print` as an SVG of its own size. `family` is the font of its labels, `slices` what the file carries of it. */
export async function svgFile(
  print: Print,
  words: PictureWords,
  family: string,
  slices: readonly LoadedSlice[],
  measure: TextMeasure,
): Promise<string> {
  const prefix = `headscope-${hashOf(words.record)}`;
  const brush = new SvgBrush(prefix, family, measure);
  print.paint(brush);
  const head = [
    element("title", { id: `${prefix}-title` }, escaped(words.title)),
    element("desc", { id: `${prefix}-desc` }, escaped(words.description)),
    element("metadata", {}, escaped(words.record)),
    ...(slices.length === 0 ? [] : [element("style", {}, fontRules(slices))]),
  ];
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    width: print.width,
    height: print.height,
    viewBox: `0 0 ${print.width} ${print.height}`,
    role: "img",
    "aria-labelledby": `${prefix}-title ${prefix}-desc`,
    "font-family": fileFont(family),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("svg", root, `\n${head.join("\n")}\n${await brush.markup()}\n`)}\n`;
}

/** A short name for a text (FNV-1a), so that the ids of two pictures in one page differ. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

// The fonts that a picture needs: its texts tell, found by painting it.

/** A picture with the fonts that its texts are set in. */
export interface Fonted<T extends Print> {
  print: T;
  slices: readonly LoadedSlice[];
  /** Whether a font that it needs could not be had: then it is set in what the system has. */
  lacking: boolean;
}

/**
 * Makes a picture that is measured in its own fonts. Which those are, its texts tell, and where a text is cut or broken,
 * the fonts: so it is made anew until it has no character that was not known before. Null where there is no picture.
 */
export async function fonted<T extends Print>(
  make: () => T | null,
  measure: TextMeasure,
  listed = allSlices,
  loading = load,
): Promise<Fonted<T> | null> {
  const slices = await listed().catch(() => null);
  const had = new Map<Slice, LoadedSlice | null>();
  for (;;) {
    const print = make();
    if (!print) return null;
    const brush = new SvgBrush("", "", measure);
    print.paint(brush);
    const needed = slices ? chosen(brush.characters, slices) : [];
    const further = needed.filter((slice) => !had.has(slice));
    if (further.length === 0) {
      const found = needed.flatMap((slice) => had.get(slice) ?? []);
      return { print, slices: found, lacking: slices === null || found.length < needed.length };
    }
    await Promise.all(
      further.map(async (slice) => had.set(slice, await loading(slice).catch(() => null))),
    );
  }
}
