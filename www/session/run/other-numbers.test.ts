import { expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, FakeRun } from "../../../tests/support/fake-model.js";
import { HeadscopeError } from "../../headscope.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { displayPattern, readHead } from "./head.js";
import { askedJoined, askedNumbers, quantityOf, shownNumbers } from "./other-numbers.js";
import { lensOf, PAIR_PICTURES } from "./pair-pictures.js";

const HEAD = { stack: "encoder", layer: 1, head: 1 } as const;

function newRun(): FakeRun {
  const model = new FakeModel();
  return new FakeRun(model, model.tokenize("one two three"), { text: "one two three" });
}

const stateOf = (state: Partial<State>): State => ({ ...DEFAULT_STATE, ...state });

it.each<[Partial<State>, string]>([
  [{ stage: "raw" }, "raw"],
  [{ stage: "norms" }, "norms"],
  [{ stage: "effects" }, "effects"],
  [{ stage: "effects", joined: "rollout" }, "rollout"],
  // A comparison has stages alone.
  [{ stage: "norms", compare: "original" }, "weights"],
  [{ stage: "scores", joined: "flow", compare: "original" }, "scores"],
  [{ picture: "lines", stage: "norms", joined: "mean" }, "norms"],
  [{ picture: "lines", stage: "effects" }, "effects"],
  [{ picture: "lines", stage: "raw" }, "weights"],
  [{ picture: "lines", stage: "norms", compare: "original" }, "weights"],
  [{ picture: "steps", stage: "norms" }, "weights"],
])("%j shows %s", (state, shown) => {
  expect(shownNumbers(stateOf(state))).toBe(shown);
});

it("effects are of the chosen entry if the model has it, other numbers of none", () => {
  const asked = (state: Partial<State>) => askedNumbers(stateOf(state), { vocabSize: 10 });
  expect(asked({ stage: "effects", entry: 9 })).toEqual({ of: "effects", entry: 9 });
  expect(asked({ stage: "effects", entry: 10 })).toEqual({ of: "effects", entry: null });
  expect(asked({ stage: "norms", entry: 9 })).toEqual({ of: "norms", entry: null });
  expect(asked({ stage: "masked" })).toBeNull();
  const names = [
    quantityOf("effects", 9),
    quantityOf("effects", null),
    quantityOf("gradient", 9),
    quantityOf("flow", 9),
  ];
  expect(names).toEqual(["effects-9", "effects", "gradient-9", "flow"]);
});

it("a special token that a gradient is of has the page's word as its name", async () => {
  const run = newRun();
  const position = run.tokens.length - 1;
  const [[best] = []] = await run.predictions({ positions: [position], topK: 1 });
  const nameIn = async (endTokens: number[]): Promise<string | undefined> => {
    const info = { ...FAKE_INFO, endTokens, padToken: null, startToken: null };
    const other = askedNumbers(stateOf({ joined: "relevance" }), info);
    return (await readHead(run, { ...HEAD, other })).other?.names?.token;
  };
  expect(await nameIn([best?.id ?? NaN])).toBe("end");
  expect(await nameIn([])).toBe(best?.text);
});

it("relevance is for the chosen entry at the selected prediction, or for the usual ones", async () => {
  const run = newRun();
  const asked = vi.spyOn(run, "relevance");
  const ofState = async (state: Partial<State>) => {
    const other = askedNumbers(stateOf({ joined: "relevance", ...state }), { vocabSize: 10 });
    const figures = await readHead(run, { ...HEAD, other });
    return { names: figures.other?.names, target: asked.mock.lastCall?.[0].target };
  };
  const last = run.tokens.length - 1;
  const depth = { layer: 2, position: 1 };
  const [[best] = []] = await run.predictions({ positions: [last], topK: 1 });
  expect((await ofState({})).target).toEqual({ position: last, id: best?.id });
  expect(await ofState({ entry: 7, depth })).toMatchObject({
    target: { position: 1, id: 7 },
    names: { position: 2 },
  });
  const locked = { query: 0, key: 2 };
  expect((await ofState({ locked, depth })).target?.position).toBe(0);
  const beyond = { layer: 0, position: 99 };
  expect((await ofState({ depth: beyond, entry: 99 })).target).toEqual({
    position: last,
    id: best?.id,
  });
  // A translator's encoder predicts nothing.
  run.targetTokens = run.tokens;
  expect((await ofState({ locked, depth })).target?.position).toBe(1);
});

it("weights times gradients are of the same prediction, for the head and those beside it", async () => {
  const run = newRun();
  const asked = vi.spyOn(run, "weightedGradient");
  const other = askedNumbers(
    stateOf({ stage: "gradient", entry: 7, depth: { layer: 2, position: 1 } }),
    {
      vocabSize: 10,
    },
  );
  const figures = await readHead(run, { ...HEAD, beside: [0], other });
  const target = { position: 1, id: 7 };
  expect(asked.mock.calls).toEqual([[{ ...HEAD, target }], [{ ...HEAD, head: 0, target }]]);
  expect(figures.other?.patterns.map(({ head }) => head)).toEqual([1, 0]);
  expect(figures.other?.names).toMatchObject({ position: 2 });
});

it("joined heads are those of a layer, of all layers, or what reaches a layer's output", () => {
  const of = { stack: "encoder", layer: 1 };
  expect(askedJoined("layer-mean", HEAD)).toEqual({ ...of, how: "mean" });
  expect(askedJoined("maximum", HEAD)).toEqual({ stack: "encoder", how: "maximum" });
  expect(askedJoined("rollout", HEAD)).toEqual({ ...of, how: "rollout" });
});

it("are read with the head, and shown in heatmap and lines under their own name", async () => {
  const run = newRun();
  const state = stateOf({ stage: "effects" });
  const figures = await readHead(run, { ...HEAD, other: { of: "effects", entry: 3 } });
  const displayed = displayPattern(figures, lensOf(state));
  const around = { state, headCount: 8, info: FAKE_INFO, image: null, unusual: [] };
  expect(PAIR_PICTURES.heatmap.properties(displayed, around)).toMatchObject({
    stage: "effects",
    tensor: { data: (await run.effects(HEAD)).data },
  });
  expect(displayed.weights).toEqual(figures.stages.weights);

  const norms = { ...HEAD, beside: [0], other: { of: "norms", entry: null } } as const;
  const lines = stateOf({ picture: "lines", stage: "norms" });
  const drawn = displayPattern(await readHead(run, norms), lensOf(lines));
  const properties = PAIR_PICTURES.lines.properties(drawn, { ...around, state: lines });
  expect(properties).toMatchObject({ stage: "norms", patterns: [{ head: 1 }, { head: 0 }] });
});

it("what is refused stays with its reason, and the stages are there", async () => {
  const run = newRun();
  const refused = new HeadscopeError({
    code: "selection/too-large",
    message: "",
    doing: "",
    expected: "",
    got: "",
  });
  run.aggregate = () => Promise.reject(refused);
  const figures = await readHead(run, { ...HEAD, other: { of: "flow", entry: null } });
  expect(figures.other).toMatchObject({ of: "flow", patterns: [], refusal: refused });
  expect(figures.stages.weights.shape).toEqual([4, 4]);
});
