// @vitest-environment happy-dom
// @isolate: after some orders of the other files a shadow root has one more child.
import "../index.js";
import { LitElement, html, ReactiveElement, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { afterEach, expect, it } from "vitest";
import { JOINED, SHARES } from "../../data/index.js";
import { matrixOf, mountTag, put, textsOf, tokensOf } from "../testing/mount.js";
import { define, InkController, meet } from "./controllers.js";

const tensor = matrixOf(2, [1, 0, 0.5, 0.5]);
const notice = (element: LitElement): string => textsOf(element, "[role=alert]").join();

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.removeAttribute("lang");
});

const MATRIX = "{ data: Float32Array, shape: [query, key], axes }";
const OF_PAIRS = ["raw", "scores", "masked", "weights", ...SHARES, ...JOINED];
const STAGES = OF_PAIRS.map((name) => `"${name}"`).join(" | ");

it.each<[tag: string, properties: object, property: string, expected: string, got: string]>([
  ["lines", { patterns: [{ head: 0, tensor }] }, "patterns[0].weights", MATRIX, "nothing"],
  ["heatmap", { tensor: { ...tensor, shape: [2, 3] } }, "tensor", MATRIX, "data: 4, shape: [2, 3]"],
  ["heatmap", { tensor, queries: [1, 2] }, "queries[0]", "{ text, word }", "1"],
  ["heatmap", { stage: "soft" }, "stage", STAGES, '"soft"'],
  ["heatmap", { locked: [0, 1] }, "locked", "{ query, key }", "a list of 2"],
  ["difference", { region: { query: 0, key: -1 } }, "region.key", "an integer from 0", "-1"],
  ["positions", { tensor: { data: "x", shape: [1, 1] } }, "tensor.data", "Float32Array", '"x"'],
  ["tokens", { tokens: "a b" }, "tokens", "a list", '"a b"'],
  ["steps", { head: 3 }, "head", "{ stack, layer, head }", "3"],
  ["curves", { lines: [{ name: "a", points: [1] }] }, "lines[0].points[0]", "{ x, y }", "1"],
  ["chips", { chips: [{ id: 1 }] }, "chips[0].id", "a string", "1"],
])(
  "<headscope-%s> names its malformed property: %j",
  async (tag, properties, property, expected, got) => {
    const element = await mountTag(tag, properties);
    const sentence = `Cannot draw property ${property}: expected ${expected}, got ${got}`;
    expect(notice(element)).toContain(sentence);
    expect(notice(element)).toMatch(/property\/malformed$/);
    expect(element.shadowRoot?.children).toHaveLength(1);
  },
);

it("tells each malformed property once, and takes it back once all are well-formed", async () => {
  const told: unknown[] = [];
  document.body.addEventListener("headscope-failed", ({ detail }) => void told.push(detail));
  const heatmap = await mountTag("heatmap", { tensor: "x" });
  const states = [heatmap.getAttribute("state")];
  const set = async (properties: object): Promise<void> => {
    await put(heatmap, properties);
    states.push(heatmap.getAttribute("state"));
  };
  await set({ stage: "raw" });
  await set({ tensor: 3 });
  await set({ tensor });
  heatmap.setAttribute("state", "ready");
  await set({ tensor: "x" });
  await set({ tensor });
  expect(states).toEqual(["failed", "failed", "failed", null, "failed", "ready"]);
  const sentence = (got: string): string =>
    `Cannot draw property tensor: expected ${MATRIX}, got ${got}.`;
  const code = "property/malformed";
  expect(told).toEqual([
    { code, sentence: sentence('"x"') },
    { code, sentence: sentence("3") },
    { code, sentence: sentence('"x"') },
  ]);
});

it("takes strings for tokens and any arrays for numbers, and draws again once a property is well-formed", async () => {
  const heatmap = await mountTag("heatmap", { tensor: [[1], [0.5, 0.5]] });
  expect(notice(heatmap)).toContain("tensor[1]: expected a list of 1, got a list of 2");
  const set = (properties: object): Promise<LitElement> => put(heatmap, properties);
  await set({
    tensor: [
      [1, 0],
      [0.5, 0.5],
    ],
    queries: ["a", "b"],
    keys: ["a", "b"],
  });
  expect(notice(heatmap)).toBe("");
  const queries = tokensOf("a", "b");
  expect(heatmap).toMatchObject({ tensor, queries });
  await set({ tensor: [Float64Array.of(1, 0), [0.5, null]] });
  expect(notice(heatmap)).toContain("tensor[1][1]: expected a number, got null");
  await set({ tensor: { data: [1, 0, 0.5, 0.5], shape: [2, 2] } });
  expect(heatmap).toMatchObject({ tensor });
  const grid = await mountTag("grid", { thumbnails: [[[[1]], [[0.5]]]] });
  expect(grid).toMatchObject({ thumbnails: { shape: [1, 2, 1, 1] } });
  // A well-formed value stays the very object that the page set.
  await set({ tensor, queries });
  expect(Reflect.get(heatmap, "tensor")).toBe(tensor);
  expect(Reflect.get(heatmap, "queries")).toBe(queries);
});

it("meet finds connected elements, also in a closed shadow root, and those to come, each once", () => {
  class Met extends ReactiveElement {}
  class Another extends ReactiveElement {}
  define("headscope-met", Met);
  define("headscope-another", Another);
  const closed = document.createElement("div").attachShadow({ mode: "closed" });
  const inside = new Met();
  const removed = new Met();
  closed.append(inside);
  document.body.append(closed.host, removed, new Another());
  removed.remove();
  const met: ReactiveElement[] = [];
  meet(Met, (one) => met.push(one));
  expect(met).toEqual([inside]);
  const later = new Met();
  document.body.append(later);
  expect(met).toEqual([inside, later]);
});

@customElement("test-inked")
class Inked extends LitElement {
  readonly controller = new InkController(this);

  override render(): TemplateResult {
    return html`<p></p>`;
  }
}

it("inks are kept until language or theme change, of the page or of a host around the element", async () => {
  const div = (): HTMLElement => document.createElement("div");
  const shadow = (host: HTMLElement, inside: HTMLElement): HTMLElement => {
    host.attachShadow({ mode: "open" }).append(inside);
    return host;
  };
  const element = new Inked();
  const panel = shadow(div(), element);
  const place = shadow(div(), panel);
  const other = div();
  document.body.append(place, other);
  await element.updateComplete;
  const changes = async (change: () => unknown): Promise<void> => {
    const before = element.controller.inks;
    expect(element.controller.inks).toBe(before);
    change();
    await expect.poll(() => element.controller.inks === before).toBe(false);
  };
  await changes(() => (place.lang = "zh-CN"));
  await changes(() => (place.dataset.theme = "dark"));
  await changes(() => (document.documentElement.lang = "zh-CN"));
  shadow(other, panel);
  await element.updateComplete;
  const before = element.controller.inks;
  place.lang = "en";
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(element.controller.inks).toBe(before);
  await changes(() => (other.lang = "zh-CN"));
});
