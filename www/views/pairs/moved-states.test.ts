// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import type { Tensor, Token } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked, words } from "../../ui/testing/asked.js";
import { HeadscopeMovedStates, readMovedStates, type MovedStates } from "./moved-states.js";

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

  it("keeps to itself what is pointed at in it: its cells are no pairs of a query and a key", async () => {
    const element = await mount(new HeadscopeMovedStates(), { moved: MOVED });
    const own = numbers(element);
    const [hovers, outside] = [
      asked(own, "headscope-cell-hover"),
      asked(element, "headscope-cell-hover"),
    ];
    own.renderRoot
      .querySelector(".stage")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    expect([hovers, outside]).toEqual([[{ query: 0, key: 1 }], []]);
  });

  it("is not there before it was read, and follows the language", async () => {
    const element = await mount(new HeadscopeMovedStates(), {});
    expect(words(element.renderRoot)).toBe("");
    element.moved = MOVED;
    setLanguage("zh-CN");
    await element.updateComplete;
    expect(
      [
        words(element.renderRoot.querySelector("h3")),
        ...numbers(element).rowNames,
        ...Object.values(numbers(element).titles),
      ].join(" "),
    ).not.toMatch(/[a-z]/i);
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
