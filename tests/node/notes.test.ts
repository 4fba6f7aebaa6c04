import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { MASKING_JSON } from "../../www/engine/testing/word-tokenizer.js";
import type { Model, ModelNotes, Role } from "../../www/headscope.js";
import { loadModel, ROLES } from "./package.js";
import { filesOf, folderOf } from "./reference.js";

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

/** Four tokens that come three times, with one between them that comes once. */
const IDS = [14, 3, 27, 9, 14, 3, 27, 9, 41, 14, 3, 27];

/** Where a query attends that plays the role and nothing else; to itself where it has nothing to do. */
const ROLE_KEYS: Partial<Record<Role, (query: number) => number>> = {
  previous: (query) => query - 1,
  next: (query) => Math.min(IDS.length - 1, query + 1),
  self: (query) => query,
  first: () => 0,
  duplicate: (query) => IDS.findIndex((id, key) => key !== query && id === IDS[query]),
  induction: (query) => IDS.findIndex((id, key) => key < query - 1 && id === IDS[query]) + 1,
  positional: (query) => Math.min(IDS.length - 1, query + 2),
};

it.each(ROLES.filter(({ role }) => role in ROLE_KEYS))(
  "a pattern of the role $role scores 1, and shuffled it stays below the threshold",
  async ({ role, threshold }) => {
    const model = await loadModel(folderOf("marian-tiny"));
    const score = async (pattern: number[][]): Promise<number> => {
      const run = await model.run({
        ids: IDS,
        targetIds: [60],
        edits: { heads: [{ stack: "encoder", layers: [1], heads: [2], pattern }] },
      });
      const found = (await run.measures({ stack: "encoder" })).find(
        ({ layer, head }) => layer === 1 && head === 2,
      );
      return found?.roles[role] ?? NaN;
    };
    const keyOf = ROLE_KEYS[role] ?? (() => NaN);
    const planted = IDS.map((_, query) =>
      IDS.map((__, key) => Number(key === Math.max(0, keyOf(query)))),
    );
    expect(await score(planted)).toBeCloseTo(1, 12);
    // Each row turned by a number of its own.
    for (const seed of [5, 7, 11]) {
      const shuffled = planted.map((row, query) =>
        row.map(
          (_, key) => row[(key + seed * (query + 1) * (query + 1) + seed) % IDS.length] ?? NaN,
        ),
      );
      expect(await score(shuffled), `seed ${seed}`).toBeLessThan(threshold);
    }
    model.dispose();
  },
);
