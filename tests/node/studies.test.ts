/** The command `headscope study` of the built package: its numbers, parts and refusals. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ModelNotes, Stack, TypicalSentences } from "../../www/headscope.js";
import { pooledRoles, readStudy, typicalTexts } from "../../www/studies/reading.js";
import type { PatchBlock, RolesBlock } from "../../www/studies/study.js";
import { scoresOfTally } from "../../www/studies/pooling.js";
import { folder, loadModel } from "./package.js";

// A study starts a process that loads the model on each core.
vi.setConfig({ testTimeout: 180_000 });

const cli = fileURLToPath(new URL("cli.js", folder));
const MODEL = "models/tiny-gpt";
const notesOf = (model: string): ModelNotes =>
  JSON.parse(readFileSync(`${model}/headscope.json`, "utf8")) as ModelNotes;
const NOTES = notesOf(MODEL);

let out = "";
beforeAll(() => void (out = mkdtempSync(join(tmpdir(), "headscope-study-"))));
afterAll(() => rmSync(out, { recursive: true }));
const at = (name: string): string => join(out, name);
const lines = (name: string): string[] => readFileSync(at(name), "utf8").trimEnd().split("\n");

/** Runs the command; the result is its exit status and what it says. */
const study = (...words: string[]): Promise<{ status: number; said: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, "study", ...words], (_, __, said) =>
      resolve({ status: child.exitCode ?? -1, said }),
    );
  });

const texts = (name: string, all: readonly string[]): string => {
  writeFileSync(at(name), all.map((text) => `${text}\n`).join(""));
  return at(name);
};
const sentences = NOTES.sentences.map(({ text }) => text);

describe("a study of roles", () => {
  const run = (file: string, ...more: string[]): Promise<{ status: number; said: string }> =>
    study("roles", "--model", MODEL, "--texts", at("all.txt"), "--out", at(file), ...more);

  it("has the scores of the notes over the same sentences, and of `measures` on each", async () => {
    texts("all.txt", sentences);
    const { status, said } = await run("whole.jsonl", "--workers", "2");
    expect([status, said]).toEqual([0, expect.stringContaining("5 blocks, 5 of them to compute")]);
    const pooled = pooledRoles(readStudy(readFileSync(at("whole.jsonl"), "utf8"), "f"), "f");
    for (const [stack, layers] of Object.entries(NOTES.roles) as [Stack, object[][]][])
      for (const [layer, heads] of layers.entries())
        for (const [head, wanted] of heads.entries())
          for (const [role, score] of Object.entries(wanted) as [string, number | null][]) {
            if (role === "induction") continue;
            const found = pooled[stack]?.[layer]?.[head]?.[role as "self"] ?? null;
            if (score === null) expect(found).toBeNull();
            else expect(Math.abs((found ?? NaN) - score)).toBeLessThan(1e-3);
          }
    texts("one.txt", sentences.slice(0, 1));
    const one = ["--texts", at("one.txt"), "--out", at("one.jsonl")];
    await study("roles", "--model", MODEL, ...one);
    const model = await loadModel(fileURLToPath(new URL(`../../${MODEL}`, import.meta.url)));
    const measured = await (
      await model.run({ text: sentences[0] ?? "" })
    ).measures({ stack: "decoder" });
    const block = JSON.parse(lines("one.jsonl")[1] ?? "") as RolesBlock;
    for (const { layer, head, roles } of measured) {
      const tally = block.tallies.decoder?.[layer]?.[head];
      expect(tally && scoresOfTally(tally)).toEqual(roles);
    }
    model.dispose();
  });

  it("names the model's config and weights by their fingerprints", () => {
    const { header } = readStudy(readFileSync(at("one.jsonl"), "utf8"), "f");
    const hash = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
    const fingerprint = (name: string): string => {
      const bytes = readFileSync(`${MODEL}/${name}`);
      const pieces = Array.from({ length: Math.ceil(bytes.length / 2 ** 22) }, (_, piece) =>
        hash(bytes.subarray(piece * 2 ** 22, (piece + 1) * 2 ** 22)),
      );
      return hash(Buffer.concat(pieces)).toString("hex");
    };
    const names = ["config.json", "model.safetensors"];
    const wanted = Object.fromEntries(names.map((name) => [name, fingerprint(name)]));
    expect(header.model).toEqual({ name: "tiny-gpt", files: wanted });
  });

  it("has the same lines in parts, and after it was stopped within a line", async () => {
    const whole = lines("whole.jsonl");
    for (const part of ["1/2", "2/2"]) await run(`part-${part[0]}.jsonl`, "--shard", part);
    const parts = [...lines("part-1.jsonl").slice(1), ...lines("part-2.jsonl").slice(1)];
    expect(parts.toSorted()).toEqual(whole.slice(1).toSorted());
    const bytes = readFileSync(at("whole.jsonl"));
    writeFileSync(at("stopped.jsonl"), bytes.subarray(0, Math.floor(bytes.length / 2)));
    const { said } = await run("stopped.jsonl");
    expect(said).not.toContain("5 of them");
    expect(readFileSync(at("stopped.jsonl")).equals(bytes)).toBe(true);
    copyFileSync(at("whole.jsonl"), at("done.jsonl"));
    expect((await run("done.jsonl")).said).toContain("0 of them to compute");
  });

  it("is not mixed with another one, and leaves other files as they are", async () => {
    const { status, said } = await run("part-1.jsonl", "--shard", "2/2");
    expect(status).toBe(1);
    expect(said).toContain("study/other-study");
    for (const other of ["a thesis", "a thesis\nwithout an end"]) {
      writeFileSync(at("thesis.txt"), other);
      expect((await run("thesis.txt")).said).toContain("study/bad-file");
      expect(readFileSync(at("thesis.txt"), "utf8")).toBe(other);
    }
  });

  it("names texts that the model cannot read, and goes on", async () => {
    writeFileSync(at("some.jsonl"), '{"ids":[1,2]}\n{"ids":[99999]}\n{"text":"a","txt":1}\n');
    const paths = ["--texts", at("some.jsonl"), "--out", at("failed.jsonl")];
    const { status, said } = await study("roles", "--model", MODEL, ...paths);
    expect([status, said]).toEqual([0, expect.stringContaining("2 texts could not be read")]);
    const { failed } = JSON.parse(lines("failed.jsonl")[1] ?? "") as RolesBlock;
    expect(failed.map(({ index, code }) => [index, code])).toEqual([
      [1, "input/bad-id"],
      [2, "input/malformed"],
    ]);
  });
});

it.each(["tiny-gpt", "tiny-bert"])("%s: typical sentences are those of the notes", async (name) => {
  const model = `models/${name}`;
  const { sentences: own, typical } = notesOf(model);
  const all = own.map(({ text }) => text);
  texts(`${name}.txt`, all);
  const paths = ["--texts", at(`${name}.txt`), "--out", at(`${name}.jsonl`)];
  await study("typical", "--model", model, ...paths);
  const found = typicalTexts(readStudy(readFileSync(at(`${name}.jsonl`), "utf8"), "f"), "f");
  let compared = 0;
  for (const [stack, layers] of Object.entries(typical ?? {}) as [
    Stack,
    (TypicalSentences | null)[][],
  ][])
    for (const [layer, heads] of layers.entries())
      for (const [head, wanted] of heads.entries()) {
        const ours = found[stack]?.[layer]?.[head] ?? null;
        expect(ours?.role).toBe(wanted?.role);
        // Sentences whose scores are equal up to rounding may change places.
        for (const end of ["most", "least"] as const)
          for (const [rank, [, score]] of (wanted?.[end] ?? []).entries())
            expect(Math.abs((ours?.[end][rank]?.score ?? NaN) - score)).toBeLessThan(1e-4);
        compared += wanted ? 1 : 0;
      }
  expect(compared).toBeGreaterThan(5);
});

it("a study of patches has the cells of `patchGrid`", async () => {
  const options = {
    clean: { text: "The dogs in the garden" },
    corrupted: { text: "The dog in the garden" },
    target: { id: 384, minus: 299 },
    what: "head",
  } as const;
  writeFileSync(at("grids.jsonl"), `${JSON.stringify(options)}\n{"clean":{}}\n`);
  const paths = ["--texts", at("grids.jsonl"), "--out", at("cells.jsonl")];
  await study("patch", "--model", MODEL, ...paths);
  const [, first = "", second = ""] = lines("cells.jsonl");
  const { cells = [], clean } = JSON.parse(first) as PatchBlock;
  const model = await loadModel(fileURLToPath(new URL(`../../${MODEL}`, import.meta.url)));
  let index = 0;
  for await (const cell of model.patchGrid(options)) {
    expect(cells[index]?.at).toEqual(cell.at);
    expect(cells[index]?.value).toBe(cell.value);
    expect(clean).toBe(cell.clean);
    index += 1;
  }
  expect(cells).toHaveLength(index);
  expect((JSON.parse(second) as PatchBlock).failed[0]?.code).toBe("input/malformed");
  model.dispose();
});

it("a model without notes needs a study of its roles for its typical sentences", async () => {
  const bare = at("bare");
  const { mkdirSync } = await import("node:fs");
  mkdirSync(bare);
  for (const file of ["config.json", "model.safetensors", "tokenizer.json"])
    copyFileSync(`${MODEL}/${file}`, join(bare, file));
  texts("few.txt", sentences.slice(0, 9));
  const paths = ["--model", bare, "--texts", at("few.txt")];
  const { said } = await study("typical", ...paths, "--out", at("none.jsonl"));
  expect(said).toContain("study/no-roles");
  await study("roles", ...paths, "--out", at("roles.jsonl"));
  const roles = ["--roles", at("roles.jsonl")];
  const { status } = await study("typical", ...paths, ...roles, "--out", at("typical.jsonl"));
  expect(status).toBe(0);
  expect(lines("typical.jsonl")).toHaveLength(10);
});

it.each([
  [["roles", "--model", "nowhere"], "study/no-file"],
  [["roles", "--model", MODEL, "--texts", "nowhere"], "study/no-file"],
  [["roles", "--model", MODEL, "--workers", "x"], "study/bad-option"],
])("%j is refused with a sentence", async (words, code) => {
  const texts = words.includes("--texts") ? [] : ["--texts", "README.md"];
  const { status, said } = await study(...words, ...texts, "--out", at("refused.jsonl"));
  expect(status).toBeGreaterThan(0);
  expect(said).toContain(code);
});
