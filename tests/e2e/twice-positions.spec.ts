import { expect } from "@playwright/test";
import { DONE, test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const SCHEMES = ["none", "sinusoidal", "rotary", "alibi", "t5", "transformer-xl"] as const;

test("every scheme of positions, another order, and the heads that break are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-bert&text=The+dog+sees+the+cat.&stack=encoder&layer=2&head=2&bench=positions",
    tell: async ({ explorer, look, page }) => {
      const tokens = page.locator("headscope-order-strip [data-token]");
      await tokens.nth(1).focus();
      await page.keyboard.press("ArrowRight");
      await explorer.settle();
      await expect(explorer.chips).toHaveText([/other order/]);
      await look("another order", ["headscope-heatmap", "headscope-grid"]);
      for (const scheme of SCHEMES) {
        await page.locator("headscope-positions-bench #scheme").selectOption(scheme);
        await explorer.settle();
        await look(scheme, ["headscope-heatmap", "headscope-grid"]);
        if (scheme !== "none" && scheme !== "rotary") continue;
        await page.getByRole("button", { name: "Measure" }).click();
        await expect(page.locator("headscope-broken-heads li button").first()).toBeVisible(DONE);
        await look(`${scheme}, measured`, ["headscope-save-figure"]);
      }
    },
  });
});

for (const [model, stack] of [
  ["tiny-gpt", "decoder"],
  ["tiny-bert", "encoder"],
] as const) {
  test(`${model}: what is lost in a longer text is the CPU's on the GPU`, async ({ shared }) => {
    await twice(shared, {
      address: `#v=1&model=models/${model}&text=The+dog+sees+the+cat.&stack=${stack}&bench=positions`,
      tell: async ({ look, page }) => {
        const lab = page.locator("headscope-length-lab");
        await lab.locator("#text").selectOption("own");
        await lab.getByRole("textbox").fill("The dog sees the cat and the cat sees the man.");
        const only = ["model", "alibi"];
        for (const toggle of await lab.locator("[data-scheme]").all()) {
          const wanted = only.includes((await toggle.getAttribute("data-scheme")) ?? "");
          if ((await toggle.getAttribute("aria-pressed")) !== String(wanted)) await toggle.click();
        }
        await lab.locator("#go").click();
        await expect(lab.locator("tbody tr")).toHaveCount(only.length + 1, DONE);
        await expect(lab.locator("#go")).toBeVisible(DONE);
        await look("lost, token by token", ["headscope-curves"]);
      },
    });
  });
}
