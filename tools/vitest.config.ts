import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { fontSlices } from "./vite/fonts.ts";

const files = ["www", "tools"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`),
);
const having = (words: string): string[] =>
  files.filter((file) => readFileSync(file, "utf8").includes(words));
// A file that needs a document says so in its first line.
const dom = having("@vitest-environment happy-dom");
// A file that replaces or reloads a module, or says `@isolate`, gets modules of its own; the others
// share one import of each, which takes a quarter of the time.
const alone = ["vi.mock(", "vi.resetModules(", "// @isolate"].flatMap(having);

const SETUP = ["tools/vitest-waits.ts", "tools/vitest-seeds.ts"];
/** The time after which `expect.poll` gives up, on a busy machine too. */
const PATIENCE_MILLIS = 10_000;

const unit = (name: string, include: string[], isolate: boolean) => ({
  extends: true as const,
  test: {
    name,
    include,
    isolate,
    setupFiles: [...SETUP, "www/i18n/testing/languages.ts"],
    // Generous: a busy machine is no failure.
    testTimeout: 30_000,
    // A test that compares nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: PATIENCE_MILLIS } },
  },
});

export default defineConfig({
  plugins: [fontSlices()],
  test: {
    // A snapshot that is missing is a failure: `--update` writes it, and the author reads it.
    update: "none",
    projects: [
      unit(
        "unit",
        files.filter((file) => ![...dom, ...alone].includes(file)),
        false,
      ),
      unit(
        "unit-dom",
        dom.filter((file) => !alone.includes(file)),
        false,
      ),
      unit("unit-isolated", alone, true),
      // Against the built page and package, in an installed Firefox: `npm run firefox`.
      {
        extends: true,
        test: {
          name: "firefox",
          include: ["tests/firefox/**/*.test.ts"],
          testTimeout: 120_000,
          server: { deps: { external: [/dist[\\/]npm/] } },
        },
      },
      // Against the built package: run `npm run build:npm` first.
      {
        extends: true,
        test: {
          name: "node",
          include: ["tests/node/**/*.test.ts"],
          setupFiles: SETUP,
          testTimeout: 60_000,
          // The package as it is shipped, not as Vite would transform it.
          server: { deps: { external: [/dist[\\/]npm/] } },
        },
      },
    ],
  },
});
