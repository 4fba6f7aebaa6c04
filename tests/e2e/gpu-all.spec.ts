import { expect, type Page } from "@playwright/test";
import type { Stack } from "../../www/data/index.js";
import { engine, ExportMenu } from "./export-menu.js";
import type { ExplorerPage } from "./explorer-page.js";
import { begin, DONE, Patient, test } from "./gpu-pages.js";
import { playTape, rewindTape } from "./tape.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

/** A model, a head of it, and what is done with it by addresses, as links and undo do it; every field but the model's. */
const MODELS = [
  {
    name: "en-fr",
    stack: "cross",
    // So that not every change is followed by a translation.
    target: "&target=Le+chat+mord+le+chien.",
    edits: [
      "e.~or-not-window(w2)",
      "c2.~replace-strided(r2)",
      "c2.5!2-2;d1.2x0.5",
      "c2.5~uniform;e1.~residual-off",
      "e.~at-rotary;d.~at-none",
      "e1.1~kind-sliding(w1);e1.2~kind-performer(f16,s2)",
      "c1.1~kind-softmax(p0.4,q5)",
      "d.~fill",
    ],
  },
  {
    name: "tiny-gpt",
    stack: "decoder",
    target: "",
    edits: [
      "d.~random(w1k2s3t1)",
      "d2.3x0;d1.1~previous",
      "d.~at-alibi",
      "d.~at-transformer-xl(s3)",
      "d1.1~kind-cosine;d1.2~kind-linear",
      "d2.~residual-off(f);d2.~norm-none(f)",
      "d1.1~kind-softmax(p0.5,q3)",
    ],
  },
  {
    name: "tiny-bert",
    stack: "encoder",
    target: "",
    edits: [
      "e.~global(w1t1)",
      "e1.2x-1;e2.1~diagonal",
      "e.~at-t5(k8)",
      "e.~at-sinusoidal(o2.1)",
      "e1.1~kind-low-rank(r2);e2.2~kind-linformer(k2)",
      "e2.~norm-pre(f)",
      "e1.1~kind-softmax(p0.4,q2)",
      "e.~kind-additive(s1)",
    ],
  },
] as const;

/** What stands in the place of −∞ is there where something is forbidden: in the decoder, which sees no later words. */
const shownWith = (edit: string, stack: Stack): Stack =>
  edit.endsWith("~fill") ? "decoder" : stack;

/** Chooses one of a row of choices and waits for its picture. */
async function choose(explorer: ExplorerPage, name: string): Promise<void> {
  await explorer.page.getByRole("radio", { name, exact: true }).check();
  await explorer.settle();
}

/** Paints over six cells by the keyboard, and takes that back. */
async function paint(explorer: ExplorerPage): Promise<void> {
  const { page } = explorer;
  await page.getByRole("button", { name: "Block cells" }).click();
  await explorer.figure.focus();
  for (const key of [
    "PageUp",
    "Home",
    "Shift+ArrowRight",
    "Shift+ArrowDown",
    "Shift+ArrowDown",
    "Enter",
  ])
    await page.keyboard.press(key);
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);
  await page.getByRole("button", { name: "Clear all" }).click();
  await explorer.settle();
  await page.getByRole("button", { name: "Block cells" }).click();
}

/** Each room of the bench, and what a person does there first; each is an edit of its own. */
async function onTheBench(page: Page, explorer: ExplorerPage): Promise<void> {
  const room = async (name: string, change: () => Promise<unknown>): Promise<void> => {
    await page.getByRole("button", { name, exact: true }).click();
    await change();
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(1);
    await page.getByRole("button", { name: "Clear all" }).click();
    await explorer.settle();
  };
  await room("Masks", async () => {
    await page
      .locator("headscope-mask-labs details", { hasText: "What attention costs" })
      .locator("summary")
      .click();
    await expect(page.locator("headscope-mask-cost tbody tr").first()).toBeVisible(DONE);
    await page.getByLabel("Add a rule").selectOption("sliding window");
  });
  await room("Heads and blocks", async () => {
    const bench = page.locator("headscope-heads-bench");
    await bench.getByRole("radio", { name: "Add & norm", exact: true }).check();
    await expect(
      bench.locator("headscope-stream headscope-numbers").getByRole("application"),
    ).toBeVisible(DONE);
    await bench.getByLabel("token", { exact: true }).selectOption({ index: 2 });
    await bench.getByRole("spinbutton", { name: "number" }).fill("7");
    await bench.getByRole("spinbutton", { name: "number" }).press("Enter");
    await expect(bench.locator("[data-norm=value]")).toHaveText(/\d/, DONE);
    await bench.getByRole("radio", { name: "Blocks", exact: true }).check();
    const block = bench.getByRole("row", { name: /feed-forward/ });
    for (const name of ["left out", "none"]) {
      await block.getByRole("radio", { name }).check();
      await explorer.settle();
    }
    await expect(explorer.chips).toHaveCount(2);
    await page.getByRole("button", { name: "Clear all" }).click();
    await explorer.settle();
    await bench.getByRole("radio", { name: "Heads", exact: true }).check();
    await bench.getByRole("radio", { name: "the token before" }).check();
  });
  await room("Positions", async () => {
    await page.locator("headscope-positions-bench #scheme").selectOption("none");
    await explorer.settle();
    await page.getByRole("button", { name: "Measure" }).click();
    await expect(page.locator("headscope-broken-heads li button").first()).toBeVisible(DONE);
  });
  await room("Kinds of attention", () =>
    page.getByLabel("Change this head to").selectOption({ label: "linear (elu + 1)" }),
  );
}

for (const { name, stack, target, edits } of MODELS) {
  test(`${name}: all that is done once with the GPU has the CPU's numbers`, async ({ shared }) => {
    const address = (text: string, more = "", shown: Stack = stack): string =>
      `#v=1&model=models/${name}&text=${encodeURIComponent(text)}&stack=${shown}&layer=1&head=1${more}`;
    const first = address("The dog bites the man.", "&cell=3-2");
    const { gpu: page } = await shared();
    const explorer = new Patient(page);
    await begin(page, first, "WGSL");
    await rewindTape(page);
    await expect(explorer.figure).toBeVisible(DONE);
    await explorer.settle();
    await explorer.type("The cat bites the dog.");
    // While nobody has asked for all numbers the GPU paints each stage, and says what its rows and columns add up to.
    for (const stage of ["raw", "weights"]) await choose(explorer, stage);
    const menu = new ExportMenu(page);
    await menu.open();
    const { text: saved } = await menu.save("Numbers", "CSV");
    for (const more of [/hidden states after layer 2$/, /^logits of the whole vocabulary$/]) {
      const label = await menu.numbers
        .locator("option")
        .filter({ hasText: more })
        .first()
        .textContent();
      await menu.choose((label ?? "").trim());
      await menu.save("Numbers", "CSV");
    }
    await page.keyboard.press("Escape");
    const typed = (more = "", shown: Stack = stack): string =>
      `${address("The cat bites the dog.", target + more, shown)}&backend=webgpu`;
    await explorer.open(typed());
    for (const stage of ["raw", "scores", "masked", "weights"]) await choose(explorer, stage);
    for (const picture of ["Lines", "Dimensions", "Mask", "Positions", "Heatmap"])
      await choose(explorer, picture);
    await explorer.head(2, 3).click();
    await explorer.settle();
    await page.locator("headscope-like-heads").getByRole("button").first().click();
    await explorer.settle();
    await paint(explorer);
    await onTheBench(page, explorer);
    await explorer.open(typed("&picture=steps&number=attended.2-3"));
    const steps = page.locator("headscope-steps-panel");
    for (let traced = 2; traced <= 4; traced += 1) {
      await steps.getByRole("button", { name: "Trace this number" }).click();
      await expect(steps.locator(".trail li")).toHaveCount(traced);
      await expect(steps).toHaveAttribute("aria-busy", "false", DONE);
    }
    await explorer.open(typed("&cell=2-2&compare=other&other=The+dog+bites+the+cat."));
    await expect(page.locator("headscope-difference")).toBeVisible(DONE);
    await explorer.settle();
    // A model that fills gaps expects something where one is, and an edit changes how probable it is.
    if (stack === "encoder") {
      await explorer.open(typed("&hidden=3&cell=3-2&edits=e2.2x0"));
      await expect(page.locator("headscope-edit-changes tbody tr").first()).toBeVisible(DONE);
    }
    for (const [at, edit] of edits.entries()) {
      await explorer.open(
        typed(
          `&cell=3-3&edits=${edit}${at === 0 ? "&compare=original" : ""}`,
          shownWith(edit, stack),
        ),
      );
      await expect(explorer.chips, edit).toHaveCount(edit.split(";").length);
      await explorer.settle();
    }
    await expect(page.getByText("Kernel: ")).toContainText("WGSL");
    const heard = await playTape(page);
    expect(heard.apart.slice(0, 8)).toEqual([]);
    expect(heard.runs).toBeGreaterThan(edits.length + 8);
    expect(heard.edits.toSorted()).toEqual(["attention", "blocks", "heads", "masks", "positions"]);
    const read = Object.keys(heard.reads);
    const always = [
      "attention",
      "mask",
      "qkv",
      "positions",
      "thumbnails",
      "fullyMasked",
      "measures",
      "likeness",
      "spectrum",
      "headCost",
      "steps",
      "explain",
      "cosines",
      "distances",
      "divergences",
      "hidden",
      "logits",
      "probabilities",
      "predictions",
      "residuals",
      "cost",
      "dropoutMean",
      "marginals",
      "painted",
    ];
    expect(always.filter((what) => !read.includes(what))).toEqual([]);
    const model = await engine(name);
    const run = await model.run({ text: "The cat bites the dog." });
    const { data } = await run.attention({ stack, layer: 0, head: 0 });
    model.dispose();
    const lines = saved
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("#"));
    const numbers = lines.slice(1).flatMap((line) => line.split(",").slice(1).map(Number));
    expect(numbers).toHaveLength(data.length);
    for (const [cell, number] of numbers.entries())
      expect(Math.abs(number - (data[cell] ?? NaN))).toBeLessThan(2e-4);
  });
}
