import { expect } from "@playwright/test";
import { test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

test("a head that is heard alone, and the others by keys and by their button, are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address: "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2",
    tell: async ({ explorer, look, page }) => {
      await explorer.head(1, 3).dblclick();
      await explorer.settle();
      await expect(explorer.chips).toHaveCount(1);
      await page.mouse.move(0, 0);
      await expect(explorer.headTitle).toHaveText("Layer 1 · head 3");
      await look("heard alone", ["headscope-heatmap", "headscope-grid"]);
      await page.getByRole("button", { name: "Let the others speak again" }).click();
      await explorer.settle();
      await expect(explorer.chips).toHaveCount(0);
      await explorer.head(2, 2).focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("o");
      await explorer.settle();
      await expect(explorer.chips).toHaveCount(1);
      await look("heard alone by a key", ["headscope-heatmap", "headscope-grid"]);
      await page.getByRole("button", { name: "Let the others speak again" }).click();
      await explorer.head(3, 1).click();
      await page.getByRole("button", { name: "Silence the others of its layer" }).click();
      await explorer.settle();
      await page.mouse.move(0, 0);
      await expect(explorer.chips).toHaveCount(1);
      await look("the others silenced", ["headscope-heatmap", "headscope-grid"]);
    },
  });
});

test("several gaps, the share of the lines, entropy in bits and all roles are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-bert&text=The+dog+and+the+cat+drink+milk.&stack=encoder&layer=2&head=3",
    tell: async ({ explorer, look, page }) => {
      const tokens = explorer.tokens("Tokens of your sentence");
      await tokens.nth(2).focus();
      for (const key of ["Enter", "ArrowRight", "ArrowRight", "ArrowRight", "Space"])
        await page.keyboard.press(key);
      await explorer.settle();
      await expect(page.locator("headscope-tokens .hidden")).toHaveText(["dog", "cat"]);
      await expect(page.locator("headscope-predictions").getByRole("listitem")).toHaveCount(5);
      await look("two gaps", ["headscope-bars", "headscope-heatmap"]);
      await page.getByRole("radio", { name: "Lines", exact: true }).check();
      await explorer.settle();
      const lines = page.locator("headscope-lines");
      const said: (string | null)[] = [];
      for (const share of ["90", "60", "30"]) {
        await lines.getByRole("slider").fill(share);
        await explorer.settle();
        await expect(lines).toContainText(`Lines that hold ${share}% of the weight`);
        await look(`lines of ${share}%`, ["headscope-lines"]);
        said.push(await lines.getByRole("application").getAttribute("aria-label"));
      }
      expect(new Set(said).size).toBe(3);
      const role = page.locator("headscope-head-role");
      await role.getByText("All roles").click();
      await expect(role.getByRole("row", { name: /previous token/ })).toHaveText(
        /previous token\s+\d\.\d\d\s+\d\.\d\d/,
      );
      await page.getByRole("button", { name: /nats$/ }).focus();
      await expect(page.getByRole("tooltip")).toContainText(/^= \d\.\d{3} bits$/);
      await look("all roles, and entropy in bits", ["headscope-lines"]);
    },
  });
});

test("a sample, another model and another language that are chosen in mid-story show the CPU's numbers on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address: "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=1&head=1",
    tell: async ({ explorer, look, page }) => {
      await page.getByRole("combobox", { name: "Try a sample" }).selectOption("I don't like milk.");
      await explorer.settle();
      await expect(explorer.sentence).toHaveValue("I don't like milk.");
      await expect(page.locator("headscope-tokens .hidden")).toHaveCount(1);
      await look("a sample", ["headscope-heatmap", "headscope-bars"]);
      await explorer.choose("Tiny GPT");
      await expect(explorer.picker).toHaveAccessibleName("Model: Tiny GPT");
      await expect(explorer.sentence).toHaveValue(/^I don't want to go to school/);
      await look("a model that writes", ["headscope-heatmap", "headscope-grid"]);
      await page.getByRole("radio", { name: "简体中文" }).check({ force: true });
      await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
      await explorer.settle();
      await look("in Chinese", ["headscope-heatmap", "headscope-grid"]);
      await page.getByRole("radio", { name: "English", exact: true }).check({ force: true });
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      await explorer.choose("English → French");
      await expect(explorer.picker).toHaveAccessibleName("Model: English → French");
      await look("a model that translates", ["headscope-heatmap", "headscope-grid"]);
    },
  });
});
