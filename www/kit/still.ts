/**
 * The picture that stands inside the code of a figure, for readers without JavaScript, feeds and
 * print: an SVG with its words, or a PNG where the SVG would be large.
 */
import { escaped } from "../draw/text.js";
import type { Print } from "../draw/theme.js";
import { base64 } from "../export/fonts.js";
import { drawnPng } from "../export/png.js";
import { PAPER_INKS, type PictureWords } from "../export/sheet.js";
import { svgFile } from "../export/svg.js";
import type { Still } from "../session/session.js";

/** The most characters of a picture in a page. */
const MOST_DRAWN = 64 * 1024;
/** The scales of a PNG, in pixels per pixel of the picture; the first that fits is taken. */
const SCALES = [2, 1, 0.5, 0.25];

/** The HTML of a picture that is named by its words; null where there is none, or none fits. */
export async function stillHtml({ title = "", lines = [], scene }: Still): Promise<string | null> {
  const print = scene?.(PAPER_INKS) ?? null;
  if (!print) return null;
  const description = lines.join(" · ");
  const words = { title, description, record: `${title} · ${description}` };
  const svg = inPage(await svgFile(print, words, PAPER_INKS.font, []));
  return svg.length <= MOST_DRAWN ? svg : imageOf(print, words).catch(() => null);
}

/** An SVG file as a part of a page, whose policy may forbid styles in attributes. */
function inPage(file: string): string {
  return file
    .replace(/^<\?xml[^>]*>\s*/, "")
    .replace(/<metadata>[^]*<\/metadata>\s*/, "")
    .replaceAll(/ image-rendering="optimizeSpeed"( style="image-rendering:pixelated")/g, "$1")
    .replaceAll(' style="image-rendering:pixelated"', ' image-rendering="pixelated"')
    .trim();
}

async function imageOf(print: Print, words: PictureWords): Promise<string | null> {
  for (const scale of SCALES) {
    const { png } = await drawnPng(print, scale);
    const data = base64(png);
    const [width, height] = [print.width, print.height].map(Math.round);
    const size = `width="${width}" height="${height}"`;
    const source = `src="data:image/png;base64,${data}"`;
    if (data.length <= MOST_DRAWN) return `<img alt="${escaped(words.record)}" ${size} ${source}>`;
  }
  return null;
}
