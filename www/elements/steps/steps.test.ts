// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type {
  Explanation,
  PositionOrigins,
  Step,
  StepPlace,
  StepTensor,
} from "../../data/index.js";
import { recorder, testInks } from "../../draw/testing/recorder.js";
import { loadLanguage, setLanguage } from "../../i18n/index.js";
import {
  eventsOf,
  matrixOf,
  mount,
  nameOf,
  press,
  put,
  rowsOf,
  spoken,
  stubCanvas,
  tokensOf,
} from "../testing/mount.js";
import { HeadscopeSteps } from "./element.js";
import { HeadscopeSum } from "./explanation.js";
import { HeadscopeStrip, layoutSteps, stepCellAt } from "./strip.js";

const step = (name: StepTensor["step"], columns: number, ...values: number[]): StepTensor => ({
  step: name,
  tensor: matrixOf(columns, values, ["position", "model_dim"]),
});
const HEAD = { stack: "encoder", layer: 0, head: 1 } as const;
const PAIR = { queries: tokensOf("le", "chat"), keys: tokensOf("le", "chat") };
const STEPS = [
  step("input", 4, 1, 2, 3, 4, 5, 6, 7, 8),
  step("query", 4, 1, 0, -1, 2, 3, 4, 5, 6),
  step("weights", 2, 0.25, 0.75, 1, 0),
];

const strip = (more: Partial<HeadscopeStrip> = {}): Promise<HeadscopeStrip> =>
  mount(new HeadscopeStrip(), { steps: STEPS, head: HEAD, heads: 2, ...PAIR, ...more });
const printed = (element: HeadscopeStrip): string[] => {
  const { brush, done } = recorder();
  element.print(testInks)?.paint(brush);
  return done("fillText").map(({ args }) => String(args[0]));
};

beforeAll(stubCanvas);
afterEach(() => document.body.replaceChildren());

describe("<headscope-strip>", () => {
  it("is named after what it shows and speaks the number that is held, in either language", async () => {
    const element = await strip({ held: { step: "weights", row: 0, column: 1 } });
    expect(nameOf(element)).toBe("Steps of the block: 3 matrices of 2 tokens, head 2 of 2");
    expect(spoken(element)).toBe("A: le looks at chat: 0.750");
    await loadLanguage("zh-CN");
    setLanguage("zh-CN");
    await element.updateComplete;
    expect(spoken(element)).toMatch(/：0\.750$/);
    setLanguage("en");
  });

  it("walks inside a step and from step to step, where the head's band is entered; traces by T and back by Escape", async () => {
    const element = await strip({ held: { step: "input", row: 1, column: 1 } });
    const [held, traces, backs] = [
      eventsOf(element, "headscope-number-hold"),
      eventsOf(element, "headscope-number-trace"),
      eventsOf(element, "headscope-number-back"),
    ];
    await press(element, "ArrowRight", "ArrowUp", ".", "t", "Escape");
    expect(held).toEqual([
      { step: "input", row: 1, column: 2 },
      { step: "input", row: 0, column: 1 },
      { step: "query", row: 1, column: 3 },
    ]);
    expect([traces.length, backs.length]).toEqual([1, 1]);
  });

  it("gives heads that share keys one band, and enters it from each of them", async () => {
    const element = await strip({
      steps: [
        step("query", 8, ...Array<number>(16).fill(1)),
        step("key", 4, ...Array<number>(8).fill(1)),
        step("key-rotated", 4, ...Array<number>(8).fill(1)),
      ],
      head: { ...HEAD, head: 3 },
      heads: 4,
      held: { step: "query", row: 0, column: 7 },
    });
    const held = eventsOf(element, "headscope-number-hold");
    await press(element, ".");
    expect(held).toEqual([{ step: "key", row: 0, column: 3 }]);
    expect(printed(element).filter((text) => text === "3–4")).toHaveLength(2);
    expect(printed(element)).toEqual(expect.arrayContaining(["RK", "R", "4", "1–2"]));
  });

  it.each([
    [2, "E + P + T", "token + position + type"],
    [0, "E + P", "token + position"],
  ])(
    "with %i types of token says what is added, on the page and in print",
    async (tokenTypes, sign, sentence) => {
      const steps = [step("embedded", 2, 1, 2, 3, 4)];
      const element = await strip({
        steps,
        tokenTypes,
        held: { step: "embedded", row: 0, column: 1 },
      });
      expect(spoken(element)).toBe(`${sign}: le, column 2: 2.000`);
      expect(printed(element)).toEqual(expect.arrayContaining([sign, sentence]));
    },
  );
});

describe("the layout of the strip", () => {
  const sized = (name: Step, rows: number, columns: number): StepTensor => ({
    step: name,
    tensor: { data: new Float32Array(), shape: [rows, columns], axes: [] },
  });
  const sizes = (rows: number): StepTensor[] => [
    sized("input", rows, 128),
    sized("key", rows, 128),
    sized("weights", rows, rows),
    sized("ff-hidden", rows, 3072),
  ];

  it.each([1, 512])("places %i tokens side by side and finds every corner again", (rows) => {
    const layout = layoutSteps(sizes(rows), 96, false);
    for (const { step: name, plot, columns, room } of layout.boxes) {
      const { x, y, width, height } = plot;
      expect(room).toBeGreaterThan(width);
      expect(stepCellAt(layout, x, y)).toEqual({ step: name, row: 0, column: 0 });
      const last = { step: name, row: rows - 1, column: columns - 1 };
      expect(stepCellAt(layout, x + width - 0.01, y + height - 0.01)).toEqual(last);
      expect(y + height).toBeLessThanOrEqual(layout.height);
      expect(x + width).toBeLessThanOrEqual(layout.width);
    }
    expect(stepCellAt(layout, 0, 0)).toBeNull();
  });
});

type Line = Explanation["lines"][number];
const PLACE: StepPlace = { ...HEAD, step: "query", row: 1, column: 2 };
/** A line whose numbers stand in the second row of a step. */
const line = (
  name: StepTensor["step"],
  column: number,
  along: "columns" | "cell",
  ...values: number[]
): Line => ({
  source: { kind: "step", ...HEAD, step: name, row: 1, column, along },
  values: Float32Array.from(values),
});
const learnt = (source: Line["source"], value: number): Line => ({
  source,
  values: Float32Array.of(value),
});
const PRODUCT: Explanation = {
  operation: { kind: "product", factor: 1, bias: 0.5 },
  lines: [
    line("input", 0, "columns", 1, 2, 3, 4, 5, 6, 7),
    {
      source: { kind: "weight", weight: "query", column: 2 },
      values: Float32Array.of(1, -4, 0.5, 0, 0, 0, 0.25),
    },
  ],
  value: -3.25,
};
const TOKEN = learnt({ kind: "token", id: 1, column: 2 }, 0.5);
const POSITION = learnt({ kind: "position", position: 1, column: 2 }, 0.25);
const embedding = (scale: number, ...lines: Line[]): Explanation => ({
  operation: { kind: "embedding", scale },
  lines,
  value: 1,
});
const sum = (more: Partial<HeadscopeSum> = {}): Promise<HeadscopeSum> =>
  mount(new HeadscopeSum(), { place: PLACE, explanation: PRODUCT, ...PAIR, ...more });
const terms = (element: HeadscopeSum): string[] => rowsOf(element).map((row) => row.join(" | "));
const formula = ({ renderRoot }: HeadscopeSum): string =>
  renderRoot.querySelector("math")?.textContent.replaceAll(/\s/g, "") ?? "";
const click = ({ renderRoot }: HeadscopeSum, button: string): void =>
  renderRoot.querySelectorAll<HTMLElement>(button).forEach((one) => one.click());

describe("<headscope-sum>", () => {
  it("lists the largest terms, what the others add up to, and the numbers beside them; leads to what made it for the most part", async () => {
    const element = await sum();
    const followed = eventsOf(element, "headscope-number-follow");
    expect(terms(element)).toEqual([
      "X: chat, column 2 × W_Q[2, 3] | 2.000 | −4.000 | −8.000",
      "X: chat, column 7 × W_Q[7, 3] | 7.000 | 0.250 | 1.750",
      "X: chat, column 3 × W_Q[3, 3] | 3.000 | 0.500 | 1.500",
      "X: chat, column 1 × W_Q[1, 3] | 1.000 | 1.000 | 1.000",
      "X: chat, column 4 × W_Q[4, 3] | 4.000 | 0 | 0",
      "2 others together |  |  | 0",
      "bias |  |  | 0.500",
      "result |  |  | −3.250",
    ]);
    expect(formula(element)).toContain("+bQ");
    click(element, ".first");
    expect(followed).toEqual([{ ...HEAD, step: "input", row: 1, column: 1 }]);
    click(element, ".actions button:not(.first)");
    await element.updateComplete;
    expect(terms(element)).toHaveLength(9);
    await put(element, {
      explanation: { ...PRODUCT, operation: { kind: "product", factor: 1, bias: null } },
    });
    expect(formula(element)).not.toContain("+");
  });

  it.each<[string, StepPlace["step"], Explanation, string[], string]>([
    [
      "a turned pair, the larger term first",
      "query-rotated",
      {
        operation: { kind: "rotation", cosine: 0.5, sine: -0.25 },
        lines: [line("query", 0, "cell", 1), line("query", 2, "cell", 4)],
        value: -0.5,
      },
      [
        "Q: chat, column 3 | 4.000 | −0.250 | −1.000",
        "Q: chat, column 1 | 1.000 | 0.500 | 0.500",
        "result |  |  | −0.500",
      ],
      "cos",
    ],
    [
      "a norm by the mean square",
      "entered",
      {
        operation: { kind: "rmsNorm", meanSquare: 4, epsilon: 0, gain: 3, term: 2 },
        lines: [line("input", 0, "columns", 1, 2, -2, 3)],
        value: -3,
      },
      [
        "x | −2.000",
        "mean of the row’s squares | 4.000",
        "ε | 0",
        "gain γ | 3.000",
        "result | −3.000",
      ],
      "γ",
    ],
    [
      "a weight that an edit gives",
      "weights",
      {
        operation: { kind: "given", pattern: "drawn", total: 4, term: 1 },
        lines: [{ source: { kind: "pattern" }, values: Float32Array.of(1, 3) }],
        value: 0.75,
      },
      ["drawn, by an edit | 3.000", "sum over the row | 4.000", "result | 0.750"],
      "p",
    ],
    [
      "an embedding with a factor",
      "input",
      { ...embedding(2, TOKEN, POSITION), value: 1.25 },
      [
        "token “chat” | 0.500 | 2.000 | 1.000",
        "position 2 | 0.250 |  | 0.250",
        "result |  |  | 1.250",
      ],
      "sE[id]+P[p]",
    ],
  ])("explains %s", async (_, name, explanation, expected, sign) => {
    const element = await sum({ explanation, place: { ...PLACE, step: name } });
    expect(terms(element)).toEqual(expected);
    expect(formula(element)).toContain(sign);
  });

  it("says where a trace ends: at learnt numbers, at waves or at a drawn table", async () => {
    const origins: PositionOrigins = { encoder: "wave", decoder: "drawn" };
    const end = async (stack: "encoder" | "decoder", ...lines: Line[]): Promise<unknown> => {
      const place = { ...PLACE, stack, step: "input" as const };
      const element = await sum({ explanation: embedding(1, ...lines), origins, place });
      return element.renderRoot.querySelector(".note")?.textContent;
    };
    expect(await end("encoder", TOKEN, POSITION)).toContain("a fixed wave");
    expect(await end("decoder", TOKEN, POSITION)).toContain("drawn by a seed");
    expect(await end("encoder", TOKEN)).toContain("these numbers were learnt");
  });
});

it("<headscope-steps> shows the strip and the sum of one number, says which one is held next, and remembers the way of a trace", async () => {
  const element = await mount(new HeadscopeSteps(), {
    steps: STEPS,
    head: HEAD,
    heads: 2,
    ...PAIR,
    held: PLACE,
    place: PLACE,
    explanation: PRODUCT,
  });
  const gone = eventsOf(element, "headscope-number-go");
  const [row, explained] = [
    element.renderRoot.querySelector("headscope-strip"),
    element.renderRoot.querySelector("headscope-sum"),
  ];
  if (!row || !explained) throw new Error("a part is missing");
  const trail = async (): Promise<string[]> => {
    await element.updateComplete;
    return explained.trail.map(({ words }) => words);
  };
  expect(nameOf(row)).toContain("3 matrices");
  expect(terms(explained).at(-1)).toBe("result |  |  | −3.250");
  await press(row, "ArrowUp", "Escape", "t");
  expect(gone).toEqual([
    { ...HEAD, step: "query", row: 0, column: 2 },
    null,
    { ...HEAD, step: "input", row: 1, column: 1 },
  ]);
  expect(await trail()).toEqual(["Q: chat, column 3"]);
  await press(row, "Escape");
  expect(gone.at(-1)).toMatchObject({ step: "query", row: 1, column: 2 });
  expect(await trail()).toEqual([]);
  await press(row, "t");
  expect(await trail()).toHaveLength(1);
  element.head = { ...HEAD, head: 0 };
  expect(await trail()).toEqual([]);
});
