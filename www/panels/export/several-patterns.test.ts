// @vitest-environment happy-dom
// Numbers of several patterns in one file: of heads that are drawn beside one another, of all
// stages, and of the part of them that a picture shows.
import { beforeAll, expect, it } from "vitest";
import { loadSentences } from "../../i18n/index.js";
import { displayPattern, readHead } from "../../session/run/head.js";
import { lensOf } from "../../session/run/pair-pictures.js";
import type { ExportSubject } from "../../session/subject.js";
import type { State } from "../../state/index.js";
import { type NumbersChoice, numbersChoices, regionChoice } from "./numbers.js";
import { HEAD, subjectOf } from "./testing/subject.js";

beforeAll(() => loadSentences("layers", "export"));

/** A subject of heads side by side, as lines show them. */
async function beside(heads: number[], state: Partial<State> = {}): Promise<ExportSubject> {
  const subject = await subjectOf({ picture: "lines", beside: heads, ...state });
  const figures = await readHead(subject.run, { ...HEAD, beside: heads });
  return { ...subject, figures, displayed: displayPattern(figures, lensOf(subject.state)) };
}
const ofHeads = (subject: ExportSubject): NumbersChoice[] =>
  numbersChoices(subject).filter(({ axes }) => axes[0]?.name === "head");

it("heads that are drawn beside one another are one tensor, each under its number", async () => {
  const subject = await beside([0, 5]);
  const [choice] = ofHeads(subject);
  if (!choice) throw new Error("there is no such choice");
  const { patterns } = subject.figures;
  const labels = patterns.map(({ head }) => `head ${head + 1}`);
  expect(labels).toHaveLength(3);
  expect(choice.axes[0]?.labels).toEqual(labels);
  const { shape, data } = await choice.read();
  const { shape: own } = patterns[0]?.weights ?? { shape: [] };
  expect(shape).toEqual([3, ...own]);
  const all = patterns.flatMap(({ weights }) => [...weights.data]);
  expect([...data]).toEqual(all);
  expect(ofHeads(await beside([]))).toEqual([]);
});

it("numbers as the picture has them are those of its rows and columns, head by head", async () => {
  const lens = { specials: "hidden", sink: "out" } as const;
  for (const heads of [[], [0]]) {
    const subject = await beside(heads, lens);
    const { displayed } = subject;
    const [choice] = numbersChoices(subject);
    expect(choice?.portion.view).toMatchObject({ specialTokens: "hidden" });
    const { data } = (await choice?.read()) ?? { data: [] };
    const wanted = heads.length > 0 ? displayed.patterns.map(({ weights }) => weights) : null;
    const numbers = (wanted ?? [displayed.weights]).flatMap((one) => [...one.data]);
    expect([...data]).toEqual(numbers);
  }
});

it("a part is cut out of each pattern, and its rows and columns keep their numbers", async () => {
  const region = { query: 1, key: 2, rows: 2, columns: 1 };
  const subject = await subjectOf({ region });
  const stages = numbersChoices(subject).find(({ id }) => id === "stages");
  const part = stages && regionChoice(stages, subject);
  if (!stages || !part) throw new Error("there is no such choice");
  const [whole, cut] = [await stages.read(), await part.read()];
  const [, rows = 0, columns = 0] = whole.shape;
  const wanted = Array.from({ length: whole.shape[0] ?? 0 }, (_, at) =>
    [1, 2].map((query) => whole.data[at * rows * columns + query * columns + 2]),
  );
  expect([...cut.data]).toEqual(wanted.flat());
  expect(cut.shape).toEqual([wanted.length, 2, 1]);
  expect(part.axes.map(({ first }) => first)).toEqual([stages.axes[0]?.first, 2, 3]);
  expect(part.axes[2]?.labels).toEqual(stages.axes[2]?.labels?.slice(2, 3));
});
