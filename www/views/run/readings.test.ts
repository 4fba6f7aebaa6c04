import { describe, expect, it } from "vitest";
import { FAKE_READER, FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import { readExpectation } from "./readings.js";

describe("what a model expects", () => {
  it("after a token is about that token, and has no right answer", async () => {
    const run = await new FakeModel(FAKE_WRITER).run({ text: "one two" });
    const expectation = await readExpectation(run, { kind: "after", position: 1 });
    expect(expectation).toMatchObject({
      at: { text: "two" },
      predictions: [{ text: "word 1.0" }, {}, {}, {}, {}],
      truth: null,
    });
  });

  it("instead of a hidden token knows what is hidden, with its share among all entries", async () => {
    const run = await new FakeModel(FAKE_READER).run({ text: "one two", hidden: [1] });
    const expectation = await readExpectation(run, { kind: "instead", position: 1 });
    expect(expectation).toMatchObject({ at: { text: "two", role: null }, truth: { id: 3 } });
    const { data } = await run.logits({ positions: [1] });
    const powers = [...data].map(Math.exp);
    expect(expectation?.truth?.probability).toBeCloseTo(
      (powers[3] ?? NaN) / powers.reduce((sum, power) => sum + power, 0),
      6,
    );
  });
});
