import { defineConfig } from "@playwright/test";
import { resolve } from "node:path";
import base from "./playwright.config.js";

/** Writes docs/screenshots from the built site: `npm run screenshots`. */
export default defineConfig({
  ...base,
  testDir: import.meta.dirname,
  testMatch: "screenshots.ts",
  webServer: {
    command: "npm run preview -- --port 4318 --strictPort",
    port: 4318,
    cwd: resolve(import.meta.dirname, "../.."),
  },
  use: { ...base.use, baseURL: "http://localhost:4318/" },
});
