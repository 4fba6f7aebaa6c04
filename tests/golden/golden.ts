// Golden files: what a release answers and saves, committed, so that a refactoring can show that it changes none of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Whether golden files are written and not compared: `npm run golden`. */
export const IS_WRITING = process.env.GOLDEN !== undefined;

/** Where a golden file is. */
export const goldenPath = (name: string): URL => new URL(name, import.meta.url);

/** The text of a golden file, none where there is no file. When golden files are written, `now` becomes that text. */
export function golden(name: string, now: string): string {
  const path = goldenPath(name);
  if (!IS_WRITING) return existsSync(path) ? readFileSync(path, "utf8") : "";
  mkdirSync(dirname(path.pathname), { recursive: true });
  writeFileSync(path, now);
  return now;
}

/** Longer lines of JSON are broken. */
const LONGEST_LINE = 160;

/** JSON with a line for each list of numbers, and for each value that fits into one. */
export function jsonText(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value);
  const isFlat = Array.isArray(value) && value.every((item) => typeof item !== "object");
  if (typeof value !== "object" || value === null || isFlat || flat.length < LONGEST_LINE)
    return flat;
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [`${JSON.stringify(key)}: ${jsonText(item, inner)}`],
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}
