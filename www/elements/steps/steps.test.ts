// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type {
  Explanation,
  PositionOrigins,
  StepPlace,
  StepTensor,
  Token,
} from "../../data/index.js";
import { testInks, recorder } from "../../draw/testing/recorder.js";
import { loadLanguage, setLanguage } from "../../i18n/index.js";
import { heard, mount } from "../testing/mount.js";
import { HeadscopeSteps } from "./element.js";
import { HeadscopeSum } from "./explanation.js";
import { HeadscopeStrip } from "./matrix-row.js";

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: false, role: null }));
const step = (name: StepTensor["step"], columns: number, ...values: number[]): StepTensor => ({
  step: name,
  tensor: {
    data: Float32Array.from(values),
    shape: [values.length / columns, columns],
    axes: ["position", "model_dim"],
  },
});

const HEAD = { stack: "encoder", layer: 0, head: 1 } as const;
const STEPS = [
  step("input", 4, 1, 2, 3, 4, 5, 6, 7, 8),
  step("query", 4, 1, 0, -1, 2, 3, 4, 5, 6),
  step("weights", 2, 0.25, 0.75, 1, 0),
];

const strip = (more: Partial<HeadscopeStrip> = {}): Promise<HeadscopeStrip> =>
  mount(new HeadscopeStrip(), {
    steps: STEPS,
    head: HEAD,
    heads: 2,
    queries: tokens("le", "chat"),
    keys: tokens("le", "chat"),
    ...more,
  });

const stage = (element: HeadscopeStrip): Element | null =>
  element.renderRoot.querySelector(".stage");
const spoken = (element: HeadscopeStrip): string =>
  element.renderRoot.querySelector("[aria-live]")?.textContent.trim() ?? "";
const press = (element: HeadscopeStrip, key: string): void =>
  void stage(element)?.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
  );

beforeAll(() => {
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext(): null {
        return null;
      }
    },
  );
});
afterEach(() => document.body.replaceChildren());

describe("<headscope-strip>", () => {
  it("is named after what it shows and speaks the number that is held", async () => {
    const element = await strip({ held: { step: "weights", row: 0, column: 1 } });
    expect(stage(element)?.getAttribute("aria-label")).toBe(
      "Steps of the block: 3 matrices of 2 tokens, head 2 of 2",
    );
    expect(spoken(element)).toBe("A: le looks at chat: 0.750");
    await loadLanguage("zh-CN");
    setLanguage("zh-CN");
    await element.updateComplete;
    expect(spoken(element)).toMatch(/：0\.750$/);
    setLanguage("en");
  });

  it("walks inside a step and from step to step, where the head's band is entered", async () => {
    const element = await strip({ held: { step: "input", row: 1, column: 1 } });
    const held = heard(element, "headscope-number-hold");
    press(element, "ArrowRight");
    press(element, "ArrowUp");
    press(element, ".");
    expect(held).toEqual([
      { step: "input", row: 1, column: 2 },
      { step: "input", row: 0, column: 1 },
      { step: "query", row: 1, column: 3 },
    ]);
  });

  it("scrubs with the slider, and stops at both ends", async () => {
    const element = await strip({ held: { step: "weights", row: 1, column: 1 } });
    const held = heard(element, "headscope-number-hold");
    const slider = element.renderRoot.querySelector("input");
    if (slider) slider.value = "1";
    slider?.dispatchEvent(new Event("input"));
    press(element, ".");
    expect(held).toEqual([{ step: "input", row: 1, column: 1 }]);
    expect(slider?.getAttribute("aria-valuetext")).toBe("3 of 3: A · attention weights");
    expect(
      [...element.renderRoot.querySelectorAll<HTMLButtonElement>(".transport button")].at(-1)
        ?.disabled,
    ).toBe(true);
  });

  it("plays until the last step, and not at all for a reader who wants nothing to move", async () => {
    vi.useFakeTimers();
    const element = await strip({ held: { step: "query", row: 0, column: 2 } });
    const held = heard(element, "headscope-number-hold");
    element.renderRoot.querySelector<HTMLButtonElement>(".play")?.click();
    vi.advanceTimersByTime(1700);
    element.held = held.at(-1) ?? null;
    await element.updateComplete;
    vi.advanceTimersByTime(5000);
    vi.useRealTimers();
    expect(held).toEqual([{ step: "weights", row: 0, column: 1 }]);
    const still = vi.spyOn(window, "matchMedia").mockImplementation(
      (query) =>
        ({
          matches: query.includes("reduce"),
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
    const quiet = await strip();
    expect(quiet.renderRoot.querySelector(".play")).toBeNull();
    still.mockRestore();
  });

  it("asks for the trace by T and back by Escape", async () => {
    const element = await strip({ held: { step: "weights", row: 0, column: 1 } });
    const traces = heard(element, "headscope-number-trace");
    const backs = heard(element, "headscope-number-back");
    press(element, "t");
    press(element, "Escape");
    expect([traces.length, backs.length]).toEqual([1, 1]);
  });

  it("shows the matrix that is held as a table, and keeps to it while another is pointed at", async () => {
    const element = await strip({ held: { step: "weights", row: 0, column: 1 } });
    element.renderRoot.querySelector<HTMLButtonElement>(".foot button")?.click();
    await element.updateComplete;
    const table = (): string[] =>
      [...element.renderRoot.querySelectorAll("tr")].map((row) =>
        [...row.children].map(({ textContent }) => textContent.trim()).join(" | "),
      );
    const region = element.renderRoot.querySelector(".numbers");
    expect([
      region?.getAttribute("role"),
      region?.getAttribute("tabindex"),
      region?.getAttribute("aria-label"),
    ]).toEqual(["region", "0", "A · attention weights"]);
    expect(table()).toEqual([
      "query ↓ key → | le | chat",
      "le | 0.250 | 0.750",
      "chat | 1.000 | 0",
    ]);
    Reflect.set(element, "hovered", { step: "input", row: 0, column: 0 });
    await element.updateComplete;
    expect(table()[0]).toBe("query ↓ key → | le | chat");
    element.held = { step: "query", row: 1, column: 0 };
    await element.updateComplete;
    expect(table()).toEqual([
      "query ↓ dimension → | 1 | 2 | 3 | 4",
      "le | 1.000 | 0 | −1.000 | 2.000",
      "chat | 3.000 | 4.000 | 5.000 | 6.000",
    ]);
  });

  it("makes one row of a matrix that is too large for a table, the one that is held", async () => {
    const wide = step(
      "ff-hidden",
      3000,
      ...Array.from({ length: 6000 }, (_, index) => Math.floor(index / 3000)),
    );
    const element = await strip({ steps: [wide], held: { step: "ff-hidden", row: 1, column: 4 } });
    element.renderRoot.querySelector<HTMLButtonElement>(".foot button")?.click();
    await element.updateComplete;
    expect(element.renderRoot.querySelectorAll("td")).toHaveLength(3000);
    expect(element.renderRoot.querySelector(".numbers p")?.textContent).toBe(
      "The numbers of one row at a time: chat",
    );
  });

  it("prints the whole strip: every name, every shape, and the bands of the heads", async () => {
    const element = await strip();
    const { brush, done } = recorder();
    const print = element.print(testInks);
    print?.paint(brush);
    const texts = done("fillText").map(({ args }) => String(args[0]));
    expect(texts).toEqual(
      expect.arrayContaining([
        "X",
        "Q",
        "A",
        "2 × 4   ±8.000",
        "2 × 2   0 – 1.000",
        "softmax",
        "1",
        "2",
        "le",
        "chat",
      ]),
    );
    expect(print?.width).toBeGreaterThan(100);
  });

  it("gives heads that share keys one band, and enters it from each of them", async () => {
    const shared = [
      step("query", 8, ...Array<number>(16).fill(1)),
      step("key", 4, ...Array<number>(8).fill(1)),
      step("key-rotated", 4, ...Array<number>(8).fill(1)),
    ];
    const element = await strip({
      steps: shared,
      head: { ...HEAD, head: 3 },
      heads: 4,
      held: { step: "query", row: 0, column: 7 },
    });
    const held = heard(element, "headscope-number-hold");
    press(element, ".");
    expect(held).toEqual([{ step: "key", row: 0, column: 3 }]);
    const { brush, done } = recorder();
    element.print(testInks)?.paint(brush);
    const texts = done("fillText").map(({ args }) => String(args[0]));
    expect(texts.filter((text) => text === "3–4")).toHaveLength(2);
    expect(texts).toEqual(expect.arrayContaining(["RK", "R", "4", "1–2"]));
  });

  it("adds the type of a token to the sign of its sum where a model has types, on the page and in print", async () => {
    const steps = [step("embedded", 2, 1, 2, 3, 4)];
    const printed = (element: HeadscopeStrip): string[] => {
      const { brush, done } = recorder();
      element.print(testInks)?.paint(brush);
      return done("fillText").map(({ args }) => String(args[0]));
    };
    const typed = await strip({
      steps,
      tokenTypes: 2,
      held: { step: "embedded", row: 0, column: 1 },
    });
    expect(spoken(typed)).toBe("E + P + T: le, column 2: 2.000");
    expect(printed(typed)).toEqual(
      expect.arrayContaining(["E + P + T", "token + position + type"]),
    );
    const untyped = await strip({ steps, held: { step: "embedded", row: 0, column: 1 } });
    expect(spoken(untyped)).toBe("E + P: le, column 2: 2.000");
    expect(printed(untyped)).toEqual(expect.arrayContaining(["E + P", "token + position"]));
  });

  it("says that it reads while there is nothing", async () => {
    const element = await strip({ steps: [] });
    expect(element.renderRoot.textContent).toContain("Reading the steps of this block…");
    expect(element.print(testInks)).toBeNull();
  });
});

const PLACE: StepPlace = { ...HEAD, step: "query", row: 1, column: 2 };
const PRODUCT: Explanation = {
  operation: { kind: "product", factor: 1, bias: 0.5 },
  lines: [
    {
      source: { kind: "step", ...HEAD, step: "input", row: 1, column: 0, along: "columns" },
      values: Float32Array.of(1, 2, 3, 4, 5, 6, 7),
    },
    {
      source: { kind: "weight", weight: "query", column: 2 },
      values: Float32Array.of(1, -4, 0.5, 0, 0, 0, 0.25),
    },
  ],
  value: -3.25,
};

const sum = (more: Partial<HeadscopeSum> = {}): Promise<HeadscopeSum> =>
  mount(new HeadscopeSum(), {
    place: PLACE,
    explanation: PRODUCT,
    queries: tokens("le", "chat"),
    keys: tokens("le", "chat"),
    ...more,
  });
const rows = (element: HeadscopeSum): string[] =>
  [...element.renderRoot.querySelectorAll("tr")].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim()).join(" | "),
  );

const formula = (element: HeadscopeSum): string =>
  element.renderRoot.querySelector("math")?.textContent.replaceAll(/\s/g, "") ?? "";

describe("<headscope-sum>", () => {
  it("lists the largest terms, what the others add up to, and the numbers beside them", async () => {
    const element = await sum();
    expect(rows(element)).toEqual([
      "X: chat, column 2 × W_Q[2, 3] | 2.000 | −4.000 | −8.000",
      "X: chat, column 7 × W_Q[7, 3] | 7.000 | 0.250 | 1.750",
      "X: chat, column 3 × W_Q[3, 3] | 3.000 | 0.500 | 1.500",
      "X: chat, column 1 × W_Q[1, 3] | 1.000 | 1.000 | 1.000",
      "X: chat, column 4 × W_Q[4, 3] | 4.000 | 0 | 0",
      "2 others together |  |  | 0",
      "bias |  |  | 0.500",
      "result |  |  | −3.250",
    ]);
    element.renderRoot.querySelector<HTMLButtonElement>(".actions button")?.click();
    await element.updateComplete;
    expect(rows(element)).toHaveLength(9);
  });

  it("adds up a turned pair, whose larger term it follows", async () => {
    const turned = (column: number): Explanation["lines"][number]["source"] => ({
      kind: "step",
      ...HEAD,
      step: "query",
      row: 1,
      column,
      along: "cell",
    });
    const explanation: Explanation = {
      operation: { kind: "rotation", cosine: 0.5, sine: -0.25 },
      lines: [
        { source: turned(0), values: Float32Array.of(1) },
        { source: turned(2), values: Float32Array.of(4) },
      ],
      value: -0.5,
    };
    const element = await sum({
      explanation,
      place: { ...PLACE, step: "query-rotated", column: 0 },
    });
    const followed = heard(element, "headscope-number-follow");
    expect(rows(element)).toEqual([
      "Q: chat, column 3 | 4.000 | −0.250 | −1.000",
      "Q: chat, column 1 | 1.000 | 0.500 | 0.500",
      "result |  |  | −0.500",
    ]);
    element.renderRoot.querySelector<HTMLButtonElement>(".first")?.click();
    expect(followed).toEqual([{ ...HEAD, step: "query", row: 1, column: 2 }]);
  });

  it("says of a norm by the mean square what it divides by, and writes no bias where there is none", async () => {
    const explanation: Explanation = {
      operation: { kind: "rmsNorm", meanSquare: 4, epsilon: 0, gain: 3, term: 2 },
      lines: [
        {
          source: { kind: "step", ...HEAD, step: "input", row: 1, column: 0, along: "columns" },
          values: Float32Array.of(1, 2, -2, 3),
        },
      ],
      value: -3,
    };
    const element = await sum({ explanation, place: { ...PLACE, step: "entered" } });
    expect(rows(element)).toEqual([
      "x | −2.000",
      "mean of the row’s squares | 4.000",
      "ε | 0",
      "gain γ | 3.000",
      "result | −3.000",
    ]);
    element.explanation = PRODUCT;
    element.place = PLACE;
    await element.updateComplete;
    const formula = (): string =>
      (element.renderRoot.querySelector("math")?.textContent ?? "").replace(/\s/g, "");
    expect(formula()).toContain("+bQ");
    element.explanation = { ...PRODUCT, operation: { kind: "product", factor: 1, bias: null } };
    await element.updateComplete;
    expect(formula()).not.toContain("+");
  });

  it("says of a weight that an edit gives where it comes from, and that nothing lies behind it", async () => {
    const explanation: Explanation = {
      operation: { kind: "given", pattern: "drawn", total: 4, term: 1 },
      lines: [{ source: { kind: "pattern" }, values: Float32Array.of(1, 3) }],
      value: 0.75,
    };
    const element = await sum({ explanation, place: { ...PLACE, step: "weights", column: 1 } });
    expect(rows(element)).toEqual([
      "drawn, by an edit | 3.000",
      "sum over the row | 4.000",
      "result | 0.750",
    ]);
    expect(element.renderRoot.querySelector(".first")).toBeNull();
    expect(element.renderRoot.textContent).toContain("an edit gives this row");
  });

  it("multiplies what a kind of attention makes of a query and a key, and leads to both", async () => {
    const made = (
      step: "query" | "key",
      part: "queryFeature" | "keyFeature",
    ): Explanation["lines"][number]["source"] => ({
      kind: "made",
      ...HEAD,
      step,
      row: 1,
      column: 0,
      part,
    });
    const explanation: Explanation = {
      operation: { kind: "product", factor: 1, bias: null },
      lines: [
        { source: made("query", "queryFeature"), values: Float32Array.of(1, 2) },
        { source: made("key", "keyFeature"), values: Float32Array.of(0.5, 4) },
      ],
      value: 8.5,
    };
    const element = await sum({ explanation, place: { ...PLACE, step: "raw" } });
    const followed = heard(element, "headscope-number-follow");
    expect(rows(element)).toEqual([
      "φ(q)[2] × φ(k)[2] | 2.000 | 4.000 | 8.000",
      "φ(q)[1] × φ(k)[1] | 1.000 | 0.500 | 0.500",
      "result |  |  | 8.500",
    ]);
    expect(formula(element)).toBe("∑iφ(q)iφ(k)i");
    for (const button of element.renderRoot.querySelectorAll<HTMLButtonElement>(".actions button"))
      button.click();
    expect(followed).toEqual([
      { ...HEAD, step: "query", row: 1, column: 0 },
      { ...HEAD, step: "key", row: 1, column: 0 },
    ]);
  });

  it("says of a score that it is a logarithm, or that a segment shares it", async () => {
    const raw: Explanation["lines"] = [
      {
        source: { kind: "step", ...HEAD, step: "raw", row: 1, column: 0, along: "cell" },
        values: Float32Array.of(2),
      },
    ];
    const element = await sum({
      explanation: { operation: { kind: "logarithm", of: null }, lines: raw, value: Math.log(2) },
      place: { ...PLACE, step: "scores" },
    });
    expect(rows(element)).toEqual(["query · key | 2.000", "result | 0.693"]);
    expect(formula(element)).toContain("ln");
    // What is too small for f32 still has a logarithm.
    element.explanation = {
      operation: { kind: "logarithm", of: 1e-60 },
      lines: raw.map((line) => ({ ...line, values: Float32Array.of(0) })),
      value: Math.log(1e-60),
    };
    await element.updateComplete;
    expect(rows(element)[0]).toMatch(/1(\.0+)?\s?[e×]/);
    element.explanation = {
      operation: { kind: "shared", factor: 0.5, keys: 3 },
      lines: raw,
      value: 1 - Math.log(3),
    };
    await element.updateComplete;
    expect(rows(element)).toEqual([
      "query · key | 2.000",
      "scale | 0.500",
      "− ln 3 | −1.099",
      "result | −0.099",
    ]);
    expect(formula(element)).toContain("n");
  });

  it("follows a number to the cell that made it for the most part", async () => {
    const element = await sum();
    const followed = heard(element, "headscope-number-follow");
    element.renderRoot.querySelector<HTMLButtonElement>(".first")?.click();
    expect(followed).toEqual([{ ...HEAD, step: "input", row: 1, column: 1 }]);
  });

  it("ends where the numbers were learnt, and leads back", async () => {
    const explanation: Explanation = {
      operation: { kind: "embedding", scale: 2 },
      lines: [
        { source: { kind: "token", id: 1, column: 2 }, values: Float32Array.of(0.5) },
        { source: { kind: "position", position: 1, column: 2 }, values: Float32Array.of(0.25) },
      ],
      value: 1.25,
    };
    const element = await sum({
      explanation,
      place: { ...PLACE, step: "input" },
      trail: [{ place: PLACE, words: "Q: chat" }],
    });
    const returned = heard(element, "headscope-number-return");
    expect(formula(element)).toBe("sE[id]+P[p]");
    expect(rows(element)).toEqual([
      "token “chat” | 0.500 | 2.000 | 1.000",
      "position 2 | 0.250 |  | 0.250",
      "result |  |  | 1.250",
    ]);
    expect(element.renderRoot.textContent).toContain("Here the trace ends");
    element.renderRoot.querySelector<HTMLButtonElement>(".trail button")?.click();
    expect(returned).toEqual([0]);
  });
});

describe("the end of a trace", () => {
  it("says what of the numbers was learnt, by the stack that they stand in", async () => {
    const position: Explanation["lines"][number] = {
      source: { kind: "position", position: 1, column: 2 },
      values: Float32Array.of(0.25),
    };
    const token: Explanation["lines"][number] = {
      source: { kind: "token", id: 1, column: 2 },
      values: Float32Array.of(0.5),
    };
    const said = async (
      origins: PositionOrigins,
      stack: StepPlace["stack"],
      lines = [token, position],
    ): Promise<string> => {
      const explanation: Explanation = {
        operation: { kind: "embedding", scale: 1 },
        lines,
        value: 0.75,
      };
      return (
        (
          await sum({ explanation, origins, place: { ...PLACE, stack, step: "input" } })
        ).renderRoot.querySelector(".note")?.textContent ?? ""
      );
    };
    const waves: PositionOrigins = { encoder: "wave", decoder: "drawn" };
    expect(await said(waves, "encoder")).toBe(
      "Here the trace ends: the token’s number was learnt; the position’s is a fixed wave, computed from its place.",
    );
    expect(await said(waves, "decoder")).toBe(
      "Here the trace ends: the token’s number was learnt; the position’s was drawn by a seed.",
    );
    expect(await said(waves, "cross")).toContain("drawn");
    // Where no position is added, there is none to speak of.
    expect(await said(waves, "encoder", [token])).toBe(
      "Here the trace ends: these numbers were learnt.",
    );
    expect(await said({ encoder: "learnt", decoder: "learnt" }, "encoder")).toBe(
      "Here the trace ends: these numbers were learnt.",
    );
  });
});

describe("the formula of an embedding", () => {
  it("has a term for each table that the number comes from, and a factor where there is one", async () => {
    const lines: Explanation["lines"] = [
      { source: { kind: "token", id: 1, column: 2 }, values: Float32Array.of(0.5) },
      { source: { kind: "position", position: 1, column: 2 }, values: Float32Array.of(0.25) },
      { source: { kind: "tokenType", id: 0, column: 2 }, values: Float32Array.of(0.25) },
    ];
    const place: StepPlace = { ...PLACE, step: "embedded" };
    const typed = await sum({
      place,
      tokenTypes: 2,
      explanation: { operation: { kind: "embedding", scale: 1 }, lines, value: 1 },
    });
    expect(formula(typed)).toBe("E[id]+P[p]+T[t]");
    const alone = await sum({
      place,
      explanation: {
        operation: { kind: "embedding", scale: 3 },
        lines: lines.slice(0, 1),
        value: 1.5,
      },
    });
    expect(formula(alone)).toBe("sE[id]");
  });
});

const inside = <Tag extends "headscope-strip" | "headscope-sum">(
  element: HeadscopeSteps,
  tag: Tag,
): HTMLElementTagNameMap[Tag] => {
  const found = element.renderRoot.querySelector(tag);
  if (!found) throw new Error(`there is no ${tag}`);
  return found;
};

describe("<headscope-steps>", () => {
  const figure = (): Promise<HeadscopeSteps> =>
    mount(new HeadscopeSteps(), {
      steps: STEPS,
      head: HEAD,
      heads: 2,
      queries: tokens("le", "chat"),
      keys: tokens("le", "chat"),
      held: PLACE,
      place: PLACE,
      explanation: PRODUCT,
    });

  it("shows the strip and the sum of one number, and says which one is held next", async () => {
    const element = await figure();
    const gone = heard(element, "headscope-number-go");
    expect(stage(inside(element, "headscope-strip"))?.getAttribute("aria-label")).toContain(
      "3 matrices",
    );
    expect(rows(inside(element, "headscope-sum")).at(-1)).toBe("result |  |  | −3.250");
    press(inside(element, "headscope-strip"), "ArrowUp");
    press(inside(element, "headscope-strip"), "Escape");
    expect(gone).toEqual([{ ...HEAD, step: "query", row: 0, column: 2 }, null]);
  });

  it("remembers the way of a trace, leads back on it, and lets it go when another head is chosen", async () => {
    const element = await figure();
    const gone = heard(element, "headscope-number-go");
    const ways = async (): Promise<(string | undefined)[]> => {
      await element.updateComplete;
      return inside(element, "headscope-sum").trail.map(({ words }) => words);
    };
    press(inside(element, "headscope-strip"), "t");
    expect(gone).toEqual([{ ...HEAD, step: "input", row: 1, column: 1 }]);
    expect(await ways()).toEqual(["Q: chat, column 3"]);
    press(inside(element, "headscope-strip"), "Escape");
    expect(gone.at(-1)).toMatchObject({ step: "query", row: 1, column: 2 });
    expect(await ways()).toEqual([]);
    press(inside(element, "headscope-strip"), "t");
    expect(await ways()).toHaveLength(1);
    element.head = { ...HEAD, head: 0 };
    expect(await ways()).toEqual([]);
  });
});
