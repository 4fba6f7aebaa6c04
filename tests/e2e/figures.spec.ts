/*
 * How the page feels, as figures: each is printed and attached to its test. No time is a condition
 * here, since a busy machine would decide it; that what is timed has really happened, is one. `npm
 * run figures` runs them alone.
 */
import type { TestInfo } from "@playwright/test";
import { boxOf, expect, test, type Page } from "./page.js";
import { randomModel } from "../../tools/bench/random-model.js";

function spreadOf(samples: readonly number[]): string {
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN).toFixed(1);
  return `median ${at(0.5)}, p95 ${at(0.95)}, at most ${at(1)} (${sorted.length} times)`;
}

type Figures = Record<string, readonly number[] | number>;

async function report(info: TestInfo, figures: Figures): Promise<void> {
  for (const [name, value] of Object.entries(figures))
    process.stdout.write(`    ${name}: ${typeof value === "number" ? value : spreadOf(value)}\n`);
  await info.attach("figures.json", {
    body: JSON.stringify(figures, null, 2),
    contentType: "application/json",
  });
}

/** What the meters need of the page's parts, which are Lit elements. */
interface Parts extends HTMLElement {
  session: {
    figures: { run: object; mask: { data: Float32Array } } | null;
    result: { tokens: readonly { special: boolean }[] };
  };
}

test("figures: what a keystroke takes until its patterns and the first word of its translation are on the screen", async ({
  explorer,
  page,
}, info) => {
  // 31 tokens and the end: each of the keystrokes below changes what is read.
  await explorer.open(
    "stack=encoder&text=The+woman+who+lives+next+door+has+a+very+little+black+dog+and+the+man+who+knows+her+brother+has+a+big+white+cat+that+likes+to+sleep+in+the+warm",
  );
  await explorer.sentence.press("End");
  const [patterns, words]: [number[], number[]] = [[], []];
  for (const key of " sun and the old house") {
    // Listens before the key is pressed; the times are read afterwards.
    const shown = await page.evaluateHandle(() => {
      const root = document.querySelector("headscope-explorer")?.shadowRoot;
      const picture = root?.querySelector<Parts>("headscope-picture-panel");
      const sentence = root?.querySelector<Parts>("headscope-sentence-bar");
      const run = picture?.session.figures?.run;
      const result = sentence?.session.result;
      const measure = async (pressed: number): Promise<number[]> => {
        const times: number[] = [];
        while (times.length < 2 && performance.now() - pressed < 2000) {
          await new Promise(requestAnimationFrame);
          const isRead = picture?.session.figures?.run !== run;
          const isWritten =
            sentence?.session.result !== result &&
            sentence?.session.result.tokens.some(({ special }) => !special);
          if (times.length === 0 ? isRead : isWritten) times.push(performance.now() - pressed);
        }
        return times;
      };
      const times = new Promise<number[]>((resolve) =>
        root?.addEventListener("input", (event) => resolve(measure(event.timeStamp)), {
          capture: true,
          once: true,
        }),
      );
      return { times };
    });
    await page.keyboard.press(key);
    const [read, written] = await shown.evaluate(({ times }) => times);
    if (read !== undefined) patterns.push(read);
    if (written !== undefined) words.push(written);
  }
  expect(patterns.length).toBeGreaterThan(10);
  await report(info, {
    "keystroke to the source's patterns, ms": patterns,
    "keystroke to the first word, ms": words,
  });
});

test("figures: what an edit of 64 tokens takes until its patterns are on the screen", async ({
  explorer,
  page,
}, info) => {
  const text = "the+man+and+the+dog+".repeat(13);
  await explorer.open(`model=models/tiny-bert&text=${text}&layer=1&head=1`);
  await explorer.figure.focus();
  const samples: number[] = [];
  for (let edit = 0; edit < 24; edit += 1) {
    await explorer.keys("ArrowRight");
    samples.push(
      await page.evaluate(async () => {
        const picture = document
          .querySelector("headscope-explorer")
          ?.shadowRoot?.querySelector<Parts>("headscope-picture-panel");
        const stage = picture?.shadowRoot
          ?.querySelector("headscope-heatmap")
          ?.shadowRoot?.querySelector(".stage");
        const closed = (): number =>
          picture?.session.figures?.mask.data.filter((added) => added !== 0).length ?? 0;
        const before = closed();
        // The key comes at the beginning of a frame, as a screen counts.
        await new Promise(requestAnimationFrame);
        const pressed = performance.now();
        stage?.dispatchEvent(
          new KeyboardEvent("keydown", { key: "b", bubbles: true, composed: true }),
        );
        while (closed() !== before + 1) await new Promise(requestAnimationFrame);
        return performance.now() - pressed;
      }),
    );
  }
  await expect(explorer.chips).toHaveText([/24 cells blocked/]);
  await report(info, { "an edit of 64 tokens to its patterns, ms": samples });
});

/**
 * Milliseconds that the main thread worked so far: while other programs hold the processor that
 * clock stands still.
 */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN) * 1000;
  };
}

/** The layouts and style recalculations of the page so far. */
async function layoutsOf(page: Page): Promise<() => Promise<[layouts: number, styles: number]>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    const of = (name: string): number => metrics.find((one) => one.name === name)?.value ?? NaN;
    return [of("LayoutCount"), of("RecalcStyleCount")];
  };
}

/** The calls of functions of the page's scripts on the main thread since the last count. */
async function callsOf(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Profiler.enable");
  await client.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return async () => {
    const { result } = await client.send("Profiler.takePreciseCoverage");
    // What a test asks of the page runs there too, in scripts without an address.
    const own = result.filter(({ url }) => url.startsWith("http"));
    const counts = own.flatMap(({ functions }) =>
      functions.map(({ ranges }) => ranges[0]?.count ?? 0),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
}

/** The time in which the page answers a key and is at rest again. */
const REST_MILLIS = 600;

/**
 * Lets the clocks of a page run slower, so that no answer is late: where other work holds the
 * processor, a late one is shown in parts, each in a frame of its own.
 */
function slowClocks(factor: number): void {
  const now = performance.now.bind(performance);
  performance.now = () => now() / factor;
  const later = globalThis.setTimeout;
  Reflect.set(globalThis, "setTimeout", (act: () => void, millis = 0, ...more: unknown[]) =>
    later(act, millis * factor, ...more),
  );
}

for (const model of ["en-fr", "tiny-gpt"])
  for (const [how, factor] of [
    ["as it comes", 1],
    // Less than the rest between two keys has of the pause of the pointer.
    ["in one frame", 10],
  ] as const)
    test(`figures: what a key costs the main thread with ${model}, answered ${how}`, async ({
      explorer,
      page,
    }, info) => {
      if (factor > 1) await page.addInitScript(slowClocks, factor);
      await explorer.open(`model=models/${model}&text=The+dog+bites+the+man.`);
      await explorer.sentence.press("End");
      // A sign that needs another part of a font loads it once.
      await page.keyboard.press("x");
      await explorer.settle();
      const press = async (key: string): Promise<void> => {
        await page.keyboard.press(key);
        await page.waitForTimeout(REST_MILLIS);
        await explorer.settle();
      };
      const counted = await layoutsOf(page);
      const [layouts, styles, calls]: [number[], number[], number[]] = [[], [], []];
      for (const key of " sun and") {
        const [layoutsBefore, stylesBefore] = await counted();
        await press(key);
        const [layoutsAfter, stylesAfter] = await counted();
        layouts.push(layoutsAfter - layoutsBefore);
        styles.push(stylesAfter - stylesBefore);
      }
      const called = await callsOf(page);
      for (const key of " moon") {
        await called();
        await press(key);
        calls.push(await called());
      }
      await explorer.figure.focus();
      const blocked: number[] = [];
      for (let cell = 1; cell <= 3; cell += 1) {
        await press("ArrowUp");
        await called();
        await press("b");
        await expect(explorer.chips).toHaveText([
          cell === 1 ? /: .+→.+/ : new RegExp(`${cell} cells blocked`),
        ]);
        blocked.push(await called());
      }
      expect(Math.min(...layouts, ...calls, ...blocked)).toBeGreaterThan(0);
      const of = `${model}, ${how}`;
      await report(info, {
        [`layouts a key, ${of}`]: layouts,
        [`style recalculations a key, ${of}`]: styles,
        [`calls on the main thread a key, ${of}`]: calls,
        [`calls on the main thread a blocked cell, ${of}`]: blocked,
      });
    });

test("figures: a heatmap of 512 by 512 and a grid of 12 by 12 heads under the pointer, the wheel and a stroke", async ({
  explorer,
  page,
}, info) => {
  test.setTimeout(300_000);
  await explorer.open("text=The+dog.");
  await explorer.folder.setInputFiles(randomModel(undefined, test.info().outputPath()));
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  const started = Date.now();
  await explorer.sentence.fill("the man and the dog ".repeat(102).trim());
  await expect(explorer.figure).toHaveAccessibleName(/512 queries by 512 keys/, {
    timeout: 120_000,
  });
  const shown = Date.now() - started;
  await explorer.settle(120_000);
  const read = Date.now() - started;
  await expect(page.locator("headscope-grid .head")).toHaveCount(144);
  await explorer.button("Block cells").click();
  await explorer.figure.evaluate((stage) => stage.scrollIntoView({ block: "start" }));
  const box = await boxOf(explorer.figure);
  const worked = await workOf(page);
  const measure = async (act: (move: number) => Promise<unknown>): Promise<number[]> => {
    const samples: number[] = [];
    for (let move = 1; move <= 40; move += 1) {
      const before = await worked();
      await act(move);
      samples.push((await worked()) - before);
    }
    return samples;
  };
  const left = box.x + box.width * 0.4;
  const top = box.y + box.height * 0.4;
  const move = (at: number): Promise<void> => page.mouse.move(left + 4 * at, top + 2 * (at % 9));
  const hover = await measure(move);
  await move(0);
  await page.mouse.down();
  const stroke = await measure(move);
  await page.mouse.up();
  await expect(explorer.chips).toHaveText([/\d+ cells blocked/]);
  await explorer.settle(120_000);
  const scroll = await measure((at) => page.mouse.wheel(0, at % 2 ? 200 : -150));
  await report(info, {
    "hovering the heatmap, work per move, ms": hover,
    "a stroke over 512 by 512 cells, work per move, ms": stroke,
    "scrolling the grid, work per move, ms": scroll,
    "512 tokens typed at once to their heatmap, ms": shown,
    "… to everything on the page, ms": read,
  });
});

/** The tasks of the page's main thread while something is done, in milliseconds of its own work. */
async function tasksOf(page: Page, act: () => Promise<void>): Promise<number[]> {
  const client = await page.context().newCDPSession(page);
  const complete = new Promise<string>((resolve) =>
    client.once("Tracing.tracingComplete", ({ stream = "" }) => resolve(stream)),
  );
  await client.send("Tracing.start", {
    transferMode: "ReturnAsStream",
    traceConfig: { includedCategories: ["toplevel", "disabled-by-default-devtools.timeline"] },
  });
  await act();
  await client.send("Tracing.end");
  const handle = await complete;
  let json = "";
  for (;;) {
    const { data, eof } = await client.send("IO.read", { handle });
    json += data;
    if (eof) break;
  }
  await client.detach();
  const { traceEvents } = JSON.parse(json) as { traceEvents: TraceEvent[] };
  const main = traceEvents.filter(
    ({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain",
  );
  const isOfMain = ({ pid, tid }: TraceEvent): boolean =>
    main.some((one) => one.pid === pid && one.tid === tid);
  return traceEvents
    .filter((one) => one.name.endsWith("RunTask") && isOfMain(one))
    .map(({ dur = 0, tdur = dur }) => tdur / 1000);
}

/**
 * Waits for the answer to a key. It looks at one attribute: a search by role and name, which asks
 * for the whole page, would be the longest task itself.
 */
async function answered(page: Page): Promise<void> {
  await page.waitForTimeout(REST_MILLIS);
  await page.waitForFunction(
    () =>
      document
        .querySelector("headscope-explorer")
        ?.shadowRoot?.querySelector(".parts")
        ?.getAttribute("aria-busy") === "false",
    undefined,
    { polling: 100, timeout: 120_000 },
  );
}

/** What is read of an event of a trace. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds, of the clock and of the thread's own work. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

test("figures: the longest tasks at 256 tokens and 144 heads, for a letter, a move of the pointer and another head", async ({
  explorer,
  page,
}, info) => {
  test.setTimeout(300_000);
  await explorer.open("text=The+dog.");
  await explorer.folder.setInputFiles(randomModel(undefined, test.info().outputPath()));
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  // 254 tokens between the two special ones.
  await explorer.type("the man and the dog ".repeat(50) + "the man and the");
  await expect(explorer.figure).toHaveAccessibleName(/256 queries by 256 keys/);
  await explorer.settle(120_000);
  const longest = async (act: () => Promise<void>): Promise<number> =>
    Math.max(...(await tasksOf(page, act)));
  const [letters, moves, heads]: [number[], number[], number[]] = [[], [], []];
  await explorer.sentence.press("End");
  for (const key of " dog")
    letters.push(
      await longest(async () => {
        await page.keyboard.press(key);
        await answered(page);
      }),
    );
  await explorer.figure.evaluate((stage) => stage.scrollIntoView({ block: "start" }));
  const { x, y, width, height } = await boxOf(explorer.figure);
  for (let move = 0; move < 12; move += 1)
    moves.push(
      await longest(async () => {
        await page.mouse.move(x + width * 0.4 + 6 * move, y + height * 0.4 + 4 * move);
        await page.waitForTimeout(100);
      }),
    );
  await page.mouse.move(0, 0);
  for (let head = 2; head <= 6; head += 1) {
    await explorer.head(3, head).focus();
    await page.waitForTimeout(100);
    heads.push(
      await longest(async () => {
        await page.keyboard.press("Enter");
        await answered(page);
      }),
    );
  }
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 6");
  expect(Math.min(...letters, ...moves, ...heads)).toBeGreaterThan(0);
  await report(info, {
    "longest task for a letter, 256 tokens × 144 heads, ms": letters,
    "longest task for a move of the pointer, ms": moves,
    "longest task for another head, ms": heads,
  });
});
