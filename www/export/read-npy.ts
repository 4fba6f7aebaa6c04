// Reads NumPy's own format, versions 1 to 3: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// Nothing in the file is believed: the header may promise whatever it likes, and nothing is evaluated.
import { Unreadable, type ReadMatrix } from "./unreadable.js";

/** `\x93NUMPY` */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const LONGEST_HEADER = 4096;
const LONGEST_QUOTE = 40;

/** How one number of each type is read, and how many bytes it takes. */
const TYPES: Readonly<
  Record<string, { bytes: number; read: (view: DataView, at: number, little: boolean) => number }>
> = {
  f8: { bytes: 8, read: (view, at, little) => view.getFloat64(at, little) },
  f4: { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) },
  i8: { bytes: 8, read: (view, at, little) => Number(view.getBigInt64(at, little)) },
  i4: { bytes: 4, read: (view, at, little) => view.getInt32(at, little) },
  i2: { bytes: 2, read: (view, at, little) => view.getInt16(at, little) },
  i1: { bytes: 1, read: (view, at) => view.getInt8(at) },
  u1: { bytes: 1, read: (view, at) => view.getUint8(at) },
  b1: { bytes: 1, read: (view, at) => (view.getUint8(at) === 0 ? 0 : 1) },
};

/** A matrix with at most so many rows and columns; a vector is one row, and leading axes of length 1 are left out. */
export function readNpy(file: Uint8Array, mostSide: number): ReadMatrix {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 10 || MAGIC.some((byte, index) => file[index] !== byte))
    throw new Unreadable("notNumpy", "\\x93NUMPY");
  const wide = (file[6] ?? 0) > 1;
  if (wide && file.length < 12) throw new Unreadable("truncated", String(file.length));
  const before = wide ? 12 : 10;
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  if (length > LONGEST_HEADER || before + length > file.length)
    throw new Unreadable("truncated", String(file.length));
  const header = new TextDecoder("latin1").decode(file.subarray(before, before + length));
  const { order, type, fortran, shape } = headerOf(header);
  const { rows, columns } = sidesOf(shape, mostSide);
  const start = before + length;
  if (start + rows * columns * type.bytes > file.length)
    throw new Unreadable("truncated", String(file.length));
  const at = (row: number, column: number): number =>
    start + (fortran ? column * rows + row : row * columns + column) * type.bytes;
  const matrix = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => type.read(view, at(row, column), order !== ">")),
  );
  return { rows: matrix, labels: null };
}

function headerOf(header: string): {
  order: string;
  type: { bytes: number; read: (view: DataView, at: number, little: boolean) => number };
  fortran: boolean;
  shape: number[];
} {
  const [, order = "", name = ""] = /'descr':\s*'([<>|=])(\w{1,8})'/.exec(header) ?? [];
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (!type)
    throw new Unreadable(
      "numberType",
      (/'descr':\s*([^,}]+)/.exec(header)?.[1] ?? header).trim().slice(0, LONGEST_QUOTE),
    );
  const fortran = /'fortran_order':\s*True/.test(header);
  const sizes = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  if (sizes === undefined) throw new Unreadable("axes", header.trim().slice(0, LONGEST_QUOTE));
  return {
    order,
    type,
    fortran,
    shape: sizes
      .split(",")
      .map((size) => size.trim())
      .filter((size) => size !== "")
      .map(Number),
  };
}

function sidesOf(shape: readonly number[], mostSide: number): { rows: number; columns: number } {
  const [rows = 1, columns = 1] = shape.length < 2 ? [1, ...shape] : shape.slice(-2);
  if (shape.slice(0, -2).some((size) => size !== 1))
    throw new Unreadable("axes", shape.join(" × "));
  if (rows === 0 || columns === 0) throw new Unreadable("empty", shape.join(" × "));
  if (!(rows <= mostSide && columns <= mostSide))
    throw new Unreadable("tooLarge", `${rows} × ${columns}`);
  return { rows, columns };
}
