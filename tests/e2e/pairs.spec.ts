import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, shownNumber, watch } from "./explorer-page.js";

const BITES =
  "#v=1&text=The+dog+bites+the+man.&compare=other&other=The+man+bites+the+dog.&stack=encoder&layer=2&head=3";
/** Half of the last digit that is shown, and what single precision takes. */
const ROUNDING = 0.0005 + 1e-6;

/** The page while it shows two runs. */
class PairPage extends ExplorerPage {
  readonly panel: Locator;
  readonly bar: Locator;

  constructor(page: Page) {
    super(page);
    this.panel = page.locator("headscope-pairs-panel");
    this.bar = page.locator("headscope-other-bar");
  }

  get other(): Locator {
    return this.page.getByRole("textbox", { name: "The other sentence" });
  }

  get difference(): Locator {
    return this.panel.locator("headscope-difference");
  }

  /** The numbers of the difference, by row; NaN where there is none. */
  async differences(): Promise<number[][]> {
    const show = this.difference.getByRole("button", { name: "Show the numbers" });
    if (await show.count()) await show.click();
    const rows = await this.difference
      .locator("tbody tr")
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)),
      );
    return rows.map((row) => row.map((text) => (text === "–" ? NaN : shownNumber(text))));
  }

  number(which: "one" | "other" | "difference"): Locator {
    return this.panel.locator(`[data-pair="${which}"]`);
  }
}

async function engine(name: string): Promise<Headscope.Model> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  return headscope.loadModel(resolve(`dist/site/models/${name}`));
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function meanRow({ data, shape }: Headscope.Tensor, positions: readonly number[]): number[] {
  const width = shape[1] ?? 0;
  return Array.from(
    { length: width },
    (_, at) =>
      positions.reduce((sum, position) => sum + (data[position * width + at] ?? 0), 0) /
      positions.length,
  );
}

test("two runs are compared cell by cell, and their words layer by layer, aligned by word or by position", async ({
  page,
}) => {
  const pair = new PairPage(page);
  await pair.open(`${BITES}&cell=2-5`);
  const model = await engine("en-fr");
  const [one, other] = [
    await model.run({ text: "The dog bites the man." }),
    await model.run({ text: "The man bites the dog." }),
  ];
  try {
    const which = { stack: "encoder", layer: 1, head: 2 } as const;
    const [a, b] = [await one.attention(which), await other.attention(which)];
    // The dog b ites the man . </s> | The man b ites the dog . </s>
    expect(one.tokens.map(({ text }) => text)).toHaveLength(8);
    const to = [0, 5, 2, 3, 4, 1, 6, 7];
    const shown = await pair.differences();
    expect(shown).toHaveLength(8);
    shown.forEach((row, query) =>
      row.forEach((value, key) => {
        const want =
          (a.data[query * 8 + key] ?? NaN) - (b.data[(to[query] ?? 0) * 8 + (to[key] ?? 0)] ?? NaN);
        expect(Math.abs(value - want), `${query} ${key}`).toBeLessThan(ROUNDING);
      }),
    );
    expect(shownNumber((await pair.number("one").textContent()) ?? "")).toBeCloseTo(
      a.data[1 * 8 + 4] ?? NaN,
      2,
    );
    expect(shownNumber((await pair.number("other").textContent()) ?? "")).toBeCloseTo(
      b.data[5 * 8 + 4] ?? NaN,
      2,
    );
    const [dog] = await pair.panel.locator(".cosines").all();
    await expect(dog ?? pair.panel).toContainText("“dog” and “dog”");
    const texts = (await dog?.locator(".text").allTextContents()) ?? [];
    expect(texts).toHaveLength(4);
    for (const [layer, text] of texts.entries()) {
      const [x, y] = [
        await one.hidden({ stack: "encoder", layer }),
        await other.hidden({ stack: "encoder", layer }),
      ];
      expect(Math.abs(Number(text) - cosine(meanRow(x, [1]), meanRow(y, [5])))).toBeLessThan(
        ROUNDING,
      );
    }
  } finally {
    model.dispose();
  }
  await test.step("by position", async () => {
    const pair = new PairPage(page);
    await pair.open(`${BITES}&cell=2-5`);
    const model = await engine("en-fr");
    const [one, other] = [
      await model.run({ text: "The dog bites the man." }),
      await model.run({ text: "The man bites the dog." }),
    ];
    const which = { stack: "encoder", layer: 1, head: 2 } as const;
    const [a, b] = [await one.attention(which), await other.attention(which)];
    model.dispose();
    await pair.bar.getByRole("radio", { name: "aligned by word" }).focus();
    await page.keyboard.press("ArrowRight");
    await pair.settle();
    await expect(page).toHaveURL(/aligned=positions/);
    await expect(pair.panel.locator(".cosines").first()).toContainText("“dog” and “man”");
    (await pair.differences()).forEach((row, query) =>
      row.forEach((value, key) =>
        expect(
          Math.abs(value - ((a.data[query * 8 + key] ?? NaN) - (b.data[query * 8 + key] ?? NaN))),
          `${query} ${key}`,
        ).toBeLessThan(ROUNDING),
      ),
    );
    await page.reload();
    await pair.settle();
    await expect(pair.bar.getByRole("radio", { name: "aligned by position" })).toBeChecked();
    await pair.bar.getByRole("radio", { name: "aligned by word" }).check();
    await pair.settle();
    await expect(pair.panel.locator(".cosines").first()).toContainText("“dog” and “dog”");
    await page.getByRole("button", { name: "Undo" }).click();
    await pair.settle();
    await expect(pair.bar.getByRole("radio", { name: "aligned by position" })).toBeChecked();
  });
  await test.step("by hand", async () => {
    const pair = new PairPage(page);
    await pair.open(`${BITES}&cell=2-5`);
    const tokens = pair.bar
      .getByRole("toolbar", { name: "Tokens of the other sentence" })
      .getByRole("button");
    await expect(tokens.nth(5)).toHaveAttribute("aria-pressed", "true");
    await tokens.nth(1).click();
    await pair.settle();
    await expect(page).toHaveURL(/pairs=s2-2/);
    await expect(pair.panel.locator(".cosines").first()).toContainText("“dog” and “man”");
    await page.keyboard.press("Control+z");
    await pair.settle();
    await expect(pair.panel.locator(".cosines").first()).toContainText("“dog” and “dog”");
  });
});

test("a comparison is entered and left by a button, typed into, undone, and carried by a link", async ({
  page,
  context,
}) => {
  const seen = watch(page);
  const pair = new PairPage(page);
  await pair.open("#v=1&text=The+dog+bites+the+man.");
  await page.getByRole("button", { name: "Compare…" }).click();
  await expect(pair.other).toHaveValue("The man bites the dog.");
  await pair.settle();
  await pair.other.fill("The man sees the big dog.");
  await pair.settle();
  await expect(page).toHaveURL(/compare=other&other=The\+man\+sees\+the\+big\+dog\./);
  await expect(
    pair.bar.getByRole("toolbar", { name: "Tokens of the other sentence" }),
  ).toContainText("big");
  await expect(pair.difference).toContainText("Show the numbers");
  await expect(pair.panel).toContainText("− only in the second");
  await pair.panel.getByRole("radio", { name: "Viridis" }).check();
  for (const picture of await pair.panel.locator("headscope-heatmap").all())
    await expect(picture).toHaveJSProperty("colours", "viridis");
  const copy = new PairPage(await context.newPage());
  await copy.open(new URL(page.url()).hash);
  await expect(copy.other).toHaveValue("The man sees the big dog.");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Stop comparing" }).click();
  await pair.settle();
  await expect(pair.bar).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(pair.other).toHaveValue("The man sees the big dog.");
  await pair.settle();
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("a pair of the second is found in the first", async () => {
    const pair = new PairPage(page);
    await pair.open(BITES);
    const second = pair.panel.locator("headscope-heatmap").nth(1).getByRole("application");
    await second.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("ArrowRight");
    // The first row, second key of the second text is "man", which stands sixth in the first.
    await expect(pair.panel.locator(".pair").first()).toHaveText(/The looks at man/);
    await expect(pair.tokens("Tokens of your sentence").nth(0)).toHaveClass(/hovered/);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/cell=1-6/);
  });
  await test.step("a text that is too long", async () => {
    const pair = new PairPage(page);
    await pair.open(BITES);
    await pair.other.fill("dog ".repeat(3000));
    await expect(pair.bar.getByRole("alert")).toBeVisible();
    await expect(page.locator("headscope-notices [role=alert]")).toBeEmpty();
    await pair.other.fill("");
    await expect(pair.panel).toContainText("Type another sentence");
  });
});

test("an edited run is compared with its original, and one model with another", async ({
  page,
}) => {
  const pair = new PairPage(page);
  await pair.open(
    "#v=1&model=models/tiny-gpt&text=The+dog+and+the&layer=2&head=1&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[0],'block':[[3,1]]}]}&cell=4-2",
  );
  const changes = page.locator("headscope-edit-changes");
  await expect(changes.getByRole("heading")).toHaveText("What your edits changed");
  const model = await engine("tiny-gpt");
  try {
    const plain = await model.run({ text: "The dog and the" });
    const edited = await model.run({
      text: "The dog and the",
      edits: { masks: [{ stack: "decoder", layers: [1], heads: [0], block: [[3, 1]] }] },
    });
    const which = { stack: "decoder", layer: 1, head: 0 } as const;
    const [a, b] = [await plain.attention(which), await edited.attention(which)];
    const columns = a.shape[1] ?? 0;
    const cells = (await changes.locator("table").first().locator("td").allTextContents())
      .slice(-3)
      .map(shownNumber);
    expect(cells[0]).toBeCloseTo(a.data[3 * columns + 1] ?? NaN, 2);
    expect(cells[1]).toBe(0);
    expect(cells[2]).toBeCloseTo(-(a.data[3 * columns + 1] ?? NaN), 2);
    const row = (await changes.locator('[data-change="row"]').textContent()) ?? "";
    const moved =
      Array.from({ length: columns }, (_, key) =>
        Math.abs((a.data[3 * columns + key] ?? 0) - (b.data[3 * columns + key] ?? 0)),
      ).reduce((sum, value) => sum + value, 0) / 2;
    expect(Number(/[\d.]+/.exec(row)?.[0])).toBeCloseTo(moved, 2);
    const [best] = (await edited.predictions({ positions: [3], topK: 1 }))[0] ?? [];
    const [was] = (await plain.predictions({ positions: [3], topK: 20 })).map((list) =>
      list.find(({ id }) => id === best?.id),
    );
    const line = changes.locator("table").nth(1).locator("tbody tr");
    await expect(line).toHaveCount(5);
    expect(best && was).toBeTruthy();
  } finally {
    model.dispose();
  }
  const said = await changes.innerText();
  await page.getByRole("button", { name: "Compare with the original" }).click();
  await pair.settle();
  await expect(pair.panel.locator("figcaption").nth(1)).toHaveText("Without your edits");
  expect((await pair.differences()).flat().some((value) => value !== 0)).toBe(true);
  // The same is said beside the original's own picture.
  await expect.poll(() => pair.panel.locator("headscope-edit-changes").innerText()).toBe(said);
  await test.step("two models", async () => {
    const pair = new PairPage(page);
    await pair.open("#v=1&model=models/tiny-gpt&text=The+dog+and+the+cat&compare=other");
    await page
      .getByRole("combobox", { name: "The other model" })
      .selectOption({ label: "Tiny BERT" });
    await expect(pair.panel.locator("figcaption").nth(1)).toHaveText(
      "Tiny BERT · The dog and the cat",
    );
    await pair.settle();
    await expect(pair.panel).toContainText("a cosine between them would mean nothing");
    await expect(page).toHaveURL(/othermodel=models\/tiny-bert/);
    // The first sentence's keystrokes are answered as before.
    await pair.type("The dog and the man");
    await expect(pair.panel.locator("figcaption").nth(1)).toHaveText(
      "Tiny BERT · The dog and the man",
    );
  });
});
