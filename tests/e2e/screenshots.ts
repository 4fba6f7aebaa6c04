import { test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** The pictures of the README, by file name. */
const SHOTS: readonly {
  name: string;
  viewport: { width: number; height: number };
  hash: string;
}[] = [
  { name: "explorer-light", viewport: DESK, hash: "#v=1&theme=light" },
  { name: "explorer-dark", viewport: DESK, hash: "#v=1&theme=dark" },
  { name: "edits", viewport: DESK, hash: "#v=1&theme=light&edits=c2.5!5-5;c2.x0&cell=5-5" },
  // A window of one token to each side, for the encoder's heads: the translation is another one.
  {
    name: "bench",
    viewport: DESK,
    hash: "#v=1&theme=light&text=I+put+the+book+on+the+table+because+it+was+heavy.&stack=encoder&layer=2&head=3&bench=masks&edits=e.~window(w1)",
  },
  { name: "positions", viewport: DESK, hash: "#v=1&theme=light&stack=encoder&picture=positions" },
  {
    name: "chinese",
    viewport: DESK,
    hash: "#v=1&theme=light&language=zh-CN&stack=encoder&layer=1&head=1",
  },
  { name: "steps", viewport: DESK, hash: "#v=1&theme=light&picture=steps" },
  {
    name: "compare",
    viewport: DESK,
    hash: "#v=1&theme=light&text=The+dog+bites+the+man.&compare=other&other=The+man+bites+the+dog.",
  },
  { name: "phone-light", viewport: PHONE, hash: "#v=1&theme=light" },
  { name: "phone-dark", viewport: PHONE, hash: "#v=1&theme=dark" },
];

for (const { name, viewport, hash } of SHOTS) {
  test(name, async ({ browser, baseURL }) => {
    const phone = viewport === PHONE;
    const page = await browser.newPage({
      viewport,
      deviceScaleFactor: phone ? 2 : 1.5,
      hasTouch: phone,
      isMobile: phone,
      ...(baseURL && { baseURL }),
    });
    await new ExplorerPage(page).open(hash);
    await page.evaluate(() => document.fonts.ready);
    // Above an open bench stands the picture that it changes, as for a reader who opens it.
    if (hash.includes("bench="))
      await page
        .locator("headscope-picture-panel")
        .evaluate((panel) => panel.scrollIntoView({ block: "start" }));
    await page.screenshot({ path: `docs/screenshots/${name}.png` });
    await page.close();
  });
}
