import { expect, type Locator } from "@playwright/test";
import { losable, SETTLED } from "./gpu-beside-cpu.js";
import { DONE, Patient, test } from "./gpu-pages.js";

test.setTimeout(240_000);

const TEXT = "The dog bit the man. He was sad.";
const ADDRESS = `#v=1&model=models/tiny-gpt&text=${encodeURIComponent(TEXT)}&edits=d1.2x0&bench=heads&labs=heads(room-ranking)`;
/** How far an effect on a GPU may be from the CPU's. */
const NEAR = 1e-4;

/** What a ranking would save as a table: the name of each head that was measured, and its effect. */
async function effectsIn(ranking: Locator): Promise<Map<string, number>> {
  const rows = await ranking
    .locator("headscope-save-figure")
    .evaluate((figure) =>
      "table" in figure ? (figure.table as { rows: (string | number)[][] }).rows : [],
    );
  return new Map(rows.map((row) => [row.slice(0, -1).join(), Number(row.at(-1))]));
}

const WORDS = {
  en: {
    notice: "The GPU failed. The CPU goes on instead; your text and edits are kept. gpu/lost",
    kept: "The GPU failed, and this with it. What was computed until then is kept; go on with the rest on the CPU.",
    go: "Measure 16 heads",
    goOn: /^Go on with \d+ heads?$/,
  },
  "zh-CN": {
    notice: "GPU 出了错，由 CPU 继续计算。你的文字和改动都还在。 gpu/lost",
    kept: "GPU 出了错，这项计算也随之中断。此前算出的结果都已保留，可以由 CPU 继续算完其余部分。",
    go: "测量 16 个头",
    goOn: /^继续测量其余 \d+ 个头$/,
  },
} as const;

for (const language of ["en", "zh-CN"] as const) {
  test(`a ranking of heads whose GPU is lost says so, keeps what it measured, and goes on to the CPU's numbers, in ${language}`, async ({
    page,
  }) => {
    const words = WORDS[language];
    const lose = await losable(page);
    const explorer = new Patient(page);
    await page.goto(`./${ADDRESS}&backend=webgpu&language=${language}`);
    await explorer.settle();
    const kernel = page.locator("headscope-page-footer");
    await expect(kernel).toContainText("WGSL", DONE);
    const sentence = page.locator("headscope-explorer textarea").first();
    const ranking = page.locator("headscope-head-ranking");
    await ranking.getByRole("button", { name: words.go }).click();
    await expect
      .poll(async () => (await effectsIn(ranking)).size, { ...DONE, intervals: [20] })
      .toBeGreaterThan(0);
    await lose();
    const status = ranking.getByRole("status").filter({ hasText: "gpu/lost" });
    await expect(status).toContainText(words.kept, DONE);
    await expect(page.getByText(words.notice)).toBeVisible(SETTLED);
    await expect(page.getByText("engine/crashed")).toHaveCount(0);
    await explorer.settle();
    await expect(kernel).toContainText("simd128");
    await expect(sentence).toHaveValue(TEXT);
    await expect(explorer.chips).toHaveCount(1);
    const kept = await effectsIn(ranking);
    expect(kept.size).toBeGreaterThan(0);
    expect(kept.size).toBeLessThan(16);
    await ranking.getByRole("button", { name: words.goOn }).press("Enter");
    const again = ranking.getByRole("button", { name: words.go });
    await expect(again).toBeVisible(SETTLED);
    await expect(status).toHaveCount(0);
    const all = await effectsIn(ranking);
    for (const [head, effect] of kept) expect(all.get(head), head).toBe(effect);
    // Once more, by the CPU alone.
    await again.click();
    await expect(ranking.locator("progress")).toHaveCount(0, SETTLED);
    const own = await effectsIn(ranking);
    expect([...own.keys()].sort()).toEqual([...all.keys()].sort());
    expect(own.size).toBe(16);
    for (const [head, effect] of own)
      expect(Math.abs((all.get(head) ?? NaN) - effect), head).toBeLessThanOrEqual(NEAR);
  });
}
