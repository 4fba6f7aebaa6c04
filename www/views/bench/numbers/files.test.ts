import { describe, expect, it } from "vitest";
import { matrixFile, readMatrix } from "./files.js";

describe("a matrix in a file", () => {
  it.each(["csv", "npy"] as const)("as %s has its way back, to the last bit", async (format) => {
    const rows = [
      [1, -Infinity, 0.1 + 0.2],
      [1e-300, -2, 1 / 3],
    ];
    const words = ["1984", 'a, "b"'];
    const file = new File([matrixFile(rows, words, format)], `m.${format}`);
    expect(await readMatrix(file)).toEqual({ rows, labels: format === "csv" ? words : null });
  });

  it("that is far too large is not read at all", async () => {
    await expect(readMatrix(new File([new Uint8Array(2 << 20)], "m.csv"))).rejects.toMatchObject({
      reason: "tooLarge",
    });
  });
});
