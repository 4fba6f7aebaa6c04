import { describe, expect, it } from "vitest";
import { exampleOf, textsOf } from "./examples.js";
import type { Kind } from "./tasks/index.js";
import { numbersOf, SPECIAL } from "./vocabulary.js";

const ids = numbersOf(["a", "b", "c", ">"]);
const [a = -1, b = -1, c = -1, arrow = -1] = ids.values();
const { begin, end, mask } = SPECIAL;
const exercise = { question: ["a", "b", ">"], answer: ["b", "c"], from: 0 };
const read = (kind: Kind, ends = true) => exampleOf(exercise, { kind, ends, ids });

describe("an exercise", () => {
  it("is read by a decoder up to the symbol that it predicts", () => {
    expect(read("decoder")).toEqual({
      ids: [begin, a, b, arrow, b, c],
      targets: [
        [3, b],
        [4, c],
        [5, end],
      ],
    });
    expect(read("decoder", false)).toEqual({
      ids: [begin, a, b, arrow, b],
      targets: [
        [3, b],
        [4, c],
      ],
    });
  });

  it("is read by an encoder with a mask for each symbol of the answer", () => {
    expect(read("encoder")).toEqual({
      ids: [begin, a, b, arrow, mask, mask],
      targets: [
        [4, b],
        [5, c],
      ],
    });
  });

  it("is read by the two stacks of an encoder–decoder", () => {
    expect(read("encoder-decoder")).toEqual({
      ids: [a, b, arrow, end],
      targetIds: [begin, b, c],
      targets: [
        [0, b],
        [1, c],
        [2, end],
      ],
    });
  });

  it("without a question is a text, whose beginning is not predicted", () => {
    const text = { question: [], answer: ["a", "b", "c"], from: 1 };
    expect(exampleOf(text, { kind: "decoder", ends: false, ids })).toEqual({
      ids: [begin, a, b],
      targets: [
        [1, b],
        [2, c],
      ],
    });
    expect(exampleOf(text, { kind: "encoder", ends: false, ids })).toEqual({
      ids: [begin, a, mask, mask],
      targets: [
        [2, b],
        [3, c],
      ],
    });
  });

  it("is a text that a person can type", () => {
    expect(textsOf(exercise, "decoder", "spaces")).toEqual(["a b > b c", null]);
    expect(textsOf(exercise, "encoder", "spaces")).toEqual(["a b > <mask> <mask>", null]);
    expect(textsOf(exercise, "encoder-decoder", "spaces")).toEqual(["a b >", "b c"]);
    expect(textsOf(exercise, "decoder", "characters")).toEqual(["ab>bc", null]);
    const pieces = { question: [], answer: ["▁to", "▁b", "e"], from: 1 };
    expect(textsOf(pieces, "decoder", { merges: [] })).toEqual(["to be", null]);
  });
});
