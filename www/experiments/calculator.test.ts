// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../tests/support/fake-model.js";
import { textOf } from "../elements/testing/mount.js";
import type { CalculationAsked } from "../data/index.js";
import { loadSentences, message } from "../i18n/index.js";
import { sized, type MatrixInputs } from "../state/index.js";
import { maskOf, NUMBER_PRESETS, TUTORIAL } from "../state/matrix-changes.js";
import type { HeadscopeDemo } from "./demos/demo-element.js";
import type { Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import type { HeadFigures } from "../session/run/head.js";
import { questionOf } from "./calculator/arithmetic.js";
import type { HeadscopeNumberGrid } from "./calculator/number-grid.js";
import { HeadscopeCalculator } from "./calculator.js";
import type { ReadHead } from "./calculator/model-head.js";
import { fakeDemoCore, matrix, workedOut } from "./calculator/testing/worked.js";

const questions: CalculationAsked[] = [];
vi.mock("../headscope.js", async (original) => ({
  ...(await original<object>()),
  demoCore: () => fakeDemoCore(questions)(),
}));

const readHeadInputs = vi.hoisted(() => vi.fn());
vi.mock("./calculator/model-head.js", async (original) => ({
  ...(await original<object>()),
  readHeadInputs,
}));

beforeAll(() => loadSentences("experiments"));
afterEach(() => document.body.replaceChildren());

let element: HeadscopeCalculator;
let session: Session;

async function experiment(
  numbers: MatrixInputs | null = null,
  known: Partial<Record<keyof Session, unknown>> = {},
): Promise<void> {
  questions.length = 0;
  session = sessionWith({ numbers }, known);
  element = await show(new HeadscopeCalculator(), session);
  await settle();
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
  }
}

async function put(numbers: MatrixInputs): Promise<void> {
  session.store.update({ numbers });
  await settle();
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As querySelector has it.
function found<Found extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = element.renderRoot,
): Found {
  return root.querySelector<Found>(selector) ?? expect.fail(`no ${selector}`);
}

async function choose(index: number, value: string): Promise<void> {
  const select = found<HTMLSelectElement>(`label:nth-of-type(${index + 1}) select`);
  select.value = value;
  select.dispatchEvent(new Event("change"));
  await element.updateComplete;
}

/** Opens a file for X. */
async function open(name: string, text: string): Promise<void> {
  const input = found<HTMLInputElement>("#file-x");
  const files = [new File([text], name)];
  Object.defineProperty(input, "files", { value: files, configurable: true });
  input.dispatchEvent(new Event("change"));
  await settle();
}

const demo = (name: string): HeadscopeDemo => found(`headscope-demo[name=${name}]`);
const problem = (): string => textOf(found(".problem"));

describe("<headscope-calculator>", () => {
  it("asks anew with what was chosen: preset, mask, heads, divisor, output", async () => {
    await experiment();
    await choose(0, "heads");
    await settle();
    expect(questions.at(-1)).toEqual(questionOf(NUMBER_PRESETS.heads));
    await choose(2, "causal");
    await choose(1, "4");
    found("headscope-choice").dispatchEvent(new CustomEvent("headscope-choose", { detail: "one" }));
    await element.updateComplete;
    found(".toggle").click();
    await settle();
    const chosen = { mask: maskOf("causal", 4), nHeads: 4, divisor: 1, output: null };
    expect(questions.at(-1)).toEqual({ ...questionOf(NUMBER_PRESETS.heads), ...chosen });
    await choose(0, "tutorial");
    expect(session.state.numbers).toBeNull();
    // Of a preset that comes from a link, its name.
    await put(structuredClone(NUMBER_PRESETS.twins));
    expect(found<HTMLSelectElement>("select").value).toBe("twins");
    await put({ ...NUMBER_PRESETS.twins, divisor: 3 });
    expect(found<HTMLSelectElement>("select").value).toBe("");
  });

  it("has a grid for each matrix; that of the mask has a word on both sides and no numbers", async () => {
    await experiment({ ...TUTORIAL, mask: maskOf("causal", TUTORIAL.words.length) });
    const grids = [
      ...element.renderRoot.querySelectorAll<HeadscopeNumberGrid>("section[data-name]>*"),
    ].filter((one) => one.localName === "headscope-number-grid");
    const states = grids.map(({ edits, columnNames, parentElement }) => {
      return [parentElement?.dataset.name, edits, columnNames?.length ?? null].join(" ");
    });
    const count = TUTORIAL.words.length;
    expect(states).toContain("x numbers ");
    expect(states).toContain(`mask mask ${count}`);
    expect(states.filter((one) => one.includes("mask"))).toHaveLength(1);
  });

  it("draws what is too large for cells of the page as pictures, and reads their cells", async () => {
    await experiment({
      ...TUTORIAL,
      words: Array.from({ length: 40 }, (_, at) => `w${at}`),
      x: sized(40, 3, (row, column) => row - column),
      mask: maskOf("causal", 40),
    });
    const { renderRoot } = demo("worked");
    const grids = [...renderRoot.querySelectorAll<HeadscopeNumberGrid>("headscope-number-grid")];
    await Promise.all(grids.map((grid) => grid.updateComplete));
    expect(grids.every((grid) => !grid.renderRoot.querySelector("td"))).toBe(true);
    const scores = grids[3]?.renderRoot.querySelector("headscope-numbers");
    expect([scores?.tensor?.shape, scores?.columnNames[39]]).toEqual([[40, 40], "w39"]);
    const cell = { detail: { query: 1, key: 2 }, bubbles: true, composed: true };
    scores?.dispatchEvent(new CustomEvent("headscope-cell-hover", cell));
    await demo("worked").updateComplete;
    expect(found(".made", renderRoot).textContent).toContain("QKᵀ");
  });

  it("reads files, and says why one cannot be used", async () => {
    await experiment();
    await open("words.csv", "word,a,b,c\nthe,1,2,3\ndog,4,5,6\ncat,7,8,9\nsat,1,1,1");
    const read = {
      words: ["the", "dog", "cat", "sat"],
      x: matrix("1 2 3 / 4 5 6 / 7 8 9 / 1 1 1"),
    };
    expect(session.state.numbers).toMatchObject(read);
    for (const [name, text, words, code] of [
      ["x.csv", "1,-inf,0\n0,0,0", "“−∞” is not a number.", "not-a-number"],
      ["x.csv", "1,2\n".repeat(300), "Too large (300 × 2):", "too-large"],
      ["x.npz", "PK\u0003\u0004", "Zip archive (.npz, .xlsx).", "archive"],
      ["x.csv", "1,000\t2\n3\t4", "“1,000” is ambiguous: 1000 or 1.000?", "ambiguous"],
    ] as const) {
      await open(name, text);
      expect(problem().startsWith(`${name}: ${words}`) && problem()).toMatch(` numbers/${code}`);
    }
    expect(session.state.numbers).toMatchObject(read);
  });

  it("says where results leave f64 and what to do", async () => {
    const large: MatrixInputs = {
      words: ["a", "b"],
      x: [[1e200], [-1e200]],
      query: [[1e200]],
      key: [[1e200]],
      value: [[1]],
      output: null,
      mask: matrix("0 0 / 0 0"),
      heads: 1,
      divisor: "root",
    };
    const overflowText = (): string => demo("overflow").renderRoot.textContent;
    await experiment(large);
    expect(problem()).toBe(
      "Overflow of f64 (±1.8e308) in Q, row 1, column 1. Make the values smaller. Details numbers/overflow",
    );
    expect(overflowText()).toContain("are ∞ or NaN");
    const { query } = NUMBER_PRESETS.heads;
    const added: MatrixInputs = {
      ...large,
      x: [[-1], [1]],
      query: [[1e308]],
      key: [[1]],
      divisor: 1,
      mask: matrix("0 -1.7e308 / 0 0"),
    };
    const steep = query.map((row) => [...row.slice(0, -1), 1e308]);
    for (const [numbers, words] of [
      [
        { ...large, x: [[1], [-1]], query: [[1]], key: [[1]], divisor: 1e-320 },
        / in S, row 1, column 1\. Use a larger score divisor\. Details numbers\/overflow$/,
      ],
      // What a mask forbids is −∞ on purpose; what is added up to −∞ is not.
      [{ ...TUTORIAL, mask: maskOf("causal", 4) }, /^$/],
      [added, / in S \+ M, row 1, column 2\./],
      [{ ...NUMBER_PRESETS.heads, query: steep }, / in (Q|QKᵀ) of head 2, row \d, column \d\./],
    ] as const) {
      await put(numbers);
      expect(problem()).toMatch(words);
    }
    expect(overflowText()).not.toContain("are ∞ or NaN");
  });

  it("says what does not fit, and takes a score divisor above 0 alone", async () => {
    await experiment({ ...TUTORIAL, query: matrix("1 2 / 3 4") });
    expect(problem()).toMatch(/^W_Q is 2 × 2.*Details numbers\/misfit$/);
    expect(questions).toEqual([]);
    await put(TUTORIAL);
    found(".controls headscope-choice").dispatchEvent(
      new CustomEvent("headscope-choose", { detail: "own" }),
    );
    await settle();
    const type = async (text: string): Promise<void> => {
      const field = found<HTMLInputElement>("#divisor");
      field.value = text;
      field.dispatchEvent(new Event("change"));
      await settle();
    };
    const refused = (): string[] => [
      ...[...element.renderRoot.querySelectorAll(".refusal")].map((one) => textOf(one)),
    ];
    expect(session.state.numbers?.divisor).toBe(2);
    await type("0");
    expect(refused()[0]).toMatch(/Details numbers\/bad-divisor$/);
    await type("-1");
    await type("1,000");
    expect(refused()[0]).toMatch(/“1,000” is ambiguous/);
    expect(session.state.numbers?.divisor).toBe(2);
    await type("0.5");
    expect([refused(), session.state.numbers?.divisor]).toEqual([[], 0.5]);
  });

  it("says of the head it has read what its numbers are, and whether its weights are the model's", async () => {
    const head = { stack: "decoder", layer: 1, head: 2 } as const;
    const figures = { run: {}, head } as unknown as HeadFigures;
    const inputs = { ...TUTORIAL, divisor: 3 };
    const { heads } = workedOut(questionOf(inputs));
    const weights = heads[0]?.weights ?? expect.fail();
    const read: ReadHead = {
      head,
      inputs,
      weights,
      firstKey: 0,
      tokens: 4,
      biased: false,
      direct: null,
      width: 8,
    };
    const opened = async (more: Partial<ReadHead>): Promise<string> => {
      readHeadInputs.mockResolvedValueOnce({ ...read, ...more });
      await experiment(null, { computation: { model: new FakeModel() }, figures });
      expect(textOf(found("#read"))).toContain("Decoder 2.3");
      found("#read").click();
      await settle();
      return textOf(found(".model [role=status]"));
    };
    const same = await opened({});
    expect(same).toMatch(/^X: input .* The weights below are the model’s: max difference 0 /);
    const off = weights.map((row) => row.map((weight) => weight + 0.25));
    expect(await opened({ weights: off })).toMatch(
      / differ from the model’s: max difference 0\.25/,
    );
    expect(await opened({ direct: "wide" })).toMatch(/^The model width 8 is too large/);
    const more = await opened({ biased: true, firstKey: 1, tokens: 65, weights: [] });
    for (const key of ["bias", "crossed"] as const)
      expect(more).toContain(message(`numbers.used.${key}`));
    expect(more).toContain("of 65 tokens");
    await put({ ...TUTORIAL, divisor: 5 });
    expect(textOf(found(".model [role=status]"))).toBe("");
  });

  it("says why a head cannot be read, until another one is shown", async () => {
    const figures = (layer: number): HeadFigures =>
      ({ run: {}, head: { stack: "decoder", layer, head: 1 } }) as unknown as HeadFigures;
    const status = (): string => textOf(found(".model [role=status]"));
    readHeadInputs.mockResolvedValueOnce({ tooWide: 300 }).mockRejectedValueOnce(new Error("no"));
    const computation = { model: new FakeModel() };
    await experiment(null, { computation, figures: figures(0) });
    const refusals = [/needs 300 columns/, /^This head could not be loaded\..* unexpected$/];
    for (const words of refusals) {
      found("#read").click();
      await expect.poll(status).toMatch(words);
    }
    element.session = sessionWith({}, { computation, figures: figures(1) });
    await element.updateComplete;
    expect(status()).toBe("");
  });
});
