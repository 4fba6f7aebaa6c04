// Lessons: each task is done as a reader does it; own lessons are made, saved, opened and refused.
import { readFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import type { Words } from "../../www/lessons/format.js";
import { expect, type ExplorerPage, type Locator, type Page, test } from "./page.js";

/** What the test reads of a lesson's file. */
interface LessonFile {
  steps: {
    words: Words;
    state: { training?: string };
    task?: { ask: Words; choices?: { words: Words }[]; act?: { state?: object } };
  }[];
}

const LESSONS = readdirSync("www/lessons/data").map((file) => {
  const json = readFileSync(`www/lessons/data/${file}`, "utf8");
  return { name: file.replace(".json", ""), ...(JSON.parse(json) as LessonFile) };
});

const card = (page: Page): Locator => page.locator("headscope-tour-card").getByRole("region");
const task = (page: Page): Locator => page.locator("headscope-lesson-task");

/** The choice or the number that is right, and what is done by hand after the guess. */
const SOLUTIONS: Readonly<
  Record<string, [guess: number, act?: (explorer: ExplorerPage) => Promise<void>]>
> = {
  "dots.1": [0],
  "dots.2": [2.87],
  "dots.3": [0.57],
  "dots.4": [0],
  "attention.1": [4],
  "attention.2": [10],
  "attention.3": [1.74],
  "attention.4": [6.7],
  "heads.1": [2, async ({ page }) => choose(page, 2, 1)],
  "heads.2": [2, async ({ page }) => choose(page, 4, 4)],
  "heads.3": [0],
  "masks.1": [0],
  "masks.2": [1],
  "masks.3": [0],
  "masks.4": [1],
  "positions.2": [1],
  "positions.3": [0],
  "translation.1": [1],
  "translation.3": [1],
  "translation.4": [1],
  "layers.1": [1.49],
  "layers.2": [0],
  "layers.4": [0.7],
  "meaning.1": [0, async ({ page }) => choose(page, 1, 2)],
  "meaning.2": [1],
  "meaning.3": [1],
  "cost.1": [144],
  "cost.2": [529],
  "cost.3": [0],
  "cost.4": [1],
  "cost.5": [0],
  "induction.1": [1, async ({ page }) => choose(page, 3, 3)],
  "induction.2": [1],
  "induction.3": [0],
  "induction.4": [1],
};

/** Chooses a head in the grid. */
async function choose(page: Page, layer: number, head: number): Promise<void> {
  const named = new RegExp(`^Layer ${layer}, head ${head}(\\D|$)`);
  await page.locator("headscope-grid").getByRole("button", { name: named }).click();
}

const inLanguage = (words: Words, language: "en" | "zh-CN"): string =>
  typeof words === "string" ? words : (words[language] ?? "");

/** What is proved in each language: marks are of the run's numbers, in every language the same. */
const LANGUAGE_TITLES = {
  en: "each task of each lesson marks itself",
  "zh-CN": "each step of each lesson has its words in Chinese",
} as const;

for (const language of ["en", "zh-CN"] as const)
  test(LANGUAGE_TITLES[language], async ({ page, explorer }) => {
    test.setTimeout(600_000);
    await page.setViewportSize({ width: 1400, height: 900 });
    for (const { name, steps } of LESSONS) {
      for (const [at, step] of steps.entries())
        await test.step(`${name}.${at + 1}`, async () => {
          // One is trained for ten seconds: once is enough.
          if (step.state.training !== undefined && language !== "en") return;
          await page.goto("about:blank");
          await page.goto(`./#lesson=${name}.${at + 1}&language=${language}`);
          const words = inLanguage(step.words, language);
          await expect(card(page).locator("#words")).toHaveText(words, { timeout: 30_000 });
          if (!step.task) return;
          const [guess = NaN, act] = SOLUTIONS[`${name}.${at + 1}`] ?? [];
          const { choices } = step.task;
          await expect(task(page).locator(".ask")).toHaveText(inLanguage(step.task.ask, language));
          if (language !== "en") return;
          if (choices) {
            const label = inLanguage(choices[guess]?.words ?? "", language);
            await task(page).getByRole("radio", { name: label, exact: true }).check();
          } else await task(page).getByRole("textbox").fill(String(guess));
          await task(page).locator("form .act").click();
          if (step.task.act?.state) await task(page).locator("button.act").click();
          await act?.(explorer);
          const timeout = step.state.training === undefined ? 30_000 : 120_000;
          await expect(task(page).locator(".right")).toBeVisible({ timeout });
        });
    }
  });

test("a lesson goes from step to step, and what was guessed stays until it is forgotten", async ({
  page,
  explorer,
}) => {
  await explorer.open();
  await page.locator("headscope-top-bar").getByRole("button", { name: "Questions" }).click();
  await page.getByRole("radio", { name: "Lessons" }).check({ force: true });
  const list = page.locator("headscope-lesson-list");
  await list.getByRole("button", { name: "Masks", exact: true }).click();
  await explorer.settle();
  await expect(page).toHaveURL(/lesson=masks\.1/);
  await expect(card(page).getByRole("heading")).toHaveText(/1 of 4\s+Masks · No token/);
  await task(page).getByRole("textbox").fill("half");
  await expect(task(page).getByRole("alert")).toHaveText(/not a number/);
  await task(page).getByRole("textbox").fill("0.5");
  await task(page).getByRole("button", { name: "Guess" }).click();
  await expect(task(page)).toContainText("Not 0.500: the run has 0");
  await card(page).getByRole("button", { name: "Next" }).click();
  await explorer.settle();
  await expect(page).toHaveURL(/lesson=masks\.2/);
  await page.goBack();
  await expect(page).toHaveURL(/lesson=masks\.1/);
  await explorer.reload();
  await expect(task(page)).toContainText("Not 0.500");
  await card(page).getByRole("button", { name: "All lessons" }).click();
  await expect(list).toContainText("1 of 4 tasks");
  await page.getByRole("button", { name: "Forget what I guessed" }).click();
  await expect(list).not.toContainText("of 4 tasks");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(task(page).getByRole("textbox")).toBeVisible();
  await card(page).getByRole("button", { name: "Leave" }).click();
  await expect(card(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/lesson=/);
});

test("a lesson is made while exploring, played, saved and opened by anyone", async ({
  page,
  explorer,
}) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await explorer.open("text=The+dog+bites.&stack=encoder&layer=3&head=3&cell=2-3");
  await page.locator("headscope-top-bar").getByRole("button", { name: "Questions" }).click();
  await page.getByRole("radio", { name: "Lessons" }).check({ force: true });
  await page.getByRole("button", { name: "Make a lesson" }).click();
  const builder = page.getByRole("region", { name: "Your lesson" });
  await builder.getByRole("button", { name: "Record this view" }).click();
  await expect(builder.getByRole("status")).toContainText('title: ""');
  await builder.getByLabel("Name", { exact: true }).fill("Dogs");
  await builder.getByLabel("Title", { exact: true }).fill("The dog");
  await builder.getByLabel("Words", { exact: true }).fill("Look at the dog.");
  await builder.getByRole("button", { name: "Add a task with a number" }).click();
  await builder.getByLabel("Question").fill("How much?");
  await explorer.choose("Lines");
  await builder.getByRole("button", { name: "Record this view" }).click();
  await builder.getByLabel("Title", { exact: true }).fill("Its lines");
  await builder.getByLabel("Words", { exact: true }).fill("Lines show the same.");
  await builder.getByRole("button", { name: "Up: Its lines" }).click();

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    builder.getByRole("button", { name: "Save file" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("Dogs.json");
  const text = await readFile(await file.path(), "utf8");
  const saved = JSON.parse(text) as { steps: { title: string; state: object }[] };
  expect(saved.steps.map(({ title }) => title)).toEqual(["Its lines", "The dog"]);
  expect(saved.steps[1]?.state).toEqual({
    text: "The dog bites.",
    stack: "encoder",
    layer: "3",
    head: "3",
    cell: "2-3",
  });

  await builder.getByRole("button", { name: "Play", exact: true }).click();
  await explorer.settle();
  await expect(card(page).getByRole("heading")).toHaveText(/1 of 2\s+Dogs · Its lines/);
  await card(page).getByRole("button", { name: "Next" }).click();
  await explorer.settle();
  await task(page).getByRole("textbox").fill("0.5");
  await task(page).getByRole("button", { name: "Guess" }).click();
  await expect(task(page).locator(".right, .wrong")).toBeVisible();

  // The address is the lesson: whoever opens it has it.
  const other = await explorer.linked();
  await expect(card(other.page).getByRole("heading")).toHaveText(/2 of 2\s+Dogs · The dog/);
  await other.page.close();

  const opened = async (content: string): Promise<void> => {
    await explorer.fresh();
    await page.locator("headscope-top-bar").getByRole("button", { name: "Questions" }).click();
    await page.getByRole("radio", { name: "Lessons" }).check({ force: true });
    const buffer = Buffer.from(content);
    const input = page.locator("headscope-lesson-list input[type=file]");
    await input.setInputFiles({ name: "lesson.json", mimeType: "application/json", buffer });
  };
  await opened(text);
  await expect(card(page).getByRole("heading")).toHaveText(/1 of 2\s+Dogs · Its lines/);
  await opened(text.replace('"layer"', '"layr"'));
  await expect(explorer.notices).toContainText(/steps\[0\]\.state\.layr.*lesson\/unknown-field/s);
  await expect(card(page)).toHaveCount(0);
});
