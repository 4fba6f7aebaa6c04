// PNG (https://www.w3.org/TR/png-3/): files from pixels, with texts about their contents.
import type { Print } from "../draw/theme.js";
import type { PictureWords } from "./sheet.js";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** The bytes of the signature and of the chunk IHDR, which comes first. */
const HEADER_BYTES = SIGNATURE.length + 25;
const RGBA = 6;
const CHANNELS = 4;
/** The pixels of a metre in CSS, at 96 pixels to the inch. */
const PIXELS_PER_METRE = 96 / 0.0254;
const PER_METRE = 1;
const MOST_SCALE = 3;
/** The largest canvas of all browsers, in pixels, and the longest side. */
const MOST_PIXELS = 4096 * 4096;
const LONGEST_SIDE = 32_767;

type Bytes = Uint8Array<ArrayBuffer>;

function crc32(bytes: Bytes): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  }
  return ~sum;
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

const number32 = (value: number): Bytes =>
  Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function chunk(type: string, ...content: readonly Uint8Array[]): Bytes {
  const named = joined(utf8(type), ...content);
  return joined(number32(named.length - 4), named, number32(crc32(named)));
}

/** Adds texts to a PNG, and its pixels per metre, so that it prints at its size. */
export function describePng(
  png: Bytes,
  texts: Readonly<Record<string, string>>,
  perMetre: number,
): Bytes {
  const density = number32(Math.round(perMetre));
  return joined(
    png.subarray(0, HEADER_BYTES),
    chunk("pHYs", density, density, Uint8Array.of(PER_METRE)),
    ...Object.entries(texts).map(([keyword, text]) =>
      // Not compressed, no language, no translated keyword.
      chunk("iTXt", utf8(keyword), new Uint8Array(5), utf8(text.replaceAll("\0", ""))),
    ),
    png.subarray(HEADER_BYTES),
  );
}

export async function encodePng(
  pixels: Uint8ClampedArray,
  columns: number,
  rows: number,
): Promise<Bytes> {
  const width = columns * CHANNELS;
  const lines = new Uint8Array(rows * (width + 1));
  // Each line begins with its filter type: 0, none.
  for (let row = 0; row < rows; row++)
    lines.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const packed = new Blob([lines]).stream().pipeThrough(new CompressionStream("deflate"));
  return joined(
    SIGNATURE,
    chunk("IHDR", number32(columns), number32(rows), Uint8Array.of(8, RGBA, 0, 0, 0)),
    chunk("IDAT", new Uint8Array(await new Response(packed).arrayBuffer())),
    chunk("IEND"),
  );
}

/**
 * The scale of a picture's canvas in pixels per pixel of the page: a whole number, or less than one
 * for a picture that is too large.
 */
export function scaleOf(print: Pick<Print, "width" | "height">): number {
  const most = Math.min(MOST_SCALE, largestScale(print));
  return most >= 1 ? Math.floor(most) : most;
}

/** The largest scale of a picture that every browser has a canvas for. */
function largestScale({ width, height }: Pick<Print, "width" | "height">): number {
  return Math.min(
    Math.sqrt(MOST_PIXELS / (width * height)),
    LONGEST_SIDE / Math.max(width, height),
  );
}

/** The dots to the inch of a picture of a given width: what publishers ask of line art. */
const PRINT_DENSITY = 600;

/** The pixels of a picture at a scale, as a PNG without words, and their number in a row. */
export async function drawnPng(
  print: Print,
  scale: number,
): Promise<{ png: Bytes; width: number }> {
  const [width = 0, height = 0] = [print.width, print.height].map((side) =>
    Math.floor(side * scale),
  );
  const canvas = new OffscreenCanvas(width, height);
  const brush = canvas.getContext("2d");
  if (!brush) throw new TypeError("this browser gave no canvas to draw on");
  brush.scale(scale, scale);
  print.paint(brush);
  const drawn = await canvas.convertToBlob({ type: "image/png" });
  return { png: new Uint8Array(await drawn.arrayBuffer()), width };
}

/** A picture of its own size, or of a width in millimetres. */
export async function pngFile(
  print: Print,
  words: PictureWords,
  maker: string,
  millimetres: number | null = null,
): Promise<Blob> {
  const dots = millimetres === null ? null : (millimetres / 25.4) * PRINT_DENSITY;
  const scale = dots === null ? scaleOf(print) : Math.min(dots / print.width, largestScale(print));
  const { png: drawn, width } = await drawnPng(print, scale);
  const { title: Title, description: Description, record: Comment } = words;
  const texts = { Title, Description, Software: maker, Comment };
  const perMetre = millimetres === null ? PIXELS_PER_METRE * scale : (width / millimetres) * 1000;
  return new Blob([describePng(drawn, texts, perMetre)], { type: "image/png" });
}
