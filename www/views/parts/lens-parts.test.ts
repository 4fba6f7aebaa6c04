// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import type { Tensor } from "../../data/index.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { lensOf, lookedAt, type Looked } from "../run/looked.js";
import { tokensOf } from "../run/figures.js";
import { HeadscopeLensNote } from "./picture-controls.js";
import { lensHint, lensSummary } from "./lens-words.js";
import { HeadscopeTogetherList } from "./inspector.js";
import { HeadscopeTokenControls } from "./sentence-parts.js";

afterEach(() => document.body.replaceChildren());

/** A head whose first token takes `share` of every query's weight. */
async function sunk(share: number, state: Partial<State> = {}): Promise<Looked> {
  const run = await new FakeModel(FAKE_WRITER).run({ text: "one two three" });
  const rest = (1 - share) / 3;
  const weights: Tensor = {
    data: Float32Array.from({ length: 16 }, (_, at) => (at % 4 === 0 ? share : rest)),
    shape: [4, 4],
    axes: ["query", "key"],
  };
  const open: Tensor = { ...weights, data: new Float32Array(16) };
  const stages = { raw: open, scores: open, masked: open, weights };
  const figures = {
    run,
    head: { stack: "decoder", layer: 0, head: 0 } as const,
    stages,
    mask: open,
    fullyMasked: [],
    patterns: [{ head: 0, weights }],
    vectors: null,
    ...tokensOf(run, "decoder"),
  };
  return lookedAt(figures, lensOf({ ...DEFAULT_STATE, ...state }));
}

async function mounted<Part extends HTMLElement & { updateComplete: Promise<boolean> }>(
  part: Part,
  properties: Partial<Part>,
): Promise<{ part: Part; said: Partial<State>[] }> {
  const said: Partial<State>[] = [];
  Object.assign(part, properties);
  part.addEventListener("headscope-patch", ({ detail }) => said.push(detail));
  document.body.append(part);
  await part.updateComplete;
  return { part, said };
}

const buttons = (part: HTMLElement): HTMLButtonElement[] => [
  ...(part.shadowRoot?.querySelectorAll("button") ?? []),
];

describe("the note about a sink", () => {
  it("stands where a token takes half of the weight, and offers to leave it out and back again", async () => {
    const { part, said } = await mounted(new HeadscopeLensNote(), { looked: await sunk(0.7) });
    expect(part.shadowRoot?.textContent).toContain(
      "“one” takes 70% of the weight of the queries that may look at more than one key",
    );
    buttons(part)[0]?.click();
    part.looked = await sunk(0.7, { sink: "out" });
    await part.updateComplete;
    expect(buttons(part)[0]?.getAttribute("aria-pressed")).toBe("true");
    buttons(part)[0]?.click();
    expect(said).toEqual([{ sink: "out" }, { sink: "kept" }]);
  });

  it("is silent without one, and where weights are not what is shown", async () => {
    for (const looked of [
      null,
      await sunk(0.4),
      await sunk(0.7, { stage: "raw" }),
      await sunk(0.7, { picture: "mask" }),
    ]) {
      const { part } = await mounted(new HeadscopeLensNote(), { looked });
      expect(buttons(part)).toEqual([]);
    }
  });
});

describe("what was done to a picture", () => {
  it("is said in words, and nothing where nothing was", async () => {
    expect([lensHint(await sunk(0.7)), lensSummary(await sunk(0.7))]).toEqual(["", []]);
    const changed = await sunk(0.7, { sink: "out", specials: "hidden" });
    expect(lensHint(changed)).toBe(
      "Renormalised without “one”: not the weights that the model uses. Rows add up to less than 1: on average 33.3% goes to hidden tokens.",
    );
    expect(lensSummary(changed)).toEqual(["special tokens hidden", "renormalised without “one”"]);
    expect(lensHint(await sunk(0.7, { unit: "word", stage: "raw" }))).toBe(
      "By token here: only weights can be joined into words.",
    );
  });
});

describe("the controls of tokens", () => {
  it("hide special tokens and give them back, and pick several", async () => {
    const { part, said } = await mounted(new HeadscopeTokenControls(), {});
    const several: boolean[] = [];
    part.addEventListener("headscope-several", ({ detail }) => several.push(detail));
    const [specials, pick] = buttons(part);
    specials?.click();
    part.specials = "hidden";
    await part.updateComplete;
    specials?.click();
    pick?.click();
    expect([said, several]).toEqual([[{ specials: "hidden" }, { specials: "shown" }], [true]]);
  });
});

describe("the list of what picked tokens look at", () => {
  it("shows the strongest first, none that has nothing, and lets go", async () => {
    const token = (text: string): Looked["keys"][number] => ({
      id: 0,
      text,
      word: 0,
      special: false,
      role: null,
    });
    const wish = { side: "source", tokens: [0, 1], pool: "sum", looking: "from" } as const;
    const items = [
      { token: token("a"), value: 0.25 },
      { token: token("b"), value: 1.75 },
      { token: token("c"), value: 0 },
    ];
    const { part, said } = await mounted(new HeadscopeTogetherList(), {
      together: {
        ...wish,
        wish,
        bothWays: true,
        picked: [token("a"), token("b")],
        items,
        most: 2,
        side: "source",
        shares: [],
      },
    });
    const bars = part.shadowRoot?.querySelector("headscope-bars");
    expect(bars?.items.map(({ label, text }) => `${label} ${text}`)).toEqual([
      "b 1.750",
      "a 0.250",
    ]);
    expect(bars?.max).toBe(2);
    const choices = part.shadowRoot?.querySelectorAll("headscope-choice");
    const choose = (at: number, value: string): unknown =>
      choices?.[at]?.dispatchEvent(new CustomEvent("headscope-choose", { detail: value }));
    choose(0, "to");
    choose(1, "mean");
    buttons(part)[0]?.click();
    expect(said).toEqual([
      { picked: { ...wish, looking: "to" } },
      { picked: { ...wish, pool: "mean" } },
      { picked: null },
    ]);
  });
});
