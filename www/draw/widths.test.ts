import { describe, expect, it } from "vitest";
import { forgetWidths, widthOf } from "./widths.js";

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
