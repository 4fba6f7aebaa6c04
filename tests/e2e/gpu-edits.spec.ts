import { expect } from "@playwright/test";
import type { ExplorerPage } from "./explorer-page.js";
import { type Both, expectSameColours, openCounted, pointAt, SETTLED } from "./gpu-beside-cpu.js";
import { test } from "./gpu-pages.js";

test.setTimeout(400_000);

const STAGES = ["raw", "masked", "weights"] as const;

/** What edits made of the head, in words. */
const changes = ({ page }: ExplorerPage) => page.locator("headscope-edit-changes");

/** Waits until the inspector says of either run that it moved as far. */
async function expectSameChange({ gpu, cpu }: Both): Promise<void> {
  for (const part of ["row", "head"]) {
    const moved = (explorer: ExplorerPage) => changes(explorer).locator(`[data-change=${part}]`);
    await expect(moved(cpu)).toHaveText(/\d/, SETTLED);
    const numberIn = (words: string | null): number => Number(/\d\.\d+/.exec(words ?? "")?.[0]);
    const own = numberIn(await moved(cpu).textContent());
    await expect
      .poll(async () => Math.abs(numberIn(await moved(gpu).textContent()) - own), SETTLED)
      .toBeLessThanOrEqual(0.0021);
  }
  await expect(changes(gpu).locator("table").last().locator("tbody tr")).toHaveCount(
    await changes(cpu).locator("table").last().locator("tbody tr").count(),
  );
}

/** An edit of the head that is shown, or of what it reads; some leave cells without a number. */
const MODELS = [
  {
    name: "en-fr",
    head: "&stack=cross&layer=1&head=2&target=Le+chat+mord+le+chien.",
    edits: [
      "c1.~replace-strided(r2)",
      "c1.2!2-2",
      "c1.2x0;d1.1~uniform",
      "c1.2~kind-performer(f16,s2)",
    ],
  },
  {
    name: "tiny-gpt",
    head: "&stack=decoder&layer=1&head=1",
    edits: [
      "d.~fill",
      "d1.1!1-1,4-1,4-2,4-3,4-4",
      "d.~at-alibi",
      "d1.1~kind-sliding(w1)",
      "d1.1~kind-linear",
    ],
  },
  {
    name: "tiny-bert",
    head: "&stack=encoder&layer=1&head=1",
    edits: [
      "e.~global(w1t1)",
      "e.~at-t5(k8)",
      "e1.1~kind-low-rank(r2)",
      "e1.1~kind-linformer(k2)",
      "e1.~norm-pre(f)",
    ],
  },
] as const;

for (const { name, head, edits } of MODELS) {
  test(`${name}: whatever is edited, the GPU paints the head as the CPU does, with the bench open and closed`, async ({
    shared,
  }) => {
    const address = (edit: string, more = ""): string =>
      `#v=1&model=models/${name}&text=${encodeURIComponent("The cat bites the dog.")}${head}${edit && `&edits=${edit}`}${more}`;
    const opened = await shared();
    const { both, reads } = await openCounted(opened, address(""));
    const { gpu, cpu, pages } = both;
    // What stood on the page before may have been read until here.
    const { scores } = await reads();
    const labels = await gpu.page
      .locator("headscope-heatmap")
      .evaluate(
        (element) =>
          [
            (element as unknown as { rows: number }).rows,
            (element as unknown as { columns: number }).columns,
          ] as const,
      );
    for (const [at, edit] of edits.entries()) {
      const before = await reads();
      await test.step(edit, async () => {
        await gpu.open(address(edit, `&backend=webgpu${at % 2 === 0 ? "&bench=masks" : ""}`));
        await cpu.open(address(edit));
        for (const explorer of pages)
          await expect(explorer.chips).toHaveCount(edit.split(";").length);
        // Each stage under the first; what the others change is in the weights.
        for (const stage of at === 0 ? STAGES : (["weights"] as const)) {
          for (const explorer of pages) await explorer.stage(stage).check();
          for (const explorer of pages) await explorer.settle();
          await expectSameColours(both, ...labels);
        }
        await pointAt(both, { query: 4, key: 2 });
        await expectSameChange(both);
        for (const explorer of pages) await explorer.page.mouse.move(0, 0);
      });
      const after = await reads();
      expect(after.painted, edit).toBeGreaterThan(before.painted);
      expect(after.rows, edit).toBeGreaterThan(before.rows);
    }
    // How far the weights moved takes all of them, and nothing else does.
    expect((await reads()).scores).toBe(scores);
  });
}
