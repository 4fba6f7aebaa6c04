// The command that computes a study: the file that it writes, with a model that answers by itself.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FAKE_READER, FakeModel } from "../../tests/support/fake-model.js";
import { ROLES, type ModelNotes, type RoleScores } from "../data/index.js";
import { study } from "./command.js";
import type { RolesBlock, StudyHeader, TypicalBlock } from "./study.js";

let root = "";
let loaded: FakeModel[] = [];
let notes: ModelNotes | null = null;

vi.mock("../headscope.js", async (original) => ({
  ...(await original<object>()),
  loadModel: () => {
    const model = Object.assign(new FakeModel(FAKE_READER), { notes });
    loaded.push(model);
    return Promise.resolve(model);
  },
}));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "headscope-study-"));
  loaded = [];
  notes = null;
  // Three blocks of a study of roles.
  const texts = Array.from({ length: 130 }, (_, at) => (at === 1 ? "long ".repeat(90) : "a b"));
  writeFileSync(join(root, "texts.txt"), texts.join("\n"));
  writeFileSync(join(root, "few.txt"), "a b\nc\n");
});
afterEach(() => rmSync(root, { recursive: true }));

async function run(kind: string, out: string, ...more: string[]): Promise<string[]> {
  const said: string[] = [];
  const texts = join(root, kind === "typical" ? "few.txt" : "texts.txt");
  const paths = ["--model", root, "--texts", texts, "--out", join(root, out)];
  await study(["study", kind, ...paths, ...more], (line) => void said.push(line));
  expect(loaded.every(({ disposed, held }) => disposed && held.size === 0)).toBe(true);
  return said;
}
const read = (out: string): string => readFileSync(join(root, out), "utf8");
const linesOf = (out: string): unknown[] =>
  read(out)
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));

it("writes a header and a line for each block, and says what it does", async () => {
  const said = await run("roles", "all.jsonl", "--workers", "2");
  expect(said).toEqual([
    "3 blocks, 3 of them to compute",
    `${join(root, "all.jsonl")} is complete; 1 texts could not be read`,
  ]);
  expect(loaded).toHaveLength(2);
  const [header, ...blocks] = linesOf("all.jsonl") as [StudyHeader, ...RolesBlock[]];
  expect(header).toMatchObject({
    study: "roles",
    model: { files: { "config.json": "1", "model.safetensors": "2" } },
    texts: { name: "texts.txt", count: 130 },
    blockSize: 64,
    shard: [1, 1],
  });
  expect(header).not.toHaveProperty("roles");
  expect(blocks.map(({ block, failed }) => [block, failed.map(({ index }) => index)])).toEqual([
    [0, [1]],
    [1, []],
    [2, []],
  ]);
});

it("divides the blocks among parts, which together are those of the whole", async () => {
  await run("roles", "all.jsonl");
  const parts = ["1/2", "2/2"];
  for (const [at, shard] of parts.entries())
    await run("roles", `${at}.jsonl`, "--shard", shard, "--workers", "1");
  const [, ...whole] = linesOf("all.jsonl");
  const [, first, third, ...none] = linesOf("0.jsonl");
  const [, second, ...more] = linesOf("1.jsonl");
  expect([first, second, third, none, more]).toEqual([...whole, [], []]);
});

it("goes on with a file that was stopped in the middle of a line, and has nothing left to do after that", async () => {
  await run("roles", "all.jsonl");
  const whole = read("all.jsonl");
  writeFileSync(join(root, "all.jsonl"), whole.slice(0, whole.lastIndexOf('{"block":2') + 20));
  loaded = [];
  expect((await run("roles", "all.jsonl", "--workers", "4"))[0]).toBe(
    "3 blocks, 1 of them to compute",
  );
  expect([read("all.jsonl") === whole, loaded.length]).toEqual([true, 1]);
  expect(await run("roles", "all.jsonl")).toEqual([
    "3 blocks, 0 of them to compute",
    `${join(root, "all.jsonl")} is complete`,
  ]);
  expect(read("all.jsonl")).toBe(whole);
});

it("compares texts on the roles of the notes, or of a study of roles, and refuses a model without", async () => {
  const refused = (): Promise<string[]> => run("typical", "typical.jsonl");
  await expect(refused()).rejects.toMatchObject({ code: "study/no-roles" });
  const none = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
  notes = { roles: { encoder: [[none, { ...none, self: 1 }]] } } as unknown as ModelNotes;
  await run("typical", "typical.jsonl");
  const [header, first, second] = linesOf("typical.jsonl") as [
    StudyHeader,
    TypicalBlock,
    TypicalBlock,
  ];
  expect(header.roles).toEqual({ encoder: [[null, "self"]] });
  expect([first.text, second.text]).toEqual(["a b", "c"]);

  notes = null;
  await run("roles", "roles.jsonl");
  await run("typical", "other.jsonl", "--roles", join(root, "roles.jsonl"));
  const [other] = linesOf("other.jsonl") as [StudyHeader];
  expect(other.roles?.encoder?.map((heads) => heads.length)).toEqual([8, 8, 8]);
});

it.each([
  ["a folder that is not there", "study/no-file", "none/all.jsonl"],
  ["a file of another study", "study/other-study", "all.jsonl"],
  ["a file that is no study", "study/bad-file", "few.txt"],
])("refuses %s, which stays as it was", async (_, code, out) => {
  await run("roles", "all.jsonl");
  const before = read("all.jsonl") + read("few.txt");
  await expect(run("roles", out, "--shard", "1/2")).rejects.toMatchObject({ code });
  expect(read("all.jsonl") + read("few.txt")).toBe(before);
  expect(loaded.every(({ disposed }) => disposed)).toBe(true);
});
