import { describe, expect, it } from "vitest";
import { ROLES, type Tally } from "../data/index.js";
import { optionsIn } from "./command.js";
import { demandModel } from "./of-model.js";
import { addByHead, scoresOfTally } from "./pooling.js";
import {
  demandRead,
  endsOf,
  pooledEffects,
  pooledRoles,
  readStudy,
  typicalTexts,
} from "./reading.js";
import { type StudyHeader, textsIn } from "./study.js";

const mean = (sum = 0, count = 0): Tally["entropy"] => ({ sum, count });
const tally = (change: Partial<Tally> = {}): Tally => ({
  means: ROLES.map(() => mean()),
  offsets: Array.from({ length: 7 }, () => mean()),
  entropy: mean(),
  distance: mean(),
  nQueries: 0,
  ...change,
});
const ofRole = (role: string, value: Tally["entropy"]): Tally["means"] =>
  ROLES.map((one) => (one.role === role ? value : mean()));

const HEADER: StudyHeader = {
  format: 1,
  study: "roles",
  model: { name: "m", files: { "config.json": "1" } },
  texts: { name: "t.txt", sha256: "2", count: 130 },
  blockSize: 64,
  shard: [1, 1],
};
const lines = (...all: object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join("");
const roles = (block: number, self: Tally["entropy"]): object => ({
  block,
  failed: [],
  tallies: { decoder: [[tally({ means: ofRole("self", self), nQueries: self.count })]] },
});
const fails = (run: () => unknown): string => {
  try {
    run();
  } catch (thrown) {
    const { code, message } = thrown as { code: string; message: string };
    return `${code} ${message}`;
  }
  return "nothing";
};

describe("sums over texts", () => {
  it("are added first and divided last, so that a long text weighs more", () => {
    const [one, other] = [mean(1, 1), mean(3, 9)].map((of) => ({
      decoder: [[tally({ means: ofRole("self", of) })]],
    }));
    const [[sum = tally()] = []] = addByHead(one ?? {}, other ?? {}).decoder ?? [];
    expect(scoresOfTally(sum).self).toBe(0.4);
    expect(scoresOfTally(sum).previous).toBeNull();
  });

  it("have the role of the best offset that half of the queries see", () => {
    const offsets = [mean(2, 2), mean(), mean(), mean(3, 8), mean(5, 8), mean(), mean()];
    expect(scoresOfTally(tally({ offsets, nQueries: 9 })).positional).toBe(5 / 8);
    expect(scoresOfTally(tally({ offsets, nQueries: 99 })).positional).toBeNull();
  });
});

describe("the file of a study", () => {
  const whole = [roles(0, mean(1, 2)), roles(1, mean(2, 2)), roles(2, mean(0, 1))];
  const [first = {}, second = {}, third = {}] = whole;

  it("may consist of parts in any order", () => {
    const parts = lines({ ...HEADER, shard: [2, 2] }, second) + lines(HEADER, third, first);
    const study = readStudy(parts, "all.jsonl");
    expect(study.blocks.map(({ block }) => block)).toEqual([0, 1, 2]);
    expect(pooledRoles(study, "all.jsonl").decoder?.[0]?.[0]?.self).toBe(0.6);
  });

  it.each([
    ["", "study/bad-file f: expected the lines of a study, found none."],
    ["{}\n", "study/bad-file f, line 1: expected the first line of a study, found {}."],
    [lines(HEADER) + "{", "study/bad-file f, line 2: expected a whole line, found {."],
    [lines(HEADER, { block: 3, failed: [] }), "line 2: expected a block"],
    [lines(HEADER, first, first), "line 3: expected each block once, found block 0 again."],
    [
      lines({ ...HEADER, model: { name: 1 } }),
      "study/bad-file f, line 1, model.name: expected a string, found 1.",
    ],
    [
      lines(HEADER, { block: 0, failed: [], tallies: { decoder: [[{ ...tally(), means: [] }]] } }),
      "line 2, tallies.decoder[0][0].means: expected a list of 12, found a list of 0.",
    ],
    [
      lines(HEADER, { block: 0, failed: [], tallies: { middle: [] } }),
      "line 2, tallies: expected only encoder, decoder, cross, found { middle }.",
    ],
    [
      lines({ ...HEADER, study: "typical", roles: {} }, { block: 0, failed: [], scores: 1 }),
      "line 2, scores: expected an object, found 1.",
    ],
    [lines({ ...HEADER, study: "typical" }), "line 1, roles: expected an object, found nothing."],
    [
      lines({ ...HEADER, study: "patch" }, { block: 0, failed: [] }),
      "line 2, direction: expected denoise | noise, found nothing.",
    ],
    [
      lines(HEADER, { ...HEADER, texts: { ...HEADER.texts, sha256: "3" } }),
      "study/other-study f, line 2: expected roles of m, found roles of m, with other texts",
    ],
  ])("that reads %j is refused", (content, sentence) => {
    expect(fails(() => readStudy(content, "f"))).toContain(sentence);
  });

  it("of another study, or with blocks missing, has no roles", () => {
    const missing = readStudy(lines(HEADER, first), "f");
    expect(fails(() => pooledRoles(missing, "f"))).toContain(
      "study/incomplete f: expected all 3 blocks, found 1 of them.",
    );
    expect(fails(() => typicalTexts(missing, "f"))).toContain(
      "study/other-study f: expected a study of typical, found one of roles.",
    );
  });
});

describe("a study of patches", () => {
  const header = { ...HEADER, study: "patch", blockSize: 1, texts: { ...HEADER.texts, count: 3 } };
  const at = { stack: "decoder", layer: 0, step: "context", head: 1 };
  const pair = (block: number, ends: [number, number], value: number, more = {}): object => {
    const [clean, corrupted] = ends;
    const cells = [{ at, value, recovered: null, reason: "" }];
    return {
      block,
      failed: [],
      direction: "denoise",
      measure: "difference",
      clean,
      corrupted,
      cells,
      ...more,
    };
  };
  const grids = (...blocks: object[]): unknown =>
    pooledEffects(readStudy(lines(header, ...blocks), "f"), "f");
  const unread = { block: 2, failed: [{ index: 2, code: "input/empty", message: "" }] };
  const grid = { stack: "decoder", step: "context", of: "heads", direction: "denoise" };

  it("has the effects of the added targets, without pairs that could not be read", () => {
    // The second pair alone recovers 18: its texts hardly differ.
    expect(grids(pair(0, [4, 0], 1), pair(1, [1.5, 1], 10), unread)).toEqual([
      {
        ...grid,
        measure: "difference",
        cells: [{ layer: 0, column: 1, recovered: 10 / 4.5, count: 2 }],
      },
    ]);
  });

  it("has a grid for each measure, and no effect where the added targets are equal", () => {
    const noMeasure = { ...unread, block: 1 };
    const other = pair(2, [1, 1], 3, { measure: "probability" });
    expect(grids(pair(0, [1, 0], 1), noMeasure, other)).toEqual([
      { ...grid, measure: "difference", cells: [expect.objectContaining({ recovered: 1 })] },
      { ...grid, measure: "probability", cells: [expect.objectContaining({ recovered: null })] },
    ]);
  });
});

describe("a study of paths", () => {
  const header = { ...HEADER, study: "patch", blockSize: 1, texts: { ...HEADER.texts, count: 3 } };
  const at = { stack: "decoder", layer: 0, step: "context", head: 1 };
  const pair = (block: number, receiver?: unknown): object => ({
    block,
    failed: [],
    direction: "noise",
    measure: "difference",
    clean: 1,
    corrupted: 0,
    cells: [{ at, value: block, recovered: null, reason: "" }],
    receiver,
  });
  const grids = (...blocks: object[]) =>
    pooledEffects(readStudy(lines(header, ...blocks), "f"), "f");

  it("has a grid for each receiver, apart from patches that reach all that follows", () => {
    const head = { stack: "decoder", layer: 1, head: 0, part: "key" };
    const found = grids(pair(0), pair(1, head), pair(2, "logits"));
    expect(found.map(({ receiver, cells: [cell] }) => [receiver, cell?.recovered])).toEqual([
      [undefined, 0],
      [head, 1],
      ["logits", 2],
    ]);
  });

  it.each([
    3,
    "keys",
    { stack: "decoder", layer: 1 },
    { stack: "decoder", layer: 1, head: 0, x: 1 },
  ])("has no receiver such as %j", (receiver) => {
    expect(fails(() => grids(pair(0), pair(1, receiver), pair(2)))).toContain("a receiver");
  });
});

describe("a study of another model", () => {
  const size = { layers: 1, heads: 1, kvHeads: 1, headDim: 2 };
  const files = { "config.json": "1", "model.safetensors": "2" };
  const whole = [roles(0, mean(1, 2)), roles(1, mean(2, 2)), roles(2, mean(0, 1))];
  const read = (model: string): ReturnType<typeof readStudy> =>
    readStudy(lines({ ...HEADER, model: { name: model, files } }, ...whole), "f");
  const refusal = (model: string, name: string, stacks: object): string =>
    fails(() => demandModel(read(model), "f", { name, stacks, files }));

  it("is one of another name or size", () => {
    expect(refusal("m", "m", { decoder: size })).toBe("nothing");
    expect(refusal("m.gguf", "m", { decoder: size })).toBe("nothing");
    expect(refusal("m", "n", { decoder: size })).toBe(
      "study/other-model f: expected a study of n, found one of m.",
    );
    expect(refusal("m", "m", { decoder: { ...size, heads: 2 } })).toBe(
      "study/other-model f: expected layers × heads of decoder 1 × 2, found decoder 1 × 1.",
    );
    expect(refusal("m", "m", { encoder: size, decoder: size })).toContain(
      "decoder 1 × 1, encoder 1 × 1, found",
    );
  });

  it("or of other weights under the same name, which the sentence names", () => {
    const model = { name: "m", stacks: { decoder: size } };
    const refused = (own: Record<string, string>): string =>
      fails(() => demandModel(read("m"), "f", { ...model, files: own }));
    expect(refused({ ...files, "model.safetensors": "0123456789abcdef" })).toBe(
      "study/other-model f: expected a study of the model in use, whose model.safetensors is " +
        "one with the fingerprint 0123456789ab…, found one of another, whose model.safetensors is " +
        "one with the fingerprint 2….",
    );
    expect(refused({ "config.json": "1" })).toContain("whose model.safetensors is none, found");
  });

  it("may have patches of a head that the model does not have", () => {
    const header = { ...HEADER, study: "patch", texts: { ...HEADER.texts, count: 1 } };
    const cell = {
      at: { stack: "decoder", layer: 0, step: "context", head: 1 },
      value: 1,
      recovered: 1,
      reason: null,
    };
    const block = { block: 0, failed: [], clean: 1, corrupted: 0, cells: [cell] };
    const made = { ...block, direction: "noise", measure: "difference" };
    const study = readStudy(lines(header, made), "f");
    expect(
      fails(() =>
        demandModel(study, "f", {
          name: "m",
          stacks: { decoder: size },
          files: HEADER.model.files,
        }),
      ),
    ).toBe(
      "study/other-model f: expected places in decoder 1 × 1, found decoder, layer 0, head 1.",
    );
  });

  it("or of texts of which none can be read, has nothing to show", () => {
    const failed = [{ index: 0, code: "input/empty", message: "It is empty." }];
    const header = { ...HEADER, study: "typical", roles: {}, texts: { ...HEADER.texts, count: 1 } };
    const study = readStudy(lines({ ...header, blockSize: 1 }, { block: 0, failed }), "f");
    expect(fails(() => demandRead(study, "f"))).toContain("study/bad-texts");
    expect(fails(() => demandRead(read("m"), "f"))).toBe("nothing");
  });
});

it("the typical texts of a head are at both ends of the scores, none at both", () => {
  // Scores go up and down, and each stands twice.
  const scores = [3, 0, 5, 1, 4, 2, 2, 4, 1, 5, 0, 3];
  const texts = scores.map((score, at) => ({ text: `${at}`, score }));
  const { most, least } = endsOf(texts);
  expect(most.map(({ text }) => text).join()).toBe("2,9,4,7,0,11,5,6,3,8");
  expect(least.map(({ text }) => text).join()).toBe("1,10");
  const many = endsOf([...texts, ...scores.map((score, at) => ({ text: `${at + 12}`, score }))]);
  expect(many.least.map(({ text }) => text).join()).toBe("1,10,13,22,3,8,15,20,5,6");
  const header = {
    ...HEADER,
    study: "typical",
    blockSize: 1,
    roles: { decoder: [["self", null]] },
  };
  const count = { ...HEADER.texts, count: 2 };
  const content = lines(
    { ...header, texts: count },
    { block: 0, failed: [], text: "a", scores: { decoder: [[0.5, null]] } },
    { block: 1, failed: [{ index: 1, code: "input/empty", message: "" }] },
  );
  expect(typicalTexts(readStudy(content, "f"), "f")).toEqual({
    decoder: [[{ role: "self", most: [{ text: "a", score: 0.5 }], least: [] }, null]],
  });
});

it("texts are the lines of a file, those of a .jsonl file objects", () => {
  expect(textsIn("one\n\ntwo\r\n", "t.txt")).toEqual([{ text: "one" }, { text: "two" }]);
  expect(textsIn('{"ids":[1]}\n', "t.jsonl")).toEqual([{ ids: [1] }]);
  expect(fails(() => textsIn("\n", "t.txt"))).toContain("study/bad-texts t.txt: expected a text");
  for (const bad of ["[1]", "one", '"a"'])
    expect(fails(() => textsIn(`{}\n${bad}`, "t.jsonl"))).toContain(
      `t.jsonl, line 2: expected a JSON object, found ${bad}.`,
    );
});

describe("the options of a study", () => {
  const paths = ["--model", "m", "--texts", "t", "--out", "o"];

  it("are read, with a part of the blocks", () => {
    const found = optionsIn(["study", "patch", ...paths, "--shard", "3/16", "--workers", "2"]);
    expect(found).toMatchObject({ study: "patch", model: "m", shard: [3, 16], workers: 2 });
  });

  it.each([
    [["study"], "expected study roles|patch|typical, found study."],
    [["study", "lens", ...paths], "found study lens."],
    [["run", "roles", ...paths], "found run roles."],
    [["study", "roles", "--model", "m"], "--texts: expected a path, found none."],
    [["study", "roles", ...paths, "--shard", "0/2"], "--shard: expected a part and their number"],
    [["study", "roles", ...paths, "--shard", "3/2"], "found 3/2."],
    [["study", "roles", ...paths, "--workers", "0"], "--workers: expected a number from 1"],
    [["study", "roles", ...paths, "--fast"], "--fast"],
    [["study", "roles", ...paths, "--roles", "r"], "--roles: expected a study of typical"],
  ])("%j are refused", (words, sentence) => {
    const found = fails(() => optionsIn(words));
    expect(found).toContain("study/bad-option");
    expect(found).toContain(sentence);
  });
});
