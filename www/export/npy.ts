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
