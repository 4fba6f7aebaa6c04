// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { loadSentences } from "../../i18n/index.js";
import { FAKE_READER, FAKE_WRITER } from "../../../tests/support/fake-model.js";
import type { State } from "../../state/index.js";
import { numbersChoices, regionChoice, shownNumbers } from "./numbers.js";
import type { ExportSubject } from "../../session/subject.js";
import { comparedSubject, OTHER, subjectOf } from "./testing/subject.js";

const CROSS = { stack: "cross", layer: 1, head: 2 } as const;

describe("the numbers that can be saved", () => {
  let translator: ExportSubject;
  beforeAll(async () => {
    await loadSentences("layers");
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

describe("the numbers of a comparison", () => {
  beforeAll(() => loadSentences("pairs"));

  const choiceOf = async (id: string, subject?: ExportSubject) => {
    const choices = numbersChoices(subject ?? (await comparedSubject()));
    return choices.find((one) => one.id === id) ?? expect.fail(`${id} is not offered`);
  };

  it("are the differences first, in the shown stage, then each run's own", async () => {
    const ids = numbersChoices(await comparedSubject()).map(({ id }) => id);
    expect(ids[0]).toBe("difference weights");
    const differences = ids.filter((id) => id.startsWith("difference "));
    expect(new Set(differences).size).toBe(4);
    expect(ids.slice(4, 8)).toEqual(differences.map((id) => id.replace("difference", "first")));
    expect(ids.slice(8, 12)).toEqual(differences.map((id) => id.replace("difference", "second")));
  });

  it("of a run are those of its head, on its own tokens", async () => {
    const subject = await comparedSubject();
    const { one, other } = subject.compared.paired;
    for (const [id, figures] of [
      ["first scores", one],
      ["second scores", other],
    ] as const) {
      const choice = await choiceOf(id, subject);
      expect(await choice.read()).toBe(figures.stages.scores);
      const labels = choice.axes.map(({ labels: texts }) => texts);
      expect(labels).toEqual(
        [figures.queries, figures.keys].map((of) => of.map(({ text }) => text)),
      );
    }
  });

  it("of a difference are the first less the second, on the tokens of both", async () => {
    const subject = await comparedSubject();
    const choice = await choiceOf("difference weights", subject);
    const { data, shape } = await choice.read();
    const { shared, one, other } = subject.compared.paired;
    expect([...data]).toEqual([...(shared?.tensor.data ?? [])]);
    expect(shape).toEqual(choice.axes.map(({ size }) => size));
    // "a" and "small" are in both texts; what is in one alone has a sign.
    const labels = choice.axes[0]?.labels ?? [];
    expect(labels).toHaveLength(5);
    expect(labels).toContain("small");
    const at = labels.indexOf("small");
    const rows = (of: typeof one): number[] => {
      const index = of.queries.findIndex(({ text }) => text === "small");
      const width = of.keys.length;
      return [...of.stages.weights.data.slice(index * width, (index + 1) * width)];
    };
    const first = one.keys.findIndex(({ text }) => text === "small");
    const second = other.keys.findIndex(({ text }) => text === "small");
    const difference = (rows(one)[first] ?? NaN) - (rows(other)[second] ?? NaN);
    expect(data[at * (shape[1] ?? 0) + at]).toBeCloseTo(difference, 6);
  });

  it("of heads without shared axes have no difference", async () => {
    const subject = await comparedSubject();
    const paired = { ...subject.compared.paired, shared: null };
    const apart = { ...subject, compared: { ...subject.compared, paired } };
    expect(numbersChoices(apart)[0]?.id).toBe("first weights");
  });

  it("have the cosines of every word, layer by layer, where a counterpart is", async () => {
    const choice = await choiceOf("cosines source");
    const [words, layers] = choice.axes;
    expect(layers?.size).toBe(4);
    expect(words?.labels?.slice(0, 2)).toEqual(["a", "small"]);
    const { data, shape } = await choice.read();
    expect(shape).toEqual([words?.size, 4]);
    // Equal words of the fake model have equal states.
    expect([...data.slice(0, 4)]).toEqual([1, 1, 1, 1]);
    expect(choice.portion).toMatchObject({
      quantity: "cosines",
      stack: "encoder",
      compared: { text: OTHER, layer: null, head: null },
    });
  });
});
