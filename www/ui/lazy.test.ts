// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { effect } from "../signals.js";
import { isAnyComing, Later } from "./lazy.js";

let arrive: (part: string) => void;
let fail: (reason: unknown) => void;
const fetch = vi.fn(
  () => new Promise<string>((resolve, reject) => ([arrive, fail] = [resolve, reject])),
);

it("a part of the page is fetched when it is first wanted, once, and tells of its way", async () => {
  const later = new Later(fetch);
  const seen: boolean[] = [];
  const stop = effect(() => void seen.push(isAnyComing()));
  expect([later.want(), later.want(), isAnyComing()]).toEqual([null, null, true]);
  arrive("lines");
  await later.come();
  expect([later.want(), isAnyComing()]).toEqual(["lines", false]);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(seen).toEqual([false, true, false]);
  stop();
});

it("a part that failed is not asked for again with every update, only when a person asks", async () => {
  fetch.mockClear();
  const later = new Later(fetch);
  later.want();
  fail(new TypeError("Failed to fetch dynamically imported module"));
  await later.come();
  expect([later.want(), later.want()]).toEqual([null, null]);
  expect(fetch).toHaveBeenCalledTimes(1);
  const got = "Failed to fetch dynamically imported module";
  expect(later.failure).toMatchObject({ code: "page/part", got });
  const again = later.come();
  expect([fetch.mock.calls.length, later.failure]).toEqual([2, null]);
  arrive("lines");
  await again;
  expect(later.want()).toBe("lines");
});

it("a part that does not come within a minute counts as failed", async () => {
  vi.useFakeTimers();
  const later = new Later(fetch);
  later.want();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(later.failure).toMatchObject({ code: "page/part", got: "no answer within 60 seconds" });
});
