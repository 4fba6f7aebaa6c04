// What each layer is asked for, and which of its predictions is chosen.
import { expect, it, vi } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import type { ModelInfo, Token, TokenRole } from "../../data/index.js";
import {
  askedAttribution,
  askedLayers,
  chosenDepth,
  readLayers,
  type ReadLayers,
} from "./layers.js";

const IMAGE = { size: 2 } as unknown as ModelInfo["image"];

it.each<[string, ModelInfo, entry: number | null, object | null]>([
  ["a decoder", FAKE_WRITER, null, { stack: "decoder", topK: 10, isOfFirst: false }],
  ["a translator", FAKE_INFO, 99, { stack: "decoder", entry: 99 }],
  ["a reader", FAKE_READER, 100, { stack: "encoder", entry: null }],
  ["a model of few entries", { ...FAKE_READER, vocabSize: 3 }, 0, { topK: 3, entry: 0 }],
  ["a model of images", { ...FAKE_READER, image: IMAGE }, null, { isOfFirst: true }],
  ["a model that predicts nothing", { ...FAKE_READER, predicts: false }, null, null],
])("the layers of %s are asked for what they predict", (_, info, entry, asked) => {
  const found = askedLayers(info, entry);
  if (asked === null) expect(found).toBeNull();
  else expect(found).toMatchObject({ vocabSize: info.vocabSize, ...asked });
});

it("all tokens of the stack are asked, with the chosen entry at each; of an image its class token", async () => {
  const run = await new FakeModel(FAKE_INFO).run({ text: "one two" });
  const lens = vi.spyOn(run, "lens");
  const texts = async (info: ModelInfo, entry: number | null): Promise<string[]> => {
    const asked = askedLayers(info, entry);
    return asked ? (await readLayers(run, asked)).tokens.map(({ text }) => text) : [];
  };
  expect(await texts(FAKE_INFO, 7)).toEqual(run.targetTokens.map(({ text }) => text));
  expect(await texts(FAKE_READER, null)).toEqual(["one", "two", "</s>"]);
  expect(await texts({ ...FAKE_READER, image: IMAGE }, null)).toEqual(["one"]);
  expect(lens.mock.calls.map(([asked]) => asked)).toEqual([
    { topK: 10, positions: [0, 1, 2], ids: [7, 7, 7] },
    { topK: 10, positions: [0, 1, 2] },
    { topK: 10, positions: [0] },
  ]);
});

/** What 3 depths predict at 4 positions: 2 entries each, numbered in order. */
function read(...roles: (TokenRole | null)[]): ReadLayers {
  const tokens = roles.map((role): Token => ({ id: 0, text: "", word: 0, special: false, role }));
  const ids = { shape: [3, 4, 2], data: Float32Array.from({ length: 24 }, (_, at) => at) };
  const lens = { entropy: { shape: [3, roles.length] }, ids };
  return { tokens, lens } as unknown as ReadLayers;
}

it.each<[string, ReadLayers, { layer: number; position: number } | null, unknown]>([
  ["the one of the State", read(null, null), { layer: 2, position: 1 }, { layer: 2, position: 1 }],
  [
    "the last one, of a State with another depth",
    read(null, null),
    { layer: 3, position: 0 },
    { layer: 2, position: 1 },
  ],
  [
    "the last one, of a State with another token",
    read(null, null),
    { layer: 0, position: 2 },
    { layer: 2, position: 1 },
  ],
  ["that of the masked token", read(null, "mask", "end"), null, { layer: 2, position: 1 }],
  ["that of a masked first token", read("mask", null), null, { layer: 2, position: 0 }],
  ["none, without a token", read(), { layer: 0, position: 0 }, null],
])("the chosen prediction is %s", (_, of, chosen, depth) => {
  expect(chosenDepth(of, chosen)).toEqual(depth);
});

it("the logit is that of the likeliest entry at the end, or the chosen one, less another one of the model", () => {
  const of = read(null, null, null, null);
  const head = { stack: "decoder", layer: 1, head: 2 } as const;
  const place = { layer: 0, position: 1 };
  const layers = {
    stack: "decoder",
    entry: null,
    topK: 2,
    vocabSize: 30,
    isOfFirst: false,
  } as const;
  const asked = (...given: [entry: number | null, against?: number]): unknown =>
    askedAttribution(of, place, { ...layers, entry: given[0] }, head, given[1])?.asked;
  expect(asked(null)).toEqual({ position: 1, id: 18, head });
  expect(asked(5, 29)).toEqual({ position: 1, id: 5, against: 29, head });
  expect([asked(5, 5), asked(5, 30)]).toEqual(Array(2).fill({ position: 1, id: 5, head }));
  // The encoder's heads do not write into the decoder's stream.
  const other = { ...head, stack: "encoder" } as const;
  expect(askedAttribution(of, place, layers, other)?.asked).toEqual({ position: 1, id: 18 });
  const encoder = { ...layers, stack: "encoder" } as const;
  expect(askedAttribution(of, place, encoder, other)).toMatchObject({
    stack: "encoder",
    asked: { head: other },
  });
  expect(askedAttribution(of, place, layers, null)?.asked).toEqual({ position: 1, id: 18 });
});
