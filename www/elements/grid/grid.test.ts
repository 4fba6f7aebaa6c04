// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { ROLES, type HeadMeasures, type Tensor } from "../../data/index.js";
import { all, eventsOf, mount, press, put, rowsOf, tabulate, textsOf } from "../testing/mount.js";
import { HeadscopeGrid } from "./element.js";

const thumbnails = (layers: number, heads: number): Tensor => ({
  data: new Float32Array(layers * heads * 4),
  shape: [layers, heads, 2, 2],
  axes: ["layer", "head", "query", "key"],
});
const grid = (properties: Partial<HeadscopeGrid> = {}): Promise<HeadscopeGrid> =>
  mount(new HeadscopeGrid(), { thumbnails: thumbnails(2, 3), ...properties });
const attributes = (element: HeadscopeGrid, name: string): (string | null)[] =>
  all(element, ".head").map((head) => head.getAttribute(name));
const names = (element: HeadscopeGrid): (string | null)[] => attributes(element, "aria-label");
const stops = (element: HeadscopeGrid): number[] => attributes(element, "tabindex").map(Number);

afterEach(() => document.body.replaceChildren());

describe("<headscope-grid>", () => {
  it("lists its heads in a table on request, in the order that it shows them", async () => {
    const nothing = Object.fromEntries(ROLES.map(({ role }) => [role, null]));
    const roles = { ...(nothing as HeadMeasures["roles"]), previous: 0.75 };
    const element = await grid({
      measures: [{ layer: 1, head: 2, entropy: 1.5, distance: null, roles }],
      captions: [["previous token 0.93"]],
      ablated: [{ layer: 1, head: 2 }],
    });
    await tabulate(element);
    const rows = rowsOf(element);
    const titles = rows[0] ?? [];
    expect(rows).toHaveLength(7);
    expect(titles.slice(0, 4)).toEqual(["Layer · head", "Role", "Entropy", "Mean distance"]);
    expect(rows[1]?.slice(0, 4)).toEqual(["1 · 1", "previous token 0.93", "–", "–"]);
    expect(rows[6]?.slice(0, 4)).toEqual(["2 · 3 (ablated)", "–", "1.500 nats", "–"]);
    expect(rows[6]?.[titles.indexOf("previous token (here)")]).toBe("0.75");
    await put(element, { order: [{ layer: 1, head: 2, note: "0.88" }] });
    expect(rowsOf(element).map((row) => row.slice(0, 2))).toEqual([
      ["Layer · head", "value"],
      ["2 · 3 (ablated)", "0.88"],
    ]);
    await tabulate(element);
    expect(all(element, "table")).toEqual([]);
  });

  it.each<[highest: number | null, heads: object, column: string]>([
    [null, {}, ""],
    // Six rows with a gap of 8 below the numbers.
    [200, {}, "26px"],
    [1000, {}, "84px"],
    // Smaller, a pattern would not be seen: the grid scrolls.
    [60, {}, "20px"],
    [300, { roles: [[{ role: "first", score: 0.5 }]] }, "20px"],
    [200, { order: [{ layer: 0, head: 0, note: "" }] }, ""],
  ])("in a height of %s px a table of %j has columns of %j", async (highest, given, column) => {
    const element = await grid({ thumbnails: thumbnails(6, 3), highest, ...given });
    const [table] = all(element, ".grid, .list");
    expect(table?.style.getPropertyValue("--column")).toBe(column);
  });

  it("shows roles by name, sign or sign alone, as there is room, and names every sign", async () => {
    const captions = [["previous token 0.83", "no role", "first token 0.70"]];
    const none = { role: "none", score: null } as const;
    const first = { role: "first", score: 0.7 } as const;
    const roles = [[{ role: "previous", score: 0.826 } as const, none, first]];
    const element = await grid({ roles, captions });
    const shown = async (width: number): Promise<string[][]> => {
      Object.assign(Reflect.get(element, "size") as object, { width });
      element.requestUpdate();
      await element.updateComplete;
      const looks = all(element, ".role").map(({ classList }) => [...classList].sort().join(" "));
      return [textsOf(element, ".role"), looks];
    };
    // Room for a score below every head, so that no row is higher than another.
    const scored = ["role scored", "muted role scored", "role scored"];
    expect(await shown(200)).toEqual([["previous 0.83", "–", "first 0.70"], scored]);
    expect(all(element, ".sign")).toEqual([]);
    expect(await shown(110)).toEqual([["P 0.83", "–", "F 0.70"], scored]);
    const signs = ["P previous token", "F first token", "– no role"];
    expect(textsOf(element, ".sign")).toEqual(signs);
    expect(await shown(60)).toEqual([
      ["P", "–", "F"],
      ["role", "muted role", "role"],
    ]);
    expect(all(element, ".role").map(({ title }) => title)).toEqual(captions[0]);
    expect(names(element)[0]).toBe("Layer 1, head 1: previous token 0.83");
    await put(element, { order: [{ layer: 0, head: 2, note: "0.70 · 0.65" }] });
    expect(textsOf(element, ".role")).toEqual(["first 0.70"]);
  });

  it("numbers layers and heads from one, names every head, and gives the Tab key the selected one", async () => {
    const element = await grid({
      ablated: [{ layer: 1, head: 2 }],
      captions: [["previous token 0.93"]],
      selected: { layer: 1, head: 0 },
    });
    expect(names(element)).toEqual([
      "Layer 1, head 1: previous token 0.93",
      ...["Layer 1, head 2", "Layer 1, head 3", "Layer 2, head 1", "Layer 2, head 2"],
      "Layer 2, head 3, ablated",
    ]);
    expect(textsOf(element, ".number")).toEqual(["1", "2", "3", "1", "2"]);
    const [selected] = all(element, "[aria-selected=true]");
    expect(selected?.querySelector(".head")).toBe(all(element, ".head")[3]);
    expect(stops(element)).toEqual([-1, -1, -1, 0, -1, -1]);
    // A smaller model, and pictures that arrive after the choice.
    await put(element, { thumbnails: thumbnails(1, 1) });
    expect(stops(element)).toEqual([0]);
    await put(element, { thumbnails: null });
    expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
    await put(element, { thumbnails: thumbnails(2, 3) });
    expect(stops(element)).toEqual([-1, -1, -1, 0, -1, -1]);
  });

  it("shows some heads in another order, each with its note, and leaves out what has no picture", async () => {
    const element = await grid({
      order: [
        { layer: 1, head: 2, note: "0.90" },
        { layer: 0, head: 1, note: "" },
        { layer: 7, head: 0, note: "" },
      ],
      selected: { layer: 0, head: 1 },
      captions: [[], ["", "", "broad"]],
    });
    expect(all(element, "[role=grid]")).toEqual([]);
    const [list] = all(element, "[role=list]");
    expect(list?.getAttribute("aria-label")).toBe("Heads, Encoder: 2 in order");
    expect(names(element)).toEqual(["Layer 2, head 3: broad, 0.90", "Layer 1, head 2"]);
    expect(stops(element)).toEqual([-1, 0]);
    expect(attributes(element, "aria-current")).toEqual([null, "true"]);
  });

  it.each([
    [0, { order: [0, 1, 2].map((head) => ({ layer: 1, head, note: "" })) }, "1.1 1.2 1.0"],
    [0, {}, "0.1 0.2 0.0"],
    [5, {}, "0.1 0.2 0.0"],
  ])("moves by keys, from its first head if it lacks the selected one: %i, %j", async (...row) => {
    const [layer, properties, places] = row;
    const element = await grid({ ...properties, selected: { layer, head: 0 } });
    const hovered = eventsOf(element, "headscope-head-hover");
    expect(stops(element).indexOf(0)).toBe(0);
    await press(element, "ArrowRight", "End", "ArrowRight", "Home");
    const moves = hovered.flatMap((at) => (at ? [`${at.layer}.${at.head}`] : []));
    expect(moves.join(" ")).toBe(places);
  });

  it("says which head is pointed at, chosen, ablated and shown alone, by pointer and by key", async () => {
    const element = await grid({ selected: { layer: 1, head: 1 }, ablated: [] });
    const sent: unknown[][] = [];
    const names = ["hover", "select", "toggle", "solo"].map(
      (of) => `headscope-head-${of}` as const,
    );
    for (const name of names)
      element.addEventListener(name, (event) =>
        sent.push([name.split("-").at(-1), (event as CustomEvent).detail]),
      );
    const head = element.renderRoot.querySelector<HTMLElement>('[data-at="1.2"]');
    const enter = (pointerType: string): unknown =>
      head?.dispatchEvent(new PointerEvent("pointerenter", { pointerType }));
    const at = { layer: 1, head: 2 };
    // A finger that scrolls past points at nothing.
    enter("touch");
    expect(sent).toEqual([]);
    enter("mouse");
    head?.click();
    head?.dispatchEvent(new MouseEvent("dblclick"));
    (head?.nextElementSibling as HTMLElement | null)?.click();
    expect(sent.splice(0)).toEqual([
      ["hover", at],
      ["select", at],
      ["solo", { ...at, heads: 3 }],
      ["toggle", at],
    ]);
    const left = { layer: 1, head: 1 };
    await press(element, "s", "Delete", "o", "x");
    expect(sent.splice(0)).toEqual([
      ["toggle", left],
      ["toggle", left],
      ["solo", { ...left, heads: 3 }],
    ]);
    all(element, "[role=grid]")[0]?.dispatchEvent(new PointerEvent("pointerleave"));
    expect(sent).toEqual([["hover", null]]);
  });

  it("has no control for ablating unless its page says which heads are ablated", async () => {
    const element = await grid();
    const sent = ["toggle", "solo"].map((of) =>
      eventsOf(element, `headscope-head-${of as "toggle" | "solo"}`),
    );
    const use = async (): Promise<number> => {
      await press(element, "s", "o");
      all(element, ".head")[0]?.dispatchEvent(new MouseEvent("dblclick"));
      return sent.flat().length;
    };
    const help = (): string | undefined => textsOf(element, "#help")[0];
    expect([all(element, ".ablate").length, await use()]).toEqual([0, 0]);
    expect(help()).toBe("Arrow keys move, Enter selects.");
    await put(element, { ablated: [] });
    expect([all(element, ".ablate").length, await use()]).toEqual([6, 3]);
    expect(help()).toMatch(/S ablates/);
    await put(element, { ablated: [{ layer: 0, head: 1 }], plain: true });
    expect([all(element, ".ablate").length, all(element, ".ablated").length]).toEqual([0, 1]);
  });

  it("moves in rows of as many heads as stand beside each other", async () => {
    const order = Array.from({ length: 6 }, (_, at) => ({
      layer: Math.floor(at / 3),
      head: at % 3,
      note: "",
    }));
    const element = await grid({ order, selected: { layer: 0, head: 0 } });
    // Four of six in the first row.
    all(element, "[role=listitem]").forEach((item, at) =>
      Object.defineProperty(item, "offsetTop", { value: at < 4 ? 8 : 40 }),
    );
    const hovered = eventsOf(element, "headscope-head-hover");
    await press(element, "ArrowRight", "ArrowDown", "ArrowUp", "End", "ArrowDown");
    const moves = hovered.flatMap((one) => (one ? [`${one.layer}.${one.head}`] : []));
    // Below the last of a row there is none: the last of all.
    expect(moves.join(" ")).toBe("0.1 1.2 0.1 1.0 1.2");
    const whole = await grid({ selected: { layer: 0, head: 0 } });
    const reached = eventsOf(whole, "headscope-head-hover");
    await press(whole, "PageDown", "ArrowRight", "PageUp");
    const paged = reached.flatMap((one) => (one ? [`${one.layer}.${one.head}`] : []));
    expect(paged.join(" ")).toBe("1.0 1.1 0.1");
  });
});
