import { expect } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { meddle, pointAt } from "./gpu-beside-cpu.js";
import { begin, DONE, test } from "./gpu-pages.js";
import { randomModel } from "./random-model.js";
import { LONG_TEXT, speakAtOnce, stopAtLayer } from "./stopped-run.js";

test.setTimeout(600_000);

/*
 * A GPU takes what it is given, and answers later: that must neither be more than somebody still wants, nor so much that
 * nobody hears of it for long.
 */

test("what is typed fast on a GPU is answered as on the CPU, and the last keystroke wins", async ({
  shared,
}) => {
  const { gpu, cpu } = await shared();
  const last = "The woman who lives next door has a little black dog.";
  const read: string[][] = [];
  for (const [page, kernel] of [
    [cpu, "simd128"],
    [gpu, "WGSL"],
  ] as const) {
    await begin(page, "#v=1&text=", kernel);
    const explorer = new ExplorerPage(page);
    await explorer.sentence.evaluate(async (area: HTMLTextAreaElement, text) => {
      for (let length = 1; length <= text.length; length += 1) {
        area.value = text.slice(0, length);
        area.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }, last);
    await expect(() => explorer.settle()).toPass(DONE);
    await expect(page.getByText("Kernel: ")).toContainText(kernel);
    read.push([
      ...(await explorer.texts()),
      ...(await explorer.tokens("Tokens of your sentence").allTextContents()),
    ]);
  }
  expect(read[1]).toEqual(read[0]);
  expect(read[0]?.[0]).toBe(last);
  expect(read[0]?.[1]).not.toBe("");
});

test("a long run on a GPU says which layer it computes and can be stopped, and one that is not has the CPU's numbers", async ({
  page,
  context,
}) => {
  await speakAtOnce(page);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-bert&text=The+dog.&backend=webgpu");
  await expect(page.getByText("Kernel: ")).toContainText("WGSL", DONE);
  await explorer.folder.setInputFiles(randomModel());
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert", DONE);
  await expect(() => explorer.settle()).toPass(DONE);
  const notices = page.locator("headscope-notices");
  const stopped = stopAtLayer(page);
  await explorer.sentence.fill(LONG_TEXT);
  const { words, bar } = await stopped;
  // The first layers are handed over at once.
  expect(words).toMatch(/^Computing: Encoder, layer ([1-9]|1[0-2]) of 12$/);
  expect(bar).not.toBe("");
  await expect(notices).toContainText("Stopped.", DONE);
  await expect(notices.getByRole("progressbar")).toHaveCount(0);
  await explorer.type("The dog bites the man.");
  await expect(explorer.figure).toHaveAccessibleName(/9 queries by 9 keys/, DONE);
  await expect(notices).not.toContainText("Stopped.");
  const cpu = new ExplorerPage(await context.newPage());
  await cpu.open("#v=1&model=models/tiny-bert&text=The+dog.");
  await cpu.folder.setInputFiles(randomModel());
  await expect(cpu.picker).toHaveAccessibleName("Model: random-bert");
  for (const one of [cpu, explorer]) {
    await one.sentence.fill(LONG_TEXT.slice(0, LONG_TEXT.length / 2));
    await expect(one.figure).toHaveAccessibleName(/2(\d\d) queries by 2\1 keys/, {
      timeout: 300_000,
    });
  }
  await expect(page.getByText("Kernel: ")).toContainText("WGSL");
  const both = { gpu: explorer, cpu, pages: [explorer, cpu] };
  for (const cell of [
    { query: 200, key: 57 },
    { query: 31, key: 128 },
  ])
    await pointAt(both, cell);
});

test("a device that is lost while nobody asks it anything is left at once, and the page says so", async ({
  page,
}) => {
  await meddle(
    page,
    `{
      const request = GPUAdapter.prototype.requestDevice;
      GPUAdapter.prototype.requestDevice = async function (...asked) {
        const device = await request.apply(this, asked);
        new BroadcastChannel("lose").onmessage = () => device.destroy();
        return device;
      };
    }`,
  );
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&edits=c2.3x0&backend=webgpu");
  await expect(page.getByText("Kernel: ")).toContainText("WGSL", DONE);
  await expect(() => explorer.settle()).toPass(DONE);
  const before = await explorer.texts();
  await page.evaluate(() => new BroadcastChannel("lose").postMessage("now"));
  await expect(
    page.getByText("The GPU failed. The CPU goes on instead; your text and edits are kept."),
  ).toBeVisible(DONE);
  await expect(page.getByText("Kernel: ")).toContainText("simd128", DONE);
  await explorer.settle();
  expect(await explorer.texts()).toEqual(before);
  await expect(explorer.chips).toHaveCount(1);
  await expect(page.getByRole("alert")).toHaveText("");
});
