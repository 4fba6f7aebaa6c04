// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import type { Cell } from "../data/index.js";
import { matrixOf, mount, tokensOf } from "../elements/testing/mount.js";
import type { Run } from "../headscope.js";
import { words } from "../ui/testing/controls.js";
import { HeadscopeEditChanges, HeadscopeMovedStates } from "./edit-changes.js";
import { HeadscopeOutputRibbon } from "./output-ribbon.js";
import {
  type HeadChange,
  meanVariation,
  type MovedStates,
  type Pairs,
  readMovedStates,
  readPredictionChanges,
  rowVariation,
} from "../session/pairs.js";

const HEAD = { stack: "encoder", layer: 0, head: 2 } as const;
const EDITS = {
  masks: [{ ...HEAD, layers: [0], heads: [2], block: [[1, 1] as [number, number]] }],
};

afterEach(() => document.body.replaceChildren());

async function edited(): Promise<{ before: Run; after: Run; head: HeadChange }> {
  const model = new FakeModel();
  const before = await model.run({ text: "a b c" });
  const after = await model.run({ text: "a b c", edits: EDITS });
  const head = { before: await before.attention(HEAD), after: await after.attention(HEAD) };
  return { before, after, head };
}

it("variation is the share of a row's weight that moved", () => {
  const change = { before: matrixOf(2, [1, 0, 0.5, 0.5]), after: matrixOf(2, [0, 1, 0.5, 0.5]) };
  expect([0, 1].map((row) => rowVariation(change, row))).toEqual([1, 0]);
  expect(meanVariation(change)).toBe(0.5);
});

async function changed(
  known: Partial<Pairs["changes"]>,
  focused: Cell | null = null,
): Promise<string[]> {
  const element = new HeadscopeEditChanges();
  const { renderRoot } = await mount(element, { head: known?.head ?? null, focused });
  return [...renderRoot.querySelectorAll("tbody td, [data-change]")].map(words);
}

describe("<headscope-edit-changes>", () => {
  it("says a pair's weight before and after, the difference, and how far its row moved", async () => {
    const { head } = await edited();
    const before = head.before.data[1 * 4 + 1] ?? NaN;
    expect(await changed({ head }, { query: 1, key: 1 })).toEqual([
      before.toFixed(3),
      "0",
      `−${before.toFixed(3)}`,
      expect.stringContaining(`${(rowVariation(head, 1) * 100).toFixed(1)}%`),
      expect.stringContaining(`${(meanVariation(head) * 100).toFixed(1)}%`),
    ]);
  });
});

describe("<headscope-output-ribbon>", () => {
  it("has the likeliest tokens of both runs with both probabilities as numbers and bars", async () => {
    const { before, after } = await edited();
    const read = await readPredictionChanges(after, before, { kind: "after", position: 1 });
    const shares = read?.shares
      .slice(0, 1)
      .map((share) => ({ ...share, before: 0.5, after: 0.25 }));
    const changes = read && { ...read, shares: shares ?? [] };
    const ribbon = Object.assign(new HeadscopeOutputRibbon(), { changes });
    const { renderRoot } = await mount(ribbon, {});
    const row = renderRoot.querySelector("tbody tr");
    expect([...(row?.querySelectorAll("td:not(.bars)") ?? [])].map(words)).toEqual([
      "50.0%",
      "25.0%",
    ]);
    const widths = [...(row?.querySelectorAll<HTMLElement>(".bars i") ?? [])];
    expect(widths.map(({ style }) => style.width)).toEqual(["50%", "25%"]);
  });

  it("has the likeliest five of both, the largest first, in the words of the edited run", async () => {
    const of = (shares: Record<number, number>, name: string): Run => {
      const all = Object.entries(shares).map(([id, probability]) => {
        return { id: Number(id), text: `${name} ${id}`, logit: 0, probability };
      });
      const ranked = all.toSorted((one, other) => other.probability - one.probability);
      const shareAt = (position: number | undefined, id: number): number =>
        position === 1 ? (shares[id] ?? 0) : NaN;
      const run = {
        tokens: tokensOf("a", "b"),
        predictions: ({ topK }: { topK: number }) => Promise.resolve([ranked.slice(0, topK)]),
        probabilities: ({ positions, ids }: { positions: number[]; ids: number[] }) =>
          Promise.resolve(ids.map((id, at) => ({ probability: shareAt(positions[at], id) }))),
      };
      return run as unknown as Run;
    };
    const before = of({ 1: 0.4, 2: 0.3, 3: 0.1, 4: 0.08, 5: 0.07, 6: 0.05 }, "before");
    const after = of({ 6: 0.5, 2: 0.25, 7: 0.2, 1: 0.05, 3: 0, 4: 0, 5: 0 }, "after");
    const place = { kind: "instead", position: 1 } as const;
    const found = await readPredictionChanges(after, before, place);
    expect(found?.at.text).toBe("b");
    const rows = found?.shares.map((one) => [one.prediction.text, one.before, one.after]);
    expect(rows).toEqual([
      ["after 6", 0.05, 0.5],
      ["after 1", 0.4, 0.05],
      ["after 2", 0.3, 0.25],
      ["after 7", 0, 0.2],
      ["after 3", 0.1, 0],
    ]);
    expect(await readPredictionChanges(after, before, { ...place, position: 2 })).toBeNull();
  });

  it("asks an image's model for no more classes than it has", async () => {
    const { before, after } = await edited();
    const place = { kind: "after", position: 0, outOf: 2 } as const;
    expect((await readPredictionChanges(after, before, place))?.shares).toHaveLength(2);
  });
});

describe("<headscope-moved-states>", () => {
  it("names its stack, its depths and its tokens, and has the very numbers", async () => {
    const distances = matrixOf(2, [0, 0, 0.5, 0, 2, 1.25], ["layer", "position"]);
    const moved: MovedStates = { stack: "encoder", distances, tokens: tokensOf("the", "cat") };
    const { renderRoot } = await mount(new HeadscopeMovedStates(), { moved });
    expect(words(renderRoot.querySelector("h3"))).toMatch(/^Encoder.*: hidden-state change$/);
    expect(renderRoot.querySelector("headscope-numbers")).toMatchObject({
      tensor: distances,
      rowNames: ["embedding", "layer 1", "layer 2"],
      columnNames: ["the", "cat"],
      titles: { rows: "depth", columns: "token", values: "distance" },
      signed: false,
    });
  });

  it("is read of the tokens whose states they are", async () => {
    const translator = new FakeModel();
    const run = await translator.run({ text: "one two" });
    const texts = async (stack: MovedStates["stack"]): Promise<string[]> =>
      (await readMovedStates(run, run, stack)).tokens.map(({ text }) => text);
    expect(await texts("encoder")).toEqual(["one", "two", "</s>"]);
    expect(await texts("decoder")).toEqual(["<pad>", "TWO", "ONE"]);
    const own = await new FakeModel(FAKE_WRITER).run({ text: "one" });
    expect((await readMovedStates(own, own, "decoder")).tokens).toEqual(own.tokens);
  });
});
