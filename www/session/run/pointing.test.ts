// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Cell } from "../../data/index.js";
import { Store } from "../../state/index.js";
import { type Pointed, Pointing } from "./pointing.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The targets of a page without a run. */
function pointingAlone(): Pointing {
  const store = new Store();
  const page: Omit<Pointed, "computation"> = {
    store,
    state: store.state,
    info: null,
    stacks: [],
    chosen: null,
    shown: null,
    displayed: null,
    locked: null,
  };
  // Nothing is read of a run that is not there.
  return new Pointing(page as Pointed);
}

it("texts follow the pointer from cell to cell at a pace that can be read, and at once where it enters or leaves", () => {
  const pointing = pointingAlone();
  const [first, second]: Cell[] = [
    { query: 0, key: 0 },
    { query: 1, key: 0 },
  ];
  const hover = (cell: Cell | null | undefined): Cell | null => {
    vi.advanceTimersByTime(10);
    pointing.hoverCell(new CustomEvent("hover", { detail: cell ?? null }));
    return pointing.hover.cell;
  };
  expect(hover(first)).toEqual(first);
  expect(hover(second)).toEqual(first);
  vi.advanceTimersByTime(100);
  expect(pointing.hover.cell).toEqual(second);
  expect([hover(first), hover(null), hover(second)]).toEqual([first, null, second]);
  // Before another change of the page it is where the pointer is.
  expect(hover(first)).toEqual(second);
  pointing.settle();
  expect(pointing.hover.cell).toEqual(first);
});
