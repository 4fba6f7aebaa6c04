// A sheet of paper around a picture: a title above it, provenance below, and the maker.
import { graphemesOf, measurer, writeLabel } from "../draw/text.js";
import {
  labelFont,
  OWN_ROOM,
  Pen,
  type Brush,
  type Inks,
  type Print,
  type PrintRoom,
} from "../draw/theme.js";
import { PAINTED_FONT } from "./fonts.js";

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const ELLIPSIS = "…";

/**
 * The text in lines of at most `mostWidth`, broken by the rules of its language; the rest after
 * `mostLines` is cut and marked.
 */
export function wrapped(
  text: string,
  mostWidth: number,
  mostLines: number,
  measure: (text: string) => number,
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of piecesOf(text.replace(/\s+/g, " ").trim(), mostWidth, measure)) {
    if (line !== "" && measure(line + piece.trimEnd()) > mostWidth) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
      // Further lines are not shown; a long text need not be measured to its end.
      if (lines.length > mostLines) break;
    } else line += piece;
  }
  if (line !== "") lines.push(line.trimEnd());
  if (lines.length <= mostLines) return lines;
  const last = graphemesOf(lines[mostLines - 1] ?? "");
  while (last.length > 0 && measure(last.join("") + ELLIPSIS) > mostWidth) last.pop();
  return [...lines.slice(0, mostLines - 1), last.join("").trimEnd() + ELLIPSIS];
}

function* piecesOf(
  text: string,
  mostWidth: number,
  measure: (text: string) => number,
): Generator<string> {
  let piece = "";
  for (const { segment, isWordLike } of words.segment(text)) {
    if (isWordLike && piece !== "" && !/[\p{P}\p{S}]$/u.test(piece)) {
      yield piece;
      piece = "";
    }
    piece += segment;
    if (measure(piece) <= mostWidth) continue;
    yield* graphemesOf(piece);
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** The words of a picture for readers who cannot see it, or who find the file later. */
export interface PictureWords {
  title: string;
  description: string;
  record: string;
}

const MARGIN = 24;
const TITLE = { size: 17, line: 24 };
const TEXT = { size: 12, line: 18 };
const MAKER = { size: 10, line: 14 };
const NAME = { size: 14, line: 20 };
const GAP = 12;
/** The most lines of a text on the sheet; the file's description has all of it. */
const MOST_LINES = 3;
const MOST_NAME_LINES = 2;
const BELOW_NAME = 10;
const BETWEEN = 40;

/** The colours of print: ink on white, whatever the page's theme is. */
export const PAPER_INKS: Inks = {
  ground: "light",
  ink: "#191b1f",
  paper: "#ffffff",
  muted: "#5c5a55",
  line: "#d8d6ce",
  accent: "#b3431b",
  font: PAINTED_FONT,
};

/** What a sheet has around its picture, and the picture in its room. */
export interface SheetLayout extends PrintRoom {
  /** Whether the title and the caption are on the sheet; the file's description has both anyway. */
  title: boolean;
  caption: boolean;
  margin: number;
}

export const OWN_LAYOUT: SheetLayout = { ...OWN_ROOM, title: true, caption: true, margin: MARGIN };

/**
 * Lays a picture on a sheet of the size that it needs, with `lines` under the title and `maker` at
 * the foot.
 */
export function sheetOf(
  picture: Print,
  texts: { title: string; lines: readonly string[]; maker: string },
  inks: Inks,
  { width: room, title: hasTitle, caption, margin }: SheetLayout = OWN_LAYOUT,
): Print {
  // A picture that is narrower than its room stands in the middle of it.
  const inner = Math.max(picture.width, room ?? 0);
  const fit = (text: string, weight: "normal" | "bold", size: number): string[] =>
    wrapped(text, inner, MOST_LINES, measurer(labelFont(inks, weight, size)));
  const title = hasTitle ? fit(texts.title, "bold", TITLE.size) : [];
  const lines = caption ? texts.lines.flatMap((line) => fit(line, "normal", TEXT.size)) : [];
  const under = margin + title.length * TITLE.line + (hasTitle ? 4 : 0);
  const top = under + lines.length * TEXT.line + (hasTitle || caption ? GAP : 0);
  const foot = top + picture.height + GAP;
  const width = inner + 2 * margin;
  const height = caption
    ? Math.ceil(foot + MAKER.line + margin - Math.min(8, margin))
    : Math.ceil(top + picture.height + margin);
  return {
    width,
    height,
    paint: (brush) => {
      const pen = new Pen(brush, inks);
      brush.save();
      pen.fill({ x: 0, y: 0, width, height }, inks.paper);
      for (const [rows, y, { size, line }, weight, ink] of [
        [title, margin, TITLE, "bold", inks.ink],
        [lines, under, TEXT, "normal", inks.muted],
      ] as const) {
        pen.words(size, ink, "left", "middle", weight);
        rows.forEach((row, index) => brush.fillText(row, margin, y + (index + 0.5) * line));
      }
      pen.words(MAKER.size, inks.muted, "right");
      if (caption) brush.fillText(texts.maker, width - margin, foot + MAKER.line / 2);
      brush.restore();
      brush.save();
      brush.translate(margin + (inner - picture.width) / 2, top);
      picture.paint(brush);
      brush.restore();
    },
  };
}

type Draw = (inks: Inks, room?: PrintRoom) => Print | null;
type Named = readonly (readonly [name: string, print: Draw])[];

/** A picture with the lines of its name, and the corner of both. */
interface Placed {
  x: number;
  y: number;
  print: Print;
  lines: readonly string[];
}

/** Pictures in a row, each under its name, without empty ones. Null if all are empty. */
export function sideBySide(pictures: Named): Draw {
  const share = (width: number): number =>
    (width - (pictures.length - 1) * BETWEEN) / Math.max(1, pictures.length);
  return placedBy(pictures, share, (placed) => {
    let x = 0;
    for (const one of placed) {
      one.x = x;
      x += one.print.width + BETWEEN;
    }
    return Math.max(...placed.map(namesHeight));
  });
}

/** Pictures in a column, each under its name, without empty ones. Null if all are empty. */
export function oneBelowAnother(pictures: Named): Draw {
  const whole = (width: number): number => width;
  return placedBy(pictures, whole, (placed) => {
    let y = 0;
    const most = Math.max(...placed.map(namesHeight));
    for (const one of placed) {
      one.y = y;
      y += most + one.print.height + BETWEEN;
    }
    return most;
  });
}

const namesHeight = ({ lines }: Placed): number => lines.length * NAME.line + BELOW_NAME;

/**
 * Pictures in the places that `place` gives them, each as wide as `share` says of the whole.
 * `place` returns the height of the names.
 */
function placedBy(
  pictures: Named,
  share: (width: number) => number,
  place: (placed: readonly Placed[]) => number,
): Draw {
  return (inks, room = OWN_ROOM) => {
    const measure = measurer(labelFont(inks, "bold", NAME.size));
    const own = { ...room, width: room.width === null ? null : share(room.width) };
    const placed = pictures.flatMap(([name, draw]): Placed[] => {
      const print = draw(inks, own);
      if (!print) return [];
      return [{ x: 0, y: 0, print, lines: wrapped(name, print.width, MOST_NAME_LINES, measure) }];
    });
    if (placed.length === 0) return null;
    const top = place(placed);
    const part = [...new Set(placed.flatMap(({ print }) => print.part ?? []))].join("\n");
    const width = Math.max(...placed.map(({ x, print }) => x + print.width));
    const height = Math.max(...placed.map(({ y, print }) => y + top + print.height));
    const paint = (brush: Brush): void => {
      for (const { x, y, print, lines } of placed) {
        brush.save();
        new Pen(brush, inks).words(NAME.size, inks.ink, "left", "middle", "bold");
        // A name may be a user's sentence, in any language.
        lines.forEach((line, index) => writeLabel(brush, line, x, y + (index + 0.5) * NAME.line));
        brush.restore();
        brush.save();
        brush.translate(x, y + top);
        print.paint(brush);
        brush.restore();
      }
    };
    return { width, height, paint, ...(part !== "" && { part }) };
  };
}
