// Pages on an imitated GPU, and their likes on the CPU, kept for all stories that a worker tells.
import { expect, test as base, type Page } from "@playwright/test";
import { countReads } from "./pattern-reads.js";
import { ExplorerPage } from "./explorer-page.js";
import { SOFTWARE_GPU } from "./software-gpu.js";
import { recordTape } from "./tape.js";

/** An imitated GPU may take its time, on a machine with more to do all the more. */
export const DONE = { timeout: 120_000 };

/** The same explorer twice. */
export interface Pages {
  gpu: Page;
  cpu: Page;
}

/** What a page says that it computes with, on the CPU and on a GPU. */
type Kernel = "simd128" | "WGSL";

/** The explorer, for whoever has time. */
export class Patient extends ExplorerPage {
  override async settle(): Promise<void> {
    await expect(() => super.settle()).toPass(DONE);
  }
}

const addressOn = (kernel: Kernel, address: string): string =>
  `./${address}${kernel === "WGSL" ? "&backend=webgpu" : ""}`;

/**
 * Opens an address in a page that may show another story's end. It comes there from another model, which stays in its
 * thread: a model that is chosen is read as if nobody had asked for all its numbers before.
 */
export async function begin(page: Page, address: string, kernel: Kernel): Promise<void> {
  const elsewhere = address.includes("model=models/tiny-gpt") ? "tiny-bert" : "tiny-gpt";
  await page.mouse.move(0, 0);
  // A menu may still be open.
  await page.keyboard.press("Escape");
  for (const one of [`#v=1&model=models/${elsewhere}&text=`, address]) {
    await page.goto(addressOn(kernel, one));
    await expect(page.getByText("Kernel: ")).toContainText(kernel, DONE);
    await new Patient(page).settle();
  }
}

/**
 * An imitated GPU takes long to make its kernels, many times longer than a story, and every thread makes its own: the pages
 * stay, with the threads of all models, and the next story begins where they are, as whoever opens one link after another
 * does. After a story that failed there are others.
 */
export const test = base.extend<object, { shared: () => Promise<Pages> }>({
  launchOptions: [SOFTWARE_GPU.launchOptions, { scope: "worker" }],
  actionTimeout: SOFTWARE_GPU.actionTimeout,
  shared: [
    async ({ browser }, use) => {
      const kept: Pages[] = [];
      await use(async () => {
        const [there] = kept;
        if (there) return there;
        const open = async (): Promise<Page> => (await browser.newContext()).newPage();
        const pages = { gpu: await open(), cpu: await open() };
        // In this order: the tape has threads of a class of its own.
        await countReads(pages.gpu);
        await recordTape(pages.gpu);
        kept.push(pages);
        return pages;
      });
      for (const { gpu, cpu } of kept)
        await Promise.all([gpu.context().close(), cpu.context().close()]);
    },
    { scope: "worker" },
  ],
});
