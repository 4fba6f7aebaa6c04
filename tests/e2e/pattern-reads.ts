import type { Page } from "@playwright/test";
import type { Message } from "../../www/engine/protocol.js";

/** How a page's threads read patterns: whole, and of those what is no weights, by rows, or as pictures. */
export interface PatternReads {
  whole: number;
  scores: number;
  rows: number;
  painted: number;
}

declare global {
  interface Window {
    patternReads?: PatternReads;
  }
}

/** Counts from now on what the page asks its threads for. */
export async function countReads(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const reads = { whole: 0, scores: 0, rows: 0, painted: 0 };
    window.patternReads = reads;
    const post = Object.getOwnPropertyDescriptor(Worker.prototype, "postMessage")
      ?.value as Worker["postMessage"];
    Worker.prototype.postMessage = function (this: Worker, message: Message, ...more: []) {
      const call = message.kind === "call" ? message.call : null;
      const asked =
        call?.kind === "read" ? [call.read] : call?.kind === "begin" ? (call.foreseen ?? []) : [];
      for (const read of asked) {
        if (read.what === "painted") reads.painted += 1;
        if (read.what !== "attention") continue;
        reads[read.rows === null ? "whole" : "rows"] += 1;
        if (read.rows === null && read.stage !== "weights") reads.scores += 1;
      }
      post.call(this, message, ...more);
    };
  });
}

/** Forgets what was counted, and says what is from here on. */
export async function readsFromHere(page: Page): Promise<() => Promise<PatternReads>> {
  const now = (): Promise<PatternReads> =>
    page.evaluate(() => ({ whole: 0, scores: 0, rows: 0, painted: 0, ...window.patternReads }));
  const before = await now();
  return async () => {
    const { whole, scores, rows, painted } = await now();
    return {
      whole: whole - before.whole,
      scores: scores - before.scores,
      rows: rows - before.rows,
      painted: painted - before.painted,
    };
  };
}
