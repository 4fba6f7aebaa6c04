// Accessibility: axe in seventeen states, the keyboard alone.
import { BITES, expect, ExplorerPage, findings, type Locator, test, type Page } from "./page.js";

type Act = (page: Page) => Promise<unknown>;

const clicks =
  (...selectors: string[]): Act =>
  async (page) => {
    for (const selector of selectors) await page.locator(selector).first().click();
  };
const shows =
  (selector: string): Act =>
  (page) =>
    page.locator(selector).first().waitFor({ timeout: 30_000 });

const EDITS =
  "edits={'masks':[{'stack':'cross','layers':[0],'heads':[0],'block':[[1,1]]}],'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0},{'stack':'encoder','layers':[8],'heads':[8],'gate':0}]}&cell=2-2";

/**
 * Seventeen states: each main view, experiment and dialog, in one theme and width; with its
 * address, and what is done there.
 */
const STATES: Record<string, [name: string, hash: string, act?: Act][]> = {
  "light, 1280 pixels wide": [
    ["heatmap with edits", EDITS],
    ["dimensions", `${EDITS}&picture=dimensions`],
    [
      "roles and the list of models",
      "model=models/tiny-gpt&text=The+dog+and",
      clicks("text=All roles", "headscope-model-picker .current"),
    ],
    [
      "the list of keys beside a failure",
      "",
      async (page) => {
        await new ExplorerPage(page).type("word ".repeat(2000));
        await clicks('role=button[name="Questions"]')(page);
      },
    ],
  ],
  "dark, 1280 pixels wide": [
    ["lines", `${EDITS}&picture=lines`],
    [
      "comparison of two sentences, with the export dialog",
      `${BITES}&compare=other&other=The+man+bites+the+dog.&stack=encoder`,
      clicks("headscope-export-menu .open"),
    ],
    [
      "mask picture and experiment of masks, with its experiments",
      `${BITES}&stack=decoder&picture=mask&experiment=masks&edits={'masks':[{'stack':'encoder','preset':{'kind':'random','keys':2,'seed':3,'width':1,'tokens':[0]}},{'stack':'decoder','mode':'or','invert':true,'preset':{'kind':'window','width':2,'oneSided':true}},{'fill':'-1e9'}]}`,
      async (page) => {
        const folds = await page.locator("headscope-mask-demos summary").all();
        for (const fold of folds) await fold.click();
        await shows("headscope-demo[name=pad] tbody tr")(page);
      },
    ],
    [
      "experiment of variants",
      `${BITES}&stack=encoder&layer=1&head=1&experiment=variants&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[0],'kind':'sliding','parameters':{'width':2},'dropout':{'rate':0.3,'seed':1}}]}`,
      shows("headscope-demo[name=variant] headscope-numbers >> nth=2"),
    ],
  ],
  "light, 390 pixels wide": [
    [
      "experiment of positions, in Chinese",
      `${BITES}&stack=encoder&experiment=positions&language=zh-CN&demos=places(open-yes,part-learned)&edits={'positions':[{'stack':'encoder','scheme':'t5','parameters':{'buckets':8},'order':[1,0]}]}`,
      shows("headscope-demo[name=learned] headscope-numbers"),
    ],
    [
      "experiment of heads",
      `${BITES}&experiment=heads&stack=encoder&layer=1&head=2&edits={'heads':[{'stack':'encoder','layers':[0],'heads':[1],'pattern':[[100,0],[0,100]]}],'blocks':[{'stack':'encoder','layers':[1],'norm':'pre','sublayers':['feed-forward']}]}`,
    ],
    ["a step of the tour", "tour=2"],
    [
      "an edited run and its original",
      `${BITES}&edits={'heads':[{'stack':'cross','layers':[1],'heads':[4],'gate':0}]}&compare=original`,
      shows("headscope-difference"),
    ],
  ],
  "dark, 390 pixels wide": [
    ["steps", `${BITES}&picture=steps&number=context.2-3`],
    [
      "heads in another order, as a table",
      `${BITES}&sort=previous`,
      clicks("role=tab >> nth=1", 'role=button[name="Show the heads as a table"]'),
    ],
    [
      "details of a masked token, in Chinese",
      "model=models/tiny-bert&text=The+dog+and+the+cat.&hidden=3,6&edits={'heads':[{'stack':'cross','layers':[0],'heads':[0],'gate':0}]}&language=zh-CN",
      clicks("role=tab >> nth=2"),
    ],
    [
      "experiment of decoding, a branch of a drawn text",
      "model=models/tiny-gpt&stack=decoder&text=She+lives+in&experiment=decoding&sampling=temperature-1.5,top_k-20,seed-7&demos=decoding(step-2,turn-1,token-5,line-branch)",
      shows("headscope-decoding-experiment headscope-numbers >> nth=1"),
    ],
    [
      "calculator",
      `${BITES}&experiment=calculator`,
      shows("headscope-demo[name=overflow] >> role=grid"),
    ],
  ],
};

for (const [title, states] of Object.entries(STATES)) {
  test(`axe finds nothing wrong: ${title}`, async ({ page, explorer }) => {
    const [theme = "", width] = title.split(/\W+/);
    await page.setViewportSize({ width: Number(width), height: 844 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const [name, hash, act] of states) {
      await test.step(name, async () => {
        await explorer.fresh(`theme=${theme}&${hash}`);
        await act?.(page);
        expect(await findings(page)).toEqual([]);
        // Nothing is cut off at the side, and nothing moves where motion is unwelcome.
        const layout = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth - clientWidth, document.getAnimations().length];
        });
        expect(layout).toEqual([0, 0]);
      });
    }
  });
}

test("a high-contrast theme shows what is chosen, and axe finds nothing wrong", async ({
  page,
  explorer,
}) => {
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.emulateMedia({ forcedColors: "active" });
  await explorer.fresh(EDITS);
  const colourOf = (place: Locator): Promise<string> =>
    place.evaluate((element) => getComputedStyle(element).backgroundColor);
  const label = (name: string): Locator =>
    page.locator("label").filter({ has: explorer.radio(name) });
  expect(await colourOf(label("weights"))).not.toBe(await colourOf(label("raw")));
  expect(await colourOf(label("Heatmap"))).not.toBe(await colourOf(label("Lines")));
  // The bars have a colour of the theme, and the picture the ground of the page.
  const bar = explorer.inspector.locator(".track i").first();
  expect(await colourOf(bar)).not.toBe(await colourOf(page.locator("body")));
  const paper = await page
    .locator("headscope-heatmap")
    .evaluate((figure: HTMLElement & { inks?: { paper: string } }) => figure.inks?.paper);
  expect(paper).toBe("rgb(255, 255, 255)");
  expect(await findings(page)).toEqual([]);
});

test("everything is done by the keyboard alone", async ({ page, explorer }) => {
  await explorer.open(BITES);
  await explorer.keys("Tab");
  await expect(explorer.button("Skip to the attention picture")).toBeFocused();
  await explorer.keys("Enter");
  await expect(explorer.radio("Heatmap")).toBeFocused();
  await explorer.keys("ArrowRight");
  await expect(page.locator("headscope-lines")).toBeVisible();
  await explorer.keys("ArrowLeft");
  for (const place of [
    page.locator("headscope-export-menu").getByRole("button", { name: "Export" }),
    explorer.button("Block cells"),
    explorer.radio("weights"),
    explorer.figure,
  ]) {
    await explorer.keys("Tab");
    await expect(place).toBeFocused();
  }
  await explorer.keys("?");
  await expect(page.getByRole("dialog", { name: "Help" })).toBeVisible();
  await explorer.keys("Escape", "s");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(explorer.chips).toContainText("ablated");
  await explorer.open("text=");
  await explorer.sentence.pressSequentially("[b]. s? ,x");
  await expect(explorer.sentence).toHaveValue("[b]. s? ,x");
  await expect(explorer.chips).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
