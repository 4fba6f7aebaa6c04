import { defineConfig } from "@playwright/test";
import pages from "../e2e/playwright.config.js";

/** Builds by other people's tools, opened in Chromium: `cargo xtask test hosts`. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/hosts",
  forbidOnly: process.env.CI !== undefined,
  workers: 1,
  // A production build of the largest framework takes most of it on a small machine.
  timeout: 300_000,
  reporter: [["list"]],
  use: { ...pages.use, serviceWorkers: "allow" },
  projects: [{ name: "hosts" }],
});
