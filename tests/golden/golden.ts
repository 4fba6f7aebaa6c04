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

/** A golden file of several texts, by their names, each compared by a test of its own. */
export class GoldenSections {
  private readonly now = new Map<string, string>();
  private readonly recorded: ReadonlyMap<string, string>;

  constructor(private readonly name: string) {
    const path = new URL(name, import.meta.url);
    const file = existsSync(path) ? readFileSync(path, "utf8") : "";
    const sections = file.split(/^== /m).slice(1);
    this.recorded = new Map(
      sections.map((section): [string, string] => {
        const end = section.indexOf("\n");
        return [section.slice(0, end), section.slice(end + 1, -1)];
      }),
    );
  }

  /** The names of all texts, sorted. */
  get titles(): string[] {
    return [...(IS_WRITING ? this.now : this.recorded).keys()].sort();
  }

  /** The recorded text, empty where there is none; `now` when golden files are written. */
  textOf(title: string, now: string): string {
    this.now.set(title, now);
    return IS_WRITING ? now : (this.recorded.get(title) ?? "");
  }

  /** Writes the file when golden files are written, once all of its texts are there. */
  end(): void {
    if (!IS_WRITING) return;
    const sorted = [...this.now].sort(([one], [other]) => (one < other ? -1 : 1));
    golden(this.name, sorted.map(([title, text]) => `== ${title}\n${text}\n`).join(""));
  }
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
