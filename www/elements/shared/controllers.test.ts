// @vitest-environment happy-dom
// What the browser tells a figure of its size, its screen, its colours and what is out of sight.
import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InkController, Memo, ScrollHints, type Sides, SizeController } from "./controllers.js";

interface Entry {
  contentRect: { width: number; height: number };
  devicePixelContentBoxSize?: readonly { inlineSize: number }[];
}

/** The observers of sizes: what each watches, how, and how it is told of a size. */
class Observer {
  static made: Observer[] = [];
  /** Whether the browser knows the box of pixels of the screen. */
  static knowsPixels = true;
  readonly watched = new Map<Element, string | undefined>();

  constructor(readonly told: (entries: Entry[]) => void) {
    Observer.made.push(this);
  }
  observe(target: Element, { box }: { box?: string } = {}): void {
    if (box !== undefined && !Observer.knowsPixels) throw new TypeError("no such box");
    this.watched.set(target, box);
  }
  unobserve(target: Element): void {
    this.watched.delete(target);
  }
  disconnect(): void {
    this.watched.clear();
  }
}

/** The queries of media, each with who listens to it. */
const queries = new Map<string, Set<() => void>>();

class Sized extends LitElement {
  static sides: Sides = "width";
  readonly size = new SizeController(this, () => Sized.sides);
  renders = 0;

  override render(): string {
    this.renders += 1;
    return `${this.size.width}`;
  }
}
customElements.define("sized-host", Sized);

beforeEach(() => {
  Observer.made = [];
  Observer.knowsPixels = true;
  Sized.sides = "width";
  queries.clear();
  vi.stubGlobal("ResizeObserver", Observer);
  vi.stubGlobal("matchMedia", (query: string) => {
    const listeners = queries.get(query) ?? new Set();
    queries.set(query, listeners);
    return {
      addEventListener: (_: string, one: () => void) => void listeners.add(one),
      removeEventListener: (_: string, one: () => void) => void listeners.delete(one),
    };
  });
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function added<Element extends LitElement>(element: Element): Promise<Element> {
  document.body.append(element);
  await element.updateComplete;
  return element;
}
const observer = (): Observer => Observer.made[0] ?? expect.fail("nothing is observed");
const room = (width: number, height = 100, pixels?: number): Entry => ({
  contentRect: { width, height },
  ...(pixels !== undefined && { devicePixelContentBoxSize: [{ inlineSize: pixels }] }),
});
/** How often an element renders by what is done. */
async function rendersBy(element: Sized, act: () => void): Promise<number> {
  const before = element.renders;
  act();
  await element.updateComplete;
  return element.renders - before;
}
const zoomed = (element: Element, zoom: number): void =>
  void Object.defineProperty(element, "currentCSSZoom", { value: zoom, configurable: true });
/** Gives an element a width on the page, and another on the screen by a transform around it. */
function transformed(element: HTMLElement, width: number, shown: number): void {
  Object.defineProperty(element, "offsetWidth", { value: width, configurable: true });
  vi.spyOn(element, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, shown, 10));
}

describe("the size of an element", () => {
  it("is its whole pixels, and another one renders it again", async () => {
    const element = await added(new Sized());
    expect([...observer().watched]).toEqual([[element, "device-pixel-content-box"]]);
    expect(await rendersBy(element, () => observer().told([room(300.9, 50)]))).toBe(1);
    expect([element.size.width, element.size.height]).toEqual([300, 0]);
    expect(await rendersBy(element, () => observer().told([room(300.2, 80)]))).toBe(0);
    Sized.sides = "both";
    expect(await rendersBy(element, () => observer().told([room(300, 80.5)]))).toBe(1);
    expect(element.size.height).toBe(80.5);
    element.remove();
    expect(observer().watched.size).toBe(0);
  });

  it("is observed where a browser knows no pixels of the screen", async () => {
    Observer.knowsPixels = false;
    const element = await added(new Sized());
    expect([...observer().watched]).toEqual([[element, undefined]]);
  });

  it("is read with its zoom where the pixels of the screen have changed, and else is not", async () => {
    const element = await added(new Sized());
    await rendersBy(element, () => observer().told([room(300, 50, 300)]));
    zoomed(element, 2);
    // As many pixels, up to one of them: the zoom is as before.
    expect(await rendersBy(element, () => observer().told([room(300, 50, 300.9)]))).toBe(0);
    expect(element.size.zoom).toBe(1);
    expect(await rendersBy(element, () => observer().told([room(300, 50, 600)]))).toBe(1);
    expect([element.size.zoom, element.size.scale]).toEqual([2, 2]);
    zoomed(element, 3);
    observer().told([room(300, 50)]);
    expect(element.size.zoom).toBe(3);
  });

  it("has the transform of when the window changed or a pointer came, until it has gone", async () => {
    const element = await added(new Sized());
    transformed(element, 100, 150);
    expect(await rendersBy(element, () => void window.dispatchEvent(new Event("resize")))).toBe(1);
    expect([element.size.scale, element.size.ratio]).toEqual([1.5, 1.5 * devicePixelRatio]);
    expect(await rendersBy(element, () => void window.dispatchEvent(new Event("resize")))).toBe(0);
    transformed(element, 100, 200);
    element.dispatchEvent(new Event("pointerenter"));
    expect(element.size.scale).toBe(2);
    element.remove();
    transformed(element, 100, 300);
    window.dispatchEvent(new Event("resize"));
    element.dispatchEvent(new Event("pointerenter"));
    expect(element.size.scale).toBe(2);
  });

  it("is rendered again on a screen of another density, each time by a query of its own", async () => {
    vi.stubGlobal("devicePixelRatio", 1);
    const element = await added(new Sized());
    const [one] = queries.get("(resolution: 1dppx)") ?? [];
    vi.stubGlobal("devicePixelRatio", 2);
    expect(await rendersBy(element, () => one?.())).toBe(1);
    const listeners = (): number[] => [...queries.values()].map(({ size }) => size);
    expect([...queries.keys()]).toEqual(["(resolution: 1dppx)", "(resolution: 2dppx)"]);
    expect(listeners()).toEqual([0, 1]);
    element.remove();
    expect(listeners()).toEqual([0, 0]);
  });
});

describe("an element that scrolls", () => {
  class Scrolling extends LitElement {
    readonly hints = new ScrollHints(this);
  }
  customElements.define("scrolling-host", Scrolling);

  /** The sides that are marked of a box of 100 × 100 whose content is larger. */
  function marked(element: HTMLElement, sizes: Partial<Record<string, number>>): string | null {
    const usual = { scrollHeight: 100, clientHeight: 100, scrollWidth: 100, clientWidth: 100 };
    for (const [name, value] of Object.entries({ ...usual, scrollTop: 0, scrollLeft: 0, ...sizes }))
      Object.defineProperty(element, name, { value, configurable: true });
    element.dispatchEvent(new Event("scroll"));
    return element.getAttribute("more");
  }

  it.each([
    [{}, null],
    [{ scrollHeight: 102 }, null],
    [{ scrollHeight: 103 }, "below"],
    [{ scrollHeight: 200, scrollTop: 2 }, "below"],
    [{ scrollHeight: 200, scrollTop: 3 }, "above below"],
    [{ scrollHeight: 200, scrollTop: 98 }, "above"],
    [{ scrollWidth: 103 }, "after"],
    [{ scrollWidth: 200, scrollLeft: 50 }, "before after"],
    // From right to left.
    [{ scrollWidth: 200, scrollLeft: -50 }, "before after"],
    [{ scrollWidth: 200, scrollLeft: -98 }, "before"],
  ])("with %j has a fade at: %s", async (sizes, more) => {
    const element = await added(new Scrolling());
    expect(marked(element, { scrollHeight: 200, scrollTop: 50 })).toBe("above below");
    expect(marked(element, sizes)).toBe(more);
  });

  it("is marked again when it or its content has another size, as long as it is there", async () => {
    const element = await added(new Scrolling());
    const content = document.createElement("p");
    element.renderRoot.append(content);
    element.requestUpdate();
    await element.updateComplete;
    expect([...observer().watched.keys()]).toEqual([element, content]);
    const other = document.createElement("div");
    content.replaceWith(other);
    element.requestUpdate();
    await element.updateComplete;
    expect([...observer().watched.keys()]).toEqual([element, other]);
    Object.defineProperty(element, "scrollHeight", { value: 500, configurable: true });
    observer().told([]);
    expect(element.getAttribute("more")).toBe("below");
    element.remove();
    expect(observer().watched.size).toBe(0);
    expect(marked(element, {})).toBe("below");
    await added(element);
    element.requestUpdate();
    await element.updateComplete;
    expect([...observer().watched.keys()]).toEqual([element, other]);
  });
});

describe("the colours of a figure", () => {
  class Inked extends LitElement {
    readonly colours = new InkController(this);
    renders = 0;
    override render(): string {
      this.renders += 1;
      return "";
    }
  }
  customElements.define("inked-host", Inked);
  const paper = (colour: string): void =>
    document.documentElement.style.setProperty("--_paper", colour);
  const [WHITE, BLACK] = ["rgb(255, 255, 255)", "rgb(17, 17, 17)"];
  const THEME = "(prefers-color-scheme: dark)";

  it("are those of its page, and of its own ground", async () => {
    paper(WHITE);
    const element = await added(new Inked());
    const { inks } = element.colours;
    expect([inks.ground, inks.paper]).toEqual(["light", WHITE]);
    expect(element.colours.inks).toBe(inks);
    expect(element.renderRoot.querySelectorAll("span")).toHaveLength(0);
    paper(BLACK);
    for (const change of queries.get(THEME) ?? []) change();
    expect(element.colours.inks).toMatchObject({ ground: "dark", paper: BLACK });
  });

  it("follow the theme of the system, of the page and of what it is in, until it has gone", async () => {
    const outer = document.createElement("div");
    const root = outer.attachShadow({ mode: "open" });
    document.body.append(outer);
    const element = new Inked();
    root.append(element);
    await element.updateComplete;
    const rendersBy = async (act: () => void): Promise<number> => {
      const before = element.renders;
      act();
      // Observers of attributes tell in a moment.
      await new Promise((resolve) => setTimeout(resolve));
      await element.updateComplete;
      return element.renders - before;
    };
    const { documentElement: page } = document;
    const changes: (() => void)[] = [
      () => [...(queries.get(THEME) ?? [])].forEach((change) => change()),
      () => page.setAttribute("data-theme", "dark"),
      () => page.setAttribute("lang", "de"),
      () => page.setAttribute("class", "wide"),
      () => outer.setAttribute("data-theme", "dark"),
      () => outer.setAttribute("lang", "zh-CN"),
      () => element.setAttribute("data-theme", "light"),
    ];
    for (const [at, change] of changes.entries()) expect(await rendersBy(change), `${at}`).toBe(1);
    expect(await rendersBy(() => page.setAttribute("title", "no colour"))).toBe(0);
    element.remove();
    await rendersBy(() => undefined);
    expect(queries.get(THEME)?.size).toBe(0);
    expect(await rendersBy(() => page.setAttribute("data-theme", "light"))).toBe(0);
    for (const name of ["data-theme", "lang", "class"]) page.removeAttribute(name);
  });
});

it("a costly result is kept as long as each of its inputs is the same", () => {
  const memo = new Memo<number>();
  const make = vi.fn(() => make.mock.calls.length);
  const get = (...inputs: unknown[]): number => memo.get(inputs, make);
  expect([get(1, NaN), get(1, NaN), get(1, 2), get(1, 2), get(2, 2), get(1, NaN)]).toEqual([
    1, 1, 2, 2, 3, 4,
  ]);
});
