// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import type { HeadRef } from "../../data/index.js";
import { provenanceRecord, type Exhibit } from "../../export/exhibit.js";
import { fileName } from "../../export/file-name.js";
import { DEFAULT_STATE } from "../../state/index.js";
import { align, pairedWords, sharedAxis, sharedPattern } from "../pairs/alignment.js";
import { readHead } from "../run/figures.js";
import { lensOf, lookedAt } from "../run/looked.js";
import { embedCode } from "./embed-code.js";
import { numbersChoices, shownNumbers } from "./numbers.js";
import { PAIR_PARTS, partLines, partProvenance, partState, partTitle } from "./pair-parts.js";
import type { ExportSubject } from "./subject.js";

const ONE = "a small test";
const OTHER = "a big small thing";
const HEAD: HeadRef = { stack: "encoder", layer: 1, head: 2 };

async function compared(): Promise<ExportSubject> {
  const model = new FakeModel(FAKE_INFO);
  const [run, second] = [await model.run({ text: ONE }), await model.run({ text: OTHER })];
  const [one, other] = [
    await readHead(run, HEAD, { beside: [], vectors: false }),
    await readHead(second, HEAD, { beside: [], vectors: false }),
  ];
  const [queries, keys] = [align(one.queries, other.queries), align(one.keys, other.keys)];
  const axes = [
    sharedAxis(one.queries, other.queries, queries),
    sharedAxis(one.keys, other.keys, keys),
  ] as const;
  const paired = {
    one,
    other,
    queries,
    keys,
    shared: sharedPattern(one.stages.weights, other.stages.weights, ...axes),
  };
  const state = {
    ...DEFAULT_STATE,
    ...HEAD,
    text: ONE,
    otherText: OTHER,
    compare: "other" as const,
  };
  const reading = {
    model: "en-fr",
    text: OTHER,
    target: second.targetText,
    hidden: [],
    ...HEAD,
    edits: {},
  };
  return {
    state,
    info: FAKE_INFO,
    notes: null,
    run,
    head: HEAD,
    figures: one,
    looked: lookedAt(one, lensOf(state)),
    target: run.targetText,
    edits: {},
    editWords: [],
    compared: {
      paired,
      reading,
      names: { one: ONE, other: OTHER },
      words: () =>
        pairedWords(
          "source",
          "encoder-decoder",
          run.tokens,
          second.tokens,
          align(run.tokens, second.tokens),
        ),
      shownWords: [],
    },
  };
}

describe("the numbers of two runs", () => {
  let subject: ExportSubject;
  beforeAll(async () => {
    subject = await compared();
  });
  const read = (id: string): Promise<Exhibit> => {
    const choice = numbersChoices(subject).find((candidate) => candidate.id === id);
    if (!choice) throw new Error(`no ${id}`);
    return choice.read();
  };

  it("begin with the difference in the stage that is shown", () => {
    const choices = numbersChoices({ ...subject, state: { ...subject.state, stage: "raw" } });
    expect(choices[0]?.id).toBe("difference raw");
    expect(choices.some(({ id }) => id === shownNumbers(subject))).toBe(false);
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length);
  });

  it("hold the difference with the words of both texts on both axes", async () => {
    const { tensor, axes, provenance } = await read("difference weights");
    expect(tensor.data).toEqual(subject.compared?.paired.shared.tensor.data);
    const labels = ["a", "− big", "small", "test | thing", "</s>"];
    expect(axes).toEqual([
      { name: "query", labels, first: 1 },
      { name: "key", labels, first: 1 },
    ]);
    expect(tensor.shape).toEqual([labels.length, labels.length]);
    expect(provenanceRecord(provenance)).toMatchObject({
      quantity: "weights-difference",
      text: ONE,
      layer: { index: 1, number: 2 },
      aligned: "words",
      comparedWith: {
        model: "en-fr",
        text: OTHER,
        layer: { index: 1, number: 2 },
        head: { index: 2, number: 3 },
      },
    });
    expect(fileName(provenance, "csv")).toBe(
      "headscope_en-fr_encoder_layer-2_head-3_weights-difference_a-small-test_vs-a-big-small-thing.csv",
    );
  });

  it("hold what is either run's own, each named after its own text", async () => {
    const { paired } = subject.compared ?? {};
    const [first, second] = [await read("first masked"), await read("second masked")];
    expect([first.tensor, second.tensor]).toEqual([
      paired?.one.stages.masked,
      paired?.other.stages.masked,
    ]);
    expect([first.provenance.text, first.provenance.compared?.text]).toEqual([ONE, OTHER]);
    expect([second.provenance.text, second.provenance.compared?.text]).toEqual([OTHER, ONE]);
    expect(second.axes[0]?.labels).toEqual(["a", "big", "small", "thing", "</s>"]);
  });

  it("hold what either picture and the difference come from, when each is saved alone", () => {
    const { compared: both } = subject;
    if (!both) throw new Error("nothing is compared");
    const names = PAIR_PARTS.map((part) => fileName(partProvenance(part, subject, both), "svg"));
    const [one, two, place] = [
      "a-small-test",
      "a-big-small-thing",
      "headscope_en-fr_encoder_layer-2_head-3",
    ];
    expect(names).toEqual([
      `${place}_weights-compared_${one}_vs-${two}.svg`,
      `${place}_weights_${one}_vs-${two}.svg`,
      `${place}_weights_${two}_vs-${one}.svg`,
      `${place}_weights-difference_${one}_vs-${two}.svg`,
    ]);
    expect(new Set(PAIR_PARTS.map((part) => partTitle(part, subject, both))).size).toBe(
      PAIR_PARTS.length,
    );
    const signs = PAIR_PARTS.map((part) =>
      partLines(part, subject, both).includes("+ only in the first, − only in the second"),
    );
    expect(signs).toEqual([true, false, false, true]);
  });

  it("are those of one text where a figure in another page shows either run", () => {
    const { compared: both } = subject;
    const looking = {
      ...subject,
      state: {
        ...subject.state,
        picture: "lines" as const,
        unit: "word" as const,
        aligned: "positions" as const,
        locked: { query: 0, key: 1 },
      },
    };
    const states = PAIR_PARTS.map((part) => both && partState(part, looking, both));
    expect([states[0], states[3]]).toEqual([null, null]);
    expect(states[1]).toMatchObject({
      text: ONE,
      picture: "heatmap",
      unit: "token",
      locked: { query: 0, key: 1 },
    });
    expect(states[2]).toMatchObject({
      text: OTHER,
      picture: "heatmap",
      unit: "token",
      locked: null,
      ...HEAD,
    });
    expect(states[2] && embedCode("picture", states[2])).toContain(
      `<headscope-heatmap model="models/en-fr" text="${OTHER}" stack="encoder" layer="2" head="3"></headscope-heatmap>`,
    );
  });

  it("hold the cosines of every word that has a counterpart, the embeddings first", async () => {
    const { tensor, axes, provenance } = await read("cosines source");
    expect(axes[0]?.labels).toEqual(["a", "small", "test | thing", "</s>"]);
    expect(tensor.shape).toEqual([4, 4]);
    expect(Array.from(tensor.data.slice(8, 12))).toEqual([0.875, 0.75, 0.625, 0.5]);
    expect(axes[1]).toEqual({ name: "layer", labels: null, first: 0 });
    expect(provenance).toMatchObject({
      quantity: "cosines",
      stack: "encoder",
      layer: null,
      head: null,
      compared: { text: OTHER, layer: null },
    });
  });
});
