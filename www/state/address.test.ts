// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bindAddress } from "./address.js";
import type { Decoded } from "./hash.js";
import { DEFAULT_STATE } from "./state.js";
import { Store } from "./store.js";

let end: () => void = () => undefined;

function bind(hash: string): { store: Store; read: Decoded[] } {
  window.location.hash = hash;
  const store = new Store();
  const read: Decoded[] = [];
  end = bindAddress(store, (decoded) => {
    read.push(decoded);
    return decoded.state;
  });
  return { store, read };
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

  it("is written once for a burst of keystrokes, with the last of them", () => {
    const { store } = bind("#v=1&text=");
    const write = vi.spyOn(window.history, "replaceState");
    for (const text of ["a", "ab", "abc"]) store.update({ text });
    expect(write).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(write.mock.calls.map(([, , url]) => url)).toEqual(["#v=1&text=abc"]);
  });

  it("loses nothing when the page is left in the middle of a burst", () => {
    const { store } = bind("#v=1&text=");
    const write = vi.spyOn(window.history, "replaceState");
    store.update({ text: "typed just now" });
    window.dispatchEvent(new Event("pagehide"));
    expect(write).toHaveBeenCalledWith("headscope", "", "#v=1&text=typed+just+now");
  });

  it("keeps each step of the tour as an entry of its own, and what was typed on the way in the entry before", () => {
    const { store } = bind("#v=1&text=");
    const push = vi.spyOn(window.history, "pushState");
    const write = vi.spyOn(window.history, "replaceState");
    store.update({ text: "typed" });
    store.step({ text: "shown", tour: "row" });
    vi.runAllTimers();
    expect([write, push].map(({ mock }) => mock.calls.map(([, , url]) => url))).toEqual([["#v=1&text=typed"], ["#v=1&model=models/en-fr&text=shown&tour=1"]]);
    store.step({ tour: null });
    expect(push).toHaveBeenLastCalledWith("headscope", "", "#v=1&text=shown");
  });

  it("goes back to a step without going back to how the page looked then", () => {
    const { store } = bind("#v=1&tour=1");
    const push = vi.spyOn(window.history, "pushState");
    store.update({ theme: "dark", language: "zh-CN" });
    vi.spyOn(window.history, "state", "get").mockReturnValue("headscope");
    window.location.hash = "#v=1&model=models/en-fr&text=before&tour=2";
    window.dispatchEvent(new Event("hashchange"));
    const { text, tour, theme, language } = store.state;
    expect([text, tour, theme, language]).toEqual(["before", "match", "dark", "zh-CN"]);
    expect(push).not.toHaveBeenCalled();
  });

  it("shows what the reader of an address makes of it", () => {
    window.location.hash = "#v=1&tour=2";
    const store = new Store();
    end = bindAddress(store, ({ state }) => ({ ...state, text: "what the step shows" }));
    expect(store.state).toEqual({ ...DEFAULT_STATE, tour: "match", text: "what the step shows" });
  });

  it("is followed when another link is pasted, and left alone once the binding ends", () => {
    const { store } = bind("#v=1&text=one");
    window.location.hash = "#v=1&text=two";
    window.dispatchEvent(new Event("hashchange"));
    expect(store.state.text).toBe("two");
    end();
    window.location.hash = "#v=1&text=three";
    window.dispatchEvent(new Event("hashchange"));
    expect(store.state.text).toBe("two");
  });
});
