import { expect, ExplorerPage, test } from "./page.js";

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

interface Shot {
  /** The file, without its ending. */
  name: string;
  viewport: { width: number; height: number };
  hash: string;
  /** A key, or what is clicked. */
  press?: string;
}

/** The pictures of the README. */
const README: readonly Shot[] = [
  { name: "explorer-light", viewport: DESK, hash: "theme=light" },
  { name: "explorer-dark", viewport: DESK, hash: "theme=dark" },
  {
    name: "edits",
    viewport: DESK,
    hash: "theme=light&edits={'masks':[{'stack':'cross','layers':[1],'heads':[4],'block':[[4,4]]}],'heads':[{'stack':'cross','layers':[1],'gate':0}]}&cell=5-5",
  },
  // A window of one token to each side, for the encoder's heads: the translation is another one.
  {
    name: "bench",
    viewport: DESK,
    hash: "theme=light&text=I+put+the+book+on+the+table+because+it+was+heavy.&stack=encoder&layer=2&head=3&bench=masks&edits={'masks':[{'stack':'encoder','preset':{'kind':'window','width':1}}]}",
  },
  { name: "positions", viewport: DESK, hash: "theme=light&stack=encoder&picture=positions" },
  {
    name: "chinese",
    viewport: DESK,
    hash: "theme=light&language=zh-CN&stack=encoder&layer=1&head=1",
  },
  { name: "steps", viewport: DESK, hash: "theme=light&picture=steps" },
  {
    name: "compare",
    viewport: DESK,
    hash: "theme=light&text=The+dog+bites+the+man.&compare=other&other=The+man+bites+the+dog.",
  },
  { name: "phone-light", viewport: PHONE, hash: "theme=light" },
  { name: "phone-dark", viewport: PHONE, hash: "theme=dark" },
];

type Look = readonly [viewport: Shot["viewport"], theme: "light" | "dark", language: string];
const WIDE: Look = [{ width: 1400, height: 900 }, "light", "en"];
const WIDE_DARK: Look = [WIDE[0], "dark", "zh-CN"];
const NARROW: Look = [PHONE, "light", "zh-CN"];
const NARROW_DARK: Look = [PHONE, "dark", "en"];

const GPT = "model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2";
const BERT = "model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=1&head=3";
const PAIR = "text=The+dog+bites+the+man.&stack=encoder&layer=2&head=3";

/** States to look at before and after a change of the page; each in the given looks, after a press of the given parts. */
const STATES: readonly (readonly [name: string, hash: string, looks: Look[], press?: string])[] = [
  ...["heatmap", "lines", "dimensions", "steps", "mask", "positions"].map(
    (picture, at) =>
      [
        picture,
        `${[GPT, BERT, ""][at % 3]}&picture=${picture}&cell=3-2`,
        at % 2 === 0 ? [WIDE, NARROW_DARK] : [WIDE_DARK, NARROW],
      ] as const,
  ),
  ...["masks", "positions", "kinds", "heads", "numbers"].map(
    (bench, at) =>
      [
        `bench-${bench}`,
        `${at % 2 === 0 ? GPT : BERT}&bench=${bench}`,
        at % 2 === 0 ? [WIDE_DARK, NARROW] : [WIDE, NARROW_DARK],
      ] as const,
  ),
  [
    "labs-masks",
    `${GPT}&bench=masks&labs=masks(open-stages.cost)&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[1],'preset':{'kind':'window','width':1}}]}`,
    [WIDE],
  ],
  ["labs-positions", `${BERT}&bench=positions&labs=places(open-yes,part-rotary)`, [WIDE_DARK]],
  ["labs-stream", `${BERT}&bench=heads&labs=heads(room-stream)`, [WIDE]],
  [
    "variant",
    `${BERT}&bench=kinds&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[2],'kind':'softmax','dropout':{'rate':0.4,'seed':3}}]}`,
    [WIDE, NARROW],
  ],
  [
    "compare-original",
    `${PAIR}&edits={'heads':[{'stack':'encoder','layers':[1],'heads':[2],'gate':0}]}&compare=original`,
    [WIDE, NARROW_DARK],
  ],
  ["compare-other", `${PAIR}&compare=other&other=The+man+bites+the+dog.`, [WIDE_DARK, NARROW]],
  ["tour-1", "tour=1", [WIDE, NARROW_DARK]],
  ["tour-5", "tour=5", [WIDE_DARK]],
  ["export", PAIR, [WIDE, WIDE_DARK], "headscope-export-menu .open"],
  ["models", PAIR, [WIDE, NARROW], "headscope-model-picker .current"],
  ["narrow-menu", PAIR, [NARROW], "headscope-narrow-menu button >> visible=true"],
  ["keys", PAIR, [WIDE_DARK], "?"],
  ["phone-heads", BERT, [NARROW], "#tab-heads"],
  ["phone-details", `${GPT}&cell=3-2`, [NARROW_DARK], "#tab-details"],
  [
    "edits",
    "edits={'masks':[{'stack':'cross','layers':[1],'heads':[4],'block':[[4,4]]}],'heads':[{'stack':'cross','layers':[1],'gate':0}]}&cell=5-5",
    [WIDE, NARROW],
  ],
  ["words", `${PAIR}&by=word&specials=hidden&picked=s2`, [WIDE]],
  ["masked-token", `${BERT}&hidden=3`, [WIDE_DARK]],
  ["long-text", GPT.replace("The+cat+bites", "The+cat+bites+".repeat(40)), [WIDE]],
  ["empty", "text=", [WIDE, NARROW]],
  ["embed", "examples/plain.html", [WIDE, NARROW]],
];

const SHOTS: readonly Shot[] = [
  ...README.map((shot) => ({ ...shot, name: `docs/screenshots/${shot.name}` })),
  ...STATES.flatMap(([name, state, looks, press]) =>
    looks.map(([viewport, theme, language]) => ({
      name: `target/screenshots/${name}-${viewport.width}-${theme}-${language}`,
      viewport,
      hash: state.includes("html") ? state : `theme=${theme}&language=${language}&${state}`,
      ...(press !== undefined && { press }),
    })),
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
    if (hash.includes("bench=")) {
      if (phone) await page.locator("#tab-edits").click();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      // Above an open bench stands the picture that it changes, as for a reader who opens it.
      await page
        .locator(name.startsWith("docs/") ? "headscope-picture-panel" : "headscope-bench")
        .evaluate((panel) => panel.scrollIntoView({ block: "start" }));
    }
    await page.screenshot({ path: `${name}.png` });
    await page.close();
  });
}
