// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { effect } from "../../signals.js";
import { Frames, Steady, Turns } from "./scheduling.js";

const FRAMES = [
  "setTimeout",
  "clearTimeout",
  "performance",
  "requestAnimationFrame",
  "cancelAnimationFrame",
] as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FRAMES] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Which of the picture, the texts and the rest show what there is. */
const shown = (turns: Turns): boolean[] => [0, 1, 2].map((turn) => !turns.isBefore(turn));

function followed(): { turns: Turns; seen: boolean[][] } {
  const turns = new Turns(2);
  const seen: boolean[][] = [];
  effect(() => void seen.push(shown(turns)));
  return { turns, seen };
}

describe("turns", () => {
  it("show the picture, then the texts, then the rest, and all at once while there is no new picture", () => {
    const { turns, seen } = followed();
    turns.begin();
    vi.advanceTimersByTime(200);
    expect(seen).toEqual([
      [true, true, true],
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ]);
    expect(turns.pending).toBe(false);
  });

  it("come after the frame that shows the picture, not before it", () => {
    const order: string[] = [];
    const { turns } = followed();
    turns.begin();
    effect(() => {
      if (!turns.isBefore(1) && turns.isBefore(2)) order.push("texts");
    });
    requestAnimationFrame(() => order.push("frame"));
    vi.advanceTimersByTime(200);
    expect(order).toEqual(["frame", "texts"]);
  });

  it("wait for a picture that is about to come, for a frame at most", () => {
    const { turns, seen } = followed();
    turns.hold();
    expect(shown(turns)).toEqual([false, false, false]);
    turns.begin();
    expect(shown(turns)).toEqual([true, false, false]);
    vi.advanceTimersByTime(200);
    turns.hold();
    vi.advanceTimersByTime(20);
    expect(seen.at(-1)).toEqual([true, true, true]);
  });

  it("are over at once when a person does something, and none comes later", () => {
    const { turns, seen } = followed();
    turns.begin();
    turns.end();
    expect(shown(turns)).toEqual([true, true, true]);
    const { length } = seen;
    vi.advanceTimersByTime(200);
    expect(seen).toHaveLength(length);
  });
});

describe("frames", () => {
  it("show what arrives in pieces together, and once", () => {
    const { publish } = new Frames();
    const show = vi.fn();
    for (let piece = 0; piece < 3; piece += 1) publish(show);
    expect(show).not.toHaveBeenCalled();
    vi.advanceTimersByTime(20);
    expect(show).toHaveBeenCalledTimes(3);
    vi.stubGlobal("requestAnimationFrame", () => 1);
    publish(show);
    vi.advanceTimersByTime(300);
    expect(show).toHaveBeenCalledTimes(4);
  });

  it("keep their pace, but make nobody wait who comes after a while", () => {
    const { publish } = new Frames(50);
    const at: number[] = [];
    const began = performance.now();
    for (let piece = 0; piece < 40; piece += 1) {
      publish(() => at.push(performance.now()));
      vi.advanceTimersByTime(5);
    }
    const times = [...new Set(at)];
    const waits = times.map((time, index) => time - (times[index - 1] ?? began));
    expect(waits[0]).toBeLessThan(20);
    expect(waits.length).toBeGreaterThan(2);
    for (const wait of waits.slice(1)) expect(wait).toBeGreaterThanOrEqual(50);
    vi.advanceTimersByTime(500);
    const later = performance.now();
    publish(() => at.push(performance.now()));
    vi.advanceTimersByTime(20);
    expect((at.at(-1) ?? 0) - later).toBeLessThan(20);
  });
});

describe("what follows the pointer", () => {
  it("is called at once, once more for all that was asked in a while, and now where it must not wait", () => {
    const call = vi.fn();
    const steady = new Steady(call);
    steady.ask();
    for (let move = 0; move < 4; move += 1) {
      vi.advanceTimersByTime(10);
      steady.ask();
    }
    expect(call).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1000);
    expect(call).toHaveBeenCalledTimes(2);
    steady.ask();
    steady.ask();
    steady.now();
    vi.advanceTimersByTime(1000);
    expect(call).toHaveBeenCalledTimes(4);
  });
});
