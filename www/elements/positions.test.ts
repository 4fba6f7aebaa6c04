// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopePositions } from "./positions.js";
import { matrixOf, mount, nameOf, press, put, rowsOf, stageOf, tabulate } from "./testing/mount.js";

const AXES = ["position", "model_dim"];
const tensor = matrixOf(2, [0, 1, 0.5, 0.5, 1, 0.25], AXES);
const said = ({ renderRoot }: HeadscopePositions): (string | undefined)[] =>
  [".reading", ".pointed span"].map((part) => renderRoot.querySelector(part)?.textContent.trim());

afterEach(() => document.body.replaceChildren());

describe("<headscope-positions>", () => {
  it("reads the number under the keyboard, draws its dimension as a wave, and forgets a place that is gone", async () => {
    const element = await mount(new HeadscopePositions(), { tensor });
    expect(nameOf(element)).toBe("Positional encoding: 3 positions by 2 dimensions");
    await press(element, "ArrowDown", "End", "ArrowRight", "ArrowDown");
    expect(said(element)).toEqual(["Position 3, dimension 2: 0.250", "dimension 2"]);
    stageOf(element).dispatchEvent(new PointerEvent("pointerleave"));
    await element.updateComplete;
    expect(said(element)).toEqual(["", "dimension 2"]);
    await press(element, "End");
    await put(element, { tensor: matrixOf(1, [0.5], AXES) });
    expect(said(element)).toEqual(["", "dimension 1"]);
  });

  it("shows its numbers as a table, all of them or of many the row that a key led to", async () => {
    const element = await mount(new HeadscopePositions(), { tensor });
    await tabulate(element);
    expect(rowsOf(element, "tbody tr")).toEqual([
      ["1", "0", "1.000"],
      ["2", "0.500", "0.500"],
      ["3", "1.000", "0.250"],
    ]);
    const many = Array.from({ length: 9000 }, (_, index) => Math.floor(index / 3000));
    await put(element, { tensor: matrixOf(3000, many, AXES) });
    await press(element, "PageDown");
    expect(element.renderRoot.querySelector(".numbers p")?.textContent).toBe(
      "The numbers of one row at a time: 3",
    );
    expect(rowsOf(element, "tbody tr").map((row) => [row.length, row[0], row[1]])).toEqual([
      [3001, "3", "2.000"],
    ]);
  });
});
