import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import type { Slice } from "../../www/export/fonts.js";
import { charactersOf } from "./woff2.ts";

/** The virtual module of `www/export/fonts`: the list of all slices. */
const MODULE = "virtual:headscope-font-slices";
const CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/headscope-fonts");
/** The font weights of a canvas: `labelFont` uses two. */
const WEIGHTS = ["400", "600"] as const;

// Parts of fonts, in the form of `unicode-range`.

/**
 * Characters between and above letters: double bars, raised and lowered figures and letters. The
 * published slices lack them, or spread them over large files.
 */
const RAISED = "U+1D2C-1D6A,U+2016-2017,U+203E,U+2070-209F";
/** Characters in the page's own sentences. */
const EVERYDAY =
  "U+2190-2193,U+21B5,U+21E5,U+2202,U+2206-2208,U+2211-2213,U+221A,U+221E,U+2220,U+2248,U+2260,U+2264-2265,U+2295-2299,U+22A4-22A5,U+2308-230B,U+2423,U+2713,U+27E8-27E9";
/** Letter-like symbols, all arrows, operators, brackets and simple shapes. */
const SIGNS =
  "U+2032-2037,U+2100-2114,U+2118-2125,U+2190-22FF,U+2308-230B,U+23CE,U+2423,U+25A0-25FF,U+2713-2717,U+27E6-27EF";
/** Mathematical alphabets. */
const ALPHABETS = "U+1D400-1D7FF";

/**
 * Options for small slices: without tables for setting whole formulas, which stretch characters,
 * and without hints for low-resolution screens. The types of the library lack some options.
 */
const LEAN = {
  targetFormat: "woff2" as const,
  noLayoutClosure: true,
  noHinting: true,
  dropTables: ["MATH"],
};

/**
 * The fonts of a saved picture, in slices of some characters each, cut as the published web fonts
 * are, where these exist. Files that `without` matches are left out: their characters are then set
 * in the fonts of the system.
 */
export function fontSlices(without?: RegExp): Plugin {
  const known = `\0${MODULE}`;
  return {
    name: "headscope-font-slices",
    resolveId: (id) => (id === MODULE ? known : null),
    load: async (id) => {
      if (id !== known) return null;
      const files = (await sliceFiles()).filter(({ path }) => without?.test(path) !== true);
      const imports = files.map(
        ({ path }, index) => `import f${index} from ${JSON.stringify(`${path}?url&no-inline`)};`,
      );
      const slices = files.map(
        ({ family, weight, range }, index) =>
          `{family:${JSON.stringify(family)},weight:${JSON.stringify(weight)},range:${JSON.stringify(range)},url:f${index}}`,
      );
      return `${imports.join("\n")}\nexport default [${slices.join(",\n")}];\n`;
    },
    generateBundle() {
      // For the site and for the package: a site that serves the fonts serves their licence.
      this.emitFile({ type: "asset", fileName: "licences/fonts.txt", source: licences() });
    },
  };
}

type SliceFile = Omit<Slice, "url"> & { path: string };

/** The files of all slices, in the order in which they are searched for a character. */
async function sliceFiles(): Promise<SliceFile[]> {
  const whole = folderOf("@expo-google-fonts/noto-sans");
  const math = join(
    folderOf("@fontsource/noto-sans-math"),
    "files/noto-sans-math-latin-400-normal.woff2",
  );
  const raised = {
    400: "400Regular/NotoSans_400Regular.ttf",
    600: "600SemiBold/NotoSans_600SemiBold.ttf",
  };
  const letters = WEIGHTS.map(async (weight) => [
    await cut("Noto Sans", weight, join(whole, raised[weight]), RAISED),
    ...published("Noto Sans", weight, "@fontsource/noto-sans", weight),
  ]);
  const signs = [EVERYDAY, SIGNS, ALPHABETS].map((part) =>
    cut("Noto Sans Math", "400", math, part),
  );
  return [
    ...(await Promise.all(letters)).flat(),
    ...(await Promise.all(signs)),
    ...published("Noto Sans SC", "100 900", "@fontsource-variable/noto-sans-sc", "wght"),
  ];
}

/**
 * A package's own slices, smallest first: the smaller one is cheaper for a character that several
 * slices have. A slice lists the characters that the package states, as far as the file has them:
 * the statement names some that are missing, and every file has a space.
 */
function published(
  family: Slice["family"],
  weight: Slice["weight"],
  name: string,
  kind: string,
): SliceFile[] {
  const folder = folderOf(name);
  const ranges = JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8")) as Record<
    string,
    string
  >;
  const slices = Object.entries(ranges).map(([slice, range]) => {
    const path = join(
      folder,
      "files",
      `${basename(folder)}-${slice.replace(/[[\]]/g, "")}-${kind}-normal.woff2`,
    );
    const file = readFileSync(path);
    const listed = new Set(codesIn(range));
    const known = charactersOf(file).filter((code) => listed.has(code));
    return { family, weight, path, bytes: file.length, range: rangeOf(known) };
  });
  return slices.sort((a, b) => a.bytes - b.bytes);
}

/** Cuts some characters out of a font as a slice, cached until font or range changes. */
async function cut(
  family: Slice["family"],
  weight: Slice["weight"],
  source: string,
  part: string,
): Promise<SliceFile> {
  const font = readFileSync(source);
  const hash = createHash("sha256")
    .update(font)
    .update(JSON.stringify([part, LEAN]));
  const name = `${basename(source, extname(source)).toLowerCase()}-${hash.digest("hex").slice(0, 12)}`;
  const path = join(CACHE, `${name}.woff2`);
  if (!existsSync(path)) {
    // Loaded only if a slice must be cut.
    const { default: subset } = await import("subset-font");
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(path, await subset(font, String.fromCodePoint(...codesIn(part)), LEAN));
  }
  return { family, weight, path, range: rangeOf(charactersOf(readFileSync(path))) };
}

/** The code points of a range such as `U+41-5A,U+2212`. */
function codesIn(range: string): number[] {
  return range.split(",").flatMap((run) => {
    const [first = 0, last = first] = run
      .slice(2)
      .split("-")
      .map((code) => parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** A range in the syntax of style sheets for ascending code points: neighbours as one run. */
function rangeOf(codes: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const code of codes) {
    const run = runs.at(-1);
    if (code - 1 === run?.[1]) run[1] = code;
    else runs.push([code, code]);
  }
  const hex = (code: number): string => code.toString(16).toUpperCase();
  return runs
    .map(([first, last]) => (first === last ? `U+${hex(first)}` : `U+${hex(first)}-${hex(last)}`))
    .join(",");
}

function folderOf(name: string): string {
  return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
}

function licences(): string {
  const fonts = {
    "Noto Sans": "@fontsource/noto-sans",
    "Noto Sans Math": "@fontsource/noto-sans-math",
    "Noto Sans SC": "@fontsource-variable/noto-sans-sc",
  };
  return Object.entries(fonts)
    .map(
      ([name, folder]) =>
        `${name}\n\n${readFileSync(join(folderOf(folder), "LICENSE"), "utf8").trim()}\n`,
    )
    .join("\n\n");
}
