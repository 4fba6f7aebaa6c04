// What a study writes of its texts by a model that answers in any order: which text a line is of,
// the order of the lines, and what ends a study.
import { describe, expect, it, vi } from "vitest";
import { failed, FakeModel } from "../../tests/support/fake-model.js";
import type { Model } from "../headscope.js";
import { assignedRoles, computeBlocks, studyOf } from "./computations.js";
import type {
  PatchBlock,
  RolesBlock,
  Study,
  StudyBlock,
  StudyText,
  TypicalBlock,
} from "./study.js";

const TEXTS: StudyText[] = ["a b", "c d e", "f", "g h"].map((text) => ({ text }));
const BLOCKS = { texts: TEXTS, blocks: [0, 1, 2, 3] };

/** The lines of a study, and how many texts failed. */
async function linesOf(
  work: Study,
  texts: readonly StudyText[],
  models: readonly Model[] = [new FakeModel()],
): Promise<{ lines: StudyBlock[]; count: number }> {
  const lines: StudyBlock[] = [];
  const blocks = Array.from({ length: Math.ceil(texts.length / work.blockSize) }, (_, at) => at);
  const write = (line: StudyBlock): void => void lines.push(line);
  const count = await computeBlocks(work, models, { texts, blocks }, write);
  return { lines, count };
}

describe("the blocks of a study", () => {
  it("are written in their order, though a later one is computed first", async () => {
    const waiting: (() => void)[] = [];
    const asked: unknown[] = [];
    const work: Study = {
      blockSize: 2,
      compute: (_, texts, first) => {
        asked.push([first, texts.map(({ text }) => text)]);
        return new Promise((resolve) => {
          waiting.push(() => resolve({ failed: [{ index: first, code: "c", message: "" }] }));
        });
      },
    };
    const written: number[] = [];
    const models = [new FakeModel(), new FakeModel()];
    const done = computeBlocks(work, models, { texts: TEXTS, blocks: [0, 1] }, ({ block }) =>
      written.push(block),
    );
    expect(asked).toEqual([
      [0, ["a b", "c d e"]],
      [2, ["f", "g h"]],
    ]);
    waiting[1]?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(written).toEqual([]);
    waiting[0]?.();
    expect(await done).toBe(2);
    expect(written).toEqual([0, 1]);
  });

  it("are those that were asked for, and no more once the study is stopped", async () => {
    const stop = new AbortController();
    const written: number[] = [];
    const work: Study = { blockSize: 1, compute: () => Promise.resolve({ failed: [] }) };
    const done = computeBlocks(
      work,
      [new FakeModel()],
      { texts: TEXTS, blocks: [1, 3, 2] },
      ({ block }) => {
        written.push(block);
        if (block === 3) stop.abort(new Error("enough"));
      },
      stop.signal,
    );
    await expect(done).rejects.toThrow("enough");
    expect(written).toEqual([1, 3]);
  });

  it("end with a failure of the engine, and release what they ran", async () => {
    const model = new FakeModel();
    const run = model.run.bind(model);
    vi.spyOn(model, "run").mockImplementation(async (input) => {
      if (input.text === "f") throw failed("engine/crashed");
      return await run(input);
    });
    const work = studyOf("typical");
    const written: StudyBlock[] = [];
    await expect(
      computeBlocks(work, [model], BLOCKS, (line) => written.push(line)),
    ).rejects.toMatchObject({ code: "engine/crashed" });
    expect(written.map(({ block }) => block)).toEqual([0, 1]);
    expect(model.held.size).toBe(0);
  });
});

describe("a study of roles", () => {
  it("adds the texts of a line, and names those that could not be read by their place", async () => {
    const texts = Array.from({ length: 66 }, (_, at) => ({
      text: at === 65 ? "x ".repeat(90) : "a",
    }));
    const { lines, count } = await linesOf(studyOf("roles"), [...texts, { image: 1 }]);
    expect(count).toBe(2);
    const [first, second] = lines as RolesBlock[];
    // Each text has its word and an end.
    expect(first?.tallies.encoder?.[2]?.[7]?.nQueries).toBe(64 * 2);
    expect(second?.tallies.cross?.[0]?.[0]?.nQueries).toBe(2);
    expect(second?.failed.map(({ index, code }) => [index, code])).toEqual([
      [65, "input/too-long"],
      [66, "study/bad-texts"],
    ]);
  });
});

describe("a study of typical sentences", () => {
  it("has the score of each head in its role, and none for a head without one", async () => {
    const model = new FakeModel();
    const text = { text: "a b" };
    const run = await model.run(text);
    const measures = await run.measures({ stack: "encoder" });
    const scored = measures.map((one) => ({
      ...one,
      roles: { ...one.roles, self: one.layer + one.head / 10, first: 0.25 },
    }));
    vi.spyOn(Object.getPrototypeOf(run) as typeof run, "measures").mockResolvedValue(scored);
    const roles = { encoder: [["self" as const, null], [], ["first" as const, "self" as const]] };
    const { lines } = await linesOf(studyOf("typical", roles), [text]);
    const [line] = lines as TypicalBlock[];
    expect(line?.text).toBe("a b");
    expect(line?.scores?.encoder?.map((heads) => heads.slice(0, 3))).toEqual([
      [0, null, null],
      [null, null, null],
      [0.25, 2.1, null],
    ]);
    vi.restoreAllMocks();
  });

  it("gives a head the role that its scores reach, or none", async () => {
    const run = await new FakeModel().run({ text: "a" });
    const [{ roles } = { roles: null }] = await run.measures({ stack: "encoder" });
    if (!roles) throw new Error("no head");
    const heads = [roles, { ...roles, self: 1 }];
    expect(assignedRoles({ encoder: [heads] })).toEqual({ encoder: [[null, "self"]] });
  });
});

describe("a study of patches", () => {
  const grid = { clean: { text: "a" }, corrupted: { text: "b" }, target: { id: 3 } };

  it("has the cells of a grid between the values of both texts", async () => {
    const texts = [grid, { ...grid, direction: "noise", target: { id: 3, minus: 4 } }];
    const { lines } = await linesOf(studyOf("patch"), texts);
    const [one, other] = lines as PatchBlock[];
    expect(one).toMatchObject({ direction: "denoise", measure: "probability" });
    expect(other).toMatchObject({ direction: "noise", measure: "difference" });
    expect([one?.clean, one?.corrupted]).toEqual([0, -1]);
    expect(one?.cells).toHaveLength(24);
    expect(one?.cells?.[12]).toEqual({
      at: { stack: "encoder", layer: 1, step: "context", head: 4 },
      value: -0.5,
      recovered: 0.5,
      reason: null,
    });
    expect(one?.cells?.at(-1)?.reason).toContain("no effect");
  });

  it("names the receiver of paths", async () => {
    const { lines } = await linesOf(studyOf("patch"), [grid, { ...grid, receiver: "logits" }]);
    expect((lines as PatchBlock[]).map(({ receiver }) => receiver)).toEqual([undefined, "logits"]);
  });
});
