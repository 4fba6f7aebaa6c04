// @vitest-environment happy-dom
// The order of positions: a token is moved by the arrow keys or dragged to the place of another.
import { afterEach, expect, it } from "vitest";
import { all, mount, numberedTokens, textsOf, tokensOf } from "../elements/testing/mount.js";
import { HeadscopeOrderStrip } from "./order-strip.js";

afterEach(() => document.body.replaceChildren());

interface Strip {
  element: HeadscopeOrderStrip;
  orders: (readonly number[])[];
  buttons: () => HTMLElement[];
}

async function strip(more: Partial<HeadscopeOrderStrip> = {}): Promise<Strip> {
  const tokens = tokensOf("le", "chat", "dort", ".");
  const element = await mount(new HeadscopeOrderStrip(), { tokens, ...more });
  const orders: (readonly number[])[] = [];
  element.addEventListener("headscope-order", ({ detail }) => orders.push(detail));
  return { element, orders, buttons: () => all(element, "button") };
}

const key = (name: string, more: object = {}): KeyboardEvent =>
  new KeyboardEvent("keydown", { key: name, cancelable: true, bubbles: true, ...more });

it("stands in the order of the positions, with the moved tokens marked", async () => {
  const { element, buttons } = await strip({ order: [1, 0] });
  expect(textsOf(element, "button")).toEqual(["chat", "le", "dort", "."]);
  expect(buttons().map((button) => button.className)).toEqual(["moved", "moved", "", ""]);
});

it("moves a token by the arrow keys, no further than the ends, and leaves other keys to the page", async () => {
  const { orders, buttons } = await strip();
  const press = (at: number, event: KeyboardEvent): boolean | undefined =>
    buttons()[at]?.dispatchEvent(event);
  expect(press(0, key("ArrowRight"))).toBe(false);
  press(3, key("ArrowUp"));
  press(1, key("End"));
  expect(press(0, key("ArrowLeft"))).toBe(false);
  expect(press(0, key("ArrowRight", { ctrlKey: true }))).toBe(true);
  expect(press(0, key("a"))).toBe(true);
  expect(orders).toEqual([
    [1, 0, 2, 3],
    [0, 1, 3, 2],
    [0, 3, 1, 2],
  ]);
});

it("keeps the focus on the token that a key moved", async () => {
  const { element, buttons } = await strip();
  buttons()[0]?.focus();
  buttons()[0]?.dispatchEvent(key("ArrowRight"));
  element.order = [1, 0, 2, 3];
  await element.updateComplete;
  expect((element.renderRoot as ShadowRoot).activeElement?.textContent.trim()).toBe("le");
});

it("shows the order that a release would make, makes it on release, and none on Escape", async () => {
  const { element, orders, buttons } = await strip();
  const root = element.renderRoot as ShadowRoot;
  const list = (): HTMLElement | undefined => all(element, "ol")[0];
  for (const button of all(element, "ol")) button.setPointerCapture = () => undefined;
  const drag = async (from: number, to: number, button = 0): Promise<void> => {
    buttons()[from]?.dispatchEvent(new PointerEvent("pointerdown", { button, bubbles: true }));
    const over = buttons()[to] ?? null;
    root.elementFromPoint = () => over;
    list()?.dispatchEvent(new PointerEvent("pointermove"));
    await element.updateComplete;
  };
  await drag(0, 2);
  expect(textsOf(element, "button")).toEqual(["chat", "dort", "le", "."]);
  expect(buttons().find((one) => one.textContent.trim() === "le")?.className).toContain("held");
  list()?.dispatchEvent(new PointerEvent("pointerup"));
  expect(orders).toEqual([[2, 0, 1, 3]]);
  await element.updateComplete;
  expect(textsOf(element, "button")).toEqual(["le", "chat", "dort", "."]);

  await drag(3, 0);
  buttons()[0]?.dispatchEvent(key("Escape"));
  list()?.dispatchEvent(new PointerEvent("pointerup"));
  await element.updateComplete;
  // A second button drags nothing, and a drag back to its own place changes nothing.
  await drag(1, 2, 2);
  list()?.dispatchEvent(new PointerEvent("pointerup"));
  await drag(1, 1);
  list()?.dispatchEvent(new PointerEvent("pointerup"));
  expect(orders).toHaveLength(1);
});

it("a long text has no order to move tokens in", async () => {
  const { buttons } = await strip({ tokens: numberedTokens("t", 128) });
  expect(buttons()).toHaveLength(128);
  const longer = await strip({ tokens: numberedTokens("t", 129) });
  expect(longer.buttons()).toHaveLength(0);
});
