// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FakeModel,
  FakeRun,
  failed,
} from "../../tests/support/fake-model.js";
import { fakePool } from "../../tests/support/fake-pool.js";
import type {
  Cell,
  DepthPlace,
  StepCell,
  StepPlace,
  StepTensor,
  Tensor,
  Token,
} from "../data/index.js";
import type { BarItem } from "../draw/charts.js";
import { DEFAULT_STATE } from "../state/index.js";
import { cellsAt, displayPattern, readHead, withoutName } from "../session/run/head.js";
import { lensOf } from "../session/run/pair-pictures.js";
import { type LoadModel, models } from "../session/models/model-pool.js";
import { FigureController } from "./figure.js";

vi.mock("./nearness.js", () => ({
  whenNear: (_: Element, then: () => void) => {
    then();
    return () => undefined;
  },
}));

/** The figures without their pictures: nothing is painted. */
class Figure extends LitElement {
  tensor?: Tensor;
  dropped?: Tensor | null;
  locked?: Cell | null;
  steps?: StepTensor[];
  held?: StepCell | null;
  place?: StepPlace | null;
  queries?: Token[];
  words?: string[];
  numbers?: Tensor;
  chosen?: DepthPlace | null;
  heading?: string;
  label?: string;
  items?: BarItem[];

  constructor() {
    super();
    new FigureController(this);
  }
}
const FIGURES = {
  heatmap: class extends Figure {},
  steps: class extends Figure {},
  difference: class extends Figure {},
  lines: class extends Figure {},
  lens: class extends Figure {},
  attribution: class extends Figure {},
  effects: class extends Figure {},
};
for (const [name, figure] of Object.entries(FIGURES))
  customElements.define(`headscope-${name}`, figure);

let model: FakeModel;
let loading: MockInstance<LoadModel>;

beforeEach(() => {
  model = new FakeModel();
  const load = fakePool(() => Promise.resolve(model));
  loading = vi.spyOn(models, "load").mockImplementation(load);
});

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

function put(name: keyof typeof FIGURES, attributes: Record<string, string> = {}): Figure {
  const figure = new FIGURES[name]();
  const head = { model: "./mine", text: "one two three", stack: "cross", layer: "2", head: "5" };
  for (const [attribute, value] of Object.entries({ ...head, ...attributes }))
    figure.setAttribute(attribute, value);
  document.body.append(figure);
  return figure;
}

// The first of them waits for all that a figure reads to be imported.
const becomes = (figure: Figure, state: "ready" | "failed"): Promise<void> =>
  vi.waitFor(() => expect(figure.getAttribute("state")).toBe(state), { timeout: 20_000 });
const notice = (figure: Figure): string =>
  figure.shadowRoot?.querySelector(".notice")?.textContent.trim().replace(/\s+/g, " ") ?? "";
const retry = (figure: Figure): void =>
  figure.shadowRoot?.querySelector<HTMLButtonElement>(".notice button")?.click();
const say = (figure: Figure, name: string, detail: unknown): boolean =>
  figure.dispatchEvent(new CustomEvent(`headscope-${name}`, { detail }));

describe("a figure that works alone", () => {
  it.each<[name: keyof typeof FIGURES, attribute: string, value: string, there: string]>([
    ["heatmap", "layer", "x", "1, 2, 3 …"],
    ["heatmap", "layer", "30", "1 … 3"],
    ["heatmap", "head", "9", "1 … 8"],
    ["heatmap", "stack", "encodr", "encoder | decoder | cross"],
    ["heatmap", "stage", "soft", "raw | scores | masked | weights"],
    ["heatmap", "cell", "9-9", "1-1 … 4-4"],
    ["heatmap", "region", "2-9x1-2", "1-4x1-4"],
    ["heatmap", "masked", "2", "–"],
    ["lines", "beside", "2,12", "1 … 8"],
    ["attribution", "entry", "100", "0 … 99"],
    ["attribution", "against", "100", "0 … 99"],
    ["lens", "entry", "100", "0 … 99"],
    ["lines", "mass", "0", "1 … 100"],
    ["steps", "number", "input.99-1", "input.1-1 … "],
    ["difference", "pairs", "s9-1", "s4-2"],
  ])(
    "%s refuses %s %j, says what there is, and draws nothing",
    async (name, attribute, value, there) => {
      const other: Record<string, string> = name === "difference" ? { other: "one" } : {};
      const figure = put(name, { ...other, [attribute]: value });
      await becomes(figure, "failed");
      expect(notice(figure)).toMatch(/attribute\/(unreadable|absent)/);
      expect(notice(figure)).toContain(`${attribute}="${value}"`);
      expect(notice(figure)).toContain(there);
      expect([figure.tensor, figure.steps]).toEqual([undefined, undefined]);
    },
  );

  it("refuses edits that its run leaves out, and says which there are", async () => {
    const misfit = { index: 0, code: "edit/not-in-model", says: "otherModel" } as const;
    model.fit = { edits: {}, misfits: [{ list: "masks", ...misfit, values: [], stacks: [] }] };
    const figure = put("heatmap", {
      edits: "{'masks':[{'stack':'cross','layers':[8],'block':[[0,0]]}]}",
    });
    await becomes(figure, "failed");
    expect(notice(figure)).toMatch(/'layers':\[8\].*Use one of: edits=""/);
  });

  it("shows the nearest head where its page names none that the model has", async () => {
    const [size, sizes] = [{ layers: 1, heads: 2 }, FAKE_INFO.stacks];
    const stacks = { ...sizes, cross: { ...(sizes.cross ?? { headDim: 4 }), ...size } };
    model = new FakeModel({ ...FAKE_INFO, stacks } as typeof FAKE_INFO);
    const figure = put("heatmap", { caption: "" });
    for (const name of ["layer", "head"]) figure.removeAttribute(name);
    await becomes(figure, "ready");
    expect(figure.shadowRoot?.textContent).toContain("Layer 1 · head 2");
  });

  it("keeps what its user changed where the run leaves out a part of it", async () => {
    const figure = put("heatmap", { edits: "{'heads':[{'stack':'cross','layers':[1],'gate':0}]}" });
    await becomes(figure, "ready");
    const misfit = { index: 0, code: "edit/not-in-model", says: "otherModel" } as const;
    model.fit = { edits: {}, misfits: [{ list: "masks", ...misfit, values: [], stacks: [] }] };
    say(figure, "cell-toggle", { query: 0, key: 1 });
    await vi.waitFor(() => expect(model.inputs).toHaveLength(2));
    await becomes(figure, "ready");
    expect(notice(figure)).toBe("");
  });

  it("refuses a stack that the model does not have, and names those that it has", async () => {
    const { encoder } = FAKE_INFO.stacks;
    if (!encoder) throw new Error("no encoder");
    model = new FakeModel({ ...FAKE_INFO, architecture: "encoder", stacks: { encoder } });
    const figure = put("heatmap", { stack: "decoder" });
    await becomes(figure, "failed");
    expect(notice(figure)).toMatch(
      /stack="decoder".* Use one of: encoder\. Details attribute\/absent/,
    );
  });

  it("shows what layers predict, by the number and the cell that it asks for", async () => {
    const figure = put("lens", { shade: "entropy" });
    await becomes(figure, "ready");
    expect(figure.words?.slice(0, 2)).toEqual(["and", "and"]);
    expect(figure.numbers?.data[0]).toBe(1);
    say(figure, "depth-choose", { layer: 1, position: 2 });
    await vi.waitFor(() => expect(figure.chosen).toEqual({ layer: 1, position: 2 }));
  });

  it("shows what adds up to a logit", async () => {
    const figure = put("attribution");
    await becomes(figure, "ready");
    expect(figure.heading).toBe("What adds up to the logit of “and”");
    expect(figure.items?.[0]).toMatchObject({ label: "layer 2: head 3", text: "−1.00" });
  });

  it("shows what heads recover between two texts, and needs both", async () => {
    const asked = vi.spyOn(model, "patchGrid");
    const figure = put("effects", { other: "one two four", caption: "" });
    await becomes(figure, "ready");
    const patched = /^head output · .+ · clean “one two three” into corrupted “one two four”$/;
    expect(figure.label).toMatch(patched);
    const caption = figure.shadowRoot?.querySelector(".about")?.textContent;
    expect(caption?.endsWith(`Cross-attention · ${figure.label}`)).toBe(true);
    expect(figure.tensor?.shape).toEqual([3, 8]);
    expect(figure.tensor?.data[0]).toBe(0);
    const usual = { what: "head", direction: "denoise", stack: "cross" };
    expect(asked.mock.lastCall?.[0]).toMatchObject(usual);
    figure.removeAttribute("other");
    await vi.waitFor(() => expect(notice(figure)).toContain("Nothing to compare with"));
  });

  it("takes the choices of the experiment with patches as an address has them", async () => {
    const asked = vi.spyOn(model, "patchGrid");
    const figure = put("effects", {
      other: "one two four",
      demos: "patching(what-values,direction-noise,stack-decoder,sentence-corrupted)",
      entry: "7",
      against: "9",
    });
    await becomes(figure, "ready");
    const [options] = asked.mock.lastCall ?? [];
    expect(options).toMatchObject({ what: "values", direction: "noise", stack: "decoder" });
    const patched = /^head values · logit.+ · corrupted “one two three” into clean “one two four”$/;
    expect(figure.label).toMatch(patched);
    expect(options?.target).toMatchObject({ id: 7, minus: 9 });
    const idsOf = (text: string): number[] => model.tokenize(text).map(({ id }) => id);
    expect([options?.clean.ids, options?.corrupted.ids]).toEqual(
      ["one two four", "one two three"].map(idsOf),
    );
    figure.setAttribute("demos", "patching(measure-probability)");
    await vi.waitFor(() => expect(asked.mock.lastCall?.[0].target).not.toHaveProperty("minus"));
    model = new FakeModel(FAKE_READER);
    const bare = put("effects", { model: "./reader", other: "one two four", stack: "encoder" });
    await vi.waitFor(() => expect(notice(bare)).toContain("none is masked"));
    bare.setAttribute("othermodel", "./mine");
    await vi.waitFor(() => expect(notice(bare)).toContain("selection/other-model"));
  });

  it("says in its place what went wrong, and tries again", async () => {
    vi.spyOn(FakeRun.prototype, "attention").mockRejectedValueOnce(new Error("lost"));
    const figure = put("heatmap");
    await vi.waitFor(() => expect(notice(figure)).toContain("unexpected"));
    retry(figure);
    await becomes(figure, "ready");
    expect(notice(figure)).toBe("");
  });

  it("tells its page once why it has no picture, and again for another reason", async () => {
    const figure = put("heatmap", { layer: "30" });
    const told: { code: string; sentence: string }[] = [];
    figure.addEventListener("headscope-failed", ({ detail }) => void told.push(detail));
    await becomes(figure, "failed");
    expect(told).toMatchObject([{ code: "attribute/absent" }]);
    expect(notice(figure)).toContain(told[0]?.sentence);
    const failing = vi.spyOn(figure, "setAttribute");
    // Asks once more, and fails alike.
    figure.dataset.note = "seen";
    await vi.waitFor(() => expect(failing).toHaveBeenCalledWith("state", "failed"));
    expect(told).toHaveLength(1);
    failing.mockRestore();
    figure.setAttribute("layer", "40");
    await vi.waitFor(() => expect(told).toHaveLength(2));
    figure.setAttribute("layer", "2");
    await becomes(figure, "ready");
    figure.setAttribute("layer", "40");
    await vi.waitFor(() => expect(told).toHaveLength(3));
  });

  it.each([
    [(figure: Figure) => figure.setAttribute("text", "one two"), "ready"],
    [(figure: Figure) => figure.removeAttribute("model"), null],
  ])("shows no failure of an older question", async (next, state) => {
    const figure = put("heatmap");
    await becomes(figure, "ready");
    let fail = (): void => undefined;
    loading.mockReturnValueOnce(
      new Promise((_, reject) => (fail = () => reject(new Error("lost")))),
    );
    figure.setAttribute("text", "lost");
    await vi.waitFor(() => expect(loading).toHaveBeenCalledTimes(2));
    next(figure);
    fail();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([figure.getAttribute("state"), notice(figure)]).toEqual([state, ""]);
  });

  it("shows the same rows, columns and numbers as the page's own picture, and takes its cells for those of tokens", async () => {
    const tokenize = model.tokenize.bind(model);
    // The second and the third are pieces of one word.
    vi.spyOn(model, "tokenize").mockImplementation((text) =>
      tokenize(text).map((token, at) => (at === 2 ? { ...token, word: 1 } : token)),
    );
    const lens = { by: "word", specials: "hidden", sink: "out", cell: "3-3" };
    const head = { stack: "encoder", layer: "3", head: "1" };
    const figure = put("heatmap", { text: "one two three four", ...head, ...lens });
    await becomes(figure, "ready");
    const [run] = model.held;
    if (!run) throw new Error("nothing was computed");
    const displayed = displayPattern(
      await readHead(run, { stack: "encoder", layer: 2, head: 0 }),
      lensOf({ ...DEFAULT_STATE, unit: "word", specials: "hidden", sink: "out" }),
    );
    const { weights, queries, keys, emptied } = displayed;
    expect([weights.shape, displayed.without]).toEqual([[3, 2], 0]);
    const locked = { query: 1, key: 0 };
    const without = withoutName(displayed);
    expect(figure).toMatchObject({ tensor: weights, queries, keys, emptied, without, locked });
    const place = { query: 1, key: 1 };
    say(figure, "cell-lock", place);
    await vi.waitFor(() => expect(figure.locked).toEqual(place));
    say(figure, "cell-toggle", place);
    await vi.waitFor(() => expect(model.inputs).toHaveLength(2));
    expect(model.inputs.at(-1)?.edits?.masks?.[0]?.block).toEqual(
      cellsAt(displayed, place).map(({ query, key }) => [query, key]),
    );
  });

  it("shows which weights dropout took, as the page's own picture does", async () => {
    vi.spyOn(FakeRun.prototype, "dropoutMean").mockImplementation(function (this: FakeRun) {
      const weights = new Array<number>(this.targetTokens.length * this.tokens.length).fill(0.5);
      return Promise.resolve({
        draws: 1,
        mean: weights,
        undropped: weights,
        kept: weights.map((_, at) => (at === 1 ? 0 : 1)),
      });
    });
    const figure = put("heatmap", { edits: "{'attention':[{'dropout':{'rate':0.1,'seed':1}}]}" });
    await becomes(figure, "ready");
    expect([...(figure.dropped?.data.slice(0, 3) ?? [])]).toEqual([0, 1, 0]);
  });

  it("explains the hovered number of a block's steps, then the held one, and reads the steps only once", async () => {
    const reading = vi.spyOn(FakeRun.prototype, "steps");
    const figure = put("steps", { number: "input.2-3" });
    await becomes(figure, "ready");
    const held = { stack: "cross", layer: 1, head: 4, step: "input", row: 1, column: 2 };
    const shows = (place: object): Promise<void> =>
      vi.waitFor(() => expect(figure.place).toEqual({ ...held, ...place }));
    await shows({});
    const hovered: StepCell = { step: "weights", row: 0, column: 1 };
    say(figure, "number-hover", hovered);
    await shows(hovered);
    say(figure, "number-hover", null);
    await shows({});
    say(figure, "number-go", { ...held, row: 2 });
    await shows({ row: 2 });
    expect([reading.mock.calls.length, model.inputs.length]).toEqual([1, 1]);
    say(figure, "number-go", { ...held, layer: 0 });
    await shows({ layer: 0 });
    expect(reading).toHaveBeenCalledTimes(2);
    // Without a number of its own it is about the strongest pair.
    say(figure, "number-go", null);
    await vi.waitFor(() => expect(figure.held?.step).toBe("weights"));
  });

  it("says below the picture why a number could not be explained, and takes it back when one is", async () => {
    const figure = put("steps", { number: "input.2-3" });
    await becomes(figure, "ready");
    vi.spyOn(FakeRun.prototype, "explain").mockRejectedValueOnce(failed("engine/internal"));
    const hovered: StepCell = { step: "weights", row: 0, column: 1 };
    say(figure, "number-hover", hovered);
    await vi.waitFor(() => expect(notice(figure)).toContain("engine/internal"));
    expect([figure.getAttribute("state"), figure.place?.step]).toEqual(["ready", "input"]);
    retry(figure);
    await vi.waitFor(() => expect(notice(figure)).toBe(""));
    expect(figure.place).toMatchObject(hovered);
  });

  it("has the caption that its page gives it, or one that names what it shows", async () => {
    const caption = (figure: Figure): string | undefined =>
      figure.shadowRoot?.querySelector("[part=caption]")?.textContent;
    const figure = put("heatmap", { caption: "" });
    await becomes(figure, "ready");
    expect(caption(figure)).toBe("mine · Cross-attention · Layer 2 · head 5");
    figure.setAttribute("edits", "{'heads':[{'stack':'cross','layers':[1],'gate':0}]}");
    await vi.waitFor(() => expect(caption(figure)).toMatch(/head 5 · edited$/));
    figure.setAttribute("caption", "Where it looks");
    await vi.waitFor(() => expect(caption(figure)).toBe("Where it looks"));
    figure.removeAttribute("caption");
    await vi.waitFor(() => expect(caption(figure)).toBeUndefined());

    const difference = put("difference", { caption: "", otherhead: "cross.2-6", compare: "other" });
    await becomes(difference, "ready");
    expect(caption(difference)).toBe(
      "mine · Cross-attention · Layer 2 · head 5 − mine · Cross-attention · Layer 2 · head 6",
    );
  });

  it("compares an edited run with its original, and says when there is nothing to compare", async () => {
    const figure = put("difference", {
      edits: "{'masks':[{'stack':'cross','layers':[1],'heads':[4],'block':[[0,0]]}]}",
    });
    await becomes(figure, "ready");
    expect(model.inputs).toEqual([
      expect.objectContaining({ edits: expect.anything() as unknown }),
      expect.objectContaining({ targetIds: expect.any(Array) as unknown }),
    ]);
    figure.removeAttribute("edits");
    await vi.waitFor(() => expect(notice(figure)).toMatch(/^Nothing to compare with/));
    expect(figure.getAttribute("state")).toBe("failed");
    expect(notice(figure)).toMatch(/figure\/nothing$/);
    figure.setAttribute("other", "three");
    await becomes(figure, "ready");
  });
});
