import { expect } from "@playwright/test";
import type { HeadRef, Marginals, Painted, Stage, Tensor } from "../../www/data/index.js";
import { massReceived } from "../../www/draw/legend.js";
import { cellPixels } from "../../www/draw/pixels.js";
import { divergingScale, sequentialScale, type ColourScale } from "../../www/draw/scale.js";
import type { Read } from "../../www/engine/protocol.js";
import { ask, noteEngine } from "./engine-thread.js";
import { ExplorerPage } from "./explorer-page.js";
import { expectSameColours, openCounted, pointAt, SETTLED } from "./gpu-beside-cpu.js";
import { test } from "./gpu-pages.js";

test.setTimeout(180_000);

const IDS = Array.from({ length: 40 }, (_, at) => 3 + ((at * 7) % 60));
const STAGES: readonly Stage[] = ["raw", "masked", "weights"];

/** The colours that the page paints the numbers of a stage with. */
function scaleOf(stage: Stage, data: Float32Array, ground: "light" | "dark"): ColourScale {
  return stage === "weights"
    ? sequentialScale(data, ground === "light" ? "blue" : "viridis", ground)
    : divergingScale(data, ground);
}

/** The entry of a ramp with a pixel's colour; of several that share it the first, null of a transparent pixel. */
function entryOf(ramp: Uint8ClampedArray, pixel: ArrayLike<number>): number | null {
  if (pixel[3] === 0) return null;
  const entry = Array.from({ length: 256 }, (_, at) => at).find((at) =>
    [0, 1, 2].every((channel) => ramp[4 * at + channel] === pixel[channel]),
  );
  if (entry === undefined)
    throw new Error(`no colour of the ramp: ${Array.from(pixel).join(", ")}`);
  return entry;
}

/** Where a picture's colours are not those of another, or of the entry beside them. */
function otherColours(
  ramp: Uint8ClampedArray,
  one: ArrayLike<number>,
  other: ArrayLike<number>,
): string[] {
  const [left, right] = [Array.from(one), Array.from(other)];
  expect(left).toHaveLength(right.length);
  return Array.from({ length: left.length / 4 }, (_, at) => at).flatMap((at) => {
    const [a, b] = [left, right].map((pixels) => entryOf(ramp, pixels.slice(4 * at, 4 * at + 4)));
    const near =
      a === b || (typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= 1);
    return near ? [] : [`${at}: ${a} and ${b}`];
  });
}

for (const { model, stack, ground } of [
  { model: "models/en-fr", stack: "encoder", ground: "light" },
  { model: "models/tiny-gpt", stack: "decoder", ground: "dark" },
] as const) {
  test(`${model}: the GPU's colours, rows and sums are those of the CPU's numbers`, async ({
    page,
  }) => {
    await noteEngine(page);
    await new ExplorerPage(page).open();
    const request = { ids: IDS, ...(stack === "encoder" && { targetIds: [1, 9, 4] }) };
    const head: HeadRef = { stack, layer: 1, head: 1 };
    const numbers = await ask(page, "cpu", model, [
      {
        request,
        reads: STAGES.map((stage) => ({ what: "attention", ...head, stage, rows: null })),
      },
    ]);
    const patterns = (numbers.runs[0]?.reads ?? [])
      .map((answer) => answer as Tensor)
      .map(({ data, ...rest }) => ({ ...rest, data: Float32Array.from(data) }));
    const region = { query: 5, key: 2, rows: 11, columns: 30 };
    const reads = STAGES.flatMap((stage, at): Read[] => {
      const { ramp } = scaleOf(stage, patterns[at]?.data ?? new Float32Array(), ground);
      const paint = { what: "painted", ...head, stage, ramp, signed: stage !== "weights" } as const;
      return [
        { ...paint, most: 4096, groups: null, region: null },
        { ...paint, most: 4096, groups: null, region },
        { ...paint, most: 8, groups: null, region: null },
        { what: "attention", ...head, stage, rows: [7, 8] },
        { what: "marginals", ...head, stage },
      ];
    });
    const [gpu, cpu] = [
      await ask(page, "webgpu", model, [{ request, reads }]),
      await ask(page, "cpu", model, [{ request, reads }]),
    ];
    expect(gpu.info).toMatchObject({ backend: "webgpu", adapter: { software: true } });
    for (const [at, stage] of STAGES.entries()) {
      const { data } = patterns[at] ?? { data: new Float32Array() };
      const scale = scaleOf(stage, data, ground);
      const answers = (gpu.runs[0]?.reads ?? []).slice(at * 5, at * 5 + 5);
      const [whole, part, small] = answers as Painted[];
      const [, , , row, marginals] = answers as [unknown, unknown, unknown, Tensor, Marginals];
      const n = IDS.length;
      const pixels = cellPixels(data, scale);
      expect(whole, stage).toMatchObject({ rows: n, columns: n });
      expect(otherColours(scale.ramp, whole?.data ?? [], pixels), stage).toEqual([]);
      const cut = Array.from({ length: region.rows }, (_, row) =>
        Array.from(
          pixels.subarray(
            4 * ((region.query + row) * n + region.key),
            4 * ((region.query + row) * n + region.key + region.columns),
          ),
        ),
      ).flat();
      expect(part, stage).toMatchObject({ rows: region.rows, columns: region.columns });
      expect(otherColours(scale.ramp, part?.data ?? [], cut), stage).toEqual([]);
      // As many bytes as pixels, however long the text.
      expect(small, stage).toMatchObject({ rows: 8, columns: 8 });
      expect(Array.from(small?.data ?? [])).toHaveLength(8 * 8 * 4);
      expect(row.shape, stage).toEqual([1, n]);
      for (const [key, value] of Array.from(row.data).entries())
        expect(value, `${stage} ${key}`).toBeCloseTo(data[7 * n + key] ?? NaN, 3);
      expect(marginals.largest, stage).toBeCloseTo(scale.extent.max, 3);
      expect(marginals.least, stage).toBeCloseTo(scale.extent.min, 3);
      expect(marginals.forbidden, stage).toBe(scale.extent.masked);
      if (stage === "weights")
        for (const [key, sum] of massReceived(data, n).entries())
          expect(marginals.keys[key], `key ${key}`).toBeCloseTo(sum, 3);
      expect(whole?.marginals, stage).toEqual(marginals);
      // The CPU has its numbers at hand: nothing is painted for whoever reads them.
      const beside = (cpu.runs[0]?.reads ?? []).slice(at * 5, at * 5 + 5);
      expect(beside.slice(0, 3)).toEqual([null, null, null]);
      expect((beside[4] as Marginals).forbidden).toBe(marginals.forbidden);
    }
  });
}

const TEXT = "The dog bites the man because he ran away.";

test("the page has the GPU paint its heatmap, and reads the numbers under the pointer alone", async ({
  shared,
}) => {
  const address = `#v=1&model=models/tiny-bert&stack=encoder&layer=2&head=2&text=${encodeURIComponent(TEXT)}`;
  const opened = await shared();
  const { both, reads } = await openCounted(opened, address);
  const { gpu, cpu } = both;
  const sizeOf = async (): Promise<number> => await cpu.tokens("Tokens of your sentence").count();
  let n = await sizeOf();
  expect(n).toBeGreaterThan(8);
  await expectSameColours(both, n, n);
  const { pages } = both;
  for (const explorer of pages) await explorer.page.mouse.move(0, 0);
  expect(await gpu.inspectedNumber("weights")).toBeCloseTo(await cpu.inspectedNumber("weights"), 2);
  await pointAt(both, { query: 3, key: 5 });
  await pointAt(both, { query: 6, key: 1 });
  for (const stage of ["raw", "masked", "scores", "weights"] as const) {
    for (const explorer of pages) await explorer.stage(stage).check();
    for (const explorer of pages) await explorer.settle();
    await expectSameColours(both, n, n);
    await pointAt(both, { query: 4, key: 2 });
  }
  for (const explorer of pages) await explorer.type(`${TEXT} The man was glad.`);
  expect(await sizeOf()).toBeGreaterThan(n);
  n = await sizeOf();
  await expectSameColours(both, n, n);
  await pointAt(both, { query: n - 2, key: 7 });
  for (const explorer of pages) {
    await explorer.figure.focus();
    await explorer.page.keyboard.press("+");
    await expect(explorer.page).toHaveURL(/region=/);
    await explorer.settle();
  }
  const region = await gpu.page
    .locator("headscope-heatmap")
    .evaluate(
      (element) => (element as unknown as { held: { rows: number; columns: number } }).held,
    );
  expect(region.rows).toBeLessThan(n);
  await expectSameColours(both, region.rows, region.columns);
  const counted = await reads();
  expect(counted).toMatchObject({ whole: 0 });
  expect(counted.rows).toBeGreaterThan(0);
  expect(counted.painted).toBeGreaterThan(0);
  // Whoever asks for all numbers has them read whole.
  await gpu.page
    .locator("headscope-heatmap")
    .getByRole("button", { name: "Show the numbers" })
    .click();
  await expect(gpu.page.locator("headscope-heatmap .numbers td").first()).toHaveText(/\d/, SETTLED);
  expect((await reads()).whole).toBe(4);
});
