// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount, textOf } from "../../elements/testing/mount.js";
import { HeadscopeNumberGrid, type GridChange } from "./number-grid.js";
import { matrix } from "./testing/worked.js";

let element: HeadscopeNumberGrid;
let changes: GridChange[];

async function grid(properties: Partial<HeadscopeNumberGrid> = {}): Promise<void> {
  changes = [];
  const plain = { rows: matrix("1 2 / 3 4"), label: "X", edits: "numbers" } as const;
  element = await mount(new HeadscopeNumberGrid(), { ...plain, ...properties });
  element.addEventListener("headscope-grid-change", ({ detail }) => {
    changes.push(detail);
    element.rows = detail.rows;
    if (detail.words) element.rowNames = detail.words;
  });
}

beforeEach(() => grid());
afterEach(() => document.body.replaceChildren());

function cell(place: string): HTMLInputElement {
  return element.renderRoot.querySelector<HTMLInputElement>(`[id="${place}"]`) ?? expect.fail();
}

async function type(place: string, text: string): Promise<void> {
  cell(place).value = text;
  cell(place).dispatchEvent(new Event("change"));
  await element.updateComplete;
}

async function paste(place: string, text: string): Promise<boolean> {
  const event = new Event("paste", { bubbles: true, cancelable: true });
  cell(place).dispatchEvent(Object.assign(event, { clipboardData: { getData: () => text } }));
  await element.updateComplete;
  return event.defaultPrevented;
}

const problem = (): string =>
  [...element.renderRoot.querySelectorAll(".refusal, .problem")].map(textOf).join("");

describe("<headscope-number-grid>", () => {
  it("takes numbers as people write them, but no comma that may part thousands as well as decimals", async () => {
    await type("0.1", "−0,5");
    await type("0.1", "-0.5");
    expect(changes).toEqual([{ rows: matrix("1 -0.5 / 3 4"), words: null }]);
    await type("0.0", "1,000");
    expect(changes).toHaveLength(1);
    expect(cell("0.0").value).toBe("1,000");
    expect(cell("0.0").getAttribute("aria-invalid")).toBe("true");
    expect(problem()).toMatch(/^“1,000” is ambiguous: 1000 or 1\.000\? .* numbers\/ambiguous$/);
  });

  it("keeps what is no number while other cells change, until numbers are pasted over it", async () => {
    await type("0.0", "abc");
    await type("1.0", "7");
    expect(["0.0", "1.0"].map((place) => cell(place).value)).toEqual(["abc", "7"]);
    expect(problem()).toContain("“abc” is not a number");
    await paste("0.0", "1\t8");
    expect([cell("0.0").value, cell("0.1").value, problem()]).toEqual(["1", "8", ""]);
  });

  it("of a mask takes what forbids, by word and by key", async () => {
    await grid({ edits: "mask" });
    await type("0.0", "-inf");
    expect(changes.at(-1)?.rows).toEqual(matrix("-Infinity 2 / 3 4"));
    expect(cell("0.0").value).toBe("−∞");
    cell("0.0").dispatchEvent(new KeyboardEvent("keydown", { key: "Delete", bubbles: true }));
    await element.updateComplete;
    cell("1.1").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
    expect(changes.at(-1)?.rows).toEqual(matrix("0 2 / 3 -Infinity"));
  });

  it("takes a table from a spreadsheet from the cell on, with its names, and refuses what is none", async () => {
    await grid({ rowNames: ["the", "dog"], renames: true });
    expect(await paste("0.0", "7")).toBe(false);
    expect(await paste("1.1", "8\t9")).toBe(true);
    expect(changes.at(-1)).toEqual({ rows: matrix("1 2 0 / 3 8 9"), words: null });
    await paste("0.-1", "a\t1\nb\t2");
    expect(changes.at(-1)).toEqual({ rows: matrix("1 2 0 / 2 8 9"), words: ["a", "b"] });
    await paste("0.0", "1\tx\n2\t3");
    expect(changes).toHaveLength(2);
    expect(problem()).toMatch(/“x”.* numbers\/not-a-number$/);
  });
});

describe("the cells of a grid by the keyboard", () => {
  const focused = (): string | undefined => element.shadowRoot?.activeElement?.id;
  /** Presses a key in a cell with the caret at this place; says whether the page is kept still. */
  function press(place: string, key: string, [from, to] = [0, 0]): boolean {
    cell(place).focus();
    cell(place).setSelectionRange(from, to);
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    cell(place).dispatchEvent(event);
    return event.defaultPrevented;
  }

  it.each<[string, string, [number, number], string]>([
    ["down", "ArrowDown", [1, 1], "1.0"],
    ["down by Enter", "Enter", [1, 1], "1.0"],
    ["right behind the last sign", "ArrowRight", [2, 2], "0.1"],
    ["right if all is selected", "ArrowRight", [0, 2], "0.1"],
    ["not right within a number", "ArrowRight", [1, 1], "0.0"],
    ["not to the end of the row within a number", "End", [1, 1], "0.0"],
    ["to the end of the row if all is selected", "End", [0, 2], "0.1"],
    ["by no other key", "5", [0, 2], "0.0"],
  ])("are left %s", async (_, key, caret, next) => {
    await grid({ rows: matrix("12 34 / 56 78") });
    expect(press("0.0", key, caret)).toBe(next !== "0.0");
    expect(focused()).toBe(next);
  });

  it.each<[string, [number, number], string]>([
    ["at the first sign", [0, 0], "1.0"],
    ["within a number", [1, 1], "1.1"],
    ["behind the last", [2, 2], "1.1"],
    ["if all is selected", [0, 2], "1.0"],
  ])("are left for the left %s or not", async (_, caret, next) => {
    await grid({ rows: matrix("12 34 / 56 78") });
    press("1.1", "ArrowLeft", caret);
    expect(focused()).toBe(next);
  });

  it("stay in the grid when it shrinks", async () => {
    await grid({ edits: "nothing", rows: matrix("1 2 / 3 4") });
    cell("1.1").dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    await element.updateComplete;
    expect(cell("1.1").tabIndex).toBe(0);
    element.rows = matrix("1");
    await element.updateComplete;
    expect(cell("0.0").tabIndex).toBe(0);
  });

  it("of a result report where the pointer or the focus is", async () => {
    await grid({ edits: "nothing", rows: matrix("0.25 -Infinity / 3 NaN") });
    const reported: unknown[] = [];
    element.addEventListener("headscope-grid-cell", ({ detail }) => reported.push(detail));
    cell("1.0").dispatchEvent(new PointerEvent("pointerenter"));
    cell("0.1").dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    element.renderRoot.querySelector("table")?.dispatchEvent(new PointerEvent("pointerleave"));
    expect(reported).toEqual([{ row: 1, column: 0 }, { row: 0, column: 1 }, null]);
    const looks = ["0.0", "0.1", "1.0", "1.1"].map((place) => cell(place).className.trim());
    expect(looks).toEqual(["", "forbidden", "whole", "broken"]);
    // What is rounded has all its digits in a tooltip.
    expect(["0.0", "1.0"].map((place) => cell(place).title)).toEqual(["0.25", ""]);
  });

  it("that are typed report no place", () => {
    const reported: unknown[] = [];
    element.addEventListener("headscope-grid-cell", ({ detail }) => reported.push(detail));
    cell("0.1").dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    expect(reported).toEqual([]);
  });
});
