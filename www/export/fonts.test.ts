// @vitest-environment happy-dom
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import slices from "virtual:headscope-font-slices";
import { widthOf } from "../draw/text.js";
import { labelFont, type Print } from "../draw/theme.js";
import { chosen, covers, load, paintedName, type Characters, type Slice } from "./fonts.js";
import { PAPER_INKS } from "./sheet.js";
import { fonted, SvgBrush } from "./svg.js";

const codes = (text: string): Set<number> =>
  new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0));
const set = (plain: string, bold = ""): Characters => ({ 400: codes(plain), 600: codes(bold) });
const named = (characters: Characters): string[] =>
  chosen(characters, slices).map(
    ({ url, weight }) => `${url.replace(/^.*\/|-[0-9a-f]{12}|-normal|\.woff2.*$/g, "")} ${weight}`,
  );

describe("the slices of a picture", () => {
  it.each<[plain: string, bold: string, slices: string[]]>([
    ["a b\u00A0c", "", ["noto-sans-latin-400 400"]],
    ["The dog", "weights", ["noto-sans-latin-400 400", "noto-sans-latin-600 600"]],
    [
      "",
      "Ελλάδα·мир",
      ["noto-sans-cyrillic-600 600", "noto-sans-greek-600 600", "noto-sans-latin-600 600"],
    ],
    ["ő", "", ["noto-sans-latin-ext-400 400"]],
    // The signs that the page itself uses are in few slices, of which one has both weights.
    ["10⁻³ ᵀ ‖", "", ["notosans_400regular 400", "noto-sans-latin-400 400"]],
    ["→√⊙", "∞", ["noto-sans-math-latin-400 400"]],
    // What only systems have is in none.
    ["שלום 🙂", "", ["noto-sans-latin-400 400"]],
  ])("are the fewest that have the letters of %j and, in bold, %j", (plain, bold, wanted) => {
    expect(named(set(plain, bold))).toEqual(wanted);
  });

  it("have every sign that the page itself may print", () => {
    const root = join(import.meta.dirname, "..");
    const folders = [
      "i18n/en",
      "i18n/zh-CN",
      "draw",
      "elements/shared",
      "elements/steps",
      "export",
    ];
    /** A mark that stands above a letter comes in one font with it: both are left to the system's. */
    const left = new Set(["\u0302"]);
    const lacking = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|json)$/.test(name) && !name.endsWith(".test.ts"))
        .flatMap((name) =>
          [...new Set(readFileSync(join(root, folder, name), "utf8").match(/[^\0-\x7f]/gu))]
            .filter((sign) => !left.has(sign))
            .filter((sign) => !slices.some((one) => covers(one, sign.codePointAt(0) ?? 0)))
            .map((sign) => `${folder}/${name}: ${sign}`),
        ),
    );
    expect(lacking).toEqual([]);
  });
});

const SLICES: Slice[] = [
  { family: "Noto Sans", weight: "400", range: "U+20-7E", url: "latin-400" },
  { family: "Noto Sans", weight: "600", range: "U+20-7E", url: "latin-600" },
  { family: "Noto Sans SC", weight: "100 900", range: "U+4E00,U+6743", url: "chinese" },
];
const listed = (): Promise<Slice[]> => Promise.resolve(SLICES);
const loads = vi.fn((slice: Slice) =>
  Promise.resolve({ slice, bytes: Uint8Array.of(0, 1, 2, 255).buffer }),
);
const measure = () => (text: string) => text.length * 6;

function written(...texts: [text: string, weight: "normal" | "bold"][]): Print {
  return {
    width: 100,
    height: 20,
    paint: (brush) => {
      for (const [text, weight] of texts) {
        brush.save();
        brush.font = labelFont(PAPER_INKS, weight);
        brush.fillText(text, 0, 10);
        brush.restore();
      }
    },
  };
}

afterEach(() => {
  loads.mockClear();
  vi.unstubAllGlobals();
});

describe("a picture in its own fonts", () => {
  it("is laid out anew with every font that it turns out to need, and only then", async () => {
    const brush = new SvgBrush("", "", measure);
    written(["ab", "normal"], ["b🙂", "bold"]).paint(brush);
    expect(brush.characters).toEqual({ 400: codes("ab"), 600: codes("b🙂") });
    // In its own letters there is room for more of it, as where a label was cut.
    const make = vi.fn(() =>
      loads.mock.calls.length > 0
        ? written(["a", "normal"], ["权", "bold"])
        : written(["a", "normal"]),
    );
    const ready = await fonted(make, measure, listed, loads);
    expect(ready?.slices.map(({ slice }) => slice.url)).toEqual(["latin-400", "chinese"]);
    expect([ready?.lacking, make.mock.calls.length, loads.mock.calls.length]).toEqual([
      false,
      3,
      2,
    ]);
  });
});

describe("a slice that was fetched", () => {
  it("is what texts are measured in from then on, and is asked for again where it did not come", async () => {
    const there: { family: string }[] = [];
    class Face {
      constructor(readonly family: string) {}
      load(): Promise<this> {
        return Promise.resolve(this);
      }
    }
    const brush = {
      font: "",
      measureText: (text: string) => ({ width: text.length * (there.length > 0 ? 7 : 5) }),
    };
    const slice: Slice = { family: "Noto Sans", weight: "400", range: "U+20-7E", url: "latin" };
    const font = `10px "${paintedName(slice.family)}"`;
    vi.stubGlobal("FontFace", Face);
    vi.stubGlobal("document", { fonts: { add: (face: Face) => there.push(face) } });
    const fetch = vi.fn(() => Promise.resolve(new Response(null, { status: 404 })));
    vi.stubGlobal("fetch", fetch);
    for (let turn = 0; turn < 2; turn += 1) await expect(load(slice)).rejects.toThrow("404");
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(widthOf(brush, font, "four")).toBe(20);
    fetch.mockResolvedValue(new Response(Uint8Array.of(1)));
    await load(slice);
    expect(there.map(({ family }) => family)).toEqual([paintedName(slice.family)]);
    expect(widthOf(brush, font, "four")).toBe(28);
  });
});
