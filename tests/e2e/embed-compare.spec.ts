import { expect, test } from "@playwright/test";
import { EmbedSite, engine, ready, SCRIPT } from "./embed-page.js";
import { shownNumber, watch } from "./explorer-page.js";

const site = new EmbedSite();

/** A head counted from one, two texts that begin alike, and a token that only the first has. */
const PAIR = {
  model: "tiny-gpt",
  text: "The small dog drinks milk.",
  other: "The dog drinks milk.",
  stack: "decoder",
  layer: 2,
  head: 2,
} as const;

test("a difference and a spectrum alone show the numbers of the run, of one model or of two", async ({
  page,
}) => {
  const { model, text, other, stack, layer, head } = PAIR;
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
  await test.step("two models, and nothing to compare", async () => {
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
    await figure.evaluate((element) =>
      element.setAttribute(
        "edits",
        "{'masks':[{'stack':'decoder','layers':[0],'heads':[0],'block':[[2,1]]}]}",
      ),
    );
    await ready(figure);
    await expect(figure.getByRole("application")).toHaveAccessibleName(/^Difference/);
    await figure.evaluate((element) => element.setAttribute("othermodel", "./nowhere"));
    await expect(figure).toHaveAttribute("state", "failed");
    await expect(figure).toContainText("load/not-found");
  });
});
