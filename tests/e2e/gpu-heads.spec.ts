import { expect } from "@playwright/test";
import { begin, DONE, test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";
import { playTape, rewindTape } from "./tape.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const GPT = "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=1&head=1&bench=heads";

test("heads that are turned down, frozen, drawn and found by a rule have the CPU's numbers on the GPU", async ({ shared }) => {
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

for (const [name, address] of [["a word that comes next", GPT], ["a hidden word", "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=1&head=1&hidden=3&bench=heads"]] as const) {
  test(`what every head does for ${name} is the CPU's on the GPU`, async ({ shared }) => {
    await twice(shared, {
      address,
      tell: async ({ look, page }) => {
        const bench = page.locator("headscope-heads-bench");
        await bench.getByRole("radio", { name: "Effect on a word" }).check();
        const measure = bench.getByRole("button", { name: "Measure 16 heads" });
        await measure.click();
        await expect(bench.getByRole("list", { name: "Heads by their effect, strongest first" }).getByRole("button").first()).toBeVisible(DONE);
        await expect(measure).toBeVisible(DONE);
        await look("effects", ["headscope-numbers"]);
      },
    });
  });
}

test("held-out sentences with fewer and fewer heads are read on the GPU as on the CPU, and can be held and gone on with", async ({ shared }) => {
  const address = "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=1&head=1&bench=heads";
  const { gpu: page } = await shared();
  await begin(page, address, "WGSL");
  await rewindTape(page);
  const bench = page.locator("headscope-heads-bench");
  await bench.getByRole("radio", { name: "Pruning" }).check();
  await bench.getByLabel("How many held-out sentences").selectOption("12");
  for (const [go, most] of [["Compute", 14], ["Go on", 30]] as const) {
    await bench.getByRole("button", { name: go, exact: true }).click();
    await expect.poll(async () => Number(await bench.getByRole("progressbar").getAttribute("value")), DONE).toBeGreaterThan(most);
    await bench.getByRole("button", { name: "Hold" }).click();
    await expect(bench.getByRole("button", { name: "Go on" })).toBeVisible(DONE);
  }
  await expect(page.getByText("Kernel: ")).toContainText("WGSL");
  const heard = await playTape(page);
  expect(heard.apart.slice(0, 8)).toEqual([]);
  expect(heard.reads.probabilities ?? 0).toBeGreaterThan(30);
  // All sentences without an edit, and then without one head after the other.
  expect(heard.edits).toEqual(["heads"]);
});
