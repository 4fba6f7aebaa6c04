// Tables as RFC 4180 has them: the last axis across, the others down, every row and column with its place and name. Above
// them lines that begin with `#`, which readers of data leave out, say where the numbers come from.
import { shortest } from "./decimal.js";
import { provenanceRecord, type Axis, type Exhibit, type Provenance } from "./exhibit.js";

const LINE_END = "\r\n";
/** Without it Excel reads UTF-8 as something else. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The file, a line at a time. A head is a number and a name (`3 =`), so that two equal tokens are told apart and no
 * spreadsheet takes a token for a formula. A forbidden score reads `-Infinity`.
 */
export function* csv({ tensor, axes, provenance }: Exhibit): Generator<string> {
  const across = axes.at(-1);
  const down = axes.slice(0, -1);
  const columns = tensor.shape.at(-1) ?? 0;
  const names = down.map(({ name }, index) =>
    index === down.length - 1 && across ? `${name}\\${across.name}` : name,
  );
  yield BYTE_ORDER_MARK;
  yield* origin(provenance);
  yield line([...names, ...places(columns).map((place) => (across ? headOf(across, place) : ""))]);
  if (columns === 0) return;
  for (let start = 0, row = 0; start < tensor.data.length; start += columns, row++) {
    const heads = down.map((axis, index) =>
      headOf(axis, placeOf(row, tensor.shape.slice(index + 1, -1), tensor.shape[index] ?? 1)),
    );
    yield line([...heads, ...Array.from(tensor.data.subarray(start, start + columns), shortest)]);
  }
}

/** Columns with names of their own, a line at a time; what is no number is left empty. */
export function* tableCsv(
  columns: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  provenance: Provenance,
): Generator<string> {
  yield BYTE_ORDER_MARK;
  yield* origin(provenance);
  yield line(columns.map(harmless));
  for (const row of rows)
    yield line(
      row.map((field) =>
        typeof field === "string" ? harmless(field) : Number.isNaN(field) ? "" : String(field),
      ),
    );
}

/** What there is nothing to say of. */
const NOTHING: ReadonlySet<string> = new Set(["null", '""', "[]", "{}"]);

/** The record, a field on each line, as JSON. */
function* origin(provenance: Provenance): Generator<string> {
  for (const [name, value] of Object.entries(provenanceRecord(provenance))) {
    const said = JSON.stringify(value);
    if (!NOTHING.has(said)) yield `# ${name}: ${said.replace(JSON_STRING, inOneField)}${LINE_END}`;
  }
}

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/** The same string to a reader of JSON, and to a spreadsheet nothing that begins another field, which it might run. */
function inOneField(text: string): string {
  return `"${text.slice(1, -1).replace(/\\.|[,;]/g, (sign) => ESCAPES[sign] ?? sign)}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ",": "\\u002c",
  ";": "\\u003b",
  '\\"': "\\u0022",
};

/** A text that no spreadsheet takes for a formula. */
function harmless(text: string): string {
  return /^[=+@\t\r\n-]/.test(text) ? `'${text}` : text;
}

/** How a place of an axis is called: its number, and its name where it has one. */
function headOf({ labels, first }: Axis, place: number): string {
  const number = String(place + first);
  const label = labels?.[place];
  return label === undefined ? number : `${number} ${label}`;
}

/** Which place of one axis a row stands for, given the sizes of the axes that turn faster. */
function placeOf(row: number, faster: readonly number[], size: number): number {
  const stride = faster.reduce((product, length) => product * length, 1);
  return Math.floor(row / stride) % size;
}

function line(fields: readonly string[]): string {
  return fields.map(quoted).join(",") + LINE_END;
}

function quoted(field: string): string {
  // Unquoted, a reader that leaves out what `#` begins would cut the line off there.
  return /[",\r\n#]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

function places(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
