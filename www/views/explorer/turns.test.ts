// @vitest-environment happy-dom
import { noChange } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Turns } from "./turns.js";

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
