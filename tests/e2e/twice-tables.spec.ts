import { expect, type Page } from "@playwright/test";
import { DONE, test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const BERT = "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=2&head=3";
const GPT = "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2";

/** Opens a figure's numbers, and closes them again once they were looked at. */
async function tabled(
  page: Page,
  figure: string,
  words: string,
  seen: () => Promise<void>,
): Promise<void> {
  const place = page.locator(figure).first();
  await place.getByRole("button", { name: words, exact: true }).click();
  await expect(place.locator("tbody td").filter({ hasText: /\d/ }).first()).toBeVisible(DONE);
  await seen();
  await place.locator("button[aria-expanded=true]").first().click();
}

test("the numbers of every picture as a table are the CPU's on the GPU", async ({ shared }) => {
  await twice(shared, {
    address: `${BERT}&cell=3-2`,
    tell: async ({ explorer, look, page, open }) => {
      await tabled(page, "headscope-grid", "Show the heads as a table", () =>
        look("all heads as a table", ["headscope-grid"]),
      );
      for (const [picture, figure] of [
        ["Heatmap", "heatmap"],
        ["Lines", "lines"],
        ["Dimensions", "dimensions"],
        ["Mask", "mask"],
        ["Positions", "positions"],
        ["Steps", "strip"],
      ] as const) {
        await page.getByRole("radio", { name: picture, exact: true }).check();
        await explorer.settle();
        await tabled(page, `headscope-${figure}`, "Show the numbers", () =>
          look(`${picture} as a table`, []),
        );
      }
      await open("&compare=other&other=The+dog+bites+the+cat.");
      await tabled(page, "headscope-difference", "Show the numbers", () =>
        look("a difference as a table", ["headscope-difference"]),
      );
    },
  });
});

test("heads that are filtered, sorted and chosen for their likeness are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address: GPT,
    tell: async ({ explorer, look, page }) => {
      const like = page.locator("headscope-like-heads").getByRole("button");
      for (const order of ["previous", "entropy", "likeness"]) {
        await page.getByLabel("Sort by").selectOption(order);
        await explorer.settle();
        await look(`by ${order}`, ["headscope-grid"]);
      }
      await page.getByLabel("Show", { exact: true }).selectOption("previous");
      await explorer.settle();
      await look("heads of one role", ["headscope-grid"]);
      await page.getByLabel("Show", { exact: true }).selectOption("");
      await page.getByLabel("Sort by").selectOption("place");
      for (const at of [0, 1]) {
        const name = (await like.nth(at).textContent()) ?? "";
        await like.nth(at).click();
        await explorer.settle();
        await look(`like the one before: ${name.trim()}, ${at}`, [
          "headscope-grid",
          "headscope-spectrum",
        ]);
      }
    },
  });
});

test("the workbench counts on the CPU what it takes of a head on the GPU, which goes on with the model", async ({
  shared,
}) => {
  await twice(shared, {
    address: `${BERT}&bench=numbers`,
    tell: async ({ explorer, look, page }) => {
      const bench = page.locator("headscope-numbers-bench");
      await expect(bench.getByRole("grid", { name: "context", exact: true })).toBeVisible(DONE);
      await look("the worked example", ["headscope-grid"]);
      await bench.getByLabel("Mask", { exact: true }).selectOption("causal");
      await look("under a mask", ["headscope-grid"]);
      const taken = page.locator("headscope-from-model");
      await taken.getByRole("button").click();
      await expect(taken.locator("[data-residue]")).toContainText(
        "The weights below are the model’s",
        DONE,
      );
      await look("a head by hand", ["headscope-grid"]);
      await explorer.type("The dog bites the cat.");
      await look("another text behind it", ["headscope-grid"]);
      await taken.getByRole("button").click();
      await expect(taken.locator("[data-residue]")).toContainText(
        "The weights below are the model’s",
        DONE,
      );
      await look("a head of the other text by hand", ["headscope-grid"]);
    },
  });
});
