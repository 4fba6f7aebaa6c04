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
