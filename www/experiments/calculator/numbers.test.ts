import { describe, expect, it } from "vitest";
import { NUMBER_PRESETS } from "../../state/matrix-changes.js";
import { arithmeticOf, shownOf, WORKED, type Arithmetic } from "./arithmetic.js";
import {
  cellRefusal,
  matrixFile,
  numberText,
  readMatrix,
  refusalOf,
  typedText,
} from "./matrix-text.js";
import { Unreadable } from "../../export/read-matrix.js";
import { WORKED_TWO } from "./testing/worked.js";

/** The result of an arithmetic by plain sums, which only a test computes. */
function outcome({ sign, pairs, copyOf, value }: Arithmetic): number {
  if (copyOf !== undefined) return value;
  return pairs
    .map(([left, right]) => ({ "·": left * right, "÷": left / right, "+": left + right })[sign])
    .reduce((sum, one) => sum + one, 0);
}

it("the arithmetic of a cell comes to the very number, in every matrix of every head", () => {
  for (const head of [0, 1]) {
    const answered = { inputs: NUMBER_PRESETS.heads, worked: WORKED_TWO, head };
    const shown = shownOf(WORKED_TWO, head);
    expect(Object.keys(shown)).toHaveLength(WORKED.length);
    for (const matrix of WORKED)
      shown[matrix]?.forEach((values, row) =>
        values.forEach((value, column) => {
          const arithmetic = arithmeticOf(answered, { matrix, row, column });
          const about = `${matrix} ${row} ${column} of head ${head}`;
          expect(arithmetic?.value).toBe(value);
          expect(arithmetic && outcome(arithmetic), about).toBeCloseTo(value, 12);
        }),
      );
  }
});

describe("a matrix in a file", () => {
  it.each(["csv", "npy"] as const)(
    "can be saved as %s and read again, to the last bit",
    async (format) => {
      const rows = [
        [1, -Infinity, 0.1 + 0.2],
        [1e-300, -2, 1 / 3],
      ];
      const words = ["1984", 'a, "b"'];
      const file = new File([matrixFile(rows, words, format)], `m.${format}`);
      expect(await readMatrix(file)).toEqual({ rows, labels: format === "csv" ? words : null });
    },
  );

  it("is not read where it is far too large", async () => {
    await expect(readMatrix(new File([new Uint8Array(2 << 20)], "m.csv"))).rejects.toMatchObject({
      reason: "tooLarge",
    });
    const padded = (size: number): File => new File([`1,2${" ".repeat(size - 3)}`], "m.csv");
    expect(await readMatrix(padded(1 << 20))).toMatchObject({ rows: [[1, 2]] });
    const found = "1 MB";
    await expect(readMatrix(padded((1 << 20) + 1))).rejects.toMatchObject({ found });
  });

  it("is recognised by its first bytes, or by the end of its name", async () => {
    const zip = new File(["PK\x03\x04", "1,2"], "m.csv");
    await expect(readMatrix(zip)).rejects.toMatchObject({ reason: "archive", found: "m.csv" });
    expect(await readMatrix(new File(["1,2"], "PK.txt"))).toMatchObject({ rows: [[1, 2]] });
    const binary = matrixFile([[1, 2]], null, "npy");
    expect(await readMatrix(new File([binary], "m.bin"))).toMatchObject({ rows: [[1, 2]] });
    const text = new File(["1,2"], "m.NPY");
    await expect(readMatrix(text)).rejects.not.toMatchObject({ reason: "archive" });
  });
});

it.each<[value: number, digits: 3 | 8, shown: string, typed: string]>([
  [2, 3, "2", "2"],
  [-2, 3, "−2", "−2"],
  [0.5, 3, "0.500", "0.5"],
  [1 / 3, 8, "0.33333333", String(1 / 3)],
  [Infinity, 3, "∞", "∞"],
  [-Infinity, 3, "−∞", "−∞"],
])("the number %d is shown as itself and typed to the last bit", (value, digits, shown, typed) => {
  expect([numberText(value, digits), typedText(value)]).toEqual([shown, typed]);
});

describe("what cannot be read", () => {
  it("says both readings of a comma", () => {
    const { sentence, code } = cellRefusal("1,234", false);
    expect(code).toBe("numbers/ambiguous");
    expect(sentence).toContain("1234");
    expect(sentence).toContain("1.234");
  });

  it("has a code with its words apart, and a sentence for numbers and for masks", () => {
    expect(refusalOf(new Unreadable("tooLarge", "2 MB")).code).toBe("numbers/too-large");
    const plain = cellRefusal("x", false);
    const ofMask = cellRefusal("x", true);
    expect([plain.code, ofMask.code]).toEqual(["numbers/not-a-number", "numbers/not-a-number"]);
    expect(plain.sentence).not.toBe(ofMask.sentence);
  });
});
