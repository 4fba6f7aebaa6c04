import { defineConfig } from "vitest/config";
import { fontSlices } from "./vite.fonts.ts";

export default defineConfig({
  plugins: [fontSlices()],
  test: {
    // A snapshot that is missing is a failure: one is written where `--update` asks for it, and looked at.
    update: "none",
    projects: [
      // Beside the code. A file that needs a document says so with `// @vitest-environment happy-dom`.
      // Generous with time: a busy machine is no failure.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["www/**/*.test.ts"],
          setupFiles: ["www/i18n/testing/languages.ts"],
          testTimeout: 30_000,
        },
      },
      // Against the built package: run `npm run build:npm` first.
      {
        extends: true,
        test: {
          name: "node",
          include: ["tests/node/**/*.test.ts"],
          testTimeout: 60_000,
          // The package as it is shipped, not as Vite would transform it.
          server: { deps: { external: [/dist[\\/]npm/] } },
        },
      },
    ],
  },
});
