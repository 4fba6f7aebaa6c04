import { describe, expect, it } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, type State, toggleHead } from "../../state/index.js";
import { ModelCache } from "../models/model-cache.js";
import { Computation } from "./computation.js";

const { stacks } = FAKE_INFO;
const request = (more: Partial<State>): State => ({ ...DEFAULT_STATE, text: "one two", ...more });

function edited(stack: "encoder" | "decoder" | "cross", more: Partial<State> = {}): State {
  const edits = toggleHead(DEFAULT_STATE.edits, { stack, layer: 0, head: 0 }, stacks);
  return request({ edits, ...more });
}

async function computed(model: FakeModel, ...requests: State[]): Promise<Computation> {
  const computation = new Computation(new ModelCache(() => Promise.resolve(model)));
  await computation.use("models/en-fr", request({ text: "" }));
  for (const one of requests) await computation.compute(one);
  return computation;
}

describe("the output without edits", () => {
  it("is known of a translator once it was written, also where the edits come first", async () => {
    for (const before of [[request({})], []]) {
      const { output, unedited } = await computed(new FakeModel(), ...before, edited("encoder"));
      expect([output?.words, unedited?.words]).toEqual(["TWO ONE!", "TWO ONE"]);
      expect(output?.of).toBe(unedited?.of);
    }
  });

  it("is a decoder's continuation by itself, generated once for a text", async () => {
    const model = new FakeModel(FAKE_WRITER);
    const { output, unedited } = await computed(model, edited("decoder"), edited("decoder"));
    expect([output?.words, unedited?.words]).toEqual([expect.any(String), output?.words]);
    expect(model.generated.map(({ edits }) => edits !== undefined)).toEqual([true, false, true]);
  });

  it("is the sentence with its masked tokens filled in; none without a masked token", async () => {
    const model = new FakeModel(FAKE_READER);
    const masked = await computed(model, edited("encoder", { masked: [1] }));
    expect(masked.unedited).toEqual(masked.output);
    expect(masked.output?.words).toMatch(/\bw\d+|and|so|on/);
    expect((await computed(model, edited("encoder"))).output).toBeNull();
  });

  it("is not asked for where the user wrote the translation", async () => {
    const own = edited("encoder", { target: "un deux" });
    expect((await computed(new FakeModel(), own)).output).toBeNull();
  });

  it("belongs to its text", async () => {
    const both = await computed(new FakeModel(), request({}), edited("encoder", { text: "three" }));
    expect(both.unedited?.words).toBe("THREE");
  });
});
