import { describe, expect, it } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
  wordToken,
} from "../../../tests/support/fake-model.js";
import type { ModelInfo, Token } from "../../data/index.js";
import { matrixOf } from "../../elements/testing/mount.js";
import { DEFAULT_STATE, togglePicked } from "../../state/index.js";
import { samplesOf, stateOf } from "../models/samples.js";
import { absentIn } from "./fitting.js";
import {
  axisOf,
  backPatch,
  chosenHead,
  headsBeside,
  isMaskable,
  neighbourOf,
  openingQuery,
  strongestCell,
  switchPatch,
} from "./selection.js";
import { lockedAfter, maskedAfter } from "./positions-after.js";

const HEAD = { stack: "cross", layer: 0, head: 7 } as const;

it("the head that a State asks for is the nearest that the model has", () => {
  expect(chosenHead({ ...HEAD, layer: 99 }, FAKE_INFO)).toEqual({ ...HEAD, layer: 2 });
  const nearest = { stack: "encoder", layer: 1, head: 7 };
  expect(chosenHead({ ...HEAD, layer: 1, head: 99 }, FAKE_READER)).toEqual(nearest);
});

it("a masked token that is not there is answered with those that can be masked", async () => {
  const there = async (info: ModelInfo, masked: number[]): Promise<string | undefined> => {
    const run = await new FakeModel(info).run({
      text: "one two",
      ...(info.maskToken !== null && { masked: [1] }),
    });
    const absent = absentIn({ ...DEFAULT_STATE, stack: "encoder", masked }, info, run);
    return absent.find(({ key }) => key === "masked")?.there;
  };
  expect(await there(FAKE_READER, [98])).toBe("1 … 2");
  expect(await there(FAKE_READER, [1])).toBeUndefined();
  expect(await there({ ...FAKE_READER, maskToken: null }, [98])).toBe("–");
});

it("a head has beside it the heads that were asked for and exist, in their order, never itself", () => {
  expect(headsBeside([3, 7, 8, 0], HEAD, FAKE_INFO)).toEqual([0, 3]);
});

it("a head has neighbours within the model only", () => {
  const steps = [
    ["layer", -1],
    ["layer", 1],
    ["head", -1],
    ["head", 1],
  ] as const;
  const neighbours = steps.map(([along, step]) =>
    Object.values(neighbourOf(HEAD, along, step, FAKE_INFO)),
  );
  expect(neighbours).toEqual([
    [0, 7],
    [1, 7],
    [0, 6],
    [0, 7],
  ]);
});

it("a token is a query or a key, depending on the stack and the text", () => {
  const axes = (["encoder", "decoder", "cross"] as const).map((stack) =>
    (["source", "target"] as const).map((side) => axisOf(side, stack, FAKE_INFO)),
  );
  expect(axes).toEqual([
    ["query", null],
    [null, "query"],
    ["key", "query"],
  ]);
  expect(axisOf("source", "decoder", FAKE_WRITER)).toBe("query");
  expect(axisOf("target", "decoder", FAKE_WRITER)).toBeNull();
});

it("the cell that stands out is between ordinary tokens, where there are any", () => {
  const weights = matrixOf(3, [0.7, 0.2, 0.1, 0.1, 0.3, 0.6]);
  const tokens = (...all: boolean[]): Token[] =>
    all.map((special) => ({ ...wordToken("x", 0), special }));
  expect(strongestCell(weights, tokens(true, false), tokens(false, false, true))).toEqual({
    query: 1,
    key: 1,
  });
  const all = strongestCell(weights, tokens(true, true), tokens(true, true, true));
  expect(all).toEqual({ query: 0, key: 0 });
  expect(strongestCell(weights, [], [])).toBeNull();
});

it("ordinary tokens can be masked in a model that has a mask token and an output head", () => {
  const [token] = new FakeModel(FAKE_READER).tokenize("cat");
  expect([
    isMaskable(FAKE_READER, token),
    isMaskable(FAKE_READER, token && { ...token, special: true }),
    isMaskable(FAKE_READER, undefined),
    isMaskable({ ...FAKE_READER, predicts: false }, token),
    isMaskable(FAKE_INFO, token),
  ]).toEqual([true, false, false, false, false]);
});

describe("masked tokens of a text that changes", () => {
  const ids = new Map<string, number>();
  const idOf = (word: string): number => {
    if (!ids.has(word)) ids.set(word, ids.size);
    return ids.get(word) ?? NaN;
  };
  const tokenize = (text: string): Token[] =>
    text.split(" ").map((word, at) => ({ ...wordToken(word, at), id: idOf(word) }));
  const plain = { hasChatTemplate: false, tokenize };
  const chat = "off" as const;

  it.each([
    ["a word is added at the end", "the cat sleeps", "the cat sleeps now", [1], [1]],
    ["a word is added at the beginning", "the cat sleeps", "so the cat sleeps", [1, 2], [2, 3]],
    ["a word between is taken out", "the old cat sleeps", "the cat sleeps", [0, 3], [0, 2]],
    ["the word itself is changed", "the cat sleeps", "the dog sleeps", [1, 2], [2]],
    ["everything is changed", "the cat sleeps", "a dog barks loudly", [0, 1, 2], []],
    ["a repeated word is added", "the the", "the the the", [1], [1]],
  ])("masked tokens follow a text: %s", (_, text, after, masked, expected) => {
    const models = [{ ...plain, info: FAKE_READER }, { ...plain, info: FAKE_INFO }, null];
    const before = { text, chat, masked };
    expect(models.map((model) => maskedAfter(before, after, model))).toEqual([
      expected,
      [],
      masked,
    ]);
  });
});

describe("the locked pair of a text that changes", () => {
  const tokenize = (text: string): Token[] =>
    text.split(" ").map((word, at) => ({ ...wordToken(word, at), id: word.length }));
  const plain = { hasChatTemplate: false, tokenize };
  const model = { ...plain, info: FAKE_READER };
  const chat = "off" as const;
  const head = { stack: "encoder", layer: 0, head: 0 } as const;
  const locked = { query: 3, key: 1 };

  it.each([
    ["a cat sits there", "a cat sits there again?", { query: 3, key: 1 }],
    ["a cat sits there", "so a cat sits there", { query: 4, key: 2 }],
    ["a cat sits there", "a kitten sits there", null],
    ["a cat sits there", "a cat sits", null],
  ])("follows it or is dropped: %j to %j", (text, after, expected) => {
    expect(lockedAfter({ text, chat, locked }, head, after, model)).toEqual(expected);
  });

  it("keeps the position of a token that a translator writes", () => {
    const translator = { ...plain, info: FAKE_INFO };
    const cross = { ...head, stack: "cross" } as const;
    const before = { text: "a cat sits", chat, locked } as const;
    const moved = lockedAfter(before, cross, "so a cat sits", translator);
    expect(moved).toEqual({ query: 3, key: 2 });
    const decoder = { ...head, stack: "decoder" } as const;
    expect(lockedAfter({ ...before, text: "a" }, decoder, "b c", translator)).toEqual(locked);
  });
});

describe("the query that a page opens on", () => {
  const tokens = ["a", "b", "c"].map((word, at): Token => wordToken(word, at));
  const masked = tokens.map((token, at): Token => (at === 1 ? { ...token, role: "mask" } : token));
  const at = (stack: "encoder" | "decoder" | "cross") => ({ stack, layer: 0, head: 0 });

  it("is a decoder's last token, what a translator is writing, or the masked token", () => {
    expect(openingQuery(at("decoder"), tokens, FAKE_WRITER, false)).toBe(2);
    expect(openingQuery(at("cross"), tokens, FAKE_INFO, true)).toBe(2);
    expect(openingQuery(at("cross"), tokens, FAKE_INFO, false)).toBeNull();
    expect(openingQuery(at("encoder"), tokens, FAKE_INFO, true)).toBeNull();
    expect(openingQuery(at("encoder"), masked, FAKE_READER, false)).toBe(1);
    expect(openingQuery(at("encoder"), tokens, FAKE_READER, false)).toBeNull();
  });
});

describe("another model", () => {
  it("has its own first sample where a sample was shown, and keeps a sample that it has itself", () => {
    const [first] = samplesOf("models/tiny-gpt");
    expect(switchPatch(DEFAULT_STATE, "models/tiny-gpt")).toMatchObject(
      first ? stateOf(first) : {},
    );
    const shared = samplesOf("models/tiny-bert").find(({ text }) =>
      samplesOf("models/en-fr").some((sample) => sample.text === text),
    );
    if (!shared) throw new Error("no text is a sample of both");
    expect(switchPatch({ ...DEFAULT_STATE, text: shared.text }, "models/tiny-bert")).toMatchObject(
      stateOf(shared),
    );
  });

  it.each([
    [{ text: "my own" }, "models/tiny-gpt"],
    [{ target: "la mienne" }, "models/tiny-gpt"],
    [{}, "opened/bert"],
  ] as const)("keeps what was typed, and no pair of the model before: %o in %s", (typed, model) => {
    const ids = { entry: null, against: null };
    const moved = { chat: "off", locked: null, picked: null, region: null, pairs: [], ...ids };
    expect(switchPatch({ ...DEFAULT_STATE, ...typed }, model)).toEqual({ model, ...moved });
  });

  it("that cannot be loaded is left for the one before, with what was typed since", () => {
    const picked = togglePicked(null, "source", 1);
    const left = { ...DEFAULT_STATE, locked: { query: 1, key: 2 }, picked };
    for (const before of [left, { ...left, text: "my own" }]) {
      const now = { ...before, ...switchPatch(before, "models/tiny-bert") };
      expect({ ...now, ...backPatch(before, now) }).toEqual(before);
      const text = "typed meanwhile";
      const typed = { ...now, text, ...backPatch(before, { ...now, text }) };
      expect(typed).toMatchObject({ model: left.model, text, locked: null });
    }
  });
});
