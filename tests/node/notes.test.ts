import { afterEach, describe, expect, it } from "vitest";
import { MASKING_JSON } from "../../www/engine/testing/word-tokenizer.js";
import type { Model, ModelNotes } from "../../www/headscope.js";
import { loadModel, ROLES } from "./package.js";
import { filesOf } from "./reference.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const FILES = { ...filesOf("bert-tiny"), "tokenizer.json": encode(MASKING_JSON) };

const SCORES = Object.fromEntries(ROLES.map(({ role }) => [role, 0.5]));
const NOTES = {
  version: 1,
  heldOut: { sentences: 1, seed: 2022, note: "for a test" },
  roles: { encoder: Array.from({ length: 3 }, () => Array.from({ length: 5 }, () => SCORES)) },
  // The word "cat", id 4, is the rarest.
  unigrams: Array.from({ length: 61 }, (_, id) => (id === 4 ? 1 : 100)),
  sentences: [{ text: "the cat" }],
} as unknown as ModelNotes;

describe("a model's notes", () => {
  let model: Model | undefined;
  afterEach(() => model?.dispose());

  const rarest = async (): Promise<(number | null | undefined)[]> => {
    const run = await model?.run({ text: "the cat the" });
    return ((await run?.measures({ stack: "encoder" })) ?? []).map(({ roles }) => roles.rare);
  };

  it("may be absent", async () => {
    model = await loadModel(FILES);
    expect([model.notes, model.notesProblem]).toEqual([null, null]);
    expect(await rarest()).toEqual(Array.from({ length: 15 }, () => null));
  });

  it("that are of another model stop nothing", async () => {
    const notes = encode(JSON.stringify({ ...NOTES, unigrams: [1, 2, 3] }));
    model = await loadModel({ ...FILES, "headscope.json": notes });
    expect(model.notes).toBeNull();
    expect(model.notesProblem).toContain("a list of 61");
    expect(await rarest()).toEqual(Array.from({ length: 15 }, () => null));
  });
});
