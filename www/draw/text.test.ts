import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recorder } from "./testing/recorder.js";
import {
  writeLabel,
  formatValue,
  largeWords,
  placeWords,
  powerWords,
  readingWords,
  tickWords,
  forgetWidths,
  widthOf,
  fitLabel,
  labelStep,
  labelled,
} from "./text.js";

describe("the label of a token", () => {
  it("is written in its own direction, and what comes after it is not turned by it", () => {
    const { brush, done } = recorder();
    const directions: string[] = [];
    const fillText = brush.fillText.bind(brush);
    brush.fillText = (text, x, y) => {
      directions.push(brush.direction);
      fillText(text, x, y);
    };
    for (const label of ["dog", "כלב…", "!"]) writeLabel(brush, label, 1, 2);
    expect(directions).toEqual(["ltr", "rtl", "ltr"]);
    expect(brush.direction).toBe("ltr");
    expect(done("fillText").map(({ args }) => args)).toEqual([
      ["dog", 1, 2],
      ["כלב…", 1, 2],
      ["!", 1, 2],
    ]);
  });
});

describe("formatValue", () => {
  it.each([
    [0.7744, "0.774"],
    [33.30849, "33.308"],
    [-6.8, "−6.800"],
    [0, "0"],
    [-0, "0"],
    [0.000012, "1.2 × 10⁻⁵"],
    [-3e-12, "−3.0 × 10⁻¹²"],
    [0.0005, "0.001"],
    [-Infinity, "−∞"],
  ])("%s reads %s", (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});

describe("numbers of any size", () => {
  it("are written in few signs", () => {
    expect([999_999, 1e6, 16_777_216, 1e10].map(largeWords)).toEqual([
      "999,999",
      "1 × 10⁶",
      "1.68 × 10⁷",
      "1 × 10¹⁰",
    ]);
    expect([powerWords(1e10), powerWords(0.01)]).toEqual(["10¹⁰", "10⁻²"]);
    expect([0, 0.25, 99.5, 512, 1234.56, -2e7, NaN, Infinity].map(readingWords)).toEqual([
      "0",
      "0.250",
      "99.500",
      "512",
      "1,234.6",
      "−2 × 10⁷",
      "–",
      "∞",
    ]);
    expect([64, 0.5, 100_000].map(placeWords)).toEqual(["64", "0.500", "100,000"]);
  });

  it("have at an axis as many decimals as its steps", () => {
    expect(tickWords([0, 0.5, 1])).toEqual(["0", "0.5", "1"]);
    expect(tickWords([0, 0.02, 0.04])).toEqual(["0", "0.02", "0.04"]);
    expect(tickWords([0, 200_000, 400_000])).toEqual(["0", "200,000", "400,000"]);
    expect(tickWords([0, 0.00002, 0.00004])).toEqual(["0", "2.0 × 10⁻⁵", "4.0 × 10⁻⁵"]);
  });
});

/** Measures a text as its length times the size that its font begins with, and counts. */
function ruler(): {
  font: string;
  measureText: (text: string) => { width: number };
  asked: string[];
} {
  const asked: string[] = [];
  return {
    font: "",
    asked,
    measureText(text) {
      asked.push(text);
      return { width: text.length * parseFloat(this.font) };
    },
  };
}

describe("the width of a text", () => {
  it("is measured once for each font", () => {
    const brush = ruler();
    expect([
      widthOf(brush, "10px a", "four"),
      widthOf(brush, "20px a", "four"),
      widthOf(brush, "10px a", "four"),
    ]).toEqual([40, 80, 40]);
    expect(brush.asked).toEqual(["four", "four"]);
  });

  it("is another's own on another brush", () => {
    const [one, other] = [ruler(), ruler()];
    widthOf(one, "10px a", "one");
    widthOf(other, "10px a", "one");
    expect([one.asked, other.asked]).toEqual([["one"], ["one"]]);
  });

  it("is measured anew when a font has come", () => {
    const brush = ruler();
    widthOf(brush, "10px a", "one");
    forgetWidths();
    widthOf(brush, "10px a", "one");
    expect(brush.asked).toEqual(["one", "one"]);
  });

  it("is not kept for texts without end", () => {
    const brush = ruler();
    for (let index = 0; index < 6000; index += 1) widthOf(brush, "10px a", String(index));
    widthOf(brush, "10px a", "0");
    expect(brush.asked.filter((text) => text === "0")).toHaveLength(2);
  });
});

const measure = (text: string): number => text.length * 10;

describe("fitLabel", () => {
  it("leaves what fits and shortens what does not", () => {
    expect(fitLabel("cat", 30, measure)).toBe("cat");
    expect(fitLabel("elephant", 40, measure)).toBe("ele…");
    expect(fitLabel("elephant", 5, measure)).toBe("…");
  });

  it("never cuts through a character", () => {
    expect(fitLabel("👩‍👩‍👧b", 60, measure)).toBe("…");
    expect(fitLabel("a👍🏽bcdef", 60, measure)).toBe("a👍🏽…");
  });

  it("never exceeds its room once there is room for a dot", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 10, max: 200 }), (text, room) => {
        expect(measure(fitLabel(text, room, measure))).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe("thinning", () => {
  it("shows every label while cells are large, then every second, fifth, tenth", () => {
    expect([20, 11, 6, 3, 1.2, 0.3].map((cell) => labelStep(cell, 11))).toEqual([
      1, 1, 2, 5, 10, 50,
    ]);
  });

  it("keeps the label in focus and makes room around it", () => {
    expect(labelled(12, 5)).toEqual([0, 5, 10]);
    expect(labelled(12, 5, [7])).toEqual([0, 7]);
    expect(labelled(12, 1, [7])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
