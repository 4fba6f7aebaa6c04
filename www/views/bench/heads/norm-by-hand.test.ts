// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../../../tests/support/fake-model.js";
import type { Explanation } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeError, type Run, type RunInput } from "../../../headscope.js";
import { loadSentences, message } from "../../../i18n/index.js";
import { DEFAULT_STATE, NO_EDITS, type EditLists, type State } from "../../../state/index.js";
import { ON_BENCH } from "../testing/on-bench.js";
import { HeadscopeNormByHand } from "./norm-by-hand.js";
import { HeadscopeStream } from "./stream.js";

const FAILURE = new HeadscopeError({
  code: "engine/out-of-memory",
  message: "no room",
  doing: "",
  expected: "",
  got: "",
});
const LOST = new HeadscopeError({
  code: "run/released",
  message: "gone",
  doing: "",
  expected: "",
  got: "",
});
const NORM = {
  operation: { kind: "norm", term: 0, gain: 1, bias: 0, mean: 0, variance: 1, epsilon: 0 },
  lines: [{ source: { kind: "step", step: "input" }, values: Float32Array.of(1) }],
  value: 1,
} as unknown as Explanation;

const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
const said = ({ renderRoot }: HeadscopeNormByHand | HeadscopeStream): string | undefined =>
  renderRoot.querySelector("[role=status]")?.textContent;

/** A norm of a run, on a bench; and each second text that was begun. */
async function normOf(): Promise<{
  element: HeadscopeNormByHand;
  model: FakeModel;
  run: Run;
  seconds: Promise<Run>[];
  asked: RunInput[];
  turn: () => Promise<void>;
}> {
  const model = new FakeModel();
  const run = await model.run({ text: "one two three", target: "" });
  vi.spyOn(run, "explain").mockResolvedValue(NORM);
  const seconds: Promise<Run>[] = [];
  const asked: RunInput[] = [];
  const begin = model.run.bind(model);
  vi.spyOn(model, "run").mockImplementation((input) => {
    const second = begin(input);
    seconds.push(second);
    asked.push(input);
    return second;
  });
  const element = new HeadscopeNormByHand();
  Object.assign(element, { on: { ...ON_BENCH, model, run }, tokens: run.tokens });
  const turn = async (): Promise<void> => {
    element.on = { ...element.on, revision: element.on.revision + 1 };
    await settled();
  };
  return { element, model, run, seconds, asked, turn };
}

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

describe("<headscope-norm-by-hand>", () => {
  it("runs its second text once, and lets it go when nobody looks any more", async () => {
    const { element, model, run, seconds, turn } = await normOf();
    await mount(element, {});
    await settled();
    await turn();
    expect(seconds).toHaveLength(1);
    expect(element.renderRoot.querySelectorAll("[data-batch]")).toHaveLength(3);
    element.remove();
    await settled();
    expect([...model.held]).toEqual([run]);
  });

  it("has the second text under the edits that its own is under, and anew under others", async () => {
    const { element, model, run, seconds, asked, turn } = await normOf();
    const edits: EditLists = {
      ...NO_EDITS,
      heads: [{ stack: "encoder", layers: [0], heads: [0], gate: 0 }],
    };
    element.on = { ...element.on, edits };
    await mount(element, {});
    await settled();
    expect(seconds).toHaveLength(2);
    // How long the text is says a run without the edits, which is let go.
    expect(asked.map(({ edits: given }) => given)).toEqual([undefined, { heads: edits.heads }]);
    const [plain, edited] = await Promise.all(seconds);
    expect([...model.held]).toEqual([run, edited]);
    expect(asked.at(-1)?.ids).toEqual(plain?.tokens.map(({ id }) => id));
    await turn();
    expect(seconds).toHaveLength(2);
    element.on = { ...element.on, edits: NO_EDITS };
    await turn();
    expect(seconds).toHaveLength(3);
    expect(asked.at(-1)?.edits).toBeUndefined();
  });

  it("begins no second text that nobody would release", async () => {
    const { element, model, run, seconds } = await normOf();
    let answer: () => void = () => undefined;
    const steps = run.steps.bind(run);
    vi.spyOn(run, "steps").mockImplementationOnce(async (head) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return steps(head);
    });
    await mount(element, {});
    element.remove();
    answer();
    await settled();
    expect(seconds).toEqual([]);
    expect([...model.held]).toEqual([run]);
  });

  it("says that a reading failed, and tries the second text again with the next one", async () => {
    const { element, model, turn } = await normOf();
    vi.spyOn(model, "run").mockRejectedValueOnce(FAILURE);
    await mount(element, {});
    await settled();
    expect(said(element)).toBe(`${message("headBench.numbersNotRead")} ${FAILURE.code}`);
    await turn();
    expect(said(element)).toBeUndefined();
    expect(element.renderRoot.querySelectorAll("[data-batch]")).toHaveLength(3);
  });

  it("runs the second text anew where the one it kept was lost in a crash", async () => {
    const { element, seconds, turn } = await normOf();
    await mount(element, {});
    await settled();
    const [first] = seconds;
    if (!first) throw new Error("no second text");
    vi.spyOn(await first, "steps").mockRejectedValue(LOST);
    await turn();
    expect(seconds).toHaveLength(2);
    expect(said(element)).toBeUndefined();
    await turn();
    expect(seconds).toHaveLength(2);
  });

  it("stands beside the reader's own second text, from a link too, and where it cannot be read leaves it to be changed", async () => {
    const { element, model, seconds, turn } = await normOf();
    let state: State = { ...DEFAULT_STATE, labs: "norm(text-four_five)" };
    element.addEventListener("headscope-state", ({ detail }) => (detail.state = state));
    element.addEventListener(
      "headscope-set",
      ({ detail: { labs } }) => (state = { ...state, labs }),
    );
    await mount(element, {});
    await settled();
    const field = (): HTMLInputElement | null => element.renderRoot.querySelector("#other");
    const texts = (): unknown[] => model.inputs.slice(1).map(({ text }) => text);
    expect([texts(), field()?.value]).toEqual([["four five"], "four five"]);
    await turn();
    expect(seconds).toHaveLength(1);
    vi.spyOn(model, "run").mockRejectedValueOnce(FAILURE);
    const type = async (text: string): Promise<void> => {
      const input = field();
      if (!input) throw new Error("no second text");
      input.value = text;
      input.dispatchEvent(new Event("input"));
      await vi.waitFor(() => expect(state.labs).toBe(text === "" ? null : `norm(text-${text})`));
      await settled();
    };
    await type("six");
    expect([said(element), field()?.value]).toEqual([
      `${message("headBench.numbersNotRead")} ${FAILURE.code}`,
      "six",
    ]);
    await type("");
    expect([
      said(element),
      texts(),
      element.renderRoot.querySelectorAll("[data-batch]").length,
    ]).toEqual([undefined, ["four five", field()?.placeholder], 3]);
  });

  it("saves a number under its own place, and not while that of another is read", async () => {
    const { element, run } = await normOf();
    await mount(element, {});
    await settled();
    const saving = (): (string | boolean | undefined)[] => {
      const figure = element.renderRoot.querySelector("headscope-save-figure");
      return [figure?.name, figure?.stale];
    };
    expect(saving()).toEqual(["norm ff-normed token 1 x 1", false]);
    let answer: () => void = () => undefined;
    vi.spyOn(run, "explain").mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return NORM;
    });
    const [, token] = element.renderRoot.querySelectorAll("select");
    if (!token) throw new Error("no tokens");
    token.value = "1";
    token.dispatchEvent(new Event("change"));
    await settled();
    expect(saving()).toEqual(["norm ff-normed token 1 x 1", true]);
    answer();
    await settled();
    expect(saving()).toEqual(["norm ff-normed token 2 x 1", false]);
  });
});

describe("<headscope-stream>", () => {
  it("is saved under what it shows, and not while another run is read", async () => {
    const model = new FakeModel();
    const run = await model.run({ text: "one two three", target: "" });
    const element = await mount(new HeadscopeStream(), {
      on: { ...ON_BENCH, model, run, head: { stack: "encoder", layer: 0, head: 0 } },
    });
    await settled();
    const saving = (): (string | boolean | undefined)[] => {
      const figure = element.renderRoot.querySelector("headscope-save-figure");
      return [figure?.heading, figure?.stale];
    };
    expect(saving()).toEqual([message("stream.norm"), false]);
    vi.spyOn(run, "residuals").mockReturnValueOnce(new Promise(() => undefined));
    element.on = { ...element.on, revision: 1 };
    await settled();
    expect(saving()).toEqual([message("stream.norm"), true]);
  });

  it("says that it could not be read, but not when the run is only late", async () => {
    const model = new FakeModel();
    const run = await model.run({ text: "one two three", target: "" });
    const residuals = vi.spyOn(run, "residuals").mockRejectedValueOnce(LOST);
    const element = await mount(new HeadscopeStream(), {
      on: { ...ON_BENCH, model, run, head: { stack: "encoder", layer: 0, head: 0 } },
    });
    await settled();
    expect(said(element)).toBeUndefined();
    residuals.mockRejectedValueOnce(FAILURE);
    element.on = { ...element.on, revision: 1 };
    await settled();
    expect(said(element)).toBe(`${message("headBench.numbersNotRead")} ${FAILURE.code}`);
  });
});
