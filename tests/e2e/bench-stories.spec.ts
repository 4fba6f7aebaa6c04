import { expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

/*
 * One edit on each part of the bench, by the pointer alone and by the keyboard alone, in both languages: it is opened, changed,
 * named on a chip, computed with, and undone, after which every number is the one that it was, to the bit.
 */

const WAYS = ["pointer", "keyboard"] as const;
type Way = (typeof WAYS)[number];

const WORDS = {
  en: {
    undo: "Undo",
    masks: "Masks",
    paint: "Paint cells",
    painted: /4 cells blocked/,
    positions: "Positions",
    moved: /other order/,
    kinds: "Kinds of attention",
    add: "Change this head to",
    softmax: "softmax of q · k",
    scale: "none",
    unscaled: /not scaled/,
    heads: "Heads and blocks",
    pattern: "all alike",
    frozen: /all alike/,
    numbers: "Workbench",
    cell: "M, row 1, column 1",
    weights: "weights",
  },
  "zh-CN": {
    undo: "撤销",
    masks: "掩码",
    paint: "涂格子",
    painted: /已屏蔽 4 个格子/,
    positions: "位置",
    moved: /顺序已变/,
    kinds: "注意力的种类",
    add: "把这个头改为",
    softmax: "q · k 的 softmax",
    scale: "不缩放",
    unscaled: /不缩放/,
    heads: "头与层块",
    pattern: "均匀",
    frozen: /均匀/,
    numbers: "自己的数字",
    cell: "M，第 1 行第 1 列",
    weights: "权重",
  },
} as const;
type Words = (typeof WORDS)[keyof typeof WORDS];

interface Picture extends HTMLElement {
  looked?: { figures: { stages: { weights: { data: Float32Array } } } } | null;
}

/** The weights of the head that is shown, as the engine gave them. */
const weights = (page: Page): Promise<number[]> =>
  page
    .locator("headscope-picture-panel")
    .evaluate((picture: Picture) => [...(picture.looked?.figures.stages.weights.data ?? [])]);

async function press(way: Way, button: Locator): Promise<void> {
  if (way === "pointer") return button.click();
  await button.focus();
  await button.press("Enter");
}

/** The upper left cells of the picture, two by two. */
async function paint(page: Page, way: Way, explorer: ExplorerPage): Promise<void> {
  if (way === "keyboard") {
    await explorer.figure.focus();
    for (const key of ["PageUp", "Home", "Shift+ArrowRight", "Shift+ArrowDown", "Enter"])
      await page.keyboard.press(key);
    return;
  }
  await page
    .locator("headscope-picture-panel .picture")
    .evaluate((picture) => picture.scrollIntoView({ block: "start" }));
  const { x, y, side } = await page
    .locator("headscope-picture-panel headscope-heatmap")
    .evaluate(
      (figure: HTMLElement & { layout: { plot: { x: number; y: number }; cell: number } }) => {
        const stage = figure.shadowRoot?.querySelector(".stage")?.getBoundingClientRect();
        return {
          x: (stage?.x ?? 0) + figure.layout.plot.x,
          y: (stage?.y ?? 0) + figure.layout.plot.y,
          side: figure.layout.cell,
        };
      },
    );
  const to = (query: number, key: number): Promise<void> =>
    page.mouse.move(x + (key + 0.5) * side, y + (query + 0.5) * side);
  await to(0, 0);
  await page.mouse.down();
  for (const [query, key] of [
    [0, 1],
    [1, 1],
    [1, 0],
  ] as const)
    await to(query, key);
  await page.mouse.up();
}

/** The second token stands where the third stood. */
async function move(page: Page, way: Way): Promise<void> {
  const tokens = page.locator("headscope-order-strip [data-token]");
  if (way === "keyboard") {
    await tokens.nth(1).focus();
    await page.keyboard.press("ArrowRight");
    return;
  }
  await tokens.nth(1).scrollIntoViewIfNeeded();
  const [from, to] = [await tokens.nth(1).boundingBox(), await tokens.nth(2).boundingBox()];
  if (!from || !to) throw new Error("no tokens");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up();
}

/** Softmax without √d. A list that drops down is the browser's own: what the pointer picks in it, the test says. */
async function unscale(page: Page, way: Way, words: Words): Promise<void> {
  const add = page.getByLabel(words.add);
  const none = page
    .locator("headscope-kind-rule")
    .getByRole("radio", { name: words.scale, exact: true });
  if (way === "pointer") {
    await add.selectOption({ label: words.softmax });
    await none.check();
  } else {
    await add.focus();
    // The first opens the list, whose first kind of attention stands below "choose…".
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.locator("headscope-kind-rule").getByRole("radio").first().focus();
    await page.keyboard.press("ArrowRight");
  }
  await expect(none).toBeChecked();
}

async function freeze(page: Page, way: Way, words: Words): Promise<void> {
  const alike = page
    .locator("headscope-change-heads")
    .getByRole("radio", { name: words.pattern, exact: true });
  if (way === "pointer") return alike.check();
  // From the one before it in its group, which is how the head stands.
  await page.locator("headscope-change-heads").getByRole("radio", { checked: true }).last().focus();
  await page.keyboard.press("ArrowRight");
}

/** The parts of the bench that change the model: what is done there, and what the chip says of it. */
const EDITS: readonly {
  bench: "masks" | "positions" | "kinds" | "heads";
  told: "painted" | "moved" | "unscaled" | "frozen";
  edit: (page: Page, way: Way, words: Words, explorer: ExplorerPage) => Promise<void>;
}[] = [
  {
    bench: "masks",
    told: "painted",
    edit: async (page, way, words, explorer) => {
      await press(way, page.getByRole("button", { name: words.paint }));
      await paint(page, way, explorer);
    },
  },
  { bench: "positions", told: "moved", edit: move },
  { bench: "kinds", told: "unscaled", edit: unscale },
  { bench: "heads", told: "frozen", edit: freeze },
];

for (const language of ["en", "zh-CN"] as const) {
  const words = WORDS[language];
  for (const way of WAYS) {
    for (const { bench, told, edit } of EDITS) {
      test(`${bench}: an edit by ${way}, in ${language}`, async ({ page }) => {
        const explorer = new ExplorerPage(page);
        await explorer.open(
          `#v=1&model=models/tiny-bert&text=The+dog+sees+the+cat.&layer=1&head=3&language=${language}`,
        );
        const before = await weights(page);
        await press(way, page.getByRole("button", { name: words[bench], exact: true }));
        await edit(page, way, words, explorer);
        await expect(explorer.chips).toHaveText([words[told]]);
        await expect(page).toHaveURL(/edits=/);
        await explorer.settle();
        expect(await weights(page)).not.toEqual(before);
        await press(way, page.getByRole("button", { name: words.undo, exact: true }));
        // The kind was chosen first, and its scale after it: two steps.
        if (bench === "kinds")
          await press(way, page.getByRole("button", { name: words.undo, exact: true }));
        await expect(explorer.chips).toHaveCount(0);
        await explorer.settle();
        expect(await weights(page)).toEqual(before);
      });
    }

    test(`numbers: a cell of the mask by ${way}, in ${language}`, async ({ page }) => {
      const explorer = new ExplorerPage(page);
      await explorer.open(`#v=1&text=The+dog.&language=${language}`);
      await press(way, page.getByRole("button", { name: words.numbers, exact: true }));
      const row = page
        .locator("headscope-worked-matrices")
        .getByRole("grid", { name: words.weights, exact: true })
        .locator("tbody tr")
        .first()
        .getByRole("gridcell");
      await expect(row).toHaveText(["0.236", "0.007", "0.749", "0.007"]);
      const cell = page.getByRole("textbox", { name: words.cell, exact: true });
      if (way === "pointer") await cell.dblclick();
      else {
        await cell.focus();
        await page.keyboard.press("Delete");
      }
      await expect(row.first()).toHaveText("0");
      await expect(page).toHaveURL(/numbers=/);
      await press(way, page.getByRole("button", { name: words.undo, exact: true }));
      await expect(row).toHaveText(["0.236", "0.007", "0.749", "0.007"]);
    });
  }
}

for (const [bench, label, reached] of [
  ["masks", "Add a rule", "causal"],
  ["kinds", "Change this head to", "linear (elu + 1)"],
] as const) {
  test(`${bench}: keys go through the whole list, and only Enter adds what they reach`, async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&text=The+dog+bites+the+man.&stack=encoder&layer=1&head=1&bench=${bench}`,
    );
    const add = page.getByLabel(label);
    const at = (await add.locator("option").allTextContents()).findIndex(
      (option) => option.trim() === reached,
    );
    expect(at).toBeGreaterThan(1);
    await add.focus();
    for (let pressed = 0; pressed <= at; pressed += 1) await page.keyboard.press("ArrowDown");
    await expect(explorer.chips).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(explorer.chips).toHaveText([new RegExp(reached.split(" ")[0] ?? reached)]);
    await page.keyboard.press("b");
    await page.keyboard.press("Escape");
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(1);
    await expect(add).toHaveValue("");
  });
}
