import { expect, test, type Page } from "@playwright/test";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

/*
 * What the bench says is so: stages are called by what they are under edits, what cannot be taken says why, an edit says how far
 * it fits, and a link to a figure shows that figure.
 */

const LANGUAGES = ["en", "zh-CN"] as const;
const TEXT = "The+dog+sees+the+cat.";

const HINTS = {
  en: {
    softmax: "After softmax: every row adds up to 1.",
    edited: "As your edits make them.",
    both: /^First: As your edits make them\. Second: Query · key ÷ √\d+\.$/,
  },
  "zh-CN": {
    softmax: "经过 softmax：每一行之和为 1。",
    edited: "由你的改动得出。",
    both: /^第一个：由你的改动得出。第二个：查询 · 键 ÷ √\d+。$/,
  },
} as const;

for (const language of LANGUAGES) {
  const said = HINTS[language];

  test(`beside the original, a stage is called by what it is in each run, in ${language}`, async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    const open = (edits: string, stage: string): Promise<void> =>
      explorer.open(
        `#v=1&model=models/tiny-bert&text=${TEXT}&layer=1&head=1&compare=original&language=${language}&stage=${stage}&edits=${edits}`,
      );
    const hint = page.locator("headscope-pairs-panel .controls > p");
    await open("e1.1~kind-softmax(xnone)", "scores");
    await expect(hint).toHaveText(said.both);
    await open("e1.1~kind-softmax(xnone)", "weights");
    await expect(hint).toHaveText(said.softmax);
    await open("e1.1~kind-linear", "weights");
    await expect(hint).toContainText(said.edited);
    await open("e1.2~kind-linear", "weights");
    await expect(hint).toHaveText(said.softmax);
  });

  test(`what is typed out of range stays there, changes nothing, and says why by a code, in ${language}`, async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=models/tiny-bert&text=${TEXT}&layer=1&head=1&bench=kinds&language=${language}&edits=e1.1~kind-sliding(w2)`,
    );
    const rule = page.locator("headscope-kind-rule");
    const width = rule.locator("#width");
    const refusal = rule.locator("#refused-width");
    const address = page.url();
    for (const [typed, code] of [
      ["1e9", "field/out-of-range"],
      ["-3", "field/out-of-range"],
      ["1.5", "field/not-whole"],
      ["", "field/not-a-number"],
    ] as const) {
      await width.fill(typed);
      await width.press("Enter");
      await expect(refusal.locator("code")).toHaveText(code);
      await expect(refusal).toContainText("1,024");
      await expect(width).toHaveValue(typed);
      await expect(width).toHaveAttribute("aria-invalid", "true");
      expect(page.url()).toBe(address);
    }
    // A text is typed key by key: the field keeps what of it the browser lets it have.
    await width.fill("");
    await width.pressSequentially("e");
    await width.press("Enter");
    await expect(refusal.locator("code")).toHaveText("field/not-a-number");
    await width.press("Escape");
    await expect(width).toHaveValue("2");
    await expect(refusal).toHaveCount(0);
    await width.fill("1");
    await width.press("Enter");
    await expect(page).toHaveURL(/kind-sliding\(w1\)/);
  });

  test(`a rule that finds heads says what a measure can be, in ${language}`, async ({ page }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=models/tiny-bert&text=${TEXT}&bench=heads&language=${language}`,
    );
    const rule = page.locator("headscope-head-rule");
    const number = rule.getByRole("spinbutton");
    const found = rule.locator(".found");
    await number.fill("0");
    await number.press("Enter");
    const before = await found.textContent();
    for (const typed of ["-1", "1e9"]) {
      await number.fill(typed);
      await number.press("Enter");
      await expect(rule.locator(".refusal code")).toHaveText("field/out-of-range");
      await expect(found).toHaveText(before ?? "");
    }
  });

  test(`an edit that fits in part says how far, in ${language}`, async ({ page }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=models/tiny-bert&text=${TEXT}&stack=encoder&layer=1&head=1&language=${language}&edits=e.~global(w1t1.40);e.~padding(n300)`,
    );
    const notes = page.locator("headscope-chips .chip small");
    await expect(notes.nth(0)).toHaveText(
      language === "en"
        ? "1 of its 2 tokens in this text edit/not-in-text"
        : /2 个词元中有 1 个.* edit\/not-in-text/,
    );
    await expect(notes.nth(1)).toHaveText(
      language === "en"
        ? /^longer than this text of \d+ tokens edit\/not-in-text$/
        : /还长 edit\/not-in-text$/,
    );
  });
}

async function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

test("the link to a figure of the bench opens the same figure, and its code shows it in another page", async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&model=models/tiny-bert&text=${TEXT}&bench=positions`);
  const lab = page.locator("headscope-position-lab");
  await lab.locator("summary").click();
  const waves = page.locator("headscope-lab-sinusoidal");
  const put = async (id: string, value: string): Promise<void> => {
    const field = waves.locator(`#${id}`).getByRole("spinbutton");
    await field.fill(value);
    await field.press("Enter");
  };
  await put("dim", "24");
  await put("length", "20");
  await put("base", "500");
  const table = waves.locator("headscope-positions");
  const shape = (): Promise<number[]> =>
    table.evaluate(
      (element) => (element as unknown as { tensor: { shape: number[] } }).tensor.shape,
    );
  await expect.poll(shape).toEqual([20, 24]);
  const numbers = (): Promise<number[]> =>
    table.evaluate((element) => [
      ...(element as unknown as { tensor: { data: Float32Array } }).tensor.data,
    ]);
  const before = await numbers();
  const save = waves.locator("headscope-save-figure").first();
  await save.getByRole("button", { name: "Copy link" }).click();
  await expect(save.getByRole("status")).toHaveText("Link copied");
  const link = await copied(page);
  expect(decodeURIComponent(link)).toContain(
    "labs=places(open-yes)waves(dim-24,base-500,length-20)",
  );
  await save.getByRole("button", { name: "Copy embed code" }).click();
  await expect(save.getByRole("status")).toHaveText("Copied. Paste it into the HTML of a page.");
  const code = await copied(page);
  expect(code).toContain(
    'bench="positions" labs="places(open-yes)waves(dim-24,base-500,length-20)"></head-scope>',
  );

  await page.goto("about:blank");
  await page.goto(link);
  await expect.poll(shape).toEqual([20, 24]);
  expect(await numbers()).toEqual(before);

  await page.route("**/somebody.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><meta charset="utf-8">${code}`,
    }),
  );
  await page.goto(new URL("somebody.html", baseURL).href);
  await expect.poll(shape, { timeout: 30_000 }).toEqual([20, 24]);
  expect(await numbers()).toEqual(before);
});

test("a link to a laboratory that asks for what cannot be is told by its code, and shows what it opens on", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-bert&text=${TEXT}&bench=positions&labs=places(open-yes)waves(dim-1e9,length-20)`,
  );
  await expect(page.locator("headscope-notices p", { hasText: "link/unread" })).toContainText(
    "labs: dim",
  );
  const table = page.locator("headscope-lab-sinusoidal headscope-positions");
  await expect
    .poll(() =>
      table.evaluate(
        (element) => (element as unknown as { tensor: { shape: number[] } }).tensor.shape,
      ),
    )
    .toEqual([20, 64]);
  await page.goto("about:blank");
  await explorer.open(`#v=1&model=models/tiny-bert&text=${TEXT}&labs=kitchen(knife-1)`);
  await expect(page.locator("headscope-notices p", { hasText: "link/unread" })).toContainText(
    "labs",
  );
});

for (const language of LANGUAGES) {
  test(`a laboratory that nobody has opened is told at once of what its link cannot mean, beside what else is wrong, in ${language}`, async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=models/tiny-bert&text=${TEXT}&language=${language}&stage=cooked&labs=waves(dim-NaN,base-5)norm(token-1e9)pad(text-.d800.)`,
    );
    const told = page.locator("headscope-notices p", { hasText: "link/unread" });
    for (const part of ["stage", "labs: dim", "labs: token", "labs: text"])
      await expect(told).toContainText(part);
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/labs=waves\(base-5\)(&|$)/);
  });

  test(`settings of a laboratory that contradict each other are told before anybody opens it, in ${language}`, async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=models/tiny-bert&text=${TEXT}&language=${language}&labs=alibi(heads-4,head-9)buckets(buckets-128,maxDistance-20)waves(dim-8,pair-3)`,
    );
    const told = page.locator("headscope-notices p", { hasText: "link/unread" });
    for (const part of ["labs: head", "labs: maxDistance"]) await expect(told).toContainText(part);
    await expect(told).not.toContainText("pair");
    await expect
      .poll(() => decodeURIComponent(page.url()))
      .toContain(
        "labs=alibi(heads-4,head-4)buckets(buckets-128,maxDistance-65)waves(dim-8,pair-3)",
      );
  });

  test(`what neither the model nor the text has is told when its laboratory opens, and shown as near as it can be, in ${language}`, async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    for (const [bench, labs, named, kept] of [
      ["heads", "heads(room-ranking)effect(word-5000)", "labs: word", /effect\(word-\d\)/],
      [
        "heads",
        "heads(room-stream)norm(token-5000,number-90000)",
        "labs: token,number",
        /norm\(token-\d,number-\d{2,3}\)/,
      ],
      [
        "positions",
        "places(open-yes,part-learned)learned(length-512)",
        "labs: length",
        /learned\(length-(?!512)\d+\)|places\(open-yes,part-learned\)(&|$)/,
      ],
    ] as const) {
      await page.goto("about:blank");
      await explorer.open(
        `#v=1&model=models/tiny-bert&text=The+dog.&bench=${bench}&language=${language}&labs=${labs}`,
      );
      await expect(page.locator("headscope-notices p", { hasText: "link/unread" })).toContainText(
        named,
      );
      await expect.poll(() => decodeURIComponent(page.url())).toMatch(kept);
      await expect(
        page
          .locator("headscope-edits-panel")
          .getByRole("button", { name: language === "en" ? "Undo" : "撤销", exact: true }),
      ).toBeDisabled();
    }
  });

  test(`a link carries a reader's own texts to the laboratories that read them, in ${language}`, async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    const own = "Don’t (stop), 狗 100%";
    for (const [model, bench, labs, field] of [
      ["tiny-bert", "masks", "masks(open-pad)", "headscope-mask-padding input"],
      ["tiny-bert", "heads", "heads(room-stream)", "headscope-norm-by-hand #other"],
      ["tiny-gpt", "positions", "lengths(from-own)", "headscope-length-lab textarea"],
    ] as const) {
      await page.goto("about:blank");
      await explorer.open(
        `#v=1&model=models/${model}&text=${TEXT}&bench=${bench}&language=${language}&labs=${labs}`,
      );
      await page.locator(field).fill(own);
      await expect(page).toHaveURL(/text-Don\.2019\.t/);
      const link = page.url();
      await page.goto("about:blank");
      await page.goto(link);
      await explorer.settle();
      await expect(page.locator(field)).toHaveValue(own);
      await expect(page.locator("headscope-notices p")).toHaveCount(0);
    }
  });
}

test("every room of the bench that a figure stands in opens by its link", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  for (const [bench, labs, shown] of [
    ["kinds", "scores(dim-100,seed-3)", "headscope-score-lab output:text-is('100')"],
    ["masks", "masks(open-cost)cost(of-memory)", "headscope-mask-cost headscope-curves"],
    ["heads", "heads(room-stream)stream(of-deviation)", "headscope-stream headscope-numbers"],
    [
      "positions",
      "places(open-yes,part-alibi)alibi(heads-12)",
      "headscope-lab-alibi [data-slope] >> nth=11",
    ],
  ] as const) {
    await page.goto("about:blank");
    await explorer.open(`#v=1&model=models/tiny-bert&text=${TEXT}&bench=${bench}&labs=${labs}`);
    await expect(page.locator(shown).first()).toBeVisible({ timeout: 30_000 });
    await expect(page.locator("headscope-notices p")).toHaveCount(0);
    expect(decodeURIComponent(page.url())).toContain(labs);
  }
});

test("the verdict of the translator's pruning is what its curves say, in both languages", async ({
  page,
}) => {
  test.setTimeout(420_000);
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&text=The+dog&bench=heads&labs=heads(room-pruning)pruning(sentences-12)",
  );
  const pruning = page.locator("headscope-pruning");
  await pruning.getByRole("button", { name: "Compute" }).click();
  await expect(pruning).toContainText("readings of a sentence done, with ever fewer heads", {
    timeout: 360_000,
  });
  const verdicts = pruning.locator(".verdict");
  await expect(verdicts).toHaveCount(2);
  /** Each kind's number before anything is removed and at the share that is marked, as the table has them. */
  const table = async (which: number): Promise<Map<string, { before: number; after: number }>> => {
    const curves = pruning.locator("headscope-curves").nth(which);
    await curves.getByRole("button", { name: "Show the numbers" }).click();
    const names = (await curves.locator("thead th").allTextContents()).slice(1);
    const rows = await Promise.all(
      (await curves.locator("tbody tr").all()).map(async (row) => [
        ...(await row.locator("th, td").allTextContents()),
      ]),
    );
    return new Map(
      names.map((name, column) => {
        const numbers = rows.flatMap((row) =>
          row[column + 1] === "–"
            ? []
            : [{ share: parseFloat(row[0] ?? ""), value: shownNumber(row[column + 1] ?? "") }],
        );
        const marked = numbers.reduce((best, one) =>
          Math.abs(one.share - 60) < Math.abs(best.share - 60) ? one : best,
        );
        return [name, { before: numbers[0]?.value ?? NaN, after: marked.value }];
      }),
    );
  };
  for (const [which, measured] of (["loss", "bleu"] as const).entries()) {
    const said = (await verdicts.nth(which).textContent()) ?? "";
    const numbers = await table(which);
    expect(numbers.size).toBe(3);
    const losses = [...numbers].map(([name, { before, after }]) => ({
      name,
      lost: measured === "loss" ? after - before : before - after,
      after,
    }));
    for (const { name, after } of losses) {
      const told = new RegExp(`${name} (\\d+\\.\\d+)`).exec(said)?.[1];
      expect(Math.abs(Number(told) - after), `${measured} of ${name}: “${said}”`).toBeLessThan(
        measured === "loss" ? 0.0101 : 0.101,
      );
    }
    const worst = losses.reduce((most, one) => (one.lost > most.lost ? one : most));
    expect(said).toContain(
      worst.name === "Cross-attention"
        ? "Cross-attention suffers most, as Michel et al. found"
        : `it is not cross-attention that suffers most, as Michel et al. found for theirs (2019, section 5), but: ${worst.name}.`,
    );
  }
  const english = await verdicts.allTextContents();
  await page.getByRole("radio", { name: "简体中文" }).check({ force: true });
  await expect(verdicts.first()).toContainText("交叉注意力");
  const chinese = await verdicts.allTextContents();
  // The same numbers, in the other words.
  test
    .info()
    .annotations.push({ type: "verdicts", description: [...english, ...chinese].join("\n") });
  const numbersIn = (text: string): string[] => (text.match(/\d+\.\d+(?!%)/g) ?? []).slice().sort();
  chinese.forEach((text, at) => expect(numbersIn(text)).toEqual(numbersIn(english[at] ?? "")));
});
