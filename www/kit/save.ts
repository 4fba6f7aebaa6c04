// Saving of figures as files on the user's disk.
import { html, type TemplateResult } from "lit";
import type { Inks, Print } from "../draw/theme.js";
import type { Scene } from "../elements/shared/figure.js";
import { download, gather } from "../export/download.js";
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
import { PAPER_INKS, sheetOf } from "../export/sheet.js";
import { fonted, svgFile } from "../export/svg.js";
import { currentLocale, type Locale, message } from "../i18n/index.js";
import { renderDetails } from "../elements/shared/templates.js";
import { describeFailure } from "../session/run/failures.js";

export const PICTURE_FORMATS = ["svg", "png"] as const;
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

/** Passes each figure to the browser's downloads in the same format, and reports the outcome. */
export async function save(
  snapshots: readonly Snapshot[] | Promise<readonly Snapshot[]>,
  format: Format,
  paper: Paper = "white",
): Promise<Outcome> {
  const locale = currentLocale();
  try {
    const made = (await snapshots).map((snapshot) =>
      format === "svg" || format === "png"
        ? pictureFile(snapshot, format, paper, locale)
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

async function pictureFile(
  { title = "", lines = [], provenance, scene, inks: onPage }: Snapshot,
  format: (typeof PICTURE_FORMATS)[number],
  paper: Paper,
  locale: Locale,
): Promise<NamedFile | null> {
  const maker = locale.within(() => message("export.maker", { version: VERSION }));
  // The page's own fonts are named in its inks; in a file that travels the list must hold for other
  // systems, too.
  const inks = paper === "screen" && onPage ? { ...onPage, font: PAPER_INKS.font } : PAPER_INKS;
  const lay = (): (Print & { lines: readonly string[] }) | null => {
    const picture = scene?.(inks);
    if (!picture) return null;
    const parts = picture.part?.split("\n") ?? [];
    const all = [...lines, ...parts.map((part) => message("export.part", { part }))];
    const sheet = sheetOf(picture, { title, lines: all, maker }, inks);
    return { ...sheet, lines: all, paint: (brush) => locale.within(() => sheet.paint(brush)) };
  };
  const ready = await fonted(() => locale.within(lay));
  if (!ready) return null;
  const { print, slices, lacking } = ready;
  const description = [...print.lines, maker].join("\n");
  const words = { title, description, record: JSON.stringify(provenanceRecord(provenance)) };
  const file =
    format === "png"
      ? await pngFile(print, words, maker)
      : new Blob([await svgFile(print, words, inks.font, slices)], {
          type: "image/svg+xml",
        });
  const note = lacking ? { note: locale.within(() => message(`export.noFonts.${format}`)) } : {};
  return { file, name: fileName(provenance, format), ...note };
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
