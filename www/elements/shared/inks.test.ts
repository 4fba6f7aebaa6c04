// @vitest-environment happy-dom
import { html, LitElement, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { afterEach, describe, expect, it } from "vitest";
import { InkController } from "./inks.js";

@customElement("test-inked")
class Inked extends LitElement {
  readonly look = new InkController(this);

  override render(): TemplateResult {
    return html`<p></p>`;
  }
}

/** An element in a panel's shadow tree, which is in that of a place in somebody's page. */
async function placed(): Promise<{ place: HTMLElement; panel: HTMLElement; element: Inked }> {
  const [place, panel, element] = [
    document.createElement("div"),
    document.createElement("div"),
    new Inked(),
  ];
  panel.attachShadow({ mode: "open" }).append(element);
  place.attachShadow({ mode: "open" }).append(panel);
  document.body.append(place);
  await element.updateComplete;
  return { place, panel, element };
}

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.removeAttribute("lang");
});

describe("the inks of an element", () => {
  it("are kept, and read anew when the language or theme of the page changes or of the place around it", async () => {
    const { place, element } = await placed();
    for (const change of [
      () => (place.lang = "zh-CN"),
      () => (place.dataset.theme = "dark"),
      () => (document.documentElement.lang = "zh-CN"),
    ]) {
      const before = element.look.inks;
      expect(element.look.inks).toBe(before);
      change();
      await expect.poll(() => element.look.inks === before).toBe(false);
    }
  });

  it("are read anew only of the place where the element is now", async () => {
    const { place, panel, element } = await placed();
    const other = document.createElement("div");
    other.attachShadow({ mode: "open" }).append(panel);
    document.body.append(other);
    await element.updateComplete;
    const before = element.look.inks;
    place.lang = "zh-CN";
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(element.look.inks).toBe(before);
    other.lang = "zh-CN";
    await expect.poll(() => element.look.inks === before).toBe(false);
  });
});
