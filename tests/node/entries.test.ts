// The entries of the package for single elements: what each fetches, and that a program without a
// document can import them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";

const folder = "dist/npm";
const IMPORTED = /\b(?:import|export)\b(?:[\w$\s{},*]*?\bfrom)?\s*["']\.\/([^"']+)["']/g;

/** A script and all that it imports at once. */
function scriptsOf(...names: readonly string[]): Set<string> {
  const found = new Set(names);
  // Elements added to a set during iteration are visited too.
  for (const name of found)
    for (const [, imported = ""] of readFileSync(`${folder}/${name}`, "utf8").matchAll(IMPORTED))
      found.add(imported);
  return found;
}

/** The script of a part that is fetched later. */
function later(part: string): string {
  const found = readdirSync(folder).find((name) => name.startsWith(`${part}-`));
  if (found === undefined) throw new Error(`there is no script ${part}`);
  return found;
}

/** Kilobytes as a server sends them that compresses with brotli. */
const kilobytes = (scripts: Iterable<string>): number =>
  [...scripts].reduce(
    (sum, name) => sum + brotliCompressSync(readFileSync(`${folder}/${name}`)).length / 1000,
    0,
  );

test.each([
  ["a heatmap of one's own arrays", ["heatmap.js"], 45, 4],
  ["lines of one's own arrays", ["lines.js"], 52, 7],
  ["a grid of one's own arrays", ["grid.js"], 52, 9],
  ["the engine alone", ["headscope.js"], 25, 5],
  ["any figure before it is near", ["embed.js"], 15, 3],
] as const)("the scripts of %s: %j are at most %d kB in %d files", (_, names, most, files) => {
  const scripts = scriptsOf(...names);
  expect(kilobytes(scripts)).toBeLessThan(most);
  expect(scripts.size).toBeLessThanOrEqual(files);
});

test("the scripts of a heatmap are at most 110 kB with a model, 56 kB with a file of numbers", () => {
  const model = scriptsOf("embed.js", "heatmap.js", later("model-filling"), "worker.js");
  expect(kilobytes(model)).toBeLessThan(110);
  const numbers = scriptsOf("embed.js", "heatmap.js", later("filling"));
  expect(kilobytes(numbers)).toBeLessThan(56);
  // Neither a worker nor a core is named by what such a figure fetches.
  const texts = [...numbers].map((name) => readFileSync(`${folder}/${name}`, "utf8"));
  expect(texts.join().match(/worker\.js|\.wasm/g)).toBeNull();
});

test("docs/figures.md has the sizes that the scripts have", () => {
  const table = readFileSync("docs/figures.md", "utf8");
  const written = [...table.matchAll(/^\| `.*\.js`.* \| (\d+) +\|$/gm)];
  const heatmap = ["embed.js", "heatmap.js"];
  const measured = [
    ["heatmap.js"],
    ["embed.js"],
    [...heatmap, later("filling")],
    [...heatmap, later("model-filling"), "worker.js"],
  ].map((names) => kilobytes(scriptsOf(...names)));
  expect(written).toHaveLength(measured.length);
  for (const [at, [, said]] of written.entries())
    expect(Math.abs(Number(said) - (measured[at] ?? NaN)), said).toBeLessThan(1.5);
});

test("every entry is imported in Node, defines nothing and says what it exports", () => {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
    exports: Record<string, { default?: string; types?: string }>;
  };
  const entries = Object.values(exports).flatMap(({ default: file, types }) =>
    file !== undefined && types?.includes("/entries/") ? [{ file, types }] : [],
  );
  expect(entries.length).toBeGreaterThan(15);
  const files = JSON.stringify([...entries.map(({ file }) => file), "./elements.js"]);
  // Lit writes its own versions.
  const script = `const before = new Set(Object.keys(globalThis));
    const names = {};
    for (const file of ${files})
      names[file] = Object.keys(await import(new URL(file, "file://" + process.cwd() + "/${folder}/")));
    const added = Object.keys(globalThis).filter((name) => !before.has(name));
    names.added = added.filter((name) => !/^(lit|reactiveElement)/.test(name));
    names.defined = ["customElements", "document", "HTMLElement"].filter((name) => name in globalThis);
    console.log(JSON.stringify(names));`;
  const said = execFileSync("node", ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  const names = JSON.parse(said) as Record<string, string[]>;
  expect([names.added, names.defined]).toEqual([[], []]);
  for (const { file, types } of entries) {
    const [, declared = ""] =
      /^export \{ (.*) \}/.exec(readFileSync(`${folder}/${types}`, "utf8")) ?? [];
    expect(names[file]?.toSorted(), file).toEqual(declared.split(", ").toSorted());
  }
});

/** The parts of the page's sentences that elements wait for before they are rendered. */
const ELEMENT_PARTS = readdirSync("www/elements", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .flatMap((name) => {
    const source = readFileSync(`www/elements/${name}`, "utf8");
    return [...source.matchAll(/ readonly sentences = \["(\w+)"\]/g)].map(([, part = ""]) => part);
  });

test.each([...new Set(ELEMENT_PARTS)])(
  "the one file of figures has the sentences of %s in both languages",
  (part) => {
    const json = readFileSync(`www/i18n/en/${part}.json`, "utf8");
    const script = readFileSync(`${folder}/figures.js`, "utf8");
    const counts = Object.keys(JSON.parse(json) as object).map(
      (name) => script.split(`"${name}":`).length - 1,
    );
    // Sentences that no figure of numbers writes are left out.
    expect(new Set(counts.filter((count) => count > 0))).toEqual(new Set([2]));
  },
);
