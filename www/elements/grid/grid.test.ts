// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { ROLES, type HeadMeasures, type Tensor } from "../../data/index.js";
import { loadLanguage, message, setLanguage } from "../../i18n/index.js";
import { heard, mount } from "../testing/mount.js";
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

function press(element: HeadscopeGrid, ...keys: string[]): void {
  const target = element.renderRoot.querySelector("[role=grid]");
  for (const key of keys)
    target?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

afterEach(() => document.body.replaceChildren());

const NO_ROLES = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as HeadMeasures["roles"];

describe("<headscope-grid>", () => {
  it("lists its heads in a table on request, in the order that it shows them", async () => {
    const measures: HeadMeasures[] = [
      { layer: 1, head: 2, entropy: 1.5, distance: null, roles: { ...NO_ROLES, previous: 0.75 } },
    ];
    const element = await grid({
      measures,
      captions: [["previous token 0.93"]],
      silenced: [{ layer: 1, head: 2 }],
    });
    const toggle = element.renderRoot.querySelector<HTMLButtonElement>(".foot button");
    expect([toggle?.getAttribute("aria-expanded"), toggle?.textContent]).toEqual([
      "false",
      "Show the heads as a table",
    ]);
    toggle?.click();
    const rows = (): string[][] =>
      [...element.renderRoot.querySelectorAll("tr")].map((row) =>
        [...row.children].map(({ textContent }) => textContent.trim()),
      );
    await vi.waitFor(() => expect(rows()).toHaveLength(7));
    expect(toggle?.getAttribute("aria-expanded")).toBe("true");
    const [heads = [], first, ...others] = rows();
    expect(heads.slice(0, 4)).toEqual(["Head", "Role", "Entropy", "Mean distance"]);
    expect(heads).toContain("previous token (here)");
    expect(first?.slice(0, 4)).toEqual(["Layer 1, head 1", "previous token 0.93", "–", "–"]);
    const last = others.at(-1) ?? [];
    expect(last.slice(0, 4)).toEqual(["Layer 2, head 3, silenced", "–", "1.500 nats", "–"]);
    expect(last[heads.indexOf("previous token (here)")]).toBe("0.75");
    element.order = [{ layer: 1, head: 2, note: "0.88" }];
    await element.updateComplete;
    expect(rows().map((row) => row.slice(0, 2))).toEqual([
      ["Head", "value"],
      ["Layer 2, head 3, silenced", "0.88"],
    ]);
    toggle?.click();
    await vi.waitFor(() => expect(element.renderRoot.querySelector("table")).toBeNull());
  });

  it("makes rows of one layer where all heads would be too many", async () => {
    const measures = Array.from(
      { length: 480 },
      (_, at): HeadMeasures => ({
        layer: Math.floor(at / 20),
        head: at % 20,
        entropy: at,
        distance: 1,
        roles: NO_ROLES,
      }),
    );
    const element = await grid({
      thumbnails: thumbnails(24, 20),
      measures,
      selected: { layer: 3, head: 0 },
    });
    element.renderRoot.querySelector<HTMLButtonElement>(".foot button")?.click();
    await vi.waitFor(() =>
      expect(element.renderRoot.querySelectorAll("tbody tr")).toHaveLength(20),
    );
    expect(element.renderRoot.querySelector(".numbers p")?.textContent).toBe(
      "The numbers of one row at a time: Layer 4",
    );
    expect(element.renderRoot.querySelector("tbody th")?.textContent).toBe("Layer 4, head 1");
  });

  it("says a few words of each head that has them", async () => {
    const element = await grid({ captions: [["previous token 0.93"]] });
    const [first, second] = [...element.renderRoot.querySelectorAll<HTMLElement>("button.head")];
    expect([first?.title, first?.getAttribute("aria-label")]).toEqual([
      "previous token 0.93",
      "Layer 1, head 1: previous token 0.93",
    ]);
    expect([second?.hasAttribute("title"), second?.getAttribute("aria-label")]).toEqual([
      false,
      "Layer 1, head 2",
    ]);
  });

  it("shows the role that each head wears in as many words as there is room for, and names every sign", async () => {
    const worn = [
      [
        { role: "previous", score: 0.826 },
        { role: "none", score: null },
        { role: "first", score: 0.7 },
      ],
    ] as const;
    const captions = [["previous token 0.83", "no single role", "first token 0.70"]];
    const element = await grid({ worn, captions });
    const shown = (): (string | undefined)[] =>
      [...element.renderRoot.querySelectorAll(".worn")].map(({ textContent }) =>
        textContent.replace(/\s+/g, " ").trim(),
      );
    const room = async (width: number): Promise<void> => {
      Object.assign(Reflect.get(element, "size") as object, { width });
      element.requestUpdate();
      await element.updateComplete;
    };
    await room(200);
    expect(shown()).toEqual(["previous 0.83", "–", "first 0.70"]);
    expect(element.renderRoot.querySelector(".sign")).toBeNull();
    await room(110);
    expect(shown()).toEqual(["P 0.83", "–", "F 0.70"]);
    const signs = [...element.renderRoot.querySelectorAll(".sign")].map(({ textContent }) =>
      textContent.trim(),
    );
    expect(signs).toEqual(["P previous token", "F first token", "– no single role"]);
    // Room for a score below every head, so that no row is higher than another; nothing steps back.
    const looks = (): string[] =>
      [...element.renderRoot.querySelectorAll(".worn")].map(({ classList }) =>
        [...classList].sort().join(" "),
      );
    expect(looks()).toEqual(["scored worn", "none scored worn", "scored worn"]);
    await room(60);
    expect(shown()).toEqual(["P", "–", "F"]);
    expect(looks()).toEqual(["worn", "none worn", "worn"]);
    expect(
      [...element.renderRoot.querySelectorAll<HTMLElement>(".worn")].map((below) => [
        below.title,
        below.getAttribute("aria-hidden"),
      ]),
    ).toEqual(captions[0]?.map((caption) => [caption, "true"]));
    expect(heads(element)[0]?.getAttribute("aria-label")).toBe(
      "Layer 1, head 1: previous token 0.83",
    );
    element.order = [{ layer: 0, head: 2, note: "0.70 · 0.65" }];
    await element.updateComplete;
    expect(shown()).toEqual(["first 0.70"]);
  });

  it("has a sign of its own for every role, in either language", async () => {
    for (const code of ["en", "zh-CN"] as const) {
      await loadLanguage(code);
      setLanguage(code);
      const roles = [...ROLES.map(({ role }) => role), "none" as const];
      expect(new Set(roles.map((role) => message(`role.${role}.sign`))).size).toBe(roles.length);
      for (const role of roles) expect(message(`role.${role}.sign`)).toHaveLength(1);
    }
    setLanguage("en");
  });

  it("numbers layers and heads from one and names every head", async () => {
    const element = await grid({ silenced: [{ layer: 1, head: 2 }] });
    expect(heads(element).map((head) => head.getAttribute("aria-label"))).toEqual([
      "Layer 1, head 1",
      "Layer 1, head 2",
      "Layer 1, head 3",
      "Layer 2, head 1",
      "Layer 2, head 2",
      "Layer 2, head 3, silenced",
    ]);
    const numbers = [...element.renderRoot.querySelectorAll(".number")].map((number) =>
      number.textContent.trim(),
    );
    expect(numbers).toEqual(["1", "2", "3", "1", "2"]);
  });

  it("marks the selected head, and the Tab key lands on it", async () => {
    const element = await grid({ selected: { layer: 1, head: 0 } });
    const selected = element.renderRoot.querySelectorAll("[aria-selected=true]");
    expect(selected).toHaveLength(1);
    expect(selected[0]?.querySelector(".head")).toBe(heads(element)[3]);
    expect(heads(element).map((head) => head.tabIndex)).toEqual([-1, -1, -1, 0, -1, -1]);
  });

  it("says which head is chosen and which is to be silenced", async () => {
    const element = await grid();
    const chosen = heard(element, "headscope-head-select");
    const toggled = heard(element, "headscope-head-toggle");
    heads(element)[4]?.click();
    element.renderRoot.querySelectorAll<HTMLButtonElement>(".silence")[2]?.click();
    expect(chosen).toEqual([{ layer: 1, head: 1 }]);
    expect(toggled).toEqual([{ layer: 0, head: 2 }]);
  });

  it("walks by arrow keys, stops at the edges, silences by key", async () => {
    const element = await grid({ selected: { layer: 0, head: 1 } });
    const previews = heard(element, "headscope-head-hover");
    const toggled = heard(element, "headscope-head-toggle");
    press(
      element,
      "ArrowDown",
      "ArrowRight",
      "s",
      "ArrowRight",
      "ArrowDown",
      "Delete",
      "Home",
      "s",
    );
    await element.updateComplete;
    expect(previews.filter((head) => head !== null)).toEqual([
      { layer: 1, head: 1 },
      { layer: 1, head: 2 },
      { layer: 1, head: 0 },
    ]);
    expect(toggled).toEqual([
      { layer: 1, head: 2 },
      { layer: 1, head: 2 },
      { layer: 1, head: 0 },
    ]);
    expect(heads(element)[3]?.tabIndex).toBe(0);
  });

  it("leaves the page's own shortcuts alone", async () => {
    const element = await grid();
    const toggled = heard(element, "headscope-head-toggle");
    element.renderRoot
      .querySelector("[role=grid]")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true, bubbles: true }));
    expect(toggled).toEqual([]);
  });

  it("shows some heads in another order, each with its words, and draws each its own picture", async () => {
    const order = [
      { layer: 1, head: 2, note: "0.90" },
      { layer: 0, head: 1, note: "" },
    ];
    const element = await grid({
      order,
      selected: { layer: 0, head: 1 },
      captions: [[], ["", "", "broad"]],
    });
    expect(element.renderRoot.querySelector("[role=grid]")).toBeNull();
    expect(element.renderRoot.querySelector("ul")?.getAttribute("aria-label")).toBe(
      "Heads, Encoder: 2 of them, in order",
    );
    expect(heads(element).map((head) => head.getAttribute("aria-label"))).toEqual([
      "Layer 2, head 3: broad, 0.90",
      "Layer 1, head 2",
    ]);
    expect(
      heads(element).map((head) => [head.tabIndex, head.getAttribute("aria-current")]),
    ).toEqual([
      [-1, null],
      [0, "true"],
    ]);
    expect(heads(element).map(({ dataset }) => dataset.at)).toEqual(["1.2", "0.1"]);
    // However many heads: a canvas for each would be a layer for each.
    expect(element.renderRoot.querySelectorAll("canvas")).toHaveLength(1);
  });

  it("walks a list, stays in it when the chosen head is not there, and leaves out what has no picture", async () => {
    const order = [0, 1, 2].map((head) => ({ layer: 1, head, note: "" }));
    const element = await grid({
      order: [...order, { layer: 7, head: 0, note: "" }],
      selected: { layer: 0, head: 0 },
    });
    expect(heads(element).map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
    const previews = heard(element, "headscope-head-hover");
    const list = element.renderRoot.querySelector("ul");
    for (const key of ["ArrowRight", "End", "ArrowRight", "Home"])
      list?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    expect(previews.filter((head) => head !== null).map((head) => head.head)).toEqual([1, 2, 0]);
  });

  it("keeps its place inside a smaller model", async () => {
    const element = await grid({ selected: { layer: 1, head: 2 } });
    element.thumbnails = thumbnails(1, 1);
    await element.updateComplete;
    expect(heads(element).map((head) => head.tabIndex)).toEqual([0]);
  });

  it("lets the Tab key in when the pictures arrive after the choice", async () => {
    const element = await grid({ thumbnails: null, selected: { layer: 1, head: 1 } });
    element.thumbnails = thumbnails(2, 3);
    await element.updateComplete;
    expect(heads(element).map((head) => head.tabIndex)).toEqual([-1, -1, -1, -1, 0, -1]);
  });

  it("says so when there is nothing to show", async () => {
    const element = await grid({ thumbnails: null });
    expect(element.renderRoot.querySelector("[role=grid]")).toBeNull();
    expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
  });
});
