// The short answers to the questions: the numbers of the run that they name, in their order.
import { describe, expect, it } from "vitest";
import { matrixOf, tokensOf } from "../../elements/testing/mount.js";
import type { Question } from "../../state/index.js";
import { type Answerable, ANSWERS } from "./answers.js";

/** The answer of a session of which only some values are known: label, value, share. */
function answer(question: Question, known: object): string[] {
  return ANSWERS[question](known as Answerable).map(({ label, value, share, beside }) =>
    [label, value, share === undefined ? [] : share.toFixed(2), beside ?? []].flat().join(" | "),
  );
}

const WEIGHTS = matrixOf(4, [0.1, 0.2, 0.3, 0.4, 0.25, 0.5, 0.05, 0.2]);
const TEXT = { queries: tokensOf("it", "was"), keys: tokensOf("it", "was", "the", "cat") };
const ALONE = { rows: [[0], [1]], columns: [[0], [1], [2], [3]] };
const DISPLAYED = { weights: WEIGHTS, ...ALONE, ...TEXT };
const LOCKED = { query: 1, key: 2 };

describe("a question about a row", () => {
  it("has the three keys with the most weight of the row in focus", () => {
    const of = (focused: object | null): string[] =>
      answer("it", { displayed: DISPLAYED, focused, state: {} });
    expect(of({ query: 0, key: 0 })).toEqual([
      "it → cat | 40% | 0.40",
      "it → the | 30% | 0.30",
      "it → was | 20% | 0.20",
    ]);
    expect(of(LOCKED)[0]).toBe("was → was | 50% | 0.50");
    expect(of(null)).toEqual([]);
    expect(answer("it", { displayed: null, focused: LOCKED, state: {} })).toEqual([]);
  });

  it("has the shares of the lengths where the picture shows those", () => {
    const norms = { of: "norms", patterns: [{ head: 0, weights: matrixOf(2, [1, 3, 2, 2]) }] };
    const displayed = { ...DISPLAYED, keys: TEXT.keys.slice(0, 2), whole: { other: norms } };
    const of = (known: object): string[] =>
      answer("it", { state: { stage: "norms" }, focused: { query: 0, key: 0 }, ...known });
    const [most = "", least = ""] = of({ displayed });
    expect(most).toMatch(/^it → was, .* \| 75% \| 0\.75$/);
    expect(least).toMatch(/^it → it, .* \| 25% \| 0\.25$/);
    expect(of({ displayed: { ...displayed, whole: null } })).toEqual([]);
  });

  it("has no key beyond those that are shown", () => {
    const displayed = { ...DISPLAYED, keys: TEXT.keys.slice(0, 2) };
    expect(answer("previous", { displayed, focused: { query: 0, key: 0 } })).toEqual([
      "it → was | 20% | 0.20",
      "it → it | 10% | 0.10",
    ]);
  });
});

it("texts with and without edits stand beside each other, once both are of one run", () => {
  const output = { of: "run", words: "une fille" };
  const unedited = { of: "run", words: "un garçon" };
  expect(answer("unscaled", { computation: { output, unedited } })).toEqual([
    "Without your edits: | un garçon | une fille",
    "With your edits: | une fille | un garçon",
  ]);
  const before = { ...unedited, of: "an earlier run" };
  expect(answer("unscaled", { computation: { output, unedited: before } })).toEqual([]);
  expect(answer("unordered", { computation: { output: null, unedited } })).toEqual([]);
});

it("the sink is the key that takes the most weight on average", () => {
  const displayed = { sink: { key: 3, share: 0.625 }, figures: TEXT };
  expect(answer("sink", { displayed }).join()).toMatch(/cat.* \| 63% \| 0\.63$/);
  expect(answer("sink", { displayed: { ...displayed, sink: null } })).toEqual([]);
});

it("pairs grow with the square of the text, up to four times as long", () => {
  expect(answer("cost", { source: { tokens: [] } })).toEqual([]);
  const found = answer("cost", { source: { tokens: Array.from({ length: 6 }) } });
  expect(found.map((words) => words.match(/\d+/g))).toEqual([
    ["6", "36"],
    ["12", "144"],
    ["24", "576"],
  ]);
});

it("a demo answers once it is known", () => {
  const known = [{ label: "accuracy", value: "98%" }];
  for (const [question, name] of [
    ["future", "cheat"],
    ["important", "effect"],
    ["padding", "pad"],
    ["sparse", "variant"],
  ] as const) {
    expect(answer(question, { demoAnswers: new Map([[name, known]]) })).toEqual(["accuracy | 98%"]);
    expect(answer(question, { demoAnswers: new Map([["other", known]]) })).toEqual([]);
  }
});

it("vectors are the first numbers of the pinned pair's query, key and value, and their product", () => {
  const vectors = {
    query: matrixOf(4, [0, 0, 0, 0, 1, 2, 3, 4]),
    key: matrixOf(4, [0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7, 8]),
  };
  const values = matrixOf(4, [0, 0, 0, 0, 0, 0, 0, 0, 0.25, -1, 9, 9]);
  const figures = { vectors, values, stages: { raw: WEIGHTS } };
  expect(answer("vectors", { figures, locked: LOCKED })).toEqual([
    "q | 1.0; 2.0; 3.0 …",
    "k | 5.0; 6.0; 7.0 …",
    "v | 0.3; −1.0; 9.0 …",
    "q · k | 0.1",
  ]);
  for (const lacking of [{ vectors: null }, { values: null }])
    expect(answer("vectors", { figures: { ...figures, ...lacking }, locked: LOCKED })).toEqual([]);
  expect(answer("vectors", { figures, locked: null })).toEqual([]);
});

it("weights stand beside the scores that softmax makes them of", () => {
  const masked = matrixOf(4, [0, 0, 0, 0, 1, 2, -2, 0.5]);
  const figures = { keys: TEXT.keys, stages: { weights: WEIGHTS, masked } };
  const found = answer("weights", { figures, locked: LOCKED });
  expect(found.map((words) => words.split(" | ").slice(1))).toEqual([
    ["50%", "0.50"],
    ["25%", "0.25"],
    ["20%", "0.20"],
  ]);
  expect(found.map((words) => /was|it|cat/.exec(words)?.[0])).toEqual(["was", "it", "cat"]);
  expect(found[0]).toContain("2.0");
  expect(answer("weights", { figures, locked: null })).toEqual([]);
});

it("a number behind the output projection is divided among the heads that it comes from", () => {
  const lines = [{ values: [1, 1, 2, 2, 1, 0, 0, 1] }, { values: [1, 1, -2, -2, 0.5, 9, 9, 3] }];
  const explained = { place: { step: "attended" }, explanation: { lines, value: -2.5 } };
  const size = { heads: 4, headDim: 2 };
  expect(answer("output", { explained, size })).toEqual([
    "head 2 | −8.00",
    "head 4 | 3.00",
    "head 1 | 2.00",
    "all 4 heads + bias | −2.50",
  ]);
  const elsewhere = { ...explained, place: { step: "context" } };
  expect(answer("output", { explained: elsewhere, size })).toEqual([]);
  expect(answer("output", { explained: null, size })).toEqual([]);
});

it("a number is followed from the stream through the sum to the norm", () => {
  const steps = (["attended", "sum", "normed"] as const).map((step, at) => ({
    step,
    tensor: matrixOf(2, [0, 0, 0, 1 + at * at]),
  }));
  const held = { row: 1, column: 1 };
  const values = answer("residual", { block: { steps }, held }).map((words) =>
    words.split(" | ").at(-1),
  );
  expect(values).toEqual(["1.00", "1.00", "2.00", "5.00"]);
  expect(answer("residual", { block: { steps }, held: null })).toEqual([]);
  expect(answer("residual", { block: null, held })).toEqual([]);
});

it("a word is compared by the other word that it attends to most in each text", () => {
  const one = { ...TEXT, stages: { weights: WEIGHTS } };
  const keys = tokensOf("was", "the", "dog", "was");
  const other = { keys, queries: keys, stages: { weights: matrixOf(4, [0.6, 0.1, 0.3, 0]) } };
  const paired = (toOther: readonly (number | null)[]): object => ({
    paired: { one, other, queries: { toOther } },
    cosines: { value: null },
  });
  const locked = { query: 1, key: 0 };
  expect(answer("meaning", { pairs: paired([null, 0]), locked })).toEqual([
    "was → it | 25% | 0.25",
    "was → dog | 30% | 0.30",
  ]);
  expect(answer("meaning", { pairs: paired([0, null]), locked })).toEqual([
    "was → it | 25% | 0.25",
  ]);
  expect(answer("meaning", { pairs: null, locked })).toEqual([]);
  const pair = { one: { text: "was", positions: [1] }, other: { text: "was", positions: [0] } };
  const value = [{ pair, cosines: [1, 0.98, null, 0.84] }];
  const both = { ...paired([null, 0]), cosines: { value } };
  const states = answer("meaning", { pairs: both, locked }).slice(2);
  expect(states.map((one) => one.replace(/, [^|]*/, " "))).toEqual([
    "was · was | 0.98",
    "was · was | 0.84",
  ]);
});

it("ranks are those of scores and weights, for a text that is not too long", () => {
  const of = (rank90: number, count: number): object => ({ rank90, values: Array(count).fill(1) });
  const spectrum = { scores: of(3, 8), weights: of(5, 9) };
  const numbers = answer("rank", { spectrum }).map((words) => words.match(/\d+/g)?.slice(0, 2));
  expect(numbers).toEqual([
    ["3", "8"],
    ["5", "9"],
  ]);
  expect(answer("rank", { spectrum: null })).toEqual([]);
  expect(answer("rank", { spectrum: "too-long" })).toEqual([]);
});

it("an image has its class, and the class token's weight on the strongest quarter of patches", () => {
  const weights = matrixOf(9, [0.1, 0.05, 0.3, 0.05, 0.1, 0.25, 0.05, 0.05, 0.05]);
  const expectation = { predictions: [{ text: "cat", probability: 0.9 }] };
  const found = answer("patches", { displayed: { weights }, expectation });
  expect(found[0]).toMatch(/cat.* \| 90% \| 0\.90/);
  expect(found[1]).toMatch(/2.*8.* \| 55% \| 0\.55/);
  expect(answer("patches", { displayed: null, expectation })).toEqual([]);
  expect(answer("patches", { displayed: { weights }, expectation: null })).toEqual([]);
});

describe("a question about the layers", () => {
  /** Two positions with two ranks, at the embedding and behind six layers. */
  const ids = Array.from({ length: 7 * 2 * 2 }, (_, at) => at);
  const tensor = (data: number[]): object => ({
    data: Float32Array.from(data),
    shape: [7, 2, 2],
    axes: ["layer", "position", "rank"],
  });
  const lens = {
    ids: tensor(ids),
    probabilities: tensor(ids.map((id) => id / 100)),
    names: new Map(ids.map((id) => [id, { id, text: `w${id}` }])),
  };

  it("has the likeliest word of the position at the embedding and behind the last layers", () => {
    const of = (depth: object | null, known: object | null = { lens }): string[] =>
      answer("layers", { layers: known, depth });
    const found = of({ layer: 3, position: 1 });
    const first = found.map((one) => one.split(" | ").slice(1));
    // Of each layer the first rank of the second position: 2, 6, 10 …
    expect(first[0]).toEqual(["2%", "0.02"]);
    expect(first.at(-1)).toEqual(["26%", "0.26"]);
    expect(first.at(-2)).toEqual(["22%", "0.22"]);
    expect(found.length).toBeLessThan(7);
    expect(found[0]).toContain("w2");
    expect(found.at(-1)).toMatch(/6.*w26/);
    expect([of(null), of({ layer: 0, position: 0 }, null)]).toEqual([[], []]);
  });
});

it("the answer lists the keys of a head with their weights and what each adds, the heaviest first", () => {
  const run = { tokens: [], targetTokens: TEXT.keys };
  const keys = [0.1, 0.2, 0.3, 0.4].map((weight, at) => ({ weight, value: 1 - at }));
  const shown = { stack: "decoder", layer: 0, head: 0 };
  const of = (known: object): string[] =>
    answer("explanation", { attribution: { keys }, shown, computation: { run }, ...known });
  const found = of({});
  expect(found.slice(0, 2).map((one) => one.split(" | ")[1])).toEqual(["−2.00", "−1.00"]);
  expect(found[0]).toMatch(/cat.*40%/);
  expect(found.length).toBeLessThan(4);
  for (const missing of [{ attribution: { keys: null } }, { shown: null }, { computation: {} }])
    expect(of(missing)).toEqual([]);
});
