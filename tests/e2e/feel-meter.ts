import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Page } from "@playwright/test";

const SERVICE_WORKER = "service-worker.js";

/** What is measured over and over, in milliseconds. */
export interface Spread {
  times: number;
  median: number;
  p95: number;
  most: number;
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN);
  return { times: sorted.length, median: at(0.5), p95: at(0.95), most: at(1) };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** From a keystroke to the frames that show its answers; null for what a newer keystroke overtook. */
export interface Keystroke {
  /** Until the browser began with the frame that shows the source's patterns, by the browser's own count. */
  frame: number | null;
  /** Until that frame was made: all that is left then is to put it on the screen. */
  source: number | null;
  /** From there until the frame with the first word was made, which may be the same. */
  firstWord: number | null;
}

/** What the meter needs of the page's parts, which are Lit elements. */
interface Parts extends HTMLElement {
  addController(controller: { hostUpdated(): void }): void;
  looked?: { figures: { run: { targetTokens: readonly { id: number }[] } } } | null;
  result?: { tokens: readonly { id: number; special: boolean }[] };
}

declare global {
  interface Window {
    feel: { keystrokes: Keystroke[]; longTasks: number[] };
  }
}

/**
 * Watches from now on what the page shows after each keystroke; and every task that holds it up. It asks for no frame
 * but those that show something new: one asked for all the time has the browser hold the next back until its turn.
 */
export function watchTyping(page: Page): Promise<void> {
  return page.evaluate(() => {
    const root = document.querySelector("headscope-explorer")?.shadowRoot;
    const picture = root?.querySelector<Parts>("headscope-picture-panel");
    const sentence = root?.querySelector<Parts>("headscope-sentence-bar");
    if (!root || !picture || !sentence) throw new Error("there is no explorer");
    const feel: Window["feel"] = { keystrokes: [], longTasks: [] };
    window.feel = feel;
    new PerformanceObserver((list) =>
      feel.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
    // What is posted from a frame arrives when its work is done.
    const { port1, port2 } = new MessageChannel();
    const made: (() => void)[] = [];
    port1.onmessage = () => {
      for (const hear of made.splice(0)) hear();
    };
    const whenMade = (hear: () => void): void => {
      made.push(hear);
      port2.postMessage(null);
    };
    let follow: () => void = () => undefined;
    const begin = (pressed: number, before: object | null, entry: Keystroke): void => {
      // Until the translation is written anew, the page shows that of the text before, which may itself still grow.
      let old = sentence.result?.tokens;
      const frame = (now: number): void => {
        const run = picture.looked?.figures.run ?? null;
        const tokens = sentence.result?.tokens;
        if (entry.frame === null) {
          entry.frame = now - pressed;
          whenMade(() => (entry.source = performance.now() - pressed));
        }
        const own =
          tokens !== undefined &&
          tokens !== old &&
          tokens.every(({ id }, at) => id === run?.targetTokens[at]?.id);
        if (entry.firstWord !== null || !own || !tokens.some(({ special }) => !special)) return;
        // Until it is made it counts as not there.
        whenMade(() => (entry.firstWord ??= performance.now() - pressed - (entry.source ?? NaN)));
      };
      follow = () => {
        const run = picture.looked?.figures.run ?? null;
        if (run === null || run === before) old = sentence.result?.tokens;
        // What is in the page by now is what the next frame is the first to show; a newer keystroke is what is waited for.
        else if (entry.firstWord === null)
          requestAnimationFrame((now) => feel.keystrokes.at(-1) === entry && frame(now));
      };
    };
    for (const part of [picture, sentence]) part.addController({ hostUpdated: () => follow() });
    root.addEventListener(
      "input",
      (event) => {
        const entry: Keystroke = { frame: null, source: null, firstWord: null };
        feel.keystrokes.push(entry);
        begin(event.timeStamp, picture.looked?.figures.run ?? null, entry);
      },
      true,
    );
  });
}

/** Frames that are measured together: asking after each would itself be work. */
const BATCH = 5;

/**
 * What the main thread does for a frame, in milliseconds of its own time: scripts, style, layout and paint. While other
 * programs hold the processor that clock stands still. A sample is the mean of a few frames.
 */
export async function workPerFrame(
  page: Page,
  what: "hover" | "scroll",
  batches: number,
): Promise<number[]> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async (): Promise<number> => {
    const { metrics } = await client.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN) * 1000;
  };
  const samples: number[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const before = await worked();
    await act(page, what, { from: batch * BATCH, to: (batch + 1) * BATCH, all: batches * BATCH });
    samples.push(((await worked()) - before) / BATCH);
  }
  await client.detach();
  return samples;
}

/** Moves the pointer, or the page, a little further in each frame. */
function act(
  page: Page,
  what: "hover" | "scroll",
  frames: { from: number; to: number; all: number },
): Promise<void> {
  return page.evaluate(
    async ({ what, from, to, all }) => {
      const root = document.querySelector("headscope-explorer")?.shadowRoot;
      const stage = root
        ?.querySelector("headscope-picture-panel")
        ?.shadowRoot?.querySelector("headscope-heatmap")
        ?.shadowRoot?.querySelector(".stage");
      if (!stage) throw new Error("there is no heatmap");
      const box = stage.getBoundingClientRect();
      const furthest = document.documentElement.scrollHeight - window.innerHeight;
      for (let turn = from; turn < to; turn += 1) {
        await new Promise(requestAnimationFrame);
        const along = turn / all;
        if (what === "scroll") {
          window.scrollTo(0, furthest * Math.abs(Math.sin(3 * along)));
          continue;
        }
        const clientX = box.x + box.width * (0.25 + 0.5 * along);
        const clientY = box.y + box.height * (0.25 + 0.5 * Math.abs(Math.sin(9 * along)));
        stage.dispatchEvent(
          new PointerEvent("pointermove", {
            clientX,
            clientY,
            bubbles: true,
            composed: true,
            pointerType: "mouse",
          }),
        );
      }
      // The last frame, too, is made before this is over.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    },
    { what, ...frames },
  );
}

/** Kilobytes, as a server that compresses with brotli sends a file of the site. */
function brotliSize(site: string, path: string): number {
  return (
    brotliCompressSync(readFileSync(join(site, path)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    }).length / 1000
  );
}

/** The most kilobytes of script that a first visit may fetch, in any language. */
export const MOST_SCRIPTS = 150;

/** Kilobytes of the scripts that a page fetched, given by their addresses, with the service worker. */
export function fetchedScripts(site: string, fetched: Iterable<string>): number {
  const scripts = new Set(
    [...fetched].map((address) => new URL(address).pathname).filter((path) => path.endsWith(".js")),
  );
  return rounded(
    [...scripts, SERVICE_WORKER].reduce((sum, path) => sum + brotliSize(site, path), 0),
  );
}
