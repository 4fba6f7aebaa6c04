import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Which rooms each room may import; every file of `www` is in one of them. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  data: [],
  "signals.ts": [],
  i18n: ["data", "signals.ts"],
  reduce: ["data"],
  engine: ["data"],
  offline: ["data"],
  state: ["data", "i18n", "signals.ts"],
  draw: ["data", "i18n"],
  export: ["data", "draw"],
  elements: ["data", "i18n", "draw", "reduce"],
  ui: ["data", "i18n", "elements", "headscope.ts", "signals.ts"],
  views: [
    "data",
    "i18n",
    "draw",
    "export",
    "elements",
    "engine",
    "headscope.ts",
    "offline",
    "reduce",
    "signals.ts",
    "state",
    "styles",
    "ui",
  ],
  styles: [],
  embed: [
    "data",
    "i18n",
    "draw",
    "elements",
    "engine",
    "headscope.ts",
    "signals.ts",
    "state",
    "ui",
    "views",
  ],
  "main.ts": ["data", "i18n", "draw", "elements", "views", "engine", "offline", "state", "styles"],
  "headscope.ts": ["data", "engine"],
};

const root = dirname(fileURLToPath(import.meta.url));

/** The room of a path inside `www`: its first folder, or a file at the top by its name. */
function roomOf(path: string): string {
  return (relative(root, path).split(sep)[0] ?? "").replace(/\.js$/, ".ts");
}

/** Static, dynamic and type-only imports, re-exports included. */
function importsOf(source: string): string[] {
  const statements = source.matchAll(/(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)["']([^"']+)["']/g);
  return [...statements].map(([, specifier]) => specifier ?? "");
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith(`engine${sep}wasm${sep}`))
  .map((file) => join(root, file))
  .filter(
    (file) =>
      ![
        "arrows.test.ts",
        "bindings.test.ts",
        "features.test.ts",
        "signals.test.ts",
        "no-forward-pass.test.ts",
        "wasm-modules.d.ts",
      ].includes(roomOf(file)),
  );

describe("the arrows between rooms", () => {
  it.each(files.map((file) => [relative(root, file), file]))(
    "%s imports only rooms before its own",
    (_, file) => {
      const room = roomOf(file);
      expect(Object.keys(ALLOWED)).toContain(room);
      const reached = importsOf(readFileSync(file, "utf8"))
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => roomOf(join(dirname(file), specifier)))
        .filter((other) => other !== room && other !== "..");
      for (const other of reached) expect(ALLOWED[room], `${room} -> ${other}`).toContain(other);
    },
  );
});
