import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { RunRequest, Stack, Tensor } from "../../www/data/index.js";
import type { Read } from "../../www/engine/protocol.js";
import {
  EDITED,
  editedNames,
  editedReference,
  modelNames,
  reference,
  type Answers,
  type ReferenceCase,
  type ReferenceModel,
} from "../node/reference.js";
import { ask, noteEngine } from "./engine-thread.js";
import { SOFTWARE_GPU } from "./software-gpu.js";

test.use(SOFTWARE_GPU);
// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

/** By how much a number may differ from what PyTorch computed. */
const TOLERANCE = 2e-4;
/** Where the files of a tiny model are asked for: they are no part of the site. */
const FOLDER = "tiny-model";

/** A tensor of the reference, with the place of its numbers and how it is asked for. */
interface Wanted {
  what: string;
  read: Read;
  /** The last two axes of what is read. */
  rows: number;
  columns: number;
  data: Float32Array;
}

/** Everything that the reference has of a case, head by head. */
function wantedOf(name: string, answers: Answers): Wanted[] {
  return [...answers].flatMap(([key, { shape, data }]): Wanted[] => {
    if (!key.startsWith(`${name}.`)) return [];
    const what = key.slice(name.length + 1);
    const [stack, kind, layer] = what.split(".") as [Stack | "logits", string | undefined, string];
    const [rows = 0, columns = 0] = shape.slice(-2);
    if (stack === "logits")
      return [{ what, read: { what: "logits", positions: null }, rows, columns, data }];
    if (kind === "hidden")
      return [{ what, read: { what: "hidden", stack, layer: Number(layer) }, rows, columns, data }];
    return Array.from({ length: shape[0] ?? 0 }, (_, head) => ({
      what: `${what}.${head}`,
      read: { what: "attention", stack, layer: Number(layer), head, stage: "weights", rows: null },
      rows,
      columns,
      data: data.subarray(head * rows * columns, (head + 1) * rows * columns),
    }));
  });
}

/** As the tests of the core ask: what names neither a target nor a length, of a model that needs a target, is written to the end. */
function requestOf(given: ReferenceCase, needsTarget: boolean): RunRequest {
  const isWritten =
    given.max_new_tokens !== undefined || (needsTarget && given.target_ids === undefined);
  return {
    ids: given.ids,
    ...(given.token_type_ids && { tokenTypeIds: given.token_type_ids }),
    ...(given.attention_mask && { attentionMask: given.attention_mask }),
    ...(given.target_ids && { targetIds: given.target_ids }),
    ...(given.edits && { edits: given.edits }),
    ...(isWritten && {
      generate: given.max_new_tokens === undefined ? {} : { maxTokens: given.max_new_tokens },
    }),
  };
}

/** Where an answer is not the reference; Hugging Face does not read the last token that it writes, whose row may be there. */
function differences(
  { what, rows, columns, data }: Wanted,
  answer: Tensor,
  isWritten: boolean,
): string[] {
  const [height = 0, width = 0] = answer.shape.slice(-2);
  const isShaped = isWritten
    ? height >= rows && width >= columns
    : height === rows && width === columns;
  if (!isShaped) return [`${what}: ${height} × ${width} instead of ${rows} × ${columns}`];
  return Array.from(data).flatMap((want, at) => {
    const got = answer.data[Math.floor(at / columns) * width + (at % columns)] ?? NaN;
    return Math.abs(got - want) <= TOLERANCE ? [] : [`${what}[${at}]: ${got} instead of ${want}`];
  });
}

/** What is known of a model: without edits, and under those that change heads and blocks, kinds, masks and positions. */
const setsOf = (name: string): ReferenceModel[] => [
  reference(name),
  ...EDITED.filter((edited) => editedNames(edited).includes(name)).map((edited) =>
    editedReference(edited, name),
  ),
];

for (const name of modelNames) {
  test(`${name}: the GPU computes in the browser what Hugging Face and PyTorch compute`, async ({
    page,
  }) => {
    const sets = setsOf(name);
    await noteEngine(page);
    await page.route(`**/${FOLDER}/*`, (route) =>
      route.fulfill({
        body: readFileSync(
          new URL(new URL(route.request().url()).pathname.split("/").pop() ?? "", sets[0]?.folder),
        ),
      }),
    );
    // Of the page nothing is needed but the script of its engine.
    await page.goto("./");
    await page.waitForFunction(() => typeof window.engineScript === "string");
    // One thread for all of them: it takes long to make what an imitated GPU computes with.
    const cases = sets.flatMap(({ cases, answers }) => {
      const needsTarget = [...answers.keys()].some((key) => key.includes(".cross."));
      return cases.map((given) => ({
        given,
        wanted: wantedOf(given.name, answers),
        request: requestOf(given, needsTarget),
      }));
    });
    const { info, runs } = await ask(
      page,
      "webgpu",
      FOLDER,
      cases.map(({ request, wanted }) => ({ request, reads: wanted.map(({ read }) => read) })),
    );
    expect(info).toMatchObject({ backend: "webgpu", adapter: { software: true } });
    if (sets.length > 1) expect(cases.some(({ given }) => given.edits)).toBe(true);
    for (const [at, { given, wanted }] of cases.entries()) {
      const run = runs[at];
      if (given.read_ids)
        expect(run?.targetIds.slice(0, given.read_ids.length), given.name).toEqual(given.read_ids);
      expect(wanted.length, given.name).toBeGreaterThan(0);
      for (const [place, one] of wanted.entries()) {
        const answer = run?.reads[place];
        expect(typeof answer, `${given.name}: ${one.what}`).toBe("object");
        expect(
          differences(one, answer as Tensor, given.generated !== undefined).slice(0, 3),
          given.name,
        ).toEqual([]);
      }
    }
    const compared = cases
      .flatMap(({ wanted }) => wanted)
      .reduce((sum, { data }) => sum + data.length, 0);
    expect(compared).toBeGreaterThan(5000 * sets.length);
  });
}
