import { defineConfig, devices } from "@playwright/test";

const port = Number(process.env.HEADSCOPE_E2E_PORT ?? 4317);
// Chromium refuses its own sandbox as root, which is how containers usually run.
const asRoot = process.getuid?.() === 0;

/** The tests on Chromium's software GPU. */
const GPU = "gpu.spec.ts";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  // Tests write models and whole sites there.
  preserveOutput: "failures-only",
  forbidOnly: process.env.CI !== undefined,
  workers: 1,
  // Generous: a busy machine is no failure.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  retries: 0,
  reporter: [["list"]],
  use: {
    baseURL: `http://localhost:${port}/`,
    launchOptions: {
      executablePath: process.env.HEADSCOPE_CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--disable-background-networking",
        "--disable-quic",
        ...(asRoot ? ["--no-sandbox"] : []),
      ],
    },
    // Only where it is tested: what a service worker answers, a test cannot hold back or replace.
    serviceWorkers: "block",
    // The crosshair of a first visit would walk while a test reads; one test lets it.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
  },
  projects: [
    // They take longest of all, and begin first.
    { name: "gpu", testMatch: GPU, use: { ...devices["Desktop Chrome"] } },
    { name: "chromium", testIgnore: GPU, use: { ...devices["Desktop Chrome"] } },
    // Writes docs/screenshots from the built site: `npm run screenshots`.
    { name: "screenshots", testMatch: "screenshots.ts" },
  ],
  webServer: {
    command: `npm run preview -- --port ${port}`,
    cwd: "../..",
    port,
    reuseExistingServer: false,
  },
});
