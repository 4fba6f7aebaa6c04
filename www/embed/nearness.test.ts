// @vitest-environment happy-dom
// @isolate: the models of figures that came near are kept for a page's life.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as Near from "./nearness.js";

let whenNear: typeof Near.whenNear;
let prints = false;
let mediaChanged: ((event: { matches: boolean }) => void) | null = null;
let idle: (() => void)[] = [];
let intersect: (target: Element, isIntersecting?: boolean) => void;
let observed: Set<Element>;

/** A figure of the page; one that is not displayed has no boxes. */
function figure(isDisplayed = true): Element {
  const element = document.createElement("p");
  element.getClientRects = () => (isDisplayed ? [{}] : []) as unknown as DOMRectList;
  return element;
}

beforeEach(async () => {
  vi.resetModules();
  [prints, idle, observed] = [false, [], new Set()];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(report: (entries: object[]) => void) {
        intersect = (target, isIntersecting = true) => report([{ target, isIntersecting }]);
      }
      observe = (target: Element): void => void observed.add(target);
      unobserve = (target: Element): void => void observed.delete(target);
    },
  );
  vi.stubGlobal("matchMedia", () => ({
    matches: prints,
    addEventListener: (_: string, listener: typeof mediaChanged) => (mediaChanged = listener),
  }));
  vi.stubGlobal("requestIdleCallback", (call: () => void) => idle.push(call));
  ({ whenNear } = await import("./nearness.js"));
});
afterEach(() => vi.unstubAllGlobals());

const rest = (): void => {
  for (const call of idle.splice(0)) call();
};

it("a figure loads once, when it comes near", () => {
  const [here, there] = [figure(), figure()];
  const [one, other] = [vi.fn(), vi.fn()];
  whenNear(here, one);
  whenNear(there, other);
  intersect(here, false);
  expect(one).not.toHaveBeenCalled();
  intersect(here);
  intersect(here);
  rest();
  expect([one, other].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  expect([...observed]).toEqual([there]);
});

it("a figure that no longer waits does not load", () => {
  const [here, then] = [figure(), vi.fn()];
  const leave = whenNear(here, then, "m");
  leave();
  intersect(here);
  mediaChanged?.({ matches: true });
  expect(then).not.toHaveBeenCalled();
  expect(observed.size).toBe(0);
});

it("figures of a model that is there follow when the browser is idle, those of others wait", () => {
  const figures = ["m", "m", "n", null].map((model) => ({ model, at: figure(), then: vi.fn() }));
  const loaded = (): number[] => figures.map(({ then }) => then.mock.calls.length);
  for (const { at, then, model } of figures) whenNear(at, then, model);
  intersect(figures[0]?.at ?? figure());
  expect(loaded()).toEqual([1, 0, 0, 0]);
  rest();
  expect(loaded()).toEqual([1, 1, 0, 0]);
  // One that comes later is of a model that is there.
  const [late, hidden, other] = [vi.fn(), vi.fn(), vi.fn()];
  whenNear(figure(), late, "m");
  whenNear(figure(false), hidden, "m");
  rest();
  whenNear(figure(), other, "n");
  rest();
  expect([late, hidden, other].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0]);
});

it("without idle callbacks they follow after a while", () => {
  vi.stubGlobal("requestIdleCallback", undefined);
  Reflect.deleteProperty(globalThis, "requestIdleCallback");
  vi.useFakeTimers();
  const [here, there, then] = [figure(), figure(), vi.fn()];
  whenNear(here, () => undefined, "m");
  whenNear(there, then, "m");
  intersect(here);
  expect(then).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(then).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

it.each(["beforeprint", "the medium", "at once"] as const)(
  "a page that is printed loads all displayed figures: %s",
  (how) => {
    prints = how === "at once";
    const [there, gone] = [vi.fn(), vi.fn()];
    whenNear(figure(), there);
    whenNear(figure(false), gone);
    if (how === "the medium") {
      mediaChanged?.({ matches: false });
      expect(there).not.toHaveBeenCalled();
      mediaChanged?.({ matches: true });
    }
    if (how === "beforeprint") dispatchEvent(new Event("beforeprint"));
    expect([there, gone].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  },
);
