import { dsvFormat } from "d3-dsv";
import type { MessageKey } from "../i18n/index.js";

/** The reason why numbers cannot be read from a file, by the name of its sentence. */
export type UnreadableReason = MessageKey extends infer Key
  ? Key extends `numbers.unreadable.${infer Reason}`
    ? Reason
    : never
  : never;

export class Unreadable extends Error {
  constructor(
    readonly reason: UnreadableReason,
    readonly found: string,
  ) {
    super(`${reason}: ${found}`);
    this.name = "Unreadable";
  }
}

export interface ReadMatrix {
  rows: number[][];
  labels: string[] | null;
}

// Reader of NumPy's format, versions 1 to 3:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html The header is not trusted,
// and nothing in the file is evaluated.

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const LONGEST_HEADER = 4096;
const LONGEST_QUOTE = 40;

type ReadNumber = (view: DataView, at: number, little: boolean) => number;

/** The bytes of a number of each type, and the function that reads it. */
const TYPES: ReadonlyMap<string, readonly [bytes: number, read: ReadNumber]> = new Map([
  ["f8", [8, (view, at, little) => view.getFloat64(at, little)]],
  ["f4", [4, (view, at, little) => view.getFloat32(at, little)]],
  ["i8", [8, (view, at, little) => Number(view.getBigInt64(at, little))]],
  ["i4", [4, (view, at, little) => view.getInt32(at, little)]],
  ["i2", [2, (view, at, little) => view.getInt16(at, little)]],
  ["i1", [1, (view, at) => view.getInt8(at)]],
  ["u1", [1, (view, at) => view.getUint8(at)]],
  ["b1", [1, (view, at) => (view.getUint8(at) === 0 ? 0 : 1)]],
]);

/**
 * A matrix with at most `mostSide` rows and columns; a vector is one row, and leading axes of
 * length 1 are dropped.
 */
export function readNpy(file: Uint8Array, mostSide: number): ReadMatrix {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 10 || MAGIC.some((byte, index) => file[index] !== byte))
    throw new Unreadable("notNumpy", "\\x93NUMPY");
  const truncated = new Unreadable("truncated", String(file.length));
  const wide = (file[6] ?? 0) > 1;
  if (wide && file.length < 12) throw truncated;
  const before = wide ? 12 : 10;
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = before + length;
  if (length > LONGEST_HEADER || start > file.length) throw truncated;
  const header = new TextDecoder("latin1").decode(file.subarray(before, start));
  const [, order, name = ""] = /'descr':\s*'([<>|=])(\w{1,8})'/.exec(header) ?? [];
  const type = TYPES.get(name);
  if (!type) {
    const written = /'descr':\s*([^,}]+)/.exec(header)?.[1] ?? header;
    throw new Unreadable("numberType", written.trim().slice(0, LONGEST_QUOTE));
  }
  const [bytes, read] = type;
  const sizes = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  if (sizes === undefined) throw new Unreadable("axes", header.trim().slice(0, LONGEST_QUOTE));
  const shape = sizes.split(",").flatMap((size) => (size.trim() === "" ? [] : [Number(size)]));
  const [rows = 1, columns = 1] = shape.length < 2 ? [1, ...shape] : shape.slice(-2);
  if (shape.slice(0, -2).some((size) => size !== 1))
    throw new Unreadable("axes", shape.join(" × "));
  if (rows === 0 || columns === 0) throw new Unreadable("empty", shape.join(" × "));
  if (!(rows <= mostSide && columns <= mostSide))
    throw new Unreadable("tooLarge", `${rows} × ${columns}`);
  if (start + rows * columns * bytes > file.length) throw truncated;
  const fortran = /'fortran_order':\s*True/.test(header);
  const cell = (row: number, column: number): number => {
    const place = fortran ? column * rows + row : row * columns + column;
    return read(view, start + place * bytes, order !== ">");
  };
  return {
    rows: Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => cell(row, column)),
    ),
    labels: null,
  };
}

// Reader of tables of numbers as spreadsheets copy or save them, or as this page writes them:
// separated by tabs, semicolons or commas, with or without names of columns and rows. Lines above a
// table that begin with `#` are skipped.

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^[-−](inf(inity)?|∞)$/i;

/** A cell with a number that cannot be used. */
const UNUSABLE = /^[+-]?(nan|inf(inity)?|∞)$/i;
/** An ambiguous number: 1,000 is a thousand or one. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
/**
 * A cell above the names of rows in files of other programs. Another word may name the first row as
 * well as its column.
 */
const CORNER =
  /^(words?|tokens?|names?|labels?|rows?|index|id|keys?|词|词元|单词|名称|标签|行|索引|序号)$/i;
/** The longest table in characters, as many as a file may have bytes. */
const LONGEST = 1 << 20;

const plain = (text: string): string => text.trim().replace("−", "-");

const dotted = (text: string): string =>
  /^[^.,]*,[^.,]*$/.test(plain(text)) ? plain(text).replace(",", ".") : plain(text);

export const isAmbiguous = (text: string): boolean => AMBIGUOUS.test(plain(text));

/**
 * A number as people write it: with a real minus sign, or a decimal comma; undefined for any other
 * text.
 */
export const numberIn = (text: string): number | undefined =>
  isAmbiguous(text) ? undefined : dottedNumber(text);

function dottedNumber(text: string): number | undefined {
  if (INFINITE.test(plain(text))) return -Infinity;
  const value = NUMBER.test(dotted(text)) ? Number(dotted(text)) : NaN;
  // Adding 0 turns -0 into 0.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/**
 * Whether a cell is a name: neither a number nor meant as one, such as NaN, ∞ or 1e400, which would
 * be lost as names.
 */
const isName = (cell: string): boolean => !UNUSABLE.test(plain(cell)) && !NUMBER.test(dotted(cell));

function isCount(cells: readonly string[]): boolean {
  const [first, ...others] = cells.map(numberIn);
  return (first === 0 || first === 1) && others.every((cell, index) => cell === first + index + 1);
}

export function readTable(text: string, mostSide: number): ReadMatrix {
  if (text.length > LONGEST)
    throw new Unreadable("tooLarge", `${(text.length / 1e6).toFixed(1)} MB`);
  const table = text.replace(/^\uFEFF?(?:#[^\r\n]*[\r\n]+)*/, "");
  // With semicolons, a comma is a decimal comma. The last choice are runs of spaces.
  const separator = ["\t", ";", ",", " "].find((sign) => table.includes(sign)) ?? ",";
  const lines = cellsOf(table, separator);
  const head = headOf(lines);
  const body = head === "none" ? lines : lines.slice(1);
  const begun = body.map(([first = ""]) => first);
  const labelled = body.length > 0 && (head === "corner" || begun.every(isName));
  const rows = body.map((line) => (labelled ? line.slice(1) : line));
  const width = rows[0]?.length ?? 0;
  if (width === 0) throw new Unreadable("empty", "");
  if (rows.length > mostSide || width > mostSide)
    throw new Unreadable("tooLarge", `${rows.length} × ${width}`);
  // A comma that can only be a decimal comma.
  const hasDecimalComma = rows
    .flat()
    .some((cell) => cell.includes(",") && numberIn(cell) !== undefined);
  const read = separator === ";" || hasDecimalComma ? dottedNumber : numberIn;
  const numbers = rows.map((row, index) => {
    if (row.length !== width)
      throw new Unreadable("ragged", `${index + 1}: ${row.length} / ${width}`);
    return row.map((cell) => {
      const value = read(cell);
      if (value !== undefined) return value;
      const reason = isAmbiguous(cell) ? "ambiguous" : "notANumber";
      throw new Unreadable(reason, cell.slice(0, LONGEST_QUOTE));
    });
  });
  // Rows that another program has numbered have no names; in files of this page each row has a
  // name.
  const named = labelled && (isOwnCorner(lines) || !isCount(begun));
  return { rows: numbers, labels: named ? begun.map((first) => first.replace(/^\d+ /, "")) : null };
}

/**
 * Whether the first cell is the corner of a file of this page, above the names of rows and beside
 * those of columns.
 */
const isOwnCorner = ([first]: string[][]): boolean => first?.[0]?.includes("\\") === true;

/**
 * The kind of the first line: without names, with names of columns, or with a corner before these
 * names, so that names or numbers of rows are below the corner.
 */
function headOf(lines: string[][]): "none" | "columns" | "corner" {
  const [first = [], ...others] = lines;
  const [corner = "", ...columns] = first;
  const begun = others.map(([cell = ""]) => cell);
  const named = begun.every((cell) => cell !== "" && isName(cell));
  if (isOwnCorner(lines)) return "corner";
  if (first.every(isName)) {
    const isRow = (cell: string): boolean =>
      cell !== "" && (isName(cell) || numberIn(cell) !== undefined);
    return corner === "" && begun.every(isRow) ? "corner" : "columns";
  }
  if (others.length === 0) return "none";
  const counted = isCount(columns) && (named || isCount(begun));
  return (corner === "" && (named || counted)) || (CORNER.test(corner) && counted)
    ? "corner"
    : "none";
}

/** Lines of cells, quoted ones by RFC 4180; empty lines are dropped. */
function cellsOf(text: string, separator: string): string[][] {
  const lines = dsvFormat(separator).parseRows(text, (row) => row.map((cell) => cell.trim()));
  return lines.filter((line) => line.some((one) => one !== ""));
}
