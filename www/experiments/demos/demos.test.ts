// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import type { AttentionCost, ScoresAt, Tensor } from "../../data/index.js";
import { HeadscopeNumbers } from "../../elements/numbers.js";
import type { Run, RunInput, RunOptions } from "../../headscope.js";
import { loadSentences } from "../../i18n/index.js";
import { NO_EDITS, type EditLists } from "../../state/index.js";
import type { Session } from "../../session/session.js";
import { sessionWith, show as showPart } from "../../session/testing/session.js";
import { alibi, buckets, fourTerms } from "./positions/relative.js";
import { cost, linesOf } from "./masks/cost.js";
import { HeadscopeDemo } from "./demo-element.js";
import { HeadscopeMaskDemos } from "./demo-lists.js";
import type { Demo, OnPage } from "./demo.js";
import { overflow } from "./numbers/calculator.js";
import { scores } from "./variants/scores.js";
import type { HeadscopeRotaryDials } from "../../kit/dials.js";
import { learned } from "./positions/learned.js";
import { lengths } from "./positions/lengths.js";
import { padding, readBatch } from "./masks/padding.js";
import { ranking } from "./heads/ranking.js";
import { rotary, sinusoidal } from "./positions/angles.js";
import { textOf } from "../../elements/testing/mount.js";
import { ANSWERS, type Question } from "./testing/answers.js";
import { all, click, enter, onPage, show, text, turnTo, writer } from "./testing/demo.js";

/** The answer of a demo whose numbers a test gives. */
let found: unknown = null;

let asked: { what: string; question: Question }[] = [];
/** What the next answers wait for. */
let held: Promise<void> | null = null;

vi.mock("../../headscope.js", async (original) => ({
  ...(await original<object>()),
  demoCore: () =>
    Promise.resolve({
      ask: async (what: string, question: Question): Promise<unknown> => {
        asked.push({ what, question });
        await held;
        return what === "scores" || what === "overflow" ? found : ANSWERS[what]?.(question);
      },
    }),
}));

/** A model whose runs of ids have as many tokens as ids. */
class TableModel extends FakeModel {
  override run(input: RunInput, options?: RunOptions): Promise<Run> {
    const words = new Array<string>((input.ids?.length ?? 1) - 1).fill("word");
    return super.run({ ...input, text: words.join(" ") }, options);
  }
}

beforeAll(() => loadSentences("experiments"));
beforeEach(() => {
  asked = [];
  held = null;
});
afterEach(() => document.body.replaceChildren());

async function settled(element: HeadscopeDemo): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  await element.updateComplete;
}

async function open(demo: Demo, demos: string | null = null): ReturnType<typeof show> {
  const model = demo.work ? writer(1, { maxTokens: 8 }) : new FakeModel(FAKE_INFO);
  const element = await show(demo, demo.reads ? await onPage(model) : {}, demos);
  await settled(element);
  return element;
}

const latest = (): Question | undefined => asked.at(-1)?.question;
const matrices = (element: HeadscopeDemo): HeadscopeNumbers[] =>
  all(element, "headscope-numbers").filter((one) => one instanceof HeadscopeNumbers);
const curvesOf = (element: HeadscopeDemo): HTMLElementTagNameMap["headscope-curves"][] => [
  ...element.renderRoot.querySelectorAll("headscope-curves"),
];
/** Moves a slider; a logarithmic one gets the number by its field. */
async function slide(element: HeadscopeDemo, id: string, value: number): Promise<void> {
  const fields = all(element, `#${id} input`);
  Object.assign(fields.at(-1) ?? {}, { value: String(value) });
  fields.at(-1)?.dispatchEvent(new Event("change"));
  await settled(element);
}

async function drag(element: HeadscopeDemo, id: string, value: string): Promise<void> {
  const [range] = all(element, `#${id} input`);
  Object.assign(range ?? {}, { value });
  range?.dispatchEvent(new Event("input"));
  await settled(element);
}

async function choose(element: HeadscopeDemo, id: string, detail: string): Promise<void> {
  all(element, `#${id}`)[0]?.dispatchEvent(new CustomEvent("headscope-choose", { detail }));
  await settled(element);
}

describe("a demo", () => {
  const schemes = "lengths(schemes-none.sinusoidal.rotary.alibi)";
  it.each<[string, Demo, (element: HeadscopeDemo) => Promise<void>]>([
    ["rotary(alike-yes)", rotary, (at) => click(at, "[data-option=alike]")],
    ["alibi(head-3)", alibi, (at) => slide(at, "head", 3)],
    ["buckets(sides-one)", buckets, (at) => choose(at, "sides", "one")],
    ["pad(text-Cats_.28.2.29.)", padding, (at) => enter(at, "#text", { value: "Cats (2)" })],
    ["effect(word-2)", ranking, (at) => enter(at, "#word", { value: "1" })],
    [schemes, lengths, (at) => click(at, "[data-option=model]")],
  ])("writes a change of a field into the link, and reads it: %s", async (demos, demo, change) => {
    const element = await open(demo);
    await change(element);
    await settled(element);
    expect(element.explorer.state.demos).toBe(demos);
    const question = latest();
    element.remove();
    const { explorer } = await open(demo, demos);
    expect([latest(), explorer.notices.list]).toEqual([question, []]);
  });

  it("follows a link, and refuses more buckets than the largest distance allows", async () => {
    const element = await open(buckets);
    const { store } = element.explorer;
    store.replace({ ...store.state, demos: "buckets(maxDistance-40,head-16,heads-4)" });
    await settled(element);
    expect(latest()).toMatchObject({ buckets: 32, maxDistance: 40, head: 3 });
    await drag(element, "buckets", "90");
    expect([text(element, ".refusal code"), latest()?.buckets]).toEqual(["field/buckets", 32]);
    await drag(element, "buckets", "78");
    expect([text(element, ".refusal code"), latest()?.buckets]).toEqual(["", 78]);
  });

  it("has sliders that go by factors", async () => {
    // Half of it is the square root of a million.
    await drag(await open(sinusoidal), "base", "120");
    expect(asked.findLast(({ what }) => what === "waves")?.question).toMatchObject({ base: 1000 });
  });

  it("plays a number up to the largest one and on from the least, until it is stopped", async () => {
    const element = await open(rotary, "rotary(shift-1022)");
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const after = async (steps: number): Promise<string | null> => {
      vi.advanceTimersByTime(250 * steps);
      await settled(element);
      return element.explorer.state.demos;
    };
    await click(element, "#play");
    expect(await after(1)).toBe("rotary(shift-1023)");
    expect(await after(1)).toBe("rotary(shift-1024)");
    expect(await after(2)).toBe("rotary(shift-1)");
    await click(element, "#play");
    expect(await after(2)).toBe("rotary(shift-1)");
    vi.useRealTimers();
  });

  it("is drawn of the numbers that were asked for, also while the next answer is on its way", async () => {
    const element = await open(rotary);
    await slide(element, "query", 20);
    let go: () => void = () => undefined;
    held = new Promise((resolve) => (go = resolve));
    await slide(element, "query", 30);
    const here = (): unknown => [
      all(element, "[data-row=here] th")[0]?.textContent,
      curvesOf(element)[0]?.marked,
    ];
    expect(here()).toEqual(["at m = 20, n = 4", 16]);
    go();
    await settled(element);
    expect(here()).toEqual(["at m = 30, n = 4", 26]);
  });
});

describe("the figures of the schemes", () => {
  it("rotary: have the angles of the hands as dials and as a table, of eight pairs or of all", async () => {
    const element = await open(rotary, "rotary(headDim-64)");
    const hands = element.renderRoot.querySelector<HeadscopeRotaryDials>("headscope-rotary-dials");
    const press = async (name: RegExp): Promise<void> => {
      await hands?.updateComplete;
      const buttons = [...(hands?.renderRoot.querySelectorAll("button") ?? [])];
      buttons.find(({ textContent }) => name.test(textContent))?.click();
      await hands?.updateComplete;
    };
    const angles: unknown[] = [0, expect.closeTo(180), expect.closeTo(-180)];
    expect(hands?.table()?.rows[1]).toEqual([1, 0.5, ...angles, ...angles]);
    expect(hands?.table()?.rows).toHaveLength(8);
    await press(/32/);
    expect(hands?.table()?.rows).toHaveLength(32);
    await slide(element, "shift", 0);
    expect([hands?.table()?.columns.length, all(element, "[data-row=shifted]")]).toEqual([5, []]);
  });

  it("ALiBi: draw some lines of many heads with the chosen one, and hatch the future until it is allowed", async () => {
    const element = await open(alibi, "alibi(heads-20,head-18)");
    const lines = curvesOf(element)[0]?.lines ?? [];
    const accented = lines.filter(({ tone }) => tone === "accent").map(({ name }) => name);
    expect([accented, lines.length < 10]).toEqual([["head 18"], true]);
    await slide(element, "heads", 4);
    const first = (): number[] => [...(matrices(element)[0]?.tensor?.data.subarray(0, 3) ?? [])];
    expect([latest()?.head, first()]).toEqual([3, [-3, NaN, NaN]]);
    await click(element, "[data-option=causal]");
    await settled(element);
    expect(first()).toEqual([-3, -4, -5]);
  });

  it("Transformer-XL: add up the pair that is pointed at in any of them", async () => {
    const element = await open(fourTerms);
    const five = matrices(element);
    const point = async (query: number, key: number): Promise<void> => {
      five[2]?.dispatchEvent(new CustomEvent("headscope-cell-hover", { detail: { query, key } }));
      await settled(element);
    };
    await point(0, 1);
    const sum = "Query 1, key 2: 1.010 − 1.990 + 0.510 + 4.010 = 3.510";
    expect(text(element, "#sum span")).toContain(sum);
    expect(five.map(({ focused }) => focused?.key)).toEqual([1, 1, 1, 1, 1]);
    // A shorter text has no such pair.
    await point(11, 11);
    await slide(element, "length", 1);
    expect(all(element, "[data-cell]")[0]?.dataset.cell).toBe("0,0");
  });
});

it("a model's own table is read by one run for every length, and never shown as another model's", async () => {
  const shape = (figure = "headscope-numbers"): number[] | undefined =>
    element.renderRoot.querySelector<HTMLElement & { tensor: Tensor | null }>(figure)?.tensor
      ?.shape;
  const model = new TableModel({ ...FAKE_READER, positions: "learned", maxTokens: 6 });
  const element = await show(learned, { model });
  await vi.waitFor(() => expect(shape()).toEqual([6, 6]));
  expect([model.inputs.at(-1)?.ids?.length, model.held.size]).toEqual([6, 0]);
  expect(text(element)).toContain("+0.250 for neighbours");
  await slide(element, "length", 3);
  await vi.waitFor(() => expect(shape("headscope-positions")).toEqual([3, 192]));
  expect(model.inputs).toHaveLength(1);
  const other = { ...FAKE_INFO, positions: "sinusoidal (split halves)", maxTokens: 4 };
  await turnTo(element, { model: new TableModel(other) });
  expect([shape(), all(element, "p.note")]).toEqual([undefined, []]);
  await vi.waitFor(() => expect(shape()).toEqual([3, 3]));
  // The made-up engine counts up; the made-up model has waves.
  const waves = { length: 3, dim: 192, base: 10_000, halves: true };
  expect(asked.find(({ what }) => what === "waves")?.question).toEqual(waves);
  expect(Number(all(element, "[data-from-waves]")[0]?.dataset.fromWaves)).toBeGreaterThan(500);
});

describe("<headscope-mask-demos>", () => {
  async function opened(
    edits: EditLists,
    title: string,
  ): Promise<{ session: Session; demo: HeadscopeDemo }> {
    const on = await onPage(new FakeModel(), { text: "the dog sleeps", head: 1, edits });
    const session = sessionWith({}, { onPage: on });
    const list = await showPart(new HeadscopeMaskDemos(), session);
    const details = [...list.renderRoot.querySelectorAll("details")].find(({ textContent }) =>
      textContent.includes(title),
    );
    if (details) details.open = true;
    details?.dispatchEvent(new Event("toggle"));
    await vi.waitFor(() => expect(details?.querySelector("headscope-demo")).toBeTruthy());
    return { session, demo: details?.querySelector("headscope-demo") ?? new HeadscopeDemo() };
  }

  it("takes the decoder's mask away when that is asked for", async () => {
    const { session, demo } = await opened(NO_EDITS, "Without the causal mask");
    await vi.waitFor(() => expect(text(demo)).toContain("Correct next tokens: 0 of 3."));
    await click(demo, "#remove");
    const { edits } = session.state;
    expect(edits.masks).toMatchObject([
      { stack: "decoder", mode: "replace", preset: { kind: "none" } },
    ]);
    const { demo: edited } = await opened(edits, "Without the causal mask");
    await vi.waitFor(() => expect(text(edited)).toMatch(/0 of 3.* 0 of 3/));
    expect(all(edited, "#remove")).toEqual([]);
  });
});

it("a batch runs each text alone, padded behind a mask, and padded without one", async () => {
  const model = new FakeModel();
  const [long, short] = await readBatch(model, ["the dog and the cat", "cats"]);
  const [count = 0, pads = 0] = [short?.tokens.length, short?.pads];
  expect([long?.pads, pads]).toEqual([0, (long?.tokens.length ?? 0) - count]);
  const masks = model.inputs.slice(3).map(({ attentionMask }) => attentionMask?.join(""));
  expect(masks).toEqual([undefined, "1".repeat(count) + "0".repeat(pads), undefined]);
});

describe("the scale 1/√d", () => {
  const at = (dim: number): ScoresAt => {
    const of = (factor: number): ScoresAt["plain"] => ({
      variance: factor * dim,
      entropy: 1 / dim,
      jacobian: factor / 10,
      weights: Array.from({ length: 10 }, (_, index) => (10 - index) / (100 * factor)),
    });
    return { dim, plain: of(1), scaled: of(2) };
  };

  it("has a line of both sides at every width in order, and the largest entropy", async () => {
    found = { here: at(48), along: [1, 48, 512].map(at), widest: 3.5 };
    const element = await open(scores);
    const [variance, entropy, jacobian] = curvesOf(element);
    expect(variance?.lines.map(({ points }) => points.map(({ x, y }) => [x, y]))).toEqual([
      [1, 48, 512].map((dim) => [dim, dim]),
      [1, 48, 512].map((dim) => [dim, 2 * dim]),
    ]);
    expect([variance, entropy, jacobian].map((one) => one?.scales.y ?? "linear")).toEqual([
      "log",
      "linear",
      "linear",
    ]);
    expect(entropy?.lines.map(({ tone }) => tone)).toEqual([undefined, undefined, "quiet"]);
    expect(entropy?.lines[2]?.points.map(({ y }) => y)).toEqual([3.5, 3.5, 3.5]);
    expect(jacobian?.lines).toHaveLength(2);
    const bars = [...element.renderRoot.querySelectorAll("headscope-bars")];
    expect(bars.map(({ items }) => items.map(({ label }) => label).join(""))).toEqual([
      "12345678",
      "12345678",
    ]);
    expect(bars[1]?.items[0]?.value).toBe(0.05);
  });
});

describe("softmax without its maximum", () => {
  const way = (infinite: number, infiniteSums: number, notNumbers: number): object => {
    return { weights: [[1]], infinite, infiniteSums, notNumbers };
  };
  const answer = {
    plainSingle: way(0, 2, 0),
    shiftedSingle: way(0, 0, 0),
    plainDouble: way(1, 0, 0),
    shiftedDouble: way(0, 0, 3),
    largestSingle: 88.72,
    largestDouble: 709.78,
    fromSingle: 0.99583,
    fromDouble: 12.345,
  };
  const calculator = {
    inputs: { words: ["a"], mask: null },
    worked: { heads: [{ masked: [[1]] }, { masked: [[2]] }] },
    head: 1,
  } as unknown as NonNullable<OnPage["calculator"]>;

  async function shown(given: object): Promise<HeadscopeDemo> {
    found = given;
    const element = await show(overflow, { calculator }, "overflow(times-100)");
    await settled(element);
    return element;
  }

  it("asks for the chosen head with a power of ten, and says which ways fail", async () => {
    const element = await shown(answer);
    expect(latest()).toEqual({ scores: [[2]], times: 10 });
    const caption = (name: string): string => text(element, `[data-way=${name}] .muted`);
    const fine = caption("shiftedSingle");
    for (const name of ["plainSingle", "plainDouble", "shiftedDouble"])
      expect(caption(name)).not.toBe(fine);
    expect(caption("shiftedDouble")).toContain("3");
    // A factor near 1 keeps its digits, a large one has two decimals.
    expect(text(element, "[role=status].note")).toMatch(/0\.9958\b.*12\.3[45]\b/);
  });

  it("says that nothing overflows where no score is above 0", async () => {
    const status = async (given: object): Promise<string> => {
      document.body.replaceChildren();
      return text(await shown({ ...answer, ...given }), "[role=status].note");
    };
    const never = await status({ fromSingle: null, fromDouble: null });
    expect(never).not.toMatch(/\d{2}/);
    expect(await status({ fromSingle: null })).toBe(never);
    expect(await status({})).not.toBe(never);
  });
});

describe("the cost of attention", () => {
  const KINDS = ["attention", "recurrent", "convolutional", "restricted"] as const;
  /** Two heads whose mask leaves every query three keys. */
  const costAt = (tokens: number): AttentionCost => {
    const site = (cells: number): AttentionCost["full"] => {
      return { cells, multiplyAdds: 10 * cells, weightBytes: 4 * cells, vectorBytes: 7 };
    };
    const layers = KINDS.map((kind) => {
      const steps = kind === "attention" ? 1 : tokens;
      return { kind, operations: 11, sequential: steps, path: steps };
    });
    const sites = { full: site(2 * tokens ** 2), masked: site(2 * 3 * tokens) };
    return { tokens, heads: 2, exact: tokens <= 1000, layers, ...sites };
  };
  const points = (of: Parameters<typeof linesOf>[1], costs: AttentionCost[]) =>
    linesOf(costs, of).map((line) => line.points.map(({ y }) => y));

  it("is drawn of the pairs of one head, and of operations and bytes of the layer", () => {
    expect(points("pairs", [costAt(10)])).toEqual([[100], [30]]);
    expect(points("operations", [costAt(10)])).toEqual([[2000], [600], [11], [11]]);
    expect(points("memory", [costAt(10)])).toEqual([[800], [240], [7]]);
    // With three tokens the mask forbids nothing: one line is there, not two.
    expect(linesOf([costAt(3)], "pairs").map(({ tone }) => tone)).toEqual(["ink"]);
    expect(linesOf([costAt(10)], "memory").map(({ tone }) => tone)).toEqual([
      "ink",
      "accent",
      "quiet",
    ]);
  });

  it("is asked for texts up to 100,000 tokens, and listed for this text and the marked ones", async () => {
    const page = await onPage(writer(1), { text: "one two three four five" });
    const ask = vi.spyOn(page.run, "cost");
    ask.mockImplementation(({ lengths }) => Promise.resolve(lengths.map(costAt)));
    const element = await show(cost, page, "cost(of-memory)");
    await settled(element);
    const lengths = ask.mock.calls[0]?.[0].lengths ?? [];
    expect(lengths).toEqual([...new Set(lengths)].sort((one, other) => one - other));
    expect([lengths[0], lengths.at(-1)]).toEqual([6, 100_000]);

    const row = (name: number | string): string[] =>
      all(element, `[data-row="${name}"] > *`).map(textOf);
    expect(row(6)).toEqual(["6", "36", "18", "50.0%", "144 B", "72 B"]);
    expect(row(4096).slice(1)).toEqual(["1.68 × 10⁷", "≈ 12,288", "0.0732%", "64 MiB", "48 KiB"]);
    expect(row(100_000).slice(4)).toEqual(["37.3 GiB", "1.1 MiB"]);
    expect(all(element, "[data-row]").map(({ dataset }) => dataset.row)).toEqual([
      ...["6", "1000", "4096", "10000", "100000"],
      ...KINDS,
    ]);
    // The paper's table is for this text: 3 keys a query; d is the width of both heads.
    expect(text(element)).toContain("n = 6 and d = 48");
    expect(text(element)).toMatch(/unmasked keys per query: 3\b/);
    expect(row("attention").slice(1)).toEqual(["n² · d = 11", "1", "1"]);
    expect(row("recurrent").slice(1)).toEqual(["n · d² = 11", "n = 6", "n = 6"]);
    const [chart] = curvesOf(element);
    const words = [0, 512, 1536, 5 * 2 ** 20].map((bytes) => chart?.words.y?.(bytes));
    expect([chart?.marked, ...words]).toEqual([6, "0 B", "512 B", "1.5 KiB", "5 MiB"]);
  });

  it("has powers of ten at the axis, and counts as they are elsewhere", async () => {
    const page = await onPage(writer(1));
    vi.spyOn(page.run, "cost").mockResolvedValue([costAt(4)]);
    const element = await show(cost, page);
    await settled(element);
    const words = [1, 10, 1000, 20, 1e7].map((count) => curvesOf(element)[0]?.words.y?.(count));
    expect(words).toEqual(["1", "10¹", "10³", "20", "10⁷"]);
  });
});
