// What is read of a run beside its picture: the held number of a block, and its explanation.
import { expect, it, vi } from "vitest";
import { failed, FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import type { StepCell } from "../../data/index.js";
import { matrixOf } from "../../elements/testing/mount.js";
import { explainNumber, heldNumber, holding, readExpectation, readSpectrum } from "./readings.js";

const HEAD = { stack: "encoder", layer: 1, head: 2 } as const;
const STEPS = [
  { step: "input", tensor: matrixOf(9, new Array<number>(81).fill(0)) },
  { step: "query", tensor: matrixOf(3, new Array<number>(6).fill(0), ["position", "head_dim"]) },
] as const;
const at = (step: StepCell["step"], row: number, column: number): StepCell => ({
  step,
  row,
  column,
});

it.each<[string, StepCell | null, isHeld: boolean]>([
  ["the first one", at("query", 0, 0), true],
  ["the last one", at("query", 1, 2), true],
  ["one below the last row", at("query", 2, 0), false],
  ["one behind the last column", at("query", 0, 3), false],
  ["one of a step that the block does not have", at("key", 0, 0), false],
  ["none", null, false],
])(
  "of a link that names %s of a step, the number is held, or else the weight of the pair",
  (_, number, isHeld) => {
    const weight = at("weights", 5, 7);
    expect(heldNumber(STEPS, number, { query: 5, key: 7 })).toEqual(isHeld ? number : weight);
    expect(heldNumber(STEPS, number, null)).toEqual(isHeld ? number : null);
  },
);

it("a number is held in the block in which it stands, and explained there", async () => {
  const place = { ...HEAD, ...at("weights", 0, 1), along: "row" };
  expect(holding(place)).toEqual({ ...HEAD, number: at("weights", 0, 1) });
  expect(holding(null)).toEqual({ number: null });
  const run = await new FakeModel().run({ text: "one" });
  const asked = vi.spyOn(run, "explain");
  expect(await explainNumber(run, place)).toMatchObject({ place, explanation: { value: 1.5 } });
  expect(asked).toHaveBeenCalledWith({ ...HEAD, ...at("weights", 0, 1) });
});

it("a text has a spectrum, or is too long for one; other failures are thrown", async () => {
  const run = await new FakeModel().run({ text: "one" });
  expect(await readSpectrum(run, HEAD)).toMatchObject({ weights: { rank90: 2 } });
  const asked = vi.spyOn(run, "spectrum");
  asked.mockRejectedValue(failed("selection/too-large"));
  expect(await readSpectrum(run, HEAD)).toBe("too-long");
  asked.mockRejectedValue(failed("engine/crashed"));
  await expect(readSpectrum(run, HEAD)).rejects.toMatchObject({ code: "engine/crashed" });
});

it("of few possible answers no more are listed, and a token that is not there expects nothing", async () => {
  const run = await new FakeModel(FAKE_READER).run({ text: "one two" });
  const listed = async (position: number, outOf?: number): Promise<number | undefined> => {
    const place = { kind: "after", position, ...(outOf !== undefined && { outOf }) } as const;
    return (await readExpectation(run, place))?.predictions.length;
  };
  expect([await listed(0), await listed(0, 3), await listed(0, 9)]).toEqual([5, 3, 5]);
  expect(await listed(3)).toBeUndefined();
});
