// @vitest-environment happy-dom
// @isolate: the script finds the elements of its page when it is imported.
// Which element of a page fetches its script, and when.
import en from "../i18n/en/page.json" with { type: "json" };
import zh from "../i18n/zh-CN/page.json" with { type: "json" };
import { beforeAll, beforeEach, expect, it, vi } from "vitest";

const fetched = vi.hoisted((): string[] => []);
/** Says that a script was fetched. */
const note = vi.hoisted(() => (name: string): object => ({ place: fetched.push(name) }));
const near = vi.hoisted((): [element: Element, come: () => void, model: string | null][] => []);
vi.mock("./nearness.js", () => ({
  whenNear: (...given: (typeof near)[number]) => near.push(given),
}));
vi.mock("./entries/heatmap.js", () => note("heatmap"));
vi.mock("./entries/lines.js", () => note("lines"));
vi.mock("./entries/grid.js", () => note("grid"));
vi.mock("./entries/head-scope.js", () => note("head-scope"));
vi.mock("./entries/tokens.js", () => {
  throw new Error("not reached");
});
vi.mock("./index.js", () => note("others"));

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const put = (tag: string, attributes: Record<string, string> = {}, in_?: ParentNode): Element => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  (in_ ?? document.body).append(element);
  return element;
};

let first: Element;
beforeAll(async () => {
  first = put("headscope-heatmap", { model: "models/en-fr" });
  await import("./loader.js");
});
beforeEach(() => {
  fetched.length = 0;
  near.length = 0;
});

it("a figure with a model or a file waits until it is near the window, any other does not", async () => {
  const file = put("headscope-lines", { src: "a.json" });
  const given = put("headscope-grid");
  const whole = put("head-scope");
  await vi.waitFor(() => expect(fetched).toEqual(["grid"]));
  expect([file, given, whole].map((one) => one.getAttribute("state"))).toEqual([
    ...["waiting", null, "waiting"],
  ]);
  expect(near.map(([element, , model]) => [element, model])).toEqual([
    [file, null],
    [whole, null],
  ]);
  for (const [, come] of near) come();
  await vi.waitFor(() => expect(fetched).toEqual(["grid", "lines", "head-scope"]));
});

it("elements of the page are found, in shadow roots too, each once", async () => {
  expect(first.getAttribute("state")).toBe("waiting");
  const outer = document.createElement("div");
  const root = outer.attachShadow({ mode: "open" });
  const inner = put("headscope-heatmap", { model: "./mine" }, root);
  put("p", {}, outer);
  document.body.append(outer);
  await settle();
  expect(near.map(([element, , model]) => [element, model])).toEqual([[inner, "./mine"]]);
  const later = put("headscope-heatmap", { src: "b.json" }, root);
  await settle();
  expect(near.slice(1).map(([element]) => element)).toEqual([later]);
  document.body.append(outer);
  await settle();
  expect(near).toHaveLength(2);
});

it("an element of the page gives its shadow root when it is defined", async () => {
  const host = put("page-of-ours");
  await settle();
  customElements.define(
    "page-of-ours",
    class extends HTMLElement {
      connectedCallback(): void {
        const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
        put("headscope-lines", { model: "in-it" }, root);
      }
    },
  );
  await settle();
  expect(host.shadowRoot).not.toBeNull();
  expect(near.map(([, , model]) => model)).toEqual(["in-it"]);
});

it("elements that show what they are given are in one script; others are left alone", async () => {
  put("headscope-bars");
  put("headscope-of-others", { model: "x" });
  await vi.waitFor(() => expect(fetched).toEqual(["others"]));
  expect(near).toEqual([]);
});

it.each([
  ["en", en["embed.unreached"]],
  ["zh-Hans", zh["embed.unreached"]],
])("says of an element that its script did not come, in %s", async (lang, sentence) => {
  document.documentElement.lang = lang;
  const told = vi.fn();
  document.body.addEventListener("headscope-failed", ({ detail }) => void told(detail));
  const tokens = put("headscope-tokens");
  await vi.waitFor(() => expect(tokens.getAttribute("state")).toBe("failed"));
  expect(tokens.querySelector("[role=alert]")?.textContent).toBe(sentence);
  expect(told.mock.calls).toEqual([[{ code: "load/unreached", sentence }]]);
  // What a page wrote into an element is shown in place of the sentence.
  const worded = document.createElement("headscope-tokens");
  worded.innerHTML = "<img alt='as a picture'>";
  document.body.append(worded);
  await vi.waitFor(() => expect(worded.getAttribute("state")).toBe("failed"));
  expect(worded.children).toHaveLength(1);
});

it("keeps room for what is to come", () => {
  const rules = document.adoptedStyleSheets.flatMap(({ cssRules }) =>
    Array.from(cssRules, ({ cssText }) => cssText),
  );
  const heightOf = (tag: string): string | undefined =>
    rules
      .map((rule) => rule.replace(/\s+/g, " "))
      .find((rule) => rule.startsWith(`${tag}[state]:not(:defined)`))
      ?.replace(/.*min-block-size: (\d+px).*/, "$1");
  expect(["headscope-heatmap", "headscope-tokens", "head-scope"].map(heightOf)).toEqual([
    ...["540px", "60px", "800px"],
  ]);
});
