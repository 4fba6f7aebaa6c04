import { describe, expect, it } from "vitest";
import { ROLES } from "../data/index.js";
import { readNotes } from "./notes.js";
import { INFO } from "./testing/fake-wasm.js";

const SIZE = { layers: 1, heads: 2, kvHeads: 2, headDim: 8 };
const ENCODER = { ...INFO, stacks: { encoder: SIZE }, vocabSize: 3 };

const SCORES = { ...Object.fromEntries(ROLES.map(({ role }) => [role, 0.25])), induction: null };
const NOTES = {
  version: 1,
  heldOut: { sentences: 1, seed: 2022, note: "drawn from the test split" },
  longest: { source: 9, target: 12 },
  roles: { encoder: [[SCORES, SCORES]] },
  unigrams: [0, 12, 4],
  sentences: [{ text: "The cat." }, { text: "The dog.", targets: ["Le chien.", "Un chien."] }],
};

const read = (changes: object): ReturnType<typeof readNotes> =>
  readNotes(JSON.stringify({ ...NOTES, ...changes }), ENCODER);

describe("a model's notes", () => {
  it("are read as they stand", () => {
    expect(read({})).toEqual({ notes: NOTES, problem: null });
  });

  it("may say more than is known here, which is passed over", () => {
    expect(read({ later: true, roles: { encoder: [[{ ...SCORES, later: 7 }, SCORES]] } })).toEqual({
      notes: NOTES,
      problem: null,
    });
  });

  it("need not say how long the texts of training were, and a reader has one side", () => {
    expect(read({ longest: undefined }).notes?.longest).toBeUndefined();
    const alone = (architecture: typeof ENCODER.architecture): ReturnType<typeof readNotes> =>
      readNotes(JSON.stringify({ ...NOTES, longest: { source: 9 } }), { ...ENCODER, architecture });
    expect(alone("encoder").notes?.longest).toEqual({ source: 9 });
    expect(alone("encoder-decoder").problem).toContain(
      "longest.target: expected whole numbers from 0, found undefined",
    );
  });

  it.each<[string, object, string]>([
    [
      "of another version",
      { version: 2 },
      "headscope.json, the version: expected 1, the only one that is known here, found 2.",
    ],
    ["without a version", { version: undefined }, "found undefined"],
    [
      "without scores",
      { roles: undefined },
      "headscope.json, roles: expected an object, found undefined.",
    ],
    [
      "without a stack of the model",
      { roles: {} },
      "headscope.json, roles.encoder: expected a list of 1, found undefined.",
    ],
    [
      "of another model's stack",
      { roles: { ...NOTES.roles, cross: [] } },
      "expected the model's own stacks, found cross",
    ],
    [
      "of more layers",
      {
        roles: {
          encoder: [
            [SCORES, SCORES],
            [SCORES, SCORES],
          ],
        },
      },
      "expected a list of 1, found 2 of them",
    ],
    [
      "of fewer heads",
      { roles: { encoder: [[SCORES]] } },
      "roles.encoder[0]: expected a list of 2, found 1 of them",
    ],
    [
      "with a score missing",
      { roles: { encoder: [[SCORES, { ...SCORES, rare: undefined }]] } },
      "rare: expected a number from 0 to 1, or null, found undefined",
    ],
    [
      "with a score that is none",
      { roles: { encoder: [[SCORES, { ...SCORES, self: 1.5 }]] } },
      "self: expected a number from 0 to 1, or null, found 1.5",
    ],
    [
      "with counts of another vocabulary",
      { unigrams: [1, 2] },
      "unigrams: expected a list of 3, found 2 of them",
    ],
    [
      "with a count that is none",
      { unigrams: [1, 2, -1] },
      "unigrams: expected whole numbers from 0, found -1",
    ],
    ["with a fraction of a count", { unigrams: [1, 2, 0.5] }, "found 0.5"],
    [
      "with a length that is none",
      { longest: { source: 9, target: "many" } },
      "longest.target: expected whole numbers from 0, found a string",
    ],
    ["without an origin", { heldOut: null }, "heldOut: expected an object, found null"],
    [
      "with sentences that are none",
      { sentences: ["The cat."] },
      "sentences: expected an object, found a string",
    ],
    [
      "with a text that is none",
      { sentences: [{ text: 5 }] },
      "sentences: expected a text, found a number",
    ],
    [
      "with targets that are none",
      { sentences: [{ text: "a", targets: "b" }] },
      "sentences, targets: expected a list, found a string",
    ],
  ])("%s are not taken, and the reason is said", (_, changes, sentence) => {
    const { notes, problem } = read(changes);
    expect(notes).toBeNull();
    expect(problem).toContain(sentence);
  });

  it.each(["", "{", "null", "[]", "7"])("that read %j are not taken", (json) => {
    const { notes, problem } = readNotes(json, ENCODER);
    expect(notes).toBeNull();
    expect(problem).toMatch(/^headscope\.json, the file: expected .*, found .*\.$/);
  });
});
