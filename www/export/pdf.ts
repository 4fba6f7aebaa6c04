/**
 * PDF files (ISO 32000-1): a drawing context that writes the operators of a page, so that the
 * page's painters draw to PDF as they do to the screen. Text comes as outlines (`outlines.ts`);
 * what has none is painted as a picture of 600 dots to the inch or more.
 */
import { color } from "d3-color";
import { imagePixels } from "../draw/matrix.js";
import type { Brush, Print } from "../draw/theme.js";
import { MIDDLE_DROP, PlacedBrush, type Point } from "./placed-brush.js";
import { fontOf } from "./fonts.js";
import type { PictureWords } from "./sheet.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** The points of a pixel of CSS, at 96 pixels and 72 points to the inch. */
const POINTS = 72 / 96;
/** The share of a radius at which the controls of a quarter circle lie. */
const QUARTER = 0.5523;
/** The most rectangles of a page that opens fast. */
const MOST_RECTANGLES = 10_000;
/** The pixels of a cell in an image: a program that smooths images shows cells all the same. */
const CELL_PIXELS = 8;
const MOST_PIXELS = 4_000_000;
/** The pixels of a picture of text for each pixel of the page. */
const TEXT_SCALE = 8;

const short = (value: number): string => String(Number(value.toFixed(3)) + 0);

interface Image {
  width: number;
  height: number;
  rgb: Bytes;
  alpha: Bytes | null;
}

/** Writes each call as operators of a page's content, with y downwards as on a canvas. */
export class PdfBrush extends PlacedBrush implements Brush {
  readonly operators: string[] = [];
  readonly images: Image[] = [];
  /** The opacities that the page uses, by their names. */
  readonly opacities = new Map<string, number>();
  private path: string[] = [];

  override save(): void {
    super.save();
    this.operators.push("q");
  }

  override restore(): void {
    super.restore();
    this.operators.push("Q");
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.add("m", [x, y]);
  }

  lineTo(x: number, y: number): void {
    this.add(this.path.length === 0 ? "m" : "l", [x, y]);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.add("c", [x1, y1], [x2, y2], [x, y]);
  }

  /** Adds an arc of at most a full circle, in curves of at most a quarter. */
  arc(x: number, y: number, radius: number, from: number, to: number, backwards = false): void {
    const around = 2 * Math.PI;
    const forwards = backwards ? from - to : to - from;
    const turn = forwards >= around ? around : ((forwards % around) + around) % around;
    const pieces = Math.max(1, Math.ceil(turn / (Math.PI / 2) - 1e-9));
    const step = ((backwards ? -1 : 1) * turn) / pieces;
    const reach = radius * QUARTER * (step / (Math.PI / 2));
    const pointAt = (angle: number): Point => [
      x + radius * Math.cos(angle),
      y + radius * Math.sin(angle),
    ];
    this.lineTo(...pointAt(from));
    for (let piece = 0; piece < pieces; piece++) {
      const start = from + piece * step;
      const [ax, ay] = pointAt(start);
      const [bx, by] = pointAt(start + step);
      this.add(
        "c",
        [ax - reach * Math.sin(start), ay + reach * Math.cos(start)],
        [bx + reach * Math.sin(start + step), by - reach * Math.cos(start + step)],
        [bx, by],
      );
    }
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.add("l", [x + width, y]);
    this.add("l", [x + width, y + height]);
    this.add("l", [x, y + height]);
    this.path.push("h");
  }

  /** Clips further painting to the path, until the state before is restored. */
  clip(): void {
    this.operators.push(...this.path, "W n");
  }

  fill(): void {
    this.paint("f", this.fillStyle);
  }

  stroke(): void {
    this.paint("S", this.strokeStyle);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.inPath(() => {
      this.rect(x, y, width, height);
      this.fill();
    });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.inPath(() => {
      this.rect(x, y, width, height);
      this.stroke();
    });
  }

  /** Paints a text that has no outlines, in the fonts of the system, as a picture. */
  fillText(text: string, x: number, y: number): void {
    const { size } = fontOf(this.font);
    const canvas = new OffscreenCanvas(1, 1);
    const measured = canvas.getContext("2d");
    if (!measured) throw new TypeError("this browser gave no canvas to draw on");
    measured.font = this.font;
    const wide = measured.measureText(text).width;
    const width = Math.max(1, Math.ceil((wide + size) * TEXT_SCALE));
    const height = Math.ceil(2 * size * TEXT_SCALE);
    canvas.width = width;
    canvas.height = height;
    const brush = canvas.getContext("2d") ?? measured;
    brush.scale(TEXT_SCALE, TEXT_SCALE);
    brush.font = this.font;
    brush.fillStyle = this.fillStyle;
    brush.direction = this.direction;
    brush.fillText(text, size / 2, 1.4 * size);
    const { data } = brush.getImageData(0, 0, width, height);
    // Programs that shrink an image mix the colours of transparent pixels in.
    const ink = typeof this.fillStyle === "string" ? this.fillStyle : "black";
    const { r = 0, g = 0, b = 0 } = color(ink)?.rgb() ?? {};
    for (let at = 0; at < data.length; at += 4) data.set([r, g, b], at);
    const shift = { center: wide / 2, right: wide, end: wide }[this.textAlign as string] ?? 0;
    const base = y + (this.textBaseline === "middle" ? MIDDLE_DROP * size : 0);
    this.placeImage(
      data,
      width,
      height,
      x - shift - size / 2,
      base - 1.4 * size,
      width / TEXT_SCALE,
      height / TEXT_SCALE,
    );
  }

  drawImage(image: CanvasImageSource, x: number, y: number, width: number, height: number): void {
    const pixels = imagePixels.get(image);
    if (!pixels) throw new TypeError("an image can be written only if its pixels were remembered");
    const { data, columns, rows, amongMany = false } = pixels;
    if (columns * rows > MOST_RECTANGLES || amongMany || this.imageSmoothingEnabled) {
      const times = this.imageSmoothingEnabled
        ? 1
        : Math.max(1, Math.min(CELL_PIXELS, Math.floor(Math.sqrt(MOST_PIXELS / (columns * rows)))));
      const large = enlarged(data, columns, rows, times);
      this.placeImage(large, columns * times, rows * times, x, y, width, height);
      return;
    }
    const { fillStyle } = this;
    for (let at = 0; at < columns * rows; at++) {
      const [red = 0, green = 0, blue = 0, alpha] = data.subarray(4 * at, 4 * at + 4);
      if (alpha !== 255) continue;
      this.fillStyle = `rgb(${red},${green},${blue})`;
      const left = x + ((at % columns) * width) / columns;
      const top = y + (Math.floor(at / columns) * height) / rows;
      this.fillRect(left, top, width / columns, height / rows);
    }
    this.fillStyle = fillStyle;
  }

  private placeImage(
    data: Uint8ClampedArray,
    columns: number,
    rows: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    const { cos, sin } = this.place;
    const [left, bottom] = this.at([x, y + height]);
    // An image fills the unit square, whose y points up.
    const matrix = [cos * width, sin * width, sin * height, -cos * height, left, bottom].map(short);
    this.operators.push("q", ...this.opacity(this.globalAlpha));
    this.operators.push(`${matrix.join(" ")} cm /I${this.images.length} Do`, "Q");
    this.images.push(imageOf(data, columns, rows));
  }

  private inPath(act: () => void): void {
    const { path } = this;
    this.path = [];
    act();
    this.path = path;
  }

  private add(operator: string, ...points: readonly Point[]): void {
    const numbers = points.flatMap((point) => this.at(point).map(short));
    this.path.push(`${numbers.join(" ")} ${operator}`);
  }

  private paint(operator: "f" | "S", style: unknown): void {
    if (this.path.length === 0) return;
    const known = color(typeof style === "string" ? style : "black")?.rgb();
    const channels = known ? [known.r, known.g, known.b] : [0, 0, 0];
    const rgb = channels.map((channel) => short(channel / 255)).join(" ");
    const opacity = this.opacity((known?.opacity ?? 1) * this.globalAlpha);
    const join = this.lineJoin === "round" ? 1 : this.lineJoin === "bevel" ? 2 : 0;
    const line = `${short(this.lineWidth)} w ${join} j [${this.dash.map(short).join(" ")}] 0 d`;
    this.operators.push(...opacity, `${rgb} ${operator === "f" ? "rg" : `RG ${line}`}`);
    this.operators.push(...this.path, operator);
  }

  private opacity(alpha: number): string[] {
    const name = `A${Math.round(alpha * 1000)}`;
    this.opacities.set(name, alpha);
    return [`/${name} gs`];
  }
}

function enlarged(
  data: Uint8ClampedArray,
  columns: number,
  rows: number,
  times: number,
): Uint8ClampedArray {
  if (times === 1) return data;
  const from = new Uint32Array(data.slice().buffer);
  const large = new Uint32Array(columns * rows * times * times);
  for (let row = 0; row < rows * times; row++)
    for (let column = 0; column < columns * times; column++)
      large[row * columns * times + column] =
        from[Math.floor(row / times) * columns + Math.floor(column / times)] ?? 0;
  return new Uint8ClampedArray(large.buffer);
}

function imageOf(data: Uint8ClampedArray, width: number, height: number): Image {
  const colours = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let at = 0; at < width * height; at++) {
    colours.set(data.subarray(4 * at, 4 * at + 3), 3 * at);
    alpha[at] = data[4 * at + 3] ?? 255;
  }
  return {
    width,
    height,
    rgb: colours,
    alpha: alpha.every((value) => value === 255) ? null : alpha,
  };
}

const ascii = (text: string): Bytes => new TextEncoder().encode(text);

const hexadecimal = (code: number): string => code.toString(16).padStart(4, "0");

/** A text in UTF-16 with a byte order mark, in hexadecimal digits. */
const textString = (text: string): string => {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `<FEFF${codes.map(hexadecimal).join("")}>`;
};

async function deflated(bytes: Bytes): Promise<Bytes> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** The objects of a file, numbered from 1. */
class Objects {
  readonly all: Bytes[] = [];

  /** Adds an object, or the content of one that was reserved; returns its number. */
  add(text: string, at = this.reserve()): number {
    this.all[at - 1] = ascii(text);
    return at;
  }

  reserve(): number {
    return this.all.push(new Uint8Array());
  }

  async stream(fields: string, content: Bytes): Promise<number> {
    const packed = await deflated(content);
    const head = `<< ${fields} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
    return this.all.push(joined([ascii(head), packed, ascii("\nendstream")]));
  }
}

function joined(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function imageObject(objects: Objects, image: Image): Promise<number> {
  const { width, height, rgb, alpha } = image;
  const size = `/Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  const mask = alpha && (await objects.stream(`${size} /ColorSpace /DeviceGray`, alpha));
  const masked = mask === null ? "" : ` /SMask ${mask} 0 R`;
  return objects.stream(`/Type /XObject ${size} /ColorSpace /DeviceRGB${masked}`, rgb);
}

/** One page, painted by `prepared` on a brush; returns the number of its object. */
async function pageObject(
  objects: Objects,
  pages: number,
  { print, millimetres }: Page,
  prepared: (brush: Brush) => Brush,
): Promise<number> {
  const brush = new PdfBrush();
  print.paint(prepared(brush));
  const scale =
    millimetres === null ? POINTS : ((millimetres / 25.4) * 72) / Math.max(1, print.width);
  const [width, height] = [print.width * scale, print.height * scale].map(short);
  const upright = `${scale.toFixed(6)} 0 0 ${(-scale).toFixed(6)} 0 ${height} cm`;
  const contents = await objects.stream("", ascii([upright, ...brush.operators].join("\n")));
  const images: string[] = [];
  for (const [at, image] of brush.images.entries())
    images.push(`/I${at} ${await imageObject(objects, image)} 0 R`);
  const opacities = [...brush.opacities].map(
    ([name, alpha]) => `/${name} << /ca ${short(alpha)} /CA ${short(alpha)} >>`,
  );
  const states = `/ExtGState << ${opacities.join(" ")} >>`;
  const resources = `/Resources << ${states} /XObject << ${images.join(" ")} >> >>`;
  const box = `/MediaBox [0 0 ${width} ${height}]`;
  return objects.add(
    `<< /Type /Page /Parent ${pages} 0 R ${box} ${resources} /Contents ${contents} 0 R >>`,
  );
}

interface Page {
  print: Print;
  /** The width of the page; null for that of the picture on the screen. */
  millimetres: number | null;
}

/** A file of a page for each picture; `prepared` gives the brush that paints on the page's own. */
export async function pdfFile(
  pages: readonly Page[],
  { title, description, record }: PictureWords,
  maker: string,
  prepared: (brush: Brush) => Brush,
): Promise<Blob> {
  const objects = new Objects();
  const tree = objects.reserve();
  const kids: string[] = [];
  for (const page of pages) kids.push(`${await pageObject(objects, tree, page, prepared)} 0 R`);
  objects.add(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`, tree);
  const catalog = objects.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`);
  const words = { Title: title, Subject: description, Keywords: record, Creator: maker };
  const written = Object.entries(words).map(([name, text]) => `/${name} ${textString(text)}`);
  const info = objects.add(`<< ${written.join(" ")} >>`);

  return new Blob([fileOf(objects.all, catalog, info)], { type: "application/pdf" });
}

/** The file of some objects: a header, the objects, and where each of them begins. */
function fileOf(objects: readonly Bytes[], root: number, info: number): Bytes {
  // Bytes above 127 say that the file is not a text.
  const parts: Uint8Array[] = [ascii("%PDF-1.4\n"), Uint8Array.of(37, 226, 227, 207, 211, 10)];
  let at = parts.reduce((length, part) => length + part.length, 0);
  const places = objects.map((content, index) => {
    const whole = joined([ascii(`${index + 1} 0 obj\n`), content, ascii("\nendobj\n")]);
    const place = `${String(at).padStart(10, "0")} 00000 n \n`;
    parts.push(whole);
    at += whole.length;
    return place;
  });
  const table = [
    "xref",
    `0 ${places.length + 1}`,
    `0000000000 65535 f \n${places.join("")}trailer`,
  ];
  const trailer = `<< /Size ${places.length + 1} /Root ${root} 0 R /Info ${info} 0 R >>`;
  parts.push(ascii([...table, trailer, "startxref", String(at), "%%EOF", ""].join("\n")));
  return joined(parts);
}
