import { describe, expect, it } from "vitest";
import type { PositionEdit } from "../data/index.js";
import {
  areBuckets,
  isPositionNumber,
  isUntrained,
  movedTo,
  placementOf,
  positionOrigin,
  standing,
  wholeOrder,
  withPlacement,
} from "./position-edits.js";
import { NO_EDITS } from "./index.js";

describe("where tokens stand", () => {
  it("is one edit a stack, and none where it is as the model has it", () => {
    const one = withPlacement(NO_EDITS, "encoder", { scheme: "rotary", parameters: { base: 50 } });
    const two = withPlacement(one, "encoder", { scheme: "alibi", order: [1, 0] });
    expect(two.positions).toEqual([{ stack: "encoder", scheme: "alibi", order: [1, 0] }]);
    expect(placementOf(two, "encoder")).toEqual({
      stack: "encoder",
      scheme: "alibi",
      order: [1, 0],
    });
    expect(placementOf(two, "decoder")).toEqual({ stack: "decoder" });
    expect(withPlacement(two, "encoder", { scheme: "model", order: [0, 1] })).toEqual(NO_EDITS);
  });

  it("overrules by name what an edit of all stacks says", () => {
    const all = { ...NO_EDITS, positions: [{ scheme: "none" as const, order: [1, 0] }] };
    const own = withPlacement(all, "decoder", { scheme: "model", order: [] });
    expect(own.positions).toEqual([
      ...all.positions,
      { stack: "decoder", scheme: "model", order: [] },
    ]);
    expect(placementOf(own, "encoder").scheme).toBe("none");
  });

  it("is told by numbers that were learnt, computed or drawn", () => {
    const under = (own: string, edit: PositionEdit): string =>
      positionOrigin(own, { ...NO_EDITS, positions: [edit] }, "encoder");
    expect(
      ["sinusoidal (interleaved)", "sinusoidal (split halves)", "learned"].map((own) =>
        positionOrigin(own, NO_EDITS, "encoder"),
      ),
    ).toEqual(["wave", "wave", "learnt"]);
    expect(under("learned", { scheme: "sinusoidal" })).toBe("wave");
    expect(under("learned", { stack: "decoder", scheme: "sinusoidal" })).toBe("learnt");
    expect(under("learned", { scheme: "learned" })).toBe("learnt");
    expect(under("learned", { scheme: "learned", parameters: { seed: 3 } })).toBe("drawn");
    // A model that has no table of its own is given one.
    expect(under("sinusoidal (interleaved)", { scheme: "learned" })).toBe("drawn");
    expect(under("sinusoidal (interleaved)", { order: [1, 0] })).toBe("wave");
  });

  it("moves a token and shifts those between", () => {
    // Positions of tokens 0 to 3; the last one is taken to the front.
    expect(movedTo([0, 1, 2, 3], 3, 0)).toEqual([1, 2, 3, 0]);
    expect(standing([1, 2, 3, 0])).toEqual([3, 0, 1, 2]);
    expect(movedTo(movedTo([0, 1, 2, 3], 3, 0), 3, 3)).toEqual([0, 1, 2, 3]);
    expect(wholeOrder([1, 0], 4)).toEqual([1, 0, 2, 3]);
    expect(wholeOrder([4, 0, 1, 2, 3], 3)).toEqual([0, 1, 2]);
  });

  it("knows which numbers nobody trained", () => {
    expect(
      isUntrained({ scheme: "t5" }) && isUntrained({ scheme: "learned", parameters: { seed: 3 } }),
    ).toBe(true);
    expect(isUntrained({ scheme: "learned" }) || isUntrained({ scheme: "alibi" })).toBe(false);
  });

  it("takes numbers that the core takes", () => {
    expect([
      isPositionNumber("base", 0.5),
      isPositionNumber("base", 0),
      isPositionNumber("seed", 1.5),
      isPositionNumber("buckets", 7),
    ]).toEqual([true, false, false, false]);
    expect([
      areBuckets({}),
      areBuckets({ buckets: 512 }),
      areBuckets({ maxDistance: 16 }),
      areBuckets({ maxDistance: 17 }),
    ]).toEqual([true, false, false, true]);
  });
});
