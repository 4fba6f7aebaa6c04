import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeState, encodeState } from "./hash.js";
import { BUNDLED_MODELS, DEFAULT_STATE, PICTURES, STACKS, STAGES, THEMES, TOUR, type State } from "./state.js";

const position = fc.nat({ max: 100_000 });
const scope = fc.record(
  {
    stack: fc.constantFrom(...STACKS),
    layers: fc.array(position, { minLength: 1, maxLength: 4 }),
    heads: fc.array(position, { minLength: 1, maxLength: 4 }),
  },
  { requiredKeys: [] },
);
const anyText = fc.string({ unit: "binary", maxLength: 200 });

const anyState: fc.Arbitrary<State> = fc.record({
  model: fc.constantFrom(...BUNDLED_MODELS),
  text: anyText,
  hidden: fc.uniqueArray(position, { maxLength: 6 }),
  target: fc.option(anyText),
  stack: fc.constantFrom(...STACKS),
  layer: position,
  head: position,
  stage: fc.constantFrom(...STAGES),
  locked: fc.option(fc.record({ query: position, key: position })),
  picture: fc.constantFrom(...PICTURES),
  edits: fc.record({
    masks: fc.array(
      fc.tuple(scope, fc.array(fc.tuple(position, position), { maxLength: 6 })).map(([where, block]) => ({ ...where, block })),
      { maxLength: 4 },
    ),
    heads: fc.array(
      fc
        .tuple(scope, fc.double({ min: -1000, max: 1000, noNaN: true }).map((gate) => gate + 0))
        .map(([where, gate]) => ({ ...where, gate })),
      { maxLength: 4 },
    ),
  }),
  tour: fc.option(fc.constantFrom(...TOUR)),
  theme: fc.constantFrom(...THEMES),
  language: fc.option(fc.constantFrom("en" as const, "zh-CN" as const)),
});

describe("the address of a State", () => {
  it("reads back exactly what was written", () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(decodeState(`#${encodeState(state)}`)).toMatchObject({ state, unread: [], newer: false });
      }),
    );
  });

  it("is a valid fragment that no browser rewrites", () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const hash = `#${encodeState(state)}`;
        expect(new URL(hash, "https://example.org/").hash).toBe(hash);
      }),
    );
  });

  it("is short and readable", () => {
    expect(encodeState(DEFAULT_STATE)).toBe("v=1");
    const state: State = {
      ...DEFAULT_STATE,
      text: "The dog bites the man.",
      layer: 0,
      locked: { query: 4, key: 6 },
      edits: {
        masks: [{ stack: "cross", layers: [1], heads: [2], block: [[4, 6], [5, 6]] }],
        heads: [{ layers: [0, 1], gate: 0.5 }, { stack: "encoder", gate: 0 }],
      },
    };
    expect(encodeState(state)).toBe("v=1&text=The+dog+bites+the+man.&layer=1&cell=5-7&edits=c2.3!5-7,6-7;1,2.x0.5;e.x0");
    const gaps = encodeState({ ...DEFAULT_STATE, model: "models/tiny-bert", hidden: [4, 1] });
    expect(gaps).toBe("v=1&model=models/tiny-bert&hidden=5,2");
  });

  it("tells a bare step of the tour from a picture that is at every default on that step", () => {
    const state: State = { ...DEFAULT_STATE, tour: "softmax" };
    expect(encodeState(state)).toBe("v=1&model=models/en-fr&tour=3");
    expect(decodeState("v=1&tour=3&language=en")).toMatchObject({ state: { tour: "softmax" }, said: ["tour", "language"] });
  });

  it("leaves out a folder that was opened from a disk", () => {
    const opened = encodeState({ ...DEFAULT_STATE, model: "opened/my-gpt", text: "Hello" });
    expect(opened).toBe("v=1&text=Hello");
  });

  it("keeps half a character from breaking it", () => {
    expect(decodeState(encodeState({ ...DEFAULT_STATE, text: "a\uD800b" })).state.text).toBe("a\uFFFDb");
  });
});

describe("a hostile address", () => {
  it("never throws and always gives a State with every field", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.webFragments(), fc.array(fc.tuple(fc.constantFrom("v", "text", "layer", "edits", "cell", "__proto__", "model"), anyText)).map((pairs) => pairs.map((pair) => pair.join("=")).join("&"))), (hash) => {
        expect(Object.keys(decodeState(hash).state).sort()).toEqual(Object.keys(DEFAULT_STATE).sort());
      }),
    );
  });

  it.each([
    ["layer=0", "layer"],
    ["layer=-1", "layer"],
    ["layer=1.5", "layer"],
    ["layer=99999999999999999999", "layer"],
    ["stack=memory", "stack"],
    ["cell=1-2-3", "cell"],
    ["edits=c2.3!1-", "edits"],
    ["edits=c2.3x1e999", "edits"],
    ["edits=c2.3x1000.5", "edits"],
    ["edits=c2.3x-1e7", "edits"],
    ["edits=c2..3x0", "edits"],
    ["hidden=1,0", "hidden"],
    ["hidden=1,,2", "hidden"],
    ["model=opened%2Fmy-gpt", "model"],
    ["text=%E0%A4%A", "text"],
    ["model=https://example.org/model", "model"],
    ["constructor=1", "constructor"],
    ["surprise", "surprise"],
    ["tour=0", "tour"],
    [`tour=${TOUR.length + 1}`, "tour"],
    ["tour=row", "tour"],
  ])("%s leaves %s at its default and says so", (hash, name) => {
    expect(decodeState(`#v=1&${hash}`)).toEqual({ state: DEFAULT_STATE, said: [], unread: [name], newer: false });
  });

  it("keeps what is readable beside what is not", () => {
    const { state, unread, newer } = decodeState("#v=7&text=Hello&layer=x");
    expect([state.text, state.layer, unread, newer]).toEqual(["Hello", DEFAULT_STATE.layer, ["layer"], true]);
  });
});
