import { describe, expect, it, vi } from "vitest";
import { FakeModel, FakeRun } from "../../../tests/support/fake-model.js";
import type { HeadRef } from "../../data/index.js";
import { readHead, type HeadFigures } from "../run/figures.js";
import { HeadChanges } from "./head-change.js";

const HEAD: HeadRef = { stack: "encoder", layer: 1, head: 2 };

function runOf(text = "the old dog bites"): FakeRun {
  const model = new FakeModel();
  return new FakeRun(model, model.tokenize(text), { text });
}

const figuresOf = (run: FakeRun, head = HEAD): Promise<HeadFigures> =>
  readHead(run, head, { beside: [], vectors: false });

function desk() {
  const changes = new HeadChanges(() => undefined);
  const read = async (
    figures: HeadFigures,
    original: FakeRun,
    originalRevision = 1,
  ): Promise<HeadChanges["value"]> => {
    const want = (): void => changes.want(figures, original, originalRevision);
    want();
    await vi.waitUntil(() => !changes.loading);
    want();
    return changes.value;
  };
  return { changes, read };
}

describe("what edits made of a head's weights", () => {
  it("takes the numbers that are at hand, and reads the original's once for many edits", async () => {
    const { read } = desk();
    const original = runOf();
    const asked = vi.spyOn(original, "attention");
    for (let edit = 0; edit < 3; edit += 1) {
      const run = runOf();
      const figures = await figuresOf(run);
      const own = vi.spyOn(run, "attention");
      const value = await read(figures, original);
      expect(value?.after).toBe(figures.stages.weights);
      expect(value?.before).toEqual(await runOf().attention(HEAD));
      expect(own).not.toHaveBeenCalled();
    }
    expect(asked.mock.calls).toEqual([[HEAD]]);
  });

  it("stays that of one head while another is read", async () => {
    const { changes, read } = desk();
    const [run, original] = [runOf(), runOf()];
    const first = await read(await figuresOf(run), original);
    const other = { ...HEAD, head: 5 };
    const figures = await figuresOf(run, other);
    changes.want(figures, original, 1);
    expect(changes.value).toBe(first);
    expect((await read(figures, original))?.before).toEqual(await original.attention(other));
  });

  it("is nothing beside the original of another text until that is read", async () => {
    const { changes, read } = desk();
    expect(await read(await figuresOf(runOf()), runOf())).not.toBeNull();
    const longer = "the old dog bites a man";
    const [figures, original] = [await figuresOf(runOf(longer)), runOf(longer)];
    changes.want(figures, original, 2);
    expect(changes.value).toBeNull();
    expect((await read(figures, original, 2))?.before.shape).toEqual(figures.stages.weights.shape);
  });

  it("says what could not be read, until it is forgiven", async () => {
    const { changes, read } = desk();
    const original = runOf();
    const failed = new Error("out of reach");
    vi.spyOn(original, "attention").mockRejectedValueOnce(failed);
    expect(await read(await figuresOf(runOf()), original)).toBeNull();
    expect(changes.failure).toBe(failed);
    changes.forgive();
    expect(await read(await figuresOf(runOf()), original)).not.toBeNull();
    changes.clear();
    expect(changes.value).toBeNull();
  });
});
