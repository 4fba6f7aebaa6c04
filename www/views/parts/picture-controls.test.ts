// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import type { HeadRef } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { asked, words } from "../../ui/testing/asked.js";
import { readHead } from "../run/figures.js";
import { lensOf, type Looked, lookedAt } from "../run/looked.js";
import { HeadscopeLensNote } from "./picture-controls.js";

const HEAD: HeadRef = { stack: "encoder", layer: 0, head: 1 };

/** A head that gives the first of its keys that share of every row. */
async function looked(first: number, state: Partial<State> = {}): Promise<Looked> {
  const read = await readHead(await new FakeModel().run({ text: "one two three" }), HEAD, {
    beside: [],
    vectors: false,
  });
  const weights = {
    ...read.stages.weights,
    data: Float32Array.from({ length: 16 }, (_, at) => (at % 4 === 0 ? first : (1 - first) / 3)),
  };
  return lookedAt(
    { ...read, stages: { ...read.stages, weights }, patterns: [{ head: HEAD.head, weights }] },
    lensOf({ ...DEFAULT_STATE, ...state }),
  );
}

const toggle = ({ renderRoot }: HeadscopeLensNote): HTMLButtonElement | null =>
  renderRoot.querySelector("button");

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-lens-note>", () => {
  it("says which token is a sink and how much it takes, and offers to leave it out", async () => {
    const element = await mount(new HeadscopeLensNote(), { looked: await looked(0.7) });
    const patches = asked(element, "headscope-patch");
    expect(element.renderRoot.querySelector("aside")?.getAttribute("aria-label")).toBe(
      "Attention sink",
    );
    expect(words(element.renderRoot)).toMatch(
      /^“one” takes 70% of the weight .* an attention sink\. Softmax makes every query/,
    );
    expect([words(toggle(element)), toggle(element)?.getAttribute("aria-pressed")]).toEqual([
      "Renormalise without “one”",
      "false",
    ]);
    toggle(element)?.click();
    element.looked = await looked(0.7, { sink: "out" });
    await element.updateComplete;
    expect(toggle(element)?.getAttribute("aria-pressed")).toBe("true");
    toggle(element)?.click();
    expect(patches).toEqual([{ sink: "out" }, { sink: "kept" }]);
  });

  it("is silent without a head, without a sink, and where no weights are shown", async () => {
    for (const of of [null, await looked(0.25), await looked(0.7, { stage: "raw" })]) {
      const element = await mount(new HeadscopeLensNote(), { looked: of });
      expect(element.renderRoot.querySelector("aside")).toBeNull();
    }
  });
});
