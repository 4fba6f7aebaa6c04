import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { SOFTWARE_GPU } from "./software-gpu.js";
import { playTape, recordTape } from "./tape.js";

test.use(SOFTWARE_GPU);
// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const DONE = { timeout: 120_000 };

/** The residual stream, a norm by hand, and a block without its residual and its norm. */
async function onHeads(explorer: ExplorerPage, address: string): Promise<void> {
  const { page } = explorer;
  const bench = page.locator("headscope-heads-bench");
  const room = (name: string): Promise<void> => bench.getByRole("radio", { name, exact: true }).check();
  await explorer.open(address);
  await room("Add & norm");
  await expect(bench.locator("headscope-stream headscope-numbers").getByRole("application")).toBeVisible(DONE);
  await bench.getByLabel("token", { exact: true }).selectOption({ index: 2 });
  await bench.getByRole("spinbutton", { name: "number" }).fill("7");
  await bench.getByRole("spinbutton", { name: "number" }).press("Enter");
  await expect(bench.locator("[data-norm=value]")).toHaveText(/\d/, DONE);
  await room("Blocks");
  const block = bench.getByRole("row", { name: /feed-forward/ });
  for (const name of ["left out", "none"]) {
    await block.getByRole("radio", { name }).check();
    await explorer.settle();
  }
  await expect(explorer.chips).toHaveCount(2);
}

test("heads and blocks of a model that writes have the CPU's numbers on the GPU", async ({ page }) => {
  await recordTape(page);
  const explorer = new ExplorerPage(page);
  const address = "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=1&head=1&backend=webgpu";
  await page.goto(`./${address}`);
  await expect(page.getByText("Kernel: ")).toContainText("WGSL", DONE);
  await explorer.settle();
  await onHeads(explorer, `${address}&bench=heads`);
  await expect(page.getByText("Kernel: ")).toContainText("WGSL");
  const heard = await playTape(page);
  expect(heard.apart.slice(0, 8)).toEqual([]);
  const read = Object.keys(heard.reads);
  expect(["residuals", "explain"].filter((what) => !read.includes(what))).toEqual([]);
});
