// The same explorer twice: on a GPU, and beside it on the CPU, whose numbers are to be those of the GPU.
import { expect, type Locator, type Page } from "@playwright/test";
import { ExplorerPage, shownNumber } from "./explorer-page.js";
import { begin, type Pages } from "./gpu-pages.js";
import { readsFromHere, type PatternReads } from "./pattern-reads.js";

export const SETTLED = { timeout: 20_000 };
/** How far a number that is shown with three digits may be from another: what either may be rounded by, and twice what backends may differ by. */
const NEAR = 0.0021;

export interface Both {
  gpu: ExplorerPage;
  cpu: ExplorerPage;
  pages: readonly ExplorerPage[];
}

/** Opens an address on either. */
export async function openBoth(pages: Pages, address: string): Promise<Both> {
  await begin(pages.gpu, address, "WGSL");
  await begin(pages.cpu, address, "simd128");
  const [gpu, cpu] = [new ExplorerPage(pages.gpu), new ExplorerPage(pages.cpu)];
  return { gpu, cpu, pages: [gpu, cpu] };
}

/**
 * The same, with how the GPU's page reads patterns from then on. There it is opened twice: a story before may have asked
 * for all numbers of the very model through which this one comes here.
 */
export async function openCounted(
  pages: Pages,
  address: string,
): Promise<{ both: Both; reads: () => Promise<PatternReads> }> {
  await begin(pages.gpu, address, "WGSL");
  const reads = await readsFromHere(pages.gpu);
  return { both: await openBoth(pages, address), reads };
}

/** The colours in the middle of all cells that a figure shows, by the layout that its labels and its plot follow from. */
function middles(figure: Locator, rows: number, columns: number): Promise<number[][]> {
  return figure.evaluate(
    (element, [rows, columns]) => {
      const { layout } = element as unknown as {
        layout: { cell: number; plot: { x: number; y: number } };
      };
      const canvas = element.shadowRoot?.querySelector<HTMLCanvasElement>("canvas.cells");
      const brush = canvas?.getContext("2d");
      if (!canvas || !brush) return [];
      const ratio = canvas.width / canvas.clientWidth;
      return Array.from({ length: rows * columns }, (_, at) => {
        const [x, y] = [
          layout.plot.x + ((at % columns) + 0.5) * layout.cell,
          layout.plot.y + (Math.floor(at / columns) + 0.5) * layout.cell,
        ];
        return Array.from(
          brush.getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1).data,
        );
      });
    },
    [rows, columns] as const,
  );
}

/** Waits until two pictures have the same colours, and says where they do not. */
export async function expectSameColours(
  { pages }: Both,
  rows: number,
  columns: number,
): Promise<void> {
  const [shown, beside] = pages.map(({ page }) => page.locator("headscope-heatmap"));
  if (!shown || !beside) throw new Error("two pages");
  await expect
    .poll(async () => {
      const [left, right] = [
        await middles(shown, rows, columns),
        await middles(beside, rows, columns),
      ];
      if (left.length !== rows * columns) return `${left.length} cells`;
      if (new Set(right.map(String)).size < 4) return "hardly any colours";
      const apart = left.flatMap((pixel, at) =>
        pixel.some((channel, index) => Math.abs(channel - (right[at]?.[index] ?? NaN)) > 3)
          ? [`${at}: ${pixel.join()} and ${right[at]?.join()}`]
          : [],
      );
      return apart.slice(0, 3).join("; ");
    }, SETTLED)
    .toBe("");
}

/** The number beside the pointer. */
const tip = ({ page }: ExplorerPage): Locator => page.locator("headscope-heatmap .tip b");

/** Waits until the inspector has the same pair and the same numbers on either. */
export async function expectSamePair({ gpu, cpu }: Both): Promise<void> {
  const pair = ({ page }: ExplorerPage): Locator => page.locator("headscope-inspector .pair");
  await expect(pair(gpu)).toHaveText((await pair(cpu).textContent()) ?? "", SETTLED);
  for (const stage of ["raw", "scores", "weights"] as const) {
    const own = await cpu.inspectedNumber(stage);
    if (Number.isFinite(own))
      await expect
        .poll(async () => Math.abs((await gpu.inspectedNumber(stage)) - own), SETTLED)
        .toBeLessThanOrEqual(NEAR);
    else await expect.poll(() => gpu.inspectedNumber(stage), SETTLED).toBe(own);
  }
  await expect(gpu.inspected("mask")).toHaveText((await cpu.inspected("mask").textContent()) ?? "");
  const bars = ({ page }: ExplorerPage): Promise<number[]> =>
    page
      .locator("headscope-inspector > headscope-bars, headscope-inspector section > headscope-bars")
      .first()
      .evaluate((element) =>
        (element as unknown as { items: { value: number }[] }).items.map(({ value }) => value),
      );
  const own = await bars(cpu);
  expect(own.length).toBeGreaterThan(1);
  await expect
    .poll(
      async () => (await bars(gpu)).map((value, at) => Math.abs(value - (own[at] ?? NaN)) <= NEAR),
      SETTLED,
    )
    .toEqual(own.map(() => true));
}

/** Points at a cell on either: the number beside the pointer and those of the inspector are the CPU's. */
export async function pointAt(both: Both, cell: { query: number; key: number }): Promise<void> {
  const { gpu, cpu, pages } = both;
  for (const explorer of pages) {
    const place = await explorer.page
      .locator("headscope-heatmap")
      .evaluate((element, { query, key }) => {
        const { layout } = element as unknown as {
          layout: { cell: number; plot: { x: number; y: number } };
        };
        return {
          x: layout.plot.x + (key + 0.5) * layout.cell,
          y: layout.plot.y + (query + 0.5) * layout.cell,
        };
      }, cell);
    await explorer.figure.hover({ position: place, force: true });
  }
  await expect(tip(cpu)).toHaveText(/\d/);
  const number = shownNumber((await tip(cpu).textContent()) ?? "");
  await expect
    .poll(async () => Math.abs(shownNumber((await tip(gpu).textContent()) ?? "") - number), SETTLED)
    .toBeLessThanOrEqual(NEAR);
  await expectSamePair(both);
}

/** Gives a way to lose the GPU of a page's threads: with the next commands that they hand to it. */
export async function losable(page: Page): Promise<() => Promise<void>> {
  await meddle(
    page,
    `{
      const request = GPUAdapter.prototype.requestDevice;
      let armed = false;
      new BroadcastChannel("lose").onmessage = () => (armed = true);
      GPUAdapter.prototype.requestDevice = async function (...asked) {
        const device = await request.apply(this, asked);
        const submit = device.queue.submit.bind(device.queue);
        device.queue.submit = (commands) => { submit(commands); if (armed) device.destroy(); };
        return device;
      };
    }`,
  );
  return () => page.evaluate(() => new BroadcastChannel("lose").postMessage("now"));
}

/** Puts a script before that of the engine's threads. */
export async function meddle(page: Page, script: string): Promise<void> {
  await page.route(/assets\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${script}\n${await response.text()}` });
  });
}
