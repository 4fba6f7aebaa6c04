import { expect, test, type Page } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage } from "./explorer-page.js";

/** A state of the page: its address and, where one is needed, what is done there. */
type State = [name: string, hash: string, act?: (page: Page) => Promise<unknown>];

const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole("button", { name, exact: true }).first().click();
const tab =
  (at: number) =>
  (page: Page): Promise<void> =>
    page.getByRole("tab").nth(at).click();
const unfold = async (page: Page, summaries: string): Promise<void> => {
  for (const summary of await page.locator(summaries).all()) await summary.click();
};

const TEXT = "text=The+dog+bites+the+man.";
const EDITS = "edits=c2.3x0;c1.1!2-2;e9.9x0&cell=2-2";

/** Sixteen states: each main view, bench and dialog, in one theme and width. */
const STATES: { theme: "light" | "dark"; width: number; states: State[] }[] = [
  {
    theme: "light",
    width: 1280,
    states: [
      ["heatmap with edits", EDITS],
      ["dimensions", `${EDITS}&picture=dimensions`],
      [
        "roles and the list of models",
        "model=models/tiny-gpt&text=The+dog+and",
        async (page) => {
          await page.getByText("All roles").click();
          await new ExplorerPage(page).picker.click();
        },
      ],
      [
        "the list of keys beside a failure",
        "",
        async (page) => {
          await new ExplorerPage(page).type("word ".repeat(2000));
          await press("Shortcuts")(page);
        },
      ],
    ],
  },
  {
    theme: "dark",
    width: 1280,
    states: [
      ["lines", `${EDITS}&picture=lines`],
      [
        "comparison of two sentences, with the export dialog",
        `${TEXT}&compare=other&other=The+man+bites+the+dog.&stack=encoder`,
        async (page) => {
          const bar = page.locator("headscope-top-bar").getByRole("button", { name: "Export" });
          await expect(bar).toBeEnabled({ timeout: 30_000 });
          await bar.click();
        },
      ],
      [
        "mask picture and bench of masks, with its experiments",
        `${TEXT}&stack=decoder&picture=mask&bench=masks&edits=e.~random(w1k2s3t1);d.~or-not-window(w2o);.~fill`,
        async (page) => {
          await unfold(page, "headscope-mask-labs summary");
          await expect(page.locator("headscope-mask-padding tbody tr").first()).toBeVisible();
        },
      ],
      [
        "bench of kinds",
        `${TEXT}&stack=encoder&layer=1&head=1&bench=kinds&edits=e1.1~kind-sliding(w2,p0.3,q1)`,
        (page) => expect(page.locator("headscope-kind-report headscope-numbers")).toHaveCount(3),
      ],
    ],
  },
  {
    theme: "light",
    width: 390,
    states: [
      [
        "bench of positions, in Chinese",
        `${TEXT}&stack=encoder&bench=positions&language=zh-CN&labs=places(open-yes,part-learned)&edits=e.~at-t5(k8,o2.1)`,
        (page) =>
          expect(page.locator("headscope-demo[name=learned] headscope-numbers")).toBeVisible({
            timeout: 30_000,
          }),
      ],
      [
        "bench of heads",
        `${TEXT}&bench=heads&stack=encoder&layer=1&head=2&edits=e1.2~drawn(CIgDkgMAkAM);e2.~norm-pre(f)`,
      ],
      ["a step of the tour", "tour=2"],
      [
        "an edited run and its original",
        `${TEXT}&edits=c2.5x0&compare=original`,
        (page) => expect(page.locator("headscope-difference")).toBeVisible({ timeout: 30_000 }),
      ],
    ],
  },
  {
    theme: "dark",
    width: 390,
    states: [
      ["steps", `${TEXT}&picture=steps&number=context.2-3`],
      [
        "heads in another order, as a table",
        `${TEXT}&sort=previous`,
        async (page) => {
          await tab(0)(page);
          await press("Show the heads as a table")(page);
        },
      ],
      [
        "details of a masked token, in Chinese",
        "model=models/tiny-bert&text=The+dog+and+the+cat.&hidden=3,6&edits=c1.1x0&language=zh-CN",
        tab(2),
      ],
      [
        "workbench",
        `${TEXT}&bench=numbers`,
        (page) =>
          expect(page.locator("headscope-overflow-lab").getByRole("grid").first()).toBeVisible({
            timeout: 30_000,
          }),
      ],
    ],
  },
];

for (const { theme, width, states } of STATES) {
  test(`axe finds nothing wrong: ${theme}, ${width} pixels wide`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const [name, hash, act] of states) {
      await test.step(name, async () => {
        await page.goto("about:blank");
        await new ExplorerPage(page).open(`#v=1&theme=${theme}&${hash}`);
        await act?.(page);
        expect(await findings(page)).toEqual([]);
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        ).toBe(0);
        // Nothing moves where motion is unwelcome.
        expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      });
    }
  });
}
