// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { NextFrame } from "./next-frame.js";

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
