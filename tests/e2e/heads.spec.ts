import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const SENTENCE = "My sister doesn't like milk.";
const ADDRESS = `#v=1&text=${encodeURIComponent(SENTENCE)}`;
/** The inspector shows three decimals. */
const SHOWN_DIGITS = 3;

test("heads are chosen by mouse, arrows and letters, and the title names the head under the pointer", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&layer=1&head=1`);
  await explorer.head(3, 5).click();
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(explorer.headTitle).toHaveText("Layer 2 · head 4");
  await explorer.figure.focus();
  await page.keyboard.press("]");
  await page.keyboard.press(".");
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await page.keyboard.press("]");
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await test.step("under the pointer", async () => {
    await explorer.head(1, 2).hover();
    await expect(explorer.headTitle).toHaveText("Layer 1 · head 2");
    await page.mouse.move(0, 0);
    await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  });
});

test("each stack has its own queries and keys, and the decoder's future is masked", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(ADDRESS);
  const source = await explorer.tokens("Tokens of your sentence").count();
  const target = await explorer.tokens("Tokens of the translation").count();
  for (const [name, queries, keys] of [
    ["Encoder", source, source],
    ["Decoder", target, target],
    ["Cross-attention", target, source],
  ] as const) {
    await explorer.stack(name).check();
    await explorer.settle();
    await expect(explorer.figure).toHaveAccessibleName(
      `Attention, weights: ${queries} queries by ${keys} keys`,
    );
  }
  await test.step("masked future", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(`${ADDRESS}&stack=decoder&cell=2-4`);
    await expect(explorer.inspected("mask")).toHaveText("−∞");
    await expect(explorer.inspected("weights")).toHaveText("0.000");
    await expect(page.locator("headscope-inspector")).toContainText("softmax over 2 keys");
  });
});

test("the numbers on the screen are those of the run, in every stage", async ({ page }) => {
  // The same engine outside the page, through the public package.
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve("dist/site/models/en-fr"));
  const run = await model.run({ text: SENTENCE });
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&layer=2&head=6&cell=3-2`);
  await expect(explorer.translation).toHaveValue(run.targetText);
  for (const stage of ["raw", "scores", "weights"] as const) {
    const { data, shape } = await run.attention({ stack: "cross", layer: 1, head: 5, stage });
    expect(await explorer.inspectedNumber(stage)).toBeCloseTo(
      data[2 * (shape[1] ?? 0) + 1] ?? NaN,
      SHOWN_DIGITS - 1,
    );
  }
  await page.getByRole("button", { name: "Show the numbers" }).click();
  for (const stage of ["raw", "scores", "masked", "weights"] as const) {
    await explorer.stage(stage).check();
    const { data } = await run.attention({ stack: "cross", layer: 1, head: 5, stage });
    const shown = await page.locator("headscope-heatmap td:not(.sum)").allTextContents();
    expect(shown).toHaveLength(data.length);
    shown.forEach((text, index) => {
      const [number, value] = [shownNumber(text), data[index] ?? NaN];
      if (Number.isFinite(value)) expect(number).toBeCloseTo(value, SHOWN_DIGITS - 1);
      else expect(number).toBe(value);
    });
  }
  model.dispose();
});

test("a pair is read by the pointer, held by a click and let go by Escape, and a token selects its row", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&cell=1-1`);
  await explorer.figure.focus();
  await page.keyboard.press("ArrowDown");
  const read = await page.locator("headscope-inspector .pair").textContent();
  await page.keyboard.press("Enter");
  await explorer.sentence.focus();
  await expect(page.locator("headscope-inspector .pair")).toHaveText(read ?? "");
  await expect(page).toHaveURL(/cell=2-1/);
  await explorer.figure.focus();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/cell=/);
  await test.step("a token selects its row", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(ADDRESS);
    const token = explorer.tokens("Tokens of the translation").nth(2);
    await token.hover();
    await expect(page.locator("headscope-inspector .pair bdi").first()).toHaveText(
      (await token.textContent())?.trim() ?? "",
    );
    await token.click();
    await expect(token).toHaveAttribute("aria-pressed", "true");
  });
  await test.step("special tokens have names, and positions have no pairs", async () => {
    await page.mouse.move(0, 0);
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    const inspector = page.locator("headscope-inspector");
    await expect(inspector.getByRole("heading", { name: "This pair" })).toBeVisible();
    await explorer.figure.hover();
    await expect(inspector.getByRole("heading", { name: "Under the pointer" })).toBeVisible();
    await explorer.tokens("Tokens of the translation").last().click();
    await explorer.settle();
    await expect(inspector.locator("headscope-bars").last()).toContainText("end");
    await expect(inspector).not.toContainText("</s>");
    await page.getByRole("radio", { name: "Positions" }).check();
    await explorer.settle();
    await expect(inspector).toHaveCount(0);
  });
});

test("a head's entropy, distance, singular values and nearest heads are those of the run", async ({
  page,
}) => {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const explorer = new ExplorerPage(page);
  const [name, stack] = ["tiny-gpt", "decoder"] as const;
  const model = await headscope.loadModel(resolve(`dist/site/models/${name}`));
  const run = await model.run({ text: SENTENCE });
  const which = { stack, layer: 1, head: 0 };
  const measured = (await run.measures({ stack })).find(
    ({ layer, head }) => layer === 1 && head === 0,
  );
  const { scores, weights } = await run.spectrum(which);
  await explorer.open(`${ADDRESS}&model=models/${name}&stack=${stack}&layer=2&head=1`);
  const inspector = page.locator("headscope-head-measures");
  expect(
    shownNumber(
      ((await inspector.locator("[data-measure=entropy] button").textContent()) ?? "").replace(
        " nats",
        "",
      ),
    ),
  ).toBeCloseTo(measured?.entropy ?? NaN, 2);
  expect(
    shownNumber(
      ((await inspector.locator("[data-measure=distance]").textContent()) ?? "")
        .replace(" tokens", "")
        .trim(),
    ),
  ).toBeCloseTo(measured?.distance ?? NaN, 2);
  for (const [part, found] of [
    ["scores", scores],
    ["weights", weights],
  ] as const) {
    await expect(inspector.locator(`[data-of=${part}]`)).toContainText(
      `${found.rank90} of ${found.values.length} hold 90%`,
    );
  }
  await inspector.getByText("All singular values").click();
  const shown = await inspector.locator("td").allTextContents();
  const wanted = scores.values.flatMap((value, index) => [value, weights.values[index] ?? NaN]);
  expect(shown).toHaveLength(wanted.length);
  shown.forEach((text, index) => expect(shownNumber(text)).toBeCloseTo(wanted[index] ?? NaN, 2));
  model.dispose();
  await test.step("bits", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(ADDRESS);
    const bits = page.getByRole("tooltip");
    await expect(bits).toBeHidden();
    await page.getByRole("button", { name: /nats$/ }).hover();
    await expect(bits).toContainText(/^= \d\.\d{3} bits$/);
    await page.mouse.move(0, 0);
    await expect(bits).toBeHidden();
    await page.getByRole("button", { name: /nats$/ }).focus();
    await expect(bits).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(bits).toBeHidden();
  });
  await test.step("nearest heads", async () => {
    const headscope = (await import(
      pathToFileURL("dist/npm/headscope.js").href
    )) as typeof Headscope;
    const model = await headscope.loadModel(resolve("dist/site/models/en-fr"));
    const run = await model.run({ text: SENTENCE });
    const likeness = await run.likeness({ stack: "cross", layer: 1, head: 2 });
    const near = likeness
      .filter(({ layer, head }) => layer !== 1 || head !== 2)
      .sort((one, other) => (one.divergence ?? 1) - (other.divergence ?? 1));
    model.dispose();
    const explorer = new ExplorerPage(page);
    await explorer.open(`${ADDRESS}&stack=cross&layer=2&head=3`);
    const list = page.locator("headscope-like-heads").getByRole("button");
    await expect(list).toHaveCount(5);
    const shown = await list.allTextContents();
    shown.forEach((text, index) => {
      const { layer = NaN, head = NaN, divergence } = near[index] ?? {};
      expect(text).toContain(`Layer ${layer + 1} · head ${head + 1}`);
      expect(shownNumber(/[\d.]+\s*$/.exec(text)?.[0].trim() ?? "")).toBeCloseTo(
        divergence ?? NaN,
        2,
      );
    });
    await list.first().click();
    await explorer.settle();
    const [first] = near;
    await expect(
      page.getByRole("heading", {
        name: `Heads like layer ${(first?.layer ?? NaN) + 1} · head ${(first?.head ?? NaN) + 1}`,
      }),
    ).toBeVisible();
  });
});

test("the grid is filtered by role and sorted, and the address carries both", async ({ page }) => {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve("dist/site/models/tiny-gpt"));
  const scores = (model.notes?.roles.decoder ?? []).flatMap((heads, layer) =>
    heads.map((roles, head) => ({ layer, head, score: roles.previous ?? 0 })),
  );
  const measures = await (await model.run({ text: SENTENCE })).measures({ stack: "decoder" });
  model.dispose();
  const explorer = new ExplorerPage(page);
  const heads = page.locator("headscope-grid .head");
  await explorer.open(`${ADDRESS}&model=models/tiny-gpt`);
  await expect(heads).toHaveCount(scores.length);
  await page.getByLabel("Sort by").selectOption("previous");
  await expect(page).toHaveURL(/sort=previous/);
  const byScore = scores.toSorted((one, other) => other.score - one.score);
  await expect(heads.first()).toHaveAccessibleName(
    new RegExp(`^Layer ${(byScore[0]?.layer ?? NaN) + 1}, head ${(byScore[0]?.head ?? NaN) + 1}: `),
  );
  await page.getByLabel("Show").selectOption("previous");
  await expect(heads).toHaveCount(scores.filter(({ score }) => score >= 0.5).length);
  await page.getByLabel("Show").selectOption("");
  await page.getByLabel("Sort by").selectOption("entropy");
  const [sharpest, second] = measures.toSorted(
    (one, other) => (one.entropy ?? Infinity) - (other.entropy ?? Infinity),
  );
  await expect(heads.first()).toHaveAccessibleName(
    new RegExp(
      `^Layer ${(sharpest?.layer ?? NaN) + 1}, head ${(sharpest?.head ?? NaN) + 1}: .*${(sharpest?.entropy ?? NaN).toFixed(2)}$`,
    ),
  );
  await heads.first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(explorer.headTitle).toHaveText(
    `Layer ${(second?.layer ?? NaN) + 1} · head ${(second?.head ?? NaN) + 1}`,
  );
  // The address follows a moment later.
  await expect(page).toHaveURL(new RegExp(`head=${(second?.head ?? NaN) + 1}&sort=entropy`));
  await page.reload();
  await explorer.settle();
  await expect(heads.first()).toHaveAccessibleName(
    new RegExp(`^Layer ${(sharpest?.layer ?? NaN) + 1}, head ${(sharpest?.head ?? NaN) + 1}: `),
  );
});

test("each head has its role and score in the grid, by name or by a sign with a legend", async ({
  page,
}) => {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const explorer = new ExplorerPage(page);
  for (const [name, stack] of [
    ["tiny-gpt", "decoder"],
    ["en-fr", "encoder"],
  ] as const) {
    const model = await headscope.loadModel(resolve(`dist/site/models/${name}`));
    const scores = (model.notes?.roles[stack] ?? []).flat();
    model.dispose();
    await page.goto("about:blank");
    await explorer.open(`${ADDRESS}&model=models/${name}&stack=${stack}`);
    const worn = page.locator("headscope-grid .worn");
    await expect(worn).toHaveCount(scores.length);
    const names = await page
      .locator("headscope-grid .head")
      .evaluateAll((heads) => heads.map((head) => head.getAttribute("aria-label") ?? ""));
    const signs = new Map(
      (await page.locator("headscope-grid .sign").allTextContents()).map((text) => [
        text.trim().slice(0, 1),
        text.trim().slice(2),
      ]),
    );
    (await worn.allTextContents()).forEach((text, index) => {
      const [, word = "", score] = /^(\S+)\s*(\S+)?$/.exec(text.trim()) ?? [];
      const full = names[index]?.replace(/^.*?: /, "") ?? "";
      // The role that the button says in full, and one of the head's own scores.
      expect(full).toContain(signs.get(word) ?? (word === "–" ? "no single role" : word));
      if (score === undefined) expect(word).toBe("–");
      else
        expect(Object.values(scores[index] ?? {}).map((value) => value?.toFixed(2))).toContain(
          score,
        );
    });
  }
  // Eight heads side by side leave no space for words.
  await explorer.open(`${ADDRESS}&stack=encoder`);
  await expect(page.locator("headscope-grid .sign").first()).toBeVisible();
});
