import { describe, expect, it } from "vitest";
import { testInks } from "../../draw/testing/inks.js";
import { recorder } from "../../draw/testing/recorder.js";
import { printSpectrum } from "./print.js";

describe("singular values apart from the page", () => {
  it("are bars as high as their share of the largest, with what most of them hold", () => {
    const { brush, done } = recorder();
    const print = printSpectrum({ values: [4, 2, 0], rank: 1 }, testInks);
    print?.paint(brush);
    const [first = [], second = [], third = []] = done("fillRect").map(({ args }) =>
      args.map(Number),
    );
    expect((first[3] ?? 0) / (second[3] ?? 1)).toBeCloseTo(2, 10);
    expect(third[3]).toBe(0);
    expect((first[1] ?? 0) + (first[3] ?? 0)).toBeCloseTo((second[1] ?? 0) + (second[3] ?? 0), 10);
    expect(done("fillText").map(({ args }) => args[0])).toEqual([
      "4.000",
      "1",
      "3",
      "1 of 3 hold 90%",
    ]);
  });

  it("are no picture where there are none", () => {
    expect(printSpectrum({ values: [], rank: 0 }, testInks)).toBeNull();
  });
});
