import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const BASE = "data i18n draw elements headscope.ts reduce signals.ts state styles ui";
const SESSION = "session session/run session/models";

/**
 * The modules that each module may import: a folder of `www`, a folder inside it with a line of its
 * own, or a file at the top of `www`.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  data: "",
  "signals.ts": "data",
  styles: "",
  i18n: "data signals.ts",
  reduce: "data",
  engine: "data",
  offline: "data",
  state: "data i18n signals.ts",
  draw: "data i18n",
  export: "data i18n draw",
  elements: "data i18n draw reduce styles",
  "headscope.ts": "data engine",
  studies: "data engine headscope.ts",
  training: "data engine headscope.ts",
  command: "data engine headscope.ts studies",
  ui: "data i18n elements headscope.ts signals.ts styles",
  "session/models": "data i18n engine headscope.ts offline signals.ts state",
  "session/run": `${BASE} session/models`,
  session: `${BASE} export session/run session/models studies`,
  notebook: "data i18n draw elements export reduce ui",
  kit: `${BASE} export ${SESSION}`,
  "experiments/calculator": `${BASE} export kit ${SESSION}`,
  "experiments/patching": `${BASE} export kit ${SESSION}`,
  "experiments/demos": `${BASE} export kit ${SESSION} experiments/calculator experiments/patching`,
  experiments: `${BASE} export kit ${SESSION} experiments/calculator experiments/patching experiments/demos`,
  "panels/export": `${BASE} export kit ${SESSION}`,
  panels: `${BASE} engine export kit ${SESSION} experiments panels/export`,
  lessons: `${BASE} ${SESSION}`,
  "training/page": `${BASE} export kit ${SESSION} training`,
  explorer: `${BASE} export kit ${SESSION} lessons panels training/page`,
  embed: `${BASE} engine export kit ${SESSION} experiments/patching explorer`,
  "page.ts": "main.ts styles",
  "main.ts": "data i18n draw elements engine explorer offline session state styles",
};

/** The exponentials of a softmax or an activation, by name, by text or taken out of `Math`. */
const EXPONENTIAL = /\bMath(?:\.|\[")(?:exp|E|expm1|tanh|log1p|sinh|cosh)\b|\}\s*=\s*Math\b/;
/** `sum += a[i] * b[j]` and `sum = sum + a[i] * b[j]`: terms of a matrix product. */
const SUM_OF_PRODUCTS = /(?:\+=|(\w+) = \1 \+)[^;]*\][^;+]*\*[^;+]*\[/;
/** `a.reduce((sum, x, i) => sum + x * b[i], 0)`. */
const REDUCED_PRODUCTS =
  /\.reduce\(\((\w+), (\w+)[^)]*\) =>\s*\1 \+ (?:\2 \* \w+\[|\w+\[[^\]]*\][^,]*\* \2\b)/;

const isOfForwardPass = (text: string): boolean =>
  [EXPONENTIAL, SUM_OF_PRODUCTS, REDUCED_PRODUCTS].some((rule) => rule.test(text));

const root = dirname(fileURLToPath(import.meta.url));
/** The code of the page by path, without tests and the compiled engine. */
const sources = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file) && !/testing|engine.wasm/.test(file))
    .map((file) => [file, readFileSync(join(root, file), "utf8")]),
);

/** The module of a path: the longest listed folder that contains the path, or its first folder. */
function moduleOf(path: string): string {
  const parts = path.replace(/\.js$/, ".ts").split(sep);
  const inner = parts.slice(0, 2).join("/");
  return inner in ALLOWED ? inner : (parts[0] ?? "");
}

/** The names of what a text reads of a session. */
function valuesOfSession(text: string): Set<string> {
  const read = [...text.matchAll(/\bsession\.(\w+)\b(?!")/g)].map(([, name = ""]) => name);
  const taken = [...text.matchAll(/const \{([^}]*)\} = (?:this\.)?session;/g)].flatMap(
    ([, names = ""]) => names.match(/\w+/g) ?? [],
  );
  return new Set([...read, ...taken].filter((name) => name !== "js"));
}

describe("the sources of the page", () => {
  it("import only modules that are below their own", () => {
    const wrong = [...sources].flatMap(([file, text]) => {
      const own = moduleOf(file);
      const allowed = ALLOWED[own]?.split(" ") ?? [];
      return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)["'](\.[^"']+)["']/g)]
        .map(([, path = ""]) => moduleOf(relative(root, join(root, dirname(file), path))))
        .filter((other) => other !== own && other !== ".." && !allowed.includes(other))
        .map((other) => `${file} imports ${other}`);
    });
    expect(wrong).toEqual([]);
    expect(sources.size).toBeGreaterThan(150);
  });

  it("contain no second forward pass", () => {
    const found = [...sources].filter(([, text]) => isOfForwardPass(text)).map(([file]) => file);
    expect(found).toEqual([]);
  });

  it("are given a value, and not the session, where they read one of it", () => {
    const parts = [...sources].filter(
      ([file, text]) => /^(panels|explorer)/.test(file) && text.includes("extends SessionPart"),
    );
    const wrong = parts.filter(([, text]) => valuesOfSession(text).size < 2);
    expect(wrong.map(([file]) => file)).toEqual([]);
    expect(parts.length).toBeGreaterThan(10);
    expect([...valuesOfSession("const { state, info } = this.session; session.info;")]).toEqual([
      "info",
      "state",
    ]);
  });

  it.each([
    ["const e = row.map((x) => Math.exp(x - max));", true],
    ["for (let k = 0; k < d; k += 1) sum += a[i * d + k] * b[k * n + j];", true],
    ["sum += (a[i] ?? 0) * (b[i] ?? 0);", true],
    ["sum = sum + a[i] * b[j];", true],
    ["const dot = a.reduce((sum, x, i) => sum + x * b[i], 0);", true],
    ["const { exp } = Math;", true],
    ["const products = keys.map((value, index) => value * query[index]);", false],
    ["for (const value of row) mass += value;", false],
    ["x += columns * cellWidth;", false],
  ])("%s: of a forward pass is %s", (text, is) => {
    expect(isOfForwardPass(text)).toBe(is);
  });

  it("have the tests that docs/features.md names", () => {
    const lines = readFileSync("docs/features.md", "utf8").split("\n");
    const features = lines.filter((line) => line.startsWith("- "));
    const missing = features.filter((line) => {
      const [, file = "", title = ""] = / — `([^`]+)` › (.+)$/.exec(line) ?? [];
      // A title that is a placeholder alone is in every file that has a table of cases.
      const says = title.replaceAll(/%[sdio]/g, "").trim();
      return says === "" || !existsSync(file) || !readFileSync(file, "utf8").includes(title);
    });
    expect(missing).toEqual([]);
    expect(features.length).toBeGreaterThan(150);
  });
});

const read = (name: string): string => readFileSync(join(root, "styles", name), "utf8");

it("takes no Chinese character from a Korean font: those lend signs alone, in English alone", () => {
  const [english, chinese] = read("palette.css").split(":lang(zh)");
  const lists = /--headscope-font-\w+:\s[^;]+/g;
  expect(english?.match(lists)).toHaveLength(2);
  for (const fonts of english?.match(lists) ?? []) {
    expect(fonts).not.toContain("CJK KR");
    expect(fonts).toMatch(/"Headscope (serif )?signs",\s+"Noto (Sans|Serif) CJK SC"/);
  }
  expect(chinese).not.toMatch(/KR|signs/);
  const faces = read("signs.css").split("@font-face").slice(1);
  expect(
    faces.filter(
      (face) =>
        /font-family: "Headscope (serif )?signs"/.test(face) &&
        face.includes("unicode-range: U+B7, U+2018-201D, U+2026;"),
    ),
  ).toHaveLength(faces.length);
});
