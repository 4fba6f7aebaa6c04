import { expect, it } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import { measureRoles } from "./role-study.js";

const { signal } = new AbortController();

it.each([FAKE_WRITER, FAKE_READER, FAKE_INFO])(
  "the roles of $architecture are measured on repeated tokens and on a sample, with no run left",
  async (info) => {
    const model = new FakeModel(info);
    const roles = await measureRoles(model, signal);
    expect(Object.keys(roles)).toEqual(Object.keys(info.stacks));
    expect(Object.values(roles).map((layers) => [layers.length, layers[0]?.length])).toEqual(
      Object.keys(info.stacks).map(() => [3, 8]),
    );
    expect(model.held.size).toBe(0);
    const [{ ids = [], targetIds }] = model.inputs as [{ ids?: number[]; targetIds?: number[] }];
    // The special token at the end is the model's own.
    const own = ids.slice(0, -1);
    expect([ids.at(-1), own.length % 2]).toEqual([1, 0]);
    expect(own.slice(own.length / 2)).toEqual(own.slice(0, own.length / 2));
    expect(new Set(own).size).toBe(own.length / 2);
    expect(targetIds === undefined).toBe(info.architecture !== "encoder-decoder");
    const again = new FakeModel(info);
    await measureRoles(again, signal);
    expect(again.inputs).toEqual(model.inputs);
  },
);

const STRETCH = [
  ...[11, 45, 30, 46, 2, 42, 18, 3, 49, 48, 26, 22],
  ...[27, 38, 20, 23, 24, 4, 37, 41, 17, 8, 6, 5],
];
it.each([
  { maxTokens: 64, stretch: 24, sample: null },
  { maxTokens: 11, stretch: 5, sample: 11 },
  { maxTokens: 4, stretch: 1, sample: 4 },
])("a model of $maxTokens tokens repeats $stretch drawn ids", async (one) => {
  const { maxTokens, stretch, sample } = one;
  const model = new FakeModel({ ...FAKE_INFO, vocabSize: 50, maxTokens });
  await measureRoles(model, signal);
  const [repeated, read] = model.inputs;
  const own = STRETCH.slice(0, stretch);
  expect(repeated).toEqual({ ids: [...own, ...own, 1], targetIds: [0, ...own, ...own] });
  const first = Array.from({ length: sample ?? 0 }, (_, at) => at + 2);
  expect(read?.ids ?? []).toEqual(first);
  expect(read?.text?.slice(0, 13)).toBe(sample === null ? "The old woman" : undefined);
});
