// @vitest-environment happy-dom
// What a user does in a figure that works alone, what each figure without pairs of tokens shows,
// and when a figure that has left its page lets its model go.
import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failed, FakeModel, FakeRun, FAKE_WRITER } from "../../tests/support/fake-model.js";
import { fakePool } from "../../tests/support/fake-pool.js";
import type { Edits } from "../data/index.js";
import type { HeadscopeEvents } from "../elements/index.js";
import { models } from "../session/models/model-pool.js";
import { FigureController } from "./figure.js";
import type { FigureTag } from "./heights.js";

vi.mock("./nearness.js", () => ({
  whenNear: (_: Element, then: () => void) => {
    then();
    return () => undefined;
  },
}));

type Name = FigureTag extends `headscope-${infer Rest}` ? Rest : never;

/** A figure without its picture: nothing is painted. */
function put(name: Name, attributes: Record<string, string> = {}): LitElement & Shown {
  const tag = `headscope-${name}`;
  if (!customElements.get(tag))
    customElements.define(
      tag,
      class extends LitElement {
        constructor() {
          super();
          new FigureController(this);
        }
      },
    );
  const figure = document.createElement(tag);
  const asked = { model: "./mine", text: "one two three", stack: "cross", layer: "2", head: "5" };
  for (const [attribute, value] of Object.entries({ ...asked, ...attributes }))
    figure.setAttribute(attribute, value);
  document.body.append(figure);
  return figure as LitElement & Shown;
}

/** What a figure is given to show. */
type Shown = Readonly<Record<string, unknown>>;

let model: FakeModel;
const loaded: FakeModel[] = [];
beforeEach(() => {
  model = new FakeModel();
  const load = fakePool(() => {
    loaded.push(model);
    return Promise.resolve(model);
  });
  vi.spyOn(models, "load").mockImplementation(load);
});
afterEach(async () => {
  document.body.replaceChildren();
  // A run that is still held would be that of the next figure, too.
  await vi.waitFor(() => expect(loaded.filter(({ held }) => held.size > 0)).toEqual([]));
  loaded.length = 0;
  vi.restoreAllMocks();
});

const ready = (figure: LitElement): Promise<void> =>
  vi.waitFor(() => expect(figure.getAttribute("state")).toBe("ready"), { timeout: 4000 });
const say = <Event extends keyof HeadscopeEvents>(
  figure: LitElement,
  name: Event,
  detail: HeadscopeEvents[Event],
): boolean => figure.dispatchEvent(new CustomEvent(name, { detail }));
/** The edits of the newest run, once there have been so many. */
async function editsOf(count: number): Promise<Edits> {
  await vi.waitFor(() => expect(model.inputs).toHaveLength(count));
  return model.inputs.at(-1)?.edits ?? {};
}

describe("what a user does in a figure", () => {
  it("blocks the cells of a stroke, and opens them again", async () => {
    const figure = put("heatmap", { stack: "encoder", layer: "1", head: "1" });
    await ready(figure);
    const cells = [
      { query: 0, key: 1 },
      { query: 2, key: 3 },
    ];
    say(figure, "headscope-cells-paint", { cells, open: false });
    const [mask] = (await editsOf(2)).masks ?? [];
    expect(mask).toMatchObject({ stack: "encoder", layers: [0], heads: [0] });
    expect(mask?.block).toEqual([
      [0, 1],
      [2, 3],
    ]);
    await vi.waitFor(() => expect(figure.blocked).toHaveLength(2));
    say(figure, "headscope-cells-paint", { cells: cells.slice(0, 1), open: true });
    expect((await editsOf(3)).masks?.[0]?.block).toEqual([[2, 3]]);
  });

  it("locks the cell that is clicked, and unlocks it", async () => {
    const figure = put("heatmap");
    await ready(figure);
    say(figure, "headscope-cell-lock", { query: 1, key: 2 });
    await vi.waitFor(() => expect(figure.locked).toEqual({ query: 1, key: 2 }));
    say(figure, "headscope-cell-lock", null);
    await vi.waitFor(() => expect(figure.locked).toBeNull());
    expect(model.inputs).toHaveLength(1);
  });

  it("enlarges the part of a matrix that is drawn, and shows the whole again", async () => {
    const figure = put("heatmap");
    await ready(figure);
    const region = { query: 1, key: 0, rows: 2, columns: 3 };
    say(figure, "headscope-region-change", region);
    await vi.waitFor(() => expect(figure.region).toEqual(region));
    say(figure, "headscope-region-change", null);
    await vi.waitFor(() => expect(figure.region).toBeNull());
  });

  it("draws the lines of the share that is chosen, and of the heads that are added", async () => {
    const figure = put("lines", { mass: "90" });
    await ready(figure);
    expect(figure.mass).toBe(90);
    say(figure, "headscope-mass-change", 40);
    await vi.waitFor(() => expect(figure.mass).toBe(40));
    const drawn = (): unknown => (figure.patterns as { head: number }[]).map(({ head }) => head);
    say(figure, "headscope-beside-toggle", 6);
    await vi.waitFor(() => expect(drawn()).toEqual([4, 6]));
    say(figure, "headscope-beside-toggle", 6);
    await vi.waitFor(() => expect(drawn()).toEqual([4]));
  });

  it("shows the head that is clicked", async () => {
    const figure = put("grid");
    await ready(figure);
    expect(figure.selected).toEqual({ stack: "cross", layer: 1, head: 4 });
    say(figure, "headscope-head-select", { layer: 0, head: 7 });
    await vi.waitFor(() => expect(figure.selected).toEqual({ stack: "cross", layer: 0, head: 7 }));
  });

  it("ablates a head of its stack or all others of its layer, and restores them", async () => {
    const figure = put("grid");
    await ready(figure);
    const gates = async (count: number): Promise<unknown> => (await editsOf(count)).heads ?? [];
    const one = { stack: "cross", layers: [1], gate: 0 };
    say(figure, "headscope-head-toggle", { layer: 1, head: 2 });
    expect(await gates(2)).toEqual([{ ...one, heads: [2] }]);
    await vi.waitFor(() => expect(figure.ablated).toHaveLength(1));
    say(figure, "headscope-head-toggle", { layer: 1, head: 2 });
    expect(await gates(3)).toEqual([]);
    say(figure, "headscope-head-solo", { layer: 1, head: 2, heads: 8 });
    expect(await gates(4)).toEqual([{ ...one, heads: [0, 1, 3, 4, 5, 6, 7] }]);
  });

  it("marks the token that is pointed at, or clicked, without another question", async () => {
    const figure = put("tokens");
    await ready(figure);
    say(figure, "headscope-token-hover", { index: 1 });
    expect(figure.hovered).toBe(1);
    say(figure, "headscope-token-lock", { index: 2, extend: false });
    expect(figure.locked).toEqual([2]);
    say(figure, "headscope-token-lock", { index: null, extend: false });
    expect(figure.locked).toEqual([]);
    expect(model.inputs).toHaveLength(1);
  });
});

describe("a figure without pairs of tokens", () => {
  const texts = (figure: Shown): string[] =>
    (figure.tokens as { text: string }[]).map(({ text }) => text);

  it("has the tokens of the stack's queries, named for what they are", async () => {
    const written = put("tokens", { cell: "2-1" });
    await ready(written);
    expect(texts(written)).toEqual(["<pad>", "THREE", "TWO", "ONE"]);
    expect([written.label, written.locked]).toEqual(["Tokens of the translation", [1]]);
    const read = put("tokens", { stack: "encoder" });
    await ready(read);
    expect(texts(read)).toEqual(["one", "two", "three", "</s>"]);
    expect([read.label, read.locked]).toEqual(["Tokens of the text", []]);
    model = new FakeModel(FAKE_WRITER);
    const own = put("tokens", { model: "./writer", stack: "decoder" });
    await ready(own);
    expect(own.label).toBe("Tokens of the text");
  });

  it("has all heads of the stack with their measures", async () => {
    const figure = put("grid", { stack: "encoder" });
    await ready(figure);
    expect(figure.stack).toBe("encoder");
    expect((figure.thumbnails as { shape: number[] }).shape.slice(0, 2)).toEqual([3, 8]);
    expect(figure.measures).toHaveLength(24);
  });

  it("has the spectrum of a head, or says that the text is too long for one", async () => {
    const figure = put("spectrum");
    await ready(figure);
    const lists = figure.lists as { of: string }[];
    expect(lists.map(({ of }) => of)).toEqual(["scores", "weights"]);
    vi.spyOn(FakeRun.prototype, "spectrum").mockRejectedValue(failed("selection/too-large"));
    const long = put("spectrum", { text: "four five" });
    await vi.waitFor(() => expect(long.getAttribute("state")).toBe("failed"));
    const notice = long.shadowRoot?.querySelector(".notice")?.textContent;
    expect(notice).toContain("The text is too long");
  });

  it("has the positions of the stack", async () => {
    const figure = put("positions", { stack: "encoder" });
    await ready(figure);
    expect(figure.tensor).toHaveProperty("shape");
  });
});

describe("a figure that leaves its page", () => {
  it("lets its run go, and is computed again when it comes back", async () => {
    const figure = put("heatmap");
    await ready(figure);
    expect(model.held.size).toBe(1);
    figure.remove();
    await vi.waitFor(() => expect(model.held.size).toBe(0));
    say(figure, "headscope-cell-lock", { query: 0, key: 0 });
    expect(figure.locked).toBeNull();
    document.body.append(figure);
    await vi.waitFor(() => expect(model.held.size).toBe(1));
  });

  it("keeps its run where it only moves", async () => {
    const figure = put("heatmap");
    await ready(figure);
    const place = document.createElement("div");
    document.body.append(place);
    place.append(figure);
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
    expect(model.held.size).toBe(1);
    say(figure, "headscope-cell-lock", { query: 0, key: 1 });
    await vi.waitFor(() => expect(figure.locked).toEqual({ query: 0, key: 1 }));
  });
});
