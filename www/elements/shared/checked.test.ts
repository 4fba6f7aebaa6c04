// @vitest-environment happy-dom
import "../index.js";
import { LitElement, html, ReactiveElement, render, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { afterEach, expect, it, describe } from "vitest";
import { matrixOf, mount, mountTag, tokensOf } from "../testing/mount.js";
import { define, InkController, meet } from "./controllers.js";
import { styled, type Styles } from "./templates.js";

const tensor = matrixOf(2, [1, 0, 0.5, 0.5]);

/** As a page without types sets them. */
const put = (element: LitElement | string, properties: object): Promise<LitElement> =>
  typeof element === "string" ? mountTag(element, properties) : mount(element, properties);
const said = ({ shadowRoot }: LitElement): string =>
  shadowRoot?.querySelector("[role=alert]")?.textContent.trim().replace(/\s+/g, " ") ?? "";

const MATRIX = "{ data: Float32Array, shape: [query, key], axes }";
const STAGES = '"raw" | "scores" | "masked" | "weights"';

it.each<[tag: string, properties: object, place: string, expected: string]>([
  [
    "lines",
    { patterns: [{ head: 0, tensor }] },
    "patterns[0].weights",
    `${MATRIX}, and was given undefined`,
  ],
  [
    "heatmap",
    { tensor: { ...tensor, shape: [2, 3] } },
    "tensor",
    "and was given data: 4, shape: [2, 3]",
  ],
  ["heatmap", { tensor, queries: [1, 2] }, "queries[0]", "{ text, word }, and was given 1"],
  ["heatmap", { stage: "soft" }, "stage", `${STAGES}, and was given "soft"`],
  ["heatmap", { locked: [0, 1] }, "locked", "{ query, key }, and was given array(2)"],
  ["difference", { region: { query: 0, key: -1 } }, "region.key", "0, 1, 2 …, and was given -1"],
  [
    "positions",
    { tensor: { data: "x", shape: [1, 1] } },
    "tensor.data",
    'Float32Array, and was given "x"',
  ],
  ["tokens", { tokens: "a b" }, "tokens", 'array, and was given "a b"'],
  ["steps", { head: 3 }, "head", "{ stack, layer, head }, and was given 3"],
  [
    "curves",
    { lines: [{ name: "a", points: [1] }] },
    "lines[0].points[0]",
    "{ x, y }, and was given 1",
  ],
  ["chips", { chips: [{ id: 1 }] }, "chips[0].id", "string, and was given 1"],
])(
  "<headscope-%s> says which property it cannot draw, and what it takes: %j",
  async (tag, properties, place, expected) => {
    const element = await put(tag, properties);
    expect(said(element)).toContain(`The property ${place} cannot be drawn: it takes `);
    expect(said(element)).toContain(expected);
    expect(said(element)).toMatch(/property\/malformed$/);
    expect(element.shadowRoot?.children).toHaveLength(1);
  },
);

it("takes strings for tokens and any arrays for numbers, and draws again once a property is mended", async () => {
  const heatmap = await put("heatmap", { tensor: [[1], [0.5, 0.5]] });
  expect(said(heatmap)).toContain("data: 3, shape: [2, 1]");
  const rows = [
    [1, 0],
    [0.5, 0.5],
  ];
  await put(heatmap, { tensor: rows, queries: ["a", "b"], keys: ["a", "b"] });
  expect(said(heatmap)).toBe("");
  const queries = tokensOf("a", "b");
  expect(heatmap).toMatchObject({ tensor, queries });
  await put(heatmap, { tensor: { data: [1, 0, 0.5, 0.5], shape: [2, 2] } });
  expect(heatmap).toMatchObject({ tensor });
  // What is well-formed stays the very object that the page set.
  await put(heatmap, { tensor, queries });
  expect(Reflect.get(heatmap, "tensor")).toBe(tensor);
  expect(Reflect.get(heatmap, "queries")).toBe(queries);
});

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

it("styled sets, changes and takes back styles one by one", () => {
  const show = (styles: Styles): string[] => {
    render(html`<i style=${styled(styles)}></i>`, document.body);
    const { style } = document.querySelector("i") ?? document.body;
    return [style.width, style.getPropertyValue("--heads")];
  };
  expect(show({ width: "4px", "--heads": "8" })).toEqual(["4px", "8"]);
  expect(show({ width: "6px" })).toEqual(["6px", ""]);
});
