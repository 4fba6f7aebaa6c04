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

  it("need not say how long the texts of training were, and a reader has one side", () => {
    expect(read({ longest: undefined }).notes?.longest).toBeUndefined();
    const alone = (architecture: typeof ENCODER.architecture): ReturnType<typeof readNotes> =>
      readNotes(JSON.stringify({ ...NOTES, longest: { source: 9 } }), { ...ENCODER, architecture });
    expect(alone("encoder").notes?.longest).toEqual({ source: 9 });
    expect(alone("encoder-decoder").problem).toContain("longest.target: expected an integer");
  });

  it.each<[object, string]>([
    [
      { version: 2 },
      "headscope.json, version: expected 1, the only one that is known here, found 2.",
    ],
    [{ version: undefined }, "found nothing"],
    [{ roles: undefined }, "roles: expected an object, found nothing"],
    [{ roles: {} }, "roles.encoder: expected a list of 1, found nothing"],
    [{ roles: { ...NOTES.roles, cross: [] } }, "roles: expected the model's own stacks"],
    [{ roles: { encoder: [[SCORES]] } }, "roles.encoder[0]: expected a list of 2"],
    [
      { roles: { encoder: [[SCORES, { ...SCORES, rare: undefined }]] } },
      "roles.encoder[0][1].rare: expected a number from 0 to 1, or null, found nothing",
    ],
    [{ roles: { encoder: [[SCORES, { ...SCORES, self: 1.5 }]] } }, "found 1.5"],
    [{ unigrams: [1, 2] }, "unigrams: expected a list of 3, found [1,2]"],
    [{ unigrams: [1, 2, 0.5] }, "unigrams[2]: expected an integer from 0, found 0.5"],
    [{ longest: { source: 9, target: "many" } }, `longest.target: expected an integer from 0`],
    [{ heldOut: null }, "heldOut: expected an object, found null"],
    [{ sentences: ["The cat."] }, "sentences[0]: expected an object"],
    [{ sentences: [{ text: "a", targets: "b" }] }, "sentences[0].targets: expected a list"],
  ])("with %j are not taken, and the reason is said", (changes, sentence) => {
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
