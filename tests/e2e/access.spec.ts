// For everybody: axe in sixteen states, the keyboard alone.
import { expect, ExplorerPage, findings, test, type Locator, type Page } from "./page.js";

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
const EDITS =
  "edits={'masks':[{'stack':'cross','layers':[0],'heads':[0],'block':[[1,1]]}],'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0},{'stack':'encoder','layers':[8],'heads':[8],'gate':0}]}&cell=2-2";

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
        `${TEXT}&stack=decoder&picture=mask&bench=masks&edits={'masks':[{'stack':'encoder','preset':{'kind':'random','keys':2,'seed':3,'width':1,'tokens':[0]}},{'stack':'decoder','mode':'or','invert':true,'preset':{'kind':'window','width':2,'oneSided':true}},{'fill':'-1e9'}]}`,
        async (page) => {
          await unfold(page, "headscope-mask-demos summary");
          await expect(page.locator("headscope-demo[name=pad] tbody tr").first()).toBeVisible();
        },
      ],
      [
        "bench of kinds",
        `${TEXT}&stack=encoder&layer=1&head=1&bench=kinds&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[0],'kind':'sliding','parameters':{'width':2},'dropout':{'rate':0.3,'seed':1}}]}`,
        (page) =>
          expect(page.locator("headscope-demo[name=kind] headscope-numbers")).toHaveCount(3),
      ],
    ],
  },
  {
    theme: "light",
    width: 390,
    states: [
      [
        "bench of positions, in Chinese",
        `${TEXT}&stack=encoder&bench=positions&language=zh-CN&labs=places(open-yes,part-learned)&edits={'positions':[{'stack':'encoder','scheme':'t5','parameters':{'buckets':8},'order':[1,0]}]}`,
        (page) =>
          expect(page.locator("headscope-demo[name=learned] headscope-numbers")).toBeVisible({
            timeout: 30_000,
          }),
      ],
      [
        "bench of heads",
        `${TEXT}&bench=heads&stack=encoder&layer=1&head=2&edits={'heads':[{'stack':'encoder','layers':[0],'heads':[1],'pattern':[[100,0],[0,100]]}],'blocks':[{'stack':'encoder','layers':[1],'norm':'pre','sublayers':['feed-forward']}]}`,
      ],
      ["a step of the tour", "tour=2"],
      [
        "an edited run and its original",
        `${TEXT}&edits={'heads':[{'stack':'cross','layers':[1],'heads':[4],'gate':0}]}&compare=original`,
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
        "model=models/tiny-bert&text=The+dog+and+the+cat.&hidden=3,6&edits={'heads':[{'stack':'cross','layers':[0],'heads':[0],'gate':0}]}&language=zh-CN",
        tab(2),
      ],
      [
        "workbench",
        `${TEXT}&bench=numbers`,
        (page) =>
          expect(
            page.locator("headscope-demo[name=overflow]").getByRole("grid").first(),
          ).toBeVisible({
            timeout: 30_000,
          }),
      ],
    ],
  },
];

for (const { theme, width, states } of STATES) {
  test(`axe finds nothing wrong: ${theme}, ${width} pixels wide`, async ({ page, explorer }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const [name, hash, act] of states) {
      await test.step(name, async () => {
        await explorer.fresh(`theme=${theme}&${hash}`);
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

test("everything is done by the keyboard alone", async ({ page, explorer }) => {
  await explorer.open("text=The+dog+bites+the+man.");
  await explorer.keys("Tab");
  await expect(explorer.button("Skip to the attention picture")).toBeFocused();
  await explorer.keys("Enter");
  await expect(explorer.radio("Heatmap")).toBeFocused();
  await explorer.keys("ArrowRight");
  await expect(page.locator("headscope-lines")).toBeVisible();
  await explorer.keys("ArrowLeft");
  for (const place of [
    explorer.radio("Indigo"),
    page.locator("headscope-export-menu").getByRole("button", { name: "Export" }),
    explorer.button("Block cells"),
    explorer.radio("weights"),
    explorer.figure,
  ]) {
    await explorer.keys("Tab");
    await expect(place).toBeFocused();
  }
  await explorer.keys("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await explorer.keys("Escape", "s");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(explorer.chips).toContainText("silenced");
  await explorer.fresh("text=The+dog+bites+the+man.");
  const places = [
    explorer.picker,
    explorer.sentence,
    explorer.translation,
    explorer.radio("Cross-attention"),
    explorer.head(2, 5),
    explorer.radio("Heatmap"),
    explorer.figure,
  ];
  const isFocused = (place: Locator): Promise<boolean> =>
    place.evaluate(
      (element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element,
    );
  for (let stop = 0; stop < 40 && places.length > 0; stop += 1) {
    await explorer.keys("Tab");
    if (places[0] && (await isFocused(places[0]))) places.shift();
  }
  expect(places).toEqual([]);
  await explorer.open("text=");
  await explorer.sentence.pressSequentially("[b]. s? ,x");
  await expect(explorer.sentence).toHaveValue("[b]. s? ,x");
  await expect(explorer.chips).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
