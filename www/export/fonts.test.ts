import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import slices from "virtual:headscope-font-slices";
import { labelFont, type Print } from "../draw/theme.js";
import { chosen, covers, type Slice } from "./fonts.js";
import { PAPER_INKS } from "./sheet.js";
import { fonted } from "./svg.js";

const codes = (text: string): Set<number> =>
  new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0));

it.each<[plain: string, bold: string, slices: string]>([
  ["a b\u00A0c", "", "noto-sans-latin-400"],
  ["The dog", "weights", "noto-sans-latin-400 noto-sans-latin-600"],
  ["", "Ελλάδα·мир", "noto-sans-cyrillic-600 noto-sans-greek-600 noto-sans-latin-600"],
  ["ő", "", "noto-sans-latin-ext-400"],
  // The signs that the page itself uses are in few slices, of which one has both weights.
  ["10⁻³ ᵀ ‖", "", "notosans_400regular noto-sans-latin-400"],
  ["→√⊙", "∞", "noto-sans-math-latin-400"],
  // What only systems have is in none.
  ["שלום 🙂", "", "noto-sans-latin-400"],
])(
  "the slices of %j and, in bold, %j are the fewest that have all letters",
  (plain, bold, names) => {
    const found = chosen({ 400: codes(plain), 600: codes(bold) }, slices);
    const short = found.map(({ url }) =>
      url.replace(/^.*\/|-[0-9a-f]{12}|-normal|\.woff2.*$/g, ""),
    );
    expect(short.join(" ")).toBe(names);
  },
);

it("slices have every sign that the page itself may print", () => {
  const root = join(import.meta.dirname, "..");
  const folders = ["i18n", "draw", "elements/shared", "elements/steps", "export"];
  const lacking = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|json)$/.test(name) && !name.endsWith(".test.ts"))
      .flatMap((name) => [
        ...new Set(readFileSync(join(root, folder, name), "utf8").match(/[^\0-\x7f]/gu)),
      ])
      // A mark that stands above a letter comes in one font with it: both are left to the system's.
      .filter((sign) => sign !== "\u0302")
      .filter((sign) => !slices.some((one) => covers(one, sign.codePointAt(0) ?? 0))),
  );
  expect(lacking).toEqual([]);
});

it("a picture is laid out anew with every font that it turns out to need, and only then", async () => {
  const listed: Slice[] = [
    { family: "Noto Sans", weight: "400", range: "U+20-7E", url: "latin-400" },
    { family: "Noto Sans", weight: "600", range: "U+20-7E", url: "latin-600" },
    { family: "Noto Sans SC", weight: "100 900", range: "U+4E00,U+6743", url: "chinese" },
  ];
  const load = vi.fn((slice: Slice) => Promise.resolve({ slice, bytes: new ArrayBuffer() }));
  const written = (...texts: [text: string, weight: "normal" | "bold"][]): Print => ({
    width: 100,
    height: 20,
    paint: (brush) => {
      for (const [text, weight] of texts) {
        brush.font = labelFont(PAPER_INKS, weight);
        brush.fillText(text, 0, 10);
      }
    },
  });
  // In its own letters there is room for more of it, as where a label was cut.
  const make = vi.fn(() =>
    load.mock.calls.length > 0
      ? written(["a", "normal"], ["权🙂", "bold"])
      : written(["a", "normal"]),
  );
  const ready = await fonted(make, () => Promise.resolve(listed), load);
  expect(ready?.slices.map(({ slice }) => slice.url)).toEqual(["latin-400", "chinese"]);
  expect([ready?.lacking, make.mock.calls.length, load.mock.calls.length]).toEqual([false, 3, 2]);
});
