// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { FAKE_INFO, FakeModel, FakeRun, failed } from "../../tests/support/fake-model.js";
import type { Cell, StepCell, StepPlace, StepTensor, Tensor, Token } from "../data/index.js";
import { DEFAULT_STATE } from "../state/index.js";
import * as failureWords from "../views/run/failures.js";
import { cellsAt, displayPattern, lensOf, readHead, withoutName } from "../views/run/head.js";
import { type LoadModel, ModelPool, models } from "../views/run/model-cache.js";
import { FigureController } from "./figure.js";

vi.mock("./nearness.js", () => ({
  whenNear: (_: Element, then: () => void) => {
    then();
    return () => undefined;
  },
}));

/** The figures without their pictures: what they are given can be read, and nothing is painted. */
class Figure extends LitElement {
  tensor?: Tensor;
  locked?: Cell | null;
  steps?: StepTensor[];
  held?: StepCell | null;
  place?: StepPlace | null;
  queries?: Token[];

  constructor() {
    super();
    new FigureController(this);
  }
}
const FIGURES = {
  "headscope-heatmap": class extends Figure {},
  "headscope-steps": class extends Figure {},
  "headscope-difference": class extends Figure {},
  "headscope-lines": class extends Figure {},
};
for (const [tag, figure] of Object.entries(FIGURES)) customElements.define(tag, figure);

let model: FakeModel;
let loading: MockInstance<LoadModel>;

beforeEach(() => {
  model = new FakeModel();
  const { load } = new ModelPool(() => Promise.resolve(model));
  loading = vi.spyOn(models, "load").mockImplementation(load);
});

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

function put(tag: keyof typeof FIGURES, attributes: Record<string, string>): Figure {
  const figure = new FIGURES[tag]();
  for (const [name, value] of Object.entries({
    model: "./mine",
    text: "one two three",
    stack: "cross",
    layer: "2",
    head: "5",
    ...attributes,
  }))
    figure.setAttribute(name, value);
  document.body.append(figure);
  return figure;
}

// The first of them waits for all that a figure reads to be imported.
const ready = (figure: Figure): Promise<void> =>
  vi.waitFor(() => expect(figure.getAttribute("state")).toBe("ready"), { timeout: 4000 });
const notice = (figure: Figure): string =>
  figure.shadowRoot?.querySelector(".notice")?.textContent.trim().replace(/\s+/g, " ") ?? "";
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const say = (figure: Figure, name: string, detail: unknown): boolean =>
  figure.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));

describe("a figure that works alone", () => {
  it.each<
    [tag: keyof typeof FIGURES, attributes: Record<string, string>, got: string, there: string]
  >([
    ["headscope-heatmap", { layer: "x" }, 'layer="x"', "1, 2, 3 …"],
    ["headscope-heatmap", { layer: "30" }, 'layer="30"', "1 … 3"],
    ["headscope-heatmap", { head: "9" }, 'head="9"', "1 … 8"],
    ["headscope-heatmap", { stack: "encodr" }, 'stack="encodr"', "encoder | decoder | cross"],
    ["headscope-heatmap", { stage: "soft" }, 'stage="soft"', "raw | scores | masked | weights"],
    ["headscope-heatmap", { colours: "pink" }, 'colours="pink"', "blue | "],
    ["headscope-heatmap", { cell: "9-9" }, 'cell="9-9"', "1-1 … 4-4"],
    ["headscope-heatmap", { region: "2-9x1-2" }, 'region="2-9x1-2"', "1-4x1-4"],
    ["headscope-heatmap", { "hidden-tokens": "2" }, 'hidden-tokens="2"', "–"],
    ["headscope-lines", { beside: "2,12" }, 'beside="2,12"', "1 … 8"],
    ["headscope-lines", { mass: "0" }, 'mass="0"', "1 … 100"],
    ["headscope-steps", { number: "input.99-1" }, 'number="input.99-1"', "input.1-1 … "],
    ["headscope-difference", { other: "one", pairs: "s9-1" }, 'pairs="s9-1"', "s4-2"],
  ])(
    "%s refuses %o, says what there is, and draws nothing",
    async (tag, attributes, got, there) => {
      const figure = put(tag, attributes);
      await vi.waitFor(() => expect(figure.getAttribute("state")).toBe("failed"), {
        timeout: 4000,
      });
      expect(notice(figure)).toMatch(/attribute\/(unreadable|absent)/);
      expect(notice(figure)).toContain(got);
      expect(notice(figure)).toContain(there);
      expect([figure.tensor, figure.steps]).toEqual([undefined, undefined]);
    },
  );

  it("refuses edits that its run leaves out, and says which there are", async () => {
    const misfit = { index: 0, code: "edit/not-in-model", says: "otherModel" } as const;
    model.fit = { edits: {}, misfits: [{ list: "masks", ...misfit, values: [], stacks: [] }] };
    const figure = put("headscope-heatmap", {
      edits: "{'masks':[{'stack':'cross','layers':[8],'block':[[0,0]]}]}",
    });
    await vi.waitFor(() => expect(figure.getAttribute("state")).toBe("failed"));
    expect(notice(figure)).toContain("'layers':[8]");
    expect(notice(figure)).toContain('There is: edits=""');
  });

  it("refuses a stack that the model does not have, and names those that it has", async () => {
    const { encoder } = FAKE_INFO.stacks;
    if (!encoder) throw new Error("no encoder");
    model = new FakeModel({ ...FAKE_INFO, architecture: "encoder", stacks: { encoder } });
    const figure = put("headscope-heatmap", { stack: "decoder" });
    await vi.waitFor(() => expect(figure.getAttribute("state")).toBe("failed"));
    expect(notice(figure)).toMatch(/stack="decoder".* There is: encoder\. attribute\/absent/);
  });

  it("says in its place that there is no text, or what went wrong, and tries again", async () => {
    const figure = put("headscope-heatmap", { text: " " });
    await vi.waitFor(() => expect(notice(figure)).toBe("There is no text to show."));
    figure.setAttribute("text", "word ".repeat(100));
    await vi.waitFor(() => expect(figure.getAttribute("state")).toBe("failed"));
    expect(notice(figure)).toContain("input/too-long");
    const reading = vi
      .spyOn(FakeRun.prototype, "attention")
      .mockRejectedValueOnce(new Error("lost"));
    figure.setAttribute("text", "one two");
    await vi.waitFor(() => expect(notice(figure)).toContain("unexpected"));
    reading.mockRestore();
    figure.shadowRoot?.querySelector<HTMLButtonElement>(".notice button")?.click();
    await ready(figure);
    expect(notice(figure)).toBe("");
  });

  it("shows no failure of an older question", async () => {
    const figure = put("headscope-heatmap", {});
    await ready(figure);
    for (const next of [
      () => figure.setAttribute("text", "one two"),
      () => figure.removeAttribute("model"),
    ]) {
      let fail = (): void => undefined;
      const asked = loading.mock.calls.length;
      loading.mockReturnValueOnce(
        new Promise((_, reject) => (fail = () => reject(new Error("lost")))),
      );
      figure.setAttribute("text", `lost ${asked}`);
      await vi.waitFor(() => expect(loading).toHaveBeenCalledTimes(asked + 1));
      next();
      fail();
      await soon();
      expect([figure.getAttribute("state"), notice(figure)]).toEqual([
        figure.hasAttribute("model") ? "ready" : null,
        "",
      ]);
    }
  });

  it("says that code could not be fetched where that has the words too", async () => {
    loading.mockRejectedValueOnce(new Error("lost"));
    const words = vi.spyOn(failureWords, "sentenceOf").mockImplementation(() => {
      throw new TypeError("Failed to fetch dynamically imported module");
    });
    const figure = put("headscope-heatmap", {});
    await vi.waitFor(() => expect(figure.getAttribute("state")).toBe("failed"));
    expect(notice(figure)).toContain("could not be fetched");
    words.mockRestore();
    figure.shadowRoot?.querySelector<HTMLButtonElement>(".notice button")?.click();
    await ready(figure);
  });

  it("shows the same rows, columns and numbers as the page's own picture, and takes its cells for those of tokens", async () => {
    const tokenize = model.tokenize.bind(model);
    // The second and the third are pieces of one word.
    vi.spyOn(model, "tokenize").mockImplementation((text) =>
      tokenize(text).map((token, at) => (at === 2 ? { ...token, word: 1 } : token)),
    );
    const figure = put("headscope-heatmap", {
      stack: "encoder",
      layer: "3",
      head: "1",
      text: "one two three four",
      by: "word",
      specials: "hidden",
      sink: "out",
      cell: "3-3",
    });
    await ready(figure);
    const [run] = model.held;
    if (!run) throw new Error("nothing was computed");
    const head = await readHead(run, { stack: "encoder", layer: 2, head: 0 });
    const displayed = displayPattern(
      head,
      lensOf({ ...DEFAULT_STATE, unit: "word", specials: "hidden", sink: "out" }),
    );
    const { weights, queries, keys } = displayed;
    expect([weights.shape, displayed.without]).toEqual([[3, 2], 0]);
    expect(figure).toMatchObject({
      tensor: weights,
      queries,
      keys,
      emptied: displayed.emptied,
      without: withoutName(displayed),
      locked: { query: 1, key: 0 },
    });
    const place = { query: 1, key: 1 };
    say(figure, "headscope-cell-lock", place);
    await vi.waitFor(() => expect(figure.locked).toEqual(place));
    say(figure, "headscope-cell-toggle", place);
    await vi.waitFor(() => expect(model.inputs).toHaveLength(2));
    expect(model.inputs.at(-1)?.edits?.masks?.[0]?.block).toEqual(
      cellsAt(displayed, place).map(({ query, key }) => [query, key]),
    );
  });

  it("explains the hovered number of a block's steps, then the held one, and reads the steps only once", async () => {
    const reading = vi.spyOn(FakeRun.prototype, "steps");
    const figure = put("headscope-steps", { number: "input.2-3" });
    await ready(figure);
    const held = { stack: "cross", layer: 1, head: 4, step: "input", row: 1, column: 2 };
    expect(figure.place).toEqual(held);
    const hovered: StepCell = { step: "weights", row: 0, column: 1 };
    say(figure, "headscope-number-hover", hovered);
    await vi.waitFor(() => expect(figure.place).toEqual({ ...held, ...hovered }));
    say(figure, "headscope-number-hover", null);
    await vi.waitFor(() => expect(figure.place).toEqual(held));
    say(figure, "headscope-number-go", { ...held, row: 2 });
    await vi.waitFor(() => expect(figure.held).toEqual({ step: "input", row: 2, column: 2 }));
    expect(reading).toHaveBeenCalledTimes(1);
    expect(model.inputs).toHaveLength(1);
    say(figure, "headscope-number-go", { ...held, layer: 0 });
    await vi.waitFor(() => expect(figure.place).toEqual({ ...held, layer: 0 }));
    expect(reading).toHaveBeenCalledTimes(2);
    // Without a number of its own it is about the pair that is looked at most.
    say(figure, "headscope-number-go", null);
    await vi.waitFor(() => expect(figure.held?.step).toBe("weights"));
  });

  it("says below the picture why a number could not be explained, and takes it back when one is", async () => {
    const figure = put("headscope-steps", { number: "input.2-3" });
    await ready(figure);
    const explain = vi
      .spyOn(FakeRun.prototype, "explain")
      .mockRejectedValueOnce(failed("engine/internal", { message: "torn" }));
    const hovered: StepCell = { step: "weights", row: 0, column: 1 };
    say(figure, "headscope-number-hover", hovered);
    await vi.waitFor(() => expect(notice(figure)).toContain("engine/internal"));
    expect([figure.getAttribute("state"), figure.place]).toMatchObject([
      "ready",
      { step: "input" },
    ]);
    figure.shadowRoot?.querySelector<HTMLButtonElement>(".notice button")?.click();
    await vi.waitFor(() => expect(notice(figure)).toBe(""));
    expect([explain.mock.calls.length, figure.place]).toMatchObject([2, hovered]);
  });

  it("compares an edited run with its original, and says when there is nothing to compare", async () => {
    const figure = put("headscope-difference", {
      edits: "{'masks':[{'stack':'cross','layers':[1],'heads':[4],'block':[[0,0]]}]}",
    });
    await ready(figure);
    expect(model.inputs).toEqual([
      expect.objectContaining({ edits: expect.anything() as unknown }),
      expect.objectContaining({ targetIds: expect.any(Array) as unknown }),
    ]);
    figure.removeAttribute("edits");
    await vi.waitFor(() => expect(notice(figure)).toMatch(/^There is nothing to compare with/));
    expect(figure.getAttribute("state")).toBe("waiting");
    figure.setAttribute("other", "three");
    await ready(figure);
    expect(notice(figure)).toBe("");
  });
});
