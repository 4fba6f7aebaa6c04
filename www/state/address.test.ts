// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bindAddress } from "./address.js";
import { entryOf } from "./history-entries.js";
import { DEFAULT_STATE, type State } from "./index.js";
import { Store } from "./store.js";

/** Visits a history entry of the browser; a followed link has no data in its entry. */
const visit = (hash: string, entry: unknown = null): void =>
  window.history.replaceState(entry, "", hash);
const goTo = (hash: string, entry: unknown = null): void => {
  visit(hash, entry);
  window.dispatchEvent(new PopStateEvent("popstate"));
};
const leave = (): boolean => window.dispatchEvent(new Event("pagehide"));
/** The addresses of new entries and of changed ones, from now on. */
function writes(): Record<"pushState" | "replaceState", () => unknown[]> {
  const urls = (name: "pushState" | "replaceState"): (() => unknown[]) => {
    const { mock } = vi.spyOn(window.history, name);
    return () => mock.calls.map(([, , url]) => url);
  };
  return { pushState: urls("pushState"), replaceState: urls("replaceState") };
}

interface Bound {
  store: Store;
  /**
   * For each address that was read: the unreadable parts, and whether the page wrote the address.
   */
  read: [unread: readonly string[], own: boolean][];
  /** For each address that was written: whether it has the whole State. */
  wholes: boolean[];
}
let end: () => void = () => undefined;

function bind(hash?: string, change: Partial<State> = {}): Bound {
  end();
  if (hash !== undefined) visit(hash);
  const bound: Bound = { store: new Store(), read: [], wholes: [] };
  end = bindAddress(bound.store, {
    read: ({ state, unread }, own) => {
      bound.read.push([unread, own]);
      return { ...state, ...change };
    },
    written: (whole) => bound.wholes.push(whole),
  });
  return bound;
}

/** Binds after a reload of the page at an address that lacks the last letters. */
function reload(hash: string): Bound {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: "reload" } as never]);
  return bind(hash);
}

function type(store: Store, ...texts: string[]): void {
  for (const text of texts) store.update({ text });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const LONG = "word ".repeat(5000);

describe("the page's address", () => {
  it("is read when the page opens, and distinguished from one that the page itself wrote", () => {
    const { store, read } = bind("#v=1&text=Hello&layer=x", { head: 2 });
    expect(store.state).toEqual({ ...DEFAULT_STATE, text: "Hello", head: 2 });
    goTo("#v=1&layer=8");
    goTo("#v=1&layer=7", { own: true });
    expect(read).toEqual([
      [["layer"], false],
      [[], false],
      [[], true],
    ]);
  });

  it("is written at most every 250 ms, with the last text", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    const { pushState, replaceState } = writes();
    type(store, "a", "ab", "abc");
    expect(pushState()).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(pushState()).toEqual(["#v=1&text=abc"]);
    for (let key = 1; key <= 50; key += 1) {
      type(store, "a".repeat(key));
      vi.advanceTimersByTime(100);
    }
    vi.runAllTimers();
    expect(pushState()).toHaveLength(1);
    expect(replaceState().length).toBeLessThanOrEqual(22);
    expect(window.location.hash).toBe(`#v=1&text=${"a".repeat(50)}`);
  });

  it("has a single change at once, and the last of a burst when the page is left", () => {
    const { store } = bind("#v=1&text=Hello");
    vi.runAllTimers();
    store.update({ theme: "dark" });
    expect(window.location.hash).toBe("#v=1&text=Hello&theme=dark");
    const { pushState } = writes();
    type(store, "typed", "typed just now");
    leave();
    expect(pushState()).toEqual(["#v=1&text=typed+just+now&theme=dark"]);
  });

  it("is restored by a reload that began before the last letters were written, once", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    type(store, "typed");
    leave();
    const again = reload("#v=1&text=");
    expect([again.store.state.text, again.read]).toEqual(["typed", [[[], true]]]);
    expect(window.location.hash).toBe("#v=1&text=typed");
    expect(reload("#v=1&text=").store.state.text).toBe("");
  });

  it("is not restored by a link that is followed", () => {
    const { store } = bind("#v=1&text=");
    vi.runAllTimers();
    type(store, "typed");
    leave();
    expect(bind("#v=1&text=").store.state.text).toBe("");
  });

  it("has an entry for each step, text, head and model, and what was typed in the one before", () => {
    const { store } = bind("#v=1&text=");
    const { pushState, replaceState } = writes();
    type(store, "typ", "typed");
    store.step({ text: "shown", tour: "row" });
    vi.runAllTimers();
    store.step({ tour: null });
    store.update({ theme: "dark" });
    vi.advanceTimersByTime(1000);
    store.update({ head: 2 });
    store.update({ layer: 2 });
    vi.runAllTimers();
    expect(pushState()).toEqual([
      "#v=1&text=typed",
      "#v=1&model=models/en-fr&text=shown&tour=1",
      "#v=1&text=shown",
      "#v=1&text=shown&head=3&theme=dark",
    ]);
    expect(replaceState().slice(-1)).toEqual(["#v=1&text=shown&layer=3&head=3&theme=dark"]);
  });

  it("leads back as a step of undo", () => {
    const { store } = bind("#v=1&text=one");
    store.update({ text: "two" });
    vi.runAllTimers();
    goTo("#v=1&text=one", { own: true });
    expect([store.state.text, store.undoes]).toEqual(["one", "text"]);
    store.undo();
    expect(store.state.text).toBe("two");
  });

  it("leads back to a step, but not to the page's former theme, language and colours", () => {
    const { store } = bind("#v=1&tour=1");
    const push = vi.spyOn(window.history, "pushState");
    const looks = {
      theme: "dark",
      language: "zh-CN",
      colours: "viridis",
      backend: "webgpu",
    } as const;
    store.update(looks);
    goTo("#v=1&model=models/en-fr&text=before&tour=2", { own: true });
    expect(store.state).toMatchObject({ text: "before", tour: "match", ...looks });
    expect(push).not.toHaveBeenCalled();
  });

  it("of a State too long for a link has a part, and the entry has the whole", () => {
    const { store, wholes } = bind("#v=1");
    store.update({ text: LONG, layer: 2 });
    vi.runAllTimers();
    expect(window.location.hash).toBe("#v=1&layer=3");
    const again = bind();
    expect([again.store.state.text, again.store.state.layer]).toEqual([LONG, 2]);
    type(again.store, "short again");
    vi.runAllTimers();
    expect([...wholes, ...again.wholes]).toEqual([true, false, false, true]);
    expect(window.location.hash).toBe("#v=1&text=short+again&layer=3");
    expect(window.history.state).toEqual({ own: true });
  });

  it("is read once, and not at all where it is the one just written", () => {
    const { store, read } = bind("#v=1&text=one");
    store.update({ text: "two" });
    vi.runAllTimers();
    const written = window.location.hash;
    goTo(written);
    expect(read).toHaveLength(1);
    goTo("#v=1&text=three");
    goTo("#v=1&text=three");
    expect([read.length, store.state.text]).toEqual([2, "three"]);
  });

  it("is not followed after the binding ends", () => {
    const { store } = bind("#v=1&text=one");
    goTo("#v=1&text=two");
    end();
    goTo("#v=1&text=three");
    expect(store.state.text).toBe("two");
  });
});

it("a history entry is the page's own only with its mark", () => {
  const whole = { own: true, whole: "v=1&text=long" };
  expect(entryOf(whole)).toEqual(whole);
  expect(entryOf({ own: true, whole: { text: "Hello" } })).toEqual({ own: true });
  expect([entryOf("own"), entryOf({ whole: "v=1" })]).toEqual([null, null]);
});
