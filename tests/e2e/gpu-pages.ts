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

/** The explorer, for whoever has time. */
export class Patient extends ExplorerPage {
  override async settle(): Promise<void> {
    await expect(() => super.settle()).toPass(DONE);
  }
}

/** Opens an address in a page that may show another story's end. */
export async function begin(page: Page, address: string, kernel: "simd128" | "WGSL"): Promise<void> {
  await page.mouse.move(0, 0);
  await page.goto(`./${address}${kernel === "WGSL" ? "&backend=webgpu" : ""}`);
  await expect(page.getByText("Kernel: ")).toContainText(kernel, DONE);
  await new Patient(page).settle();
}

/**
 * An imitated GPU takes long to make its kernels, many times longer than a story, and every thread makes its own: a model's
 * pages stay, and the next story about it begins where they are, as whoever opens one link after another does. After a
 * story that failed there are others.
 */
export const test = base.extend<object, { pagesOf: (address: string) => Promise<Pages> }>({
  launchOptions: [SOFTWARE_GPU.launchOptions, { scope: "worker" }],
  actionTimeout: SOFTWARE_GPU.actionTimeout,
  pagesOf: [
    async ({ browser }, use) => {
      const kept = new Map<string, Pages>();
      await use(async (address) => {
        const model = new URLSearchParams(address.slice(1)).get("model") ?? "";
        const there = kept.get(model);
        if (there) return there;
        const open = async (): Promise<Page> => (await browser.newContext()).newPage();
        const pages = { gpu: await open(), cpu: await open() };
        // In this order: the tape has threads of a class of its own.
        await countReads(pages.gpu);
        await recordTape(pages.gpu);
        kept.set(model, pages);
        return pages;
      });
      for (const { gpu, cpu } of kept.values()) await Promise.all([gpu.context().close(), cpu.context().close()]);
    },
    { scope: "worker" },
  ],
});
