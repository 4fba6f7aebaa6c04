import { csv } from "../../export/csv.js";
import { provenanceRecord, type Exhibit, type Provenance } from "../../export/exhibit.js";
import { fileName } from "../../export/file-name.js";
import { json } from "../../export/json.js";
import { npy } from "../../export/npy.js";
import { pngFile } from "../../export/raster.js";
import { gather } from "../../export/save.js";
import { PAPER_INKS, sheetOf } from "../../export/sheet.js";
import { svgFile, type PictureWords } from "../../export/svg/document.js";
import type { Print } from "../../draw/print.js";
import type { Inks } from "../../draw/theme.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { message } from "../../i18n/index.js";
import { modelLabel } from "../models.js";
import { lensSummary } from "../parts/lens-words.js";
import { drawnBeside, positionedStack } from "../run/figures.js";
import type { NumbersChoice } from "./choice.js";
import { partShown } from "./part.js";
import { partLines, partProvenance, partTitle, type PairPart } from "./pair-parts.js";
import { provenanceOf, VERSION, viewOf, type ExportSubject } from "./subject.js";

export const PICTURE_FORMATS = ["svg", "png"] as const;
export const NUMBER_FORMATS = ["csv", "json", "npy"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];
export type NumberFormat = (typeof NUMBER_FORMATS)[number];
/** Ink on white, or the colours of the page. */
export const PAPERS = ["white", "screen"] as const;
export type Paper = (typeof PAPERS)[number];

export interface NamedFile {
  file: Blob;
  name: string;
}

/** A figure that can leave the page: every picture of the panel is one. */
export interface Printable {
  readonly inks: Inks;
  print: (inks: Inks) => Print | null;
}

/** What the CSV and the JSON take for one number, on the average. */
const TEXT_BYTES_PER_NUMBER = 13;
const NPY_BYTES_PER_NUMBER = 4;

/** How large a file of so many numbers will be, roughly. */
export function sizeOf(shape: readonly number[]): { table: number; npy: number } {
  const count = shape.reduce((product, size) => product * size, 1);
  return { table: count * TEXT_BYTES_PER_NUMBER, npy: count * NPY_BYTES_PER_NUMBER };
}

export async function numbersFile(format: NumberFormat, choice: NumbersChoice): Promise<NamedFile> {
  return exhibitFile(format, await choice.read());
}

export async function exhibitFile(format: NumberFormat, exhibit: Exhibit): Promise<NamedFile> {
  const name = fileName(exhibit.provenance, format);
  switch (format) {
    case "csv":
      return { name, file: await gather(csv(exhibit), "text/csv") };
    case "json":
      return { name, file: await gather(json(exhibit), "application/json") };
    case "npy":
      return { name, file: new Blob([npy(exhibit.tensor)], { type: "application/octet-stream" }) };
  }
}

/** What stands around a picture on its sheet, and in the file. */
export interface SheetText {
  title: string;
  lines: readonly string[];
  provenance: Provenance;
}

/** The inks of a picture's file, given those that it has on the page. */
export function inksOf(paper: Paper, onPage: Inks): Inks {
  // The page's own fonts are named in its inks; in a file that travels the list must hold for other systems, too.
  return paper === "white" ? PAPER_INKS : { ...onPage, font: PAPER_INKS.font };
}

/** A picture on its sheet. */
export async function sheetFile(format: PictureFormat, picture: Print, { title, lines, provenance }: SheetText, inks: Inks): Promise<NamedFile> {
  const maker = message("export.maker", { version: VERSION });
  const sheet = sheetOf(picture, { title, lines, maker }, inks, measurer);
  const words: PictureWords = { title, description: [...lines, maker].join("\n"), record: JSON.stringify(provenanceRecord(provenance)) };
  const file =
    format === "svg" ? new Blob([await svgFile(sheet, words, inks.font, measurer)], { type: "image/svg+xml" }) : await pngFile(sheet, words, maker);
  return { file, name: fileName(provenance, format) };
}

/** Null when the figure has nothing to show. Of two runs, `part` says which of their pictures the figure is. */
export async function pictureFile(format: PictureFormat, figure: Printable, subject: ExportSubject, paper: Paper, part: PairPart): Promise<NamedFile | null> {
  const inks = inksOf(paper, figure.inks);
  const picture = figure.print(inks);
  if (!picture) return null;
  const lines = [...linesOf(subject, part), ...(picture.part === undefined ? [] : [message("export.part", { part: picture.part })])];
  return sheetFile(format, picture, { title: titleOf(subject, part), lines, provenance: pictureProvenance(subject, part) }, inks);
}

function pictureProvenance(subject: ExportSubject, part: PairPart): Provenance {
  const { state, head, looked, compared } = subject;
  if (compared) return partProvenance(part, subject, compared);
  if (state.picture === "positions") return provenanceOf(subject, { quantity: "positions", stack: positionedStack(head.stack) });
  return provenanceOf(subject, { quantity: state.picture === "heatmap" ? state.stage : state.picture, ...head, beside: besideOf(subject), view: viewOf(looked), part: partShown(subject, { rows: looked.queries.length, columns: looked.keys.length }) });
}

/** Only lines are drawn of several heads at once. */
function besideOf({ state, figures }: ExportSubject): number[] {
  return state.picture === "lines" ? drawnBeside(figures) : [];
}

function titleOf(subject: ExportSubject, part: PairPart): string {
  const { state, head, compared } = subject;
  if (compared) return partTitle(part, subject, compared);
  if (state.picture === "positions") return message("export.positions", { stack: message(`stack.${positionedStack(head.stack)}`) });
  const what = state.picture === "heatmap" ? message(`stage.${state.stage}`) : message(`export.${state.picture}`);
  const beside = besideOf(subject);
  if (beside.length > 0) {
    const heads = [head.head, ...beside].map((index) => index + 1).join(", ");
    return message("export.titleHeads", { stack: message(`stack.${head.stack}`), layer: head.layer + 1, heads, what });
  }
  return message("export.title", { stack: message(`stack.${head.stack}`), layer: head.layer + 1, head: head.head + 1, what });
}

function linesOf(subject: ExportSubject, part: PairPart): string[] {
  const { state, looked, compared } = subject;
  if (compared) return partLines(part, subject, compared);
  const view = state.picture === "positions" ? [] : lensSummary(looked);
  return [...(view.length === 0 ? [] : [message("lens.exported", { view: view.join("; ") })]), ...runLines(subject)];
}

/** Which run it is, in lines. */
export function runLines({ state, target, editWords }: ExportSubject): string[] {
  return [
    message("model.label", { name: modelLabel(state.model) }),
    message("export.text", { text: state.text }),
    ...(target === null ? [] : [message(state.target === null ? "export.written" : "export.own", { text: target })]),
    ...(editWords.length === 0 ? [] : [message("export.edits", { edits: editWords.join("; ") })]),
  ];
}
