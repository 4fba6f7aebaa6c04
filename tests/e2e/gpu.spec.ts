import { expect, test, type Page } from "@playwright/test";
import type { Edits, Stack } from "../../www/data/index.js";
import type { Read, ReadKind, Reads } from "../../www/engine/protocol.js";
import { apart } from "./apart.js";
import { findings } from "./axe.js";
import { ask, noteEngine, type Answered, type Asked } from "./engine-thread.js";
import { ExplorerPage, watch } from "./explorer-page.js";
import { meddle } from "./gpu-beside-cpu.js";
import { SiteServer } from "./site-server.js";
import { SOFTWARE_GPU } from "./software-gpu.js";

test.use(SOFTWARE_GPU);
test.setTimeout(180_000);

const SETTLED = { timeout: 60_000 };
type Asking<K extends ReadKind> = { what: K } & Reads[K]["ask"];

const LAYER_AND_HEAD = { layer: 1, head: 1 };
const ofTokens = <T>(stack: Stack, reads: (stack: "encoder" | "decoder") => T[]): T[] =>
  stack === "cross" ? [] : reads(stack);

/** Of every kind of question those that a stack has an answer to; what compares two runs takes the first for the other. */
const READS: { [K in ReadKind]: (stack: Stack) => Asking<K>[] } = {
  attention: (stack) =>
    (["raw", "scores", "masked", "weights"] as const).map((stage) => ({
      what: "attention",
      stack,
      ...LAYER_AND_HEAD,
      stage,
      rows: null,
    })),
  marginals: (stack) => [{ what: "marginals", stack, ...LAYER_AND_HEAD, stage: "weights" }],
  // Only where there is a GPU: `gpu-picture.spec.ts`.
  painted: () => [],
  mask: (stack) => [{ what: "mask", stack, ...LAYER_AND_HEAD }],
  qkv: (stack) =>
    (["query", "key", "value"] as const).map((part) => ({
      what: "qkv",
      stack,
      ...LAYER_AND_HEAD,
      part,
      rotated: true,
    })),
  hidden: (stack) => ofTokens(stack, () => [{ what: "hidden", stack, layer: 2 }]),
  logits: (stack) => ofTokens(stack, () => [{ what: "logits", positions: [1] }]),
  probabilities: (stack) =>
    ofTokens(stack, () => [{ what: "probabilities", positions: [1, 2, 2], ids: [5, 0, 17] }]),
  predictions: (stack) =>
    ofTokens(stack, () => [
      { what: "predictions", positions: [0, 2], topK: 3 },
      { what: "predictions", positions: [1], topK: 4000 },
    ]),
  positions: (stack) => ofTokens(stack, () => [{ what: "positions", stack }]),
  thumbnails: (stack) => [{ what: "thumbnails", stack, size: 8, stage: "weights" }],
  cost: (stack) => [{ what: "cost", stack, layer: 1, lengths: [8, 64] }],
  fullyMasked: (stack) => [{ what: "fullyMasked", stack, ...LAYER_AND_HEAD }],
  measures: (stack) => [
    { what: "measures", stack, lexicon: { special: Uint32Array.of(0), unigrams: null } },
  ],
  likeness: (stack) => [{ what: "likeness", stack, ...LAYER_AND_HEAD }],
  spectrum: (stack) => [{ what: "spectrum", stack, ...LAYER_AND_HEAD }],
  headCost: (stack) => [{ what: "headCost", stack, ...LAYER_AND_HEAD }],
  // Only where there is dropout.
  dropoutMean: () => [],
  steps: (stack) => [{ what: "steps", stack, ...LAYER_AND_HEAD }],
  explain: (stack) => [
    { what: "explain", stack, ...LAYER_AND_HEAD, step: "weights", row: 2, column: 1 },
  ],
  cosines: (stack) =>
    ofTokens(stack, () => [
      { what: "cosines", stack, positions: [1], other: 0, otherPositions: [2] },
    ]),
  residuals: (stack) => ofTokens(stack, () => [{ what: "residuals", stack }]),
  distances: (stack) =>
    ofTokens(stack, () => [{ what: "distances", stack, other: 0, order: null }]),
  divergences: (stack) => [{ what: "divergences", stack, other: 0 }],
};

const isOfTwo = (read: Read): boolean => "other" in read;
const everyReadOf = (stack: Stack): Read[] =>
  (Object.values(READS) as ((stack: Stack) => Read[])[]).flatMap((reads) => reads(stack));
const readsOf = (stack: Stack): Read[] => everyReadOf(stack).filter((read) => !isOfTwo(read));
/** How a later run differs from the first: a run would differ from itself in nothing. */
const comparedReadsOf = (stack: Stack): Read[] => everyReadOf(stack).filter(isOfTwo);

const IDS = [14, 8, 23, 61, 40, 5, 77, 30, 12];
const TARGET = [1, 9, 4];
const HEAD = { layers: [1], heads: [1] };

const DROPPED: Edits = { attention: [{ ...HEAD, dropout: { rate: 0.3, seed: 5 } }] };
/**
 * Edits are compared by all that the page does (`gpu-all.spec.ts`); what dropout leaves on the average is asked here, and
 * what it changed from the first run.
 */
const dropped = (stack: Stack): Asked => ({
  request: { ids: IDS, edits: DROPPED, ...(stack === "cross" && { targetIds: TARGET }) },
  reads: [
    ...READS.attention(stack),
    { what: "dropoutMean", stack, ...LAYER_AND_HEAD, draws: 4 },
    ...(stack === "cross" ? (["encoder", "decoder", "cross"] as const) : [stack]).flatMap(
      comparedReadsOf,
    ),
  ],
});

const MODELS: { model: string; asked: Asked[] }[] = [
  {
    model: "models/en-fr",
    asked: [
      {
        request: { ids: IDS, targetIds: TARGET },
        reads: [...readsOf("encoder"), ...readsOf("decoder"), ...readsOf("cross")],
      },
      dropped("cross"),
      {
        request: { ids: IDS, generate: { maxTokens: 6 } },
        reads: [{ what: "logits", positions: [1] }],
      },
    ],
  },
  {
    model: "models/tiny-gpt",
    asked: [
      { request: { ids: IDS }, reads: readsOf("decoder") },
      dropped("decoder"),
      {
        request: { ids: IDS, generate: { maxTokens: 4 } },
        reads: [{ what: "logits", positions: null }],
      },
    ],
  },
  {
    model: "models/tiny-bert",
    asked: [{ request: { ids: IDS }, reads: readsOf("encoder") }, dropped("encoder")],
  },
];

test("ranks are apart where an entry is better or worse, and not where two that are as good change places", () => {
  const ranked = (...logits: [number, number][]): unknown =>
    logits.map(([id, logit]) => ({ id, logit, probability: 0.1 }));
  expect(apart(ranked([7, 2], [3, 1.00001], [5, 1]), ranked([7, 2], [5, 1.00001], [3, 1]))).toEqual(
    [],
  );
  // Of two that are as good as the last, either may be it.
  expect(apart(ranked([7, 2], [3, 1]), ranked([7, 2], [5, 1.00001]))).toEqual([]);
  expect(apart(ranked([7, 2], [3, 1]), ranked([3, 2], [7, 1]))).toEqual([
    ".0.logit of 7: 2 and 1",
    ".1.logit of 3: 1 and 2",
  ]);
  expect(apart(ranked([7, 2], [3, 1]), ranked([7, 2], [3, 0.5]))).toEqual([
    ".1.logit: 1 and 0.5",
    ".1.logit of 3: 1 and 0.5",
  ]);
  expect(apart(ranked([7, 2], [3, 1]), ranked([7, 2], [7, 1]))).toEqual([
    ".1: 7 stands there twice",
    ".0.logit of 7: 2 and 1",
  ]);
});

test("what is apart is told also beside what stands in the place of −∞", () => {
  expect(apart([-1e9, 0.5], [-1e9, 0.9])).toEqual([".1: 0.5 and 0.9"]);
  expect(apart(Float32Array.of(-1e9, 4000), Float32Array.of(-1e9 - 64, 4000.1))).toEqual([]);
  expect(apart([-Infinity, 4000], [-1e9, 4000])).toEqual([".0: -Infinity and -1000000000"]);
});

for (const { model, asked } of MODELS) {
  test(`${model}: every kind of number that is read of a run is the CPU's`, async ({ page }) => {
    await noteEngine(page);
    await new ExplorerPage(page).open();
    const [cpu, gpu]: [Answered, Answered] = [
      await ask(page, "cpu", model, asked),
      await ask(page, "webgpu", model, asked),
    ];
    expect(cpu.info).toMatchObject({ backend: "cpu", adapter: null });
    expect(gpu.info).toMatchObject({ backend: "webgpu", adapter: { software: true } });
    for (const [run, { reads, targetIds }] of cpu.runs.entries()) {
      expect(gpu.runs[run]?.targetIds).toEqual(targetIds);
      for (const [at, answer] of reads.entries()) {
        const name = `run ${run}, ${JSON.stringify(asked[run]?.reads[at])}`;
        expect(typeof answer, name).toBe("object");
        expect(apart(answer, gpu.runs[run]?.reads[at]).slice(0, 3), name).toEqual([]);
      }
    }
  });
}

const gpuSwitch = (page: Page): ReturnType<Page["locator"]> =>
  page.getByRole("switch", { name: "Compute on the GPU" });

async function turnOn(explorer: ExplorerPage): Promise<void> {
  await expect(gpuSwitch(explorer.page)).toBeVisible(SETTLED);
  await gpuSwitch(explorer.page).check();
  await expect(explorer.page.getByText("Kernel: ")).toContainText("WGSL", SETTLED);
  await explorer.settle();
}

test("the page offers the adapter, names it, says that it is software, and shows the same on it", async ({
  page,
}) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await expect(
    page.getByText("google swiftshader, which is software: right, but slower than the CPU"),
  ).toBeVisible(SETTLED);
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

test("what the GPU leaves to the CPU is said on its chip and beside the adapter, in both languages", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  const address =
    "#v=1&model=models/tiny-bert&text=The+dog+bites+the+man.&edits=e2.1x0.5;e1.1~kind-performer(f16,s2)";
  await explorer.open(`${address}&backend=webgpu`);
  const [gate, kind] = [explorer.chips.first(), explorer.chips.last()];
  await expect(kind.locator("small")).toHaveText("computed on the CPU", SETTLED);
  await expect(gate.locator("small")).toHaveCount(0);
  await expect(page.getByText("The CPU computes the attention of 1 layer.")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await explorer.open(`${address}&backend=webgpu&language=zh-CN`);
  await expect(kind.locator("small")).toHaveText("由 CPU 计算", SETTLED);
  await expect(page.getByText("其中 1 层的注意力由 CPU 计算。")).toBeVisible();
  await explorer.open(address);
  await expect(page.getByText("Kernel: ")).toContainText("simd128", SETTLED);
  await expect(explorer.chips).toHaveCount(2);
  await expect(explorer.chips.locator("small")).toHaveCount(0);
  await expect(page.getByText("The CPU computes the attention")).toHaveCount(0);
});

/** A script that hears of each device, and of how often something was handed to it. */
const onDevice = (what: string): string => `{
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...asked) {
      const device = await request.apply(this, asked);
      let handed = 0;
      const submit = device.queue.submit.bind(device.queue);
      device.queue.submit = (commands) => { submit(commands); handed += 1; (${what})(device, handed); };
      return device;
    };
  }`;

/** From the third wait on nothing that is read comes back, and the clock of who waits runs faster, which for minutes nobody would watch. */
const SILENT = `{
    const [tick, every, map] = [setInterval, [], GPUBuffer.prototype.mapAsync];
    let waits = 0;
    self.setInterval = (heard, millis) => { every.push(heard); return tick(heard, millis); };
    GPUBuffer.prototype.mapAsync = function (...asked) {
      waits += 1;
      if (waits < 3) return map.apply(this, asked);
      if (waits === 3) tick(() => every.forEach((heard) => heard()), 5);
      return new Promise(() => undefined);
    };
  }`;

const FAILED = "The GPU failed. The CPU goes on instead; your text and edits are kept. gpu/lost";
for (const [trouble, script, said] of [
  [
    "is refused",
    `GPUAdapter.prototype.requestDevice = () => Promise.reject(new DOMException("no device for this", "OperationError"));`,
    "The GPU cannot be used. The CPU computes instead; your text and edits are kept. gpu/unavailable",
  ],
  [
    "is lost during a run",
    onDevice("(device, handed) => handed === 3 && device.destroy()"),
    FAILED,
  ],
  [
    "runs out of memory during a run",
    onDevice(
      `(device, handed) => handed === 3 && device.dispatchEvent(new GPUUncapturedErrorEvent("uncapturederror", { error: new GPUOutOfMemoryError("no memory is left") }))`,
    ),
    FAILED,
  ],
  [
    "refuses a command during a run",
    onDevice(
      `(device, handed) => handed === 3 && device.dispatchEvent(new GPUUncapturedErrorEvent("uncapturederror", { error: new GPUValidationError("no such thing") }))`,
    ),
    FAILED,
  ],
  [
    "never answers during a run",
    SILENT,
    "The GPU stopped answering. The CPU goes on instead; your text and edits are kept. gpu/silent",
  ],
] as const) {
  test(`a device that ${trouble} leaves the text, the edits and the answers to the CPU, and says so`, async ({
    page,
  }) => {
    await meddle(page, script);
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.&edits=c2.3x0");
    const before = await explorer.texts();
    await expect(gpuSwitch(page)).toBeVisible(SETTLED);
    await gpuSwitch(page).check();
    await expect(page.getByText(said)).toBeVisible(SETTLED);
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

test("a network that is cut before the GPU's engine came leaves the page on the CPU, and says so", async ({
  page,
}) => {
  await page.route(/headscope_gpu[^/]*\.(js|wasm)$/, (route) => route.abort());
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const before = await explorer.texts();
  await expect(gpuSwitch(page)).toBeVisible(SETTLED);
  await gpuSwitch(page).check();
  await expect(
    page.getByText(
      "The GPU cannot be used. The CPU computes instead; your text and edits are kept.",
    ),
  ).toBeVisible(SETTLED);
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
