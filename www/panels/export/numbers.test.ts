// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { FAKE_READER, FAKE_WRITER } from "../../../tests/support/fake-model.js";
import type { State } from "../../state/index.js";
import { numbersChoices, regionChoice, shownNumbers } from "./numbers.js";
import type { ExportSubject } from "../../session/subject.js";
import { subjectOf } from "./testing/subject.js";

const CROSS = { stack: "cross", layer: 1, head: 2 } as const;

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
    for (const id of ["measures", "divergence", "hidden encoder 0", "hidden decoder 3", "logits"])
      expect(ids).toContain(id);
    expect(new Set(ids).size).toBe(ids.length);
    // The vocabulary of the fake model is not that of its logits.
    for (const choice of choices.filter(({ id }) => id !== "logits")) {
      const { shape, axes, data } = await choice.read();
      const sizes = choice.axes.map(({ size }) => size);
      expect([shape, axes], choice.id).toEqual([sizes, choice.axes.map(({ name }) => name)]);
      expect(data).toHaveLength(sizes.reduce((product, size) => product * size, 1));
    }
  });

  it("are those of each layer's predictions, and the parts of the chosen logit, under that picture", async () => {
    const state = { picture: "layers", entry: 3 } as const;
    const head = { stack: "decoder", layer: 0, head: 0 } as const;
    const subject = await subjectOf(state, { info: FAKE_WRITER, head });
    const asked = { position: 0, id: 3, against: 4, head };
    const attribution = await subject.run.attribution(asked);
    const choices = numbersChoices(subject, [], { asked, attribution });
    const ids = choices.map(({ id }) => id).filter((id) => /^(lens|attribution)/.test(id));
    expect(ids.join(" ")).toBe(
      "lens-probabilities lens-ids lens-entropy lens-divergence " +
        "lens-chosen-probabilities lens-chosen-ranks attribution attribution-keys",
    );
    for (const { id, axes, read } of choices.filter((one) => ids.includes(one.id))) {
      const { shape, data } = await read();
      expect(shape, id).toEqual(axes.map(({ size }) => size));
      expect(data).toHaveLength(shape.reduce((product, size) => product * size, 1));
    }
    const parts = choices.find(({ id }) => id === "attribution");
    expect(parts?.axes[0]?.labels?.slice(0, 2)).toEqual(["layer 1: head 1", "layer 1: head 2"]);
    expect([...((await parts?.read())?.data ?? [])][1]).toBeCloseTo(Math.sin(2));
  });

  it.each([
    [FAKE_WRITER, "decoder", "encoder"],
    [FAKE_READER, "encoder", "decoder"],
  ] as const)("are of the stacks that a model has", async (info, stack, other) => {
    const subject = await subjectOf({}, { info, head: { stack, layer: 0, head: 0 } });
    const ids = numbersChoices(subject).map(({ id }) => id);
    expect(ids.join()).not.toContain(other);
  });

  it.each<[id: string, more: Partial<State>]>([
    ["masked", { picture: "heatmap", stage: "masked" }],
    ["norms", { picture: "heatmap", stage: "norms" }],
    ["norms", { picture: "lines", stage: "norms" }],
    ["rollout", { picture: "heatmap", stage: "norms", joined: "rollout" }],
    ["mask", { picture: "mask" }],
    ["positions decoder", { picture: "positions" }],
    ["step weights", { picture: "steps" }],
    ["lens-probabilities", { picture: "layers" }],
    ["lens-entropy", { picture: "layers", shade: "entropy" }],
    ["lens-chosen-ranks", { picture: "layers", shade: "rank", entry: 3 }],
    ["step context", { picture: "steps", number: { step: "context", row: 0, column: 0 } }],
  ])("begin with %s under the picture that shows it", (id, more) => {
    expect(shownNumbers({ ...translator, state: { ...translator.state, ...more } })).toBe(id);
  });
});

const REGION = { query: 1, key: 2, rows: 2, columns: 1 };

it.each<[what: string, id: string, state: Partial<State>, is: boolean]>([
  ["all", "weights", { region: null }, false],
  ["what is no pattern", "query", {}, false],
  ["a picture without parts", "weights", { picture: "lines" }, false],
  ["other rows and columns", "weights", { unit: "word", specials: "hidden" }, false],
  ["a region that is not there", "weights", { region: { ...REGION, query: 11 } }, false],
  ["a mask", "mask", { picture: "mask" }, true],
])("the part of a pattern that a picture shows of %s is there or not", async (_, id, state, is) => {
  const subject = await subjectOf({ region: REGION, ...state });
  const choice = numbersChoices(subject).find((one) => one.id === id);
  expect(choice && regionChoice(choice, subject) !== null).toBe(is);
});
