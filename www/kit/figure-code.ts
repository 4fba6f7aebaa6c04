/**
 * The HTML of figures with their numbers, which needs neither a model nor an engine, and in each a
 * static picture with words for readers, feeds and print.
 */
import { escaped } from "../draw/text.js";
import type { Print } from "../draw/theme.js";
import { figureJson, type SavedFigure } from "../export/figure-file.js";
import { PAPER_INKS } from "../export/sheet.js";
import { svgFile } from "../export/svg.js";

/** The most characters of numbers in a page; more are a file of their own. */
const MOST_WRITTEN = 64 * 1024;
/** The most characters of a picture in a page. */
const MOST_DRAWN = 64 * 1024;

export interface FigureCode {
  html: string;
  /** The files beside the page that the code names. */
  files: readonly { name: string; text: string }[];
}

/** The code of figures, with the script of the site at `home`. */
export async function codeOf(figures: readonly SavedFigure[], home: string): Promise<FigureCode> {
  const files: { name: string; text: string }[] = [];
  const elements: string[] = [];
  for (const [at, figure] of figures.entries()) {
    const text = [...figureJson(figure)].join("");
    const isLong = text.length > MOST_WRITTEN;
    const name = figures.length === 1 ? "figure.json" : `figure-${at + 1}.json`;
    if (isLong) files.push({ name, text });
    const tag = `headscope-${figure.figure}`;
    // Only a sign inside a string can begin a tag.
    const json = text.trim().replaceAll("<", "\\u003c");
    const numbers = isLong ? "" : `\n<script type="application/json">${json}</script>`;
    const src = isLong ? ` src="${name}"` : "";
    elements.push(`<${tag}${src} caption>${numbers}\n${await pictureOf(figure)}\n</${tag}>\n`);
  }
  const script = escaped(new URL("embed.js", home).href);
  return { html: `<script type="module" src="${script}"></script>\n${elements.join("")}`, files };
}

/** A figure as an SVG with its name, or its name alone where it has no such picture. */
async function pictureOf({ figure, about, properties }: SavedFigure): Promise<string> {
  const element = document.createElement(`headscope-${figure}`) as HTMLElement & Painted;
  Object.assign(element, properties);
  // Out of sight: an element knows its labels only once it was rendered.
  element.hidden = true;
  document.body.append(element);
  try {
    await element.updateComplete;
    const print = element.print?.(PAPER_INKS) ?? null;
    const svg = print && (await svgFile(print, wordsOf(about), PAPER_INKS.font, []));
    const inline = svg
      ?.replace(/^<\?xml[^>]*>\s*/, "")
      .replace(/<metadata>[^]*<\/metadata>\s*/, "");
    return inline !== undefined && inline.length <= MOST_DRAWN ? inline.trim() : escaped(about);
  } finally {
    element.remove();
  }
}

interface Painted {
  updateComplete?: Promise<unknown>;
  print?: (inks: typeof PAPER_INKS) => Print | null;
}

const wordsOf = (about: string): { title: string; description: string; record: string } => ({
  title: about,
  description: about,
  record: about,
});
