// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import { PAPER_INKS } from "../../export/sheet.js";
import { loadSentences } from "../../i18n/index.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import {
  align,
  pairedWords,
  readCosines,
  sharedAxis,
  sharedPattern,
  type WordPair,
} from "../pairs/alignment.js";
import { readHead } from "../run/figures.js";
import { lensOf, lookedAt } from "../run/looked.js";
import { otherFile, otherPictures, type OtherMoment } from "./other-pictures.js";
import type { NamedFile, Unsaved } from "./files.js";
import type { ExportSubject } from "./subject.js";

// Where there is no browser, there are no fonts.
vi.mock("virtual:headscope-font-slices", () => ({ default: [] }));

const HEAD = { stack: "encoder", layer: 1, head: 2 } as const;
const LOCKED = { query: 1, key: 0 };

async function subject(more: Partial<State> = {}): Promise<ExportSubject> {
  const run = await new FakeModel(FAKE_INFO).run({ text: "a small test" });
  const figures = await readHead(run, HEAD, { beside: [], vectors: false });
  const state = { ...DEFAULT_STATE, ...HEAD, text: "a small test", ...more };
  return {
    state,
    info: FAKE_INFO,
    notes: null,
    run,
    head: HEAD,
    figures,
    looked: lookedAt(figures, lensOf(state)),
    target: run.targetText,
    edits: {},
    editWords: [],
    compared: null,
  };
}

/** The same beside another text, while the page looks at the words of some of its pairs. */
async function compared(shown: (words: readonly WordPair[]) => WordPair[]): Promise<ExportSubject> {
  const first = await subject({ compare: "other", otherText: "a big small thing" });
  const { run, figures } = first;
  const second = await new FakeModel(FAKE_INFO).run({ text: "a big small thing" });
  const other = await readHead(second, HEAD, { beside: [], vectors: false });
  const [queries, keys] = [align(figures.queries, other.queries), align(figures.keys, other.keys)];
  const axes = [
    sharedAxis(figures.queries, other.queries, queries),
    sharedAxis(figures.keys, other.keys, keys),
  ] as const;
  const paired = {
    one: figures,
    other,
    queries,
    keys,
    shared: sharedPattern(figures.stages.weights, other.stages.weights, ...axes),
  };
  const reading = {
    model: "en-fr",
    text: "a big small thing",
    target: second.targetText,
    hidden: [],
    ...HEAD,
    edits: {},
  };
  const words = pairedWords("source", "encoder-decoder", run.tokens, second.tokens, queries);
  return {
    ...first,
    compared: {
      paired,
      reading,
      names: { one: first.state.text, other: "a big small thing" },
      words: () => words,
      shownWords: shown(words),
    },
  };
}

async function svg(
  saved: Promise<NamedFile | Unsaved>,
): Promise<{ name: string; texts: string[]; record: Record<string, unknown> }> {
  const made = await saved;
  if (typeof made === "string") throw new Error(made);
  const file = new DOMParser().parseFromString(await made.file.text(), "image/svg+xml");
  return {
    name: made.name,
    texts: [...file.querySelectorAll("text")].map(({ textContent }) => textContent),
    record: JSON.parse(file.querySelector("metadata")?.textContent ?? "{}") as Record<
      string,
      unknown
    >,
  };
}

describe("a picture beside the head's own", () => {
  let moment: OtherMoment | null;
  const now = (): OtherMoment | null => moment;

  beforeAll(async () => {
    vi.stubGlobal(
      "OffscreenCanvas",
      class {
        getContext(): null {
          return null;
        }
      },
    );
    vi.stubGlobal(
      "ImageData",
      class {
        constructor(readonly data: Uint8ClampedArray) {}
      },
    );
    await loadSentences("export", "pairs");
  });
  beforeEach(async () => {
    moment = { subject: await subject({ locked: LOCKED }), inks: PAPER_INKS };
  });

  it("is offered where there is something to show", async () => {
    expect(otherPictures(await subject())).toEqual(["grid", "spectrum", "tokens"]);
    expect(otherPictures(await subject({ locked: LOCKED }))).toContain("strongest");
  });

  it("has title, model and text on its sheet, and is named for what it is of", async () => {
    const spectrum = await svg(otherFile("svg", "spectrum", "white", now));
    expect(spectrum.name).toBe(
      "headscope_en-fr_encoder_layer-2_head-3_singular-values_a-small-test.svg",
    );
    for (const words of [
      "Encoder · layer 2 · head 3 · singular values",
      "Text: a small test",
      "Scores, before mask and softmax",
      "2 of 4 hold 90%",
    ])
      expect(spectrum.texts).toContain(words);
    expect(spectrum.record).toMatchObject({
      quantity: "singular-values",
      stack: "encoder",
      head: { index: 2, number: 3 },
    });

    const tokens = await svg(otherFile("svg", "tokens", "white", now));
    expect(tokens.name).toBe("headscope_en-fr_tokens_a-small-test.svg");
    for (const words of ["Tokens of your sentence", "small", "Tokens of the translation", "SMALL"])
      expect(tokens.texts).toContain(words);

    const strongest = await svg(otherFile("svg", "strongest", "white", now));
    expect(strongest.name).toBe(
      "headscope_en-fr_encoder_layer-2_head-3_strongest-keys-2_a-small-test.svg",
    );
    expect(strongest.texts.join(" ")).toContain("where “small” looks most");
  });

  it("shows the heads in the order that the page has them in", async () => {
    const all = await svg(otherFile("svg", "grid", "white", now));
    expect(all.name).toBe("headscope_en-fr_encoder_all-heads_a-small-test.svg");
    expect(all.texts).not.toContain("3 · 8");
    moment = { subject: await subject({ headSort: "entropy" }), inks: PAPER_INKS };
    const { texts } = await svg(otherFile("svg", "grid", "white", now));
    for (const words of ["3 · 8", "Below each head: its entropy on this text, in nats."])
      expect(texts).toContain(words);
  });

  it("shows how alike the words are that the page looks at, layer by layer, and is of both runs", async () => {
    const both = await compared((words) => words.slice(1, 3));
    moment = { subject: both, inks: PAPER_INKS };
    const { name, texts, record } = await svg(otherFile("svg", "cosines", "white", now));
    expect(name).toBe("headscope_en-fr_encoder_cosines-2-3_a-small-test_vs-a-big-small-thing.svg");
    for (const words of [
      "Encoder · cosines of the words in focus, layer by layer",
      "“small” and “small”, layer by layer",
      "“test” and “thing”, layer by layer",
      "embedding",
      "layer 3",
      "First: a small test",
      "Second: a big small thing",
    ])
      expect(texts).toContain(words);
    const { compared: second } = both;
    const read =
      second && (await readCosines(both.run, second.paired.other.run, second.shownWords));
    const cosines = (read ?? []).flatMap((one) =>
      one.cosines.map((cosine) => (cosine ?? NaN).toFixed(3)),
    );
    expect(cosines).toHaveLength(8);
    expect(texts.filter((text) => /^\d\.\d{3}$/.test(text))).toEqual(cosines);
    expect(record).toMatchObject({
      quantity: "cosines-2-3",
      stack: "encoder",
      layer: null,
      head: null,
      comparedWith: { text: "a big small thing", layer: null, head: null },
    });
  });

  it("is offered of words where they have a counterpart, and is none once the other run is another", async () => {
    expect(otherPictures(await compared(() => []))).not.toContain("cosines");
    const both = await compared((words) => words.slice(0, 1));
    expect(otherPictures(both)).toContain("cosines");
    moment = { subject: both, inks: PAPER_INKS };
    const anew = (await compared((words) => words.slice(0, 1))).compared;
    const coming = otherFile("svg", "cosines", "white", now);
    moment = { subject: { ...both, compared: anew }, inks: PAPER_INKS };
    expect((await coming) === "gone").toBe(true);
  });

  it("is none once the page is about something else", async () => {
    const other = await subject();
    const coming = otherFile("svg", "grid", "white", now);
    moment = { subject: other, inks: PAPER_INKS };
    expect((await coming) === "gone").toBe(true);
    moment = null;
    expect(await otherFile("svg", "tokens", "white", now)).toBe("gone");
  });
});
