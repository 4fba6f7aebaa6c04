import { describe, expect, it } from "vitest";
import { Memo } from "./memo.js";

describe("Memo", () => {
  it("makes a result once per set of inputs", () => {
    const kept = new Memo<number>();
    let made = 0;
    const get = (...inputs: unknown[]): number => kept.get(inputs, () => ++made);
    expect([get("a", NaN), get("a", NaN), get("b", NaN), get("a", NaN)]).toEqual([1, 1, 2, 3]);
  });
});
