// What a registry shows of the package, and what its licences ask for.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = "dist/npm";
const read = (file: string): string => readFileSync(`${folder}/${file}`, "utf8");

test("the package says where it comes from and carries its licences", () => {
  const own = JSON.parse(read("package.json")) as Record<string, unknown>;
  const workspace = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
  for (const field of ["version", "license", "author", "homepage", "bugs", "repository"])
    expect(own[field], field).toEqual(workspace[field]);
  expect(own.keywords).toContain("attention");
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"])
    expect(read(file)).toBe(readFileSync(file, "utf8"));
  expect(read("README.md")).toBe(readFileSync("docs/package.md", "utf8"));
});

test("each entry of the package is there", () => {
  const { exports } = JSON.parse(read("package.json")) as { exports: object };
  const files = [...JSON.stringify(exports).matchAll(/"(\.\/[^"]+\.\w+)"/g)];
  // Some are conditions and not files.
  const paths = files.map(([, path = ""]) => path).filter((path) => path !== "./elements.js");
  expect(paths.filter((path) => !existsSync(`${folder}/${path}`))).toEqual([]);
});

interface Described {
  tagName: string;
  description: string;
  attributes: { name: string }[];
  members: { name: string }[];
  events: { name: string }[];
  cssParts: { name: string; description: string }[];
}

test("the manifest describes every element with its attributes, properties, events and parts", () => {
  const manifest = JSON.parse(read("custom-elements.json")) as {
    modules: { path: string; declarations: Described[] }[];
  };
  const elements = manifest.modules.flatMap(({ declarations }) => declarations);
  const readme = readFileSync("www/elements/README.md", "utf8");
  const [, rows = ""] = readme.split(/^\| tag +\| properties.*$/m);
  const documented = [...(rows.split("\n\n")[0] ?? "").matchAll(/^\| `<([a-z-]+)>` +\|/gm)];
  const tags = documented.map(([, tag = ""]) => tag);
  expect(elements.map(({ tagName }) => tagName).toSorted()).toEqual(
    [...tags, "head-scope"].toSorted(),
  );
  for (const { tagName, description, cssParts } of elements) {
    expect(description, tagName).not.toBe("");
    expect(cssParts.length, tagName).toBeGreaterThan(1);
    for (const part of cssParts) expect(part.description, part.name).not.toBe("");
  }
  const source = readFileSync("www/elements/events.ts", "utf8");
  const events = [...source.matchAll(/^ {2}"(headscope-[a-z-]+)":/gm)].map(([, name = ""]) => name);
  const fired = new Set(elements.flatMap((one) => one.events.map(({ name }) => name)));
  expect([...fired].toSorted()).toEqual(events.toSorted());
  const scope = elements.find(({ tagName }) => tagName === "head-scope");
  expect(scope?.members.map(({ name }) => name)).toEqual(["state"]);
  const heatmap = elements.find(({ tagName }) => tagName === "headscope-heatmap");
  expect(heatmap?.attributes.map(({ name }) => name)).toContain("model");
  const members = heatmap?.members.map(({ name }) => name);
  expect(members).toContain("tensor");
  expect(members).not.toContain("hovered");
});
