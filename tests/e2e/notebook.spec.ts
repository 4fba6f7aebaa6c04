// Figures that Python saved as a page, opened from the disk without a network.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, NOTHING, test, watch, type Page } from "./page.js";

const PYTHON = resolve(
  process.platform === "win32" ? "target/python/Scripts/python.exe" : "target/python/bin/python",
);
let folder = "";
let weights: number[][][][] = [];

test.beforeAll(() => {
  if (!existsSync(PYTHON))
    throw new Error("target/python is not there: run `cargo xtask test page python` first.");
  folder = mkdtempSync(join(tmpdir(), "headscope-notebook-"));
  execFileSync(PYTHON, ["tests/e2e/notebook_pages.py", folder]);
  weights = JSON.parse(readFileSync(join(folder, "weights.json"), "utf8")) as typeof weights;
});
test.afterAll(() => rmSync(folder, { recursive: true }));
test.beforeEach(({ context }) => context.setOffline(true));

async function open(page: Page, name: string): Promise<void> {
  await page.goto(pathToFileURL(join(folder, name)).href);
}

/** The number that the figure speaks of when it is reached by the keyboard. */
async function spoken(page: Page, tag: string): Promise<string> {
  const figure = page.locator(`headscope-${tag}`);
  await figure.getByRole("application").focus();
  return ((await figure.locator("[aria-live]").textContent()) ?? "").trim();
}

async function saved(page: Page, format: string): Promise<Buffer> {
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: format, exact: true }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe(`headscope_layer-1_head-2.${format.toLowerCase()}`);
  return readFileSync(await download.path());
}

test("a saved figure shows the given weights and saves pictures without a network", async ({
  page,
}) => {
  const seen = watch(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).protocol));
  await open(page, "figure.html");
  await expect(page).toHaveTitle("Cats & mats");
  const heading = page.getByRole("heading");
  await expect(heading).toHaveText("Layer 2, head 3");
  const weight = (layer: number, head: number): string =>
    (weights[layer]?.[head]?.[3]?.[1] ?? NaN).toFixed(3);
  expect(await spoken(page, "heatmap")).toBe(`<on> attends to cat: ${weight(1, 2)}`);
  await test.step("another head", async () => {
    await page.getByRole("button", { name: "Layer 1, head 2", exact: true }).click();
    await expect(heading).toHaveText("Layer 1, head 2");
    expect(await spoken(page, "heatmap")).toBe(`<on> attends to cat: ${weight(0, 1)}`);
  });
  await test.step("lines", async () => {
    await page.getByText("Lines", { exact: true }).click();
    expect(await spoken(page, "lines")).toBe(`<on> attends to cat: ${weight(0, 1)}`);
  });
  await test.step("files", async () => {
    const svg = (await saved(page, "SVG")).toString();
    expect(svg).toContain("Cats &amp; mats · Decoder · Layer 1, head 2");
    expect(svg).toContain(">&lt;on&gt;<");
    expect((await saved(page, "PNG")).subarray(1, 4).toString()).toBe("PNG");
    expect((await saved(page, "PDF")).subarray(0, 5).toString()).toBe("%PDF-");
  });
  expect(new Set(requests)).toEqual(new Set(["file:"]));
  expect(seen).toEqual(NOTHING);
});

test("a saved figure says in its language what its numbers are, and which it cannot read", async ({
  page,
}) => {
  await open(page, "sinks.html");
  await expect(page.getByText("Rows sum to less than 1 (0.500 to 0.500)")).toBeVisible();
  await expect(page.locator("headscope-lines")).toBeVisible();
  await open(page, "zh.html");
  await expect(page.getByRole("heading")).toHaveText("第 2 层，第 3 头");
  const text = readFileSync(join(folder, "figure.html"), "utf8");
  writeFileSync(join(folder, "cut.html"), text.replace(/"data":"[^"]{8}/, '"data":"'));
  await open(page, "cut.html");
  await expect(page.getByRole("alert")).toContainText("figure/unreadable");
});

/** A widget's model in the page, as anywidget passes it, without a kernel. */
interface Kernel {
  state: Record<string, unknown>;
  sent: object[];
  /** Sets a trait as a cell does. */
  set: (name: string, value: unknown) => void;
}

test("figures of one notebook follow their traits, each with a module of its own", async ({
  page,
}) => {
  const seen = watch(page);
  const script = readFileSync("dist/npm/anywidget.js", "utf8");
  const state = JSON.parse(readFileSync(join(folder, "state.json"), "utf8")) as object;
  await page.goto("about:blank");
  const add = (): Promise<void> =>
    page.evaluate(
      async ([text, given]) => {
        const kernels = ((globalThis as { kernels?: Kernel[] }).kernels ??= []);
        const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
        const { default: widget } = (await import(url)) as {
          default: { render: (of: object) => () => void };
        };
        const bytes = Uint8Array.from(atob(given._numbers), (one) => one.charCodeAt(0));
        const values: Record<string, unknown> = { ...given, _numbers: new DataView(bytes.buffer) };
        const listeners = new Map<string, () => void>();
        const kernel: Kernel = {
          state: values,
          sent: [],
          set: (name, value) => {
            values[name] = value;
            listeners.get(`change:${name}`)?.();
          },
        };
        const model = {
          get: (name: string) => values[name],
          set: (name: string, value: unknown) => (values[name] = value),
          save_changes: () => undefined,
          on: (name: string, act: () => void) => listeners.set(name, act),
          off: (name: string) => listeners.delete(name),
          send: (content: object) => kernel.sent.push(content),
        };
        kernels.push(kernel);
        const el = document.body.appendChild(document.createElement("div"));
        widget.render({ model, el });
      },
      [script, state as { _numbers: string }] as const,
    );
  const tell = (at: number, name: string, value: unknown): Promise<void> =>
    page.evaluate(
      ([one, trait, to]) =>
        (globalThis as unknown as { kernels: Kernel[] }).kernels[one]?.set(trait, to),
      [at, name, value] as const,
    );
  const read = (at: number): Promise<unknown[]> =>
    page.evaluate((one) => {
      const kernel = (globalThis as unknown as { kernels: Kernel[] }).kernels[one];
      return [kernel?.state.layer, kernel?.state.head, kernel?.state.pair, kernel?.sent];
    }, at);
  await add();
  await add();
  const second = page.locator("headscope-attention").nth(1);
  await expect(second.getByRole("heading")).toHaveText("Layer 2, head 3");
  await tell(1, "layer", 0);
  await expect(second.getByRole("heading")).toHaveText("Layer 1, head 3");
  await second.getByRole("button", { name: "Layer 1, head 2", exact: true }).click();
  await second.getByRole("application").focus();
  await page.keyboard.press("Escape");
  expect(await read(0)).toEqual([1, 2, [3, 1], [{ shown: true }]]);
  expect(await read(1)).toEqual([0, 1, null, [{ shown: true }]]);
  expect(seen).toEqual(NOTHING);
});
