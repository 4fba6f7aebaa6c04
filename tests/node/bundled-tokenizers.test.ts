import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BundledEngine } from "../../www/engine/tokenizer/bundled.js";
import { parseDescription } from "../../www/engine/tokenizer/description.js";
import { engineOf } from "./library.js";

const lines = (
  JSON.parse(
    readFileSync(new URL("../reference/tokenizer-files/cases.json", import.meta.url), "utf8"),
  ) as { lines: string[] }
).lines;

/**
 * What both know of Unicode: the library has older tables than a browser, which differ in marks and
 * signs of rarer scripts.
 */
const RANGES: readonly [first: number, last: number][] = [
  [0, 0x5ff],
  [0x1e00, 0x2dff],
  [0x3000, 0x9fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xffef],
  [0x1f300, 0x1f5ff],
];

/** Every character of these ranges with letters around it, some at a time. */
function characters(): string[] {
  const points = RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
  const words = points.map((point) => `a${String.fromCodePoint(point)}b`);
  return Array.from({ length: Math.ceil(words.length / 64) }, (_, at) =>
    words.slice(64 * at, 64 * at + 64).join(" "),
  );
}

it.each(["tiny-bert", "tiny-gpt", "en-fr"])(
  "the small tokenizer of %s gives what Hugging Face's library gives",
  (name) => {
    const json = readFileSync(`models/${name}/tokenizer.json`, "utf8");
    const small = new BundledEngine(parseDescription(json));
    const library = engineOf(json);
    const wrong = [...lines, ...characters()].filter((text, at) => {
      const pair = at % 7 === 0 ? (lines[at % 100] ?? null) : null;
      const [ours, theirs] = [small, library].map((engine) => {
        const { ids, types, words } = engine.encode(text, pair, true);
        const decoded = engine.decode(Array.from(ids));
        return JSON.stringify([Array.from(ids), Array.from(types), Array.from(words), decoded]);
      });
      return ours !== theirs;
    });
    expect(wrong).toEqual([]);
  },
);
