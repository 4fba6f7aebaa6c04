import { crc32, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { describePng, encodePng, scaleOf } from "./png.js";

/** Takes a PNG apart and checks each chunk's sum with Node's own. */
function chunksOf(png: Uint8Array): { type: string; content: Buffer }[] {
  const file = Buffer.from(png);
  expect(file.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const chunks: { type: string; content: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.push({ type: named.subarray(0, 4).toString("latin1"), content: named.subarray(4) });
    at += length + 12;
  }
  return chunks;
}

const PIXELS = Uint8ClampedArray.from({ length: 3 * 2 * 4 }, (_, index) => index * 10);

describe("PNG", () => {
  it("holds the pixels line by line, texts of any script and its own density", async () => {
    const plain = await encodePng(PIXELS, 3, 2);
    const chunks = chunksOf(describePng(plain, { Title: "注意力 · é" }, 2));
    expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "pHYs", "iTXt", "IDAT", "IEND"]);
    const [header, density, title, data] = chunks.map(({ content }) => content);
    expect(header).toEqual(Buffer.from([0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0]));
    expect(density?.readUInt32BE(0)).toBe(Math.round((2 * 96) / 0.0254));
    expect(title?.toString("utf8")).toBe("Title\0\0\0\0\0注意力 · é");
    const lines = inflateSync(data ?? Buffer.of());
    expect([...lines]).toEqual([0, ...PIXELS.subarray(0, 12), 0, ...PIXELS.subarray(12)]);
  });

  it.each([
    [640, 480, 3],
    [1500, 1400, 2],
    // Never more than a canvas holds, along a side or in all.
    [70_000, 240, 32_767 / 70_000],
    [9000, 9000, 4096 / 9000],
  ])("of a picture of %d × %d has %d times its pixels", (width, height, scale) => {
    expect(scaleOf({ width, height })).toBeCloseTo(scale, 6);
  });
});
