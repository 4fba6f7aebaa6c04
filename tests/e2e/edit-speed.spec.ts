import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { spreadOf } from "./feel-meter.js";
import { randomModel } from "./random-model.js";

/*
 * What an edit takes until it is on the screen, as a figure: printed and attached to its test. No time is a condition
 * here, since a busy machine would decide it; that what is timed has really happened, is one.
 */

/** 63 words and their end. */
const TOKENS = 64;
const EDITS = 24;

/** From a key to the frame that shows its patterns. */
interface Answer {
  frames: number;
  millis: number;
}

interface Picture extends HTMLElement {
  looked?: { figures: { run: object; mask: { data: Float32Array } } } | null;
}

test("figures: what an edit of 64 tokens takes until its patterns are on the screen", async ({
  page,
}, info) => {
  test.setTimeout(180_000);
  const explorer = new ExplorerPage(page);
  const words = ["the", "man", "and", "the", "dog"];
  const text = Array.from({ length: TOKENS - 1 }, (_, at) => words[at % words.length]).join(" ");
  await explorer.open(
    `#v=1&model=models/tiny-bert&text=${encodeURIComponent(text)}&layer=1&head=1`,
  );
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  expect(tokens).toBeGreaterThanOrEqual(TOKENS);
  await explorer.figure.focus();
  const answers: Answer[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    await page.keyboard.press("ArrowRight");
    const answered = page.evaluate(async (): Promise<Answer> => {
      const picture = document
        .querySelector("headscope-explorer")
        ?.shadowRoot?.querySelector<Picture>("headscope-picture-panel");
      const stage = picture?.shadowRoot
        ?.querySelector("headscope-heatmap")
        ?.shadowRoot?.querySelector(".stage");
      if (!picture || !stage) throw new Error("there is no heatmap");
      const closed = (): number =>
        picture.looked?.figures.mask.data.reduce(
          (count, added) => (added === 0 ? count : count + 1),
          0,
        ) ?? 0;
      const [before, run] = [closed(), picture.looked?.figures.run];
      // The key comes at the beginning of a frame, as a screen counts.
      await new Promise(requestAnimationFrame);
      const pressed = performance.now();
      stage.dispatchEvent(
        new KeyboardEvent("keydown", { key: "b", bubbles: true, composed: true }),
      );
      for (let frames = 1; ; frames += 1) {
        await new Promise(requestAnimationFrame);
        // What the page has by now is what this frame paints.
        if (picture.looked?.figures.run !== run && closed() === before + 1)
          return { frames, millis: performance.now() - pressed };
        if (frames > 600) throw new Error("the edit never came");
      }
    });
    answers.push(await answered);
  }
  await explorer.settle();
  await expect(explorer.chips).toHaveText([new RegExp(`${EDITS} cells blocked`)]);
  const [frames, millis] = [
    spreadOf(answers.map((answer) => answer.frames)),
    spreadOf(answers.map((answer) => answer.millis)),
  ];
  process.stdout.write(
    `    an edit of ${tokens} tokens to the frame that shows its patterns: median ${frames.median} frames, p95 ${frames.p95}, at most ${frames.most}; ${millis.median} ms, p95 ${millis.p95} ms (${frames.times} times)\n`,
  );
  await info.attach("edit-speed.json", {
    body: JSON.stringify({ tokens, frames, millis }, null, 2),
    contentType: "application/json",
  });
});

test("figures: what a stroke over a heatmap of 512 by 512 takes", async ({ page }, info) => {
  test.setTimeout(300_000);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog.");
  await explorer.folder.setInputFiles(randomModel());
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  await explorer.sentence.fill("the man and the dog ".repeat(102).trim());
  await expect(explorer.figure).toHaveAccessibleName(/512 queries by 512 keys/, {
    timeout: 120_000,
  });
  await expect(explorer.main).toHaveAttribute("aria-busy", "false", { timeout: 120_000 });
  await page.getByRole("button", { name: "Block cells" }).click();
  await explorer.figure.evaluate((stage) => stage.scrollIntoView({ block: "start" }));
  const box = await explorer.figure.boundingBox();
  if (!box) throw new Error("there is no figure");
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async (): Promise<number> =>
    ((await client.send("Performance.getMetrics")).metrics.find(
      ({ name }) => name === "TaskDuration",
    )?.value ?? NaN) * 1000;
  const [left, top] = [box.x + box.width * 0.4, box.y + box.height * 0.4];
  await page.mouse.move(left, top);
  await page.mouse.down();
  const samples: number[] = [];
  for (let move = 1; move <= 40; move += 1) {
    const before = await worked();
    await page.mouse.move(left + 4 * move, top + 2 * (move % 9));
    samples.push((await worked()) - before);
  }
  await expect(explorer.chips).toHaveCount(0);
  const ended = Date.now();
  await page.mouse.up();
  await expect(explorer.chips).toHaveText([/\d+ cells blocked/]);
  const said = Date.now() - ended;
  await expect(explorer.main).toHaveAttribute("aria-busy", "false", { timeout: 120_000 });
  const work = spreadOf(samples);
  process.stdout.write(
    `    a stroke over 512 by 512 cells, work per move: median ${work.median} ms, p95 ${work.p95} ms (${work.times} times); let go to its chip ${said} ms\n`,
  );
  await info.attach("stroke.json", {
    body: JSON.stringify({ work, said }, null, 2),
    contentType: "application/json",
  });
});
