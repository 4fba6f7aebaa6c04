import { readFileSync } from "node:fs";

/** A tensor of a bundled model's checkpoint in half precision, as the format's description has it: a length, a header, numbers. */
export function halfTensor(model: string, name: string): { shape: number[]; data: number[] } {
  const bytes = readFileSync(`models/${model}/model.safetensors`);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, start).toString("utf8")) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  const found = header[name];
  if (found?.dtype !== "F16") throw new Error(`${model} has no ${name} in half precision`);
  const [from, to] = found.data_offsets;
  return {
    shape: found.shape,
    data: Array.from({ length: (to - from) / 2 }, (_, at) =>
      half(bytes.readUInt16LE(start + from + 2 * at)),
    ),
  };
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return (
    sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : (2 ** -14 * fraction) / 1024)
  );
}
