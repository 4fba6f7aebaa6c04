import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import slices from "virtual:headscope-font-slices";
import { chosen, covers } from "./choose.js";
import type { Characters } from "./texts.js";

const codes = (text: string): Set<number> =>
  new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0));
const set = (plain: string, bold = ""): Characters => ({ 400: codes(plain), 600: codes(bold) });
const named = (characters: Characters): string[] =>
  chosen(characters, slices).map(
    ({ url, weight }) => `${url.replace(/^.*\/|-[0-9a-f]{12}|-normal|\.woff2.*$/g, "")} ${weight}`,
  );

describe("the slices of a picture", () => {
  it("are those of its letters, in the weights that they have", () => {
    expect(named(set("The dog"))).toEqual(["noto-sans-latin-400 400"]);
    expect(named(set("The dog", "weights"))).toEqual([
      "noto-sans-latin-400 400",
      "noto-sans-latin-600 600",
    ]);
    expect(named(set("", "Ελλάδα·мир"))).toEqual([
      "noto-sans-cyrillic-600 600",
      "noto-sans-greek-600 600",
      "noto-sans-latin-600 600",
    ]);
    expect(named(set("ő"))).toEqual(["noto-sans-latin-ext-400 400"]);
  });

  it("are few where the page says something with signs, and one where it has both weights", () => {
    expect(named(set("10⁻³ ᵀ ‖"))).toEqual(["notosans_400regular 400", "noto-sans-latin-400 400"]);
    expect(named(set("→√⊙", "∞"))).toEqual(["noto-sans-math-latin-400 400"]);
    const chinese = chosen(set("权", "权"), slices);
    expect(chinese.map(({ family, weight }) => [family, weight])).toEqual([
      ["Noto Sans SC", "100 900"],
    ]);
  });

  it("are no more for spaces, which every slice has, or for what the slices at hand have as well", () => {
    expect(named(set("a b\u00A0c"))).toEqual(["noto-sans-latin-400 400"]);
    const ordinary = chosen(set("这是一个图中所示的权重"), slices);
    for (const slice of ordinary)
      expect(
        [...codes("这是一个图中所示的权重")].some(
          (code) =>
            covers(slice, code) && ordinary.filter((other) => covers(other, code)).length === 1,
        ),
      ).toBe(true);
  });

  it("are none for what only systems have", () => {
    expect(named(set("שלום 🙂"))).toEqual(["noto-sans-latin-400 400"]);
    expect(named(set("🙂"))).toEqual([]);
  });
});

/** A mark that stands above a letter comes in one font with it: both are left to the system's. */
const LEFT_TO_THE_SYSTEM = new Set(["\u0302"]);

describe("what the page itself may print", () => {
  const root = join(import.meta.dirname, "../..");
  const sources = [
    "i18n/en",
    "i18n/zh-CN",
    "draw",
    "elements/shared",
    "elements/steps",
    "export",
  ].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|json)$/.test(name) && !name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );

  it.each(sources)("of %s every sign is in a slice", (source) => {
    const signs = new Set(readFileSync(join(root, source), "utf8").match(/[^\0-\x7f]/gu));
    const lacking = [...signs].filter(
      (sign) =>
        !LEFT_TO_THE_SYSTEM.has(sign) &&
        !slices.some((slice) => covers(slice, sign.codePointAt(0) ?? 0)),
    );
    expect(lacking).toEqual([]);
  });

  it("has each in its own file, and what a file is said to have it has", () => {
    const latin = slices.find(({ url }) => url.includes("noto-sans-latin-400"));
    if (!latin) throw new Error("no Latin letters");
    // The package claims all of U+2000-206F for it.
    expect(Array.from("Aé…−").every((sign) => covers(latin, sign.codePointAt(0) ?? 0))).toBe(true);
    expect(Array.from("‖→權").some((sign) => covers(latin, sign.codePointAt(0) ?? 0))).toBe(false);
  });
});
