import { expect } from "@playwright/test";
import { DONE, test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";
import { playTape } from "./tape.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const GPT =
  "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=1&head=1&bench=heads";

test("heads that are turned down, frozen, drawn and found by a rule have the CPU's numbers on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address: GPT,
    tell: async ({ explorer, look, open, page }) => {
      const bench = page.locator("headscope-heads-bench");
      for (const change of ["silent", "all alike", "the token before", "itself", "drawn"]) {
        await open();
        await bench.getByRole("radio", { name: change, exact: true }).check();
        await explorer.settle();
        await expect(explorer.chips).toHaveCount(1);
        await look(change, ["headscope-grid"]);
      }
      await open();
      await bench.getByLabel("What is measured").selectOption("broad");
      await bench.getByRole("spinbutton", { name: "The number" }).fill("0.5");
      await bench.getByRole("spinbutton", { name: "The number" }).press("Enter");
      await bench.getByRole("button", { name: /^Pick \d+ heads?$/ }).click();
      await bench.getByRole("radio", { name: "silent" }).check();
      await explorer.settle();
      await expect(explorer.chips).not.toHaveCount(0);
      await look("silent by a rule", ["headscope-grid"]);
    },
  });
});

for (const [name, address, heads] of [
  ["a word that comes next", GPT, 16],
  [
    "a hidden word",
    "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=1&head=1&hidden=3&bench=heads",
    16,
  ],
  [
    "a word of a translation",
    "#v=1&text=The+cat+sleeps.&target=Le+chat+dort.&stack=cross&layer=1&head=1&bench=heads",
    72,
  ],
] as const) {
  test(`what every head does for ${name} is the CPU's on the GPU`, async ({ shared }) => {
    await twice(shared, {
      address,
      tell: async ({ look, page }) => {
        const bench = page.locator("headscope-heads-bench");
        await bench.getByRole("radio", { name: "Effect on a word" }).check();
        const measure = bench.getByRole("button", { name: `Measure ${heads} heads` });
        await measure.click();
        await expect(
          bench
            .getByRole("list", { name: "Heads by their effect, strongest first" })
            .getByRole("button")
            .first(),
        ).toBeVisible(DONE);
        await expect(measure).toBeVisible(DONE);
        await look("effects", ["headscope-numbers"]);
      },
    });
  });
}

test("a pruning study, held and gone on with to its end, has the CPU's curve and sentence on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=1&head=1&bench=heads",
    tell: async ({ page, look }) => {
      const bench = page.locator("headscope-heads-bench");
      const goOn = bench.getByRole("button", { name: "Go on", exact: true });
      await bench.getByRole("radio", { name: "Pruning" }).check();
      await bench.getByLabel("How many held-out sentences").selectOption("12");
      await bench.getByRole("button", { name: "Compute", exact: true }).click();
      await expect
        .poll(async () => Number(await bench.getByRole("progressbar").getAttribute("value")), DONE)
        .toBeGreaterThan(14);
      await bench.getByRole("button", { name: "Hold" }).click();
      await goOn.click();
      await expect(bench.getByRole("progressbar")).toHaveCount(0, { timeout: 240_000 });
      await expect(goOn).toHaveCount(0);
      await look("studied", ["headscope-curves"]);
    },
  });
  const { gpu } = await shared();
  const heard = await playTape(gpu);
  expect(heard.apart.slice(0, 8)).toEqual([]);
  // All sentences without an edit, then without one head after the other, then without more and more of them.
  expect(heard.reads.probabilities ?? 0).toBeGreaterThanOrEqual(12 * (1 + 16 + 15));
  expect(heard.edits).toEqual(["heads"]);
});
