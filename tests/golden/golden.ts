// Golden files: what a release answers and saves, committed, so that a refactoring can show that it
// changes none of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Whether golden files are written and not compared: `npm run golden`. */
const IS_WRITING = process.env.GOLDEN !== undefined;

/**
 * The text of a golden file, none where there is no file. When golden files are written, `now`
 * becomes that text.
 */
export function golden(name: string, now: string): string {
  const path = new URL(name, import.meta.url);
  if (!IS_WRITING) return existsSync(path) ? readFileSync(path, "utf8") : "";
  mkdirSync(dirname(path.pathname), { recursive: true });
  writeFileSync(path, now);
  return now;
}

/**
 * The texts of a golden file that holds several, by their names. When golden files are written,
 * `now` becomes them.
 */
export function goldenSections(
  name: string,
  now: ReadonlyMap<string, string>,
): Map<string, string> {
  const sorted = [...now].sort(([one], [other]) => (one < other ? -1 : 1));
  const file = golden(name, sorted.map(([title, text]) => `== ${title}\n${text}\n`).join(""));
  return new Map(
    file
      .split(/^== /m)
      .slice(1)
      .map((section): [string, string] => {
        const end = section.indexOf("\n");
        return [section.slice(0, end), section.slice(end + 1, -1)];
      }),
  );
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
