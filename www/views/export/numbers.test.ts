// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { FAKE_READER, FAKE_WRITER } from "../../../tests/support/fake-model.js";
import { fileName, provenanceRecord, type LabelledTensor } from "../../export/provenance.js";
import type { ModelInfo } from "../../data/index.js";
import type { State } from "../../state/index.js";
import { numbersChoices, regionChoice, shownNumbers, type NumbersChoice } from "./numbers.js";
import type { ExportSubject } from "./subject.js";
import { comparedSubject, HEAD, OTHER, subjectOf, TEXT } from "./testing.js";

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
const labelsOf = ({ axes }: LabelledTensor, axis: number): unknown => axes[axis]?.labels;

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
      const { tensor, axes } = await choice.read();
      expect([tensor.shape, tensor.axes], choice.id).toEqual([
        choice.shape,
        axes.map(({ name }) => name),
      ]);
      expect(tensor.data).toHaveLength(choice.shape.reduce((product, size) => product * size, 1));
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

  it("include what is known of all heads and the singular values, named by what decides them", async () => {
    const { run } = translator;
    const choices = numbersChoices(translator);
    const thumbnails = named(choices, "thumbnails");
    expect((await thumbnails.read()).tensor).toEqual(
      await run.thumbnails({ stack: "cross", size: 48 }),
    );
    expect(thumbnails.provenance()).toMatchObject({ stack: "cross", layer: null, head: null });
    const measures = await named(choices, "measures").read();
    expect(measures.axes[2]?.labels?.slice(0, 3)).toEqual(["entropy", "distance", "induction"]);
    expect(Array.from(measures.tensor.data.slice(0, 3))).toEqual([1, NaN, NaN]);
    const divergence = named(choices, "divergence");
    const { data } = (await divergence.read()).tensor;
    for (const { layer, head, divergence: wanted } of await run.likeness(CROSS))
      expect(data[layer * 8 + head]).toBe(Math.fround(wanted ?? NaN));
    expect(divergence.provenance()).toMatchObject(CROSS);
    const { scores, weights } = await run.spectrum(CROSS);
    const singular = await named(choices, "singular-values").read();
    expect(Array.from(singular.tensor.data)).toEqual([...scores.values, ...weights.values]);
  });

  it("are first of all those that are shown, where these are not the run's own, and say so", async () => {
    const shown = await subjectOf({ specials: "hidden" }, { head: CROSS });
    const [first] = numbersChoices(shown);
    if (!first) throw new Error("nothing can be saved");
    expect([first.id, first.label]).toEqual(["shown", "weights as shown: special tokens hidden"]);
    expect(shownNumbers(shown)).toBe("shown");
    expect(labelsOf(await first.read(), 1)).toEqual(["a", "small", "test"]);
    const view = { unit: "token", specialTokens: "hidden", renormalisedWithout: null };
    expect(first.provenance().view).toEqual(view);
    expect(named(numbersChoices(shown), "weights").provenance().view).toBeNull();
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

describe("the numbers of two runs", () => {
  let subject: Awaited<ReturnType<typeof comparedSubject>>;
  beforeAll(async () => {
    subject = await comparedSubject();
  });
  const choice = (id: string): NumbersChoice => named(numbersChoices(subject), id);

  it("begin with the difference in the stage that is shown, with the words of both texts", async () => {
    const choices = numbersChoices(pictured(subject, "heatmap", { stage: "raw" }));
    expect(choices[0]?.id).toBe("difference raw");
    expect(choices.some(({ id }) => id === shownNumbers(subject))).toBe(false);
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length);
    const weights = choice("difference weights");
    const read = await weights.read();
    expect(read.tensor.data).toEqual(subject.compared.paired.shared.tensor.data);
    const labels = ["a", "− big", "small", "test | thing", "</s>"];
    expect([labelsOf(read, 0), labelsOf(read, 1)]).toEqual([labels, labels]);
    const place = { layer: { index: 1, number: 2 }, head: { index: 2, number: 3 } };
    expect(provenanceRecord(weights.provenance())).toMatchObject({
      quantity: "weights-difference",
      text: TEXT,
      aligned: "words",
      comparedWith: { model: "en-fr", text: OTHER, ...place },
      ...place,
    });
    expect(fileName(weights.provenance(), "csv")).toBe(
      "headscope_en-fr_encoder_layer-2_head-3_weights-difference_a-small-test_vs-a-big-small-thing.csv",
    );
  });
});

describe("the part of a pattern that a picture shows", () => {
  const REGION = { query: 1, key: 2, rows: 2, columns: 1 };

  it("is cut out of every pattern, with the names and numbers that its places have in the whole", async () => {
    const subject = await subjectOf({ region: REGION });
    const stages = named(numbersChoices(subject), "stages");
    const part = regionChoice(stages, subject);
    if (!part) throw new Error("no part");
    const [whole, cut] = [await stages.read(), await part.read()];
    expect([part.shape, cut.tensor.shape]).toEqual([
      [4, 2, 1],
      [4, 2, 1],
    ]);
    const [, rows = 0, columns = 0] = whole.tensor.shape;
    const cell = (stage: number, row: number): unknown =>
      whole.tensor.data[(stage * rows + row) * columns + 2];
    expect(Array.from(cut.tensor.data)).toEqual(
      [0, 1, 2, 3].flatMap((stage) => [cell(stage, 1), cell(stage, 2)]),
    );
    expect(cut.axes.slice(1)).toEqual([
      { name: "query", labels: ["small", "test"], first: 2 },
      { name: "key", labels: ["test"], first: 3 },
    ]);
    expect(part.provenance().part).toEqual({ region: REGION, whole: { rows, columns } });
  });

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
