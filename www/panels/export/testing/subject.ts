import { expect } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../../tests/support/fake-model.js";
import type { HeadRef, ModelInfo } from "../../../data/index.js";
import type { Run } from "../../../headscope.js";
import { DEFAULT_STATE, type State } from "../../../state/index.js";
import { align, pairedHead, pairedWords, type WordPair } from "../../../session/alignment.js";
import type { Computation } from "../../../session/run/computation.js";
import { displayPattern, readHead } from "../../../session/run/head.js";
import { comparedStage, lensOf } from "../../../session/run/pair-pictures.js";
import { type ExportSubject, subjectOf as readSubject } from "../../../session/subject.js";

export const TEXT = "a small test";
export const HOME = "http://localhost:3000/";
export const OTHER = "a big small thing";
export const HEAD: HeadRef = { stack: "encoder", layer: 1, head: 2 };

/** What a page with a fake model would save. */
export async function subjectOf(
  state: Partial<State> = {},
  { info = FAKE_INFO, head = HEAD }: { info?: ModelInfo; head?: HeadRef } = {},
): Promise<ExportSubject> {
  const model = new FakeModel(info);
  const run = await model.run({ text: TEXT });
  const figures = await readHead(run, head);
  const all: State = { ...DEFAULT_STATE, ...head, ...state, text: TEXT };
  const displayed = displayPattern(figures, lensOf(all));
  const computation = { model, run } as unknown as Computation;
  const subject = readSubject(
    all,
    {
      figures,
      displayed,
      knownRoles: null,
      chips: [],
      shownImage: { isOwn: false },
      home: HOME,
    },
    computation,
  );
  return subject ?? expect.fail("nothing is computed");
}

/** The subject of an export beside another text, with the words of some pairs on the screen. */
export async function comparedSubject(
  shownWords: (words: WordPair[]) => WordPair[] = () => [],
): Promise<ExportSubject & { compared: NonNullable<ExportSubject["compared"]> }> {
  const first = await subjectOf({ compare: "other", otherText: OTHER });
  const { run, figures: one } = first;
  const second: Run = await new FakeModel(FAKE_INFO).run({ text: OTHER });
  const other = await readHead(second, HEAD);
  const words = pairedWords("source", FAKE_INFO, align(run.tokens, second.tokens));
  const compared = {
    paired: pairedHead(one, other, [FAKE_INFO, FAKE_INFO], {
      ...first.state,
      stage: comparedStage(first.state),
    }),
    reading: {
      model: "en-fr",
      text: OTHER,
      target: second.targetText,
      masked: [],
      ...HEAD,
      edits: {},
    },
    names: { one: TEXT, other: OTHER },
    words: () => words,
    shownWords: shownWords(words),
  };
  return { ...first, compared };
}
