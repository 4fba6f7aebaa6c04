// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { effect } from "../signals.js";
import { isAnyComing, Later } from "./lazy.js";

/** A fetch that is answered by hand. */
function byHand(): {
  fetch: () => Promise<string>;
  asked: () => number;
  arrive: (part: string) => void;
  fail: (reason: unknown) => void;
} {
  let asked = 0;
  let now: { resolve: (part: string) => void; reject: (reason: unknown) => void } | undefined;
  return {
    fetch: () => {
      asked += 1;
      return new Promise((resolve, reject) => (now = { resolve, reject }));
    },
    asked: () => asked,
    arrive: (part) => now?.resolve(part),
    fail: (reason) => now?.reject(reason),
  };
}

describe("a part of the page that comes later", () => {
  it("is fetched when it is first wanted, once, and tells of its way", async () => {
    const { fetch, asked, arrive } = byHand();
    const later = new Later(fetch);
    const seen: boolean[] = [];
    const stop = effect(() => void seen.push(isAnyComing()));
    expect([later.want(), later.want(), asked(), isAnyComing()]).toEqual([null, null, 1, true]);
    arrive("lines");
    await later.come();
    expect([later.want(), asked(), isAnyComing()]).toEqual(["lines", 1, false]);
    expect(seen).toEqual([false, true, false]);
    stop();
  });

  it("that failed is not asked for again with every update, only when a person asks", async () => {
    const { fetch, asked, arrive, fail } = byHand();
    const later = new Later(fetch);
    later.want();
    fail(new TypeError("Failed to fetch dynamically imported module"));
    await later.come();
    expect([later.want(), later.want(), asked()]).toEqual([null, null, 1]);
    expect([later.failure?.code, later.failure?.got]).toEqual([
      "page/part",
      "Failed to fetch dynamically imported module",
    ]);
    const again = later.come();
    expect([asked(), later.failure]).toEqual([2, null]);
    arrive("lines");
    await again;
    expect(later.want()).toBe("lines");
  });

  it("that does not come within a minute counts as failed", async () => {
    vi.useFakeTimers();
    const later = new Later(byHand().fetch);
    later.want();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect([later.failure?.code, later.failure?.got]).toEqual([
      "page/part",
      "no answer within 60 seconds",
    ]);
  });
});
