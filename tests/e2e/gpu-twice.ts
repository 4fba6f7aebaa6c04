// The same story told twice: on the CPU, and on a GPU, which has to show the same numbers and say the same of them.
import { expect, type Page } from "@playwright/test";
import { begin, DONE, Patient, type Pages } from "./gpu-pages.js";
import { differences, hasNumbers, shown, type Shown } from "./shown.js";
import { rewindTape } from "./tape.js";

/** How long what is shown has to stand still. */
const STILL = 250;

/** What is done with a page. */
interface Telling {
  explorer: Patient;
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
export async function twice(
  shared: () => Promise<Pages>,
  { address, tell, without }: Story,
): Promise<void> {
  const { gpu, cpu } = await shared();
  const noted = new Map<string, Shown>();
  const settled = async (page: Page): Promise<Shown> => {
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0, DONE);
    return shown(page, without);
  };
  const telling = (page: Page, backend: string): Omit<Telling, "look"> => {
    const explorer = new Patient(page);
    return { explorer, page, open: (more = "") => explorer.open(`${address}${backend}${more}`) };
  };

  await begin(cpu, address, "simd128");
  await tell({
    ...telling(cpu, ""),
    look: async (at, figures = ["headscope-heatmap"]) => {
      expect(noted.has(at), `${at} is looked at once`).toBe(false);
      let seen = await settled(cpu);
      await expect(async () => {
        const before = seen;
        await cpu.waitForTimeout(STILL);
        seen = await settled(cpu);
        expect(seen).toEqual(before);
      }).toPass(DONE);
      for (const figure of figures)
        expect(
          seen.figures.some(({ element, given }) => element === figure && hasNumbers(given)),
          `${figure} at ${at}`,
        ).toBe(true);
      noted.set(at, seen);
    },
  });

  let compared = 0;
  await begin(gpu, address, "WGSL");
  // What is shown is compared, and not every answer.
  await rewindTape(gpu);
  await tell({
    ...telling(gpu, "&backend=webgpu"),
    look: async (at) => {
      const wanted = noted.get(at);
      if (!wanted) throw new Error(`${at} was not looked at before`);
      await expect
        .poll(async () => differences(wanted, await settled(gpu)).slice(0, 6), {
          ...DONE,
          message: at,
        })
        .toEqual([]);
      // In whatever language it is said.
      await expect(gpu.locator("headscope-page-footer")).toContainText("WGSL");
      compared += 1;
    },
  });
  expect(compared).toBe(noted.size);
}
