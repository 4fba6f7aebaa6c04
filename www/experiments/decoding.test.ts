// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import type { GenerationEvent, Prediction } from "../data/index.js";
import { stubRoom, textsOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import type { Session } from "../session/session.js";
import type { State } from "../state/index.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeDecodingExperiment } from "./decoding.js";
import { cacheAt } from "./decoding/step-numbers.js";
import { stagesOf } from "./decoding/step-view.js";

interface Opened {
  session: Session;
  model: FakeModel;
  element: HeadscopeDecodingExperiment;
  words: () => string;
  chips: (line?: number) => string[];
}

async function experiment(state: Partial<State>, info = FAKE_WRITER): Promise<Opened> {
  const model = new FakeModel(info);
  const name = info === FAKE_WRITER ? "models/tiny-gpt" : "models/en-fr";
  const session = await sessionOf({ model: name, ...state }, model);
  const element = await show(new HeadscopeDecodingExperiment(), session);
  const words = (): string => element.renderRoot.textContent.replace(/\s+/g, " ");
  const chips = (line = 0): string[] =>
    [...(element.renderRoot.querySelectorAll(".line")[line]?.querySelectorAll("button") ?? [])].map(
      (chip) => chip.textContent.trim(),
    );
  return { session, model, element, words, chips };
}

const settled = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 4000 });

beforeAll(() => loadSentences("writing", "experiments", "export"));
beforeEach(() => stubRoom());
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe("the text that the model writes", () => {
  it("is shown step by step, with every head's new row and what is kept", async () => {
    const { element, session, words, chips } = await experiment({ text: "one two" });
    await settled(() => expect(chips()).toHaveLength(20));
    expect(chips().slice(0, 4)).toEqual(["and", "so", "on", "and"]);
    const tensors = (): unknown[] =>
      [...element.renderRoot.querySelectorAll("headscope-numbers")].map(
        (figure) => figure.tensor?.shape,
      );
    // 24 heads look at the three tokens of the given text, which three layers keep.
    await settled(() =>
      expect(tensors()).toEqual([
        [24, 3],
        [3, 3],
      ]),
    );
    button(element, message("decoding.next")).click();
    await settled(() =>
      expect(tensors()).toEqual([
        [24, 4],
        [3, 4],
      ]),
    );
    expect(textsOf(element, ".status")[0]).toContain("Step 2: “so”");
    expect(session.state.demos).toBe("decoding(step-2)");
    // Going to a step is no change that is undone.
    expect(session.store.undoes).toBeNull();
    expect(words()).toContain("2 of 20");
  });

  it("is left at a step with another token, and both texts are compared", async () => {
    const { element, session, model, chips } = await experiment({ text: "one two" });
    await settled(() => expect(chips()).toHaveLength(20));
    const turn = (): HTMLButtonElement | null =>
      element.renderRoot.querySelector<HTMLButtonElement>(".turns button");
    expect(turn()?.textContent).toContain("so");
    turn()?.click();
    await settled(() => expect(chips(1)[0]).toBe("so"));
    expect(model.inputs.at(-1)?.ids?.at(-1)).toBe(1001);
    expect(chips()[0]).toBe("and");
    expect(session.store.undoes).toBe("demos");
    button(element, message("decoding.compare")).click();
    await answered(session);
    const { compare, otherText, aligned, text } = session.state;
    expect([compare, aligned]).toEqual(["other", "positions"]);
    expect(text).toContain("and so on");
    expect(otherText).not.toBe(text);
  });

  it("of a translator is compared as a translation of the same text", async () => {
    const { element, session, chips } = await experiment({ text: "one two" }, FAKE_INFO);
    await settled(() => expect(chips()).toHaveLength(2));
    element.renderRoot.querySelector<HTMLButtonElement>(".turns button")?.click();
    await settled(() => expect(chips(1).length).toBeGreaterThan(0));
    button(element, message("decoding.compare")).click();
    await answered(session);
    const { compare, text, otherText, target, otherTarget } = session.state;
    expect([compare, text, otherText]).toEqual(["other", "one two", null]);
    expect([target, otherTarget]).toEqual([expect.any(String), expect.any(String)]);
  });

  it("has no part in a model that writes none", async () => {
    const { words } = await experiment({ text: "one two" }, FAKE_READER);
    expect(words()).toContain(message("decoding.encoder"));
  });
});

it("a given text stands above what the model would have written", async () => {
  const { element, words, session } = await experiment(
    { text: "one two", demos: "decoding(mode-given)" },
    FAKE_INFO,
  );
  expect(words()).toContain(message("decoding.given.none"));
  session.update({ demos: "decoding(mode-given,given-un_deux)" });
  await settled(() => expect(textsOf(element, ".given tbody tr")).toHaveLength(2));
  expect(words()).toMatch(/would have written the given token at \d of 2 steps/);
  expect(words()).toContain(message("decoding.given.own"));
});

describe("the numbers of a step", () => {
  const prediction = (id: number, probability: number): Prediction => {
    return { id, text: String(id), logit: 0, probability };
  };
  const step: GenerationEvent = {
    kind: "step",
    step: 0,
    candidates: [prediction(9, 0.01), prediction(1, 0.6)],
    chosen: prediction(9, 0.01),
    probability: 0.01,
    stages: [
      { processor: "model", nPossible: 10, candidates: [prediction(1, 0.6)] },
      { processor: "temperature", nPossible: 10, candidates: [prediction(1, 0.4)] },
      { processor: "top_k", nPossible: 4, candidates: [prediction(1, 0.5)] },
    ],
    draw: { number: 0.97, from: 0.95, to: 0.98 },
  };

  it("have the written token at the first and the last setting, with its own probability", () => {
    const read = stagesOf(step).map(({ candidates }) =>
      candidates.map(({ id, probability }) => [id, Number(probability.toFixed(3))]),
    );
    expect(read).toEqual([
      [
        [1, 0.6],
        [9, 0.01],
      ],
      [[1, 0.4]],
      [
        [1, 0.5],
        [9, 0.03],
      ],
    ]);
  });

  it("count two numbers for each layer, key head and dimension of a token", () => {
    const size = { layers: 2, heads: 4, kvHeads: 2, headDim: 8 };
    const line = { nGiven: 3, source: [] };
    const first = cacheAt({ stacks: { decoder: size } }, line, 0);
    expect([first.tokens, first.floats, first.added]).toEqual([3, 3 * 64, 3 * 64]);
    const third = cacheAt({ stacks: { decoder: size } }, line, 2);
    expect([third.tokens, third.floats, third.added, third.cross]).toEqual([5, 320, 64, null]);
    expect([...third.ages.data]).toEqual([0, 0, 0, 1, 2, 0, 0, 0, 1, 2]);
  });
});
