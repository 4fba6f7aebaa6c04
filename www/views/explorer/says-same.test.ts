import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { saysSame } from "./says-same.js";

describe("saying the same", () => {
  it("is what equal JSON means, for lists and plain fields", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        (one, other) => saysSame(one, other) === (JSON.stringify(one) === JSON.stringify(other)),
      ),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => saysSame(value, structuredClone(value))));
  });

  it("does not look into what is the very same thing", () => {
    const tokens = new Proxy([], {
      get: () => expect.unreachable(),
      ownKeys: () => expect.unreachable(),
    });
    expect(saysSame({ tokens, focused: 1 }, { tokens, focused: 1 })).toBe(true);
    expect(saysSame({ tokens, focused: 1 }, { tokens, focused: 2 })).toBe(false);
  });

  it("tells lists from fields, and nothing from everything else", () => {
    expect([
      saysSame([], {}),
      saysSame(null, {}),
      saysSame(null, null),
      saysSame([1], [1, 2]),
    ]).toEqual([false, false, true, false]);
  });
});
