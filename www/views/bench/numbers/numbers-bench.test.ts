// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { WorkbenchAsked } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { npy } from "../../../export/number-files.js";
import { loadSentences } from "../../../i18n/index.js";
import {
  maskOf,
  NUMBER_PRESETS,
  sized,
  TUTORIAL,
  type BroughtNumbers,
} from "../../../state/index.js";
import type { HeadscopeDemo } from "../../demos/kit.js";
import { provide, sessionWith } from "../../testing/session.js";
import type { HeadscopeBroughtMatrix } from "./brought-matrix.js";
import { HeadscopeNumbersBench } from "./numbers-bench.js";
import { asked, fakeLab } from "./testing/worked.js";

const saved: string[] = [];
vi.mock("./files.js", async (original) => ({
  ...(await original<object>()),
  saveMatrix: (name: string) => Promise.resolve(void saved.push(name)),
}));
const questions: WorkbenchAsked[] = [];
vi.mock("../../../headscope.js", async (original) => ({
  ...(await original<object>()),
  theLab: () => fakeLab(questions)(),
}));

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

/** The bench on a page that does what it asks for. */
async function bench(numbers: BroughtNumbers | null = null): Promise<{
  element: HeadscopeNumbersBench;
  settle: () => Promise<void>;
}> {
  questions.length = 0;
  const session = sessionWith({ numbers });
  provide(session);
  const element = await mount(new HeadscopeNumbersBench(), { numbers });
  element.addEventListener("headscope-patch", ({ detail }) => {
    session.store.update(detail);
    if (detail.numbers !== undefined) element.numbers = detail.numbers;
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await element.updateComplete;
    }
  };
  await settle();
  return { element, settle };
}

const matrix = (element: HeadscopeNumbersBench, name: string): HeadscopeBroughtMatrix => {
  const found = element.renderRoot.querySelector<HeadscopeBroughtMatrix>(
    `headscope-brought-matrix[name=${name}]`,
  );
  if (!found) throw new Error(`no ${name}`);
  return found;
};

async function choose(element: HeadscopeNumbersBench, index: number, value: string): Promise<void> {
  const select = element.renderRoot.querySelectorAll("select")[index];
  if (!select) throw new Error("no select");
  select.value = value;
  select.dispatchEvent(new Event("change"));
  await element.updateComplete;
}

const demo = (element: HeadscopeNumbersBench, name: string): HeadscopeDemo => {
  const found = element.renderRoot.querySelector<HeadscopeDemo>(`headscope-demo[name=${name}]`);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

const problem = (element: HeadscopeNumbersBench): string =>
  element.renderRoot.querySelector(".problem")?.textContent.trim() ?? "";

describe("<headscope-numbers-bench>", () => {
  it("asks anew with what was chosen: preset, mask, heads, divisor, output", async () => {
    const { element, settle } = await bench();
    await choose(element, 0, "heads");
    await settle();
    expect(questions.at(-1)).toEqual(asked(NUMBER_PRESETS.heads));
    await choose(element, 2, "causal");
    await choose(element, 1, "4");
    element.renderRoot
      .querySelector("headscope-choice")
      ?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "one" }));
    await element.updateComplete;
    element.renderRoot.querySelector<HTMLButtonElement>(".toggle")?.click();
    await settle();
    expect(questions.at(-1)).toEqual({
      ...asked(NUMBER_PRESETS.heads),
      mask: maskOf("causal", 4),
      nHeads: 4,
      divisor: 1,
      output: null,
    });
    await choose(element, 0, "tutorial");
    expect(element.numbers).toBeNull();
  });

  it("knows a preset again that comes from a link", async () => {
    const { element } = await bench(structuredClone(NUMBER_PRESETS.twins));
    const preset = (): string | undefined =>
      element.renderRoot.querySelector("select")?.querySelector<HTMLOptionElement>("option:checked")
        ?.value ?? element.renderRoot.querySelector("select")?.value;
    expect(preset()).toBe("twins");
    element.numbers = { ...NUMBER_PRESETS.twins, divisor: 3 };
    await element.updateComplete;
    expect(preset()).toBe("");
  });

  it("draws what is too large for cells of the page as pictures, whose parts can be enlarged and whose numbers are told", async () => {
    const words = Array.from({ length: 40 }, (_, at) => `w${at}`);
    const numbers: BroughtNumbers = {
      ...TUTORIAL,
      words,
      x: sized(40, 3, (row, column) => row - column),
      mask: maskOf("causal", 40),
    };
    const { element } = await bench(numbers);
    const worked = demo(element, "worked");
    const grids = [...worked.renderRoot.querySelectorAll("headscope-worked-grid")];
    await Promise.all(grids.map((grid) => grid.updateComplete));
    expect([
      grids.length,
      ...grids.map((grid) => grid.renderRoot.querySelectorAll("td").length),
    ]).toEqual([8, 0, 0, 0, 0, 0, 0, 0, 0]);
    const scores = grids[3]?.renderRoot.querySelector("headscope-numbers");
    expect([scores?.tensor?.shape, scores?.columnNames[39]]).toEqual([[40, 40], "w39"]);
    scores?.dispatchEvent(
      new CustomEvent("headscope-cell-hover", {
        detail: { query: 1, key: 2 },
        bubbles: true,
        composed: true,
      }),
    );
    await worked.updateComplete;
    expect(worked.renderRoot.querySelector(".made")?.textContent.trim()).not.toBe("");
    const x = matrix(element, "x").renderRoot.querySelector("headscope-numbers");
    const region = { rows: [2, 9], columns: [0, 2] };
    for (const picture of [scores, x]) {
      picture?.dispatchEvent(
        new CustomEvent("headscope-region-change", {
          detail: region,
          bubbles: true,
          composed: true,
        }),
      );
      expect(picture?.region).toBe(region);
    }
  });

  it("changes a size in every matrix that has it", async () => {
    const { element, settle } = await bench();
    matrix(element, "x").dispatchEvent(
      new CustomEvent("headscope-brought", { detail: { kind: "size", axis: "columns", to: 4 } }),
    );
    await settle();
    expect([
      element.numbers?.x[0]?.length,
      element.numbers?.query.length,
      element.numbers?.value.length,
    ]).toEqual([4, 4, 4]);
    expect(problem(element)).toBe("");
  });

  it("says with both shapes what does not go with the rest, and asks nothing", async () => {
    const { element, settle } = await bench();
    matrix(element, "query").dispatchEvent(
      new CustomEvent("headscope-brought", {
        detail: {
          kind: "rows",
          rows: [
            [1, 2],
            [3, 4],
          ],
          words: null,
        },
      }),
    );
    await settle();
    expect(problem(element)).toBe(
      "W_Q is 2 × 2, but needs 3 rows to go with the others. numbers/misfit",
    );
    expect(questions).toHaveLength(1);
    expect(element.renderRoot.querySelector("headscope-demo[name=worked]")).toBeNull();
  });

  it("reads files, and says why one cannot be used", async () => {
    const { element, settle } = await bench();
    const open = async (name: string, text: string | Uint8Array<ArrayBuffer>): Promise<void> => {
      matrix(element, "x").dispatchEvent(
        new CustomEvent("headscope-brought", {
          detail: { kind: "file", file: new File([text], name) },
        }),
      );
      await settle();
    };
    await open("words.csv", "word,a,b,c\nthe,1,2,3\ndog,4,5,6\ncat,7,8,9\nsat,1,1,1");
    expect(element.numbers).toMatchObject({
      words: ["the", "dog", "cat", "sat"],
      x: [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
        [1, 1, 1],
      ],
    });
    await open("x.npy", "not at all");
    expect(problem(element)).toBe("x.npy: This is no .npy file. numbers/not-numpy");
    await open("x.csv", "1,-inf,0\n0,0,0");
    expect(problem(element)).toBe(
      "x.csv: “−∞” is no number that can be used here. numbers/not-a-number",
    );
    await open("x.csv", "NaN,NaN,NaN\n1,2,3\n4,5,6");
    expect(problem(element)).toBe(
      "x.csv: “NaN” is no number that can be used here. numbers/not-a-number",
    );
    await open("x.npy", npy({ data: Float64Array.of(1, Infinity), shape: [1, 2] }));
    expect(problem(element)).toBe(
      "x.npy: “∞” is no number that can be used here. numbers/not-a-number",
    );
    await open("x.csv", "1,2\n".repeat(300));
    expect(problem(element)).toBe(
      "x.csv: This is too large (300 × 2): a matrix has at most 256 rows and columns here. numbers/too-large",
    );
    await open("x.npz", "PK\u0003\u0004");
    expect(problem(element)).toBe(
      "x.npz: This is a zip archive, as .npz and .xlsx files are. Unpack an .npz and open one .npy out of it, or save a table as CSV. numbers/archive",
    );
    await open("x.csv", "1,000\t2\n3\t4");
    expect(problem(element)).toBe(
      "x.csv: “1,000” may mean 1000 or 1.000. Write one of these, without a comma. numbers/ambiguous",
    );
    expect(element.numbers?.words).toEqual(["the", "dog", "cat", "sat"]);
  });

  it("says where results leave f64 and what to do, and asks no laboratory about them", async () => {
    const large: BroughtNumbers = {
      words: ["a", "b"],
      x: [[1e200], [-1e200]],
      query: [[1e200]],
      key: [[1e200]],
      value: [[1]],
      output: null,
      mask: [
        [0, 0],
        [0, 0],
      ],
      heads: 1,
      divisor: "root",
    };
    const { element, settle } = await bench(large);
    const told = (): string =>
      demo(element, "overflow").renderRoot.textContent.replace(/\s+/g, " ").trim();
    expect(problem(element)).toBe(
      "Numbers grew beyond what double precision (f64) holds, ±1.8e308: first in Q, row 1, column 1. What is computed from there is ∞ or NaN. Make the numbers smaller. numbers/overflow",
    );
    expect(told()).toBe(
      "Softmax without subtracting the maximum The scores of this head are ∞ or NaN before any softmax, so there is nothing to multiply. Make the numbers above smaller.",
    );
    element.numbers = { ...large, x: [[1], [-1]], query: [[1]], key: [[1]], divisor: 1e-320 };
    await settle();
    expect(problem(element)).toMatch(
      /first in S, row 1, column 1\. .* Divide the scores by a larger number\. numbers\/overflow$/,
    );
    // What a mask forbids is −∞ on purpose; what is added up to −∞ is not.
    element.numbers = { ...TUTORIAL, mask: maskOf("causal", 4) };
    await settle();
    expect(problem(element)).toBe("");
    expect(told()).toContain("is out of order");
    element.numbers = {
      ...large,
      x: [[-1], [1]],
      query: [[1e308]],
      key: [[1]],
      divisor: 1,
      mask: [
        [0, -1.7e308],
        [0, 0],
      ],
    };
    await settle();
    expect(problem(element)).toContain("first in S + M, row 1, column 2.");
    // The second head's own, by its number.
    element.numbers = {
      ...NUMBER_PRESETS.heads,
      query: NUMBER_PRESETS.heads.query.map((row) =>
        row.map((cell, column) =>
          column === row.length - 1 ? 1e308 * Math.sign(cell || 1) : cell,
        ),
      ),
    };
    await settle();
    expect(problem(element)).toMatch(/first in (Q|QKᵀ) of head 2, row \d, column \d\./);
    expect(told()).toContain("is out of order");
  });

  it("divides by no number whose comma may mean two things", async () => {
    const { element, settle } = await bench({ ...TUTORIAL, divisor: 3 });
    const divide = async (typed: string): Promise<string> => {
      const field = element.renderRoot.querySelector<HTMLInputElement>("input.divisor");
      if (!field) throw new Error("no divisor");
      field.value = typed;
      field.dispatchEvent(new Event("change"));
      await settle();
      return element.renderRoot.textContent;
    };
    expect(await divide("1,000")).toContain("“1,000” may mean 1000 or 1.000.");
    expect(element.numbers?.divisor).toBe(3);
    await divide("1,5");
    expect(element.numbers?.divisor).toBe(1.5);
  });

  it("names the files of matrices apart, and those of heads", async () => {
    const { element, settle } = await bench(NUMBER_PRESETS.heads);
    const press = (): void => {
      for (const button of demo(element, "worked").renderRoot.querySelectorAll("button"))
        if (button.textContent === "CSV") button.click();
    };
    press();
    demo(element, "worked").dispatchEvent(
      new CustomEvent("headscope-workbench-head", { detail: 1, bubbles: true }),
    );
    await settle();
    press();
    expect([saved.length, new Set(saved).size]).toEqual([20, 18]);
    expect(saved).toContain("weights_head-2");
  });
});
