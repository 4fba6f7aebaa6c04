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
