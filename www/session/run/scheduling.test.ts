// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { effect } from "../../signals.js";
import { Frames, Growth, Steady, Turns } from "./scheduling.js";

beforeEach(() => {
  vi.useFakeTimers({
    toFake: [
      ...(["setTimeout", "clearTimeout", "performance"] as const),
      ...(["requestAnimationFrame", "cancelAnimationFrame"] as const),
    ],
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("turns", () => {
  let turns: Turns;
  /** How many of the picture, the texts and the rest show what there is, with each change. */
  let seen: number[];

  beforeEach(() => {
    turns = new Turns();
    seen = [];
    effect(() => void seen.push([0, 1, 2].filter((turn) => !turns.isBefore(turn)).length));
  });

  it("show the picture, then the texts, then the rest, and all at once while there is no new picture", () => {
    turns.begin();
    vi.advanceTimersByTime(200);
    expect([seen, turns.pending]).toEqual([[3, 1, 2, 3], false]);
  });

  it("wait for a picture that is about to come, for a frame at most", () => {
    turns.hold();
    turns.begin();
    vi.advanceTimersByTime(200);
    turns.hold();
    vi.advanceTimersByTime(20);
    expect(seen).toEqual([3, 0, 1, 2, 3, 0, 2]);
    vi.advanceTimersByTime(20);
    expect(seen.at(-1)).toBe(3);
  });

  it("show all of a short text at once when its numbers are there, or without them after a while", () => {
    let isRead = false;
    const whole = new Turns(() => isRead);
    const rendered: boolean[] = [];
    effect(() => void rendered.push(!whole.isBefore(2)));
    whole.hold(true);
    whole.begin(true);
    vi.advanceTimersByTime(17);
    expect([rendered, whole.holdsAll]).toEqual([[true, false], true]);
    isRead = true;
    vi.advanceTimersByTime(17);
    expect([rendered, whole.pending]).toEqual([[true, false, true], false]);
    isRead = false;
    whole.hold(true);
    vi.advanceTimersByTime(40);
    expect(whole.isBefore(0)).toBe(true);
    vi.advanceTimersByTime(40);
    expect([whole.isBefore(1), whole.isBefore(2)]).toEqual([false, true]);
    vi.advanceTimersByTime(200);
    expect(whole.pending).toBe(false);
  });

  it("are waited for by an update that was requested before", async () => {
    const done: string[] = [];
    turns.begin();
    const rest = turns.reached(2).then(() => done.push("the rest"));
    const texts = turns.reached(1).then(() => done.push("the texts"));
    await turns.reached(0);
    expect(done).toEqual([]);
    vi.advanceTimersByTime(20);
    await texts;
    vi.advanceTimersByTime(40);
    await rest;
    expect(done).toEqual(["the texts", "the rest"]);
  });

  it("go on when another picture comes meanwhile, so that the rest is shown while a key is held", () => {
    turns.begin();
    for (let picture = 0; picture < 10; picture += 1) {
      vi.advanceTimersByTime(20);
      turns.begin();
    }
    expect(seen.slice(0, 5)).toEqual([3, 1, 2, 3, 1]);
  });

  it("are two where the texts are short enough to come with the picture", () => {
    turns.begin(true);
    vi.advanceTimersByTime(200);
    expect(seen).toEqual([3, 2, 3]);
  });

  it("let the rest wait until its numbers are read, but not for long", () => {
    let isRead = false;
    const waiting = new Turns(() => isRead);
    waiting.begin(true);
    vi.advanceTimersByTime(60);
    expect(waiting.pending).toBe(true);
    isRead = true;
    vi.advanceTimersByTime(40);
    expect(waiting.pending).toBe(false);
    isRead = false;
    waiting.begin(true);
    vi.advanceTimersByTime(200);
    expect(waiting.pending).toBe(false);
  });

  it("are over at once when a person does something, and none comes later", () => {
    turns.begin();
    turns.end();
    vi.advanceTimersByTime(200);
    expect(seen).toEqual([3, 1, 3]);
  });
});

describe("frames", () => {
  it("show what arrives in pieces together, and once, also in a hidden window", () => {
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
    const { publish } = new Frames(() => 50);
    const at: number[] = [];
    const began = performance.now();
    for (let piece = 0; piece < 40; piece += 1) {
      publish(() => at.push(performance.now() - began));
      vi.advanceTimersByTime(5);
    }
    const times = [...new Set(at)];
    expect(times[0]).toBeLessThan(20);
    expect(times.length).toBeGreaterThan(2);
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? NaN)).toBeGreaterThanOrEqual(50);
    vi.advanceTimersByTime(500);
    const later = vi.fn();
    publish(later);
    vi.advanceTimersByTime(20);
    expect(later).toHaveBeenCalled();
  });
});

it("a growing text rests four times as long as its picture takes", () => {
  const growth = new Growth();
  const at: number[] = [];
  for (let millis = 0; millis < 2000; millis += 5) {
    growth.publish(() => at.push(performance.now()));
    // The picture is there 40 ms after the text.
    if (at.length > 0 && performance.now() - (at.at(-1) ?? 0) >= 40) growth.pictured();
    vi.advanceTimersByTime(5);
  }
  const shown = [...new Set(at)];
  const pauses = shown.slice(2).map((time, index) => time - (shown[index + 1] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(160);
  expect(Math.max(...pauses)).toBeLessThan(260);
  // Another picture, long after, says nothing of the text.
  vi.advanceTimersByTime(5000);
  growth.pictured();
  const later = vi.fn();
  growth.publish(later);
  vi.advanceTimersByTime(20);
  expect(later).toHaveBeenCalled();
});

it("what follows the pointer is called at once, once more for all that was asked in a while, and now where it must not wait", () => {
  const call = vi.fn();
  const steady = new Steady(call);
  for (let move = 0; move < 5; move += 1) {
    steady.ask();
    vi.advanceTimersByTime(9);
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

it("the first word of another text waits for nothing, however much the last one cost", () => {
  const growth = new Growth();
  const at: number[] = [];
  const publish = (): void => growth.publish(() => at.push(performance.now()));
  publish();
  vi.advanceTimersByTime(100);
  growth.pictured();
  publish();
  vi.advanceTimersByTime(1000);
  growth.restart();
  // The picture of the other text, not of a word.
  growth.pictured();
  const began = performance.now();
  publish();
  vi.advanceTimersByTime(20);
  publish();
  vi.advanceTimersByTime(1000);
  const [first = NaN, second = NaN] = at.slice(2).map((time) => time - began);
  expect(first).toBeLessThanOrEqual(20);
  // Four times the 84 ms that the only word with a picture took.
  expect(second - first).toBeGreaterThan(300);
  expect(second - first).toBeLessThan(400);
});
