import { inflateSync, crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { describePng, encodePng } from "./png.js";

interface Chunk {
  type: string;
  content: Buffer;
}

/** Takes a PNG apart and checks each chunk's sum with Node's own. */
function chunksOf(png: Uint8Array): Chunk[] {
  const file = Buffer.from(png);
  expect(file.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const chunks: Chunk[] = [];
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
  it("holds the pixels, line by line", async () => {
    const [header, data, end] = chunksOf(await encodePng(PIXELS, 3, 2));
    expect(header).toMatchObject({
      type: "IHDR",
      content: Buffer.from([0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0]),
    });
    const lines = inflateSync(data?.content ?? Buffer.of());
    expect([...lines.subarray(0, 13)]).toEqual([0, ...PIXELS.subarray(0, 12)]);
    expect([...lines.subarray(13)]).toEqual([0, ...PIXELS.subarray(12)]);
    expect(end).toEqual({ type: "IEND", content: Buffer.of() });
  });

  it("carries texts of any script and its own density, before the pixels", async () => {
    const plain = await encodePng(PIXELS, 3, 2);
    const described = chunksOf(describePng(plain, { Title: "注意力 · é" }, 2));
    expect(described.map(({ type }) => type)).toEqual(["IHDR", "pHYs", "iTXt", "IDAT", "IEND"]);
    expect(described[1]?.content.readUInt32BE(0)).toBe(Math.round((2 * 96) / 0.0254));
    expect(described[2]?.content.toString("utf8")).toBe("Title\0\0\0\0\0注意力 · é");
  });
});
