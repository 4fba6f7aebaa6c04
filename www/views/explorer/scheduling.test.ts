// @vitest-environment happy-dom
import { noChange } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NextFrame, Steady, Turns } from "./scheduling.js";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** What is shown in each turn now, null for what stays as it is. */
const shown = (turns: Turns): (string | null)[] =>
  ["picture", "text", "rest"].map((what, turn) => {
    const now = turns.at(turn, () => what);
    return now === noChange ? null : what;
  });

describe("turns", () => {
  it("shows all at once while there is no new picture", () => {
    const turns = new Turns(2, () => undefined);
    expect(shown(turns)).toEqual(["picture", "text", "rest"]);
    expect(turns.pending).toBe(false);
  });

  it("gives each a frame of its own, says so, and is over after the last", async () => {
    const said: (string | null)[][] = [];
    const turns = new Turns(2, () => said.push(shown(turns)));
    turns.begin();
    expect(shown(turns)).toEqual(["picture", null, null]);
    expect([turns.pending, turns.isBefore(1), turns.isBefore(0)]).toEqual([true, true, false]);
    await vi.waitFor(() => expect(turns.pending).toBe(false));
    expect(said).toEqual([
      ["picture", "text", null],
      ["picture", "text", "rest"],
    ]);
  });

  it("calls after the frame that shows the picture, not before it", async () => {
    const order: string[] = [];
    const turns = new Turns(1, () => order.push("turn"));
    turns.begin();
    requestAnimationFrame(() => order.push("frame"));
    await vi.waitFor(() => expect(order).toContain("turn"));
    expect(order).toEqual(["frame", "turn"]);
  });

  it("comes to the last turn however many pictures come meanwhile", () => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame"],
    });
    const said: (string | null)[][] = [];
    const turns = new Turns(2, () => said.push(shown(turns)));
    for (let picture = 0; picture < 20; picture += 1) {
      turns.begin();
      vi.advanceTimersByTime(10);
    }
    expect(said.filter((now) => now[2] === "rest").length).toBeGreaterThan(2);
  });

  it("goes on in a page that nobody sees, too", () => {
    vi.useFakeTimers();
    vi.stubGlobal("requestAnimationFrame", () => 1);
    const changed = vi.fn();
    const turns = new Turns(2, changed);
    turns.begin();
    vi.runAllTimers();
    expect(changed).toHaveBeenCalledTimes(2);
    expect(turns.pending).toBe(false);
  });

  it("lets all have their turn at once when it is ended, and none comes later", () => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame"],
    });
    const changed = vi.fn();
    const turns = new Turns(2, changed);
    turns.begin();
    turns.end();
    expect(shown(turns)).toEqual(["picture", "text", "rest"]);
    expect([turns.pending, turns.isBefore(1)]).toEqual([false, false]);
    vi.runAllTimers();
    expect(changed).not.toHaveBeenCalled();
    turns.begin();
    turns.end();
    turns.begin();
    expect(shown(turns)).toEqual(["picture", null, null]);
    vi.runAllTimers();
    expect(changed).toHaveBeenCalledTimes(2);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("before the next frame", () => {
  it("calls back once, however often it was asked to, and again when it is asked again", async () => {
    const call = vi.fn();
    const next = new NextFrame(call);
    for (let piece = 0; piece < 20; piece += 1) next.ask();
    expect(call).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1));
    next.ask();
    await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
  });

  it("keeps its pace, but makes nobody wait who comes after a while", () => {
    vi.useFakeTimers({
      toFake: [
        "setTimeout",
        "clearTimeout",
        "performance",
        "requestAnimationFrame",
        "cancelAnimationFrame",
      ],
    });
    const called: number[] = [];
    const next = new NextFrame(() => called.push(performance.now()), 50);
    const began = performance.now();
    for (let piece = 0; piece < 40; piece += 1) {
      next.ask();
      vi.advanceTimersByTime(5);
    }
    const waits = called.map((at, index) => at - (called[index - 1] ?? began));
    expect(waits[0]).toBeLessThan(20);
    expect(waits.length).toBeGreaterThan(2);
    for (const wait of waits.slice(1)) expect(wait).toBeGreaterThanOrEqual(50);
    vi.advanceTimersByTime(500);
    const later = performance.now();
    next.ask();
    vi.advanceTimersByTime(20);
    expect((called.at(-1) ?? 0) - later).toBeLessThan(20);
  });

  it("does so in a page that nobody sees, too", () => {
    vi.useFakeTimers();
    vi.stubGlobal("requestAnimationFrame", () => 1);
    const call = vi.fn();
    const next = new NextFrame(call);
    next.ask();
    next.ask();
    vi.runAllTimers();
    expect(call).toHaveBeenCalledTimes(1);
  });

  it("asks no more for what has come by other ways", () => {
    vi.useFakeTimers();
    const call = vi.fn();
    const next = new NextFrame(call);
    next.ask();
    next.settle();
    vi.runAllTimers();
    expect(call).not.toHaveBeenCalled();
    next.ask();
    vi.runAllTimers();
    expect(call).toHaveBeenCalledTimes(1);
  });
});

describe("what follows the pointer", () => {
  const call = vi.fn();

  beforeEach(() => {
    vi.useFakeTimers();
    call.mockClear();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("is called at once, and once more for all that was asked in a while", () => {
    const steady = new Steady(call);
    steady.ask();
    expect(call).toHaveBeenCalledTimes(1);
    for (let move = 0; move < 4; move += 1) {
      vi.advanceTimersByTime(10);
      steady.ask();
    }
    expect(call).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(8);
    expect(call).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(call).toHaveBeenCalledTimes(2);
    steady.ask();
    expect(call).toHaveBeenCalledTimes(3);
  });

  it("does not wait where it must not, and does not come again for that", () => {
    const steady = new Steady(call);
    steady.ask();
    steady.ask();
    steady.now();
    expect(call).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(call).toHaveBeenCalledTimes(2);
  });
});
