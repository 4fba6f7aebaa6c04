// @vitest-environment happy-dom
// @isolate: the figures of the package work alone, which those of other files must not.
// The plug-in of reveal.js on a deck that stands in for it: heights, colours and keys of figures.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HeadscopeHeatmap } from "../elements/heatmap.js";
import { stubRoom } from "../elements/testing/mount.js";
import { HeadScope } from "./index.js";
import Headscope from "./reveal.js";

let watched: Element[] = [];
let grow: () => void = () => undefined;

beforeEach(() => {
  stubRoom();
  watched = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(told: () => void) {
        grow = told;
      }
      observe = (element: Element): number => watched.push(element);
      disconnect = (): void => undefined;
      unobserve = (): void => undefined;
    },
  );
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const sized = <Of extends HTMLElement>(element: Of, height: number, scroll = height): Of =>
  Object.defineProperties(element, {
    offsetHeight: { value: height },
    scrollHeight: { value: scroll },
  });

/** A deck of some slides, 700 pixels high, whose plug-in is started. */
function deckOf(...slides: HTMLElement[]): { tell: (name: string) => void; layout: () => number } {
  const place = document.createElement("div");
  place.append(...slides);
  document.body.append(place);
  const acts = new Map<string, (() => void)[]>();
  const layout = vi.fn();
  Headscope().init({
    on: (name, act) => void acts.set(name, [...(acts.get(name) ?? []), act]),
    getSlidesElement: () => place,
    getSlides: () => slides,
    getConfig: () => ({ height: 700 }),
    layout,
  });
  const tell = (name: string): void => acts.get(name)?.forEach((act) => act());
  return { tell, layout: () => layout.mock.calls.length };
}
const slideOf = (colour: string, ...children: HTMLElement[]): HTMLElement => {
  const slide = document.createElement("section");
  slide.style.color = colour;
  slide.append(...children);
  return slide;
};

it("figures share what their slide has left, and no swipe in them turns the slide", () => {
  const pair = [300, 300].map((height) => sized(new HeadscopeHeatmap(), height));
  const alone = sized(new HeadscopeHeatmap(), 500);
  const both = sized(slideOf("rgb(0, 0, 0)", ...pair), 700, 800);
  const crowded = sized(slideOf("rgb(0, 0, 0)", alone), 700, 1100);
  const waiting = new HeadscopeHeatmap();
  const hidden = sized(slideOf("rgb(0, 0, 0)", waiting), 0, 0);
  const { tell } = deckOf(both, crowded, hidden);
  const unset = waiting.highest;
  tell("slidechanged");
  // 800 are in the slide, 600 of them figures: 500 are left, 40 of each half are its foot.
  expect(pair.map(({ highest }) => highest)).toEqual([210, 210]);
  expect(alone.highest).toBe(160);
  expect(waiting.highest).toBe(unset);
  for (const figure of [...pair, alone, waiting])
    expect(figure.hasAttribute("data-prevent-swipe")).toBe(true);
});

it("a slide with bright text is dark, also after another change of the deck", () => {
  const slides = ["rgb(240, 240, 240)", "rgb(34, 34, 34)", "rgb(127, 127, 128)"].map((colour) =>
    slideOf(colour),
  );
  const schemes = (): string[] => slides.map(({ style }) => style.colorScheme);
  const { tell } = deckOf(...slides);
  expect(schemes()).toEqual(["", "", ""]);
  for (const name of ["ready", "resize", "pdf-ready", "slidechanged"]) {
    for (const { style } of slides) style.colorScheme = "";
    tell(name);
    expect(schemes()).toEqual(["dark", "light", "light"]);
  }
});

it("the deck is laid out again when a figure grows", () => {
  const figure = sized(new HeadscopeHeatmap(), 300);
  const { tell, layout } = deckOf(sized(slideOf("rgb(0, 0, 0)", figure), 700));
  watched = [];
  tell("ready");
  expect(watched).toContain(figure);
  grow();
  expect(layout()).toBe(1);
});

it("keeps the keys that a figure took, and all of an explorer", () => {
  const [figure, explorer, text] = [
    new HeadscopeHeatmap(),
    new HeadScope(),
    document.createElement("p"),
  ];
  deckOf(slideOf("rgb(0, 0, 0)", figure, explorer, text));
  const heard = vi.fn();
  document.addEventListener("keydown", heard);
  const reaches = (element: Element, isTaken: boolean): boolean => {
    heard.mockClear();
    const event = new KeyboardEvent("keydown", { key: "z", bubbles: true, cancelable: true });
    if (isTaken) event.preventDefault();
    element.dispatchEvent(event);
    return heard.mock.calls.length > 0;
  };
  expect([reaches(figure, false), reaches(figure, true)]).toEqual([true, false]);
  expect([reaches(explorer, false), reaches(explorer, true)]).toEqual([false, false]);
  expect([reaches(text, false), reaches(text, true)]).toEqual([true, true]);
  document.removeEventListener("keydown", heard);
});
