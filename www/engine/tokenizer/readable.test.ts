import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBytes, readable, type Spelling, visible, withNamedBytes } from "./readable.js";

const PLAIN: Spelling = { bytes: false, space: "", prefix: "", suffix: "" };

it.each([
  ["", "␣"],
  ["  ", "␣␣"],
  ["\n", "↵"],
  ["\t", "⇥"],
  ["\u200B", "⟨U+200B⟩"],
  ["\u0301", "◌\u0301"],
  ["\uFFFD", "⟨U+FFFD⟩"],
  ["a\u0000b", "a⟨U+0000⟩b"],
  ["a\u202Eb", "a⟨U+202E⟩b"],
  ["👩‍👧", "👩‍👧"],
])("%j is shown as %s", (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it("never shows nothing, nor a replacement character", () => {
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
    .map((points) => String.fromCodePoint(...points));
  const shown = fc.property(anyText, (text) => {
    expect(visible(text)).not.toMatch(/^$|\uFFFD|[\p{Cc}\p{Cs}]/u);
  });
  fc.assert(shown);
});

it("decodes the bytes of every text", () => {
  const encoder = new TextEncoder();
  const graphemes = fc.string({ unit: "grapheme" });
  const decoded = fc.property(graphemes, (text) => {
    expect(decodeBytes([...encoder.encode(text)])).toBe(text);
  });
  fc.assert(decoded);
});

it.each([
  [[0xe2, 0x80], "⟨E2⟩⟨80⟩"],
  [[0x41, 0xff, 0x42], "A⟨FF⟩B"],
  [[0xc0, 0xaf], "⟨C0⟩⟨AF⟩"],
  [[0xed, 0xa0, 0x80], "⟨ED⟩⟨A0⟩⟨80⟩"],
])("names the bytes %j, which are no UTF-8", (bytes, shown) => {
  expect(decodeBytes(bytes)).toBe(shown);
});

it("reads bytes that stand together as one text, and names those that are left over", () => {
  const pieces = ["<0xE4>", "<0xBD>", "▁a", "<0xE4>", "<0xBD>", "<0xA0>", "<0xE5>", "b"];
  expect(withNamedBytes(pieces, PLAIN)).toEqual(["⟨E4⟩⟨BD⟩", "▁a", "你⟨E5⟩", "b"]);
  expect(withNamedBytes(["<0xEF>", "<0xBF>", "<0xBD>"], PLAIN)).toEqual(["\uFFFD"]);
  expect(readable("<0xE2>", { ...PLAIN, space: "▁" })).toBe("⟨E2⟩");
});
