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

  it("without names is nothing but numbers", async () => {
    expect(await matrixFile([[1, 2]], null, "csv").text()).toMatch(/1,2\r\n$/);
  });

  it("in an archive is to be taken out of it first", async () => {
    const archive = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0]);
    for (const name of ["m.npz", "m.npy", "m.xlsx"])
      await expect(readMatrix(new File([archive], name)), name).rejects.toMatchObject({
        reason: "archive",
      });
  });

  it("that is far too large is not read at all", async () => {
    await expect(readMatrix(new File([new Uint8Array(2 << 20)], "m.csv"))).rejects.toMatchObject({
      reason: "tooLarge",
    });
  });
});
