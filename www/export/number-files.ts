// Tensors and tables as CSV, JSON and npy.
import {
  provenanceRecord,
  type LabelledTensor,
  type Provenance,
  type Table,
} from "./provenance.js";

/**
 * The shortest decimal that reads back as the same single-precision number: six digits are always
 * kept, nine distinguish two neighbours.
 */
export function shortest(value: number): string {
  if (Object.is(value, -0)) return "-0";
  if (!Number.isFinite(value)) return String(value);
  let digits = 6;
  while (digits < 9 && Math.fround(Number(value.toPrecision(digits))) !== value) digits++;
  return String(Number(value.toPrecision(digits)));
}

// Tables by RFC 4180: the last axis across, the others down, every row and column with its number
// and name. Lines above the table that begin with `#`, which data readers skip, give the
// provenance.

const LINE_END = "\r\n";
/** The byte order mark, without which Excel does not read UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The CSV file, line by line. A row or column is a number and a name (`3 =`), so that two equal
 * tokens differ and no spreadsheet reads a token as a formula. A masked score is `-Infinity`.
 */
export function* csv({ tensor, axes }: LabelledTensor, provenance: Provenance): Generator<string> {
  const { data, shape } = tensor;
  const names = axes.map(({ labels, first }, axis) =>
    Array.from({ length: shape[axis] ?? 0 }, (_, at) => {
      const label = labels?.[at];
      return label === undefined ? `${at + first}` : `${at + first} ${label}`;
    }),
  );
  const across = names.pop() ?? [];
  const corner = axes.slice(0, -1).map(({ name }) => name);
  if (corner.length > 0) corner.push(`${corner.pop() ?? ""}\\${axes.at(-1)?.name ?? ""}`);
  yield* origin(provenance);
  yield line([...corner, ...across]);
  const rows = names.reduce<string[][]>(
    (before, places) => before.flatMap((row) => places.map((place) => [...row, place])),
    [[]],
  );
  const width = across.length;
  if (width > 0)
    for (const [at, row] of rows.entries())
      yield line([...row, ...Array.from(data.subarray(at * width, (at + 1) * width), shortest)]);
}

/** A CSV file of rows alone, without provenance. */
export function plainCsv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => line(row.map(String))).join("");
}

export function* tableCsv({ columns, rows }: Table, provenance: Provenance): Generator<string> {
  yield* origin(provenance);
  for (const row of [columns, ...rows])
    yield line(
      row.map((field) => {
        // An apostrophe keeps a spreadsheet from reading a text as a formula.
        if (typeof field === "string") return /^[=+@\t\r\n-]/.test(field) ? `'${field}` : field;
        return Number.isNaN(field) ? "" : String(field);
      }),
    );
}

const EMPTY: ReadonlySet<string> = new Set(["null", '""', "[]", "{}"]);
const ESCAPES: Record<string, string> = { ",": "\\u002c", ";": "\\u003b", '\\"': "\\u0022" };

/**
 * The provenance, a field on each line, as JSON without characters that begin another cell, which a
 * spreadsheet might run.
 */
function* origin(provenance: Provenance): Generator<string> {
  yield BYTE_ORDER_MARK;
  const inOneField = (text: string): string =>
    `"${text.slice(1, -1).replace(/\\.|[,;]/g, (sign) => ESCAPES[sign] ?? sign)}"`;
  for (const [name, value] of Object.entries(provenanceRecord(provenance))) {
    const json = JSON.stringify(value);
    if (!EMPTY.has(json))
      yield `# ${name}: ${json.replace(/"(?:[^"\\]|\\.)*"/g, inOneField)}${LINE_END}`;
  }
}

/**
 * One line of CSV; a field with `#` is quoted, since readers that skip comments would cut the line
 * there.
 */
const line = (fields: readonly string[]): string =>
  fields
    .map((field) => (/[",\r\n#]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(",") + LINE_END;

const NOTES =
  "index counts from 0, number from 1; data is nested in the order of axes; numbers are single precision and read back exactly; " +
  'JSON has no infinities, so a forbidden score is the string "-Infinity", a difference from one "Infinity" or "-Infinity", and one that cannot be said "NaN"';

export const TENSOR_FORMAT = "headscope-tensor";
export const TENSOR_VERSION = 1;

/** A tensor as self-describing JSON, a row of numbers at a time. */
export function* json({ tensor, axes }: LabelledTensor, provenance: Provenance): Generator<string> {
  const record = {
    format: TENSOR_FORMAT,
    formatVersion: TENSOR_VERSION,
    ...provenanceRecord(provenance),
    notes: NOTES,
    axes: tensor.axes,
    shape: tensor.shape,
    labels: Object.fromEntries(
      axes.flatMap(({ name, labels }) => (labels ? [[name, labels]] : [])),
    ),
  };
  yield "{\n";
  for (const [name, value] of Object.entries<unknown>(record))
    yield `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`;
  yield '  "data": ';
  yield* nested(tensor.data, tensor.shape);
  yield "\n}\n";
}

/** A number of single precision in JSON, which has no infinities and no NaN: they are strings. */
export const jsonNumber = (value: number): string =>
  Number.isFinite(value) ? shortest(value) : JSON.stringify(shortest(value));

function* nested(data: Float32Array, [size = 0, ...inner]: readonly number[]): Generator<string> {
  if (inner.length === 0) {
    yield `[${Array.from(data, jsonNumber).join(", ")}]`;
    return;
  }
  const stride = inner.reduce((product, length) => product * length, 1);
  yield "[";
  for (let index = 0; index < size; index++) {
    if (index > 0) yield ",\n    ";
    yield* nested(data.subarray(index * stride, (index + 1) * stride), inner);
  }
  yield "]";
}

// NumPy's own format, version 1.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html Its header has room for
// the shape alone. Where the numbers come from is a text of its own, which may follow in the same
// file: `np.load(file)` reads the one, and called again on the open file the other.

/** The magic bytes `\x93NUMPY` and version 1.0. */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
/** The alignment of the first number, so that the numbers can be memory-mapped. */
const ALIGNMENT = 64;

/**
 * An npy file in single or double precision, row-major, in the byte order of every browser:
 * little-endian. Infinities and NaN are kept.
 */
export function npy({
  data,
  shape,
}: {
  data: Float32Array | Float64Array;
  shape: readonly number[];
}): Uint8Array<ArrayBuffer> {
  return block(`<f${data.BYTES_PER_ELEMENT}`, shape, data);
}

/** A text as an npy array without axes: four bytes for each character. */
export function npyText(text: string): Uint8Array<ArrayBuffer> {
  const points = Uint32Array.from(Array.from(text, (sign) => sign.codePointAt(0) ?? 0));
  return block(`<U${points.length}`, [], points);
}

function block(
  type: string,
  shape: readonly number[],
  data: ArrayBufferView,
): Uint8Array<ArrayBuffer> {
  const sizes = shape.length === 1 ? `${shape[0] ?? 0},` : shape.join(", ");
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const before = MAGIC.length + 2;
  const start = Math.ceil((before + header.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(start + data.byteLength);
  file.set(MAGIC);
  new DataView(file.buffer).setUint16(MAGIC.length, start - before, true);
  file.set(new TextEncoder().encode(`${header.padEnd(start - before - 1)}\n`), before);
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), start);
  return file;
}
