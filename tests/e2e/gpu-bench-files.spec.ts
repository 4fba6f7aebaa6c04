import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { csvRows } from "./files.js";
import { begin, DONE, Patient, test } from "./gpu-pages.js";
import { expectSamePicture, expectSameRows } from "./same-files.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const GPT = "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2";

/** Figures of the bench, and how they come to be where they are not there at once. */
const SAVED: {
  what: string;
  address: string;
  named: string;
  formats: readonly string[];
  ask?: (page: Page) => Promise<void>;
}[] = [
  {
    what: "the stages of a mask",
    address: `${GPT}&bench=masks&labs=masks(open-stages)&edits=d2.2~window(w1)`,
    named: "[name=stages]",
    formats: ["SVG", "PNG"],
  },
  {
    what: "the stream",
    address: `${GPT}&bench=heads&labs=heads(room-stream)`,
    named: "[name^=stream]",
    formats: ["SVG", "PNG", "CSV"],
  },
  {
    what: "the cost of a kind",
    address: `${GPT}&bench=kinds&edits=d2.2~kind-linear`,
    named: "[name=cost-of-kind]",
    formats: ["CSV"],
  },
  {
    what: "dropout",
    address: `${GPT}&bench=kinds&edits=.~kind-softmax(p0.5,q3)`,
    named: "[name=dropout]",
    formats: ["SVG", "PNG"],
  },
  {
    what: "heads by their effect",
    address: `${GPT}&bench=heads&labs=heads(room-ranking)`,
    named: "[name^=heads-by-effect]",
    formats: ["SVG", "PNG", "CSV"],
    ask: async (page) => {
      const measure = page
        .locator("headscope-head-ranking")
        .getByRole("button", { name: "Measure 16 heads" });
      await measure.click();
      await expect(page.locator("headscope-head-ranking ol li").first()).toBeVisible(DONE);
      await expect(measure).toBeVisible(DONE);
    },
  },
];

/** Saves a figure of the bench; its files by their format. */
async function save(
  page: Page,
  named: string,
  formats: readonly string[],
): Promise<Map<string, { name: string; bytes: Buffer }>> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0, DONE);
  const figure = page.locator(`headscope-save-figure${named}`);
  const files = new Map<string, { name: string; bytes: Buffer }>();
  for (const format of formats) {
    const [download] = await Promise.all([
      page.waitForEvent("download", DONE),
      figure.getByRole("button", { name: format }).click(),
    ]);
    files.set(format, {
      name: download.suggestedFilename(),
      bytes: await readFile(await download.path()),
    });
  }
  return files;
}

test("files of the bench's figures have the CPU's numbers on the GPU", async ({ shared }) => {
  const { gpu, cpu } = await shared();
  await begin(gpu, GPT, "WGSL");
  await begin(cpu, GPT, "simd128");
  for (const { what, address, named, formats, ask } of SAVED) {
    await test.step(what, async () => {
      const saved = [];
      for (const [page, backend] of [
        [cpu, ""],
        [gpu, "&backend=webgpu"],
      ] as const) {
        await new Patient(page).open(`${address}${backend}`);
        await ask?.(page);
        saved.push(await save(page, named, formats));
      }
      await expect(gpu.getByText("Kernel: ")).toContainText("WGSL");
      const [own, other] = saved;
      if (!own || !other) throw new Error("two pages");
      expect(
        [...other.values()].map(({ name }) => name),
        what,
      ).toEqual([...own.values()].map(({ name }) => name));
      const text = (files: typeof own, format: string): string =>
        files.get(format)?.bytes.toString("utf8") ?? "";
      if (formats.includes("CSV")) {
        const rows = csvRows(text(own, "CSV"));
        expect(new Set(rows.flat().filter((field) => /\d/.test(field))).size, what).toBeGreaterThan(
          3,
        );
        expectSameRows(what, rows, csvRows(text(other, "CSV")));
      }
      const [png, otherPng] = [own, other].map((files) => files.get("PNG")?.bytes);
      if (png && otherPng)
        await expectSamePicture(
          cpu,
          what,
          { svg: text(own, "SVG"), png },
          { svg: text(other, "SVG"), png: otherPng },
        );
    });
  }
});
