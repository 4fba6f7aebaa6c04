// @vitest-environment happy-dom
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { LabSettings, setting } from "./lab-settings.js";
import { FLAG, numberIn, oneOf, someOf, TEXT, type LabValue } from "./lab-values.js";

const LAYOUTS = ["interleaved", "halves"] as const;
const PARTS = ["stages", "low-rank"] as const;

class Lab extends LitElement {
  static override properties = {
    dim: {},
    base: {},
    layout: {},
    on: {},
    own: {},
    open: { attribute: false },
  };
  declare dim: number;
  declare base: number;
  declare layout: (typeof LAYOUTS)[number];
  declare on: boolean;
  declare own: string;
  declare open: readonly (typeof PARTS)[number][];
  protected readonly settings: LabSettings;

  constructor() {
    super();
    Object.assign(this, {
      dim: 64,
      base: 10_000,
      layout: "interleaved",
      on: false,
      own: "a b",
      open: [],
    });
    this.settings = new LabSettings(this, "waves", {
      dim: setting(
        numberIn({ least: 2, most: 512, even: true }),
        () => this.dim,
        (dim) => (this.dim = dim),
      ),
      base: setting(
        numberIn({ least: 0.001, most: 1e6, whole: false }),
        () => this.base,
        (base) => (this.base = base),
      ),
      layout: setting(
        oneOf(LAYOUTS),
        () => this.layout,
        (layout) => (this.layout = layout),
      ),
      on: setting(
        FLAG,
        () => this.on,
        (on) => (this.on = on),
      ),
      text: setting(
        TEXT,
        () => this.own,
        (own) => (this.own = own),
      ),
      open: setting(
        someOf(PARTS),
        () => this.open,
        (open) => (this.open = open),
      ),
    });
  }

  override render(): TemplateResult {
    return html`${this.dim}`;
  }
}
customElements.define("lab-settings-host", Lab);

const OPEN: LabValue<12 | 24 | null> = {
  encode: (size) => String(size ?? ""),
  decode: (text) => (text === "" ? null : oneOf([12, 24] as const).decode(text)),
};

/** One whose numbers bound each other: `head` when it is set, `pair` when it updates. */
class Bounded extends LitElement {
  static override properties = { heads: {}, head: {}, pair: {}, chosen: {} };
  declare heads: number;
  declare head: number;
  declare pair: number;
  declare chosen: 12 | 24 | null;
  protected readonly settings: LabSettings;

  constructor() {
    super();
    Object.assign(this, { heads: 8, head: 1, pair: 1, chosen: null });
    this.settings = new LabSettings(this, "heads", {
      head: setting(
        numberIn({ least: 1, most: 64 }),
        () => this.head,
        (head) => (this.head = Math.min(head, this.heads)),
      ),
      heads: setting(
        numberIn({ least: 1, most: 64 }),
        () => this.heads,
        (heads) => (this.head = Math.min(this.head, (this.heads = heads))),
      ),
      pair: setting(
        numberIn({ least: 1, most: 64 }),
        () => this.pair,
        (pair) => (this.pair = pair),
      ),
      size: setting(
        OPEN,
        () => this.chosen,
        (chosen) => (this.chosen = chosen),
      ),
    });
  }

  protected override willUpdate(): void {
    this.pair = Math.min(this.pair, this.heads);
  }

  get numbers(): readonly (number | null)[] {
    return [this.heads, this.head, this.pair, this.chosen];
  }

  override render(): TemplateResult {
    return html`${this.heads}`;
  }
}
customElements.define("lab-bounded-host", Bounded);

/** One whose number is bounded by a text that comes later. */
class Late extends LitElement {
  static override properties = { word: {}, words: {} };
  declare word: number;
  declare words: number | null;
  protected readonly settings: LabSettings;

  constructor() {
    super();
    Object.assign(this, { word: 1, words: null });
    this.settings = new LabSettings(
      this,
      "effect",
      {
        word: setting(
          numberIn({ least: 1, most: 1000 }),
          () => this.word,
          (word) => (this.word = word),
        ),
      },
      () => this.words !== null,
    );
  }

  protected override willUpdate(): void {
    if (this.settings.arriving) this.word = Math.min(this.word, this.words ?? 0);
  }

  override render(): TemplateResult {
    return html`${this.word}`;
  }
}
customElements.define("lab-late-host", Late);

let state: State = DEFAULT_STATE;
let unread: string[] = [];
let steps: { labs: string | null; goesOn: boolean }[] = [];
const listeners = new Set<() => void>();
const tell = ({ detail }: HTMLElementEventMap["headscope-state"]): void => {
  detail.state = state;
  detail.listen = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
};
const put = ({ detail }: HTMLElementEventMap["headscope-set"]): void => {
  state = { ...state, labs: detail.labs };
  steps.push(detail);
};
const change = ({ detail }: HTMLElementEventMap["headscope-patch"]): void =>
  void (state = { ...state, ...detail });
const note = ({ detail }: HTMLElementEventMap["headscope-unread"]): void =>
  void unread.push(detail);

beforeEach(() => {
  state = DEFAULT_STATE;
  unread = [];
  steps = [];
  document.body.addEventListener("headscope-set", put);
  document.body.addEventListener("headscope-state", tell);
  document.body.addEventListener("headscope-patch", change);
  document.body.addEventListener("headscope-unread", note);
});
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  expect(listeners.size).toBe(0);
  document.body.removeEventListener("headscope-set", put);
  document.body.removeEventListener("headscope-state", tell);
  document.body.removeEventListener("headscope-patch", change);
  document.body.removeEventListener("headscope-unread", note);
});

async function on<Host extends LitElement>(element: Host): Promise<Host> {
  document.body.append(element);
  await element.updateComplete;
  return element;
}

const lab = (): Promise<Lab> => on(new Lab());

async function follow(element: LitElement, labs: string | null): Promise<void> {
  state = { ...state, labs };
  unread = [];
  for (const listener of [...listeners]) listener();
  await element.updateComplete;
}

describe("settings of a laboratory", () => {
  it("are in the State where they differ from what it opens on, beside those of others", async () => {
    state = { ...state, labs: "scores(dim-8)" };
    const element = await lab();
    expect(state.labs).toBe("scores(dim-8)");
    Object.assign(element, { dim: 128, base: 0.5, on: true, open: ["low-rank", "stages"] });
    await element.updateComplete;
    expect(state.labs).toBe("scores(dim-8)waves(dim-128,base-0.5,on-yes,open-stages.low_rank)");
    Object.assign(element, { dim: 64, base: 10_000, on: false, open: [] });
    await element.updateComplete;
    expect(state.labs).toBe("scores(dim-8)");
  });

  it("come from the State when it opens, and again when another address is followed", async () => {
    state = { ...state, labs: "waves(dim-128,layout-halves,on-yes,open-low_rank)" };
    const element = await lab();
    expect([element.dim, element.layout, element.on, element.open, element.base]).toEqual([
      128,
      "halves",
      true,
      ["low-rank"],
      10_000,
    ]);
    state = { ...state, labs: "waves(base-2)" };
    for (const listener of [...listeners]) listener();
    await element.updateComplete;
    expect([element.dim, element.layout, element.base, state.labs, unread]).toEqual([
      64,
      "interleaved",
      2,
      "waves(base-2)",
      [],
    ]);
  });

  it("that cannot be stay as they open, are named, and leave the State", async () => {
    state = { ...state, labs: "waves(dim-1e9,layout-none,odd-3,base-5)" };
    const element = await lab();
    expect([element.dim, element.layout, element.base, unread, state.labs]).toEqual([
      64,
      "interleaved",
      5,
      ["labs: dim,layout,odd"],
      "waves(base-5)",
    ]);
    for (const labs of [
      "waves(dim-)",
      "waves(dim-7)",
      "waves(dim-NaN)",
      "waves(dim--4)",
      "waves(dim-2.5)",
      "waves(open-none)",
      "waves(constructor-1)",
    ]) {
      element.remove();
      state = { ...state, labs };
      unread = [];
      document.body.append(element);
      await element.updateComplete;
      expect([element.dim, unread.length], labs).toEqual([64, 1]);
    }
  });

  it("are the same wherever a link is followed, in whatever order it names them", async () => {
    for (const before of [
      null,
      "heads(heads-2,head-2,pair-2,size-12)",
      "heads(heads-64,head-60,pair-50)",
    ]) {
      const element = await on(new Bounded());
      for (const [labs, numbers] of [
        ["heads(head-5)", [8, 5, 1, null]],
        ["heads(head-12,heads-16,pair-9)", [16, 12, 9, null]],
        ["heads(size-24,heads-16,head-12)", [16, 12, 1, 24]],
        [null, [8, 1, 1, null]],
      ] as const) {
        await follow(element, before);
        await follow(element, labs);
        expect([element.numbers, unread], `${labs} after ${before}`).toEqual([numbers, []]);
      }
      element.remove();
    }
  });

  it("that contradict each other are named, and the address says what holds", async () => {
    state = { ...state, labs: "heads(heads-4,head-60,pair-4)" };
    const element = await on(new Bounded());
    expect([element.numbers, unread, state.labs]).toEqual([
      [4, 4, 4, null],
      ["labs: head"],
      "heads(head-4,heads-4,pair-4)",
    ]);
    await follow(element, "heads(pair-60,heads-4,size-13)");
    expect([element.numbers, unread, state.labs]).toEqual([
      [4, 1, 4, null],
      ["labs: pair,size"],
      "heads(heads-4,pair-4)",
    ]);
    unread = [];
    element.heads = 2;
    await element.updateComplete;
    expect([element.pair, unread]).toEqual([2, []]);
  });

  it("are one step to take back for each move of a slider, however long it lasts, and for keys and typing from pause to pause", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const element = await lab();
    const to = async (changes: Partial<Lab>, after = 100): Promise<void> => {
      vi.advanceTimersByTime(after);
      Object.assign(element, changes);
      await element.updateComplete;
    };
    const drag = async (...moves: Partial<Lab>[]): Promise<void> => {
      element.dispatchEvent(new Event("pointerdown"));
      for (const move of moves) await to(move, 5000);
      window.dispatchEvent(new Event("pointerup"));
    };
    await drag({ dim: 66 }, { dim: 68, base: 20 }, { dim: 70 });
    await drag({ dim: 72 });
    await to({ dim: 74 });
    await to({ dim: 76 });
    await to({ base: 30 });
    await to({ base: 40 }, 2000);
    expect(steps.map(({ goesOn }) => goesOn)).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
    // What is taken back or followed is nobody's step, and none goes on behind it.
    await follow(element, "waves(dim-70)");
    expect([element.dim, element.base, steps.length]).toEqual([70, 10_000, 8]);
    await to({ base: 50 });
    expect([steps.length, steps.at(-1)]).toEqual([
      9,
      { labs: "waves(dim-70,base-50)", goesOn: false },
    ]);
    await follow(element, "waves(dim-7,base-3)");
    expect([state.labs, steps.length]).toEqual(["waves(base-3)", 9]);
  });

  it("that a text has not are named when it is known, once, and are a wish from then on", async () => {
    for (const [labs, word, wrong] of [
      ["effect(word-500)", 4, ["labs: word"]],
      ["effect(word-3)", 3, []],
    ] as const) {
      state = { ...state, labs };
      unread = [];
      const element = await on(new Late());
      expect([element.word, unread, state.labs]).toEqual([Number(/\d+/.exec(labs)?.[0]), [], labs]);
      element.words = 4;
      await element.updateComplete;
      expect([element.word, unread, state.labs]).toEqual([word, wrong, `effect(word-${word})`]);
      element.words = 2;
      await element.updateComplete;
      expect([element.word, unread, steps]).toEqual([word, wrong, []]);
      element.remove();
    }
  });

  it("that say where one is are no step", async () => {
    const element = await on(new Bounded());
    element.heads = 12;
    await element.updateComplete;
    expect([state.labs, steps]).toEqual(["heads(heads-12)", []]);
  });

  it("that are only written otherwise contradict nothing", async () => {
    state = { ...state, labs: "waves(base-1e3,dim-08,open-low_rank.stages)" };
    const element = await lab();
    expect([element.dim, element.base, element.open, unread, state.labs]).toEqual([
      8,
      1000,
      PARTS,
      [],
      "waves(dim-8,base-1000,open-stages.low_rank)",
    ]);
  });

  it("are a reader's own text, whatever stands in it, and none at all", async () => {
    const element = await lab();
    for (const [own, written] of [
      ["Don’t (stop), 100% x-y_z.", "waves(text-Don.2019.t_.28.stop.29..2c._100.25._x-y.5f.z.2e.)"],
      ["狗\n🐕", "waves(text-.72d7..a..1f415.)"],
      ["", "waves(text-)"],
    ] as const) {
      element.own = own;
      await element.updateComplete;
      expect(state.labs).toBe(written);
      await follow(element, null);
      expect(element.own).toBe("a b");
      await follow(element, written);
      expect([element.own, unread]).toEqual([own, []]);
    }
    await follow(element, "waves(text-.110000.,dim-8)");
    expect([element.own, element.dim, unread]).toEqual(["a b", 8, ["labs: text"]]);
  });
});
