// The questions of the help dialog: each is answered within three actions, in both languages.
import en from "../../www/i18n/en/tour.json" with { type: "json" };
import zh from "../../www/i18n/zh-CN/tour.json" with { type: "json" };
import type { Question } from "../../www/state/index.js";
import { expect, test } from "./page.js";

/**
 * Where the number or the word is that answers a question: the whole text of an element, or a part.
 */
const ANSWERS: Readonly<Record<Question, readonly [part: string, answer: string | RegExp]>> = {
  it: ["headscope-inspector", "0.884"],
  unscaled: [".unedited mark", /chat/],
  future: ["headscope-demo", /13\.1%.*24\.9%/],
  unordered: [".unedited", /fille/],
  previous: ["headscope-inspector", "0.845"],
  important: ["headscope-demo", /−3\.706/],
  translation: ["headscope-inspector", "0.970"],
  sink: ["headscope-inspector", "0.625"],
  cost: ["headscope-demo", "144"],
  vectors: ["headscope-inspector", "53.279"],
  weights: ["headscope-steps", "0.970"],
  output: ["headscope-steps", "1.661"],
  residual: ["headscope-steps", "2.308"],
  padding: ["headscope-demo", "1.795"],
  schemes: ["headscope-position-demos headscope-demo", /2017/],
  induction: ["headscope-inspector", "0.998"],
  meaning: ["headscope-pairs-panel", "0.386"],
  sparse: ["headscope-demo", /75\.5%/],
  rank: ["headscope-inspector .charts", /\b4\b.*\b12\b|\b12\b.*\b4\b/],
};

for (const [language, texts, menu] of [
  ["en", en, "Questions"],
  ["zh-CN", zh, "问题"],
] as const) {
  test(`each question of the menu is answered (${language})`, async ({ page, explorer }) => {
    test.setTimeout(180_000);
    await page.setViewportSize({ width: 1400, height: 900 });
    await explorer.open(`language=${language}`);
    for (const question of Object.keys(ANSWERS) as Question[]) {
      await test.step(question, async () => {
        const [part, answer] = ANSWERS[question];
        await page.locator("headscope-top-bar").getByRole("button", { name: menu }).click();
        await page.getByRole("button", { name: texts[`tour.${question}.title`] }).click();
        await explorer.settle();
        await expect(page).toHaveURL(new RegExp(`tour=${question}`));
        if (question === "important") await page.locator("headscope-demo #go").click();
        const found = page.locator(part).getByText(answer, { exact: true }).first();
        await expect(found).toBeVisible({ timeout: 15_000 });
        await expect(explorer.main).toBeInViewport();
      });
    }
  });
}
