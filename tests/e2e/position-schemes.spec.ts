import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage } from "./explorer-page.js";

/** What PyTorch answers to the same questions. */
interface Reference {
  rotary: {
    asked: {
      query: number;
      key: number;
      shift: number;
      headDim: number;
      base: number;
      seed: number;
      alike: boolean;
    };
    score: number;
    shifted: number;
    distances: number[];
    scores: number[];
  }[];
  alibi: {
    asked: { heads: number; length: number; head: number };
    slopes: number[];
    biases: number[];
  }[];
  buckets: {
    asked: {
      buckets: number;
      maxDistance: number;
      bothSides: boolean;
      heads: number;
      head: number;
      length: number;
      seed: number;
    };
    matrix: number[];
    bias: number[];
  }[];
  fourTerms: {
    asked: { length: number; dim: number; seed: number };
    terms: number[][];
    scores: number[];
  }[];
}
const REFERENCE = JSON.parse(
  readFileSync(new URL("../reference/schemes.json", import.meta.url), "utf8"),
) as Reference;

const PARTS = {
  rotary: "Rotary",
  alibi: "ALiBi",
  buckets: "T5",
  "four-terms": "Transformer-XL",
} as const;
type Part = keyof typeof PARTS;

/** Opens a part of the laboratory by its name. */
async function open(page: Page, part: Part, hash = ""): Promise<Locator> {
  await new ExplorerPage(page).open(
    `#v=1&model=models/tiny-bert&text=The+dog+bites.&bench=positions${hash}`,
  );
  return choose(page, part);
}

async function choose(page: Page, part: Part): Promise<Locator> {
  await page.locator("headscope-position-lab summary").click();
  await page
    .locator("headscope-position-lab")
    .getByRole("radio", { name: PARTS[part] })
    .check({ force: true });
  const lab = page.locator(`headscope-lab-${part}`);
  await expect(lab.locator("math").first()).toBeVisible();
  return lab;
}

/** Types a number by the keyboard alone. */
async function type(lab: Locator, id: string, number: number): Promise<void> {
  const field = lab.locator(`#${id}`).getByRole("spinbutton");
  await field.focus();
  await field.press("ControlOrMeta+a");
  await field.pressSequentially(String(number));
  await field.press("Enter");
}

const score = async (lab: Locator, name: string): Promise<number> =>
  Number(await lab.locator(`[data-score=${name}] td`).getAttribute("data-value"));
const numbers = (figure: Locator): Promise<number[]> =>
  figure.evaluate((element) => [
    ...(element as unknown as { tensor: { data: Float32Array } }).tensor.data,
  ]);

function close(got: readonly number[], want: readonly number[]): void {
  expect(got).toHaveLength(want.length);
  for (const [at, number] of got.entries())
    expect(Math.abs(number - (want[at] ?? NaN))).toBeLessThan(1e-5);
}

test("rotary: hands keep their angle while both are moved on, and so does the score, which is PyTorch's", async ({
  page,
}) => {
  const lab = await open(page, "rotary");
  await expect(lab).toContainText("RoFormer");
  for (const { asked, ...want } of REFERENCE.rotary) {
    for (const name of ["query", "key", "shift", "headDim", "base", "seed"] as const)
      await type(lab, name, asked[name]);
    await lab.locator("#alike").setChecked(asked.alike);
    await expect(async () =>
      expect(Math.abs((await score(lab, "here")) - want.score)).toBeLessThan(1e-5),
    ).toPass();
    expect(Math.abs((await score(lab, "shifted")) - want.shifted)).toBeLessThan(1e-5);
    expect(await score(lab, "residue")).toBeLessThan(1e-5);
    for (const dial of await lab.locator("[data-pair]").all()) {
      const angle = async (name: string): Promise<number> =>
        Number(await dial.getAttribute(`data-${name}`));
      const apart = Math.abs((await angle("between")) - (await angle("moved")));
      expect(Math.min(apart, 360 - apart)).toBeLessThan(1e-3);
    }
    const curve = await lab
      .locator("headscope-curves")
      .evaluate(
        (element) =>
          (element as unknown as { lines: { points: { x: number; y: number }[] }[] }).lines[0]
            ?.points ?? [],
      );
    close(
      want.distances.map((distance) => curve.find(({ x }) => x === distance)?.y ?? NaN),
      want.scores,
    );
  }
});

test("rotary: the slider and the button move both on, and the button stops", async ({ page }) => {
  const lab = await open(page, "rotary");
  const shift = lab.locator("#shift").getByRole("slider");
  await shift.focus();
  await page.keyboard.press("ArrowRight");
  await expect(lab.locator("[data-score=shifted] th")).toHaveText("at m = 30, n = 25");
  await lab.getByRole("button", { name: "Move both on" }).click();
  await expect.poll(async () => Number(await shift.inputValue())).toBeGreaterThan(23);
  await lab.getByRole("button", { name: "Stop" }).click();
  const stood = await shift.inputValue();
  await page.waitForTimeout(600);
  expect(await shift.inputValue()).toBe(stood);
});

test("rotary: whoever wants nothing to move is offered no button for it", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const lab = await open(page, "rotary");
  await expect(lab.locator("[data-pair]").first()).toBeVisible();
  await expect(lab.locator("#play")).toHaveCount(0);
});

test("ALiBi: slopes of any number of heads are those of the paper's code", async ({ page }) => {
  const lab = await open(page, "alibi");
  await lab.locator("#causal").uncheck();
  for (const { asked, slopes, biases } of REFERENCE.alibi) {
    await type(lab, "heads", asked.heads);
    await type(lab, "head", asked.head + 1);
    await type(lab, "length", asked.length);
    await expect(lab.locator("[data-slope]")).toHaveCount(slopes.length);
    const shown = await Promise.all(
      (await lab.locator("[data-slope]").all()).map(async (row) =>
        Number(await row.getAttribute("data-slope")),
      ),
    );
    close(shown, slopes);
    const first = biases.slice(asked.head * asked.length, (asked.head + 1) * asked.length);
    await expect(async () =>
      close((await numbers(lab.locator("headscope-numbers"))).slice(0, asked.length), first),
    ).toPass();
  }
});

test("T5: pairs fall into PyTorch's buckets, and heads add what is drawn for them", async ({
  page,
}) => {
  test.slow();
  const lab = await open(page, "buckets");
  for (const { asked, matrix, bias } of REFERENCE.buckets) {
    for (const name of ["buckets", "maxDistance", "heads", "length", "seed"] as const)
      await type(lab, name, asked[name]);
    await type(lab, "head", asked.head + 1);
    await lab
      .getByRole("radio", { name: asked.bothSides ? "encoder: both sides" : "decoder: one side" })
      .check({ force: true });
    const figures = lab.locator("headscope-numbers");
    await expect(async () => expect(await numbers(figures.nth(0))).toEqual(matrix)).toPass();
    await expect(async () => close(await numbers(figures.nth(2)), bias)).toPass();
  }
});

test("Transformer-XL: four terms and their sum are PyTorch's, pair by pair under the pointer", async ({
  page,
}) => {
  const lab = await open(page, "four-terms");
  for (const { asked, terms, scores } of REFERENCE.fourTerms) {
    for (const name of ["length", "dim", "seed"] as const) await type(lab, name, asked[name]);
    const figure = (name: string): Locator => lab.locator(`[data-term=${name}] headscope-numbers`);
    await expect(async () => close(await numbers(figure("sum")), scores)).toPass();
    for (const [at, name] of ["a", "b", "c", "d"].entries())
      close(await numbers(figure(name)), terms[at] ?? []);
    expect(Number(await lab.locator("#sum").getAttribute("data-residue"))).toBeLessThan(1e-5);
  }
  await type(lab, "length", 5);
  const pad = lab.locator("[data-term=b]").getByRole("application");
  await pad.focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await expect(lab.locator("[data-cell]")).toHaveAttribute("data-cell", "2,1");
  const sum = ((await lab.locator("[data-cell]").textContent()) ?? "")
    .replace(/^.*:/, "")
    .replaceAll("−", "-")
    .replaceAll(" ", "");
  const [parts = "", total = ""] = sum.split("=");
  const added = (parts.match(/[+-]?\d+(\.\d+)?/g) ?? []).reduce((so, part) => so + Number(part), 0);
  expect(Math.abs(added - Number(total))).toBeLessThan(0.004);
});

test("they need no model", async ({ page }) => {
  await page.route("**/models/**", (route) => route.abort());
  await page.goto("./#v=1&bench=positions");
  const lab = await choose(page, "rotary");
  await expect(lab.locator("[data-score=here]")).toBeVisible();
});

for (const [theme, width, language] of [
  ["light", 1280, "en"],
  ["dark", 1280, "zh-CN"],
  ["light", 390, "zh-CN"],
  ["dark", 390, "en"],
] as const) {
  test(`axe finds nothing wrong with the schemes: ${theme}, ${width} px, ${language}`, async ({
    page,
  }) => {
    // Four parts, each looked through.
    test.slow();
    await page.setViewportSize({ width, height: 844 });
    await page.goto(
      `./#v=1&model=models/tiny-bert&text=The+dog+bites.&theme=${theme}&language=${language}&bench=positions`,
    );
    if (width < 820) await page.getByRole("tab", { name: /^(Edits|编辑|改动)/ }).click();
    // Until then the page moves below the pointer.
    await new ExplorerPage(page).settle();
    await page.locator("headscope-position-lab summary").click();
    const parts = page.locator("headscope-position-lab headscope-choice").first().locator("label");
    for (const [at, part] of (["rotary", "alibi", "buckets", "four-terms"] as const).entries()) {
      await parts.nth(at + 2).click();
      const lab = page.locator(`headscope-lab-${part}`);
      await expect(
        lab.locator(part === "rotary" ? "[data-pair]" : "headscope-numbers").first(),
      ).toBeVisible({ timeout: 30_000 });
      expect(await findings(page)).toEqual([]);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBe(0);
    }
  });
}
