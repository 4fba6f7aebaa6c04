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

const buttons = (element: HeadscopeTourCard): HTMLButtonElement[] => [
  ...element.renderRoot.querySelectorAll("button"),
];
const button = (element: HeadscopeTourCard, name: string): HTMLButtonElement | undefined =>
  buttons(element).find(({ textContent }) => textContent === name);
const focused = (element: HeadscopeTourCard): string | undefined =>
  element.shadowRoot?.activeElement?.id;

describe("<headscope-tour-card>", () => {
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
});
