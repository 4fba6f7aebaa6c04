// @vitest-environment happy-dom
import { html, LitElement, ReactiveElement, render, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { afterEach, describe, expect, it } from "vitest";
import { define, InkController, meet, Memo } from "./controllers.js";
import { styled, type Styles } from "./templates.js";

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.removeAttribute("lang");
});

it("meet finds what is in the page already, in a closed shadow root too, and what comes, each once", () => {
  class Met extends ReactiveElement {}
  class Another extends ReactiveElement {}
  define("headscope-met", Met);
  define("headscope-another", Another);
  const closed = document.createElement("div").attachShadow({ mode: "closed" });
  const [inside, gone] = [new Met(), new Met()];
  closed.append(inside);
  document.body.append(closed.host, gone, new Another());
  gone.remove();
  const met: ReactiveElement[] = [];
  meet(Met, (one) => met.push(one));
  expect(met).toEqual([inside]);
  const later = new Met();
  document.body.append(later);
  expect(met).toEqual([inside, later]);
});

@customElement("test-inked")
class Inked extends LitElement {
  readonly look = new InkController(this);

  override render(): TemplateResult {
    return html`<p></p>`;
  }
}

describe("the inks of an element", () => {
  const shadow = (host: HTMLElement, inside: HTMLElement): HTMLElement => {
    host.attachShadow({ mode: "open" }).append(inside);
    return host;
  };

  it("are kept, and read anew when the language or theme changes of the page or of the place where the element is now", async () => {
    const element = new Inked();
    const panel = shadow(document.createElement("div"), element);
    const [place, other] = [
      shadow(document.createElement("div"), panel),
      document.createElement("div"),
    ];
    document.body.append(place, other);
    await element.updateComplete;
    const changes = async (change: () => unknown): Promise<void> => {
      const before = element.look.inks;
      expect(element.look.inks).toBe(before);
      change();
      await expect.poll(() => element.look.inks === before).toBe(false);
    };
    await changes(() => (place.lang = "zh-CN"));
    await changes(() => (place.dataset.theme = "dark"));
    await changes(() => (document.documentElement.lang = "zh-CN"));
    shadow(other, panel);
    await element.updateComplete;
    const before = element.look.inks;
    place.lang = "en";
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(element.look.inks).toBe(before);
    await changes(() => (other.lang = "zh-CN"));
  });
});

it("Memo makes a result once per set of inputs", () => {
  const memo = new Memo<number>();
  let made = 0;
  const get = (...inputs: unknown[]): number => memo.get(inputs, () => ++made);
  expect([get("a", NaN), get("a", NaN), get("b", NaN), get("a", NaN)]).toEqual([1, 1, 2, 3]);
});

it("styled sets, changes and takes back styles one by one", () => {
  const show = (styles: Styles): string[] => {
    render(html`<i style=${styled(styles)}></i>`, document.body);
    const { style } = document.querySelector("i") ?? document.body;
    return [style.width, style.getPropertyValue("--heads")];
  };
  expect(show({ width: "4px", "--heads": "8" })).toEqual(["4px", "8"]);
  expect(show({ width: "6px" })).toEqual(["6px", ""]);
});
