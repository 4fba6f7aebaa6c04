import { expect, it } from "vitest";
import { ROLES } from "../data/index.js";
import { readNotes } from "./notes.js";
import { INFO } from "./testing/fake-wasm.js";

const SIZE = { layers: 1, heads: 2, kvHeads: 2, headDim: 8 };
const TRANSLATOR = { ...INFO, stacks: { encoder: SIZE }, vocabSize: 3 };
const SCORES = { ...Object.fromEntries(ROLES.map(({ role }) => [role, 0.25])), induction: null };
const NOTES = {
  version: 1,
  heldOut: { sentences: 1, seed: 2022, note: "drawn from the test split" },
  longest: { source: 9, target: 12 },
  roles: { encoder: [[SCORES, SCORES]] },
  unigrams: [0, 12, 4],
  sentences: [{ text: "The cat." }, { text: "The dog.", targets: ["Le chien.", "Un chien."] }],
  typical: { encoder: [[null, { role: "self", most: [[1, 0.5]], least: [[0, 0.25]] }]] },
};
const typical = (least: unknown): object => ({
  typical: { encoder: [[null, { role: "self", most: [], least }]] },
});
const SHORT = { longest: { source: 9 } };

const read = (changes: object, info: typeof INFO = TRANSLATOR): ReturnType<typeof readNotes> =>
  readNotes(JSON.stringify({ ...NOTES, ...changes }), info);

it("a model's notes are read as they stand; some parts they need not have", () => {
  expect(read({})).toEqual({ notes: NOTES, problem: null });
  expect(read({ longest: undefined }).notes?.longest).toBeUndefined();
  expect(read({ typical: undefined }).problem).toBeNull();
  expect(read(SHORT, { ...TRANSLATOR, architecture: "encoder" }).notes).toMatchObject(SHORT);
});

it.each<[object, string]>([
  [
    { version: 2 },
    "headscope.json, version: expected 1, the only one that is known here, found 2.",
  ],
  [{ version: undefined }, "found nothing"],
  [SHORT, "longest.target: expected an integer"],
  [{ roles: {} }, "roles.encoder: expected a list of 1, found nothing"],
  [{ roles: { ...NOTES.roles, cross: [] } }, "roles: expected the model's own stacks"],
  [{ roles: { encoder: [[SCORES]] } }, "roles.encoder[0]: expected a list of 2"],
  [
    { roles: { encoder: [[SCORES, { ...SCORES, rare: undefined }]] } },
    "roles.encoder[0][1].rare: expected a number from 0 to 1, or null, found nothing",
  ],
  [{ roles: { encoder: [[SCORES, { ...SCORES, self: 1.5 }]] } }, "found 1.5"],
  [{ unigrams: [1, 2] }, "unigrams: expected a list of 3, found a list of 2"],
  [{ unigrams: [1, 2, 0.5] }, "unigrams[2]: expected an integer from 0, found 0.5"],
  [{ heldOut: null }, "heldOut: expected { sentences, seed, note }, found null"],
  [typical([[2, 0.5]]), "least[0][0]: expected an index of one of 2 sentences, found 2"],
  [typical([[0, 2]]), "least[0][1]: expected a number from 0 to 1"],
  [{ typical: { encoder: [[null]] } }, "typical.encoder[0]: expected a list of 2"],
  [{ sentences: [{ text: "a", targets: "b" }] }, "sentences[0].targets: expected a list"],
])("notes with %j are not taken, and the reason is said", (changes, sentence) => {
  const { notes, problem } = read(changes);
  expect(notes).toBeNull();
  expect(problem).toContain(sentence);
});

it.each(["{", "null", "[]"])("notes that read %j are not taken", (json) => {
  const { notes, problem } = readNotes(json, TRANSLATOR);
  expect(notes).toBeNull();
  expect(problem).toMatch(/^headscope\.json, the file: expected .*, found .*\.$/);
});
