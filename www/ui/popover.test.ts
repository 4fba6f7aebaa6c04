// @vitest-environment happy-dom
// A popover with its button: when it opens, closes, and what it keeps from the page.
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { Popover } from "./popover.js";

class Toggle extends Event {
  constructor(
    type: string,
    readonly newState: "open" | "closed",
  ) {
    super(type);
  }
}

class Host extends LitElement {
  readonly opening = vi.fn();
  readonly sheet = new Popover(this, 200, this.opening);

  override render(): TemplateResult {
    return html`<button popovertarget="sheet">open</button>
      <div id="sheet" popover><input /></div>
      <slot></slot>`;
  }
}
customElements.define("popover-host", Host);

interface Shown {
  host: Host;
  sheet: HTMLElement;
  button: HTMLElement;
  hide: ReturnType<typeof vi.fn>;
}

async function shown(isOpen = true): Promise<Shown> {
  const host = await mount(new Host(), {});
  const [sheet, button] = ["#sheet", "button"].map((selector) =>
    host.renderRoot.querySelector<HTMLElement>(selector),
  );
  if (!sheet || !button) throw new Error("nothing was rendered");
  const hide = vi.fn();
  sheet.hidePopover = hide;
  if (isOpen)
    for (const type of ["beforetoggle", "toggle"]) sheet.dispatchEvent(new Toggle(type, "open"));
  return { host, sheet, button, hide };
}

beforeEach(() => vi.stubGlobal("ToggleEvent", Toggle));
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it("is placed when it opens, and knows whether it is open", async () => {
  const { host, sheet } = await shown(false);
  expect([host.sheet.expanded, host.opening.mock.calls.length]).toEqual([false, 0]);
  for (const type of ["beforetoggle", "toggle"]) sheet.dispatchEvent(new Toggle(type, "open"));
  expect([host.sheet.expanded, host.opening.mock.calls.length]).toEqual([true, 1]);
  for (const type of ["beforetoggle", "toggle"]) sheet.dispatchEvent(new Toggle(type, "closed"));
  expect([host.sheet.expanded, host.opening.mock.calls.length]).toEqual([false, 1]);
});

it("closes on Escape with the focus on its button, and keeps its keys from the page", async () => {
  const { sheet, button, hide, host } = await shown();
  const heard = vi.fn();
  host.addEventListener("keydown", heard);
  const press = (key: string): boolean =>
    sheet.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true }),
    );
  expect(press("a")).toBe(true);
  expect(hide).not.toHaveBeenCalled();
  expect(press("Escape")).toBe(false);
  expect(hide).toHaveBeenCalledTimes(1);
  expect((host.renderRoot as ShadowRoot).activeElement).toBe(button);
  expect(heard).not.toHaveBeenCalled();
  sheet.dispatchEvent(new Toggle("toggle", "closed"));
  expect(press("Escape")).toBe(true);
  expect([hide.mock.calls.length, heard.mock.calls.length]).toEqual([1, 1]);
  host.sheet.close();
  expect(hide).toHaveBeenCalledTimes(1);
});

it("closes when the focus moves elsewhere, not within its host, nor when it is lost", async () => {
  const { sheet, hide, host } = await shown();
  const inside = document.createElement("i");
  host.append(inside);
  const leave = (relatedTarget: Node | null): number => {
    sheet.dispatchEvent(new FocusEvent("focusout", { relatedTarget }));
    return hide.mock.calls.length;
  };
  expect([leave(null), leave(inside), leave(sheet.querySelector("input"))]).toEqual([0, 0, 0]);
  expect(leave(document.body)).toBe(1);
});

it("closes when its button is no longer shown, while it is open alone", async () => {
  const { sheet, button, hide } = await shown();
  const resize = (isShown: boolean): number => {
    const parent = isShown ? document.body : null;
    Object.defineProperty(button, "offsetParent", { configurable: true, get: () => parent });
    window.dispatchEvent(new Event("resize"));
    return hide.mock.calls.length;
  };
  expect([resize(true), resize(false)]).toEqual([0, 1]);
  sheet.dispatchEvent(new Toggle("toggle", "closed"));
  expect(resize(false)).toBe(1);
});
