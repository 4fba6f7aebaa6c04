// Tensors and tables as CSV, JSON and npy.
import {
  provenanceRecord,
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
 * The file, a line at a time. A row or column is a number and a name (`3 =`), so that two equal tokens differ and
 * no spreadsheet takes a token for a formula. A forbidden score reads `-Infinity`.
 */
export function* csv({ tensor, axes }: LabelledTensor, provenance: Provenance): Generator<string> {
  const { data, shape } = tensor;
  const columns = shape.at(-1) ?? 0;
  const nameOf = (axis: number, place: number): string => {
    const { labels, first } = axes[axis] ?? { labels: null, first: 1 };
    const label = labels?.[place];
    return label === undefined ? `${place + first}` : `${place + first} ${label}`;
  };
  const down = axes.slice(0, -1).map(({ name }) => name);
  const corner = down.map((name, at) =>
    at < down.length - 1 ? name : `${name}\\${axes.at(-1)?.name}`,
  );
  yield* origin(provenance);
  const across = Array.from({ length: columns }, (_, place) => nameOf(axes.length - 1, place));
  yield line([...corner, ...across]);
  if (columns === 0) return;
  for (let start = 0, row = 0; start < data.length; start += columns, row++) {
    const places = down.map((_, axis) => {
      const stride = shape.slice(axis + 1, -1).reduce((product, length) => product * length, 1);
      return nameOf(axis, Math.floor(row / stride) % (shape[axis] ?? 1));
    });
    yield line([...places, ...Array.from(data.subarray(start, start + columns), shortest)]);
  }
}

/** Columns with names of their own, a line at a time; what is no number is left empty. */
export function* tableCsv({ columns, rows }: Table, provenance: Provenance): Generator<string> {
  yield* origin(provenance);
  for (const row of [columns, ...rows])
    yield line(
      row.map((field) => {
        // A text that no spreadsheet takes for a formula.
        if (typeof field === "string") return /^[=+@\t\r\n-]/.test(field) ? `'${field}` : field;
        return Number.isNaN(field) ? "" : String(field);
      }),
    );
}

/** What there is nothing to say of. */
const NOTHING: ReadonlySet<string> = new Set(["null", '""', "[]", "{}"]);
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
const ESCAPES: Readonly<Record<string, string>> = {
  ",": "\\u002c",
  ";": "\\u003b",
  '\\"': "\\u0022",
};

/** The record, a field on each line, as JSON in which no sign begins another field, which a spreadsheet might run. */
function* origin(provenance: Provenance): Generator<string> {
  yield BYTE_ORDER_MARK;
  const inOneField = (text: string): string =>
    `"${text.slice(1, -1).replace(/\\.|[,;]/g, (sign) => ESCAPES[sign] ?? sign)}"`;
  for (const [name, value] of Object.entries(provenanceRecord(provenance))) {
    const json = JSON.stringify(value);
    if (!NOTHING.has(json)) yield `# ${name}: ${json.replace(JSON_STRING, inOneField)}${LINE_END}`;
  }
}

/** A reader that leaves out what `#` begins would cut the line off there, were it not quoted. */
const line = (fields: readonly string[]): string =>
  fields
    .map((field) => (/[",\r\n#]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(",") + LINE_END;

// A tensor as JSON that explains itself: where it comes from, what its axes are, and its numbers, nested as its shape says.

const FORMAT = { format: "headscope-tensor", formatVersion: 1 };
const NOTES =
  "index counts from 0, number from 1; data is nested in the order of axes; numbers are single precision and read back exactly; " +
  'JSON has no infinities, so a forbidden score is the string "-Infinity", and a difference that cannot be said "NaN"';

/** The file, a row of numbers at a time. */
export function* json({ tensor, axes }: LabelledTensor, provenance: Provenance): Generator<string> {
  const labels = axes.flatMap((axis) => (axis.labels ? [[axis.name, axis.labels]] : []));
  const { axes: names, shape, data } = tensor;
  const record = { ...FORMAT, ...provenanceRecord(provenance), notes: NOTES };
  yield "{\n";
  for (const [name, value] of Object.entries({
    ...record,
    axes: names,
    shape,
    labels: Object.fromEntries(labels) as unknown,
  }))
    yield `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`;
  yield '  "data": ';
  yield* nested(data, shape, 0);
  yield "\n}\n";
}

function* nested(data: Float32Array, shape: readonly number[], start: number): Generator<string> {
  const [size = 0, ...inner] = shape;
  if (inner.length === 0) {
    const written = (value: number): string =>
      Number.isFinite(value) ? shortest(value) : JSON.stringify(shortest(value));
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

// NumPy's own format, version 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// Its header has room for the shape alone. Where the numbers come from is a text of its own, which may follow in the same
// file: `np.load(file)` reads the one, and called again on the open file the other.

/** `\x93NUMPY`, version 1.0. */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
/** Where the numbers begin is a multiple of this, so that they can be mapped into memory. */
const ALIGNMENT = 64;

/** Little-endian single or double precision in row-major order. Infinities and NaN are kept as they are. */
export function npy({
  data,
  shape,
}: {
  data: Float32Array | Float64Array;
  shape: readonly number[];
}): Uint8Array<ArrayBuffer> {
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
  const before = MAGIC.length + 2;
  const start = Math.ceil((before + header.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(start + length);
  file.set(MAGIC);
  new DataView(file.buffer).setUint16(MAGIC.length, start - before, true);
  file.set(new TextEncoder().encode(`${header.padEnd(start - before - 1)}\n`), before);
  put(new DataView(file.buffer, start));
  return file;
}
