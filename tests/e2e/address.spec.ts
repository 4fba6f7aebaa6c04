import { expect, test } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

test("a link carries the text, the head, the stage, the theme and the edits, and is copied beside each picture", async ({
  page,
  context,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await explorer.stack("Encoder").check();
  await explorer.head(3, 4).click();
  await explorer.stage("scores").check();
  await page.getByRole("radio", { name: "Dark" }).check();
  await page.getByRole("button", { name: "Silence this head" }).click();
  await explorer.type("The cat & the dog = friends? 50% “oui” #1 + 1");
  await expect(page).toHaveURL(/text=The\+cat/);
  const other = new ExplorerPage(await context.newPage());
  await other.open(new URL(page.url()).hash);
  expect(await other.texts()).toEqual(await explorer.texts());
  await expect(other.headTitle).toHaveText("Layer 3 · head 4");
  await expect(other.stage("scores")).toBeChecked();
  await expect(other.stack("Encoder")).toBeChecked();
  await expect(other.chips).toHaveText(/Encoder 3\.4 silenced/);
  await expect(other.page.locator("html")).toHaveAttribute("data-theme", "dark");
  await test.step("copied", async () => {
    await page.goto("about:blank");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const explorer = new ExplorerPage(page);
    await explorer.open();
    await explorer.sentence.fill("Typed a moment ago.");
    await page.locator("headscope-top-bar").getByRole("button", { name: "Copy link" }).click();
    await expect(
      page.locator("headscope-top-bar").getByRole("button", { name: "Link copied" }),
    ).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      new URL("#v=1&text=Typed+a+moment+ago.", page.url()).href,
    );
    // The same beside each picture that has no menu of its own.
    await explorer.settle();
    for (const [at, panel] of ["headscope-heads-panel", "headscope-head-measures"].entries()) {
      await explorer.head(1, at + 1).click();
      await explorer.settle();
      await page.locator(panel).getByRole("button", { name: "Copy link" }).click();
      await expect(page.locator(panel).getByRole("button", { name: "Link copied" })).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        new URL(`#v=1&text=Typed+a+moment+ago.&layer=1&head=${at + 1}`, page.url()).href,
      );
      await expect(page.locator(panel).getByRole("button", { name: "Copy link" })).toBeVisible();
    }
  });
});

test("a reload right after a change or a letter keeps it", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const viridis = page.getByRole("radio", { name: "Viridis" });
  // In the page itself, where nothing comes between the two.
  await viridis.evaluate((radio: HTMLInputElement) => {
    radio.click();
    location.reload();
  });
  await page.waitForEvent("load");
  await explorer.settle();
  await expect(viridis).toBeChecked();
  await expect(page).toHaveURL(/colours=viridis/);
  await test.step("letters", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog");
    await explorer.sentence.evaluate((area: HTMLTextAreaElement) => {
      for (const text of ["The dog b", "The dog bi", "The dog bites."]) {
        area.value = text;
        area.dispatchEvent(new Event("input", { bubbles: true }));
      }
      location.reload();
    });
    await page.waitForEvent("load");
    await explorer.settle();
    await expect(explorer.sentence).toHaveValue("The dog bites.");
    await expect(page).toHaveURL(/text=The\+dog\+bites\.$/);
  });
});

/** Runs of cells that are one number, repeated four thousand million times. */
const ENDLESS = "{'block':'*BAX_____Dw'}";

/** What a link cannot mean, and what the page says of it. */
const HOSTILE = [
  ["a newer version", "v=99", "This link was made by a newer Headscope"],
  [
    "a gate that no model takes",
    "edits={'heads':[{'gate':1e7}]}",
    "left at its usual value: edits.",
  ],
  [
    "values of other types",
    "layer=-3&head=1e9&stack=__proto__&edits=!!!&cell=<script>&model=//example.org&%00=%ff&constructor=x",
    "layer, head, stack, edits, cell, model",
  ],
  ["a link of another grammar", "edits=c2.3x0", "left at its usual value: edits."],
  [
    "packed cells that are no base64",
    "edits={'masks':[{'block':'*!!!!'}]}",
    "left at its usual value: edits.",
  ],
  [
    "packed cells that are none",
    "edits={'masks':[{'block':'*AAAABBBB'}]}",
    "left at its usual value: edits.",
  ],
  [
    "packed cells beyond any mask",
    `edits={'masks':[${ENDLESS}]}`,
    "left at its usual value: edits.",
  ],
  [
    "a hundred of them",
    `edits={'masks':[${Array(100).fill(ENDLESS).join()}]}`,
    "left at its usual value: edits.",
  ],
  [
    "more than any page says",
    `text=${"word+".repeat(100_000)}`,
    "This link is too long to be a page of Headscope",
  ],
  ["no fields at all", "%%%&&&===&=&v=&v=x&\u202e", "Part of the link could not be read"],
] as const;

test("a link that cannot be read is a notice, and the page works", async ({ page }) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  for (const [what, hash, notice] of HOSTILE) {
    await test.step(what, async () => {
      await page.goto("about:blank");
      await page.goto(`./#v=1&${hash}`);
      await expect(page.getByRole("status", { name: "Notices" })).toContainText(notice);
      await expect(explorer.sentence).toHaveValue("She gave him the book that he wanted to read.");
      await expect(explorer.chips).toHaveCount(0);
    });
  }
  await explorer.type("It works.");
  await expect(page).toHaveURL(/#v=1&text=It\+works\.$/);
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("a link pasted into the same tab is followed; what model or text lack is shown as the nearest, with a notice", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=One.");
  await page.evaluate(() => (location.hash = "#v=1&text=Two.&language=zh-CN"));
  await expect(page.getByRole("textbox", { name: "你的句子" })).toHaveValue("Two.");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await test.step("the nearest", async () => {
    const explorer = new ExplorerPage(page);
    const notices = page.getByRole("status", { name: "Notices" });
    await explorer.open("#v=1&text=I+like+cats.&stack=encoder&layer=9&head=2&cell=40-1");
    await expect(notices.locator("code")).toHaveText(["place/head", "place/held"]);
    await expect(notices).toContainText(
      "“Encoder” has no layer 9, head 2 here. The nearest, layer 3, head 2, is shown instead",
    );
    await expect(explorer.headTitle).toHaveText("Layer 3 · head 2");
    await page.getByRole("radio", { name: "简体中文" }).check();
    await expect(page.getByText("这里的“编码器”没有第 9 层第 2 头。")).toBeVisible();
    await explorer.open("#v=1&model=models/tiny-gpt&text=I+like+cats.&stack=cross&language=en");
    await expect(notices.locator("code")).toHaveText(["place/stack"]);
    await explorer.open("#v=1&model=models/tiny-gpt&text=I+like+cats.&language=en&layer=1&head=1");
    await expect(notices.locator("code")).toHaveCount(0);
  });
});
