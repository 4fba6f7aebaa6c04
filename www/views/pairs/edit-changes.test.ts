// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import type { Cell, Tensor, Token } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import type { Run } from "../../headscope.js";
import { setLanguage } from "../../i18n/index.js";
import { words } from "../../ui/testing/controls.js";
import { sessionWith, show } from "../testing/session.js";
import type { Pairs } from "./pairs.js";
import { HeadscopeEditChanges, HeadscopeMovedStates } from "./edit-changes.js";
import {
  type HeadChange,
  meanVariation,
  type MovedStates,
  readExpectationChange,
  readMovedStates,
  rowVariation,
} from "./changes.js";

const HEAD = { stack: "encoder", layer: 0, head: 2 } as const;
const tensor = (values: number[]): Tensor => ({
  data: Float32Array.from(values),
  shape: [2, 2],
  axes: ["query", "key"],
});

afterEach(() => document.body.replaceChildren());

async function edited(): Promise<{ runs: { before: Run; after: Run }; head: HeadChange }> {
  const model = new FakeModel();
  const [before, after] = [
    await model.run({ text: "a b c" }),
    await model.run({
      text: "a b c",
      edits: { masks: [{ ...HEAD, layers: [0], heads: [2], block: [[1, 1]] }] },
    }),
  ];
  return {
    runs: { before, after },
    head: { before: await before.attention(HEAD), after: await after.attention(HEAD) },
  };
}

describe("variation", () => {
  it("is the share of a row's weight that moved", () => {
    const [before, after] = [tensor([1, 0, 0.5, 0.5]), tensor([0, 1, 0.5, 0.5])];
    expect([
      rowVariation(before, after, 0),
      rowVariation(before, after, 1),
      meanVariation(before, after),
      meanVariation(after, after),
    ]).toEqual([1, 0, 0.5, 0]);
  });
});

const changed = (
  known: Partial<Pairs["changes"]>,
  focused: Cell | null = null,
): Promise<string[]> =>
  show(new HeadscopeEditChanges(), sessionWith({}, { pairs: { changes: known }, focused })).then(
    ({ renderRoot }) => [...renderRoot.querySelectorAll("tbody td, [data-change]")].map(words),
  );

describe("<headscope-edit-changes>", () => {
  it("says a pair's weight before and after, the difference, and how far its row moved", async () => {
    const { head } = await edited();
    const before = head.before.data[1 * 4 + 1] ?? NaN;
    expect(await changed({ head }, { query: 1, key: 1 })).toEqual([
      before.toFixed(3),
      "0",
      `−${before.toFixed(3)}`,
      expect.stringContaining(rowVariation(head.before, head.after, 1).toFixed(3)),
      expect.stringContaining("total variation"),
    ]);
  });

  it.each([
    [0.5, 0.25, ["50.00%", "25.00%", "−25.00%"]],
    [0.5, 0.50001, ["50.00%", "50.00%", "0.00%"]],
  ])(
    "lists probabilities with the sign of their change: %d to %d",
    async (before, after, cells) => {
      const { head, runs } = await edited();
      const place = { kind: "after", position: 1 } as const;
      const expectation = await readExpectationChange(runs.after, runs.before, place);
      expect(expectation?.shares.every((share) => share.before === share.after)).toBe(true);
      const shares = expectation?.shares.slice(0, 1).map((share) => ({ ...share, before, after }));
      const known = expectation && { ...expectation, shares: shares ?? [] };
      expect((await changed({ head, expectation: known })).slice(1)).toEqual(cells);
    },
  );
});

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: false, role: null }));
const DISTANCES: Tensor = {
  data: Float32Array.of(0, 0, 0.5, 0, 2, 1.25),
  shape: [3, 2],
  axes: ["layer", "position"],
};
const MOVED: MovedStates = { stack: "encoder", distances: DISTANCES, tokens: tokens("the", "cat") };

const numbers = ({
  renderRoot,
}: HeadscopeMovedStates): HTMLElementTagNameMap["headscope-numbers"] => {
  const found = renderRoot.querySelector("headscope-numbers");
  if (!found) throw new Error("there are no numbers");
  return found;
};

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-moved-states>", () => {
  it("names its stack, its depths and its tokens, and has the very numbers", async () => {
    const element = await mount(new HeadscopeMovedStates(), { moved: MOVED });
    expect(words(element.renderRoot.querySelector("h3"))).toMatch(
      /^Encoder.*: how far the states moved$/,
    );
    const { tensor, rowNames, columnNames, titles, signed } = numbers(element);
    expect([tensor, rowNames, columnNames, signed]).toEqual([
      DISTANCES,
      ["embedding", "layer 1", "layer 2"],
      ["the", "cat"],
      false,
    ]);
    expect(titles).toEqual({ rows: "depth", columns: "token", values: "distance" });
    numbers(element).renderRoot.querySelector<HTMLElement>("button[aria-expanded]")?.click();
    await numbers(element).updateComplete;
    expect([...numbers(element).renderRoot.querySelectorAll("td")].map(words)).toEqual([
      "0",
      "0",
      "0.500",
      "0",
      "2.000",
      "1.250",
    ]);
  });

  it("is read of the tokens whose states they are", async () => {
    const translator = new FakeModel();
    const [run, original] = [
      await translator.run({ text: "one two" }),
      await translator.run({ text: "one two" }),
    ];
    const texts = async (stack: MovedStates["stack"]): Promise<string[]> =>
      (await readMovedStates(run, original, stack)).tokens.map(({ text }) => text);
    expect([await texts("encoder"), await texts("decoder")]).toEqual([
      ["one", "two", "</s>"],
      ["<pad>", "TWO", "ONE"],
    ]);
    const writer = new FakeModel(FAKE_WRITER);
    const own = await writer.run({ text: "one" });
    expect((await readMovedStates(own, own, "decoder")).tokens).toEqual(own.tokens);
  });
});
