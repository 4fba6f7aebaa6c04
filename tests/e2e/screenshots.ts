import { expect, ExplorerPage, test } from "./page.js";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

interface Shot {
  name: string;
  viewport: { width: number; height: number };
  hash: string;
  press?: string;
}

const GPT = "model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2";
const BERT = "model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=1&head=3";
const PAIR = "text=The+dog+bites+the+man.&stack=encoder&layer=2&head=3";
const EDITED =
  "edits={'masks':[{'stack':'cross','layers':[1],'heads':[4],'block':[[4,4]]}],'heads':[{'stack':'cross','layers':[1],'gate':0}]}&cell=5-5";

/**
 * States to compare before and after a change of the page, each after a press of the named part. On
 * a phone only where the name begins with that word.
 */
const STATES: readonly (readonly [name: string, hash: string, press?: string])[] = [
  ...["heatmap", "lines", "dimensions", "steps", "mask", "positions"].map(
    (picture, at) => [picture, `${[GPT, BERT, ""][at % 3]}&picture=${picture}&cell=3-2`] as const,
  ),
  ...["masks", "positions", "variants", "heads", "patching", "calculator"].map(
    (experiment, at) =>
      [`experiment-${experiment}`, `${[GPT, BERT][at % 2]}&experiment=${experiment}`] as const,
  ),
  [
    "demos-masks",
    `${GPT}&experiment=masks&demos=masks(open-cost)&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[1],'preset':{'kind':'window','width':1}}]}`,
  ],
  ["demos-positions", `${BERT}&experiment=positions&demos=places(open-yes,part-rotary)`],
  ["demos-stream", `${BERT}&experiment=heads&demos=heads(room-stream)`],
  [
    "variant",
    `${BERT}&experiment=variants&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[2],'kind':'softmax','dropout':{'rate':0.4,'seed':3}}]}`,
  ],
  [
    "compare-original",
    `${PAIR}&edits={'heads':[{'stack':'encoder','layers':[1],'heads':[2],'gate':0}]}&compare=original`,
  ],
  ["compare-other", `${PAIR}&compare=other&other=The+man+bites+the+dog.`],
  ["tour-1", "tour=1"],
  ["tour-5", "tour=5"],
  ["export", PAIR, "headscope-export-menu .open >> visible=true"],
  ["models", PAIR, "headscope-model-picker .current"],
  ["keys", PAIR, "?"],
  ["phone-menu", PAIR, "headscope-narrow-menu button >> visible=true"],
  ["phone-heads", BERT, "#tab-heads"],
  ["phone-details", `${GPT}&cell=3-2`, "#tab-details"],
  ["edits", EDITED],
  ["words", `${PAIR}&by=word&specials=hidden&picked=s2`],
  ["masked-token", `${BERT}&masked=3`],
  ["long-text", GPT.replace("The+cat+bites", "The+cat+bites+".repeat(40))],
  ["empty", "text="],
  ["embed", "examples/plain.html"],
];

const SHOTS: readonly Shot[] = [
  { name: "docs/screenshots/explorer-light", viewport: DESKTOP, hash: "theme=light" },
  ...STATES.flatMap(([name, state, press], at) =>
    [{ width: 1400, height: 900 }, PHONE].flatMap((viewport) => {
      const phone = viewport === PHONE;
      if (name === "export" && phone) return [];
      if (name.startsWith("phone") && !phone) return [];
      const theme = (at % 2 === 1) === phone ? "light" : "dark";
      const language = at % 2 === 0 ? "en" : "zh-CN";
      return {
        name: `target/screenshots/${name}-${viewport.width}-${theme}-${language}`,
        viewport,
        hash: state.includes("html") ? state : `theme=${theme}&language=${language}&${state}`,
        ...(press !== undefined && { press }),
      };
    }),
  ),
];

for (const { name, viewport, hash, press } of SHOTS) {
  test(name, async ({ browser, baseURL }) => {
    const phone = viewport === PHONE;
    const page = await browser.newPage({
      viewport,
      deviceScaleFactor: phone ? 2 : 1.5,
      hasTouch: phone,
      isMobile: phone,
      colorScheme: name.includes("dark") ? "dark" : "light",
      ...(baseURL && { baseURL }),
    });
    const explorer = new ExplorerPage(page);
    if (!hash.includes("html")) await explorer.open(hash);
    else {
      await page.goto(hash);
      const figure = page.locator("headscope-heatmap");
      await figure.scrollIntoViewIfNeeded();
      await expect(figure).toHaveAttribute("state", "ready", { timeout: 30_000 });
    }
    await page.evaluate(() => document.fonts.ready);
    if (press === "?") await page.keyboard.press("?");
    else if (press !== undefined) await page.locator(press).first().click();
    if (hash.includes("experiment=")) {
      if (phone) await page.locator("#tab-edits").click();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      // Above an open experiment stands the picture that it changes, as for a reader who opens it.
      await page
        .locator("headscope-experiments")
        .evaluate((panel) => panel.scrollIntoView({ block: "start" }));
    }
    await page.screenshot({ path: `${name}.png` });
    await page.close();
  });
}
