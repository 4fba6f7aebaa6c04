// NumPy's own format, version 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// Its header has room for the shape alone, so where the numbers come from stands in the file's name.

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
  const sizes = shape.length === 1 ? `${shape[0] ?? 0},` : shape.join(", ");
  const header = `{'descr': '<f${bytes}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const before = MAGIC.length + VERSION.length + LENGTH_BYTES;
  const start = Math.ceil((before + header.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(start + data.length * bytes);
  const view = new DataView(file.buffer);
  file.set([...MAGIC, ...VERSION]);
  view.setUint16(before - LENGTH_BYTES, start - before, true);
  file.set(new TextEncoder().encode(`${header.padEnd(start - before - 1)}\n`), before);
  const put = data instanceof Float64Array ? view.setFloat64.bind(view) : view.setFloat32.bind(view);
  data.forEach((value, index) => put(start + index * bytes, value, true));
  return file;
}
