// @vitest-environment happy-dom
// The walk of the crosshair over the first row on a first visit: it begins with the first computed
// picture, passes every key once, and ends where the user does anything.
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from "vitest";
import type { Session } from "../session/session.js";
import { answered, newSession } from "../session/testing/session.js";
import { walkFirstRow } from "./first-walk.js";

let session: Session;
let pointed: MockInstance<Session["pointing"]["pointAt"]>;
let isStill = false;

beforeEach(() => {
  isStill = false;
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: isStill && query === "(prefers-reduced-motion: reduce)",
  }));
  session = newSession({ text: "one two three" });
  pointed = vi.spyOn(session.pointing, "pointAt");
});

const cells = (): unknown[] => pointed.mock.calls.flat();
const use = (type: string): boolean => window.dispatchEvent(new Event(type));

/** Waits for the picture, walks over it, and stops the clock. */
async function walk(): Promise<number> {
  await vi.waitFor(() => expect(session.displayed).not.toBeNull(), { timeout: 10_000 });
  await answered(session);
  vi.useFakeTimers();
  walkFirstRow(session);
  await vi.advanceTimersByTimeAsync(0);
  return session.displayed?.keys.length ?? 0;
}

afterEach(() => vi.useRealTimers());

it("passes each key of the first row once, and then rests", async () => {
  const keys = await walk();
  expect(keys).toBeGreaterThan(2);
  expect(cells()).toEqual([{ query: 0, key: 0 }]);
  await vi.runAllTimersAsync();
  const row = Array.from({ length: keys }, (_, key) => ({ query: 0, key }));
  expect(cells()).toEqual([...row, null]);
  use("keydown");
  expect(cells()).toHaveLength(keys + 1);
});

it.each(["pointermove", "pointerdown", "wheel", "keydown"])("ends at %s", async (type) => {
  await walk();
  use(type);
  use(type);
  await vi.runAllTimersAsync();
  expect(cells()).toEqual([{ query: 0, key: 0 }, null]);
});

it("waits for the picture, and does not begin after a use", async () => {
  walkFirstRow(session);
  expect(cells()).toEqual([]);
  use("pointerdown");
  await answered(session);
  expect(cells()).toEqual([null]);
});

it("is left out where motion is unwelcome", async () => {
  isStill = true;
  await walk();
  await vi.runAllTimersAsync();
  expect(cells()).toEqual([]);
});
