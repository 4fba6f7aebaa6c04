// Tools that make documents: a figure is one line, live on the page and a picture elsewhere.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { example, expect, isDrawn, isPicture, opened, run, test } from "./hosts.js";

const LUA = "headscope.lua";
const SCRIPT = "headscope-figures.js";
const PDF_START = "%PDF-";
const ALT = "Weights of one head: each word has most weight on the word before it";

test("mdBook: a preprocessor", async ({ page }) => {
  const folder = example("mdbook", "src/heads");
  run("mdbook", ["build"], folder);
  await opened(join(folder, "book"), page, async (address) => {
    await page.goto(`${address}heads/previous.html`);
    await isDrawn(page.locator("headscope-heatmap"));
    await isPicture(page, `${address}heads/previous.html`);
    // The page of all chapters is for print: it has the picture.
    await page.goto(`${address}print.html`);
    await expect(page.getByRole("img", { name: ALT })).toBeVisible();
  });
  const chapter = join(folder, "src/heads/previous.md");
  writeFileSync(chapter, readFileSync(chapter, "utf8").replace("figure.json", "none.json"));
  expect(() => run("mdbook", ["build"], folder)).toThrow(/heads\/previous\.md.*docs\/no-file/s);
});

test("Sphinx: a directive in reStructuredText and MyST", async ({ page }) => {
  const folder = example("sphinx", ".");
  run("sphinx", ["-q", "-W", ".", "html"], folder);
  await opened(join(folder, "html"), page, async (address) => {
    await page.goto(`${address}index.html`);
    await isDrawn(page.locator("headscope-heatmap"));
    await expect(page.locator("figcaption")).toContainText("nothing is above the diagonal");
    await isPicture(page, `${address}index.html`);
    await page.goto(`${address}heads/previous.html`);
    await isDrawn(page.locator("headscope-lines"));
  });
  run("sphinx", ["-q", "-W", "-b", "latex", ".", "latex"], folder);
  const tex = readFileSync(join(folder, "latex/heads.tex"), "utf8");
  expect(tex.match(/\\sphinxincludegraphics\{\{figure\}\.pdf\}/g)).toHaveLength(2);
  const pdf = readFileSync(join(folder, "latex/figure.pdf"));
  expect(pdf.subarray(0, PDF_START.length).toString()).toBe(PDF_START);
  const start = join(folder, "index.rst");
  writeFileSync(start, readFileSync(start, "utf8").replace(":alt:", ":lyer:"));
  expect(() => run("sphinx", ["-q", "-W", ".", "html"], folder)).toThrow(/unknown option: "lyer"/);
});

test("MkDocs: a plug-in", async ({ page }) => {
  const folder = example("mkdocs", "docs/heads");
  run("mkdocs", ["build", "--quiet", "--strict"], folder);
  await opened(join(folder, "site"), page, async (address) => {
    await page.goto(`${address}heads/previous/`);
    await isDrawn(page.locator("headscope-heatmap"));
    await isPicture(page, `${address}heads/previous/`);
    await page.goto(address);
    await expect(page.locator("script[src*=headscope]")).toHaveCount(0);
  });
  const chapter = join(folder, "docs/heads/previous.md");
  writeFileSync(chapter, readFileSync(chapter, "utf8").replace(/ alt="[^"]*"/, ""));
  expect(() => run("mkdocs", ["build", "--quiet"], folder)).toThrow(
    /heads\/previous\.md.*docs\/no-alt/s,
  );
});

// Quarto is no package of a registry: its shortcode is run by the pandoc that Quarto contains.
test("Quarto: the shortcode, by pandoc", async ({ page }) => {
  const folder = example("quarto", ".");
  const extension = resolve("dist/quarto/_extensions/headscope");
  const text = readFileSync(join(folder, "heads.qmd"), "utf8");
  writeFileSync(join(folder, "heads.md"), text.replace(/^\{\{<.*>\}\}$/m, "~~~\n$&\n~~~"));
  const pandoc = (output: string): string =>
    run(
      "python",
      [resolve("tests/hosts/pandoc.py"), join(extension, LUA), "heads.md", output],
      folder,
    );
  pandoc("heads.html");
  copyFileSync(join(extension, SCRIPT), join(folder, SCRIPT));
  await opened(folder, page, async (address) => {
    await page.goto(`${address}heads.html`);
    await isDrawn(page.locator("headscope-heatmap"));
    await isPicture(page, `${address}heads.html`);
  });
  pandoc("heads.tex");
  expect(readFileSync(join(folder, "heads.tex"), "utf8")).toMatch(/\\includesvg.*figure\.svg/);
});
