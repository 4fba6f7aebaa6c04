// Figures of the bench as files, with what they are of.
import type { HeadRef } from "../../../data/index.js";
import { tableCsv } from "../../../export/csv.js";
import type { Provenance } from "../../../export/exhibit.js";
import { fileName } from "../../../export/file-name.js";
import { rowOf, type NamedPrint } from "../../../export/row.js";
import { gather } from "../../../export/save.js";
import { PAPER_INKS } from "../../../export/sheet.js";
import { message } from "../../../i18n/index.js";
import { measurer } from "../../../elements/matrix/canvas.js";
import {
  exhibitFile,
  runLines,
  sheetFile,
  type NamedFile,
  type NumberFormat,
  type PictureFormat,
  type Sheet,
  type Unsaved,
} from "../../export/files.js";
import { folderName, provenanceOf, VERSION, type ExportSubject } from "../../export/subject.js";
import { modelLabel } from "../../models.js";
import { contentOf, isSameContent, type FigureContent } from "./figure-content.js";
import {
  isTensor,
  numbersOf,
  partOf,
  printOf,
  type BenchFigure,
  type FigureTable,
} from "./figure-numbers.js";

/** What is saved, and what it is of. */
export interface Saved {
  /** What it is called in the names of files. */
  name: string;
  title: string;
  /** What else decides it, such as what was chosen beside it. */
  details: readonly string[];
  /** Which part of the run it is of; `model` where that is of no account, `lab` where no model is needed either. */
  of: Partial<HeadRef> | "model" | "lab";
  /** What the page is about; of no account where no model is needed. */
  subject: ExportSubject | null;
}

/** Each with what is said above it, where there are several. */
export type NamedFigure = [title: string, figure: BenchFigure];

/** Figures, what they show and what they are of, at one moment. */
interface Seen {
  figures: readonly NamedFigure[];
  content: readonly FigureContent[];
  saved: Saved;
}

/** All of them as one picture, side by side. `figures` and `asked` say what is there, and what it is of, at that moment. */
export function figurePicture(
  format: PictureFormat,
  figures: () => readonly NamedFigure[],
  asked: () => Saved | null,
): Promise<NamedFile | Unsaved> {
  const now = (): Seen | null => {
    const saved = asked();
    const named = figures();
    return saved && { figures: named, content: named.map(contentOf), saved };
  };
  return sheetFile(format, {
    now,
    same: isSame,
    sheet: ({ figures: named, saved }) => sheetWith(named, saved),
  });
}

function isSame(one: Seen, other: Seen): boolean {
  const words = ({ saved: { name, title, details, of } }: Seen): string =>
    JSON.stringify([name, title, details, of]);
  if (words(one) !== words(other) || !isOfSame(one.saved, other.saved)) return false;
  return (
    one.content.length === other.content.length &&
    one.content.every((content, at) => isSameContent(content, other.content[at]))
  );
}

/** Whether what they are of is the same, as far as that is of any account. */
function isOfSame({ of, subject: one }: Saved, { subject: other }: Saved): boolean {
  if (of === "lab") return true;
  return of === "model" ? one?.state.model === other?.state.model : one?.run === other?.run;
}

function sheetWith(figures: readonly NamedFigure[], saved: Saved): Sheet | null {
  const prints = figures.flatMap(([name, figure]): NamedPrint[] => {
    const print = printOf(figure, PAPER_INKS);
    return print ? [{ name, print }] : [];
  });
  const [first, ...others] = prints;
  if (!first) return null;
  const picture = others.length === 0 ? first.print : rowOf(prints, PAPER_INKS, measurer);
  const parts = [
    ...new Set(
      prints.flatMap(({ print }) =>
        print.part === undefined ? [] : [message("export.part", { part: print.part })],
      ),
    ),
  ];
  const provenance = {
    ...provenanceFor(saved, ""),
    part: partOf(figures.map(([, figure]) => figure)),
  };
  return {
    picture,
    title: saved.title,
    lines: [...saved.details, ...parts, ...linesFor(saved)],
    provenance,
    inks: PAPER_INKS,
  };
}

/** The numbers of each of them. */
export async function figureNumbers(
  format: NumberFormat,
  figures: readonly NamedFigure[],
  saved: Saved,
): Promise<NamedFile[]> {
  const files = figures.map(async ([title, figure]) => {
    const numbers = numbersOf(figure);
    if (!numbers) return [];
    const provenance = provenanceFor(saved, figures.length > 1 ? title : "");
    if (isTensor(numbers)) return [await exhibitFile(format, { ...numbers, provenance })];
    return [await tableFile(numbers, provenance)];
  });
  return (await Promise.all(files)).flat();
}

export function savedTable(table: FigureTable, saved: Saved): Promise<NamedFile> {
  return tableFile(table, provenanceFor(saved, ""));
}

async function tableFile(
  { columns, rows }: FigureTable,
  provenance: Provenance,
): Promise<NamedFile> {
  return {
    file: await gather(tableCsv(columns, rows, provenance), "text/csv"),
    name: fileName(provenance, "csv"),
  };
}

/** What it is of, in words. */
function linesFor({ of, subject }: Saved): string[] {
  if (of === "lab" || !subject) return [];
  return of === "model"
    ? [message("model.label", { name: modelLabel(subject.state.model) })]
    : runLines(subject);
}

function provenanceFor({ name, of, subject }: Saved, part: string): Provenance {
  const quantity = part === "" ? name : `${name} ${part}`;
  if (of === "lab" || !subject) return { ...NO_MODEL, quantity };
  if (of === "model") return { ...NO_MODEL, quantity, model: folderName(subject.state.model) };
  // It is of the first of two runs alone.
  return provenanceOf({ ...subject, compared: null }, { quantity, ...of });
}

/** Of what is drawn or brought, and no model's. */
const NO_MODEL: Omit<Provenance, "quantity"> = {
  model: "",
  text: "",
  target: null,
  hidden: [],
  stack: null,
  layer: null,
  head: null,
  edits: {},
  beside: [],
  hiddenStates: null,
  view: null,
  part: null,
  compared: null,
  aligned: null,
  link: null,
  version: VERSION,
};
