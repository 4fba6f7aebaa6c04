import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Steady } from "./steady.js";

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
