// Apps that have the package as a dependency: frameworks that also render in Node, and Deno.
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  HOSTS,
  addModels,
  example,
  expect,
  installPackage,
  isDrawn,
  opened,
  run,
  test,
} from "./hosts.js";

const TOKENS = "<|endoftext|>|A|cat|and|a|dog|.";

test.beforeAll(installPackage);

for (const bundler of ["turbopack", "webpack"])
  test(`Next.js by ${bundler}: a static import`, async ({ page }) => {
    const folder = example("next", "public");
    // This repository has a lock file too, which Next.js would take for that of the app.
    const settings = { output: "export", turbopack: { root: HOSTS }, outputFileTracingRoot: HOSTS };
    const config = `export default ${JSON.stringify(settings)};`;
    writeFileSync(join(folder, "next.config.mjs"), config);
    run("next", ["build", `--${bundler}`], folder);
    addModels(join(folder, "out"));
    await opened(
      join(folder, "out"),
      page,
      async (address) => {
        await page.goto(address);
        await isDrawn(page.locator("headscope-heatmap"));
        await expect(page.locator("#tokens")).toHaveText(TOKENS, { timeout: 60_000 });
      },
      "/",
    );
  });

test("Astro: at the build, and in the page", async ({ page }) => {
  const folder = example("astro", "public");
  symlinkSync(resolve("models"), join(folder, "public/models"));
  run("astro", ["build"], folder);
  await opened(
    join(folder, "dist"),
    page,
    async (address) => {
      await page.goto(address);
      await isDrawn(page.locator("headscope-heatmap"));
      await expect(page.locator("#tokens")).toHaveText(TOKENS);
    },
    "/",
  );
});

test("Observable Framework: a file beside the page", async ({ page }) => {
  const folder = example("observable", "src");
  run("observable", ["build"], folder);
  await opened(join(folder, "dist"), page, async (address) => {
    await page.goto(address);
    await isDrawn(page.locator("headscope-heatmap"));
  });
});

test("Deno: a model in a script", () => {
  const folder = example("deno", ".");
  const words = ["run", "--node-modules-dir=manual", "--allow-all", "tokens.ts"];
  expect(run("deno", [...words, resolve("models/tiny-gpt")], folder).trim()).toContain(TOKENS);
});
