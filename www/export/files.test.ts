import { crc32, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { describePng, encodePng, scaleOf } from "./png.js";
import fc from "fast-check";
import { recorder, testInks } from "../draw/testing/recorder.js";
import { sheetOf, wrapped } from "./sheet.js";
import { csv, shortest, tableCsv } from "./number-files.js";
import { labelled, PROVENANCE } from "./testing/labelled.js";
import { fileName, NO_HEAD, type Provenance, type Reading } from "./provenance.js";

/** Takes a PNG apart and checks each chunk's sum with Node's own. */
function chunksOf(png: Uint8Array): { type: string; content: Buffer }[] {
  const file = Buffer.from(png);
  expect(file.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const chunks: { type: string; content: Buffer }[] = [];
  for (let at = 8; at < file.length;) {
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
    const chunks = chunksOf(describePng(plain, { Title: "注意力 · é" }, (2 * 96) / 0.0254));
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

const count = (text: string): number => Array.from(text).length;

it.each<[text: string, room: number, most: number, lines: string[]]>([
  ["The dog, it bites the man.", 12, 9, ["The dog, it", "bites the", "man."]],
  ["don't stop well-known (words)", 11, 9, ["don't stop", "well-known", "(words)"]],
  ["one two three four", 5, 2, ["one", "two…"]],
  ["狗咬了那个人。", 4, 9, ["狗咬了", "那个人。"]],
  ["", 5, 2, []],
])("a text %j is broken between words and marked where it is cut", (text, room, most, lines) => {
  expect(wrapped(text, room, most, count)).toEqual(lines);
});

it("no line is longer than its room", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 4, max: 20 }), (text, room) => {
      const lines = wrapped(text, room, 3, count);
      expect(lines.length).toBeLessThanOrEqual(3);
      for (const line of lines) expect(count(line)).toBeLessThanOrEqual(room);
    }),
  );
});

it("a sheet leaves the end of a very long text to the description, and keeps all words above the picture", () => {
  const { brush, done } = recorder();
  const words = { title: "A head", lines: ["word ".repeat(200)], maker: "Headscope" };
  const picture = { width: 300, height: 200, paint: () => undefined };
  const sheet = sheetOf(picture, words, testInks);
  sheet.paint(brush);
  const lines = done("fillText").slice(1, -1);
  expect(lines).toHaveLength(3);
  expect(String(lines[2]?.args[0])).toMatch(/…$/);
  const [[x = 0, y = 0] = []] = done("translate").map(({ args }) => args as number[]);
  for (const { args } of lines) expect(Number(args[2])).toBeLessThan(y);
  expect([x + 300 < sheet.width, y + 200 < sheet.height]).toEqual([true, true]);
});

/** The lines below the provenance. */
const below = (pieces: Iterable<string>): string =>
  [...pieces].join("").replace(/^\uFEFF(#.*\r\n)+/, "");

it("a CSV has no field that a spreadsheet would run or a reader would take for a comment", () => {
  const names = ["=1+1", "-1", "@a", "#", 'a "b", # c', "\t=1"];
  expect(below(csv(labelled([-1, 1, 1, 1, 1, 1], [["+1"], names]), PROVENANCE))).toBe(
    'query\\key,1 =1+1,2 -1,3 @a,"4 #","5 a ""b"", # c",6 \t=1\r\n1 +1,-1,1,1,1,1,1\r\n',
  );
  const rows = [["\r=HYPERLINK(1)", "\n=1", -1, NaN]];
  expect(below(tableCsv({ columns: ["=1+1", "\r=1", "p", "q"], rows }, PROVENANCE))).toBe(
    `'=1+1,"'\r=1",p,q\r\n"'\r=HYPERLINK(1)","'\n=1",-1,\r\n`,
  );
});

it("a CSV says above the table where the numbers come from, any text on its line and in one field", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.constantFrom(',=HYPERLINK("x")', "a;=1", '","', '\\"', "a\r\n#b", "\t=1"),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const lines = [...csv(labelled([], [[], []]), { ...PROVENANCE, text })].join("");
      const field = /^# text: (.*?)\r$/ms.exec(lines)?.[1] ?? "";
      expect(field).not.toMatch(/[,;\t\r\n]/);
      expect(JSON.parse(field)).toBe(text);
    }),
  );
});

it("a decimal reads back as the same number, in no more digits than single precision has", () => {
  fc.assert(
    fc.property(fc.float(), (value) => Object.is(Math.fround(Number(shortest(value))), value)),
    { numRuns: 2000 },
  );
  const values = [0.1, 1 / 3, 16777216, 1.1754943508222875e-38, 3.4028234663852886e38];
  expect(
    [...values, -0, -Infinity, NaN].map((value) => shortest(Math.fround(value))).join(" "),
  ).toBe("0.1 0.33333334 16777216 1.1754944e-38 3.4028235e+38 -0 -Infinity NaN");
});

const named = (changes: Partial<Provenance>): string =>
  fileName({ ...PROVENANCE, ...changes }, "svg");
const bytes = (name: string): number => new TextEncoder().encode(name).length;

const START = "headscope_en-fr_cross_layer-2_head-3_weights";
const SAME: Reading = PROVENANCE;
const EDITS = { heads: [{ gate: 0 }] };
const PART = {
  region: { query: 40, key: 30, rows: 20, columns: 8 },
  whole: { rows: 61, columns: 61 },
};
it.each<[name: string, changes: Partial<Provenance>]>([
  [`${START}_she-gave-him.svg`, {}],
  [
    "headscope_en-fr_encoder_hidden-0_she-gave-him.svg",
    { ...NO_HEAD, quantity: "hidden", stack: "encoder", hiddenStates: 0 },
  ],
  [
    "headscope_en-fr_logits_edited_she-gave-him.svg",
    { ...NO_HEAD, quantity: "logits", edits: EDITS },
  ],
  [`${START}_edited_she-gave-him.svg`, { edits: { blocks: [{ residual: false }] } }],
  [`${START}_she-gave-him.svg`, { edits: { masks: [], blocks: [] } }],
  [`${START}_q41-60_k31-38_she-gave-him.svg`, { part: PART }],
  [`${START}_she-gave-him_vs-he-gave-her.svg`, { compared: { ...SAME, text: "He gave her" } }],
  [
    `${START}_she-gave-him_vs-tiny-bert_he-gave-her.svg`,
    { compared: { ...SAME, model: "tiny-bert", text: "He gave her" } },
  ],
  [
    `${START}_she-gave-him_vs-encoder-1-8.svg`,
    { compared: { ...SAME, stack: "encoder", layer: 0, head: 7 } },
  ],
  [`${START}_edited_she-gave-him_vs-original.svg`, { edits: EDITS, compared: SAME }],
  [`${START}_she-gave-him_vs-edited.svg`, { compared: { ...SAME, edits: EDITS } }],
  [`${START}_she-gave-him_vs-same-text.svg`, { compared: SAME }],
  [`${START}_lété-où.svg`, { text: "L’été, où?" }],
  [`${START}_她给了他那本书.svg`, { text: "她给了他那本书。" }],
  [`${START}_नमस्ते.svg`, { text: "नमस्ते" }],
  [`${START}_${"字".repeat(21)}.svg`, { text: "字".repeat(300) }],
  [`${START}_word${"-word".repeat(12)}.svg`, { text: "word ".repeat(100) }],
])("a file is named %s", (name, changes) => {
  expect(named(changes)).toBe(name);
});

it("a name suits every file system, whatever was typed and compared", () => {
  const long = { model: "m".repeat(90), text: "字".repeat(300) };
  const place = { stack: "decoder", layer: 99, head: 99 } as const;
  const compared = { ...SAME, ...place, model: "n".repeat(90), text: "话".repeat(300) };
  const all = { ...long, part: PART, edits: EDITS, quantity: "weights-difference", compared };
  expect(bytes(named(all))).toBeLessThan(255);
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 150 }),
      fc.string({ maxLength: 60 }),
      (typed, folder) => {
        const name = named({ text: typed, model: folder });
        expect(name).not.toMatch(/[\\/:*?"<>|\s]|^\.|\p{C}/u);
        expect(bytes(name)).toBeLessThan(255);
        expect(name).toMatch(/^headscope_.*[^.]\.svg$/);
      },
    ),
    { numRuns: 50 },
  );
});
