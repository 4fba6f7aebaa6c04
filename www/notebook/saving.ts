/** Files of a figure in a notebook. Nothing is fetched, so texts are in the fonts of the system. */
import type { PairFigure } from "../elements/matrix/pair-figure.js";
import { sceneOf } from "../elements/shared/figure.js";
import { pdfFile } from "../export/pdf.js";
import { pngFile } from "../export/png.js";
import { VERSION } from "../export/provenance.js";
import { PAPER_INKS, sheetOf } from "../export/sheet.js";
import { svgFile } from "../export/svg.js";
import { message, type Locale } from "../i18n/index.js";

export { download } from "../export/download.js";

export const FORMATS = ["svg", "png", "pdf"] as const;
export type Format = (typeof FORMATS)[number];

/** Makes the file of a figure; null where it shows nothing. */
export async function fileOf(
  figure: PairFigure,
  format: Format,
  { title, lines }: { title: string; lines: readonly string[] },
  locale: Locale,
): Promise<Blob | null> {
  const maker = locale.within(() => message("export.maker", { version: VERSION }));
  const scene = sceneOf(figure);
  const picture = locale.within(() => scene(PAPER_INKS));
  if (!picture) return null;
  const sheet = locale.within(() => sheetOf(picture, { title, lines, maker }, PAPER_INKS));
  const print = {
    ...sheet,
    paint: (brush: Parameters<typeof sheet.paint>[0]) => locale.within(() => sheet.paint(brush)),
  };
  const description = [...lines, maker].join("\n");
  const record = JSON.stringify({ headscope: VERSION, title });
  const words = { title, description, record };
  if (format === "png") return pngFile(print, words, maker);
  if (format === "pdf")
    return pdfFile([{ print, millimetres: null }], words, maker, (brush) => brush);
  const svg = await svgFile(print, words, PAPER_INKS.font, []);
  return new Blob([svg], { type: "image/svg+xml" });
}
