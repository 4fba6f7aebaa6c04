// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bindAddress } from "./address.js";
import type { Decoded } from "./hash.js";
import { DEFAULT_STATE } from "./state.js";
import { Store } from "./store.js";

let end: () => void = () => undefined;

function bind(hash: string): { store: Store; read: Decoded[]; wholes: boolean[] } {
  window.location.hash = hash;
  const store = new Store();
  const read: Decoded[] = [];
  const wholes: boolean[] = [];
  end = bindAddress(store, { read: (decoded) => read.push(decoded), written: (whole) => wholes.push(whole) });
  return { store, read, wholes };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  end();
  vi.useRealTimers();
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
    expect(write).toHaveBeenCalledWith(null, "", "#v=1&text=typed+just+now");
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
    end = bindAddress(again, { read: () => undefined, written: (whole) => wholes.push(whole) });
    expect([again.state.text, again.state.layer]).toEqual([long, 2]);
    again.update({ text: "short again" });
    vi.runAllTimers();
    expect(wholes).toEqual([true, false, false, true]);
    expect([window.location.hash, window.history.state]).toEqual(["#v=1&text=short+again&layer=3", null]);
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
