// @vitest-environment happy-dom
// @isolate: the figures here are without their pictures.
// Height and theme that a page gives a figure, and attributes that no figure has.
import { LitElement } from "lit";
import { afterEach, expect, it, vi } from "vitest";
import { STATE_ATTRIBUTES } from "../state/index.js";
import { OF_FIGURES } from "./attributes.js";
import { FigureController } from "./figure.js";
import type { FigureTag } from "./heights.js";

/** A figure without its picture. */
class Figure extends LitElement {
  static override properties = { comfortableHeight: { attribute: "comfortable-height" } };
  highest: number | null = null;

  constructor() {
    super();
    new FigureController(this);
  }
}
for (const tag of ["headscope-heatmap", "headscope-lines", "headscope-grid"])
  customElements.define(tag, class extends Figure {});

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

function put(tag: FigureTag, attributes: Record<string, string>): Figure {
  const figure = document.createElement(tag) as unknown as Figure;
  for (const [name, value] of Object.entries(attributes)) figure.setAttribute(name, value);
  document.body.append(figure);
  return figure;
}
const rules = (figure: Figure): string =>
  (figure.shadowRoot?.adoptedStyleSheets ?? [])
    .flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText.replace(/\s+/g, " ")))
    .filter((rule) => rule.startsWith(":host { block-size"))
    .join();
const notice = (figure: Figure): string =>
  figure.shadowRoot?.querySelector(".notice")?.textContent.trim().replace(/\s+/g, " ") ?? "";

it("gives a figure its height, and its picture what the line under it and the caption leave", async () => {
  const figure = put("headscope-heatmap", { height: "320" });
  // The first of them waits for what knows attributes to be imported.
  await vi.waitFor(() => expect(figure.highest).toBe(280), { timeout: 20_000 });
  expect(rules(figure)).toMatch(/block-size: 320px; overflow: auto/);
  figure.setAttribute("caption", "");
  await vi.waitFor(() => expect(figure.highest).toBe(253));
  figure.setAttribute("height", "80");
  // A picture has a least height, to which the figure is scrolled.
  await vi.waitFor(() => expect(figure.highest).toBe(160));
  figure.removeAttribute("height");
  await vi.waitFor(() => expect([figure.highest, rules(figure)]).toEqual([null, ""]));
});

it("leaves the height that a script gave a picture, and keeps the room that a page asks for", async () => {
  const figure = document.createElement("headscope-heatmap") as unknown as Figure;
  figure.highest = 210;
  document.body.append(figure);
  expect(figure.highest).toBe(210);
  const waiting = put("headscope-heatmap", { height: "200", src: "a.json" });
  expect(waiting.getAttribute("state")).toBe("waiting");
  // The last of equal rules decides.
  await vi.waitFor(() => expect(rules(waiting)).toMatch(/block-size: 200px[^,]*$/));
});

it("gives a figure a theme of its own, or that of its page", async () => {
  const figure = put("headscope-heatmap", { theme: "dark" });
  await vi.waitFor(() => expect(figure.dataset.theme).toBe("dark"));
  figure.setAttribute("theme", "system");
  await vi.waitFor(() => expect(figure.dataset.theme).toBeUndefined());
  figure.setAttribute("theme", "light");
  await vi.waitFor(() => expect(figure.dataset.theme).toBe("light"));
  expect(figure.hasAttribute("state")).toBe(false);
});

it.each([
  ["height", "0", "320", "1, 2, 3 …"],
  ["height", "50%", "320", "1, 2, 3 …"],
  ["theme", "drak", "dark", "system | light | dark"],
])("refuses %s=%j, until it can be read", async (name, wrong, right, form) => {
  const figure = put("headscope-heatmap", { [name]: wrong });
  // The first of them waits for the sentences to be imported.
  await vi.waitFor(() => expect(figure.getAttribute("state")).toBe("failed"), { timeout: 20_000 });
  expect(notice(figure)).toContain(
    `Cannot read the attribute ${name}="${wrong}". Expected: ${form}.`,
  );
  figure.setAttribute(name, right);
  await vi.waitFor(() => expect(figure.hasAttribute("state")).toBe(false));
  expect(notice(figure)).toBe("");
});

it("knows the fields of a State that a figure has", () => {
  const ofExplorers =
    "role-filter sort picked picture experiment numbers training tour lesson language".split(" ");
  const known = STATE_ATTRIBUTES.filter((name) => !ofExplorers.includes(name));
  expect(known.filter((name) => !OF_FIGURES.includes(name))).toEqual([]);
  const own = ["src", "caption", "state", "computed-by", "height"];
  expect(OF_FIGURES.filter((name) => !STATE_ATTRIBUTES.includes(name))).toEqual(own);
});

it("names an attribute that a figure does not have, once for its tag", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const known = { layer: "2", theme: "light", "comfortable-height": "300", src: "a.json" };
  const foreign = {
    id: "a",
    "data-x": "",
    "aria-label": "",
    onclick: "",
    ":key": "",
    "@click": "",
  };
  const more = { "v-if": "", _ngcontent: "", slot: "a", style: "", "x-data": "", itemprop: "b" };
  const figure = put("headscope-heatmap", { ...known, ...foreign, ...more, colors: "viridis" });
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), { timeout: 20_000 });
  const [[sentence] = []] = warn.mock.calls;
  expect(sentence).toMatch(
    /^<headscope-heatmap> has no attribute “colors”, which changes nothing\. It has: .*colours.*\.$/,
  );
  put("headscope-heatmap", { colors: "gray" });
  put("headscope-grid", { colors: "gray" });
  figure.setAttribute("layers", "3");
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(3));
  const words = new Set(warn.mock.calls.slice(1).map(([text]) => String(text).split(",")[0]));
  expect(words).toEqual(
    new Set([
      "<headscope-grid> has no attribute “colors”",
      "<headscope-heatmap> has no attribute “layers”",
    ]),
  );
});
