import { describe, expect, it } from "vitest";
import { decodePicked, encodePicked } from "./picked-codec.js";
import { togglePicked } from "./picked.js";

describe("tokens that are looked at together", () => {
  it("come and go one by one; those of the other text give way", () => {
    const one = togglePicked(null, "source", 4);
    expect(one).toEqual({ side: "source", tokens: [4], pool: "sum", looking: "from" });
    const mean = one && { ...one, pool: "mean" as const };
    expect(togglePicked(mean, "source", 1)).toEqual({ ...mean, tokens: [4, 1] });
    expect(togglePicked(mean, "target", 0)).toEqual({ ...mean, side: "target", tokens: [0] });
    expect(togglePicked(mean, "source", 4)).toBeNull();
  });

  it("are short in an address", () => {
    expect(encodePicked({ side: "source", tokens: [1, 4], pool: "sum", looking: "from" })).toBe(
      "s2,5",
    );
    expect(encodePicked({ side: "target", tokens: [2], pool: "mean", looking: "to" })).toBe(
      "t3.mean.to",
    );
  });

  it.each(["", "s", "x1", "s0", "s1,", "s1.sum", "s1.to.mean", "t1.mean.to.more"])(
    "are not read from %j",
    (text) => {
      expect(decodePicked(text)).toBeUndefined();
    },
  );

  it("are read once each", () => {
    expect(decodePicked("s2,5,2")).toEqual({
      side: "source",
      tokens: [1, 4],
      pool: "sum",
      looking: "from",
    });
  });
});
