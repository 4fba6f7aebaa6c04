import { expect } from "@playwright/test";
import { DONE, test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const KINDS = [
  "cosine",
  "additive (untrained)",
  "sliding window, sparse",
  "blocks, sparse",
  "linear (elu + 1)",
  "random features",
  "pooled keys",
  "chunked",
  "low rank",
] as const;

test("every kind of attention, with what it costs and how far it is from exact, is the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=2&head=1&bench=kinds&edits=e2.1~kind-softmax",
    tell: async ({ explorer, look, page }) => {
      const report = page.locator("headscope-kind-report");
      for (const label of KINDS) {
        await page.getByLabel("Kind of attention").selectOption({ label });
        await explorer.settle();
        await expect(report.getByRole("heading").first()).toContainText(label, DONE);
        await look(label, ["headscope-heatmap", "headscope-save-figure", "headscope-grid"]);
      }
    },
  });
});

test("scale, temperature, the mean of a thousand masks of dropout, and the scores of any width are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=1&bench=kinds",
    tell: async ({ open, look, page }) => {
      for (const kind of ["softmax(xnone)", "softmax(x0.2,t0.7)", "cosine(t2)"]) {
        await open(`&edits=d2.1~kind-${kind}`);
        await look(kind, ["headscope-heatmap", "headscope-save-figure", "headscope-curves"]);
      }
      await open("&edits=.~kind-softmax(p0.5,q3)");
      await expect(page.locator("headscope-kind-report headscope-numbers")).toHaveCount(3, DONE);
      await look("dropout", ["headscope-numbers"]);
      const lab = page.locator("headscope-score-lab");
      await lab.getByRole("slider").focus();
      await page.keyboard.press("End");
      await expect(lab.getByRole("status").or(lab.locator("output")).first()).toContainText("512");
      await look("scores of 512 numbers", ["headscope-curves"]);
    },
  });
});
