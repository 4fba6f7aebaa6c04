// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bindAddress } from "./address.js";
import type { Decoded } from "./link.js";
import { DEFAULT_STATE, type State } from "./index.js";
import { Store } from "./store.js";

/** An entry of the browser's history as it is met: a link that was followed has nothing beside its address. */
function visit(hash: string, entry: unknown = null): void {
  window.history.replaceState(entry, "", hash);
}

let end: () => void = () => undefined;

function bind(hash: string): { store: Store; read: Decoded[]; wholes: boolean[] } {
  visit(hash);
  const store = new Store();
  const read: Decoded[] = [];
  const wholes: boolean[] = [];
  end = bindAddress(store, { read: tell(read), written: (whole) => wholes.push(whole) });
  return { store, read, wholes };
}

/** Shows what an address says, as it says it. */
function tell(read: Decoded[]): (decoded: Decoded) => State {
  return (decoded) => {
    read.push(decoded);
    return decoded.state;
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  end();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the page's address", () => {
  it("is read when the page opens, and what could not be read is told", () => {
    const { store, read } = bind("#v=1&text=Hello&layer=x");
    expect(store.state).toEqual({ ...DEFAULT_STATE, text: "Hello" });
    expect(read.map(({ unread }) => unread)).toEqual([["layer"]]);
  });

  it("is told apart from one that the page wrote itself, to which a reload and going back lead", () => {
    const events: boolean[] = [];
    const bound = (store: Store): (() => void) =>
      bindAddress(store, {
        read: ({ state }, own) => (events.push(own), state),
        written: () => undefined,
      });
    visit("#v=1&layer=9");
    const store = new Store();
    const leave = bound(store);
    store.update({ head: 3 });
    leave();
    end = bound(new Store());
    expect(events).toEqual([false, true]);
    visit("#v=1&layer=8");
    window.dispatchEvent(new PopStateEvent("popstate"));
    visit("#v=1&layer=7", { own: true });
    window.dispatchEvent(new PopStateEvent("popstate"));
    expect(events.slice(2)).toEqual([false, true]);
  });

  it("is written a moment after the first of a burst of keystrokes, with the last until then", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    const write = vi.spyOn(window.history, "replaceState");
    for (const text of ["a", "ab", "abc"]) store.update({ text });
    expect(write).not.toHaveBeenCalled();
    vi.advanceTimersByTime(250);
    expect(write.mock.calls.map(([, , url]) => url)).toEqual(["#v=1&text=abc"]);
  });

  it("changes four times a second at most, however long somebody types", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    const write = vi.spyOn(window.history, "replaceState");
    for (let key = 1; key <= 50; key += 1) {
      store.update({ text: "a".repeat(key) });
      vi.advanceTimersByTime(100);
    }
    vi.runAllTimers();
    expect(write.mock.calls.length).toBeLessThanOrEqual(21);
    expect(window.location.hash).toBe(`#v=1&text=${"a".repeat(50)}`);
  });

  it("has a single change before anything else can run, so that a reload keeps it", () => {
    const { store } = bind("#v=1&text=Hello");
    vi.runAllTimers();
    store.update({ theme: "dark" });
    expect(window.location.hash).toBe("#v=1&text=Hello&theme=dark");
  });

  it("loses nothing when the page is left in the middle of a burst", () => {
    const { store } = bind("#v=1&text=");
    const write = vi.spyOn(window.history, "replaceState");
    store.update({ text: "typed" });
    store.update({ text: "typed just now" });
    window.dispatchEvent(new Event("pagehide"));
    expect(write).toHaveBeenCalledWith({ own: true }, "", "#v=1&text=typed+just+now");
  });

  it("comes back from a reload as it was left, which began before the last letters were written", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    store.update({ text: "typed" });
    window.dispatchEvent(new Event("pagehide"));
    end();
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: "reload" } as never]);
    expect(bind("#v=1&text=").store.state.text).toBe("typed");
    expect(window.location.hash).toBe("#v=1&text=typed");
    end();
    // Once: the next reload shows what the address says, and so does another link.
    expect(bind("#v=1&text=").store.state.text).toBe("");
  });

  it("comes back from a reload as it was left, of whose last address the browser did not know yet", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    store.update({ text: "typed" });
    vi.advanceTimersByTime(300);
    store.update({ text: "typed, and more" });
    vi.advanceTimersByTime(300);
    expect(window.location.hash).toBe("#v=1&text=typed,+and+more");
    window.dispatchEvent(new Event("pagehide"));
    end();
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: "reload" } as never]);
    expect(bind("#v=1&text=").store.state.text).toBe("typed, and more");
  });

  it("leaves nothing beside an address that the browser has long known", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    store.update({ text: "typed" });
    vi.advanceTimersByTime(10_000);
    const left = vi.spyOn(Storage.prototype, "setItem");
    window.dispatchEvent(new Event("pagehide"));
    expect(left).not.toHaveBeenCalled();
  });

  it("forgets what it left before it came back from the browser's cache, once the address has all", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    store.update({ text: "typed" });
    window.dispatchEvent(new Event("pagehide"));
    vi.advanceTimersByTime(10_000);
    // It was shown again from the cache, and is left once more.
    window.dispatchEvent(new Event("pagehide"));
    end();
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: "reload" } as never]);
    expect(bind("#v=1&text=").store.state.text).toBe("");
  });

  it("does not take what was left for what a link says that is followed", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    store.update({ text: "typed" });
    window.dispatchEvent(new Event("pagehide"));
    end();
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([]);
    expect(bind("#v=1&text=").store.state.text).toBe("");
  });

  it("keeps each step of the tour as an entry of its own, and what was typed on the way in the entry before", () => {
    const { store } = bind("#v=1&text=");
    const push = vi.spyOn(window.history, "pushState");
    const write = vi.spyOn(window.history, "replaceState");
    store.update({ text: "typ" });
    store.update({ text: "typed" });
    store.step({ text: "shown", tour: "row" });
    vi.runAllTimers();
    expect([write, push].map(({ mock }) => mock.calls.map(([, , url]) => url))).toEqual([
      ["#v=1&text=typed"],
      ["#v=1&model=models/en-fr&text=shown&tour=1"],
    ]);
    store.step({ tour: null });
    expect(push).toHaveBeenLastCalledWith({ own: true }, "", "#v=1&text=shown");
  });

  it("goes back to a step without going back to how the page looked then", () => {
    const { store } = bind("#v=1&tour=1");
    const push = vi.spyOn(window.history, "pushState");
    store.update({ theme: "dark", language: "zh-CN", colours: "viridis" });
    visit("#v=1&model=models/en-fr&text=before&tour=2", { own: true });
    window.dispatchEvent(new Event("popstate"));
    const { text, tour, theme, language, colours } = store.state;
    expect([text, tour, theme, language, colours]).toEqual([
      "before",
      "match",
      "dark",
      "zh-CN",
      "viridis",
    ]);
    expect(push).not.toHaveBeenCalled();
  });

  it("keeps a State too long for a link whole in the entry that a step of the tour leaves", () => {
    const { store, wholes } = bind("#v=1");
    const push = vi.spyOn(window.history, "pushState");
    const write = vi.spyOn(window.history, "replaceState");
    const long = "word ".repeat(5000);
    store.update({ text: long });
    store.step({ text: "shown", tour: "row" });
    const [[left, , url] = []] = write.mock.calls;
    expect([url, wholes]).toEqual(["#v=1", [true, false, true]]);
    expect(push).toHaveBeenCalledWith(
      { own: true },
      "",
      "#v=1&model=models/en-fr&text=shown&tour=1",
    );
    visit("#v=1", left);
    window.dispatchEvent(new Event("popstate"));
    expect([store.state.text, store.state.tour, wholes.at(-1)]).toEqual([long, null, false]);
    visit("#v=1", { own: true, whole: `v=1&text=another+${"word+".repeat(5000)}` });
    window.dispatchEvent(new Event("popstate"));
    expect(store.state.text).toMatch(/^another/);
  });

  it("shows what the reader of an address makes of it", () => {
    visit("#v=1&tour=2");
    const store = new Store();
    end = bindAddress(store, {
      read: ({ state }) => ({ ...state, text: "what the step shows" }),
      written: () => undefined,
    });
    expect(store.state).toEqual({ ...DEFAULT_STATE, tour: "match", text: "what the step shows" });
  });

  it("of a State too long for a link carries a part, and the whole outlives a reload", () => {
    const { store, wholes } = bind("#v=1");
    const long = "word ".repeat(5000);
    store.update({ text: long, layer: 2 });
    vi.runAllTimers();
    expect(window.location.hash).toBe("#v=1&layer=3");
    expect(wholes).toEqual([true, false]);
    end();
    const again = new Store();
    end = bindAddress(again, { read: tell([]), written: (whole) => wholes.push(whole) });
    expect([again.state.text, again.state.layer]).toEqual([long, 2]);
    again.update({ text: "short again" });
    vi.runAllTimers();
    expect(wholes).toEqual([true, false, false, true]);
    expect([window.location.hash, window.history.state]).toEqual([
      "#v=1&text=short+again&layer=3",
      { own: true },
    ]);
  });

  it("is followed when another link is pasted, and left alone once the binding ends", () => {
    const { store } = bind("#v=1&text=one");
    window.location.hash = "#v=1&text=two";
    window.dispatchEvent(new Event("popstate"));
    expect(store.state.text).toBe("two");
    end();
    window.location.hash = "#v=1&text=three";
    window.dispatchEvent(new Event("popstate"));
    expect(store.state.text).toBe("two");
  });
});
