// @vitest-environment happy-dom
// Where an open sheet stands: under its button, and as high as the window's lower edge requires, at
// any zoom of the page.
import { html, LitElement, type TemplateResult } from "lit";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { Popover } from "./popover.js";

let grow: () => void = () => undefined;

class Placed extends LitElement {
  readonly sheet = new Popover(this, 200);
  override render(): TemplateResult {
    return html`<button popovertarget="sheet">open</button>
      <div id="sheet" popover></div>`;
  }
}
customElements.define("popover-placed", Placed);

class Toggle extends Event {
  newState = "";
}
vi.stubGlobal("ToggleEvent", Toggle);
afterAll(() => vi.unstubAllGlobals());
afterEach(() => document.body.replaceChildren());

it.each([
  ["stays where it has room", { top: 100, height: 200 }, "100px"],
  ["moves up where its end is beyond the window", { top: 500, height: 300 }, "384px"],
  [
    "begins at the upper edge where it is taller than the window",
    { top: 300, height: 900 },
    "16px",
  ],
])("%s", async (_, { top, height }, expected) => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(told: () => void) {
        grow = told;
      }
      observe = (): void => undefined;
      disconnect = (): void => undefined;
    },
  );
  window.innerHeight = 700;
  const host = await mount(new Placed(), {});
  const sheet = host.renderRoot.querySelector<HTMLElement>("#sheet");
  if (!sheet) throw new Error("nothing was rendered");
  sheet.getBoundingClientRect = () => new DOMRect(0, top, 200, height);
  grow();
  expect(sheet.style.top).toBe(expected);
});

it.each<[string, zoom: number, box: [left: number, width: number], expected: [string, string]]>([
  ["to the right of a button on the left", 1, [100, 40], ["84px", "54px"]],
  ["to the left of a button on the right", 1, [900, 40], ["740px", "54px"]],
  ["within the window at its left edge", 1, [5, 40], ["16px", "54px"]],
  ["within the window at its right edge", 1, [990, 40], ["784px", "54px"]],
  ["by lengths without the zoom of the page", 2, [100, 40], ["34px", "29px"]],
])("opens %s", async (_, zoom, [left, width], expected) => {
  const host = await mount(new Placed(), {});
  const sheet = host.renderRoot.querySelector<HTMLElement>("#sheet");
  const button = host.renderRoot.querySelector("button");
  if (!sheet || !button) throw new Error("nothing was rendered");
  Object.defineProperty(button, "currentCSSZoom", { value: zoom });
  Object.defineProperty(document.documentElement, "clientWidth", {
    configurable: true,
    value: 1000,
  });
  button.getBoundingClientRect = () => new DOMRect(left, 20, width, 30);
  sheet.dispatchEvent(Object.assign(new Toggle("beforetoggle"), { newState: "open" }));
  Reflect.deleteProperty(document.documentElement, "clientWidth");
  expect([sheet.style.left, sheet.style.top]).toEqual(expected);
});
