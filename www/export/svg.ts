// A drawing context that writes SVG, so that the page's painters draw to files as they do to the
// screen; and whole SVG files.
import { color, rgb } from "d3-color";
import type { Rect } from "../draw/layout.js";
import { imagePixels, type CellPixels } from "../draw/matrix.js";
import { escaped } from "../draw/text.js";
import type { Brush, Print } from "../draw/theme.js";
import { MIDDLE_DROP, PlacedBrush, type Point } from "./placed-brush.js";
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

/** A number of pixels with at most two decimals: hundredths are finer than any printer. */
const short = (value: number): string => String(Number(value.toFixed(2)) + 0);

/** Characters that XML 1.0 forbids in any form: control characters and lone surrogates. */
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const xml = (text: string): string => escaped(text.replace(FORBIDDEN, "\uFFFD"));

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element; an undefined attribute is left out, a number is a number of pixels. */
function element(name: string, attributes: Attributes, content?: string): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? "" : ` ${key}="${typeof value === "number" ? short(value) : xml(value)}"`,
  );
  const start = `<${name}${written.join("")}`;
  return content === undefined ? `${start}/>` : `${start}>${content}</${name}>`;
}

/** A colour in a form that every program reads, with its opacity in a separate attribute. */
function paintOf(property: "fill" | "stroke", style: unknown, alpha: number): Attributes {
  const named = typeof style === "string" ? style : "black";
  const known = color(named)?.rgb();
  const opacity = (known?.opacity ?? 1) * alpha;
  return {
    [property]: known?.copy({ opacity: 1 }).formatHex() ?? named,
    [`${property}-opacity`]: opacity === 1 ? undefined : String(Number(opacity.toFixed(3))),
  };
}

/** The most rectangles of a file that opens fast. */
const MOST_RECTANGLES = 10_000;

/**
 * The cells of a matrix: a rectangle for each that is not transparent, or one image if they are too
 * many or smoothed.
 */
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
  const width = place.width / columns;
  const height = place.height / rows;
  const cells = Array.from({ length: columns * rows }, (_, at) => {
    const [red = 0, green = 0, blue = 0, alpha] = data.subarray(4 * at, 4 * at + 4);
    const x = place.x + ((at % columns) * place.width) / columns;
    const y = place.y + (Math.floor(at / columns) * place.height) / rows;
    const fill = rgb(red, green, blue).formatHex();
    return alpha === 255 ? element("rect", { x, y, width, height, fill }) : "";
  });
  // Smoothed edges would leave hairlines between neighbours.
  const style = { class: "cells", "shape-rendering": "crispEdges", ...attributes };
  return element("g", style, cells.join(""));
}

/**
 * Writes each call as one SVG element; only texts can be rotated. Ids begin with `prefix`, so that
 * two files can be in one page; the font `family` is set on the sheet and not repeated at each
 * text.
 */
export class SvgBrush extends PlacedBrush implements Brush {
  /** The code points that were written, by font weight. */
  readonly characters: Characters = { 400: new Set(), 600: new Set() };
  private readonly elements: (string | (() => Promise<string>))[] = [];
  /** The data of the path, in the coordinates of the sheet. */
  private path = "";
  private clips = 0;

  constructor(
    private readonly prefix: string,
    private readonly family: string,
  ) {
    super();
  }

  async markup(): Promise<string> {
    const written: string[] = [];
    for (const markup of this.elements)
      written.push(typeof markup === "string" ? markup : await markup());
    return written.join("\n");
  }

  beginPath(): void {
    this.path = "";
  }

  moveTo(x: number, y: number): void {
    this.draw("M", [x, y]);
  }

  lineTo(x: number, y: number): void {
    this.draw(this.path === "" ? "M" : "L", [x, y]);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.draw("C", [x1, y1], [x2, y2], [x, y]);
  }

  /** Adds an arc of at most a full circle, in halves: SVG omits an arc from a point to itself. */
  arc(x: number, y: number, radius: number, from: number, to: number, backwards = false): void {
    const around = 2 * Math.PI;
    const forwards = backwards ? from - to : to - from;
    const turn = forwards >= around ? around : ((forwards % around) + around) % around;
    const pointAt = (share: number): Point => {
      const angle = from + (backwards ? -share : share) * turn;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    };
    this.lineTo(...pointAt(0));
    const sides = `${short(radius)} ${short(radius)} 0 0 ${backwards ? 0 : 1} `;
    for (const share of [0.5, 1]) this.draw(`A${sides}`, pointAt(share));
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.path += "Z";
  }

  /** Clips further painting to the path, and to earlier clip areas. */
  clip(): void {
    const id = `${this.prefix}-clip-${++this.clips}`;
    const area = element("path", { d: this.path });
    this.elements.push(element("clipPath", { id, ...this.clipped }, area));
    this.clipId = id;
  }

  fill(): void {
    this.add("path", { d: this.path, ...this.filled });
  }

  stroke(): void {
    this.add("path", { d: this.path, fill: "none", ...this.stroked });
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const [left, top] = this.at([x, y]);
    this.add("rect", { x: left, y: top, width, height, ...this.filled });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const [left, top] = this.at([x, y]);
    this.add("rect", { x: left, y: top, width, height, fill: "none", ...this.stroked });
  }

  fillText(text: string, x: number, y: number): void {
    const { size, weight, family } = fontOf(this.font);
    for (const character of text)
      this.characters[weightOf(weight)].add(character.codePointAt(0) ?? 0);
    const { direction, isShifted } = this;
    const [left, down] = isShifted ? this.at([x, y]) : [x, y];
    // SVG names sides by the text's direction, a canvas also by left and right.
    const sides =
      direction === "rtl" ? { left: "end", right: "start" } : { left: "start", right: "end" };
    const anchor = { ...sides, center: "middle", start: "start", end: "end" }[this.textAlign];
    const { cos, sin, dx, dy } = this.place;
    const turn = [cos, sin, -sin, cos].map((part) => Number(part.toFixed(5)));
    const markup = element(
      "text",
      {
        x: left,
        y: down + (this.textBaseline === "middle" ? MIDDLE_DROP * size : 0),
        "font-size": size,
        "font-weight": weight,
        "font-family": family === this.family ? undefined : family,
        direction: direction === "rtl" ? "rtl" : undefined,
        "text-anchor": anchor === "start" ? undefined : anchor,
        transform: isShifted ? undefined : `matrix(${[...turn, short(dx), short(dy)].join(" ")})`,
        ...this.filled,
      },
      // SVG would collapse several spaces, and drop those at either end.
      xml(text.replace(/ (?= )|^ | $/g, "\u00A0")),
    );
    // A clip area on the text itself would rotate with it.
    this.elements.push(this.clipId === "" ? markup : element("g", this.clipped, markup));
  }

  drawImage(image: CanvasImageSource, x: number, y: number, width: number, height: number): void {
    const [left, top] = this.at([x, y]);
    const [right, bottom] = this.at([x + width, y + height]);
    const place = { x: left, y: top, width: right - left, height: bottom - top };
    const opacity = this.globalAlpha === 1 ? undefined : String(this.globalAlpha);
    const attributes = { opacity, ...this.clipped };
    const smooth = this.imageSmoothingEnabled;
    this.elements.push(() => {
      const pixels = imagePixels.get(image);
      if (!pixels)
        throw new TypeError("an image can be written only if its pixels were remembered");
      return cellsMarkup(pixels, place, smooth, attributes);
    });
  }

  private draw(command: string, ...points: readonly Point[]): void {
    this.path += command + points.map((point) => this.at(point).map(short).join(" ")).join(" ");
  }

  private add(name: string, attributes: Attributes): void {
    this.elements.push(element(name, { ...attributes, ...this.clipped }));
  }

  private get filled(): Attributes {
    return paintOf("fill", this.fillStyle, this.globalAlpha);
  }

  private get stroked(): Attributes {
    return {
      ...paintOf("stroke", this.strokeStyle, this.globalAlpha),
      "stroke-width": this.lineWidth,
      "stroke-linejoin": this.lineJoin === "miter" ? undefined : this.lineJoin,
      "stroke-dasharray": this.dash.map(short).join(" ") || undefined,
    };
  }

  private get clipped(): Attributes {
    return { "clip-path": this.clipId === "" ? undefined : `url(#${this.clipId})` };
  }
}

/**
 * Paints `print` as an SVG of its size, or of a width in millimetres. `family` is the font of its
 * labels, `slices` are the font slices that the file contains.
 */
export async function svgFile(
  print: Print,
  words: PictureWords,
  family: string,
  slices: readonly LoadedSlice[],
  millimetres: number | null = null,
): Promise<string> {
  // FNV-1a, so that the ids of two pictures in one page differ.
  let hash = 0x811c9dc5;
  for (let at = 0; at < words.record.length; at++)
    hash = Math.imul(hash ^ words.record.charCodeAt(at), 0x01000193);
  const prefix = `headscope-${(hash >>> 0).toString(36)}`;
  const brush = new SvgBrush(prefix, family);
  print.paint(brush);
  const content = [
    element("title", { id: `${prefix}-title` }, xml(words.title)),
    element("desc", { id: `${prefix}-desc` }, xml(words.description)),
    element("metadata", {}, xml(words.record)),
    ...(slices.length === 0 ? [] : [element("style", {}, fontRules(slices))]),
    await brush.markup(),
  ];
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    width: millimetres === null ? print.width : `${short(millimetres)}mm`,
    height:
      millimetres === null
        ? print.height
        : `${short((millimetres * print.height) / print.width)}mm`,
    viewBox: `0 0 ${print.width} ${print.height}`,
    role: "img",
    "aria-labelledby": `${prefix}-title ${prefix}-desc`,
    "font-family": fileFont(family),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("svg", root, `\n${content.join("\n")}\n`)}\n`;
}

/**
 * Makes a picture that is measured in its own fonts, and loads them. The picture's texts decide
 * which fonts are needed, and the fonts where texts are cut or broken: so the picture is made again
 * until it has no new characters. Null if there is no picture; `lacking` if a font could not be
 * loaded, so that the system's is used.
 */
export async function fonted<T extends Print>(
  make: () => T | null,
  listed = allSlices,
  loading = load,
): Promise<{ print: T; slices: readonly LoadedSlice[]; lacking: boolean } | null> {
  const slices = await listed().catch(() => null);
  const had = new Map<Slice, LoadedSlice | null>();
  for (;;) {
    const print = make();
    if (!print) return null;
    const brush = new SvgBrush("", "");
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
