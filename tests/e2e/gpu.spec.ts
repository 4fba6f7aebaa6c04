// The page and the package on Chromium's software GPU.
import { resolve } from "node:path";
import { differencesOfVisits, replay, type Visit } from "../golden/replay.js";
import visits from "../golden/visits.json" with { type: "json" };
import { BITES, expect, NOTHING, SOFTWARE_GPU, test, watch, type Page } from "./page.js";

test.use(SOFTWARE_GPU);
// The software GPU compiles its kernels slowly.
test.setTimeout(300_000);

const SETTLED = { timeout: 120_000 };

const gpuSwitch = (page: Page): ReturnType<Page["locator"]> =>
  page.getByRole("switch", { name: "Compute on the GPU" });

test("a run on the GPU shows the numbers of the CPU", async ({ page, explorer }) => {
  const seen = watch(page);
  await explorer.open(`${BITES}&cell=2-2`);
  await explorer.openMenu("Settings");
  await expect(page.getByText("google swiftshader: a software renderer")).toBeVisible(SETTLED);
  const answer = (): Promise<string[]> =>
    page
      .locator("headscope-sentence-bar .written, headscope-growing-text .mirror")
      .allTextContents();
  const before = await answer();
  const weight = await explorer.inspectedNumber("weights");
  await gpuSwitch(page).check();
  await explorer.keys("Escape");
  // The page is shorter while the model loads again: the pointer would be over another head.
  await page.mouse.move(0, 0);
  await expect(page.getByText("Kernel: ")).toContainText("WGSL", SETTLED);
  await explorer.settle(SETTLED.timeout);
  await expect(page).toHaveURL(/backend=webgpu/);
  await expect.poll(answer, SETTLED).toEqual(before);
  await expect
    .poll(async () => Math.abs((await explorer.inspectedNumber("weights")) - weight), SETTLED)
    .toBeLessThan(0.0021);
  expect(seen).toEqual(NOTHING);
});

test("a lost GPU leaves all to the CPU", async ({ page, explorer }) => {
  // The device is destroyed after the third list of commands.
  const lose = `{
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...asked) {
      const device = await request.apply(this, asked);
      let lists = 0;
      const submit = device.queue.submit.bind(device.queue);
      device.queue.submit = (commands) => {
        submit(commands);
        lists += 1;
        if (lists === 3) device.destroy();
      };
      return device;
    };
  }`;
  await page.route(/assets\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${lose}\n${await response.text()}` });
  });
  await explorer.open(
    `${BITES}&edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}`,
  );
  const before = await explorer.texts();
  await explorer.openMenu("Settings");
  await expect(gpuSwitch(page)).toBeVisible(SETTLED);
  await gpuSwitch(page).check();
  await expect(explorer.notices).toContainText(/The GPU failed\..*gpu\/lost/s, SETTLED);
  await expect(page.getByText("Kernel: ")).toContainText("simd128", SETTLED);
  await expect(gpuSwitch(page)).not.toBeChecked();
  await explorer.keys("Escape");
  // The CPU begins the run once more only now.
  await explorer.settle(SETTLED.timeout);
  await expect.poll(() => explorer.texts(), SETTLED).toEqual(before);
  await expect(explorer.chips).toHaveCount(1);
});

test("the package answers the visits on a GPU", async ({ page }) => {
  await page.route("**/npm/**", (route) =>
    route.fulfill({ path: resolve("dist", new URL(route.request().url()).pathname.slice(1)) }),
  );
  await page.goto("./npm/package.json");
  const answered = await page.evaluate(replay, {
    entry: "/npm/headscope.js",
    models: "/models",
    backend: "webgpu",
    visits: visits as Visit[],
  } as const);
  expect(differencesOfVisits(visits as Visit[], answered)).toEqual([]);
});
