import { csv } from "../../export/csv.js";
import { provenanceRecord, type Exhibit, type Provenance } from "../../export/exhibit.js";
import { fileName } from "../../export/file-name.js";
import { json } from "../../export/json.js";
import { npy, npyText } from "../../export/npy.js";
import { pngFile } from "../../export/raster.js";
import { fonted } from "../../export/fonts/fonted.js";
import { gather } from "../../export/save.js";
import { PAPER_INKS, sheetOf } from "../../export/sheet.js";
import { svgFile, type PictureWords } from "../../export/svg/document.js";
import type { Print, Inks } from "../../draw/theme.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { message } from "../../i18n/index.js";
import { modelLabel } from "../models.js";
import { lensSummary } from "../parts/lens-words.js";
import { drawnBeside, positionedStack } from "../run/figures.js";
import type { State } from "../../state/index.js";
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
  /** What there is to know of it besides, in a sentence. */
  note?: string;
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
      return {
        name,
        file: new Blob(
          [npy(exhibit.tensor), npyText(JSON.stringify(provenanceRecord(exhibit.provenance)))],
          { type: "application/octet-stream" },
        ),
      };
  }
}

/** A picture, what stands around it on its sheet, and in the file. */
export interface Sheet {
  picture: Print;
  title: string;
  lines: readonly string[];
  provenance: Provenance;
  inks: Inks;
}

/** The inks of a picture's file, given those that it has on the page. */
export function inksOf(paper: Paper, onPage: Inks): Inks {
  // The page's own fonts are named in its inks; in a file that travels the list must hold for other systems, too.
  return paper === "white" ? PAPER_INKS : { ...onPage, font: PAPER_INKS.font };
}

/** What a picture is made of at some moment. */
export interface Sitting<Moment> {
  /** What is on the screen now; null where that is not what the page is about. */
  now: () => Moment | null;
  /** Whether both are the same picture. */
  same: (one: Moment, other: Moment) => boolean;
  /** Picture and words of that moment, so that they belong together; null where it cannot be drawn. */
  sheet: (moment: Moment) => Sheet | null;
}

/** Why there is no file: another picture stands there than the one that was asked for, or there is nothing to draw. */
export type Unsaved = "gone" | "nothing";

/**
 * The picture that is on the screen when it is called, on its sheet, in its own fonts. These may have to be fetched first,
 * and then the sheet is made anew; by then the screen may show another one, which nobody asked for.
 */
export async function sheetFile<Moment>(
  format: PictureFormat,
  { now, same, sheet: sheetAt }: Sitting<Moment>,
): Promise<NamedFile | Unsaved> {
  const maker = message("export.maker", { version: VERSION });
  const asked = now();
  const still = (): Moment | null => {
    const moment = now();
    return asked && moment && same(asked, moment) ? moment : null;
  };
  const ready = await fonted(() => {
    const moment = still();
    const sheet = moment && sheetAt(moment);
    return sheet && { ...sheetOf(sheet.picture, { ...sheet, maker }, sheet.inks, measurer), sheet };
  }, measurer);
  if (!ready) return still() ? "nothing" : "gone";
  const { print, slices, lacking } = ready;
  const { title, lines, provenance, inks } = print.sheet;
  const words: PictureWords = {
    title,
    description: [...lines, maker].join("\n"),
    record: JSON.stringify(provenanceRecord(provenance)),
  };
  const file =
    format === "svg"
      ? new Blob([await svgFile(print, words, inks.font, slices, measurer)], {
          type: "image/svg+xml",
        })
      : await pngFile(print, words, maker);
  return {
    file,
    name: fileName(provenance, format),
    ...(lacking ? { note: message(`export.noFonts.${format}`) } : {}),
  };
}

/** What is on the screen, of which a picture is saved. */
export interface Shown {
  figure: Printable;
  subject: ExportSubject;
}

/** Of two runs, `part` says which of their pictures the figure is. */
export function pictureFile(
  format: PictureFormat,
  now: () => Shown | null,
  paper: Paper,
  part: PairPart,
): Promise<NamedFile | Unsaved> {
  return sheetFile(format, {
    now,
    same: isSamePicture,
    sheet: (shown) => sheetWith(shown, paper, part),
  });
}

/** What of the State decides a picture, beside the run, the head and how it is looked at. */
const PICTURED = [
  "picture",
  "stage",
  "region",
  "number",
  "mass",
  "colours",
  "locked",
] as const satisfies readonly (keyof State)[];

function isSamePicture(one: Shown, other: Shown): boolean {
  const [before, after] = [one.subject, other.subject];
  return (
    one.figure === other.figure &&
    before.looked === after.looked &&
    before.compared?.paired === after.compared?.paired &&
    PICTURED.every((key) => before.state[key] === after.state[key])
  );
}

/** What is said where there is no file. */
export function unsavedReport(why: Unsaved): string {
  return message(`export.${why}`);
}

function sheetWith({ figure, subject }: Shown, paper: Paper, part: PairPart): Sheet | null {
  const inks = inksOf(paper, figure.inks);
  const picture = figure.print(inks);
  if (!picture) return null;
  const lines = [
    ...linesOf(subject, part),
    ...(picture.part === undefined ? [] : [message("export.part", { part: picture.part })]),
  ];
  return {
    picture,
    title: titleOf(subject, part),
    lines,
    provenance: pictureProvenance(subject, part),
    inks,
  };
}

/** What is said of a file that was saved. */
export function savedReport(name: string, note?: string): string {
  return [message("export.saved", { name }), ...(note === undefined ? [] : [note])].join(" ");
}

function pictureProvenance(subject: ExportSubject, part: PairPart): Provenance {
  const { state, head, looked, compared } = subject;
  if (compared) return partProvenance(part, subject, compared);
  if (state.picture === "positions")
    return provenanceOf(subject, { quantity: "positions", stack: positionedStack(head.stack) });
  return provenanceOf(subject, {
    quantity: state.picture === "heatmap" ? state.stage : state.picture,
    ...head,
    beside: besideOf(subject),
    view: viewOf(looked),
    part: partShown(subject, { rows: looked.queries.length, columns: looked.keys.length }),
  });
}

/** Only lines are drawn of several heads at once. */
function besideOf({ state, figures }: ExportSubject): number[] {
  return state.picture === "lines" ? drawnBeside(figures) : [];
}

function titleOf(subject: ExportSubject, part: PairPart): string {
  const { state, head, compared } = subject;
  if (compared) return partTitle(part, subject, compared);
  if (state.picture === "positions")
    return message("export.positions", { stack: message(`stack.${positionedStack(head.stack)}`) });
  const what =
    state.picture === "heatmap"
      ? message(`stage.${state.stage}`)
      : message(`export.${state.picture}`);
  const beside = besideOf(subject);
  if (beside.length > 0) {
    const heads = [head.head, ...beside].map((index) => index + 1).join(", ");
    return message("export.titleHeads", {
      stack: message(`stack.${head.stack}`),
      layer: head.layer + 1,
      heads,
      what,
    });
  }
  return message("export.title", {
    stack: message(`stack.${head.stack}`),
    layer: head.layer + 1,
    head: head.head + 1,
    what,
  });
}

function linesOf(subject: ExportSubject, part: PairPart): string[] {
  const { state, looked, compared } = subject;
  if (compared) return partLines(part, subject, compared);
  const view = state.picture === "positions" ? [] : lensSummary(looked);
  return [
    ...(view.length === 0 ? [] : [message("lens.exported", { view: view.join("; ") })]),
    ...runLines(subject),
  ];
}

/** Which run it is, in lines. */
export function runLines({ state, target, editWords }: ExportSubject): string[] {
  return [
    message("model.label", { name: modelLabel(state.model) }),
    message("export.text", { text: state.text }),
    ...(target === null
      ? []
      : [message(state.target === null ? "export.written" : "export.own", { text: target })]),
    ...(editWords.length === 0 ? [] : [message("export.edits", { edits: editWords.join("; ") })]),
  ];
}
