// Saving of figures as files on the user's disk.
import { html, type TemplateResult } from "lit";
import type { Brush, Inks, Print } from "../draw/theme.js";
import type { Scene } from "../elements/shared/figure.js";
import { download } from "../export/download.js";
import { gather } from "../export/gather.js";
import { csv, json, npy, npyText, tableCsv } from "../export/number-files.js";
import { pngFile } from "../export/png.js";
import {
  fileName,
  provenanceRecord,
  VERSION,
  type LabelledTensor,
  type Provenance,
  type Table,
} from "../export/provenance.js";
import type { LoadedSlice } from "../export/fonts.js";
import type { Outlines } from "../export/outlines.js";
import { PAPER_INKS, type PictureWords, sheetOf } from "../export/sheet.js";
import { fonted, svgFile } from "../export/svg.js";
import { currentLocale, formatFixed, type Locale, message } from "../i18n/index.js";
import { renderDetails } from "../elements/shared/templates.js";
import { describeFailure } from "../session/run/failures.js";
import { LAYOUTS, type PictureLayout, pointsOn, sheetLayout } from "./picture-layout.js";

export const PICTURE_FORMATS = ["svg", "png", "pdf"] as const;
export const NUMBER_FORMATS = ["csv", "json", "npy"] as const;
export type Format = (typeof PICTURE_FORMATS)[number] | (typeof NUMBER_FORMATS)[number];
/** The papers: ink on white, or the colours of the page. */
export const PAPERS = ["white", "screen"] as const;
export type Paper = (typeof PAPERS)[number];

/** A figure at the time of the request: later changes of the figure do not affect the file. */
export interface Snapshot {
  title?: string;
  lines?: readonly string[];
  provenance: Provenance;
  scene?: Scene;
  inks?: Inks;
  data?: () => Promise<LabelledTensor | Table>;
}

export interface Outcome {
  saved: boolean;
  report: string | TemplateResult;
}

interface NamedFile {
  file: Blob;
  name: string;
  note?: string;
}

const isPicture = (format: Format): format is (typeof PICTURE_FORMATS)[number] =>
  PICTURE_FORMATS.some((one) => one === format);

/** Passes each figure to the browser's downloads in the same format, and reports the outcome. */
export async function save(
  snapshots: readonly Snapshot[] | Promise<readonly Snapshot[]>,
  format: Format,
  paper: Paper = "white",
  layout: PictureLayout = LAYOUTS.own,
): Promise<Outcome> {
  const locale = currentLocale();
  try {
    const made = (await snapshots).map((snapshot) =>
      isPicture(format)
        ? pictureFiles(snapshot, format, { paper, layout }, locale)
        : numbersFile(snapshot, format),
    );
    const files = (await Promise.all(made)).flatMap((file) => file ?? []);
    for (const { file, name } of files) await download(file, name);
    const [first] = files;
    if (!first) return { saved: false, report: locale.within(() => message("export.nothing")) };
    const name = files.map((one) => one.name).join(", ");
    const report = locale.within(() => message("export.saved", { name }));
    return { saved: true, report: first.note === undefined ? report : `${report} ${first.note}` };
  } catch (thrown) {
    return { saved: false, report: locale.within(() => failedReport(thrown)) };
  }
}

/** A button for each format, labelled with what it saves. */
export function formatButtons(
  formats: readonly Format[],
  what: string,
  act: (format: Format) => unknown,
  look: "boxed" | "" = "",
): TemplateResult[] {
  return formats.map((ending) => {
    const format = ending === "npy" ? ".npy" : ending.toUpperCase();
    return html`<button
      class=${look}
      aria-label=${message("export.save", { what, format })}
      @click=${() => act(ending)}
    >
      ${format}
    </button>`;
  });
}

/** The report of a file that could not be made, with the code of the failure. */
export function failedReport(thrown: unknown): TemplateResult {
  const { sentence, code } = describeFailure(thrown);
  return html`${message("export.failed", { message: sentence })}
  ${renderDetails(html`<code>${code}</code>`)}`;
}

/** The most texts that a report names. */
const MOST_NAMED = 5;

/** A sheet, and the lines under its title. */
type Sheet = Print & { lines: readonly string[] };

/** The files of one figure: one, or in SVG and PNG one for each part. */
async function pictureFiles(
  { title = "", lines = [], provenance, scene, inks: onPage }: Snapshot,
  format: (typeof PICTURE_FORMATS)[number],
  { paper, layout }: { paper: Paper; layout: PictureLayout },
  locale: Locale,
): Promise<NamedFile[]> {
  const maker = locale.within(() => message("export.maker", { version: VERSION }));
  // The page's own fonts are named in its inks; in a file that travels the list must hold for other
  // systems, too.
  const inks = paper === "screen" && onPage ? { ...onPage, font: PAPER_INKS.font } : PAPER_INKS;
  const around = sheetLayout(layout);
  const sheetFor = (picture: Print): Sheet => {
    const parts = picture.part?.split("\n") ?? [];
    const all = [...lines, ...parts.map((part) => message("export.part", { part }))];
    const sheet = sheetOf(picture, { title, lines: all, maker }, inks, around);
    return { ...sheet, lines: all, paint: (brush) => locale.within(() => sheet.paint(brush)) };
  };
  const lay = (): (Print & { sheets: readonly Sheet[] }) | null => {
    const picture = scene?.(inks, around);
    if (!picture) return null;
    const sheets = ((layout.inParts ? picture.parts : null) ?? [picture]).map(sheetFor);
    const paint = (brush: Brush): void => {
      for (const sheet of sheets) sheet.paint(brush);
    };
    return { ...picture, sheets, paint };
  };
  const ready = await fonted(() => locale.within(lay));
  if (!ready) return [];
  const { print, slices, lacking } = ready;
  const { sheets } = print;
  const millimetres = layout.print?.millimetres ?? null;
  const record = JSON.stringify(provenanceRecord(provenance));
  const wordsOf = (sheet: Sheet): PictureWords => {
    return { title, description: [...sheet.lines, maker].join("\n"), record };
  };
  const [first] = sheets;
  const notes = locale.within(() => [
    ...(lacking ? [message(`export.noFonts.${format}`)] : []),
    ...smallNote(layout, Math.max(...sheets.map(({ width }) => width))),
    ...(!layout.inParts && print.parts ? [message("export.crowded")] : []),
  ]);
  const named = (file: Blob, part: number | null = null): NamedFile => ({
    file,
    name: fileName(provenance, part === null ? format : `part-${part + 1}.${format}`),
    ...(notes.length > 0 && { note: notes.join(" ") }),
  });
  if (format === "pdf" && first) {
    const [{ pdfFile }, outlines] = await Promise.all([
      import("../export/pdf.js"),
      outlinesOf(slices),
    ]);
    const pages = sheets.map((sheet) => ({ print: sheet, millimetres }));
    const pdf = await pdfFile(pages, wordsOf(first), maker, (brush) => outlines.on(brush));
    const pictured = [...outlines.plain].slice(0, MOST_NAMED).join(" ");
    if (!lacking && pictured !== "")
      notes.push(locale.within(() => message("export.pictured", { texts: pictured })));
    return [named(pdf)];
  }
  const made = sheets.map(async (sheet, part) => {
    const file =
      format === "png"
        ? await pngFile(sheet, wordsOf(sheet), maker, millimetres)
        : new Blob([await svgOf(sheet, wordsOf(sheet), layout, slices)], { type: "image/svg+xml" });
    return named(file, sheets.length > 1 ? part : null);
  });
  return Promise.all(made);
}

const outlinesOf = async (slices: readonly LoadedSlice[]): Promise<Outlines> =>
  new (await import("../export/outlines.js")).Outlines(slices);

async function svgOf(
  sheet: Sheet,
  words: PictureWords,
  { outlines: asOutlines, print }: PictureLayout,
  slices: readonly LoadedSlice[],
): Promise<string> {
  const width = print?.millimetres ?? null;
  if (!asOutlines) return svgFile(sheet, words, PAPER_INKS.font, slices, width);
  const outlines = await outlinesOf(slices);
  const paint = (brush: Brush): void => sheet.paint(outlines.on(brush));
  const left = slices.filter((slice) => !outlines.has(slice));
  return svgFile({ ...sheet, paint }, words, PAPER_INKS.font, left, width);
}

/** What to say if labels are smaller than was asked for, because the picture has no room. */
function smallNote(layout: PictureLayout, width: number): string[] {
  const points = pointsOn(layout, width);
  if (points === null || !layout.print || points > layout.print.points * 0.95) return [];
  return [message("export.small", { points: formatFixed(points, 1) })];
}

async function numbersFile(
  { provenance, data: read }: Snapshot,
  format: (typeof NUMBER_FORMATS)[number],
): Promise<NamedFile | null> {
  const data = await read?.();
  if (!data) return null;
  const made = (ending: typeof format, file: Blob): NamedFile => ({
    name: fileName(provenance, ending),
    file,
  });
  if (!("tensor" in data)) return made("csv", await gather(tableCsv(data, provenance), "text/csv"));
  if (format === "csv") return made("csv", await gather(csv(data, provenance), "text/csv"));
  if (format === "json")
    return made("json", await gather(json(data, provenance), "application/json"));
  const record = npyText(JSON.stringify(provenanceRecord(provenance)));
  const type = "application/octet-stream";
  return made("npy", new Blob([npy(data.tensor), record], { type }));
}
