import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../errors.js";
import { blockType, decodeBlocks } from "./blocks.js";
import { configOf, parseGguf } from "./gguf.js";
import { openWeights } from "./index.js";

const read = (file: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../../tests/reference/files/${file}`, import.meta.url)));

/** The tensors of a safetensors file of f32. */
function tensorsOf(file: Uint8Array): Map<string, Float32Array> {
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as Record<
    string,
    { data_offsets: [number, number] }
  >;
  return new Map(
    Object.entries(header).map(
      ([
        name,
        {
          data_offsets: [from, to],
        },
      ]) => {
        const bytes = file.slice(8 + length + from, 8 + length + to);
        return [name, new Float32Array(bytes.buffer)];
      },
    ),
  );
}

describe("blocks of", () => {
  const vectors = tensorsOf(read("blocks.safetensors"));
  it.each([
    ["Q4_0", 2],
    ["Q4_1", 3],
    ["Q5_0", 6],
    ["Q5_1", 7],
    ["Q8_0", 8],
    ["Q4_K", 12],
    ["Q5_K", 13],
    ["Q6_K", 14],
  ])("%s are the numbers that ggml's library makes of them", (name, type) => {
    const found = blockType(type);
    if (found === undefined) throw new Error(`${name} is not read`);
    const bytes = Uint8Array.from(vectors.get(`${name}.blocks`) ?? []);
    const numbers = [...decodeBlocks(found, bytes)];
    const expected = [...(vectors.get(`${name}.numbers`) ?? [])];
    expect(numbers).toHaveLength(expected.length);
    const largest = Math.max(...expected.map(Math.abs));
    for (const [at, number] of expected.entries())
      expect(Math.abs((numbers[at] ?? NaN) - number), `${name} ${at}`).toBeLessThan(1e-6 * largest);
  });
});

describe("a broken file", () => {
  const open = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    try {
      const file = await openWeights("weights", new Blob([bytes]));
      for (let at = 0; at < file.size; at += 1 << 14) file.read(at, Math.min(file.size, at + 64));
      if (bytes[0] === 0x47)
        configOf(await parseGguf(bytes.length, (from, to) => bytes.slice(from, to)));
      return "works";
    } catch (thrown) {
      if (!(thrown instanceof HeadscopeError)) throw thrown;
      expect(thrown.message).toMatch(/\.$/);
      return thrown.code;
    }
  };

  it.each(["llama.gguf", "pytorch_model.bin"])(
    "%s works or is refused by its code",
    async (name) => {
      const good = read(name);
      expect(await open(good)).toBe("works");
      // The headers stand at the beginning, or of a zip file at the end.
      const edge = fc.oneof(
        fc.nat(2500),
        fc.nat(4000).map((back) => good.length - 1 - back),
      );
      const change = fc.record({ at: edge, byte: fc.nat(255), cut: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          let bytes = good.slice();
          for (const { at, byte } of changes) bytes[at] = byte;
          const [first] = changes;
          if (first?.cut) bytes = bytes.slice(0, first.at);
          expect(await open(bytes)).toMatch(/^(works|(checkpoint|config)\/[a-z-]+)$/);
        }),
        { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
      );
    },
  );
});
