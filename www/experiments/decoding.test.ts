// @vitest-environment happy-dom
import { render } from "lit";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import type { GenerationEvent, Prediction } from "../data/index.js";
import { stubRoom, textsOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import type { Session } from "../session/session.js";
import type { State } from "../state/index.js";
import type { HeadscopeSaveFigure } from "../kit/save-figure.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeDecodingExperiment } from "./decoding.js";
import { changesOf, looksOf } from "./decoding/brief.js";
import { cacheAt, type HeadRows } from "./decoding/step-numbers.js";
import { renderDraw, stagesOf } from "./decoding/step-view.js";

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
    const file = element.renderRoot.querySelector<HeadscopeSaveFigure>(
      "headscope-save-figure[name=decoding]",
    );
    const { columns = [], rows = [] } = file?.table ?? {};
    const [first, second] = rows.map(
      (row): object => Object.fromEntries(row.map((one, at) => [columns[at], one])) as object,
    );
    expect(rows).toHaveLength(20);
    const undrawn = { drawn: NaN, from: NaN, to: NaN };
    const share: unknown = expect.any(Number);
    expect(first).toEqual({
      step: 1,
      token: "and",
      probability: share,
      model_token: "and",
      ...undrawn,
    });
    expect(second).toMatchObject({ step: 2, token: "so", model_token: "so" });
  });

  it("plays from step to step, and from the first one again", async () => {
    const { element, session, words, chips } = await experiment({ text: "one two" }, FAKE_INFO);
    await settled(() => expect(chips()).toHaveLength(2));
    const press = (of: "play" | "pause" | "back" | "next"): void =>
      button(element, message(`decoding.${of}`)).click();
    const shown = (step: number): Promise<void> =>
      settled(() => expect(words()).toContain(message("decoding.stepOf", { step, all: 2 })));
    await shown(1);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    press("play");
    vi.advanceTimersByTime(900);
    await shown(2);
    // There is no third step.
    vi.advanceTimersByTime(900);
    await settled(() => expect(button(element, message("decoding.play"))).toBeDefined());
    press("play");
    await shown(1);
    press("pause");
    vi.advanceTimersByTime(2000);
    await shown(1);
    press("play");
    press("next");
    await shown(2);
    // A step that is asked for ends the play.
    press("back");
    vi.advanceTimersByTime(2000);
    await shown(1);
    expect(session.store.undoes).toBeNull();
    vi.useRealTimers();
  });

  it("lets go of all runs when it closes, also of one that is still written", async () => {
    const { element, model, session, chips } = await experiment({ text: "one two" });
    await settled(() => expect(chips()).toHaveLength(20));
    session.update({ text: "two" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    element.remove();
    session.end();
    await settled(() => expect(model.held.size).toBe(0));
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

describe("the short answer of a step", () => {
  const tokens = (...given: [id: number, probability: number][]): Prediction[] =>
    given.map(([id, probability]) => ({ id, text: `t${id}`, logit: 0, probability }));
  const stage = (
    processor: GenerationEvent["stages"][number]["processor"],
    candidates: Prediction[],
  ): GenerationEvent["stages"][number] => ({ processor, nPossible: 9, candidates });

  it("has the likeliest three tokens before and after all settings, of those that are left", () => {
    const before = tokens([1, 0.4], [2, 0.3], [3, 0.2], [4, 0.1]);
    const stages = [
      stage("model", before),
      stage("temperature", tokens([1, 0.6])),
      stage("top_k", tokens([4, 0.1], [1, 0.7], [2, 0.2])),
    ];
    expect(changesOf({ stages }, ({ id }) => `<${id}>`)).toEqual([
      { label: "<1>", value: "40% → 70%", share: 0.7 },
      { label: "<2>", value: "30% → 20%", share: 0.2 },
    ]);
    expect(changesOf({ stages: stages.slice(0, 1) }, String)).toEqual([]);
  });

  it("has the two keys that heads look at most on average, what was read last first", () => {
    const rows = (stack: "decoder" | "cross", ...data: number[]): HeadRows => ({
      stack,
      heads: ["1.1", "1.2"],
      keys: ["a", "b", "c"],
      tensor: { data: Float32Array.from(data), shape: [2, 3], axes: ["head", "key"] },
    });
    const looks = looksOf([
      rows("decoder", 0.5, 0.25, 0.25, 0.5, 0, 0.5),
      rows("cross", 0.25, 0.75, 0, 0.25, 0.25, 0.5),
    ]);
    expect(looks.map(({ value, share }) => [value, share])).toEqual([
      ["50%", 0.5],
      ["25%", 0.25],
      ["50%", 0.5],
      ["38%", 0.375],
    ]);
    expect(looks.map(({ label }) => label)).toEqual([
      message("decoding.looks.cross", { key: "b" }),
      message("decoding.looks.cross", { key: "a" }),
      message("decoding.looks.decoder", { key: "a" }),
      message("decoding.looks.decoder", { key: "c" }),
    ]);
  });
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

  it("show the drawn number in the range of its token, and none where none was drawn", () => {
    const place = document.createElement("div");
    const names = { nameOf: ({ id }: Prediction) => `<${id}>` };
    render(renderDraw({ ...step, draw: { number: 0.25, from: 0.125, to: 0.5 } }, names), place);
    const [range, number] = [...place.querySelectorAll<HTMLElement>("i")].map(({ style }) => style);
    expect([range?.left, range?.width, number?.left]).toEqual(["12.5%", "37.5%", "25%"]);
    const told = { number: "0.2500", token: "<9>", from: "0.1250", to: "0.5000" };
    expect(place.querySelector("p")?.textContent).toBe(message("decoding.draw", told));
    render(renderDraw({ ...step, draw: null }, names), place);
    expect(place.children).toHaveLength(0);
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
