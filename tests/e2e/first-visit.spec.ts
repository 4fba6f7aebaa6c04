import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

test("a first visit shows a sentence, its translation and one head, and asks no other host", async ({
  page,
}) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await explorer.open();
  await expect(explorer.figure).toBeInViewport({ ratio: 1 });
  const [sentence, translation] = await explorer.texts();
  expect(sentence.length).toBeGreaterThan(10);
  expect(translation.length).toBeGreaterThan(5);
  await expect(explorer.tokens("Tokens of your sentence").last()).toHaveText("end");
  await expect(explorer.tokens("Tokens of the translation").first()).toHaveText("start");
  await expect(explorer.inspected("weights")).toHaveText(/^0\.\d{3}$|^1\.000$/);
  await expect(page.getByText("Kernel: ")).toContainText("simd128");
  await expect(page.getByText("Nothing you type leaves this page.")).toBeVisible();
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("quotes are no wider than letters, in English and on a Chinese page", async ({ page }) => {
  await test.step("in the page's own fonts", async () => {
    await page.goto("./#v=1&language=en");
    const widths = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const pen = document.createElement("canvas").getContext("2d");
      if (!pen) return [];
      return ["--headscope-font-ui", "--headscope-font-text"].flatMap((name) => {
        pen.font = `100px ${style.getPropertyValue(name)}`;
        return Array.from("“”‘’·", (sign) => pen.measureText(sign).width);
      });
    });
    expect(widths).toHaveLength(10);
    for (const width of widths) expect(width).toBeLessThan(70);
  });
  await test.step("between the letters that a model reads", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&language=zh-CN&text=${encodeURIComponent("It’s “so”")}&target=${encodeURIComponent("L’homme")}`,
    );
    const widths = await page
      .locator("headscope-growing-text .mirror, headscope-tokens button bdi")
      .evaluateAll((all) =>
        all.flatMap((element) => {
          const size = parseFloat(getComputedStyle(element).fontSize);
          const pieces = [...element.childNodes].filter((node) => node instanceof Text);
          return pieces.flatMap((piece) =>
            [...piece.data.matchAll(/[“”‘’]/g)].map(({ index }) => {
              const range = document.createRange();
              range.setStart(piece, index);
              range.setEnd(piece, index + 1);
              return range.getBoundingClientRect().width / size;
            }),
          );
        }),
      );
    expect(widths.length).toBeGreaterThanOrEqual(6);
    for (const width of widths) expect(width).toBeLessThan(0.7);
  });
});

test("a download can be cancelled and started again while the sentence is edited, and ends when another model is chosen", async ({
  page,
}) => {
  let deliver = (): void => undefined;
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route("**/model.safetensors*", async (route) => {
    await held;
    await route.continue();
  });
  const explorer = new ExplorerPage(page);
  await page.goto("./#v=1&text=The+dog.");
  await expect(explorer.sentence).toHaveValue("The dog.");
  await expect(page.getByText("Loading the model")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("The model was not loaded. What you typed is kept.")).toBeVisible();
  await explorer.sentence.fill("My sister.");
  deliver();
  await page.getByRole("button", { name: "Load the model" }).click();
  await explorer.settle();
  await expect(explorer.tokens("Tokens of your sentence").first()).toHaveText("My");
  await expect(explorer.sentence).toHaveValue("My sister.");
  await test.step("another model is chosen", async () => {
    await page.goto("about:blank");
    await page.unroute("**/model.safetensors*");
    let deliver = (): void => undefined;
    const held = new Promise<void>((resolve) => (deliver = resolve));
    await page.route("**/en-fr/model.safetensors*", async (route) => {
      await held;
      await route.continue();
    });
    const explorer = new ExplorerPage(page);
    const aborted = page.waitForEvent("requestfailed", (request) =>
      request.url().includes("en-fr/model.safetensors"),
    );
    await page.goto("./#v=1&text=The+dog.");
    await expect(page.getByText("Loading the model")).toBeVisible();
    await explorer.choose("Tiny GPT");
    await aborted;
    deliver();
    await explorer.type("The dog and the cat.");
    await expect(explorer.picker).toHaveAccessibleName("Model: Tiny GPT");
    await expect(page.getByRole("heading", { name: "Decoder" })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveText("");
  });
});

test("a model that is missing is one notice with a button that loads it; without a server the page says how to start one", async ({
  page,
}) => {
  await page.route("**/models/**", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./");
  await expect(page.getByRole("alert")).toContainText("There is no config.json (http");
  await page.unroute("**/models/**");
  await page.getByRole("button", { name: "Load the model" }).click();
  await new ExplorerPage(page).settle();
  await expect(page.getByRole("alert")).toHaveText("");
  await test.step("without a server", async () => {
    await page.goto(pathToFileURL("dist/site/index.html").href);
    await expect(page.locator("body")).toContainText(
      "run cargo xtask serve and open the address that it prints.",
    );
    await expect(page.locator("headscope-explorer")).toHaveCount(0);
  });
});
