// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import type { HeadRef, ModelInfo } from "../../data/index.js";
import { provenanceRecord } from "../../export/exhibit.js";
import { fileName } from "../../export/file-name.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { tokensOf } from "../run/figures.js";
import { lensOf, lookedAt } from "../run/looked.js";
import type { NumbersChoice } from "./choice.js";
import { numbersChoices, shownNumbers } from "./numbers.js";
import type { ExportSubject } from "./subject.js";

const TEXT = "a small test";

async function subject(
  info: ModelInfo,
  head: HeadRef,
  state: Partial<State> = {},
): Promise<ExportSubject> {
  const run = await new FakeModel(info).run({ text: TEXT });
  const [raw, scores, masked, weights] = await Promise.all(
    (["raw", "scores", "masked", "weights"] as const).map((stage) =>
      run.attention({ ...head, stage }),
    ),
  );
  if (!raw || !scores || !masked || !weights) throw new Error("no stages");
  const figures = {
    run,
    head,
    stages: { raw, scores, masked, weights },
    mask: await run.mask(head),
    fullyMasked: [],
    patterns: [],
    vectors: null,
    ...tokensOf(run, head.stack),
  };
  const target = info.architecture === "encoder-decoder" ? run.targetText : null;
  const looked = lookedAt(figures, lensOf({ ...DEFAULT_STATE, ...state }));
  return {
    state: { ...DEFAULT_STATE, ...state, text: TEXT },
    info,
    notes: null,
    run,
    head,
    figures,
    looked,
    target,
    edits: {},
    editWords: [],
    compared: null,
  };
}

const pictured = (
  of: ExportSubject,
  picture: State["picture"],
  stage: State["stage"] = "weights",
): ExportSubject => ({ ...of, state: { ...of.state, picture, stage } });
const named = (choices: NumbersChoice[], id: string): NumbersChoice => {
  const found = choices.find((choice) => choice.id === id);
  if (!found) throw new Error(`no ${id} among ${choices.map((choice) => choice.id).join(", ")}`);
  return found;
};

describe("the numbers that can be saved", () => {
  let translator: ExportSubject;
  beforeAll(async () => {
    translator = await subject(FAKE_INFO, { stack: "cross", layer: 1, head: 2 });
  });

  it("are those of the head first, then those of the text, each once", () => {
    const ids = numbersChoices(translator).map(({ id }) => id);
    expect(ids.slice(0, 9)).toEqual([
      "weights",
      "masked",
      "scores",
      "raw",
      "stages",
      "mask",
      "query",
      "key",
      "value",
    ]);
    expect(ids).toContain("hidden encoder 0");
    expect(ids).toContain("hidden decoder 3");
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are offered for what a model has", async () => {
    const writer = numbersChoices(
      await subject(FAKE_WRITER, { stack: "decoder", layer: 0, head: 0 }),
    ).map(({ id }) => id);
    const reader = numbersChoices(
      await subject(FAKE_READER, { stack: "encoder", layer: 0, head: 0 }),
    ).map(({ id }) => id);
    expect(writer.some((id) => id.includes("encoder"))).toBe(false);
    expect(reader.some((id) => id.includes("decoder"))).toBe(false);
  });

  it("are as large as was said, and carry what they are", async () => {
    const choices = numbersChoices(translator);
    for (const id of ["weights", "mask", "stages"]) {
      const choice = named(choices, id);
      const { tensor, axes, provenance } = await choice.read();
      expect(tensor.shape).toEqual(choice.shape);
      expect(axes.map(({ name }) => name)).toEqual(tensor.axes);
      expect(provenance).toMatchObject({
        quantity: id,
        model: "en-fr",
        stack: "cross",
        layer: 1,
        head: 2,
        text: TEXT,
        target: translator.target,
      });
    }
    const { tensor, axes } = await named(choices, "stages").read();
    expect(axes[0]?.labels).toEqual(["raw", "scores", "masked", "weights"]);
    expect(tensor.data.slice(0, translator.figures.stages.raw.data.length)).toEqual(
      translator.figures.stages.raw.data,
    );
  });

  it("include what is known of all heads and the singular values, named by what decides them", async () => {
    const { run, head } = translator;
    const choices = numbersChoices(translator);
    const place = ({ layer, head: index }: { layer: number; head: number }): number =>
      layer * 8 + index;
    const thumbnails = await named(choices, "thumbnails").read();
    expect(thumbnails.tensor).toEqual(await run.thumbnails({ stack: "cross", size: 48 }));
    expect(thumbnails.provenance).toMatchObject({ stack: "cross", layer: null, head: null });
    const measures = await named(choices, "measures").read();
    expect([measures.axes[2]?.labels?.slice(0, 3), measures.tensor.shape.slice(0, 2)]).toEqual([
      ["entropy", "distance", "induction"],
      [3, 8],
    ]);
    expect(Array.from(measures.tensor.data.slice(0, 3))).toEqual([1, NaN, NaN]);
    const divergence = await named(choices, "divergence").read();
    const wanted = await run.likeness(head);
    expect(wanted.map((one) => divergence.tensor.data[place(one)])).toEqual(
      wanted.map((one) => Math.fround(one.divergence ?? NaN)),
    );
    expect(divergence.provenance).toMatchObject(head);
    const singular = await named(choices, "singular-values").read();
    expect(singular.axes[0]?.labels).toEqual(["scores", "weights"]);
    expect(Array.from(singular.tensor.data)).toEqual([
      ...(await run.spectrum(head)).scores.values,
      ...(await run.spectrum(head)).weights.values,
    ]);
    for (const id of ["thumbnails", "measures", "divergence", "singular-values"]) {
      const choice = named(choices, id);
      const { tensor, axes } = await choice.read();
      expect([tensor.shape, tensor.axes], id).toEqual([choice.shape, axes.map(({ name }) => name)]);
      expect(tensor.data).toHaveLength(choice.shape.reduce((product, size) => product * size, 1));
    }
  });

  it("name every head whose lines are drawn together", async () => {
    const { figures, head } = translator;
    const second = {
      head: 0,
      weights: {
        ...figures.stages.weights,
        data: figures.stages.weights.data.map((weight) => weight / 2),
      },
    };
    const together = {
      ...translator,
      figures: {
        ...figures,
        patterns: [{ head: head.head, weights: figures.stages.weights }, second],
      },
    };
    const choice = named(numbersChoices(together), shownNumbers(pictured(together, "lines")));
    const { tensor, axes, provenance } = await choice.read();
    expect(tensor.shape).toEqual(choice.shape);
    expect(tensor.axes).toEqual(["head", "query", "key"]);
    expect(axes[0]?.labels).toEqual(["head 3", "head 1"]);
    expect(Array.from(tensor.data)).toEqual([
      ...figures.stages.weights.data,
      ...second.weights.data,
    ]);
    expect(provenanceRecord(provenance)).toMatchObject({
      head: { index: 2, number: 3 },
      beside: [{ index: 0, number: 1 }],
    });
    expect(fileName(provenance, "json")).toContain("_head-3-1_weights_");
    expect(numbersChoices(translator).map(({ id }) => id)).not.toContain("heads");
  });

  it("are first of all those that are shown, where these are not the run's own, and say so", async () => {
    const shown = await subject(
      FAKE_INFO,
      { stack: "cross", layer: 1, head: 2 },
      { specials: "hidden" },
    );
    const [first] = numbersChoices(shown);
    if (!first) throw new Error("nothing can be saved");
    expect([first.id, first.label]).toEqual(["shown", "weights as shown: special tokens hidden"]);
    expect(shownNumbers(shown)).toBe("shown");
    const { tensor, axes, provenance } = await first.read();
    expect(tensor.shape).toEqual(first.shape);
    expect(axes[1]?.labels).toEqual(["a", "small", "test"]);
    expect(provenance.view).toEqual({
      unit: "token",
      specialTokens: "hidden",
      renormalisedWithout: null,
    });
    expect((await named(numbersChoices(shown), "weights").read()).provenance.view).toBeNull();
  });

  it("have every step of the block where these were read, the one that is held first of all", async () => {
    const { run, head } = translator;
    const steps = await run.steps(head);
    const choices = numbersChoices(translator, steps);
    expect(choices.filter(({ group }) => group === "steps").map(({ id }) => id)).toEqual(
      steps.map(({ step }) => `step ${step}`),
    );
    for (const { step, tensor: wanted } of steps) {
      const choice = named(choices, `step ${step}`);
      const { tensor, axes, provenance } = await choice.read();
      expect([choice.shape, tensor]).toEqual([wanted.shape, wanted]);
      expect(axes.map(({ name }) => name)).toEqual(wanted.axes);
      expect(axes[0]?.labels).toEqual(run.targetTokens.map(({ text }) => text));
      expect(axes[1]?.labels ?? null).toEqual(
        step === "weights" ? run.tokens.map(({ text }) => text) : null,
      );
      expect(provenance).toMatchObject({ quantity: `step-${step}`, ...head });
    }
    const held = pictured(translator, "steps");
    expect(shownNumbers(held)).toBe("step weights");
    expect(
      shownNumbers({
        ...held,
        state: { ...held.state, number: { step: "ff-normed", row: 0, column: 0 } },
      }),
    ).toBe("step ff-normed");
    expect(numbersChoices(held).some(({ group }) => group === "steps")).toBe(false);
  });

  it("begin with those of the picture", () => {
    expect(
      named(numbersChoices(translator), shownNumbers(pictured(translator, "heatmap", "masked"))).id,
    ).toBe("masked");
    expect(
      named(numbersChoices(translator), shownNumbers(pictured(translator, "mask", "masked"))).id,
    ).toBe("mask");
    expect(
      named(numbersChoices(translator), shownNumbers(pictured(translator, "positions", "masked")))
        .id,
    ).toBe("positions decoder");
  });
});
