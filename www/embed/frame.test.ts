// @vitest-environment happy-dom
// @isolate: the page shows its figure when it is imported.
// The page for a frame: which figure it shows of an address, and what it tells the page around it.
import { beforeAll, expect, it, vi } from "vitest";

const configured = vi.hoisted(() => vi.fn());
vi.mock("./index.js", () => ({ configure: configured }));

const told = vi.fn<(message: object, origin: string) => void>();
let grow: () => void = () => undefined;
const watched: Element[] = [];

beforeAll(async () => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(act: () => void) {
        grow = act;
      }
      observe = (element: Element): number => watched.push(element);
    },
  );
  Object.defineProperty(window, "parent", { value: { postMessage: told } });
  await import("./frame.js");
});

/** Shows what an address asks for, in a page that is open. */
function open(search: string, hash: string): void {
  history.replaceState(null, "", `${location.pathname}${search}${hash}`);
  window.dispatchEvent(new Event("hashchange"));
}
const shown = (): string => document.body.innerHTML.replace(/>[^<]+</, "><").trim();

it("shows the picture where nothing else is asked for", () => {
  expect(document.body.firstElementChild?.localName).toBe("headscope-heatmap");
  expect(configured).toHaveBeenCalledWith({ home: new URL("./", document.baseURI).href });
  open("", "#text=Two&picture=lines&layer=2");
  expect(shown()).toMatch(/^<headscope-lines model="models\/en-fr" text="Two" layer="2" caption/);
  expect(document.documentElement.style.colorScheme).toBe("light dark");
});

it("shows the figure and the head that the address names, without a script", () => {
  open("?show=grid", "#text=A+cat&head=3&theme=dark&language=zh-CN");
  expect(shown()).toBe(
    '<headscope-grid model="models/en-fr" text="A cat" head="3" caption=""></headscope-grid>',
  );
  const { documentElement: root } = document;
  expect([root.lang, root.style.colorScheme]).toEqual(["zh-CN", "dark"]);
  open("?show=explorer", "#text=A");
  expect(document.body.firstElementChild?.localName).toBe("head-scope");
});

it("names what can be shown where it is asked for something else", () => {
  open("?show=all", "#");
  expect(document.body.textContent).toBe("show=all: picture | grid | spectrum | tokens | explorer");
});

it("tells the page around it how tall it is, after each change", () => {
  expect(watched).toEqual([document.body]);
  vi.spyOn(document.body, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 9, 120.25));
  grow();
  expect(told.mock.calls).toEqual([[{ headscope: "height", height: 121 }, "*"]]);
  vi.restoreAllMocks();
});
