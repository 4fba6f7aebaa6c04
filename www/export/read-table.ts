// Reads a table of numbers as a spreadsheet copies or saves it, or as this page wrote it: separated by tabs, semicolons
// or commas, with or without names of columns and rows. Lines above it that begin with `#` are no part of it.
import { Unreadable, type ReadMatrix } from "./unreadable.js";

const LONGEST_QUOTE = 40;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^[-−](inf(inity)?|∞)$/i;

/** What is meant for a number and is none that can be used. */
const UNUSABLE = /^[+-]?(nan|inf(inity)?|∞)$/i;
/** 1,000 is a thousand to some and one to others. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
/** What stands over names of rows in files of other programs. Another word may name the first row as well as its column. */
const CORNER =
  /^(words?|tokens?|names?|labels?|rows?|index|id|keys?|词|词元|单词|名称|标签|行|索引|序号)$/i;
/** As many characters as a file may have bytes. */
const LONGEST = 1 << 20;

/** A number as people write it: with a real minus sign, or a comma before the decimals; undefined for anything else. */
export function numberIn(text: string): number | undefined {
  return isAmbiguous(text) ? undefined : dottedNumber(text);
}

/** Whether a comma stands where it may part thousands as well as decimals. */
export function isAmbiguous(text: string): boolean {
  return AMBIGUOUS.test(plain(text));
}

/** A number in which a comma stands before decimals, however many there are. */
function dottedNumber(text: string): number | undefined {
  if (INFINITE.test(plain(text))) return -Infinity;
  const value = NUMBER.test(dotted(text)) ? Number(dotted(text)) : NaN;
  // A minus before nothing is nothing.
  return Number.isFinite(value) ? value + 0 : undefined;
}

function plain(text: string): string {
  return text.trim().replace("−", "-");
}

function dotted(text: string): string {
  return /^[^.,]*,[^.,]*$/.test(plain(text)) ? plain(text).replace(",", ".") : plain(text);
}

/** The numbers of a table with at most so many rows and columns. */
export function readTable(text: string, mostSide: number): ReadMatrix {
  if (text.length > LONGEST)
    throw new Unreadable("tooLarge", `${(text.length / 1e6).toFixed(1)} MB`);
  const plainText = text.replace(/^\uFEFF?(?:#[^\r\n]*[\r\n]+)*/, "");
  const separator = separatorOf(plainText);
  const lines = cellsOf(plainText, separator);
  if (lines.length === 0) throw new Unreadable("empty", "");
  const head = headOf(lines);
  const body = head === "none" ? lines : lines.slice(1);
  const begun = body.map(([first = ""]) => first);
  const labelled = body.length > 0 && (head === "corner" || begun.every(isName));
  const rows = body.map((line) => (labelled ? line.slice(1) : line));
  const [width = 0] = rows.map((row) => row.length);
  if (width === 0) throw new Unreadable("empty", "");
  if (rows.length > mostSide || width > mostSide)
    throw new Unreadable("tooLarge", `${rows.length} × ${width}`);
  const read =
    separator === ";" || rows.some((row) => row.some(hasDecimalComma)) ? dottedNumber : numberIn;
  const numbers = rows.map((row, index) => {
    if (row.length !== width)
      throw new Unreadable("ragged", `${index + 1}: ${row.length} / ${width}`);
    return row.map((cell) => {
      const value = read(cell);
      if (value === undefined)
        throw new Unreadable(
          isAmbiguous(cell) ? "ambiguous" : "notANumber",
          cell.slice(0, LONGEST_QUOTE),
        );
      return value;
    });
  });
  // Rows that another program has counted have no names; in files of this page whatever stands there is one.
  const named = labelled && (isOwnCorner(lines) || !isCount(begun));
  return { rows: numbers, labels: named ? begun.map((first) => first.replace(/^\d+ /, "")) : null };
}

/**
 * Whether the first line names the columns, and whether there is a corner before these names, so that names of rows, or
 * their count, stand below it.
 */
function headOf(lines: string[][]): "none" | "columns" | "corner" {
  const [first = [], ...others] = lines;
  const [corner = "", ...columns] = first;
  const begun = others.map(([cell = ""]) => cell);
  const named = begun.every((cell) => cell !== "" && isName(cell));
  if (isOwnCorner(lines)) return "corner";
  if (first.every(isName))
    return corner === "" &&
      begun.every((cell) => cell !== "" && (isName(cell) || numberIn(cell) !== undefined))
      ? "corner"
      : "columns";
  if (others.length === 0) return "none";
  if (corner === "" && named) return "corner";
  return (corner === "" || CORNER.test(corner)) && isCount(columns) && (named || isCount(begun))
    ? "corner"
    : "none";
}

/** What stands above names of rows and beside names of columns, in files of this page. */
function isOwnCorner([first]: string[][]): boolean {
  return first?.[0]?.includes("\\") === true;
}

/** Whether a cell is neither a number nor meant for one: NaN, ∞ or 1e400 would vanish if they were taken for names. */
function isName(cell: string): boolean {
  return !UNUSABLE.test(plain(cell)) && !NUMBER.test(dotted(cell));
}

/** Whether these are 0, 1, 2 … or 1, 2, 3 … */
function isCount(cells: readonly string[]): boolean {
  const [first] = cells.map(numberIn);
  return (
    (first === 0 || first === 1) && cells.every((cell, index) => numberIn(cell) === first + index)
  );
}

/** Whether a comma can be nothing but the one before decimals. */
function hasDecimalComma(cell: string): boolean {
  return cell.includes(",") && numberIn(cell) !== undefined;
}

/** Lines of cells, quoted ones as RFC 4180 has them. */
function cellsOf(text: string, separator: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = (): void => {
    line.push(cell.trim());
    cell = "";
  };
  const endLine = (): void => {
    endCell();
    if (line.some((one) => one !== "")) lines.push(line);
    line = [];
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
