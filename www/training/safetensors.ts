/**
 * Writes a safetensors file of f32: the length of the header in 8 bytes, the header as JSON padded
 * to a multiple of 8 bytes, the numbers.
 */

/** A tensor with its shape. */
export interface Numbers {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** The file with the given tensors, in their order. */
export function safetensorsOf(tensors: ReadonlyMap<string, Numbers>): Uint8Array {
  const header: Record<string, object> = { __metadata__: { format: "pt" } };
  let end = 0;
  for (const [name, { shape, values }] of tensors) {
    const begin = end;
    end += values.byteLength;
    header[name] = { dtype: "F32", shape, data_offsets: [begin, end] };
  }
  const json = JSON.stringify(header);
  const padded = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8));
  const file = new Uint8Array(8 + padded.length + end);
  const view = new DataView(file.buffer);
  view.setBigUint64(0, BigInt(padded.length), true);
  file.set(padded, 8);
  let at = 8 + padded.length;
  for (const { values } of tensors.values())
    for (const value of values) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  return file;
}

interface Entry {
  shape: number[];
  data_offsets: [begin: number, end: number];
}

/** The tensors of a safetensors file of f32, as a trainer writes it. */
export function tensorsOf(file: Uint8Array): Map<string, Numbers> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Record<
    string,
    Entry
  >;
  const { __metadata__: _, ...entries } = header;
  return new Map(
    Object.entries(entries).map(
      ([
        name,
        {
          shape,
          data_offsets: [begin, end],
        },
      ]) => {
        const values = Float32Array.from({ length: (end - begin) / 4 }, (_value, at) =>
          view.getFloat32(start + begin + 4 * at, true),
        );
        return [name, { shape, values }];
      },
    ),
  );
}
