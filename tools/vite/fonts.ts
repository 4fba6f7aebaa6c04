import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import type { Slice } from "../../www/export/fonts.js";
import { charactersOf, joined, type CodePoints } from "./woff2.ts";

/** What `www/export/fonts` imports: the list of all slices. */
const MODULE = "virtual:headscope-font-slices";
const CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/headscope-fonts");
/** Those of a canvas font: `labelFont` knows two. */
const WEIGHTS = ["400", "600"] as const;

/** Signs between and above letters: double bars, raised and lowered figures and letters. The slices for the web leave them out, or keep few of them among much. */
const RAISED: readonly CodePoints[] = [
  [0x1d2c, 0x1d6a],
  [0x2016, 0x2017],
  [0x203e, 0x203e],
  [0x2070, 0x209f],
];
/** Those that the page itself says something with. */
const EVERYDAY: readonly CodePoints[] = [
  [0x2190, 0x2193],
  [0x21b5, 0x21b5],
  [0x21e5, 0x21e5],
  [0x2202, 0x2202],
  [0x2206, 0x2208],
  [0x2211, 0x2213],
  [0x221a, 0x221a],
  [0x221e, 0x221e],
  [0x2220, 0x2220],
  [0x2248, 0x2248],
  [0x2260, 0x2260],
  [0x2264, 0x2265],
  [0x2295, 0x2299],
  [0x22a4, 0x22a5],
  [0x2308, 0x230b],
  [0x2423, 0x2423],
  [0x2713, 0x2713],
  [0x27e8, 0x27e9],
];
/** Letter-like signs, all arrows, operators, brackets and simple shapes. */
const SIGNS: readonly CodePoints[] = [
  [0x2032, 0x2037],
  [0x2100, 0x2114],
  [0x2118, 0x2125],
  [0x2190, 0x22ff],
  [0x2308, 0x230b],
  [0x23ce, 0x23ce],
  [0x2423, 0x2423],
  [0x25a0, 0x25ff],
  [0x2713, 0x2717],
  [0x27e6, 0x27ef],
];
/** Letters as mathematicians write them. */
const ALPHABETS: readonly CodePoints[] = [[0x1d400, 0x1d7ff]];

/** Without what sets whole formulas, which stretches signs, and without hints for coarse screens: half as large. Its types know less than it does. */
const LEAN = {
  targetFormat: "woff2" as const,
  noLayoutClosure: true,
  noHinting: true,
  dropTables: ["MATH"],
};

/** The fonts of a saved picture in slices of some characters each, cut as the web has them, where it has them. */
export function fontSlices(): Plugin {
  const known = `\0${MODULE}`;
  return {
    name: "headscope-font-slices",
    resolveId: (id) => (id === MODULE ? known : null),
    load: async (id) => {
      if (id !== known) return null;
      const files = await sliceFiles();
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
      // Beside the site as beside the package: a site that serves the fonts serves their licence.
      this.emitFile({ type: "asset", fileName: "licences/fonts.txt", source: licences() });
    },
  };
}

type SliceFile = Omit<Slice, "url"> & { path: string };

/** In the order in which they are asked for a character. */
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
 * A package's own slices, smallest first: the smaller one is the cheaper for a character that several have. A slice is for the
 * characters that the package says, as far as the file has them: the list names some that are not in it, and each has a space.
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
    const listed = new Set(range.split(",").flatMap((run) => codesOf(runOf(run))));
    return {
      family,
      weight,
      path,
      bytes: file.length,
      range: rangeOf(
        charactersOf(file)
          .flatMap(codesOf)
          .filter((code) => listed.has(code)),
      ),
    };
  });
  return slices.sort((a, b) => a.bytes - b.bytes);
}

/** Some characters of a font, as a slice of its own. */
async function cut(
  family: Slice["family"],
  weight: Slice["weight"],
  font: string,
  part: readonly CodePoints[],
): Promise<SliceFile> {
  const path = await cutOf(font, part);
  return {
    family,
    weight,
    path,
    range: rangeOf(charactersOf(readFileSync(path)).flatMap(codesOf)),
  };
}

/** A part of a font, cut once and cached until font or part changes. */
async function cutOf(path: string, part: readonly CodePoints[]): Promise<string> {
  const font = readFileSync(path);
  const name = createHash("sha256")
    .update(font)
    .update(JSON.stringify([part, LEAN]))
    .digest("hex")
    .slice(0, 12);
  const cached = join(CACHE, `${path.replace(/^.*[\\/]|\.\w+$/g, "").toLowerCase()}-${name}.woff2`);
  if (existsSync(cached)) return cached;
  // Only where something is to be cut.
  const { default: subset } = await import("subset-font");
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(cached, await subset(font, String.fromCodePoint(...part.flatMap(codesOf)), LEAN));
  return cached;
}

/** `U+4E00-4E05` as numbers. */
function runOf(range: string): CodePoints {
  const [first = "", last = first] = range.slice(2).split("-");
  return [parseInt(first, 16), parseInt(last, 16)];
}

function codesOf([first, last]: CodePoints): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Characters in ascending order, as a style sheet writes them. */
function rangeOf(codes: readonly number[]): string {
  const hex = (code: number): string => code.toString(16).toUpperCase();
  return joined(codes)
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
