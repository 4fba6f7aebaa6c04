// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type {
  Alibi,
  AlibiAsked,
  Bucketed,
  BucketsAsked,
  FourTerms,
  FourTermsAsked,
  Rotary,
  RotaryAsked,
  TurnedPair,
} from "../../../../data/index.js";
import { PAPER_INKS } from "../../../../export/sheet.js";
import { SvgBrush } from "../../../../export/svg/brush.js";
import { HeadscopeNumbers } from "../../../../elements/numbers/index.js";
import { mount } from "../../../../elements/testing/mount.js";
import { loadSentences, setLanguage } from "../../../../i18n/index.js";
import { DEFAULT_STATE } from "../../../../state/index.js";
import { HeadscopeLabAlibi } from "./alibi.js";
import { HeadscopeLabBuckets } from "./buckets.js";
import { HeadscopeLabFourTerms } from "./four-terms.js";
import { HeadscopeLabRotary } from "./rotary.js";

type Question = RotaryAsked & AlibiAsked & BucketsAsked & FourTermsAsked;
const asked: { what: string; question: Question }[] = [];

/** A query that points along the first number of each pair and a key that points half a turn away, both of length 2. */
function turned({ headDim }: RotaryAsked, score: number): TurnedPair {
  const along = (length: number): number[] =>
    Array.from({ length: headDim }, (_, at) => (at < headDim / 2 ? length : 0));
  return { query: along(2), key: along(-2), score };
}

/** What the next answers wait for. */
let held: Promise<void> | null = null;

const ANSWERS = {
  rotary: (ask: RotaryAsked): Rotary => ({
    speeds: Array.from({ length: ask.headDim / 2 }, (_, pair) => 1 / (pair + 1)),
    drawn: turned(ask, 3),
    here: turned(ask, 1.25),
    shifted: turned(ask, 1.2500001),
    residue: 1e-7,
    scores: Array.from({ length: 255 }, (_, at) => at - 127),
  }),
  alibi: ({ heads, length, head }: AlibiAsked): Alibi => ({
    slopes: Array.from({ length: heads }, (_, at) => 2 ** -(at + 1)),
    biases: Array.from({ length: heads * length }, (_, at) => -at),
    matrix: Array.from({ length: length * length }, (_, at) => -head - at),
  }),
  buckets: ({ buckets, heads, length }: BucketsAsked): Bucketed => ({
    borders: [
      { distance: -160, bucket: 31 },
      { distance: 0, bucket: 0 },
      { distance: 160, bucket: 15 },
    ],
    matrix: Array.from({ length: length * length }, (_, at) => at % buckets),
    biases: Array.from({ length: heads * buckets }, (_, at) => at),
    bias: Array.from({ length: length * length }, () => 0.5),
  }),
  fourTerms: ({ length }: FourTermsAsked): FourTerms => {
    const each = (number: number): number[] =>
      Array.from({ length: length * length }, (_, at) => number + at / 100);
    return { terms: [each(1), each(-2), each(0.5), each(4)], scores: each(3.5), residue: 2e-7 };
  },
};

vi.mock("../../../../headscope.js", async (original) => ({
  ...(await original<object>()),
  theLab: () =>
    Promise.resolve({
      ask: (what: keyof typeof ANSWERS, question: Question): Promise<unknown> => {
        asked.push({ what, question });
        return question.seed === 13
          ? Promise.reject(new Error("no answer"))
          : held
            ? held.then(() => ANSWERS[what](question))
            : Promise.resolve(ANSWERS[what](question));
      },
    }),
}));

async function settled(lab: LitElement): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
  await lab.updateComplete;
}

/** Whoever follows the State. */
const listeners = new Map<EventTarget, () => void>();

async function on<Lab extends LitElement>(lab: Lab): Promise<Lab> {
  lab.addEventListener(
    "headscope-state",
    ({ detail }) =>
      (detail.listen = (listener) => {
        listeners.set(lab, listener);
        return () => listeners.delete(lab);
      }),
    { once: true },
  );
  await mount(lab, {});
  await settled(lab);
  return lab;
}

async function slide(lab: LitElement, id: string, detail: number): Promise<void> {
  lab.renderRoot
    .querySelector(`#${id}`)
    ?.dispatchEvent(new CustomEvent("headscope-slide", { detail }));
  await settled(lab);
}

/** What a link to a laboratory says and does not come to be, once it is followed. */
async function unreadOf(lab: LitElement, labs: string): Promise<string[]> {
  const unread: string[] = [];
  lab.addEventListener(
    "headscope-state",
    ({ detail }) => (detail.state = { ...DEFAULT_STATE, labs }),
    { once: true },
  );
  lab.addEventListener("headscope-unread", ({ detail }) => unread.push(detail), { once: true });
  listeners.get(lab)?.();
  await settled(lab);
  return unread;
}

async function tick(lab: LitElement, id: string, checked: boolean): Promise<void> {
  const box = lab.renderRoot.querySelector<HTMLInputElement>(`#${id}`);
  if (!box) throw new Error(`no ${id}`);
  box.checked = checked;
  box.dispatchEvent(new Event("change"));
  await settled(lab);
}

const latest = (): Question | undefined => asked.at(-1)?.question;
const matrices = (lab: LitElement): HeadscopeNumbers[] =>
  [...lab.renderRoot.querySelectorAll("headscope-numbers")].filter(
    (one) => one instanceof HeadscopeNumbers,
  );

beforeAll(() => loadSentences("bench"));
beforeEach(() => asked.splice(0));
afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
  vi.useRealTimers();
});

describe("the figures of the schemes", () => {
  it("can all be saved, each with a name of its own and what decides its numbers", async () => {
    const labs = [
      new HeadscopeLabRotary(),
      new HeadscopeLabAlibi(),
      new HeadscopeLabBuckets(),
      new HeadscopeLabFourTerms(),
    ];
    for (const [at, count] of [2, 2, 4, 5].entries()) {
      const one = labs[at];
      if (!one) throw new Error("no laboratory");
      const lab = await on(one);
      const saving = [...lab.renderRoot.querySelectorAll("headscope-save-figure")];
      expect([saving.length, new Set(saving.map(({ name }) => name)).size]).toEqual([count, count]);
      expect(
        [
          ...lab.renderRoot.querySelectorAll(
            "headscope-curves, headscope-numbers, headscope-turning-hands",
          ),
        ].every((figure) => figure.closest("headscope-save-figure")),
      ).toBe(true);
      for (const { details, of } of saving) expect([details.length > 1, of]).toEqual([true, "lab"]);
    }
  });

  it("have formulas that say what the engine computes", async () => {
    const words = async (lab: LitElement): Promise<string> =>
      [...(await on(lab)).renderRoot.querySelectorAll("math")]
        .map(({ textContent }) => textContent.replace(/\s/g, ""))
        .join(" ");
    expect(await words(new HeadscopeLabBuckets())).toContain(
      "B(δ)=min(n−1,e+⌊ln(δ/e)ln(δmax/e)·(n−e)⌋) (δ≥e) e=⌊n/2⌋",
    );
    expect(await words(new HeadscopeLabAlibi())).toContain("(whereHisapoweroftwo)");
  });
});

describe("<headscope-lab-rotary>", () => {
  const dials = async (lab: LitElement): Promise<NodeListOf<HTMLElement>> => {
    const hands = lab.renderRoot.querySelector("headscope-turning-hands");
    await hands?.updateComplete;
    return (hands ?? lab).renderRoot.querySelectorAll<HTMLElement>("[data-pair]");
  };

  it("asks for what is chosen, and has a dial for each pair, all of them on request", async () => {
    const lab = await on(new HeadscopeLabRotary());
    expect(latest()).toEqual({
      query: 9,
      key: 4,
      shift: 20,
      headDim: 16,
      base: 10_000,
      seed: 1,
      alike: false,
    });
    await slide(lab, "headDim", 64);
    expect(latest()?.headDim).toBe(64);
    expect(await dials(lab)).toHaveLength(8);
    lab.renderRoot
      .querySelector("headscope-turning-hands")
      ?.renderRoot.querySelector("button")
      ?.click();
    expect(await dials(lab)).toHaveLength(32);
    await tick(lab, "alike", true);
    expect(latest()?.alike).toBe(true);
  });

  it("shows where both are moved on to only once they are, the angle between them, and both scores with the residue", async () => {
    const lab = await on(new HeadscopeLabRotary());
    expect(Math.abs(Number((await dials(lab))[0]?.dataset.between))).toBe(180);
    expect((await dials(lab))[0]?.querySelectorAll("line.moved")).toHaveLength(2);
    await slide(lab, "shift", 0);
    expect((await dials(lab))[0]?.querySelector(".moved")).toBeNull();
    // The same line twice would say nothing.
    expect(lab.renderRoot.querySelector("[data-score=shifted]")).toBeNull();
    await slide(lab, "shift", 100);
    expect((await dials(lab))[0]?.querySelectorAll("line.moved")).toHaveLength(2);
    const score = (name: string): number =>
      Number(lab.renderRoot.querySelector<HTMLElement>(`[data-score=${name}] td`)?.dataset.value);
    expect([score("here"), score("shifted"), score("residue")]).toEqual([1.25, 1.2500001, 1e-7]);
    expect(lab.renderRoot.querySelector("[data-score=shifted] th")?.textContent).toBe(
      "at m = 109, n = 104",
    );
    const curves = lab.renderRoot.querySelector("headscope-curves");
    expect([curves?.marked, curves?.lines[0]?.points[0]]).toEqual([5, { x: -127, y: -127 }]);
  });

  it("has the angles of its hands as a table on request", async () => {
    const lab = await on(new HeadscopeLabRotary());
    await dials(lab);
    const hands = lab.renderRoot.querySelector("headscope-turning-hands");
    const toggle = [...(hands?.renderRoot.querySelectorAll("button") ?? [])].find(
      ({ textContent }) => textContent.trim() === "Show the numbers",
    );
    toggle?.click();
    await hands?.updateComplete;
    const rows = [...(hands?.renderRoot.querySelectorAll("tr") ?? [])].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
    expect(rows).toHaveLength(9);
    expect(rows[0]).toEqual(hands?.table()?.columns);
    expect(rows[2]?.slice(0, 4)).toEqual(["1", "0.500", "0°", "180°"]);
  });

  it("has its hands in files: as dials with their angles, and as a table of those that are shown", async () => {
    const lab = await on(new HeadscopeLabRotary());
    await dials(lab);
    const hands = lab.renderRoot.querySelector("headscope-turning-hands");
    const table = hands?.table();
    expect([table?.rows.length, table?.columns.length, table?.columns.at(-1)]).toEqual([
      8,
      8,
      "∠, s = 20",
    ]);
    expect(table?.rows[1]).toEqual([
      1,
      0.5,
      0,
      expect.closeTo(180),
      expect.closeTo(-180),
      0,
      expect.closeTo(180),
      expect.closeTo(-180),
    ]);
    const brush = new SvgBrush("test", "sans-serif", () => (text) => text.length * 8);
    const print = hands?.print(PAPER_INKS);
    print?.paint(brush);
    const drawn = await brush.markup();
    expect(drawn.match(/∠ −?180°/g)).toHaveLength(8);
    expect(drawn.match(/stroke-dasharray/g)).toHaveLength(17);
    await slide(lab, "shift", 0);
    expect(hands?.table()?.columns).toHaveLength(5);
  });

  it("names what is drawn by the numbers that it is of, also while the next answer is on its way", async () => {
    const lab = await on(new HeadscopeLabRotary());
    lab.renderRoot
      .querySelector("#query")
      ?.dispatchEvent(new CustomEvent("headscope-slide", { detail: 20 }));
    await lab.updateComplete;
    await settled(lab);
    expect(lab.renderRoot.querySelector("[data-score=here] th")?.textContent).toBe(
      "at m = 20, n = 4",
    );
    await slide(lab, "seed", 12);
    let go: () => void = () => undefined;
    held = new Promise((resolve) => (go = resolve));
    await slide(lab, "query", 30);
    expect(lab.renderRoot.querySelector("[data-score=here] th")?.textContent).toBe(
      "at m = 20, n = 4",
    );
    expect(lab.renderRoot.querySelector("headscope-curves")?.marked).toBe(16);
    go();
    held = null;
    await settled(lab);
    expect(lab.renderRoot.querySelector("[data-score=here] th")?.textContent).toBe(
      "at m = 30, n = 4",
    );
  });

  it("keeps an odd width that was typed in its field, says why it is not drawn, and draws an even one", async () => {
    const lab = await on(new HeadscopeLabRotary());
    const slider = lab.renderRoot.querySelector("#headDim");
    const field = slider?.shadowRoot?.querySelector<HTMLInputElement>("input[type=number]");
    if (!field) throw new Error("no field");
    for (const [typed, drawn, code] of [
      ["17", 16, "field/not-even"],
      ["17", 16, "field/not-even"],
      ["1", 16, "field/out-of-range"],
      ["18", 18, undefined],
    ] as const) {
      field.value = typed;
      field.dispatchEvent(new Event("change"));
      await settled(lab);
      expect([
        field.value,
        latest()?.headDim,
        slider?.shadowRoot?.querySelector(".refusal code")?.textContent,
      ]).toEqual([typed, drawn, code]);
    }
  });

  it("moves both on while it is played, and stops when told to or when it leaves the page", async () => {
    vi.useFakeTimers();
    const lab = await on(new HeadscopeLabRotary());
    const play = lab.renderRoot.querySelector<HTMLElement>("#play");
    play?.click();
    vi.advanceTimersByTime(1000);
    await settled(lab);
    const reached = latest()?.shift ?? 0;
    expect(reached).toBeGreaterThan(22);
    play?.click();
    vi.advanceTimersByTime(1000);
    await settled(lab);
    expect(latest()?.shift).toBe(reached);
    play?.click();
    lab.remove();
    vi.advanceTimersByTime(1000);
    expect(latest()?.shift).toBe(reached);
  });

  it("says when there is no answer", async () => {
    const lab = await on(new HeadscopeLabRotary());
    await slide(lab, "seed", 13);
    expect(lab.renderRoot.querySelector("[role=status]")?.textContent).toMatch(
      /no answer.* unexpected$/,
    );
    await slide(lab, "seed", 14);
    expect(lab.renderRoot.querySelector("[role=status]")).toBeNull();
  });
});

describe("<headscope-lab-alibi>", () => {
  it("lists all slopes, draws some lines of many heads with the chosen one, and follows the number of heads", async () => {
    const lab = await on(new HeadscopeLabAlibi());
    await slide(lab, "heads", 20);
    await slide(lab, "head", 18);
    expect(latest()).toEqual({ heads: 20, length: 24, head: 17 });
    expect(lab.renderRoot.querySelectorAll("[data-slope]")).toHaveLength(20);
    expect(lab.renderRoot.textContent).toContain("20 is no power of two");
    const lines = lab.renderRoot.querySelector("headscope-curves")?.lines ?? [];
    expect(lines.filter(({ tone }) => tone === "accent").map(({ name }) => name)).toEqual([
      "head 18",
    ]);
    expect(lines.length).toBeLessThan(10);
    expect(lines.at(-1)?.points[1]).toEqual({ x: 1, y: -(19 * 24 + 1) });
    await slide(lab, "heads", 4);
    expect(latest()?.head).toBe(3);
  });

  it("tells of a head that a link asks for and that it does not have", async () => {
    const lab = await on(new HeadscopeLabAlibi());
    expect([await unreadOf(lab, "alibi(heads-4,head-60)"), latest()]).toEqual([
      ["labs: head"],
      { heads: 4, length: 24, head: 3 },
    ]);
    expect([await unreadOf(lab, "alibi(heads-60,head-60)"), latest()]).toEqual([
      [],
      { heads: 60, length: 24, head: 59 },
    ]);
  });

  it("hatches the future until it is allowed", async () => {
    const lab = await on(new HeadscopeLabAlibi());
    const first = (): number[] => [...(matrices(lab)[0]?.tensor?.data.subarray(0, 3) ?? [])];
    expect(first()).toEqual([-0, NaN, NaN]);
    await tick(lab, "causal", false);
    expect(first()).toEqual([-0, -1, -2]);
  });
});

describe("<headscope-lab-buckets>", () => {
  const inputs = (lab: LitElement): HTMLInputElement[] => [
    ...(lab.renderRoot.querySelector("#buckets")?.shadowRoot?.querySelectorAll("input") ?? []),
  ];
  const refusal = (lab: LitElement): string | undefined =>
    lab.renderRoot.querySelector("#buckets")?.shadowRoot?.querySelector(".refusal code")
      ?.textContent;
  async function put(
    lab: LitElement,
    input: HTMLInputElement | undefined,
    value: string,
  ): Promise<void> {
    if (!input) throw new Error("no field");
    input.value = value;
    input.dispatchEvent(new Event(input.type === "range" ? "input" : "change"));
    await settled(lab);
  }

  it("takes no more buckets than its largest distance allows, typed or slid, and says so as the bench does", async () => {
    const lab = await on(new HeadscopeLabBuckets());
    await slide(lab, "maxDistance", 40);
    const [range, field] = inputs(lab);
    for (const [input, value, stands] of [
      [field, "100", "100"],
      [range, "90", "32"],
    ] as const) {
      await put(lab, input, value);
      expect([
        input?.value,
        field?.value,
        field?.getAttribute("aria-invalid"),
        refusal(lab),
      ]).toEqual([stands, value, "true", "field/buckets"]);
      expect(latest()).toMatchObject({ buckets: 32, maxDistance: 40 });
    }
    // Back at the number that holds, nothing is refused any more.
    await put(lab, range, "32");
    expect([field?.value, field?.getAttribute("aria-invalid"), refusal(lab)]).toEqual([
      "32",
      null,
      undefined,
    ]);
    await put(lab, range, "78");
    expect(latest()).toMatchObject({ buckets: 78, maxDistance: 40 });
  });

  it("opens a link the same wherever it is followed, keeps to the engine's limits, and tells what they changed", async () => {
    const lab = await on(new HeadscopeLabBuckets());
    const links = [
      [
        "buckets-64,maxDistance-40,heads-2",
        { buckets: 64, maxDistance: 40, heads: 2, head: 0 },
        [],
      ],
      ["maxDistance-20,head-5", { buckets: 32, maxDistance: 20, heads: 8, head: 4 }, []],
      [
        "head-12,heads-16,maxDistance-9,buckets-16",
        { buckets: 16, maxDistance: 9, heads: 16, head: 11 },
        [],
      ],
      [
        "buckets-32,maxDistance-8",
        { buckets: 32, maxDistance: 17, heads: 8 },
        ["labs: maxDistance"],
      ],
      ["heads-2,head-5", { buckets: 32, maxDistance: 128, heads: 2, head: 1 }, ["labs: head"]],
    ] as const;
    for (const [settings, numbers, told] of links) {
      expect([await unreadOf(lab, `buckets(${settings})`), latest()], settings).toEqual([
        told,
        expect.objectContaining(numbers),
      ]);
    }
  });

  it("has the sides that are chosen, and no head beyond the last", async () => {
    const lab = await on(new HeadscopeLabBuckets());
    expect(latest()?.bothSides).toBe(true);
    lab.renderRoot
      .querySelector("headscope-choice")
      ?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "one" }));
    await settled(lab);
    expect(latest()?.bothSides).toBe(false);
    await slide(lab, "head", 8);
    await slide(lab, "heads", 2);
    expect(latest()).toMatchObject({ heads: 2, head: 1 });
  });

  it("has steps, buckets that read as whole numbers, and what heads add by bucket, said to be untrained", async () => {
    const lab = await on(new HeadscopeLabBuckets());
    const curves = lab.renderRoot.querySelector("headscope-curves");
    expect([curves?.stepped, curves?.lines[0]?.points.map(({ x }) => x)]).toEqual([
      true,
      [-160, 0, 160],
    ]);
    expect(matrices(lab).map(({ tensor, counts }) => [tensor?.shape, counts])).toEqual([
      [[40, 40], true],
      [[8, 32], false],
      [[40, 40], false],
    ]);
    expect(lab.renderRoot.querySelector("#untrained")?.textContent).toContain("Untrained");
  });
});

describe("<headscope-lab-four-terms>", () => {
  it("draws four terms and their sum on one scale, and adds up the pair that is pointed at in any of them", async () => {
    const lab = await on(new HeadscopeLabFourTerms());
    const all = matrices(lab);
    expect(all).toHaveLength(5);
    expect(new Set(all.map(({ beside }) => beside)).size).toBe(1);
    expect(all[0]?.beside?.data).toHaveLength(5 * 144);
    all[2]?.dispatchEvent(
      new CustomEvent("headscope-cell-hover", {
        detail: { query: 0, key: 1 },
        bubbles: true,
        composed: true,
      }),
    );
    await settled(lab);
    expect(lab.renderRoot.querySelector("#sum span")?.textContent).toBe(
      "Query 1, key 2: 1.010 − 1.990 + 0.510 + 4.010 = 3.510",
    );
    expect(all.map(({ focused }) => focused?.key)).toEqual([1, 1, 1, 1, 1]);
  });

  it("lets go of a pair that a shorter text does not have", async () => {
    const lab = await on(new HeadscopeLabFourTerms());
    matrices(lab)[0]?.dispatchEvent(
      new CustomEvent("headscope-cell-hover", { detail: { query: 11, key: 11 } }),
    );
    await slide(lab, "length", 1);
    expect(latest()).toEqual({ length: 1, dim: 16, seed: 1 });
    expect(lab.renderRoot.querySelector("[data-cell]")?.getAttribute("data-cell")).toBe("0,0");
  });
});
