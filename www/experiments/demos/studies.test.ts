// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, failed, FakeModel } from "../../../tests/support/fake-model.js";
import type { Explanation, HeadCost, ModelInfo, Tensor } from "../../data/index.js";
import { HeadscopeError, type Run, type RunInput, type RunOptions } from "../../headscope.js";
import { loadSentences, message, PAGE_LOCALE } from "../../i18n/index.js";
import { NO_EDITS } from "../../state/index.js";
import { brokenHeads } from "./positions/broken-heads.js";
import type { HeadscopeSaveFigure } from "../../kit/save-figure.js";
import type { HeadscopeDemo } from "./demo-element.js";
import { variantReport } from "./variants/variant-report.js";
import {
  schemeLossOf,
  lengths,
  smoothed,
  verdictOf as lengthVerdict,
} from "./positions/lengths.js";
import { frameOf, longText } from "./positions/long-text.js";
import { batchesOf, norm } from "./heads/norm.js";
import { padding } from "./masks/padding.js";
import { pruning, verdictOf, type Curve } from "./heads/pruning.js";
import { askable, headsToMeasure, lockedWord, ranking } from "./heads/ranking.js";
import { Study } from "../../kit/study.js";
import { all, click, enter, NOTES, onPage, show, text, turnTo, writer } from "./testing/demo.js";
import { textOf } from "../../elements/testing/mount.js";

const HEAD = { stack: "decoder", layer: 0, head: 0 } as const;

const part = (element: HeadscopeDemo, selector: string): HTMLElement | undefined =>
  all(element, selector)[0];
const button = (element: HeadscopeDemo): HTMLButtonElement | null =>
  element.renderRoot.querySelector(".work button");
const saved = (element: HeadscopeDemo): number =>
  element.renderRoot.querySelector<HeadscopeSaveFigure>("headscope-save-figure")?.table?.rows
    .length ?? 0;
const press = (element: HeadscopeDemo): Promise<void> => click(element, ".work button");
const finish = (element: HeadscopeDemo): Promise<void> =>
  expect.poll(() => part(element, "#stop"), { timeout: 10_000 }).toBeUndefined();

async function complete(element: HeadscopeDemo): Promise<void> {
  await press(element);
  await finish(element);
}

beforeAll(() => loadSentences("experiments", "pairs"));
afterEach(() => {
  document.body.replaceChildren();
  PAGE_LOCALE.speak("en");
});

it.each([brokenHeads, lengths, norm, padding])("$name is for models of texts", async (demo) => {
  const image = { channels: 3, size: [4, 4], patch: [2, 2], grid: [2, 2], specials: 1 };
  const model = new FakeModel({ ...FAKE_READER, image } as ModelInfo);
  expect(text(await show(demo, { model }))).toContain("this one reads images");
});

it.each([
  ["engine/crashed", 1, ["here", null, 2]],
  ["gpu/lost", 1, ["here", null, 2]],
  ["engine/crashed", 2, [null, "engine/crashed", 2]],
] as const)(
  "a question to a thread that ends is put once more: %s, %i times",
  async (code, times, expected) => {
    const asked = new Study<string>();
    const question = vi.fn<() => Promise<string>>().mockResolvedValue("here");
    for (let time = 0; time < times; time += 1) question.mockRejectedValueOnce(failed(code));
    asked.ask([1], question);
    await expect.poll(() => asked.working).toBe(false);
    const { answer, failure } = asked;
    const found = failure instanceof HeadscopeError ? failure.code : failure;
    expect([answer, found, question.mock.calls.length]).toEqual(expected);
  },
);

describe("work that is begun by a button", () => {
  it("is stopped and continued without a head measured twice, and none of it is of another word", async () => {
    const model = writer(40);
    const element = await show(ranking, await onPage(model));
    expect([textOf(button(element)), model.inputs.length]).toEqual(["Measure 80 heads", 1]);
    await press(element);
    await expect.poll(() => saved(element), { interval: 1 }).toBeGreaterThan(0);
    await press(element);
    const done = saved(element);
    expect(textOf(button(element))).toBe(`Resume (${80 - done} heads left)`);
    const begun = model.inputs.length;
    await complete(element);
    expect([saved(element), textOf(button(element))]).toEqual([80, "Measure 80 heads"]);
    expect([model.inputs.length - begun, model.held.size]).toEqual([80 - done, 1]);
    await click(element, "ol button");
    expect(element.explorer.state.stack).toBe("decoder");
    await enter(element, "#word", { value: "1" });
    expect(saved(element)).toBe(0);
  });

  it("says that the GPU stopped it, asks nothing of the lost run, and keeps nothing of another text", async () => {
    const model = writer(40);
    const element = await show(ranking, await onPage(model));
    const status = (): string => text(element, "[role=status] > p");
    model.failing = failed("gpu/lost");
    await press(element);
    await expect.poll(status).toBe(`${message("experiments.gpuLost")} Details gpu/lost`);
    expect(button(element)?.disabled).toBe(true);
    model.failing = null;
    await turnTo(element, await onPage(model));
    await complete(element);
    expect([saved(element), status()]).toEqual([80, ""]);
    await turnTo(element, await onPage(model, { text: "one two" }));
    expect(saved(element)).toBe(0);
  });

  it("lists heads by the size of their effects, on a map whose cells open them", async () => {
    const element = await show(ranking, await onPage(writer(6)));
    await complete(element);
    await expect.poll(() => saved(element), { timeout: 10_000 }).toBe(12);
    const values = all(element, "ol button").map((one) =>
      Number(textOf(one.lastElementChild).replace("−", "-")),
    );
    const sizes = values.filter((value) => !Number.isNaN(value)).map(Math.abs);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    const [map] = element.renderRoot.querySelectorAll("headscope-numbers");
    const { shape = [] } = map?.tensor ?? {};
    const open = (query: number, key: number): string => {
      const detail = { query, key };
      map?.dispatchEvent(new CustomEvent("headscope-cell-lock", { detail, bubbles: true }));
      const { layer, head } = element.explorer.state;
      return `${layer}.${head}`;
    };
    const [layers = 0, heads = 0] = shape;
    expect(open(1, 0)).toBe("1.0");
    expect(open(layers - 1, heads - 1)).toBe(`${layers - 1}.${heads - 1}`);
    // There is no such row, and no such head.
    expect(open(layers, 0)).toBe(`${layers - 1}.${heads - 1}`);
    expect(open(0, heads)).toBe(`${layers - 1}.${heads - 1}`);
  });

  it("is continued after a crash with what it had", async () => {
    const model = writer(40);
    const element = await show(ranking, await onPage(model));
    await press(element);
    await expect.poll(() => saved(element), { interval: 1 }).toBeGreaterThan(0);
    model.failing = failed("engine/crashed");
    await finish(element);
    const done = saved(element);
    expect(text(element, "[role=status] > p")).toContain("Results so far are stored");
    model.failing = null;
    await turnTo(element, await onPage(model));
    expect(textOf(button(element))).toBe(`Resume (${80 - done} heads left)`);
    const begun = model.inputs.length;
    await complete(element);
    expect([saved(element), model.inputs.length - begun]).toEqual([80, 80 - done]);
  });

  it("says what failed in the page's words, and nothing where a newer run has taken its place", async () => {
    const model = new FakeModel();
    const element = await show(brokenHeads, await onPage(model));
    for (const [code, words] of [
      ["edit/unsupported", /^The measurement failed.* Details edit\/unsupported$/],
      ["run/released", /^$/],
    ] as const) {
      model.failing = failed(code);
      await complete(element);
      expect(text(element, "[role=status]")).toMatch(words);
    }
  });

  it("measures the run on the page, masked tokens too, and lists heads that break before the others", async () => {
    const model = new FakeModel(FAKE_READER);
    const run = await model.run({ text: "the old cat sleeps", masked: [1] });
    const edits = { ...NO_EDITS, positions: [{ stack: "encoder", scheme: "none" } as const] };
    const element = await show(brokenHeads, {
      edits,
      head: { ...HEAD, stack: "encoder" },
      model,
      run,
    });
    model.inputs.length = 0;
    await complete(element);
    expect(model.inputs.map(({ ids }) => ids?.indexOf(FAKE_READER.maskToken ?? -1))).toEqual([
      1, 1, 1, 3, 3,
    ]);
    const shares = [...element.renderRoot.querySelectorAll<HTMLElement>("[data-value]")];
    const folded = shares.filter((share) => share.closest("details"));
    expect([shares.length, folded.length > 0, model.held.size]).toEqual([24, true, 1]);
    for (const share of shares)
      expect(Number(share.dataset.value) > Math.LN2 / 10).toBe(!folded.includes(share));
  });
});

it.each([
  [FAKE_INFO, {}, ["share of TWO", "share of ONE"]],
  [FAKE_READER, { masked: [1] }, ["state of one", "share of two", "state of </s>"]],
])(
  "heads matter for predicted words, for masked ones and for states: %#",
  async (info, input, all) => {
    const words = askable(await new FakeModel(info).run({ text: "one two", ...input }), info);
    const named = words.map(
      ({ id, token }) => `${id === null ? "state" : "share"} of ${token.text}`,
    );
    expect(named).toEqual(all);
    expect(headsToMeasure(info).at(-1)).toMatchObject({ stack: "encoder", layer: 0 });
  },
);

it("the locked query is the word, where it is predicted", async () => {
  const on = await onPage(writer(40));
  const wordOf = (stack: "cross" | "encoder", query: number): number =>
    lockedWord({ ...on, head: { stack, layer: 0, head: 0 } }, { query, key: 0 });
  expect([wordOf("cross", 2), wordOf("cross", 0), wordOf("encoder", 2)]).toEqual([1, -1, -1]);
});

describe("pruning", () => {
  it("reads nothing twice, stays when its place is left, tries a failed sentence again, and ends in a sentence", async () => {
    const model = writer(3);
    const on = await onPage(model);
    const element = await show(pruning, on);
    expect(textOf(button(element))).toBe("Compute");
    await press(element);
    const bar = (one: HeadscopeDemo): number =>
      one.renderRoot.querySelector("progress")?.value ?? 0;
    await expect.poll(() => bar(element), { interval: 1 }).toBeGreaterThan(0);
    const begun = bar(element);
    element.remove();
    const again = await show(pruning, on);
    expect([bar(again) >= begun, textOf(button(again))]).toEqual([true, "Resume"]);
    model.failing = failed("edit/unsupported");
    await complete(again);
    expect(text(again, "[role=status]")).toContain(message("pruning.failed"));
    model.failing = null;
    await press(again);
    await expect.poll(() => text(again, ".verdict"), { timeout: 10_000 }).toContain("loss ");
    await finish(again);
    model.notes = null;
    const none = await show(pruning, { ...on, model: new FakeModel() });
    expect(text(none, "p.note")).toContain(message("pruning.none"));
  });

  it("says who suffers most, as far as the numbers show, and nothing before all is known", () => {
    const curve = (stack: Curve["stack"], loss: number): Curve => ({
      stack,
      order: Array.from({ length: 10 }, (_, head) => ({ stack, layer: 0, head })),
      points: [
        { removed: 0, loss: 1 },
        { removed: 6, loss },
      ],
    });
    const encoder = curve("encoder", 4);
    const decoder = curve("decoder", 1.001);
    const verdict = (cross: number, encoderLoss: Curve): string | null =>
      verdictOf([encoderLoss, decoder, curve("cross", cross)], FAKE_INFO);
    expect(verdict(3, encoder)).toMatch(
      /60% of .* 1\.00 → .* 4\.00.* 3\.00.* 1\.00.*important: Encoder/,
    );
    expect(verdict(5, encoder)).toContain(message("pruning.crossMost"));
    expect(verdict(1, decoder)).toContain(message("pruning.noneSuffers"));
    expect(verdictOf([encoder, decoder], FAKE_INFO)).toBeNull();
  });
});

/** A model that refuses texts longer than its positions under its own scheme. */
class RefusingModel extends FakeModel {
  override run(input: RunInput, options?: RunOptions): Promise<Run> {
    if ((input.ids?.length ?? 0) > this.info.maxTokens && !input.edits?.positions)
      return Promise.reject(failed("input/too-long"));
    return super.run(input, options);
  }
}

describe("lengths beyond training", () => {
  const lines = (element: HeadscopeDemo): string[] =>
    [...element.renderRoot.querySelectorAll("tbody th")].map(({ textContent }) => textContent);

  it("reads only the schemes that are added", async () => {
    const model = writer(1, { maxTokens: 16 });
    const element = await show(lengths, { model });
    expect(textOf(button(element))).toBe("Compute 5 schemes");
    await complete(element);
    const asked = model.inputs.length;
    await click(element, "[data-option=t5]");
    await complete(element);
    const schemes = [
      "the model’s own",
      "none",
      "sinusoidal",
      "rotary (RoPE)",
      "ALiBi",
      "T5 buckets",
    ];
    expect(lines(element)).toEqual(["sliding-window baseline", ...schemes]);
    // Each scheme is one run of the whole text.
    expect([model.inputs.length - asked, model.held.size]).toEqual([1, 0]);
    expect(text(element, ".verdict")).toContain("beyond 16 tokens");
  });

  it("counts none of what stands around a text of a model that fills gaps, and says what was refused", async () => {
    const model = new RefusingModel({ ...FAKE_READER, maxTokens: 16, positions: "sinusoidal" });
    model.notes = { ...NOTES, longest: { source: 10 } };
    const element = await show(lengths, { model });
    await complete(element);
    expect(text(element, ".verdict")).toContain("Positions end at 15: the model’s own");
    const curves = element.renderRoot.querySelector("headscope-curves");
    expect([curves?.marked, curves?.marks]).toEqual([9, [{ x: 15, words: "last position" }]]);
  });

  it("takes the reader's own text, and says where it has nothing to foresee", async () => {
    const model = writer(1, { maxTokens: 16 });
    const element = await show(lengths, { model }, "lengths(from-own)");
    expect(button(element)?.disabled).toBe(true);
    await enter(element, "textarea", { value: "five six seven" });
    await complete(element);
    expect(text(element, ".verdict")).toContain("not longer than the training length (16 tokens)");
    model.tokenize = () => [];
    await enter(element, "textarea", { value: "nothing" });
    await complete(element);
    expect(text(element)).toContain("enter at least two tokens");
  });

  it.each<[string, FakeModel]>([
    ["no mask token", new FakeModel({ ...FAKE_READER, maskToken: null })],
    ["every 8th token", new FakeModel(FAKE_READER)],
    ["no held-out sentence pairs", new FakeModel()],
    ["no output head", writer(1, { predicts: false })],
  ])("says %s", async (words, model) => {
    expect(text(await show(lengths, { model }))).toContain(words);
  });

  it("is compared row by row with the same tokens read anew, and said as far as the numbers show", () => {
    const anew = { name: "anew", losses: [1, 2, 5, 6], refused: false } as const;
    const loss = schemeLossOf({ name: "none", losses: [2, 3, 7, 8], refused: false }, anew, 2);
    expect(loss).toMatchObject({ within: 2.5, beyond: 7.5, rise: 1, cost: 1, rows: 4 });
    const one = { ...loss, cost: 0.1, rows: 32 };
    const rises = [
      { ...one, name: "anew", rise: 0 },
      { ...one, name: "model", beyond: null, rise: null, refused: true },
      { ...one, name: "none", rise: 0.693, cost: 0.9 },
      { ...one, name: "sinusoidal", rise: 0.7 },
    ] as const;
    expect(lengthVerdict(rises, 16, 32)).toEqual([
      "Holds (rise ≤ 0.69 nats beyond 16 tokens): none (+0.69).",
      "Fails (rise > 0.69 nats beyond 16 tokens): sinusoidal (+0.70).",
      "Positions end at 32: the model’s own.",
      "Already > 0.69 nats above the baseline within 16 tokens: none (+0.90).",
    ]);
    const means = smoothed([1, 3, 5, 7, 9], 2).map(({ x, y }) => `${x} ${y}`);
    expect(means).toEqual(["1.5 2", "3.5 6", "5 9"]);
  });
});

describe("a long text", () => {
  const SENTENCES = [
    { text: "one two three", targets: ["a b"] },
    { text: "four five", targets: ["c d e"] },
    { text: "six", targets: ["f"] },
  ];

  it("of a writer is the sentences behind each other; windows overlap by half", () => {
    const long = longText(writer(1), SENTENCES, 9);
    // Each sentence has the token that the tokenizer gives every text.
    const ids = [2, 3, 4, 1, 2, 3, 1, 2, 1];
    const piece = (begin: number, end: number, at: number) => {
      const from = at - begin;
      return { input: { ids: ids.slice(begin, end) }, from, rows: end - at, at };
    };
    expect(long.wanted).toEqual(ids.slice(1));
    expect([long.fitting(Infinity), long.fitting(4)]).toEqual([piece(0, 8, 0), piece(0, 4, 0)]);
    expect(long.anew(4)).toEqual([piece(0, 4, 0), piece(2, 6, 4), piece(4, 8, 6)]);
  });

  it("of a translator is all sources and all translations, each in one; whole sentences have room or have not", () => {
    const model = new FakeModel();
    const start = model.info.startToken;
    const end = model.info.endTokens[0];
    const long = longText(model, SENTENCES, 5);
    const whole = { ids: [2, 3, 4, 2, 3, 2, end], targetIds: [start, 2, 3, 2, 3] };
    expect(long.fitting(Infinity).input).toEqual(whole);
    expect(long.fitting(4)).toMatchObject({ input: { ids: [2, 3, 4, end] }, rows: 2 });
    expect(long.anew(4)).toMatchObject([
      { input: { targetIds: [start, 2] }, rows: 2, at: 0 },
      { input: { targetIds: [start, 2, 3] }, rows: 3, at: 2 },
    ]);
  });

  it("of a model that fills gaps is windows of which the middle is read; the last ends with the text", () => {
    const model = new FakeModel(FAKE_READER);
    const { before, after } = frameOf(model);
    const ids = Array.from({ length: 18 }, (_, at) => at + 2);
    const long = longText(model, [{ text: ids.join(" ") }], 99);
    const piece = (begin: number, end: number, at: number, rows: number) => ({
      input: { ids: [...before, ...ids.slice(begin, end), ...after] },
      from: before.length + at - begin,
      rows,
      at,
    });
    const pieces = [
      piece(0, 8, 0, 6),
      piece(4, 12, 6, 4),
      piece(8, 16, 10, 4),
      piece(10, 18, 14, 4),
    ];
    expect(long.anew(8 + before.length + after.length)).toEqual(pieces);
    expect(long.anew(99)).toEqual([piece(0, 18, 0, 18)]);
  });

  it("of a model that fills gaps is read with every token masked once, eight apart", async () => {
    const model = new FakeModel({ ...FAKE_READER, maxTokens: 20 });
    model.notes = NOTES;
    const element = await show(lengths, { model });
    for (const scheme of ["model", "sinusoidal", "rotary", "alibi"])
      await click(element, `[data-option=${scheme}]`);
    await complete(element);
    const masked = model.inputs
      .filter(({ edits }) => edits?.positions)
      .map(({ ids = [] }) => ids.flatMap((id, at) => (id === 99 ? [at] : [])));
    for (const places of masked)
      expect(places).toEqual(places.map((_, at) => (places[0] ?? 0) + 8 * at));
    expect(masked.flat().toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 39 }, (_, at) => at),
    );
  });
});

describe("a norm by hand", () => {
  const operation = { kind: "norm", mean: 2, variance: 1, epsilon: 1e-5, gain: 3, bias: 0.5 };
  const NORM = {
    operation: { ...operation, term: 0 },
    lines: [{ source: { kind: "step", step: "input" }, values: Float32Array.of(3) }],
    value: 3.5,
  } as unknown as Explanation;

  it("runs its second text once, under the same edits, leaves no run, and tries one that failed again", async () => {
    const model = new FakeModel();
    const on = await onPage(model);
    vi.spyOn(on.run, "explain").mockResolvedValue(NORM);
    const heads = [{ stack: "encoder" as const, layers: [0], heads: [0], gate: 0 }];
    const element = await show(norm, { ...on, edits: { ...NO_EDITS, heads } });
    const shown = (): Promise<void> =>
      vi.waitFor(() => expect(element.renderRoot.querySelectorAll("[data-row]")).toHaveLength(3));
    await shown();
    // How long the text is says a run without the edits.
    expect(model.inputs.slice(1).map(({ edits }) => edits)).toEqual([undefined, { heads }]);
    await enter(element, "#token", { value: "1" });
    await vi.waitFor(() =>
      expect(part(element, "headscope-save-figure")?.getAttribute("name")).toBe(
        "norm ff-normed token 2 x 1",
      ),
    );
    expect([model.inputs.length, [...model.held]]).toEqual([3, [on.run]]);
    model.failing = failed("input/unknown-character");
    await enter(element, "#text", { value: "six" });
    await vi.waitFor(() => expect(text(element, "[role=status]")).toContain(message("pad.failed")));
    model.failing = null;
    await enter(element, "#text", { value: "six seven" });
    await shown();
  });

  it("has a sentence of the model as its second text that is not the page's, or the one that is typed", async () => {
    const model = new FakeModel();
    const sentences = ["one two three", "four five"].map((sentence) => ({ text: sentence }));
    model.notes = { ...NOTES, sentences };
    vi.spyOn(model, "decode").mockReturnValue("one two three");
    const element = await show(norm, await onPage(model));
    const texts = (): unknown[] => model.inputs.slice(1).map((input) => input.text);
    await vi.waitFor(() => expect(texts()).toEqual(["four five"]));
    expect(part(element, "#text")?.getAttribute("placeholder")).toBe("four five");
    await enter(element, "#text", { value: " six " });
    await vi.waitFor(() => expect(texts()).toEqual(["four five", "six"]));
  });

  it("has another value in every batch, while the layer's stays", () => {
    const batches = batchesOf(3, 1e-5, [3, 7], [11]);
    expect(batches).toMatchObject([
      { kind: "alone", tokens: 2, mean: 5 },
      { kind: "second", tokens: 3, mean: 7 },
      // Both are filled up with zeros to four rows.
      { kind: "padded", tokens: 8, mean: 21 / 8 },
    ]);
    for (const { mean, variance, normed } of batches)
      expect(normed).toBeCloseTo((3 - mean) / Math.sqrt(variance + 1e-5), 9);
    expect(batchesOf(3, 1e-5, [3, 7], null).map(({ tokens }) => tokens)).toEqual([2, 4]);
  });
});

describe("what an attention variant takes", () => {
  const COST: HeadCost = {
    variant: "linear",
    implied: true,
    untrained: true,
    operations: 50,
    bytes: 64,
    exactOperations: 200,
    exactBytes: 128,
    pattern: { largest: 0.25, relative: 0.5 },
    output: { largest: 1e-9, relative: null },
  };
  const DROPPED = {
    mean: [0.25, 0.75, 0.5, 0.5],
    undropped: [0.25, 0.75, 0.5, 0.625],
    kept: [0, 2, 2, 2],
  };
  const MASK: Tensor = { data: new Float32Array(4), shape: [2, 2], axes: ["query", "key"] };

  async function report(cost: Partial<HeadCost>, draws = 1000, mask = MASK) {
    // Only what the report reads of a run.
    const run = {
      tokens: [],
      targetTokens: [],
      headCost: () => Promise.resolve({ ...COST, ...cost }),
      mask: () => Promise.resolve(mask),
      dropoutMean: () => Promise.resolve({ ...DROPPED, draws }),
    } as unknown as Run;
    const edits = { ...NO_EDITS, attention: [{ dropout: { rate: 0.5, seed: 1 } }] };
    const element = await show(variantReport, { edits, head: HEAD, run });
    await vi.waitFor(() => expect(part(element, "table")).toBeDefined());
    return element;
  }

  const apart = { largest: 1e-9, relative: 0 };
  it.each<[Partial<HeadCost>, string, string]>([
    [{}, "No softmax over a row", "at this rank"],
    [{ variant: "low-rank" }, "Shown: the softmax weights at this rank", "No softmax"],
    [{ variant: "softmax", pattern: apart, output: apart }, "Operations", "differ"],
    [{ variant: "chunked", pattern: apart, output: apart }, "at most rounding", "0.25"],
  ])("is said of %o", async (cost, words, never) => {
    const said = text(await report(cost, 0));
    expect([said.includes(words), said.includes(never)]).toEqual([true, false]);
    expect(said).toContain("25.0%");
  });

  it("hatches what dropout took, with the sums of rows, and takes no mean of too many cells", async () => {
    const [own] = (await report({})).renderRoot.querySelectorAll("headscope-numbers");
    expect([...(own?.tensor?.data ?? [])]).toEqual([NaN, 1.5, 1, 1.25]);
    expect(own?.rowNames.map((name) => parseFloat(name))).toEqual([1.5, 2.25]);
    const long = await report({}, 1000, { ...MASK, shape: [300, 300] });
    expect(text(long)).toContain("at most 60,000 cells, this head has 90,000");
  });
});
