import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { MASKING_JSON } from "../../www/engine/testing/word-tokenizer.js";
import type { Model, ModelNotes } from "../../www/headscope.js";
import { loadModel, ROLES } from "./package.js";
import { filesOf } from "./reference.js";

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
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

  it("are read, and their counts say what is rare", async () => {
    model = await loadModel({ ...FILES, "headscope.json": encode(NOTES) });
    expect([model.notes, model.notesProblem]).toEqual([NOTES, null]);
    const shares = await rarest();
    expect(shares).toHaveLength(15);
    expect(
      shares.every((share) => share !== null && share !== undefined && share >= 0 && share <= 1),
    ).toBe(true);
  });

  it("may be absent", async () => {
    model = await loadModel(FILES);
    expect([model.notes, model.notesProblem]).toEqual([null, null]);
    expect(await rarest()).toEqual(Array.from({ length: 15 }, () => null));
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "{", "the file"],
    ["a start page", "<!doctype html>", "the file"],
    ["of another model", { ...NOTES, unigrams: [1, 2, 3] }, "a list of 61"],
  ])("that are %s stop nothing", async (_, notes, problem) => {
    model = await loadModel({ ...FILES, "headscope.json": encode(notes) });
    expect(model.notes).toBeNull();
    expect(model.notesProblem).toContain(problem);
    expect(await rarest()).toEqual(Array.from({ length: 15 }, () => null));
  });

  it.each<[number, string | null]>([
    [404, null],
    [503, "503"],
  ])("on a server that answers %d stop nothing", async (status, problem) => {
    const server = createServer((request, response) => {
      const file: Uint8Array | undefined = (FILES as Record<string, Uint8Array>)[
        request.url?.slice(1) ?? ""
      ];
      if (file === undefined) response.writeHead(status).end();
      else response.end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      model = await loadModel(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.close();
    }
    expect(model.notes).toBeNull();
    expect(model.notesProblem).toEqual(problem && expect.stringContaining(problem));
  });
});
