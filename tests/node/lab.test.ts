import { describe, expect, it } from "vitest";
import { theLab } from "./package.js";

describe("the laboratories of the package", () => {
  it("answer without a model, and as the formula says", async () => {
    const { table, wavelengths, products } = await (await theLab()).ask("waves", {
      length: 3,
      dim: 4,
      base: 100,
    });
    const expected = [0, 1, 2].flatMap((position) =>
      [1, 10].flatMap((speed) => [Math.sin(position / speed), Math.cos(position / speed)]),
    );
    expect(table).toHaveLength(12);
    table.forEach((number, at) => expect(number).toBeCloseTo(expected[at] ?? NaN, 12));
    expect(wavelengths.map((length) => length / (2 * Math.PI))).toEqual(
      [1, 10].map((length): unknown => expect.closeTo(length, 12)),
    );
    expect(products[0]).toBeCloseTo(2, 12);
  });

  it.each([NaN, 0, 2.5, 1e9])("refuse %d positions with a code and a sentence", async (length) => {
    await expect((await theLab()).ask("waves", { length, dim: 4, base: 100 })).rejects.toThrow(
      /whole number.*\.$/,
    );
  });
});
