import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import type { Tensor } from "../../data/index.js";
import { pieceText } from "../../elements/shared/templates.js";
import { ModelTokenizer } from "../../engine/tokenizer/tokenizer.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { tokensOf } from "./figures.js";
import { lensOf, type DisplayedPattern, displayPattern } from "./displayed.js";
import { lensHint, lensSummary, stageHint } from "./lens-words.js";

const USUAL = { headDim: 32, unusual: [], fullyMasked: [] };

describe("what a stage is said to be", () => {
  it("is its formula, or that edits make it", () => {
    expect(stageHint("scores", USUAL)).toContain("√32");
    expect(stageHint("scores", { ...USUAL, unusual: ["scores"] })).toBe("As your edits make them.");
    expect(stageHint("weights", USUAL)).toBe("After softmax: every row adds up to 1.");
  });

  it("does not promise 1 of rows that may look nowhere, unless edits make the weights", () => {
    const empty = { ...USUAL, fullyMasked: [2] };
    expect(stageHint("weights", empty)).toContain("look nowhere, which are all 0");
    expect(stageHint("masked", empty)).toBe(stageHint("masked", USUAL));
    expect(stageHint("weights", { ...empty, unusual: ["weights"] })).toBe(
      "As your edits make them.",
    );
  });
});

/** A head whose first token takes `share` of every query's weight. */
async function sunk(share: number, state: Partial<State> = {}): Promise<DisplayedPattern> {
  const run = await new FakeModel(FAKE_WRITER).run({ text: "one two three" });
  const rest = (1 - share) / 3;
  const weights: Tensor = {
    data: Float32Array.from({ length: 16 }, (_, at) => (at % 4 === 0 ? share : rest)),
    shape: [4, 4],
    axes: ["query", "key"],
  };
  const open: Tensor = { ...weights, data: new Float32Array(16) };
  const stages = { raw: open, scores: open, masked: open, weights };
  const figures = {
    run,
    head: { stack: "decoder", layer: 0, head: 0 } as const,
    stages,
    mask: open,
    fullyMasked: [],
    patterns: [{ head: 0, weights }],
    vectors: null,
    ...tokensOf(run, "decoder"),
  };
  return displayPattern(figures, lensOf({ ...DEFAULT_STATE, ...state }));
}

describe("what was done to a picture", () => {
  it("is said in words, and nothing where nothing was", async () => {
    expect([lensHint(await sunk(0.7)), lensSummary(await sunk(0.7))]).toEqual(["", []]);
    const changed = await sunk(0.7, { sink: "out", specials: "hidden" });
    expect(lensHint(changed)).toBe(
      "Renormalised without “one”: not the weights that the model uses. Rows add up to less than 1: on average 33.3% goes to hidden tokens.",
    );
    expect(lensSummary(changed)).toEqual(["special tokens hidden", "renormalised without “one”"]);
    expect(lensHint(await sunk(0.7, { unit: "word", stage: "raw" }))).toBe(
      "By token here: only weights can be joined into words.",
    );
  });
});

/** What each token of a text would be called as a possible one after the token before it. */
function called(
  kind: string,
  text: string,
): { text: string; continues: boolean; called: string }[] {
  const reference = new URL("../../../tests/reference/tokenizers.json", import.meta.url);
  const fixtures = JSON.parse(readFileSync(reference, "utf8")) as Record<
    string,
    { tokenizer: object }
  >;
  const tokenizer = new ModelTokenizer(JSON.stringify(fixtures[kind]?.tokenizer));
  const { tokens } = tokenizer.encode(text, null);
  const plain = tokens.filter(({ special }) => !special);
  return plain.slice(1).map((token, at) => {
    const continues = tokenizer.continuesWord(token.id);
    const before = plain[at] ?? token;
    const prediction = {
      id: token.id,
      text: token.text,
      logit: 0,
      probability: 1,
      ...(continues && { continuesWord: true as const }),
    };
    return { text: token.text, continues, called: pieceText(prediction, before) };
  });
}

it.each(["metaspace-bpe", "bytelevel-bpe"])(
  "of a %s tokenizer no piece goes on with a word after an apostrophe, where there is none, as in c'est",
  (kind) => {
    const pieces = called(kind, "c'est");
    const after = pieces[pieces.findIndex(({ text }) => text.endsWith("'")) + 1];
    expect(after).toEqual({ text: after?.text, continues: true, called: after?.text });
  },
);
