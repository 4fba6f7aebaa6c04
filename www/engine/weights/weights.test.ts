import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../errors.js";
import { configOf, parseGguf } from "./gguf.js";
import { openWeights } from "./index.js";

const read = (file: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../../tests/reference/files/${file}`, import.meta.url)));

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

  it.each(["gemma3.gguf", "llama.gguf", "phi3.gguf", "pytorch_model.bin"])(
    "%s works or is refused by its code",
    async (name) => {
      const good = read(name);
      expect(await open(good)).toBe("works");
      // The headers stand at the beginning, or of a zip file at the end.
      const at = fc.integer({ min: -4000, max: 4200 });
      // Bytes of a negative length lead a pickle's reader back to their opcode.
      const by = fc.oneof(fc.tuple(fc.nat(255)), fc.constant([0x42, 0xfb, 0xff, 0xff, 0xff]));
      const change = fc.record({ at, by, cut: fc.nat(7) });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          let bytes = good.slice();
          for (const { at, by } of changes) bytes.set(by, at < 0 ? good.length - 4 + at : at);
          const [first] = changes;
          if (first?.cut === 0) bytes = bytes.slice(0, first.at);
          expect(await open(bytes)).toMatch(/^(works|(checkpoint|config)\/[a-z-]+)$/);
        }),
        { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
      );
    },
  );
});
