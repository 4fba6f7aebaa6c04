// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { mount } from "../../../elements/testing/mount.js";
import { download } from "../../../export/download.js";
import { NUMBER_PRESETS, type BroughtName } from "../../../state/index.js";
import { HeadscopeBroughtMatrix } from "./brought-matrix.js";
import { HeadscopeWorkedMatrices } from "./worked-matrices.js";
import { asked, WORKED_TWO, workedOut } from "./testing/worked.js";

vi.mock("../../../export/download.js", () => ({ download: vi.fn(() => Promise.resolve()) }));

afterEach(() => {
  document.body.replaceChildren();
  vi.mocked(download).mockClear();
});

const BROUGHT = [
  "x",
  "query",
  "key",
  "value",
  "output",
  "mask",
] as const satisfies readonly BroughtName[];

/** The names of all that is saved by every button for CSV. */
function savedBy(root: ParentNode): string[] {
  vi.mocked(download).mockClear();
  for (const button of root.querySelectorAll<HTMLElement>(
    "button[aria-label^='Save'][aria-label$='csv']",
  ))
    button.click();
  return vi.mocked(download).mock.calls.map(([, name]) => name);
}

it("no two matrices of the workbench are saved under one name, nor those of two heads", async () => {
  const brought = NUMBER_PRESETS.heads;
  const names: string[] = [];
  for (const name of BROUGHT) {
    const element = await mount(new HeadscopeBroughtMatrix(), {
      name,
      symbol: name,
      rows: brought[name] ?? [[1]],
    });
    names.push(...savedBy(element.renderRoot));
  }
  expect(names).toEqual(
    ["x", "w_query", "w_key", "w_value", "w_output", "mask"].map(
      (name) => `headscope_workbench_${name}.csv`,
    ),
  );
  const worked = await mount(new HeadscopeWorkedMatrices(), { brought, worked: WORKED_TWO });
  const [first, second] = [
    savedBy(worked.renderRoot),
    ((worked.head = 1), await worked.updateComplete, savedBy(worked.renderRoot)),
  ];
  expect(first).toContain("headscope_workbench_weights_head-1.csv");
  expect(second).toContain("headscope_workbench_weights_head-2.csv");
  // What all heads share has no head in its name.
  const shared = first.filter((name) => second.includes(name));
  expect(shared).toEqual([
    "headscope_workbench_joined.csv",
    ...(brought.output ? ["headscope_workbench_output.csv"] : []),
  ]);
  expect(new Set([...names, ...first, ...second]).size).toBe(
    names.length + first.length + second.length - shared.length,
  );
  worked.worked = workedOut({ ...asked(brought), nHeads: 1 });
  worked.head = 0;
  await worked.updateComplete;
  expect(savedBy(worked.renderRoot)).toContain("headscope_workbench_weights.csv");
});
