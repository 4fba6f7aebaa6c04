// The questions of the help dialog: each opens with its answer in view, in both languages.
import en from "../../www/i18n/en/tour.json" with { type: "json" };
import zh from "../../www/i18n/zh-CN/tour.json" with { type: "json" };
import type { Question } from "../../www/state/index.js";
import { expect, expectInView, type Locator, test, undefinedTags } from "./page.js";

/** What answers a question: numbers and texts of the run, in the order of the card. */
const ANSWERS: Readonly<Record<Question, RegExp>> = {
  it: /it → apple 88%/,
  unscaled: /un chat noir.*noir noir/,
  future: /3\D+10.*5\D+10|10\D+3.*10\D+5/,
  unordered: /La fille adore le garçon.*Le garçon aime la fille/,
  previous: /small → a 84%/,
  important: /1\.2 −3\.706/,
  translation: /le → book 97%/,
  sink: /88%/,
  cost: /144.*576.*2,304/,
  vectors: /q .*; .* k .*; .* v .*; .* q · k 53\.3/,
  weights: /book.*10\.9.*97%/,
  output: /0\.45.*0\.38.*0\.24.*1\.66/,
  residual: /−0\.17.*1\.66.*1\.49.*0\.98/,
  padding: / 0 .*1\.795/,
  schemes: /RoPE.*ALiBi/,
  induction: /to → school 100%/,
  meaning: /bank → river 39%.*bank → money 19%.*0\.99.*0\.84/,
  sparse: /72%.*76%.*204%/,
  rank: /4\D+12|12\D+4/,
  patches: /ring”? 100% .*16.* 9\d%/,
  layers: /old 87%.*man 13%.*car 50%.*car 70%/,
  explanation: /81% → .*−0\.08.*18% → .*0\.21/,
  temperature: /man 2[01]% → 2%/,
  beams: /−3\.13 Il s.est décidé à arrêter.*−2\.84 Il se décida à arrêter/,
  forming: /held-out loss.*→|未训练例子的损失.*→/,
  writing: /book 65%.*donna 31%/,
};

/** A projector, a laptop, a large screen, a phone, and 200 % zoom. */
const SCREENS = [
  [1400, 900],
  [1280, 800],
  [1920, 1080],
  [390, 844],
  [700, 450],
] as const;

for (const [language, texts] of [
  ["en", en],
  ["zh-CN", zh],
] as const)
  test(`each question opens with its answer in view (${language})`, async ({ page, explorer }) => {
    test.setTimeout(300_000);
    for (const question of Object.keys(ANSWERS) as Question[])
      await test.step(question, async () => {
        await page.setViewportSize({ width: 1400, height: 900 });
        await explorer.open(`tour=${question}&language=${language}`);
        const card = page.locator("headscope-tour-card");
        const answer = card.locator(".answer");
        await expectAnswer(answer, question);
        await expect(card.locator("#words")).toHaveText(texts[`tour.${question}.words`]);
        for (const [width, height] of SCREENS) {
          await page.setViewportSize({ width, height });
          await expectInView(card.locator("h2, #words, .answer li"));
        }
        await expect.poll(() => undefinedTags(page)).toEqual([]);
      });
  });

test("a question is two actions away", async ({ page, explorer }) => {
  await explorer.open();
  await page.locator("headscope-top-bar").getByRole("button", { name: "Questions" }).click();
  await page.getByRole("button", { name: en["tour.padding.title"] }).click();
  await explorer.settle();
  await expect(page).toHaveURL(/tour=padding/);
  await expectAnswer(page.locator("headscope-tour-card .answer"), "padding");
});

test("how much a key adds, beyond its weight, is one press away", async ({ page, explorer }) => {
  await explorer.open("tour=it");
  const card = page.locator("headscope-tour-card");
  await card.getByRole("button", { name: en["tour.it.action"] }).click();
  await explorer.settle();
  await expect(explorer.figure).toHaveAccessibleName(/^Attention, norms/);
  await expect(card.locator(".answer li").first()).toHaveText(/it → apple.*93%/s);
});

test("the cause of an induction is one press away from its weights", async ({ page, explorer }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await explorer.open("tour=induction");
  const card = page.locator("headscope-tour-card");
  await card.getByRole("button", { name: en["tour.induction.action"] }).click();
  const words = async (): Promise<string> => {
    return (await card.locator(".answer").innerText()).replace(/\s+/g, " ");
  };
  // The head that attends to “school” recovers most.
  await expect.poll(words, { timeout: 20_000 }).toMatch(/^ ?3\.3 \+0\.460/);
  await expectInView(card.locator("h2, #words, .answer li"));
  await expect(page.locator("headscope-demo[name=patching] .stage")).toBeInViewport({ ratio: 0.9 });
});

test("a lower temperature is one press away", async ({ page, explorer }) => {
  await explorer.open("tour=temperature");
  const card = page.locator("headscope-tour-card");
  await expectAnswer(card.locator(".answer"), "temperature");
  await card.getByRole("button", { name: en["tour.temperature.action"] }).click();
  await expect(card.locator(".answer")).toContainText(/man\s*2[01]% → 68%/);
});

async function expectAnswer(answer: Locator, question: Question): Promise<void> {
  const words = async (): Promise<string> => (await answer.innerText()).replace(/\s+/g, " ");
  await expect.poll(words, { timeout: 20_000 }).toMatch(ANSWERS[question]);
}
