// Tensors and tables as CSV, JSON and npy.
import {
  provenanceRecord,
  type Axis,
  type LabelledTensor,
  type Provenance,
  type Table,
} from "./provenance.js";

// Single-precision numbers as decimals, for files that people and programs read.

/** Six digits always survive single precision (but next to zero), nine always tell two neighbours apart. */
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;

/** The shortest decimal that reads back as the same single-precision number; `-0`, `-Infinity` and `NaN` keep their names. */
export function shortest(value: number): string {
  if (Object.is(value, -0)) return "-0";
  if (!Number.isFinite(value)) return String(value);
  for (let digits = FEWEST_DIGITS; digits < MOST_DIGITS; digits++) {
    const near = Number(value.toPrecision(digits));
    if (Math.fround(near) === value) return String(near);
  }
  return String(Number(value.toPrecision(MOST_DIGITS)));
}

// Tables as RFC 4180 has them: the last axis across, the others down, every row and column with its place and name. Above
// them lines that begin with `#`, which readers of data leave out, say where the numbers come from.

const LINE_END = "\r\n";
/** Without it Excel reads UTF-8 as something else. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The file, a line at a time. A head is a number and a name (`3 =`), so that two equal tokens are told apart and no
 * spreadsheet takes a token for a formula. A forbidden score reads `-Infinity`.
 */
export function* csv({ tensor, axes }: LabelledTensor, provenance: Provenance): Generator<string> {
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
export function* tableCsv({ columns, rows }: Table, provenance: Provenance): Generator<string> {
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
    const json = JSON.stringify(value);
    if (!NOTHING.has(json)) yield `# ${name}: ${json.replace(JSON_STRING, inOneField)}${LINE_END}`;
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

// A tensor as JSON that explains itself: where it comes from, what its axes are, and its numbers, nested as its shape says.

const FORMAT = { format: "headscope-tensor", formatVersion: 1 };
const NOTES =
  "index counts from 0, number from 1; data is nested in the order of axes; numbers are single precision and read back exactly; " +
  'JSON has no infinities, so a forbidden score is the string "-Infinity", and a difference that cannot be said "NaN"';

/** The file, a row of numbers at a time. */
export function* json({ tensor, axes }: LabelledTensor, provenance: Provenance): Generator<string> {
  const head = {
    ...FORMAT,
    ...provenanceRecord(provenance),
    notes: NOTES,
    axes: tensor.axes,
    shape: tensor.shape,
    labels: Object.fromEntries(
      axes.flatMap(({ name, labels }) => (labels ? [[name, labels]] : [])),
    ),
  };
  const fields = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  yield `{\n${fields.join("")}  "data": `;
  yield* nested(tensor.data, tensor.shape, 0);
  yield "\n}\n";
}

function* nested(data: Float32Array, shape: readonly number[], start: number): Generator<string> {
  const [size = 0, ...inner] = shape;
  if (inner.length === 0) {
    yield `[${Array.from(data.subarray(start, start + size), written).join(", ")}]`;
    return;
  }
  const stride = inner.reduce((product, length) => product * length, 1);
  yield "[";
  for (let index = 0; index < size; index++) {
    if (index > 0) yield ",\n    ";
    yield* nested(data, inner, start + index * stride);
  }
  yield "]";
}

function written(value: number): string {
  return Number.isFinite(value) ? shortest(value) : JSON.stringify(shortest(value));
}

// NumPy's own format, version 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// Its header has room for the shape alone. Where the numbers come from is a text of its own, which may follow in the same
// file: `np.load(file)` reads the one, and called again on the open file the other.

/** `\x93NUMPY` */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const VERSION = [1, 0];
const LENGTH_BYTES = 2;
/** Where the numbers begin is a multiple of this, so that they can be mapped into memory. */
const ALIGNMENT = 64;

/** What is written: numbers in row-major order, in the precision that they have. */
interface Numbers {
  data: Float32Array | Float64Array;
  shape: readonly number[];
}

/** Little-endian single or double precision in row-major order. Infinities and NaN are kept as they are. */
export function npy({ data, shape }: Numbers): Uint8Array<ArrayBuffer> {
  const bytes = data.BYTES_PER_ELEMENT;
  return block(`<f${bytes}`, shape, data.byteLength, (view) => {
    const put =
      data instanceof Float64Array ? view.setFloat64.bind(view) : view.setFloat32.bind(view);
    data.forEach((value, index) => put(index * bytes, value, true));
  });
}

/** A text, which NumPy has as an array without axes: four bytes for each character. */
export function npyText(text: string): Uint8Array<ArrayBuffer> {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return block(`<U${points.length}`, [], 4 * points.length, (view) =>
    points.forEach((point, index) => view.setUint32(4 * index, point, true)),
  );
}

function block(
  type: string,
  shape: readonly number[],
  length: number,
  put: (view: DataView) => void,
): Uint8Array<ArrayBuffer> {
  const sizes = shape.length === 1 ? `${shape[0] ?? 0},` : shape.join(", ");
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const before = MAGIC.length + VERSION.length + LENGTH_BYTES;
  const start = Math.ceil((before + header.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(start + length);
  file.set([...MAGIC, ...VERSION]);
  new DataView(file.buffer).setUint16(before - LENGTH_BYTES, start - before, true);
  file.set(new TextEncoder().encode(`${header.padEnd(start - before - 1)}\n`), before);
  put(new DataView(file.buffer, start));
  return file;
}
