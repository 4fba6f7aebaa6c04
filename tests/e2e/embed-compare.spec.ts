import { expect, test } from "@playwright/test";
import { findings } from "./axe.js";
import { described, EmbedSite, engine, ready, SCRIPT } from "./embed-page.js";
import { ExplorerPage, shownNumber, watch } from "./explorer-page.js";

const site = new EmbedSite();

/** A head of each model counted from one, two texts that begin alike, and the token that only the first has. */
const PAIRS = [
  {
    model: "en-fr",
    text: "The small dog bites.",
    other: "The dog bites.",
    stack: "encoder",
    layer: 2,
    head: 3,
  },
  {
    model: "tiny-gpt",
    text: "The small dog drinks milk.",
    other: "The dog drinks milk.",
    stack: "decoder",
    layer: 2,
    head: 2,
  },
  {
    model: "tiny-bert",
    text: "The small dog drinks milk.",
    other: "The dog drinks milk.",
    stack: "encoder",
    layer: 2,
    head: 1,
  },
] as const;

for (const { model, text, other, stack, layer, head } of PAIRS) {
  test(`${model}: a difference and a spectrum alone show the engine's numbers, with one worker`, async ({
    page,
  }) => {
    test.setTimeout(120_000);
    const seen = watch(page);
    const workers: string[] = [];
    page.on("worker", (worker) => workers.push(worker.url()));
    const own = await engine(`models/${model}`);
    const [one, two] = await Promise.all([own.run({ text }), own.run({ text: other })]);
    const place = { stack, layer: layer - 1, head: head - 1 };
    const [first, second] = await Promise.all([one.attention(place), two.attention(place)]);
    const spectrum = await one.spectrum(place);
    const said = `model="models/${model}" text="${text}" stack="${stack}" layer="${layer}" head="${head}"`;
    await site.write(
      page,
      `<headscope-difference ${said} other="${other}"></headscope-difference><headscope-spectrum ${said}></headscope-spectrum>${SCRIPT}`,
    );

    const difference = page.locator("headscope-difference");
    await ready(difference);
    const pad = difference.getByRole("application");
    await expect(pad).toHaveAccessibleName(
      new RegExp(`^Difference: ${one.tokens.length} queries by ${one.tokens.length} keys`),
    );
    await expect(difference).toContainText("+ only in the first");
    // Of the token that only the first has there is no difference; before it both count alike.
    const lone = one.tokens.findIndex((token) => token.text.trim() === "small");
    await pad.focus();
    await page.keyboard.press("Enter");
    const live = difference.locator("[aria-live]");
    for (let query = 0; query <= lone; query += 1) {
      if (query === lone) await expect(live).toContainText("no counterpart");
      else {
        const expected =
          (first.data[query * (first.shape[1] ?? 0)] ?? NaN) -
          (second.data[query * (second.shape[1] ?? 0)] ?? NaN);
        const said = async (): Promise<number> =>
          shownNumber(
            (/: (.*)$/.exec((await live.textContent()) ?? "")?.[1] ?? "none yet").replace("+", ""),
          );
        await expect.poll(said).toBeCloseTo(expected, 3);
      }
      await page.keyboard.press("ArrowDown");
    }

    // One figure has both lists, and of each the rank that holds 90 %.
    await ready(page.locator("headscope-spectrum"));
    await expect(page.locator("headscope-spectrum figure")).toHaveCount(2);
    for (const which of ["scores", "weights"] as const) {
      const figure = page.locator(`headscope-spectrum [data-of=${which}]`);
      const { values, rank90 } = spectrum[which];
      await expect(figure).toContainText(`${rank90} of ${values.length} hold 90%`);
      const name = (await figure.getByRole("img").getAttribute("aria-label")) ?? "";
      const numbers =
        /: (\d+) singular values, from (\S+) down to (\S+); the first (\d+) /
          .exec(name)
          ?.slice(1)
          .map(shownNumber) ?? [];
      expect([numbers[0], numbers[3]]).toEqual([values.length, rank90]);
      expect(Math.abs((numbers[1] ?? NaN) / (values[0] ?? NaN) - 1)).toBeLessThan(0.01);
    }
    expect(workers).toHaveLength(1);
    own.dispose();
    expect(seen).toEqual({ foreign: [], errors: [] });
  });
}

test("two models are compared, each with one worker; what has nothing beside it says so", async ({
  page,
}) => {
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  await site.write(
    page,
    `<headscope-difference model="models/tiny-gpt" text="A cat sat." stack="decoder" othermodel="./models/tiny-bert"></headscope-difference>${SCRIPT}`,
  );
  const figure = page.locator("headscope-difference");
  await ready(figure);
  expect(workers).toHaveLength(2);
  await figure.evaluate((element) => element.removeAttribute("othermodel"));
  await expect(figure).toContainText("There is nothing to compare with");
  await figure.evaluate((element) => element.setAttribute("edits", "d1.1!3-2"));
  await ready(figure);
  await expect(figure.getByRole("application")).toHaveAccessibleName(/^Difference/);
  await figure.evaluate((element) => element.setAttribute("othermodel", "./nowhere"));
  await expect(figure).toHaveAttribute("state", "failed");
  await expect(figure).toContainText("load/not-found");
});

for (const [name, hash] of [
  [
    "two texts",
    "#v=1&text=The+dog+bites.&layer=2&head=3&compare=other&other=The+cat+bites.&cell=1-1",
  ],
  [
    "an edited run and its original",
    "#v=1&text=The+dog+bites.&layer=2&head=3&edits=c2.3!2-2&compare=original&stage=scores&cell=1-1",
  ],
] as const) {
  test(`the code of the difference of ${name} shows the same in another page`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${site.server.address}${hash}`);
    await new ExplorerPage(page).settle();
    const figure = page.locator("headscope-difference");
    await expect(figure.getByRole("application")).toBeVisible({ timeout: 30_000 });
    const said = await described(figure);
    await page.getByRole("button", { name: "Export", exact: true }).first().click();
    const menu = page.getByRole("dialog", { name: "Export" });
    await menu.getByRole("button", { name: "Copy embed code" }).click();
    await expect(menu.getByText("Copied.")).toBeVisible();
    await site.write(page, await page.evaluate(() => navigator.clipboard.readText()));
    await ready(figure);
    expect(await described(figure)).toEqual(said);
  });
}

for (const [at, part, text] of [
  [0, "first", "The dog bites."],
  [1, "second", "The old cat bites."],
] as const) {
  test(`the code of the ${part} run of a comparison shows that run alone, with its own numbers`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const own = await engine("models/en-fr");
    await page.goto(
      `${site.server.address}#v=1&text=The+dog+bites.&stack=encoder&layer=2&head=3&compare=other&other=The+old+cat+bites.`,
    );
    await new ExplorerPage(page).settle();
    const compared = page.locator("headscope-pairs-panel headscope-heatmap").nth(at);
    await expect(compared.getByRole("application")).toBeVisible({ timeout: 30_000 });
    await page.getByRole("button", { name: "Export", exact: true }).first().click();
    const menu = page.getByRole("dialog", { name: "Export" });
    await menu.getByRole("radio", { name: part, exact: true }).check();
    await menu.getByRole("button", { name: "Copy embed code" }).click();
    await expect(menu.getByText("Copied.")).toBeVisible();
    await site.write(page, await page.evaluate(() => navigator.clipboard.readText()));
    const figure = page.locator("headscope-heatmap");
    await ready(figure);
    const run = await own.run({ text });
    const { data } = await run.attention({ stack: "encoder", layer: 1, head: 2 });
    const count = run.tokens.length;
    // Nothing is held, so the first key down goes from the first row to the second, in the first column.
    const [name = "", , number = ""] = await described(figure);
    expect(name).toContain(`${count} queries by ${count} keys`);
    expect(number).toContain(
      `${run.tokens[1]?.text.trim()} looks at ${run.tokens[0]?.text.trim()}: `,
    );
    expect(shownNumber(/: (\S+)$/.exec(number)?.[1] ?? "")).toBeCloseTo(data[count] ?? NaN, 3);
    run.release();
    own.dispose();
  });
}

test("the heads and the singular values have code of their own, beside their pictures", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(
    `${site.server.address}#v=1&model=models/tiny-gpt&text=The+cat+and+the+dog&stack=decoder&layer=2&head=2`,
  );
  await new ExplorerPage(page).settle();
  const spectra = page.locator("headscope-spectrum svg");
  await expect(spectra).toHaveCount(2);
  const names = async (): Promise<(string | null)[]> =>
    Promise.all([0, 1].map((at) => spectra.nth(at).getAttribute("aria-label")));
  const said = await names();
  await page
    .locator("headscope-head-measures")
    .getByRole("button", { name: "Copy embed code" })
    .click();
  await expect(page.locator("headscope-head-measures").getByText("Copied.")).toBeVisible();
  const spectrumCode = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy embed code of all heads" }).click();
  await expect(page.locator("headscope-heads-panel").getByText("Copied.")).toBeVisible();
  const gridCode = await page.evaluate(() => navigator.clipboard.readText());
  await site.write(page, spectrumCode + gridCode);
  for (const figure of await page.locator("headscope-spectrum, headscope-grid").all())
    await ready(figure);
  expect(await names()).toEqual(said);
  await expect(
    page
      .locator("headscope-grid")
      .getByRole("gridcell", { selected: true })
      .getByRole("button")
      .first(),
  ).toHaveAccessibleName(/^Layer 2, head 2/);
});

test("differences and spectra can be read by everybody, on a phone and in the dark", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  for (const [width, colorScheme] of [
    [1280, "light"],
    [390, "dark"],
  ] as const) {
    // The policy would keep axe itself out.
    const context = await browser.newContext({
      bypassCSP: true,
      colorScheme,
      viewport: { width, height: 900 },
    });
    const page = await context.newPage();
    const said =
      'model="models/tiny-gpt" text="The small dog drinks milk." stack="decoder" layer="2" head="2"';
    await site.write(
      page,
      `<style>:root { color-scheme: light dark; background: light-dark(#ffffff, #16171b) }</style><headscope-difference ${said} other="The dog drinks milk."></headscope-difference><headscope-spectrum ${said}></headscope-spectrum>${SCRIPT}`,
    );
    const difference = page.locator("headscope-difference");
    const kept = await difference.evaluate((element) => element.getBoundingClientRect().height);
    await ready(difference);
    await ready(page.locator("headscope-spectrum"));
    // The room that was kept for it is about what it needs.
    expect(
      Math.abs(
        (await difference.evaluate((element) => element.getBoundingClientRect().height)) - kept,
      ),
    ).toBeLessThan(120);
    expect(await findings(page), colorScheme).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    await context.close();
  }
});
