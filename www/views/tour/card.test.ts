// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { TOUR, type TourStep } from "../../state/index.js";
import { HeadscopeTourCard } from "./card.js";

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

async function card(
  properties: Partial<HeadscopeTourCard>,
): Promise<{ element: HeadscopeTourCard; asked: (TourStep | null)[] }> {
  const asked: (TourStep | null)[] = [];
  const go = (step: TourStep | null): void => void asked.push(step);
  const element = await mount(new HeadscopeTourCard(), { ...properties, go });
  return { element, asked };
}

const words = (element: HeadscopeTourCard, selector: string): string =>
  element.renderRoot.querySelector(selector)?.textContent.replaceAll(/\s+/g, " ").trim() ?? "";
const buttons = (element: HeadscopeTourCard): HTMLButtonElement[] => [
  ...element.renderRoot.querySelectorAll("button"),
];
const button = (element: HeadscopeTourCard, name: string): HTMLButtonElement | undefined =>
  buttons(element).find(({ textContent }) => textContent === name);
const focused = (element: HeadscopeTourCard): string | undefined =>
  element.shadowRoot?.activeElement?.id;

describe("<headscope-tour-card>", () => {
  it("says which step of how many, in both languages", async () => {
    const { element } = await card({ step: "softmax" });
    expect(words(element, "h2")).toBe("3 of 8 From scores to shares");
    setLanguage("zh-CN");
    await element.updateComplete;
    expect(words(element, "h2")).toBe("第 3 步，共 8 步 从分数到份额");
  });

  it("asks for the step after and the one before, and reads on at the heading when it is there", async () => {
    const { element, asked } = await card({ step: "match" });
    button(element, "Next")?.click();
    expect([asked, focused(element)]).toEqual([["softmax"], undefined]);
    element.step = "softmax";
    await element.updateComplete;
    expect(focused(element)).toBe("title");
    button(element, "Back")?.click();
    expect(asked).toEqual(["softmax", "match"]);
  });

  it("has nothing before its first step and nothing after its last", async () => {
    const { element, asked } = await card({ step: TOUR[0] });
    expect(button(element, "Back")?.disabled).toBe(true);
    element.step = "edit";
    await element.updateComplete;
    // A step that comes from elsewhere leaves the keyboard where it is.
    expect(focused(element)).toBeUndefined();
    expect(buttons(element).map(({ textContent }) => textContent)).toEqual(["Back", "Finish"]);
    button(element, "Finish")?.click();
    expect(asked).toEqual([null]);
  });

  it("offers the step again only where something else is shown", async () => {
    const { element, asked } = await card({ step: "cross" });
    expect(button(element, "Show this step again")).toBeUndefined();
    element.elsewhere = true;
    await element.updateComplete;
    button(element, "Show this step again")?.click();
    expect(asked).toEqual(["cross"]);
  });

  it("is left by Escape, which then lets go of nothing else, and by no other key", async () => {
    const { element, asked } = await card({ step: "row" });
    const press = (key: string): boolean =>
      button(element, "Next")?.dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }),
      ) ?? false;
    expect([press("s"), press("Escape")]).toEqual([true, false]);
    expect(asked).toEqual([null]);
  });
});
