/**
 * The HTML of figures with their numbers, which needs neither a model nor an engine, and in each a
 * static picture with words for readers, feeds and print.
 */
import { escaped } from "../draw/text.js";
import { figureJson, type SavedFigure } from "../export/figure-file.js";

/** The most characters of numbers in a page; more are a file of their own. */
const MOST_WRITTEN = 64 * 1024;

export interface FigureCode {
  html: string;
  /** The files beside the page that the code names. */
  files: readonly { name: string; text: string }[];
}

/** The code of figures, with the script of the site at `home` and a picture of all of them. */
export function codeOf(
  figures: readonly SavedFigure[],
  home: string,
  still: string | null,
): FigureCode {
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
    const picture = at === 0 && still !== null ? still : escaped(figure.about);
    const src = isLong ? ` src="${name}"` : "";
    elements.push(`<${tag}${src} caption>${numbers}\n${picture}\n</${tag}>\n`);
  }
  const script = escaped(new URL("embed.js", home).href);
  return { html: `<script type="module" src="${script}"></script>\n${elements.join("")}`, files };
}
