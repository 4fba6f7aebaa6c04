import { describe, expect, it } from "vitest";
import { rowAt, rowsInSight, scrollToRow, type ScrolledLayout } from "./scrolled.js";

/** Ten rows fit between the head and the foot. */
const layout: ScrolledLayout = {
  width: 400,
  height: 250,
  contentHeight: 2050,
  top: 40,
  foot: 10,
  pitch: 20,
};

describe("a window over rows", () => {
  it("knows the rows in sight, cut ones included", () => {
    expect(rowsInSight(layout, 0, 100)).toEqual({ first: 0, end: 10 });
    expect(rowsInSight(layout, 30, 100)).toEqual({ first: 1, end: 12 });
    expect(rowsInSight(layout, 0, 4)).toEqual({ first: 0, end: 4 });
    expect(rowsInSight(layout, 500, 4)).toEqual({ first: 4, end: 4 });
  });

  it("finds the row under the pointer", () => {
    expect([39, 40, 59, 60, 239, 240].map((y) => rowAt(layout, 0, y, 100))).toEqual([
      null,
      0,
      0,
      1,
      9,
      null,
    ]);
    expect(rowAt(layout, 30, 40, 100)).toBe(1);
    expect(rowAt(layout, 0, 200, 4)).toBeNull();
  });

  it("scrolls as little as needed", () => {
    expect(scrollToRow(layout, 100, 7)).toBe(100);
    expect(scrollToRow(layout, 100, 2)).toBe(40);
    expect(scrollToRow(layout, 0, 20)).toBe(220);
  });
});
