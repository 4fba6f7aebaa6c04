// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked, button, pick, words } from "../../ui/testing/asked.js";
import { HeadscopeMaskPainting } from "./mask-painting.js";

const HEAD = { stack: "cross", layer: 1, head: 4 } as const;
const painting = (
  properties: Partial<HeadscopeMaskPainting> = {},
): Promise<HeadscopeMaskPainting> =>
  mount(new HeadscopeMaskPainting(), { head: HEAD, ...properties });

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-mask-painting>", () => {
  it("turns strokes on and off, and says which it is", async () => {
    const element = await painting();
    const turned = asked(element, "headscope-blocking");
    const toggle = button(element, "Paint cells");
    expect(toggle.getAttribute("aria-pressed")).toBe("false");
    toggle.click();
    element.painting = { on: true, reach: "head" };
    await element.updateComplete;
    expect(toggle.getAttribute("aria-pressed")).toBe("true");
    toggle.click();
    expect(turned).toEqual([true, false]);
  });

  it("offers whom strokes are for, by their own names", async () => {
    const element = await painting({ painting: { on: false, reach: "layer" } });
    const reaches = asked(element, "headscope-paint-reach");
    const options = [...element.renderRoot.querySelectorAll("option")];
    expect(options.map(({ text, selected }) => (selected ? `[${text}]` : text))).toEqual([
      "layer 2 · head 5",
      "[Cross-attention, layer 2]",
      "Cross-attention, all layers",
      "all attention",
    ]);
    pick(element, "Whom the strokes are for", (text) => text === "all attention");
    expect(reaches).toEqual(["everywhere"]);
  });

  it("speaks Chinese", async () => {
    setLanguage("zh-CN");
    const element = await painting();
    expect(
      [...element.renderRoot.querySelectorAll("button, option")].map(words).join(""),
    ).not.toMatch(/[a-z]/i);
  });
});
