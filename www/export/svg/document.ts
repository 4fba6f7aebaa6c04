// A whole SVG file: what was painted, and what the file says of itself.
import type { Print, TextMeasure } from "../../draw/theme.js";
import type { LoadedSlice } from "../fonts/load.js";
import { fontRules } from "../fonts/rules.js";
import { fileFont } from "../fonts/slice.js";
import { SvgBrush } from "./brush.js";
import { element, escaped } from "./markup.js";

/** What a picture says of itself to who cannot see it, or to who finds the file later. */
export interface PictureWords {
  title: string;
  description: string;
  /** Where it comes from, as JSON. */
  record: string;
}

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
