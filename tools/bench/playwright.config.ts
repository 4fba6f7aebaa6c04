import { defineConfig } from "@playwright/test";
import pages from "../../tests/e2e/playwright.config.js";

export default defineConfig({
  ...pages,
  testDir: ".",
  testMatch: "bench.ts",
  timeout: 1_800_000,
  reporter: "line",
  projects: [{ name: "bench" }],
  webServer: [],
});
