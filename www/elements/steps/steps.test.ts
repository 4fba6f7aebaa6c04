// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Explanation, Step, StepPlace, StepTensor } from "../../data/index.js";
import { recorder, testInks } from "../../draw/testing/recorder.js";
import { all, eventsOf, matrixOf, mount, nameOf, press, put, rowsOf } from "../testing/mount.js";
import { spoken, stubCanvas, textsOf, tokensOf } from "../testing/mount.js";
import { HeadscopeSteps, HeadscopeSum } from "./element.js";
import { HeadscopeStrip, layoutSteps, stepCellAt } from "./strip.js";

const step = (name: Step, columns: number, ...values: number[]): StepTensor => ({
  step: name,
  tensor: matrixOf(columns, values, ["position", "model_dim"]),
});
const ones = (name: Step, columns: number): StepTensor =>
  step(name, columns, ...Array<number>(2 * columns).fill(1));
const HEAD = { stack: "encoder", layer: 0, head: 1 } as const;
const PAIR = { queries: tokensOf("le", "chat"), keys: tokensOf("le", "chat") };
const STEPS = [
  step("input", 4, 1, 2, 3, 4, 5, 6, 7, 8),
  step("query", 4, 1, 0, -1, 2, 3, 4, 5, 6),
  step("weights", 2, 0.25, 0.75, 1, 0),
];
const BLOCK = { steps: STEPS, head: HEAD, heads: 2, ...PAIR };

beforeAll(stubCanvas);
afterEach(() => document.body.replaceChildren());

describe("<headscope-strip>", () => {
  const strip = (more: Partial<HeadscopeStrip> = {}): Promise<HeadscopeStrip> =>
    mount(new HeadscopeStrip(), { ...BLOCK, ...more });

  it("is named after what it shows and speaks the locked number", async () => {
    const element = await strip({ held: { step: "weights", row: 0, column: 1 } });
    expect(nameOf(element)).toBe("Layer steps: 3 matrices, 2 tokens, head 2 of 2");
    expect(spoken(element)).toBe("A: query le, key chat: 0.750");
  });

  it("moves in a step and to the head's band of the next; traces by T and back by Escape", async () => {
    const element = await strip({ held: { step: "input", row: 1, column: 1 } });
    const locked = eventsOf(element, "headscope-number-hold");
    const traces = eventsOf(element, "headscope-number-trace");
    const backs = eventsOf(element, "headscope-number-back");
    await press(element, "ArrowRight", "ArrowUp", ".", "t", "Escape");
    expect(locked).toEqual([
      { step: "input", row: 1, column: 2 },
      { step: "input", row: 0, column: 1 },
      { step: "query", row: 1, column: 3 },
    ]);
    expect([traces.length, backs.length]).toEqual([1, 1]);
    expect(textsOf(element, "#help")[0]).toMatch(/T traces\.$/);
  });

  it("begins at its first number, and traces none where none is explained", async () => {
    const element = await strip({ plain: true });
    const locked = eventsOf(element, "headscope-number-hold");
    const traces = eventsOf(element, "headscope-number-trace");
    await press(element, "ArrowRight", "t");
    expect([locked, traces]).toEqual([[{ step: "input", row: 0, column: 1 }], []]);
    expect(textsOf(element, "#help")[0]).toMatch(/Enter pins\.$/);
  });

  it("is gone through by its buttons and its slider, as far as there are steps", async () => {
    const element = await strip({ held: { step: "input", row: 1, column: 1 } });
    const locked = eventsOf(element, "headscope-number-hold");
    const buttons = (): HTMLButtonElement[] =>
      all(element, ".transport button:not(.play)") as HTMLButtonElement[];
    const off = (): boolean[] => buttons().map(({ disabled }) => disabled);
    expect(off()).toEqual([true, false]);
    buttons()[1]?.click();
    expect(locked.at(-1)).toEqual({ step: "query", row: 1, column: 3 });
    const [slider] = all(element, "input[type=range]") as HTMLInputElement[];
    expect([slider?.value, slider?.max]).toEqual(["1", "3"]);
    Object.assign(slider ?? {}, { value: "3" });
    slider?.dispatchEvent(new Event("input"));
    expect(locked.at(-1)?.step).toBe("weights");
    await put(element, { held: { step: "weights", row: 0, column: 0 } });
    expect(off()).toEqual([false, true]);
    expect(slider?.value).toBe("3");
    buttons()[0]?.click();
    expect(locked.at(-1)?.step).toBe("query");
  });

  it("plays from step to step until it is stopped", async () => {
    vi.useFakeTimers();
    const element = await strip({ held: { step: "input", row: 0, column: 0 } });
    const play = (): HTMLElement => all(element, ".play")[0] ?? expect.fail("it does not play");
    const words = textsOf(element, ".play");
    expect(play().getAttribute("aria-pressed")).toBe("false");
    play().click();
    await element.updateComplete;
    expect(play().getAttribute("aria-pressed")).toBe("true");
    expect(textsOf(element, ".play")).not.toEqual(words);
    play().click();
    await element.updateComplete;
    expect([play().getAttribute("aria-pressed"), textsOf(element, ".play")]).toEqual([
      "false",
      words,
    ]);
    vi.useRealTimers();
  });

  it("gives heads that share keys one band", async () => {
    const element = await strip({
      steps: [ones("query", 8), ones("key", 4), ones("key-rotated", 4)],
      head: { ...HEAD, head: 3 },
      heads: 4,
      held: { step: "query", row: 0, column: 7 },
    });
    const locked = eventsOf(element, "headscope-number-hold");
    await press(element, ".");
    expect(locked).toEqual([{ step: "key", row: 0, column: 3 }]);
    const { brush, done } = recorder();
    element.print(testInks)?.paint(brush);
    const printed = done("fillText").map(({ args }) => args[0]);
    expect(printed.filter((text) => text === "3–4")).toHaveLength(2);
    expect(printed).toEqual(expect.arrayContaining(["RK", "R", "4", "1–2"]));
  });

  it.each([1, 512])(
    "layoutSteps places %i tokens side by side; stepCellAt finds every corner",
    (rows) => {
      const sized = (name: Step, columns: number): StepTensor => ({
        step: name,
        tensor: { data: new Float32Array(), shape: [rows, columns], axes: [] },
      });
      const steps = [sized("input", 128), sized("key", 128), sized("weights", rows)];
      const layout = layoutSteps([...steps, sized("ff-hidden", 3072)], 96, false);
      for (const { step: name, plot, columns, room } of layout.boxes) {
        const { x, y, width, height } = plot;
        expect(room).toBeGreaterThan(width);
        expect(stepCellAt(layout, { x, y })).toEqual({ step: name, row: 0, column: 0 });
        const last = { step: name, row: rows - 1, column: columns - 1 };
        expect(stepCellAt(layout, { x: x + width - 0.01, y: y + height - 0.01 })).toEqual(last);
        expect(y + height).toBeLessThanOrEqual(layout.height);
        expect(x + width).toBeLessThanOrEqual(layout.width);
      }
      expect(stepCellAt(layout, { x: 0, y: 0 })).toBeNull();
    },
  );
});

type Line = Explanation["lines"][number];
const PLACE: StepPlace = { ...HEAD, step: "query", row: 1, column: 2 };
const numbersOf = (source: Line["source"], ...values: number[]): Line => {
  return { source, values: Float32Array.from(values) };
};
/** Numbers in the second row of a step. */
const rowOf = (name: Step, column: number, along: "columns" | "cell", ...values: number[]): Line =>
  numbersOf({ kind: "step", ...HEAD, step: name, row: 1, column, along }, ...values);
const PRODUCT: Explanation = {
  operation: { kind: "product", factor: 1, bias: 0.5 },
  lines: [
    rowOf("input", 0, "columns", 1, 2, 3, 4, 5, 6, 7),
    numbersOf({ kind: "weight", weight: "query", column: 2 }, 1, -4, 0.5, 0, 0, 0, 0.25),
  ],
  value: -3.25,
};
const TOKEN = numbersOf({ kind: "token", id: 1, column: 2 }, 0.5);
const POSITION = numbersOf({ kind: "position", position: 1, column: 2 }, 0.25);
const embedding = (scale: number, value: number, ...lines: Line[]): Explanation => ({
  operation: { kind: "embedding", scale },
  lines,
  value,
});
const terms = (element: HeadscopeSum): string[] => rowsOf(element).map((row) => row.join(" | "));

describe("<headscope-sum>", () => {
  const sum = (more: Partial<HeadscopeSum> = {}): Promise<HeadscopeSum> =>
    mount(new HeadscopeSum(), { place: PLACE, explanation: PRODUCT, ...PAIR, ...more });
  const formula = (element: HeadscopeSum): string =>
    textsOf(element, "math").join("").replaceAll(/\s/g, "");

  it("lists the largest terms, the sum of the others, and the numbers beside them; leads to the largest", async () => {
    const element = await sum();
    const followed = eventsOf(element, "headscope-number-follow");
    expect(terms(element)).toEqual([
      "X: chat, column 2 × W_Q[2, 3] | 2.000 | −4.000 | −8.000",
      "X: chat, column 7 × W_Q[7, 3] | 7.000 | 0.250 | 1.750",
      "X: chat, column 3 × W_Q[3, 3] | 3.000 | 0.500 | 1.500",
      "X: chat, column 1 × W_Q[1, 3] | 1.000 | 1.000 | 1.000",
      "X: chat, column 4 × W_Q[4, 3] | 4.000 | 0 | 0",
      "2 others, sum |  |  | 0",
      "bias |  |  | 0.500",
      "result |  |  | −3.250",
    ]);
    expect(formula(element)).toContain("+bQ");
    all(element, ".first")[0]?.click();
    expect(followed).toEqual([{ ...HEAD, step: "input", row: 1, column: 1 }]);
    all(element, ".actions button")[0]?.click();
    await element.updateComplete;
    expect(terms(element)).toHaveLength(9);
    const operation = { kind: "product", factor: 1, bias: null } as const;
    await put(element, { explanation: { ...PRODUCT, operation } });
    expect(formula(element)).not.toContain("+");
  });

  it.each<[Step, string, string[], Explanation]>([
    [
      "query-rotated",
      "cos",
      ["Q: chat, column 3 | 4.000 | −0.250 | −1.000", "Q: chat, column 1 | 1.000 | 0.500 | 0.500"],
      {
        operation: { kind: "rotation", cosine: 0.5, sine: -0.25 },
        lines: [rowOf("query", 0, "cell", 1), rowOf("query", 2, "cell", 4)],
        value: -0.5,
      },
    ],
    [
      "entered",
      "γ",
      ["x | −2.000", "mean square of the row | 4.000", "ε | 0", "gain γ | 3.000"],
      {
        operation: { kind: "rmsNorm", meanSquare: 4, epsilon: 0, gain: 3, term: 2 },
        lines: [rowOf("input", 0, "columns", 1, 2, -2, 3)],
        value: -3,
      },
    ],
    [
      "scores",
      "q·k/",
      [
        "raw scores | 4.000",
        "scale | 0.500",
        "content–position | 1.000",
        "position–content | −0.250",
      ],
      {
        operation: {
          kind: "scale",
          factor: 0.5,
          bias: 0.75,
          terms: [
            ["contentPosition", 1],
            ["positionContent", -0.25],
          ],
        },
        lines: [rowOf("raw", 2, "cell", 4)],
        value: 2.75,
      },
    ],
    [
      "weights",
      "p",
      ["hand-drawn, by an edit | 3.000", "row sum | 4.000"],
      {
        operation: { kind: "given", pattern: "drawn", total: 4, term: 1 },
        lines: [numbersOf({ kind: "pattern" }, 1, 3)],
        value: 0.75,
      },
    ],
    [
      "input",
      "sE[id]+P[p]",
      ["token “chat” | 0.500 | 2.000 | 1.000", "position 2 | 0.250 |  | 0.250"],
      embedding(2, 1.25, TOKEN, POSITION),
    ],
  ])("explains a number of %s by a formula with %s", async (name, sign, expected, explanation) => {
    const element = await sum({ explanation, place: { ...PLACE, step: name } });
    expect(terms(element).slice(0, -1)).toEqual(expected);
    expect(formula(element)).toContain(sign);
  });

  const RAW = rowOf("raw", 2, "cell", 4);
  it.each<[Explanation["operation"], lines: Line[], string[]]>([
    [
      { kind: "scale", factor: 0.5, bias: 0.75 },
      [RAW],
      ["raw scores | 4.000", "scale | 0.500", "relative positions | 0.750"],
    ],
    [
      { kind: "shared", factor: 0.5, keys: 3 },
      [RAW],
      ["raw scores | 4.000", "scale | 0.500", "− ln 3 | −1.099"],
    ],
    [
      { kind: "softCap", factor: 0.5, cap: 30 },
      [RAW],
      ["raw scores | 4.000", "scale | 0.500", "Soft cap | 30.000"],
    ],
    [{ kind: "logarithm", of: null }, [RAW], ["raw scores | 4.000"]],
    [{ kind: "logarithm", of: 0.25 }, [RAW], ["raw scores | 0.250"]],
    [
      { kind: "mask", added: -1e9 },
      [rowOf("scores", 2, "cell", 4)],
      ["scaled scores | 4.000", "mask | −1,000,000,000.000"],
    ],
    [
      { kind: "softmax", largest: 2, total: 5, kept: 1.25, term: 1 },
      [rowOf("masked", 0, "columns", 1, 2)],
      ["row sum | 5.000", "dropout factor | 1.250"],
    ],
    [
      { kind: "norm", mean: 0.5, variance: 2, epsilon: 1e-5, gain: 3, bias: -1, term: 1 },
      [rowOf("sum", 0, "columns", 1, 4)],
      [
        "x | 4.000",
        "row mean | 0.500",
        "row variance | 2.000",
        "ε | 1.0 × 10⁻⁵",
        "gain γ | 3.000",
        "bias β | −1.000",
      ],
    ],
    [
      { kind: "activation", function: "gelu" },
      [rowOf("ff-hidden", 0, "cell", 2)],
      ["gelu of | 2.000"],
    ],
    [{ kind: "same" }, [rowOf("value", 0, "cell", 2)], ["Same value as in another layer | 2.000"]],
    [
      { kind: "nearby" },
      [rowOf("value", 0, "cell", 2)],
      ["Value of a token nearby; 0 where there is none | 2.000"],
    ],
    [{ kind: "nearby" }, [], ["Value of a token nearby; 0 where there is none | 0"]],
    [{ kind: "patched" }, [], ["Number of a patch, in place of the computed one | 7.000"]],
  ])("names the numbers of %j", async (operation, lines, expected) => {
    const element = await sum({ explanation: { operation, lines, value: 7 } });
    expect(
      terms(element)
        .map((row) => row.replaceAll(/( \|){2,}/g, " |"))
        .slice(-1 - expected.length),
    ).toEqual([...expected, "result | 7.000"]);
  });

  it.each([
    ["encoder", [TOKEN, POSITION], "fixed sinusoidal position"],
    ["decoder", [TOKEN, POSITION], "seeded random position"],
    ["encoder", [TOKEN], "learned parameters"],
  ] as const)("tells where a trace in the %s ends", async (stack, lines, end) => {
    const element = await sum({
      explanation: embedding(1, 1, ...lines),
      origins: { encoder: "wave", decoder: "drawn" },
      place: { ...PLACE, stack, step: "input" },
    });
    expect(textsOf(element, ".note")[0]).toContain(end);
  });
});

it("<headscope-steps> shows the strip and the sum of one number, and keeps the trail of a trace", async () => {
  const given = { ...BLOCK, held: PLACE, place: PLACE, explanation: PRODUCT };
  const element = await mount(new HeadscopeSteps(), given);
  const gone = eventsOf(element, "headscope-number-go");
  const [strip, sum] = all(element, ":not(style)") as unknown as [HeadscopeStrip, HeadscopeSum];
  const trail = async (): Promise<string[]> => {
    await element.updateComplete;
    return sum.trail.map(({ words }) => words);
  };
  expect(nameOf(strip)).toContain("3 matrices");
  expect(terms(sum).at(-1)).toBe("result |  |  | −3.250");
  await press(strip, "ArrowUp", "Escape", "t");
  expect(gone).toEqual([
    { ...HEAD, step: "query", row: 0, column: 2 },
    null,
    { ...HEAD, step: "input", row: 1, column: 1 },
  ]);
  expect(await trail()).toEqual(["Q: chat, column 3"]);
  await press(strip, "Escape");
  expect(gone.at(-1)).toMatchObject({ step: "query", row: 1, column: 2 });
  expect(await trail()).toEqual([]);
  await press(strip, "t");
  expect(await trail()).toHaveLength(1);
  element.head = { ...HEAD, head: 0 };
  expect(await trail()).toEqual([]);
});
