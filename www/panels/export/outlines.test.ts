// @vitest-environment happy-dom
// @isolate: texts are measured on a canvas that stands for all later ones.
// What of the page can be saved: each tensor with its axes and numbers, each picture with its words
// and its source, and each figure of an embed with its numbers. `npm run golden` writes the file;
// read the difference before you commit it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { GoldenSections } from "../../../tests/golden/golden.js";
import { FAKE_READER, FAKE_WRITER } from "../../../tests/support/fake-model.js";
import type { StepTensor, Tensor } from "../../data/index.js";
import type { Printable } from "../../elements/shared/figure.js";
import { PAPER_INKS } from "../../export/sheet.js";
import { figuresOf } from "../../kit/figure-numbers.js";
import type { Snapshot } from "../../kit/save.js";
import { loadSentences } from "../../i18n/index.js";
import type { ExportSubject } from "../../session/subject.js";
import { numbersChoices, numbersSnapshot, type ReadAttribution, regionChoice } from "./numbers.js";
import { type PairPart, pairParts, pictureChoices } from "./pictures.js";
import { comparedSubject, subjectOf } from "./testing/subject.js";

const CROSS = { stack: "cross", layer: 1, head: 2 } as const;
const DECODER = { stack: "decoder", layer: 0, head: 1 } as const;
const PRINT = { width: 1, height: 1, paint: () => undefined };
const FIGURE = { inks: PAPER_INKS, print: () => PRINT } as unknown as Printable;

const file = new GoldenSections("saved.txt");
beforeAll(() => loadSentences("export", "layers", "pairs", "pictures", "menus", "steps"));
afterAll(() => file.end());

function compare(name: string, lines: readonly string[]): void {
  expect(lines).toEqual(file.textOf(name, lines.join("\n")).split("\n"));
}

/** The number of values, of those that are none, and a sum that knows the places of the others. */
function digest(data: ArrayLike<number>): string {
  const all = Array.from(data);
  const known = all.filter(Number.isFinite).length;
  const sum = all.reduce(
    (total, value, at) => total + (Number.isFinite(value) ? value * (1 + (at % 7)) : 0),
    0,
  );
  return `${all.length}${known < all.length ? ` without ${all.length - known}` : ""}: ${sum.toFixed(3)}`;
}

const json = (value: unknown): string => JSON.stringify(value);

async function numbersOf(
  subject: ExportSubject,
  steps: readonly StepTensor[] = [],
  attributed: ReadAttribution | null = null,
): Promise<string[]> {
  const all = numbersChoices(subject, steps, attributed);
  const lines = all.map(async (choice) => {
    const { group, id, label, axes, portion } = regionChoice(choice, subject) ?? choice;
    // The vocabulary of the fake model is not that of its logits.
    const isVast = id === "logits";
    const { data } = numbersSnapshot(subject, regionChoice(choice, subject) ?? choice);
    const read = isVast ? null : await data?.();
    const along = (read && "axes" in read ? read.axes : axes).map(
      ({ name, size, first, labels }) =>
        `${name} ${first}+${size}${labels && !isVast ? ` ${labels.slice(0, 4).join("|")}` : ""}`,
    );
    const numbers = read && "tensor" in read ? digest(read.tensor.data) : "";
    return `${group} ${id} “${label}” [${along.join("; ")}] ${json(portion)} ${numbers}`;
  });
  return Promise.all(lines);
}

async function picturesOf(subject: ExportSubject): Promise<string[]> {
  const told = ({ title, lines, provenance, scene }: Snapshot): string => {
    const { link, edits, ...source } = provenance;
    const size = scene?.(PAPER_INKS);
    const own = Object.entries(source).filter(([, value]) => value !== null);
    return `${title} / ${lines?.join(" / ")} ${size?.width}×${size?.height} ${json(Object.fromEntries(own))} ${json(edits)} ${link === null}`;
  };
  const parts: readonly PairPart[] = subject.compared
    ? pairParts(subject, subject.compared)
    : ["all"];
  const found: string[] = [];
  for (const { name, code, numbers, read } of pictureChoices(subject))
    for (const part of name === "shown" ? parts : parts.slice(0, 1))
      found.push(`${name} ${part} ${code} ${numbers}: ${told(await read(FIGURE, part))}`);
  return found;
}

/** The figures that a page of another gets with their numbers. */
async function figuresIn(subject: ExportSubject): Promise<string[]> {
  const found: string[] = [];
  for (const kind of ["picture", "grid", "spectrum", "both-tokens", "tokens"] as const)
    for (const { figure, about, properties } of await figuresOf(kind, subject)) {
      const all = Object.entries(properties).map(([name, value]) => {
        const data = (value as Partial<Tensor> | null)?.data;
        return `${name} ${data ? digest(data) : json(value).slice(0, 160)}`;
      });
      found.push(`${kind}: ${figure} “${about}” ${all.join("; ")}`);
    }
  return found;
}

async function compareAll(
  name: string,
  subject: ExportSubject,
  ...more: [StepTensor[]?, ReadAttribution?]
): Promise<void> {
  compare(`numbers: ${name}`, await numbersOf(subject, ...more));
  compare(`pictures: ${name}`, await picturesOf(subject));
  compare(`figures: ${name}`, await figuresIn(subject));
}

it("of a translator's cross-attention, with the steps of its block", async () => {
  const subject = await subjectOf({ locked: { query: 1, key: 2 } }, { head: CROSS });
  await compareAll("cross-attention", subject, await subject.run.steps(CROSS));
});

it("of a writer with an entry under the picture of layers, and the parts of a logit", async () => {
  const state = { picture: "layers", entry: 3 } as const;
  const subject = await subjectOf(state, { info: FAKE_WRITER, head: DECODER });
  const asked = { position: 0, id: 3, against: 4, head: DECODER };
  const attribution = await subject.run.attribution(asked);
  await compareAll("layers of a writer", subject, [], { asked, attribution });
});

it("of a reader by words without the sink, and of a region", async () => {
  const head = { stack: "encoder", layer: 0, head: 2 } as const;
  const region = { query: 1, key: 0, rows: 2, columns: 2 };
  const info = { ...FAKE_READER, positions: "rotary" };
  const view = { unit: "word", sink: "out", specials: "hidden" } as const;
  await compareAll("words of a reader", await subjectOf(view, { info, head }));
  await compareAll("a region", await subjectOf({ region }, { info, head }));
  for (const picture of ["dimensions", "positions"] as const) {
    const [figure = ""] = await figuresIn(await subjectOf({ picture }, { info, head }));
    compare(`figure: ${picture}`, [figure]);
  }
});

it("of two texts", async () => {
  await compareAll("two texts", await comparedSubject((words) => words.slice(0, 2)));
});
