// The same story told twice: on the CPU, and on a GPU, which has to show the same numbers and say the same of them.
import { expect, type Page } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { differences, hasNumbers, shown, type Shown } from "./shown.js";

/** An imitated GPU may take its time, on a machine with more to do all the more. */
export const DONE = { timeout: 120_000 };
/** How long what is shown has to stand still. */
const STILL = 250;

/** The explorer, for whoever has time. */
class Patient extends ExplorerPage {
  override async settle(): Promise<void> {
    await expect(() => super.settle()).toPass(DONE);
  }
}

/** What is done with a page. */
interface Telling {
  explorer: ExplorerPage;
  page: Page;
  /** Opens the story's address with more behind it. */
  open: (more?: string) => Promise<void>;
  /** Looks at all that is shown: figures of the named elements have to be among it, with numbers. */
  look: (at: string, figures?: readonly string[]) => Promise<void>;
}

interface Story {
  /** The address that the story begins at, without what computes. */
  address: string;
  tell: (telling: Telling) => Promise<void>;
  /** What is on the page and is no number of a model's: times that were measured. */
  without?: string;
}

/** Tells a story on the CPU and then on the GPU: wherever it looks, the GPU shows what the CPU showed. */
export async function twice(page: Page, { address, tell, without }: Story): Promise<void> {
  const explorer = new Patient(page);
  const noted = new Map<string, Shown>();
  const asked = async (backend: string, kernel: string): Promise<(more?: string) => Promise<void>> => {
    await page.goto("about:blank");
    await page.goto(`./${address}${backend}`);
    await expect(page.getByText("Kernel: ")).toContainText(kernel, DONE);
    await explorer.settle();
    return (more = "") => explorer.open(`${address}${backend}${more}`);
  };
  const settled = async (): Promise<Shown> => {
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0, DONE);
    return shown(page, without);
  };

  await tell({
    explorer,
    page,
    open: await asked("", "simd128"),
    look: async (at, figures = ["headscope-heatmap"]) => {
      expect(noted.has(at), `${at} is looked at once`).toBe(false);
      let seen = await settled();
      await expect(async () => {
        const before = seen;
        await page.waitForTimeout(STILL);
        seen = await settled();
        expect(seen).toEqual(before);
      }).toPass(DONE);
      for (const figure of figures) expect(seen.figures.some(({ element, given }) => element === figure && hasNumbers(given)), `${figure} at ${at}`).toBe(true);
      noted.set(at, seen);
    },
  });

  let compared = 0;
  await tell({
    explorer,
    page,
    open: await asked("&backend=webgpu", "WGSL"),
    look: async (at) => {
      const wanted = noted.get(at);
      if (!wanted) throw new Error(`${at} was not looked at before`);
      await expect.poll(async () => differences(wanted, await settled()).slice(0, 6), { ...DONE, message: at }).toEqual([]);
      await expect(page.getByText("Kernel: ")).toContainText("WGSL");
      compared += 1;
    },
  });
  expect(compared).toBe(noted.size);
}
