// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { FAKE_READER, FAKE_WRITER } from "../../../tests/support/fake-model.js";
import type { ModelInfo } from "../../data/index.js";
import type { State } from "../../state/index.js";
import { numbersChoices, regionChoice, shownNumbers, type NumbersChoice } from "./numbers.js";
import type { ExportSubject } from "./subject.js";
import { HEAD, subjectOf } from "./testing.js";

const CROSS = { stack: "cross", layer: 1, head: 2 } as const;

const pictured = (
  of: ExportSubject,
  picture: State["picture"],
  more: Partial<State> = {},
): ExportSubject => ({ ...of, state: { ...of.state, picture, ...more } });
const named = (choices: NumbersChoice[], id: string): NumbersChoice => {
  const found = choices.find((choice) => choice.id === id);
  if (!found) throw new Error(`no ${id} among ${choices.map((choice) => choice.id).join(", ")}`);
  return found;
};

describe("the numbers that can be saved", () => {
  let translator: ExportSubject;
  beforeAll(async () => {
    translator = await subjectOf({}, { head: CROSS });
  });

  it("are those of the head first, then of its stack and the text, each once, as large as was said", async () => {
    const choices = numbersChoices(translator, await translator.run.steps(CROSS));
    const ids = choices.map(({ id }) => id);
    expect(ids.slice(0, 10).join(" ")).toBe(
      "weights masked scores raw stages mask query key value singular-values",
    );
    for (const id of ["thumbnails", "measures", "divergence", "hidden encoder 0", "logits"])
      expect(ids).toContain(id);
    expect(ids).toContain("hidden decoder 3");
    expect(new Set(ids).size).toBe(ids.length);
    // The vocabulary of the fake model is not that of its logits.
    for (const choice of choices.filter(({ id }) => id !== "logits")) {
      const { shape, axes, data } = await choice.read();
      const sizes = choice.axes.map(({ size }) => size);
      expect([shape, axes], choice.id).toEqual([sizes, choice.axes.map(({ name }) => name)]);
      expect(data).toHaveLength(sizes.reduce((product, size) => product * size, 1));
    }
  });

  it("are offered for what a model has", async () => {
    const ids = async (info: ModelInfo, stack: "encoder" | "decoder"): Promise<string> => {
      const subject = await subjectOf({}, { info, head: { stack, layer: 0, head: 0 } });
      return numbersChoices(subject)
        .map(({ id }) => id)
        .join();
    };
    expect(await ids(FAKE_WRITER, "decoder")).not.toContain("encoder");
    expect(await ids(FAKE_READER, "encoder")).not.toContain("decoder");
  });

  it.each<[id: string, picture: State["picture"], more?: Partial<State>]>([
    ["masked", "heatmap", { stage: "masked" }],
    ["mask", "mask"],
    ["positions decoder", "positions"],
    ["step weights", "steps"],
    ["step ff-normed", "steps", { number: { step: "ff-normed", row: 0, column: 0 } }],
  ])("begin with %s under the picture that shows it: %s", (id, picture, more) => {
    expect(shownNumbers(pictured(translator, picture, more))).toBe(id);
  });
});

describe("the part of a pattern that a picture shows", () => {
  const REGION = { query: 1, key: 2, rows: 2, columns: 1 };

  it.each<[what: string, id: string, state: Partial<State>, is: boolean]>([
    ["all", "weights", { region: null }, false],
    ["what is no pattern", "query", {}, false],
    ["a picture without parts", "weights", { picture: "lines" }, false],
    ["other rows and columns", "weights", { unit: "word", specials: "hidden" }, false],
    ["a region that is not there", "weights", { region: { ...REGION, query: 11 } }, false],
    ["a mask", "mask", { picture: "mask" }, true],
  ])("of %s is there or not: %s", async (_, id, state, is) => {
    const subject = await subjectOf({ region: REGION, ...state }, { head: HEAD });
    const part = regionChoice(named(numbersChoices(subject), id), subject);
    expect(part !== null).toBe(is);
  });
});
