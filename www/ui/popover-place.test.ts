// @vitest-environment happy-dom
// Where an open sheet stands: as high as the window's lower edge requires, at any zoom of the page.
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, expect, it, vi } from "vitest";
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
