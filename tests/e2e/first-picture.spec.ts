import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Page } from "@playwright/test";
import type { Tensor } from "../../www/data/index.js";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage } from "./explorer-page.js";

/** What the page shows before its model is there; the weights come when the test says so. */
async function holdModel(page: Page): Promise<() => void> {
  let deliver = (): void => undefined;
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route("**/model.safetensors*", async (route) => {
    await held;
    await route.continue();
  });
  return deliver;
}

const tensorOf = (
  page: Page,
  tag: string,
  name: "tensor" | "thumbnails",
): Promise<{ data: number[]; shape: number[] }> =>
  page.locator(tag).evaluate((element, property) => {
    const { data, shape } = Reflect.get(element, property) as {
      data: Float32Array;
      shape: number[];
    };
    return { data: [...data], shape };
  }, name);

/** What moved on the page by itself since it was last asked: the browser's own measure, 0 to 1. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect();
          const since = Number(document.documentElement.dataset.shiftsSince ?? 0);
          document.documentElement.dataset.shiftsSince = String(performance.now());
          const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
          resolve(
            shifts.reduce(
              (sum, { startTime, value }) => (startTime >= since ? sum + value : sum),
              0,
            ),
          );
        }).observe({ type: "layout-shift", buffered: true });
        // Nothing is heard where nothing ever moved.
        setTimeout(() => resolve(0), 500);
      }),
  );

/** Each map has 255 steps up to its largest number. */
function expectWithinSteps(
  shown: { data: number[]; shape: number[] },
  { data, shape }: Tensor,
): void {
  expect(shown.shape).toEqual(shape);
  const size = (shape.at(-2) ?? 0) * (shape.at(-1) ?? 0);
  for (let start = 0; start < data.length; start += size) {
    const most = Math.max(...data.subarray(start, start + size));
    const errors = Array.from(data.subarray(start, start + size), (value, index) =>
      Math.abs((shown.data[start + index] ?? NaN) - value),
    );
    expect(Math.max(...errors)).toBeLessThanOrEqual(most * (0.5 / 255 + 1e-5));
  }
}

test("before the model arrives the precomputed picture is shown, and only for the first state", async ({
  page,
}) => {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const deliver = await holdModel(page);
  const explorer = new ExplorerPage(page);
  for (const address of ["#v=1&text=I+like+cats.", "#v=1&head=2", "#v=1&model=models/tiny-gpt"]) {
    await page.goto("about:blank");
    await page.goto(`./${address}`);
    await expect(page.getByText("Loading the model", { exact: true })).toBeVisible();
    await expect(page.locator("headscope-heatmap")).toHaveCount(0);
    await expect(page.locator("headscope-grid .head")).toHaveCount(0);
  }
  await page.goto("about:blank");
  await page.goto("./");
  const heatmap = page.locator("headscope-heatmap");
  await expect(heatmap).toBeVisible();
  await expect(heatmap).toHaveAttribute("inert");
  await expect(page.locator("headscope-grid")).toHaveAttribute("inert");
  await expect(explorer.main).toHaveAttribute("aria-busy", "true");
  await expect(page.getByText("Precomputed; model loading.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("progressbar", { name: "Loading the model" })).toBeInViewport();
  const drawn = await heatmap.elementHandle();
  await shiftOf(page);
  const early = {
    weights: await tensorOf(page, "headscope-heatmap", "tensor"),
    thumbnails: await tensorOf(page, "headscope-grid", "thumbnails"),
    translation: await explorer.translation.inputValue(),
    place: await heatmap.boundingBox(),
    grid: await page.locator("headscope-grid").boundingBox(),
  };

  const model = await headscope.loadModel(resolve("dist/site/models/en-fr"));
  const run = await model.run({ text: await explorer.sentence.inputValue() });
  expectWithinSteps(early.weights, await run.attention({ stack: "cross", layer: 1, head: 4 }));
  expectWithinSteps(early.thumbnails, await run.thumbnails({ stack: "cross", size: 48 }));
  expect(early.translation).toBe(run.targetText);
  model.dispose();

  deliver();
  await explorer.settle();
  await expect(heatmap).not.toHaveAttribute("inert");
  // The same element all along: another would have no height at first.
  expect(await heatmap.evaluate((element, before) => element === before, drawn)).toBe(true);
  expect(await shiftOf(page)).toBeLessThan(0.01);
  await expect(page.locator("headscope-grid")).not.toHaveAttribute("inert");
  const place = await heatmap.boundingBox();
  expect([place?.x, place?.y, place?.width, place?.height]).toEqual([
    early.place?.x,
    early.place?.y,
    early.place?.width,
    early.place?.height,
  ]);
  const grid = await page.locator("headscope-grid").boundingBox();
  expect([grid?.x, grid?.y, grid?.height]).toEqual([
    early.grid?.x,
    early.grid?.y,
    early.grid?.height,
  ]);
});
