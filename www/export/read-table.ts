// Reads a table of numbers as a spreadsheet copies or saves it, or as this page wrote it: separated by tabs, semicolons
// or commas, with or without names of columns and rows. Lines above it that begin with `#` are no part of it.
import { Unreadable, type ReadMatrix } from "./unreadable.js";

const LONGEST_QUOTE = 40;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^[-−](inf(inity)?|∞)$/i;

/** A number as people write it: with a real minus sign, or a comma before the decimals; undefined for anything else. */
export function numberIn(text: string): number | undefined {
  const plain = text.trim().replace("−", "-");
  if (INFINITE.test(plain)) return -Infinity;
  const dotted = /^[^.,]*,[^.,]*$/.test(plain) ? plain.replace(",", ".") : plain;
  const value = NUMBER.test(dotted) ? Number(dotted) : NaN;
  // A minus before nothing is nothing.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** The numbers of a table with at most so many rows and columns. */
export function readTable(text: string, mostSide: number): ReadMatrix {
  const lines = cellsOf(text.replace(/^\uFEFF?(?:#[^\r\n]*[\r\n]+)*/, ""), mostSide + 1);
  if (lines.length === 0) throw new Unreadable("empty", "");
  const named = hasHead(lines);
  const body = named ? lines.slice(1) : lines;
  const labelled = body.length > 0 && (body.every(([first = ""]) => numberIn(first) === undefined) || (named && isCorner(lines[0]?.[0] ?? "")));
  const rows = body.map((line) => (labelled ? line.slice(1) : line));
  const [width = 0] = rows.map((row) => row.length);
  if (width === 0) throw new Unreadable("empty", "");
  if (rows.length > mostSide || width > mostSide) throw new Unreadable("tooLarge", `${rows.length} × ${width}`);
  const numbers = rows.map((row, index) => {
    if (row.length !== width) throw new Unreadable("ragged", `${index + 1}: ${row.length} / ${width}`);
    return row.map((cell) => {
      const value = numberIn(cell);
      if (value === undefined) throw new Unreadable("notANumber", cell.slice(0, LONGEST_QUOTE));
      return value;
    });
  });
  return { rows: numbers, labels: labelled ? body.map(([first = ""]) => first.replace(/^\d+ /, "")) : null };
}

/** Whether the first line names the columns, for it has no number: this page's own files put some behind a corner. */
function hasHead([first]: string[][]): boolean {
  if (!first) return false;
  return first.every((cell) => numberIn(cell) === undefined) || isCorner(first[0] ?? "");
}

/** What stands above names of rows and beside names of columns, in files of this page. */
function isCorner(cell: string): boolean {
  return cell.includes("\\");
}

/** Lines of cells, quoted ones as RFC 4180 has them; never more lines or cells than can be used. */
function cellsOf(text: string, most: number): string[][] {
  const separator = separatorOf(text);
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = (): void => {
    if (line.length > most + 1) throw new Unreadable("tooLarge", `> ${most}`);
    line.push(cell.trim());
    cell = "";
  };
  const endLine = (): void => {
    endCell();
    if (line.some((one) => one !== "")) lines.push(line);
    line = [];
    if (lines.length > most + 1) throw new Unreadable("tooLarge", `> ${most}`);
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at] ?? "";
      else quoted = false;
    } else if (sign === '"' && cell.trim() === "") quoted = true;
    else if (sign === separator) endCell();
    else if (sign === "\n" || sign === "\r") endLine();
    else cell += sign;
  }
  if (cell !== "" || line.length > 0) endLine();
  return lines;
}

/** Tabs before semicolons before commas: where there are semicolons, a comma stands before decimals. Else runs of spaces. */
function separatorOf(text: string): string {
  return ["\t", ";", ",", " "].find((separator) => text.includes(separator)) ?? ",";
}
