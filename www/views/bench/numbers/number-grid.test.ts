// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeNumberGrid, type GridChange } from "./number-grid.js";

afterEach(() => document.body.replaceChildren());

async function grid(properties: Partial<HeadscopeNumberGrid> = {}): Promise<{
  element: HeadscopeNumberGrid;
  changes: GridChange[];
  cell: (place: string) => HTMLInputElement;
  type: (place: string, text: string) => Promise<void>;
}> {
  const element = await mount(new HeadscopeNumberGrid(), {
    rows: [
      [1, 2],
      [3, 4],
    ],
    label: "X",
    ...properties,
  });
  const changes: GridChange[] = [];
  element.addEventListener("headscope-grid-change", ({ detail }) => {
    changes.push(detail);
    element.rows = detail.rows;
    if (detail.words) element.words = detail.words;
  });
  const cell = (place: string): HTMLInputElement => {
    const found = element.renderRoot.querySelector<HTMLInputElement>(`[data-place="${place}"]`);
    if (!found) throw new Error(`no ${place}`);
    return found;
  };
  const type = async (place: string, text: string): Promise<void> => {
    cell(place).value = text;
    cell(place).dispatchEvent(new Event("change"));
    await element.updateComplete;
  };
  return { element, changes, cell, type };
}

const problem = (element: HeadscopeNumberGrid): string =>
  element.renderRoot.querySelector("#problem")?.textContent ?? "";

describe("<headscope-number-grid>", () => {
  it("takes numbers as people write them", async () => {
    const { type, changes } = await grid();
    await type("0.1", "−0,5");
    expect(changes).toEqual([
      {
        rows: [
          [1, -0.5],
          [3, 4],
        ],
        words: null,
      },
    ]);
    await type("0.1", "-0.5");
    expect(changes).toHaveLength(1);
  });

  it("takes no comma that may part thousands as well as decimals, and says how both are written", async () => {
    const { element, type, cell, changes } = await grid();
    await type("0.0", "1,000");
    expect(changes).toEqual([]);
    expect([cell("0.0").value, cell("0.0").getAttribute("aria-invalid")]).toEqual([
      "1,000",
      "true",
    ]);
    expect(problem(element)).toBe(
      "“1,000” may mean 1000 or 1.000. Write one of these, without a comma. numbers/ambiguous",
    );
    await type("0.0", "0,125");
    expect(changes).toEqual([
      {
        rows: [
          [0.125, 2],
          [3, 4],
        ],
        words: null,
      },
    ]);
  });

  it("keeps what is no number while other cells change, until its own cell does or is gone", async () => {
    const { element, type, cell } = await grid();
    await type("0.0", "abc");
    await type("1.1", "four");
    await type("1.0", "7");
    expect([cell("0.0").value, cell("1.1").value, cell("1.0").value]).toEqual(["abc", "four", "7"]);
    element.rows = [
      [1, 2],
      [7, 9],
    ];
    await element.updateComplete;
    expect([cell("0.0").value, cell("1.1").value]).toEqual(["abc", "9"]);
    expect(problem(element)).toContain("“abc” is no number");
    element.rows = [[5, 2]];
    await element.updateComplete;
    expect([cell("0.0").value, problem(element)]).toEqual(["5", ""]);
    await type("0.1", "two");
    element.rows = [[5]];
    await element.updateComplete;
    expect(problem(element)).toBe("");
  });

  it("puts a pasted number over what is none, even where it is the one that was there", async () => {
    const { element, type, cell } = await grid();
    await type("0.0", "abc");
    const event = new Event("paste", { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => "1\t8" } });
    cell("0.0").dispatchEvent(event);
    await element.updateComplete;
    expect([cell("0.0").value, cell("0.1").value, problem(element)]).toEqual(["1", "8", ""]);
  });

  it("of a mask takes what forbids, by word and by key", async () => {
    const { element, type, cell, changes } = await grid({ forbids: true });
    await type("0.0", "-inf");
    expect(changes.at(-1)?.rows).toEqual([
      [-Infinity, 2],
      [3, 4],
    ]);
    expect(cell("0.0").value).toBe("−∞");
    cell("0.0").dispatchEvent(new KeyboardEvent("keydown", { key: "Delete", bubbles: true }));
    await element.updateComplete;
    expect(changes.at(-1)?.rows).toEqual([
      [0, 2],
      [3, 4],
    ]);
    cell("1.1").dispatchEvent(new MouseEvent("dblclick"));
    expect(changes.at(-1)?.rows).toEqual([
      [0, 2],
      [3, -Infinity],
    ]);
  });

  it("takes a table from a spreadsheet from the cell on, with its names, and refuses what is none", async () => {
    const { element, cell, changes } = await grid({ words: ["the", "dog"] });
    const paste = async (place: string, text: string): Promise<boolean> => {
      const event = new Event("paste", { bubbles: true, cancelable: true });
      Object.assign(event, { clipboardData: { getData: () => text } });
      cell(place).dispatchEvent(event);
      await element.updateComplete;
      return event.defaultPrevented;
    };
    expect(await paste("0.0", "7")).toBe(false);
    expect(await paste("1.1", "8\t9")).toBe(true);
    expect(changes.at(-1)).toEqual({
      rows: [
        [1, 2, 0],
        [3, 8, 9],
      ],
      words: null,
    });
    await paste("0.-1", "a\t1\nb\t2");
    expect(changes.at(-1)).toEqual({
      rows: [
        [1, 2, 0],
        [2, 8, 9],
      ],
      words: ["a", "b"],
    });
    const before = changes.length;
    await paste("0.0", "1\tx\n2\t3");
    expect(changes).toHaveLength(before);
    expect(problem(element)).toMatch(/“x”.* numbers\/not-a-number$/);
  });
});
