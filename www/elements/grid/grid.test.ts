// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { ROLES, type HeadMeasures, type Tensor } from "../../data/index.js";
import { eventsOf, mount, put, rowsOf } from "../testing/mount.js";
import { HeadscopeGrid } from "./element.js";

const thumbnails = (layers: number, heads: number): Tensor => ({
  data: new Float32Array(layers * heads * 4),
  shape: [layers, heads, 2, 2],
  axes: ["layer", "head", "query", "key"],
});
const grid = (properties: Partial<HeadscopeGrid> = {}): Promise<HeadscopeGrid> =>
  mount(new HeadscopeGrid(), { thumbnails: thumbnails(2, 3), ...properties });

const heads = (element: HeadscopeGrid): HTMLButtonElement[] => [
  ...element.renderRoot.querySelectorAll<HTMLButtonElement>(".head"),
];
const names = (element: HeadscopeGrid): (string | null)[] =>
  heads(element).map((head) => head.getAttribute("aria-label"));
const stops = (element: HeadscopeGrid): number[] => heads(element).map(({ tabIndex }) => tabIndex);
const worn = (element: HeadscopeGrid): HTMLElement[] => [
  ...element.renderRoot.querySelectorAll<HTMLElement>(".role"),
];
const textsOf = (elements: Iterable<Element>): string[] =>
  Array.from(elements, ({ textContent }) => textContent.replace(/\s+/g, " ").trim());
function press(element: HeadscopeGrid, keys: string, more: KeyboardEventInit = {}): void {
  const target = element.renderRoot.querySelector("[role=grid], [role=list]");
  for (const key of keys.split(" "))
    target?.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
    );
}
/** The heads that were said under one name, as layer and head. */
const places = (said: readonly ({ layer: number; head: number } | null)[]): string =>
  said.flatMap((one) => (one ? [`${one.layer}.${one.head}`] : [])).join(" ");

afterEach(() => document.body.replaceChildren());

const NO_ROLES = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as HeadMeasures["roles"];

describe("<headscope-grid>", () => {
  it("lists its heads in a table on request, in the order that it shows them", async () => {
    const element = await grid({
      measures: [
        { layer: 1, head: 2, entropy: 1.5, distance: null, roles: { ...NO_ROLES, previous: 0.75 } },
      ],
      captions: [["previous token 0.93"]],
      silenced: [{ layer: 1, head: 2 }],
    });
    const toggle = element.renderRoot.querySelector<HTMLButtonElement>(".foot button");
    toggle?.click();
    await vi.waitFor(() => expect(rowsOf(element)).toHaveLength(7));
    expect(toggle?.getAttribute("aria-expanded")).toBe("true");
    const [titles = [], first, ...others] = rowsOf(element);
    const last = others.at(-1) ?? [];
    expect(titles.slice(0, 4)).toEqual(["Head", "Role", "Entropy", "Mean distance"]);
    expect(first?.slice(0, 4)).toEqual(["Layer 1, head 1", "previous token 0.93", "–", "–"]);
    expect(last.slice(0, 4)).toEqual(["Layer 2, head 3, silenced", "–", "1.500 nats", "–"]);
    expect(last[titles.indexOf("previous token (here)")]).toBe("0.75");
    await put(element, { order: [{ layer: 1, head: 2, note: "0.88" }] });
    expect(rowsOf(element).map((row) => row.slice(0, 2))).toEqual([
      ["Head", "value"],
      ["Layer 2, head 3, silenced", "0.88"],
    ]);
    toggle?.click();
    await vi.waitFor(() => expect(element.renderRoot.querySelector("table")).toBeNull());
  });

  it("shows the role that each head wears in as many words as there is room for, and names every sign", async () => {
    const captions = [["previous token 0.83", "no single role", "first token 0.70"]];
    const element = await grid({
      roles: [
        [
          { role: "previous", score: 0.826 },
          { role: "none", score: null },
          { role: "first", score: 0.7 },
        ],
      ],
      captions,
    });
    const room = async (width: number): Promise<string[]> => {
      Object.assign(Reflect.get(element, "size") as object, { width });
      element.requestUpdate();
      await element.updateComplete;
      return textsOf(worn(element));
    };
    const signs = (): string[] => textsOf(element.renderRoot.querySelectorAll(".sign"));
    expect([await room(200), signs()]).toEqual([["previous 0.83", "–", "first 0.70"], []]);
    expect(await room(110)).toEqual(["P 0.83", "–", "F 0.70"]);
    expect(signs()).toEqual(["P previous token", "F first token", "– no single role"]);
    // Room for a score below every head, so that no row is higher than another; nothing steps back.
    const looks = (): string[] =>
      worn(element).map(({ classList }) => [...classList].sort().join(" "));
    expect(looks()).toEqual(["role scored", "none role scored", "role scored"]);
    expect(await room(60)).toEqual(["P", "–", "F"]);
    expect(looks()).toEqual(["role", "none role", "role"]);
    expect(worn(element).map(({ title }) => title)).toEqual(captions[0]);
    expect(names(element)[0]).toBe("Layer 1, head 1: previous token 0.83");
    await put(element, { order: [{ layer: 0, head: 2, note: "0.70 · 0.65" }] });
    expect(textsOf(worn(element))).toEqual(["first 0.70"]);
  });

  it("numbers layers and heads from one, names every head, and marks the selected one, on which the Tab key lands", async () => {
    const element = await grid({
      silenced: [{ layer: 1, head: 2 }],
      captions: [["previous token 0.93"]],
      selected: { layer: 1, head: 0 },
    });
    expect(names(element)).toEqual([
      "Layer 1, head 1: previous token 0.93",
      "Layer 1, head 2",
      "Layer 1, head 3",
      "Layer 2, head 1",
      "Layer 2, head 2",
      "Layer 2, head 3, silenced",
    ]);
    expect(heads(element)[0]?.title).toBe("previous token 0.93");
    expect(textsOf(element.renderRoot.querySelectorAll(".number"))).toEqual([
      "1",
      "2",
      "3",
      "1",
      "2",
    ]);
    const selected = element.renderRoot.querySelectorAll("[aria-selected=true]");
    expect([selected.length, selected[0]?.querySelector(".head")]).toEqual([1, heads(element)[3]]);
    expect(stops(element)).toEqual([-1, -1, -1, 0, -1, -1]);
    // A smaller model, and pictures that arrive after the choice.
    await put(element, { thumbnails: thumbnails(1, 1) });
    expect(stops(element)).toEqual([0]);
    await put(element, { thumbnails: null });
    expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
    await put(element, { thumbnails: thumbnails(2, 3) });
    expect(stops(element)).toEqual([-1, -1, -1, 0, -1, -1]);
  });

  it("shows some heads in another order, each with its words, on one canvas, and leaves out what has no picture", async () => {
    const element = await grid({
      order: [
        { layer: 1, head: 2, note: "0.90" },
        { layer: 0, head: 1, note: "" },
        { layer: 7, head: 0, note: "" },
      ],
      selected: { layer: 0, head: 1 },
      captions: [[], ["", "", "broad"]],
    });
    expect(element.renderRoot.querySelector("[role=grid]")).toBeNull();
    expect(element.renderRoot.querySelector("ul")?.getAttribute("aria-label")).toBe(
      "Heads, Encoder: 2 of them, in order",
    );
    expect(names(element)).toEqual(["Layer 2, head 3: broad, 0.90", "Layer 1, head 2"]);
    expect(stops(element)).toEqual([-1, 0]);
    expect(heads(element).map((head) => head.getAttribute("aria-current"))).toEqual([null, "true"]);
    expect(element.renderRoot.querySelectorAll("canvas")).toHaveLength(1);
  });

  it("walks a list, and begins in it when the chosen head is not there", async () => {
    const order = [0, 1, 2].map((head) => ({ layer: 1, head, note: "" }));
    const element = await grid({ order, selected: { layer: 0, head: 0 } });
    const hovered = eventsOf(element, "headscope-head-hover");
    expect(stops(element)).toEqual([0, -1, -1]);
    press(element, "ArrowRight End ArrowRight Home");
    expect(places(hovered)).toBe("1.1 1.2 1.0");
  });
});
