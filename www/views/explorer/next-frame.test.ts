// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { NextFrame } from "./next-frame.js";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
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
});
