// @vitest-environment happy-dom
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { LabSettings } from "./lab-settings.js";
import { FLAG, numberIn, oneOf, someOf, TEXT } from "./lab-values.js";

const PARTS = ["stages", "low-rank"] as const;
const KINDS = {
  dim: numberIn({ least: 2, most: 512, even: true }),
  base: numberIn({ least: 0.001, most: 1e6, whole: false }),
  layout: oneOf(["interleaved", "halves"]),
  on: FLAG,
  text: TEXT,
  open: someOf(PARTS),
};
const OPENS = { dim: 64, base: 10_000, layout: "interleaved", on: false, text: "a b", open: [] };

/** A demo whose base is no more than half of its width squared, once `most` is known. */
class Lab extends LitElement {
  static override properties = { values: {}, most: {} };
  declare values: Record<string, unknown>;
  declare most: number | null;
  protected readonly settings: LabSettings;

  constructor(name = "waves") {
    super();
    Object.assign(this, { values: OPENS, most: Infinity });
    this.settings = new LabSettings(
      this,
      name,
      {
        kinds: KINDS,
        read: (key) => this.values[key],
        put: (key, value) => (this.values = { ...this.values, [key]: value }),
      },
      () => this.most !== null,
    );
  }

  protected override willUpdate(): void {
    if (this.settings.arriving)
      this.values = { ...this.values, base: Math.min(Number(this.values.base), this.most ?? 0) };
  }

  override render(): TemplateResult {
    return html``;
  }
}
customElements.define("lab-settings-host", Lab);

let state: State = DEFAULT_STATE;
let unread: string[] = [];
let steps: { labs: string | null; goesOn: boolean }[] = [];
const listeners = new Set<() => void>();
const left = new AbortController();
const on: AddEventListenerOptions = { signal: left.signal };
document.body.addEventListener(
  "headscope-state",
  ({ detail }) => {
    detail.state = state;
    detail.listen = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
  },
  on,
);
document.body.addEventListener(
  "headscope-set",
  ({ detail }) => {
    state = { ...state, labs: detail.labs };
    steps.push(detail);
  },
  on,
);
document.body.addEventListener(
  "headscope-patch",
  ({ detail }) => (state = { ...state, ...detail }),
  on,
);
document.body.addEventListener("headscope-unread", ({ detail }) => unread.push(detail), on);

beforeEach(() => {
  [state, unread, steps] = [DEFAULT_STATE, [], []];
});
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  expect(listeners.size).toBe(0);
});

async function open(labs: string | null = null, element = new Lab()): Promise<Lab> {
  state = { ...state, labs };
  document.body.append(element);
  await element.updateComplete;
  return element;
}

async function set(element: Lab, changes: Record<string, unknown>): Promise<void> {
  element.values = { ...element.values, ...changes };
  await element.updateComplete;
}

async function follow(element: Lab, labs: string | null): Promise<void> {
  state = { ...state, labs };
  unread = [];
  for (const listener of [...listeners]) listener();
  await element.updateComplete;
}

describe("settings of a demo", () => {
  it("are in the State where they differ from what it opens on, beside those of others", async () => {
    const element = await open("scores(dim-8)");
    await set(element, { dim: 128, base: 0.5, on: true, open: ["low-rank", "stages"] });
    expect(state.labs).toBe("scores(dim-8)waves(dim-128,base-0.5,on-yes,open-stages.low_rank)");
    await set(element, OPENS);
    expect(state.labs).toBe("scores(dim-8)");
  });

  it.each<[string, Record<string, unknown>, string[], string?]>([
    ["waves(dim-128,layout-halves)", { dim: 128, layout: "halves" }, []],
    ["waves(base-2)", { base: 2 }, []],
    ["waves(base-1e3,dim-08)", { base: 1000, dim: 8 }, [], "waves(dim-8,base-1000)"],
    [
      "waves(dim-1e9,layout-none,odd-3,base-5)",
      { base: 5 },
      ["labs: dim,layout,odd"],
      "waves(base-5)",
    ],
    ["waves(toString-1,dim-8)", { dim: 8 }, ["labs: toString"], "waves(dim-8)"],
    ["waves(text-.110000.,dim-8)", { dim: 8 }, ["labs: text"], "waves(dim-8)"],
    ["waves(text-Don.2019.t_.28.stop.29.)", { text: "Don’t (stop)" }, []],
    ["waves(text-.72d7..a..1f415.)", { text: "狗\n🐕" }, []],
    ["waves(text-)", { text: "" }, []],
  ])(
    "of %s are the same when it opens and when it is followed",
    async (labs, values, wrong, written = labs) => {
      const element = await open(labs);
      const seen = (): unknown[] => [element.values, unread, state.labs];
      expect(seen()).toEqual([{ ...OPENS, ...values }, wrong, written]);
      await follow(element, "waves(dim-16,on-yes)");
      await follow(element, labs);
      expect(seen()).toEqual([{ ...OPENS, ...values }, wrong, written]);
    },
  );

  it("are one step to take back for each move of a slider, however long it lasts, and for keys and typing from pause to pause", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const element = await open();
    const to = async (changes: Record<string, unknown>, after = 100): Promise<void> => {
      vi.advanceTimersByTime(after);
      await set(element, changes);
    };
    const drag = async (...moves: Record<string, unknown>[]): Promise<void> => {
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
    await to({ base: 50 });
    expect([steps.length, steps.at(-1)]).toEqual([
      9,
      { labs: "waves(dim-70,base-50)", goesOn: false },
    ]);
  });

  it("that the page has not are named when that is known, once, and are a wish from then on", async () => {
    const element = new Lab();
    element.most = null;
    await open("waves(base-500)", element);
    expect([element.values.base, unread]).toEqual([500, []]);
    for (const most of [4, 2]) {
      element.most = most;
      await element.updateComplete;
      expect([element.values.base, unread, state.labs, steps]).toEqual([
        4,
        ["labs: base"],
        "waves(base-4)",
        [],
      ]);
    }
  });

  it("that say where one is are no step", async () => {
    await set(await open(null, new Lab("heads")), { dim: 8 });
    expect([state.labs, steps]).toEqual(["heads(dim-8)", []]);
  });
});
