import { expect, test, type Page } from "@playwright/test";
import config from "../../playwright.config.js";
import type { Read } from "../../www/engine/protocol.js";
import { findings } from "./axe.js";
import { ask, noteEngine, type Answered, type Asked } from "./engine-thread.js";
import { ExplorerPage, watch } from "./explorer-page.js";
import { SiteServer } from "./site-server.js";

const { launchOptions } = config.use ?? {};

// Chromium's own imitation of a GPU: right, and slow.
test.use({ launchOptions: { ...launchOptions, args: [...(launchOptions?.args ?? []), "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"] } });
test.setTimeout(180_000);

const SETTLED = { timeout: 60_000 };
/** How far numbers of the GPU may be from those of the CPU, relative where they are larger than one. */
const TOLERANCE = 2e-4;

const readsOf = (stack: "encoder" | "decoder" | "cross"): Read[] => {
  const head = { stack, layer: 1, head: 1 };
  return [
    ...(["raw", "scores", "masked", "weights"] as const).map((stage): Read => ({ what: "attention", ...head, stage })),
    ...(["query", "key", "value"] as const).map((part): Read => ({ what: "qkv", ...head, part, rotated: true })),
    { what: "mask", ...head },
    { what: "thumbnails", stack, size: 8, stage: "weights" },
    { what: "measures", stack, lexicon: { special: Uint32Array.of(0), unigrams: null } },
    { what: "likeness", ...head },
    { what: "steps", ...head },
    { what: "explain", ...head, step: "weights", row: 2, column: 1 },
  ];
};

const stream = (stack: "encoder" | "decoder"): Read[] => [
  { what: "hidden", stack, layer: 2 },
  { what: "residuals", stack },
];

const IDS = [14, 8, 23, 61, 40, 5, 77, 30, 12];
const MODELS: { model: string; asked: Asked[] }[] = [
  {
    model: "models/en-fr",
    asked: [
      { request: { ids: IDS, generate: { maxTokens: 6 } }, reads: [...readsOf("encoder"), ...readsOf("decoder"), ...readsOf("cross"), ...stream("encoder"), ...stream("decoder"), { what: "logits", positions: [1] }, { what: "positions", stack: "encoder" }] },
      { request: { ids: IDS, targetIds: [1, 9, 4], edits: { heads: [{ stack: "cross", layers: [1], heads: [3], gate: 0 }] } }, reads: [...readsOf("cross"), { what: "distances", stack: "encoder", other: 0, order: null }, { what: "predictions", positions: [0, 2], topK: 3 }] },
      { request: { ids: IDS, targetIds: [1, 9, 4], edits: { masks: [{ stack: "encoder", layers: [1], heads: [1], block: [[2, 1], [3, 1]] }] } }, reads: [...readsOf("encoder"), { what: "divergences", stack: "encoder", other: 1 }] },
    ],
  },
  { model: "models/tiny-gpt", asked: [{ request: { ids: IDS, generate: { maxTokens: 4 } }, reads: [...readsOf("decoder"), ...stream("decoder"), { what: "logits", positions: null }] }] },
  { model: "models/tiny-bert", asked: [{ request: { ids: IDS }, reads: [...readsOf("encoder"), ...stream("encoder"), { what: "predictions", positions: [1], topK: 5 }] }] },
];

/** Every number of two answers, where it stands, if they are further apart than they may be. */
function apart(one: unknown, other: unknown, at: string): string[] {
  if (typeof one === "number" && typeof other === "number") {
    const near = Object.is(one, other) || Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one));
    return near ? [] : [`${at}: ${one} and ${other}`];
  }
  if (typeof one === "object" && typeof other === "object" && one !== null && other !== null) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => apart((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name], `${at}.${name}`));
  }
  return one === other ? [] : [`${at}: ${String(one)} and ${String(other)}`];
}

for (const { model, asked } of MODELS) {
  test(`${model}: every kind of number that is read of a run is the CPU's`, async ({ page }) => {
    await noteEngine(page);
    await new ExplorerPage(page).open();
    const [cpu, gpu]: [Answered, Answered] = [await ask(page, "cpu", model, asked), await ask(page, "webgpu", model, asked)];
    expect(cpu.info).toMatchObject({ backend: "cpu", adapter: null });
    expect(gpu.info).toMatchObject({ backend: "webgpu", adapter: { software: true } });
    for (const [run, { reads, targetIds }] of cpu.runs.entries()) {
      expect(gpu.runs[run]?.targetIds).toEqual(targetIds);
      for (const [at, answer] of reads.entries()) {
        const name = `run ${run}, ${JSON.stringify(asked[run]?.reads[at])}`;
        expect(typeof answer, name).toBe("object");
        expect(apart(answer, gpu.runs[run]?.reads[at], "").slice(0, 3), name).toEqual([]);
      }
    }
  });
}

const gpuSwitch = (page: Page): ReturnType<Page["locator"]> => page.getByRole("switch", { name: "Compute on the GPU" });

async function turnOn(explorer: ExplorerPage): Promise<void> {
  await expect(gpuSwitch(explorer.page)).toBeVisible(SETTLED);
  await gpuSwitch(explorer.page).check();
  await expect(explorer.page.getByText("Kernel: ")).toContainText("WGSL", SETTLED);
  await explorer.settle();
}

test("the page offers the adapter, names it, says that it is software, and shows the same on it", async ({ page }) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await expect(page.getByText("google swiftshader, which is software: right, but slower than the CPU")).toBeVisible(SETTLED);
  const before = await explorer.texts();
  const weight = await explorer.inspectedNumber("weights");
  await turnOn(explorer);
  await expect(page).toHaveURL(/backend=webgpu/);
  expect(await explorer.texts()).toEqual(before);
  expect(await explorer.inspectedNumber("weights")).toBeCloseTo(weight, 3);
  await explorer.type("My sister has a black cat.");
  const written = (await explorer.texts())[1];
  await explorer.head(2, 3).first().focus();
  await page.keyboard.press("s");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);
  const edited = (await explorer.texts())[1];
  expect(await findings(page)).toEqual([]);
  await gpuSwitch(page).uncheck();
  await expect(page.getByText("Kernel: ")).toContainText("simd128", SETTLED);
  await explorer.settle();
  expect((await explorer.texts())[1]).toBe(edited);
  await page.keyboard.press("Control+z");
  await explorer.settle();
  expect((await explorer.texts())[1]).toBe(written);
  expect(seen).toEqual({ foreign: [], errors: [] });
});

/** Puts a script before that of the engine's threads. It hears of each device, and of how often something was handed to it. */
async function meddle(page: Page, what: string): Promise<void> {
  const script = `{
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...asked) {
      const device = await request.apply(this, asked);
      let handed = 0;
      const submit = device.queue.submit.bind(device.queue);
      device.queue.submit = (commands) => { submit(commands); handed += 1; (${what})(device, handed); };
      return device;
    };
  }\n`;
  await page.route(/assets\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: script + (await response.text()) });
  });
}

for (const [trouble, what] of [
  ["is lost", "(device, handed) => handed === 3 && device.destroy()"],
  ["runs out of memory", `(device, handed) => handed === 3 && device.dispatchEvent(new GPUUncapturedErrorEvent("uncapturederror", { error: new GPUOutOfMemoryError("no memory is left") }))`],
  ["refuses a command", `(device, handed) => handed === 3 && device.dispatchEvent(new GPUUncapturedErrorEvent("uncapturederror", { error: new GPUValidationError("no such thing") }))`],
] as const) {
  test(`a device that ${trouble} during a run leaves the text, the edits and the answers to the CPU, and says so`, async ({ page }) => {
    await meddle(page, what);
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.&edits=c2.3x0");
    const before = await explorer.texts();
    await expect(gpuSwitch(page)).toBeVisible(SETTLED);
    await gpuSwitch(page).check();
    await expect(page.getByText("The GPU failed. The CPU goes on instead; your text and edits are kept.")).toBeVisible(SETTLED);
    await explorer.settle();
    await expect(page.getByText("Kernel: ")).toContainText("simd128");
    await expect(gpuSwitch(page)).not.toBeChecked();
    expect(await explorer.texts()).toEqual(before);
    await expect(explorer.chips).toHaveCount(1);
    await expect(page.getByRole("alert")).toHaveText("");
    await explorer.type("My sister has a black cat.");
    await expect(explorer.translation).not.toHaveValue(before[1]);
  });
}

test("a network that is cut before the GPU's engine came leaves the page on the CPU, and says so", async ({ page }) => {
  await page.route(/headscope_gpu[^/]*\.(js|wasm)$/, (route) => route.abort());
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const before = await explorer.texts();
  await expect(gpuSwitch(page)).toBeVisible(SETTLED);
  await gpuSwitch(page).check();
  await expect(page.getByText("The GPU cannot be used. The CPU computes instead; your text and edits are kept.")).toBeVisible(SETTLED);
  await explorer.settle();
  await expect(gpuSwitch(page)).not.toBeChecked();
  expect(await explorer.texts()).toEqual(before);
});

test.describe("with a service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("the GPU's engine is there without a network once it has been used", async ({ context }) => {
    const server = new SiteServer("dist/site");
    await server.start();
    const visit = async (hash: string): Promise<ExplorerPage> => {
      const explorer = new ExplorerPage(await context.newPage());
      await explorer.page.goto(`${server.address}${hash}`);
      await explorer.settle();
      return explorer;
    };
    const first = await visit("#v=1&text=The+dog+bites+the+man.");
    await expect(first.page.getByText("It opens again without a network.")).toBeVisible(SETTLED);
    expect(server.asked.filter((path) => path.includes("headscope_gpu_bg"))).toEqual([]);
    await first.page.close();
    const used = await visit("#v=1&text=The+dog+bites+the+man.&backend=webgpu");
    await expect(used.page.getByText("Kernel: ")).toContainText("WGSL", SETTLED);
    const online = await used.texts();
    await used.page.close();
    await server.kill();
    const offline = await visit("#v=1&text=The+dog+bites+the+man.&backend=webgpu");
    await expect(offline.page.getByText("Kernel: ")).toContainText("WGSL", SETTLED);
    expect(await offline.texts()).toEqual(online);
  });
});
