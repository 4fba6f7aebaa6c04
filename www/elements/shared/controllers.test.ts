// @vitest-environment happy-dom
import { ReactiveElement, html, LitElement, type TemplateResult, render } from "lit";
import { customElement } from "lit/decorators.js";
import { afterEach, describe, expect, it } from "vitest";
import { define, meet, InkController, Memo } from "./controllers.js";
import { styled, type Styles } from "./templates.js";

afterEach(() => document.body.replaceChildren());

describe("define", () => {
  it("keeps the first class of a tag and does not complain about a second", () => {
    class First extends ReactiveElement {}
    class Second extends ReactiveElement {}
    define("headscope-defined", First);
    define("headscope-defined", Second);
    expect(customElements.get("headscope-defined")).toBe(First);
  });
});

describe("meet", () => {
  it("finds what is in the page already, in a shadow root that nobody can look into too, and what comes, each once", () => {
    class Met extends ReactiveElement {}
    class Another extends ReactiveElement {}
    define("headscope-met", Met);
    define("headscope-another", Another);
    const closed = document.createElement("div").attachShadow({ mode: "closed" });
    document.body.append(closed.host);
    const [inside, gone, other] = [new Met(), new Met(), new Another()];
    closed.append(inside);
    document.body.append(gone, other);
    gone.remove();
    const met: ReactiveElement[] = [];
    meet(Met, (one) => met.push(one));
    expect(met).toEqual([inside]);
    const later = new Met();
    document.body.append(later);
    expect(met).toEqual([inside, later]);
  });
});

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

describe("Memo", () => {
  it("makes a result once per set of inputs", () => {
    const kept = new Memo<number>();
    let made = 0;
    const get = (...inputs: unknown[]): number => kept.get(inputs, () => ++made);
    expect([get("a", NaN), get("a", NaN), get("b", NaN), get("a", NaN)]).toEqual([1, 1, 2, 3]);
  });
});

describe("styles of an element", () => {
  it("are set, changed and taken back one by one", () => {
    const show = (styles: Styles): void =>
      void render(html`<i style=${styled(styles)}></i>`, document.body);
    show({ width: "4px", "--heads": "8" });
    const element = document.querySelector("i");
    expect([element?.style.width, element?.style.getPropertyValue("--heads")]).toEqual([
      "4px",
      "8",
    ]);
    show({ width: "6px" });
    expect([element?.style.width, element?.style.getPropertyValue("--heads")]).toEqual(["6px", ""]);
  });
});
