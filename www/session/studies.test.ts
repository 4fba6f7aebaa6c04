// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import { type HeadMeasures, ROLES, type RoleScores } from "../data/index.js";
import type { Run, RunInput } from "../headscope.js";
import type { State } from "../state/index.js";
import { answered, sessionOf, sessionWith } from "./testing/session.js";
import type { Session } from "./session.js";

const OWN: Partial<State> = { model: "opened/mine", text: "a b c", stack: "decoder" };

let session: Session | null = null;
afterEach(() => {
  session?.end();
  session = null;
});

/** A model whose head 1.2 looks back the more, the more letters its text has. */
class Counting extends FakeModel {
  override async run(input: RunInput): ReturnType<FakeModel["run"]> {
    const run = await super.run(input);
    const measures = async (which: Parameters<Run["measures"]>[0]): Promise<HeadMeasures[]> => {
      const all = await FakeModelRun.measures.call(run, which);
      const length = (input.text ?? "").length / 100;
      return all.map((one) =>
        one.layer === 0 && one.head === 1
          ? { ...one, roles: { ...one.roles, previous: length } }
          : one,
      );
    };
    const FakeModelRun = { measures: run.measures.bind(run) };
    return Object.assign(run, { measures });
  }
}

const begun = async (model = new Counting(FAKE_WRITER)): Promise<Session> =>
  (session = await sessionOf(OWN, model));

const { layers, heads } = { layers: 3, heads: 8 };
const table = <Value>(value: (layer: number, head: number) => Value): { decoder: Value[][] } => ({
  decoder: Array.from({ length: layers }, (_, layer) =>
    Array.from({ length: heads }, (_, head) => value(layer, head)),
  ),
});
const none = { sum: 0, count: 0 };
const tallies = table((layer, head) => ({
  means: ROLES.map(({ role }) =>
    role === "previous" && layer === 0 && head === 1 ? { sum: 9, count: 10 } : none,
  ),
  offsets: Array(7).fill(none),
  entropy: none,
  distance: none,
  nQueries: 10,
}));
const HEADER = {
  format: 1,
  study: "roles",
  model: { name: "mine", files: { "config.json": "1", "model.safetensors": "2" } },
  texts: { name: "corpus.txt", sha256: "2", count: 64 },
  blockSize: 64,
  shard: [1, 1],
};
const file = (name: string, ...lines: object[]): File =>
  new File([lines.map((line) => `${JSON.stringify(line)}\n`).join("")], name);

it("the roles of a study's file come before those on the page, with its texts", async () => {
  const page = await begun();
  expect(page.knownRoles?.basis).toBe("here");
  await page.openPicked([
    Object.assign(file("study.jsonl", HEADER, { block: 0, failed: [], tallies }), {
      path: "./study.jsonl",
    }),
  ]);
  expect(page.notices.list).toEqual([]);
  expect(page.knownRoles).toMatchObject({
    basis: "sample",
    texts: { name: "corpus.txt", count: 64, failed: 0 },
  });
  expect(page.roles?.[0]?.[1]).toMatchObject({ role: "previous", score: 0.9 });
  expect(page.roles?.[0]?.[0]).toMatchObject({ role: "none" });
  page.studied = null;
  expect(page.knownRoles?.basis).toBe("here");
});

it.each([
  [{ ...HEADER, model: { name: "other", files: {} } }, "study/other-model", "one of other"],
  [
    { ...HEADER, model: { name: "mine", files: { "config.json": "1", "model.safetensors": "9" } } },
    "study/other-model",
    "whose model.safetensors is",
  ],
  [{ ...HEADER, texts: { ...HEADER.texts, count: 65 } }, "study/incomplete", "all 2 blocks"],
])("a study that does not fit is refused, and the page stays: %o", async (header, code, words) => {
  const page = await begun();
  await page.study("open", file("s.jsonl", header, { block: 0, failed: [], tallies }));
  expect(page.notices.list).toMatchObject([{ key: "notice.study", code }]);
  expect(page.notices.list[0]?.values.reason).toContain(words);
  expect([page.studied, page.studying, page.knownRoles?.basis]).toEqual([null, null, "here"]);
  await page.study("open", file("s.jsonl", HEADER, { block: 0, failed: [], tallies }));
  expect(page.notices.list).toEqual([]);
});

it("a study of patches opens the experiment with its grids", async () => {
  const page = await begun();
  const reveal = vi.fn<(tag: string) => void>();
  page.page.reveal = reveal;
  const texts = { name: "pairs.jsonl", sha256: "2", count: 2 };
  const cell = {
    at: { stack: "decoder", layer: 1, step: "context", head: 2 },
    value: 1,
    recovered: 0.5,
    reason: null,
  };
  const made = { direction: "noise", measure: "difference", clean: 2, corrupted: 0, cells: [cell] };
  const failed = [{ index: 1, code: "input/empty", message: "" }];
  await page.study(
    "open",
    file(
      "s.jsonl",
      { ...HEADER, study: "patch", texts, blockSize: 1 },
      { block: 0, failed: [], ...made },
      { block: 1, failed },
    ),
  );
  expect(page.studiedHere?.effects).toMatchObject({
    texts: { name: "pairs.jsonl", count: 2, failed: 1 },
    grids: [{ cells: [{ layer: 1, column: 2, recovered: 0.5 }] }],
  });
  expect(page.state.experiment).toBe("patching");
  expect(reveal).toHaveBeenCalledWith("headscope-edits-panel");
});

it("the texts of a file are compared by the roles of an opened study", async () => {
  const page = await begun();
  await page.study("open", file("study.jsonl", HEADER, { block: 0, failed: [], tallies }));
  const texts = ["four", "two words", "a", ...Array.from({ length: 9 }, (_, at) => `text ${at}`)];
  await page.study("compute", new File([texts.join("\n")], "mine.txt"));
  expect(page.notices.list).toEqual([]);
  const { typical, roles } = page.studiedHere ?? {};
  expect(typical?.texts).toEqual({ name: "mine.txt", count: 12, failed: 0 });
  const [of] = [typical?.byHead.decoder?.[0]?.[1]];
  expect(of?.role).toBe("previous");
  expect(of?.most[0]).toEqual({ text: "two words", score: 0.09 });
  expect(of?.least[0]).toEqual({ text: "a", score: 0.01 });
  expect(typical?.byHead.decoder?.[0]?.[0]).toBeNull();
  // The roles are still those of the study.
  expect(roles?.texts?.name).toBe("corpus.txt");
  await answered(page);
  const { model } = page.computation;
  // Only the run of the page is left.
  expect((model as Counting).held.size).toBe(1);
});

it("without roles, these are studied first on the same texts", async () => {
  const page = await begun();
  const runs = (page.computation.model as Counting).inputs.length;
  await page.study("compute", new File(["one\ntwo\n"], "mine.txt"));
  expect((page.computation.model as Counting).inputs.length - runs).toBe(4);
  const texts = { name: "mine.txt", count: 2, failed: 0 };
  expect(page.studiedHere?.roles?.texts).toEqual(texts);
  expect(page.studiedHere?.typical?.texts).toEqual(texts);
});

it("a study can be stopped between two texts, and leaves nothing", async () => {
  const page = await begun();
  const model = page.computation.model as Counting;
  const before = model.inputs.length;
  const study = page.study("compute", new File(["a\n".repeat(500)], "long.txt"));
  await vi.waitFor(() => expect(page.studying?.done).toBeGreaterThan(0));
  expect(page.studying).toMatchObject({ name: "long.txt", total: 1000 });
  page.studying?.stopping.abort();
  expect(page.studying).toBeNull();
  await study;
  expect([page.studied, page.notices.list]).toEqual([null, []]);
  expect(model.inputs.length - before).toBeLessThan(500);
});

it("a file that is opened meanwhile takes the place of a study, and waits for no model", async () => {
  const page = await begun();
  const study = page.study("compute", new File(["a\n".repeat(500)], "long.txt"));
  await vi.waitFor(() => expect(page.studying?.done).toBeGreaterThan(0));
  await page.study("open", file("study.jsonl", HEADER, { block: 0, failed: [], tallies }));
  expect([page.studying, page.knownRoles?.texts?.name]).toEqual([null, "corpus.txt"]);
  await study;
  expect(page.studiedHere?.typical).toBeUndefined();
  const early = sessionWith(OWN);
  await early.study("open", file("study.jsonl", HEADER));
  expect(early.notices.list).toMatchObject([{ key: "notice.study", code: "study/other-model" }]);
});

it("texts that the model cannot read are counted; if it reads none, that is said", async () => {
  const page = await begun();
  const roles = { ...HEADER, model: { name: "mine", sha256: "" } };
  await page.study("open", file("study.jsonl", roles, { block: 0, failed: [], tallies }));
  await page.study("compute", file("t.jsonl", { text: "one" }, { image: 1 }));
  expect(page.studiedHere?.typical?.texts).toEqual({ name: "t.jsonl", count: 2, failed: 1 });
  await page.study("compute", file("u.jsonl", { image: 1 }));
  expect(page.notices.list).toMatchObject([{ key: "notice.study", code: "study/bad-texts" }]);
  expect(page.studiedHere?.typical?.texts.name).toBe("t.jsonl");
});

it("the sample text gives roles that stand behind held-out ones", async () => {
  const page = await begun();
  await page.study("measure");
  expect(page.knownRoles).toMatchObject({ basis: "sample", texts: null });
  const scores = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
  expect(page.knownRoles?.scores[0]?.[0]).toEqual(scores);
});
