// NumPy's own format, version 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// Its header has room for the shape alone, so where the numbers come from stands in the file's name.
import type { Tensor } from "../data/index.js";

/** `\x93NUMPY` */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const VERSION = [1, 0];
const LENGTH_BYTES = 2;
/** Where the numbers begin is a multiple of this, so that they can be mapped into memory. */
const ALIGNMENT = 64;

/** Little-endian single precision in row-major order. Infinities and NaN are kept as they are. */
export function npy({ data, shape }: Tensor): Uint8Array<ArrayBuffer> {
  const sizes = shape.length === 1 ? `${shape[0] ?? 0},` : shape.join(", ");
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${sizes}), }`;
  const before = MAGIC.length + VERSION.length + LENGTH_BYTES;
  const start = Math.ceil((before + header.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(start + data.length * Float32Array.BYTES_PER_ELEMENT);
  const view = new DataView(file.buffer);
  file.set([...MAGIC, ...VERSION]);
  view.setUint16(before - LENGTH_BYTES, start - before, true);
  file.set(new TextEncoder().encode(`${header.padEnd(start - before - 1)}\n`), before);
  data.forEach((value, index) => view.setFloat32(start + index * Float32Array.BYTES_PER_ELEMENT, value, true));
  return file;
}
