import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { bytesOf, unpacked, type Packing } from "./numbers.js";

/** Weights as Python writes them; its test reads the same file. */
const saved = JSON.parse(readFileSync("python/tests/packed.json", "utf8")) as {
  packings: (Packing & { data: string })[];
} & Record<Packing["encoding"], number[]>;

it.each(saved.packings)("reads what Python writes: $encoding", async ({ data, ...packing }) => {
  const weights = await unpacked(bytesOf(data), packing);
  expect([...weights]).toEqual([...Float32Array.from(saved[packing.encoding])]);
});

it("refuses bytes of another number of weights", async () => {
  const [short] = saved.packings;
  if (!short) throw new Error("there are no weights");
  const packing = { ...short, count: 7 };
  await expect(unpacked(bytesOf(short.data), packing)).rejects.toThrow(/bytes of numbers expected/);
  const none = { encoding: "float32", count: 0, exact: 0 } as const;
  const nothing = Uint8Array.from(deflateSync(new Uint8Array()));
  expect(await unpacked(nothing, none)).toHaveLength(0);
});
