import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { arrivalIn } from "../../www/lessons/arrival.js";
import { read } from "../../www/lessons/checks.js";
import type { Lesson, Reading, Task } from "../../www/lessons/format.js";
import { LESSON_NAMES, lessonOf } from "../../www/lessons/list.js";
import { isActed, markOf } from "../../www/lessons/marking.js";
import { Explorer } from "../../www/session/explorer.js";
import { NO_EDITS, type State } from "../../www/state/index.js";
import { loadModel } from "./package.js";

/* The lessons on the bundled models, in an explorer without a view. */

const HOME = "https://headscope.example/";
// What a session asks of a page.
vi.stubGlobal("document", { baseURI: HOME, querySelector: () => null });
vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw));
vi.stubGlobal("cancelAnimationFrame", clearTimeout);

const explorer = new Explorer({
  home: HOME,
  load: (address, options) => {
    if (typeof address !== "string") throw new Error("lessons use bundled models alone");
    const { pathname } = new URL(address);
    return loadModel(fileURLToPath(new URL(`../..${pathname}`, import.meta.url)), options);
  },
});
const { session } = explorer;
beforeAll(() => explorer.begin());
afterAll(() => {
  explorer.dispose();
  vi.unstubAllGlobals();
});

/** Waits until all that a State asks for is read. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await vi.waitUntil(() => session.settled, { timeout: 30_000, interval: 20 });
}

const lessonNamed = (name: string): Lesson => lessonOf({ lesson: name, step: 0 });
const arrival = (name: string, step: number): State =>
  arrivalIn(lessonNamed(name), { lesson: name, step }, session.state);

async function open(name: string, step: number, change: Partial<State> = {}): Promise<void> {
  session.store.replace({ ...arrival(name, step), ...change });
  await settled();
}

const STEPS = LESSON_NAMES.flatMap((name) =>
  lessonNamed(name).steps.map((step, at) => ({ name, at, step })),
);
const RUNS = STEPS.filter(({ step }) => step.state.training === undefined);

it.each(RUNS)(
  "the State of $name, step $at, opens as it is written",
  async ({ name, at, step }) => {
    await open(name, at);
    expect(session.failure).toBeNull();
    expect(session.notices.list).toEqual([]);
    // What a State names that is not there would have been dropped.
    expect(session.state).toEqual(arrival(name, at));
    if (step.state.locked) expect(session.locked).toEqual(step.state.locked);
  },
);

/** The index of the right choice of each task, or its number, and what its reader does by hand. */
const SOLUTIONS: Readonly<
  Record<string, { right: number; change?: Partial<State>; inPage?: true }>
> = {
  "dots.1": { right: 0 },
  "dots.2": { right: 2.87 },
  "dots.3": { right: 0.57 },
  "dots.4": { right: 0 },
  "attention.1": { right: 4, inPage: true },
  "attention.2": { right: 10, inPage: true },
  "attention.3": { right: 1.74, inPage: true },
  "attention.4": { right: 6.7 },
  "heads.1": { right: 2, change: { layer: 1, head: 0 } },
  "heads.2": { right: 2, change: { layer: 3, head: 3 } },
  "heads.3": { right: 0 },
  "masks.1": { right: 0 },
  "masks.2": { right: 1 },
  "masks.3": { right: 0 },
  "masks.4": { right: 1 },
  "positions.2": { right: 1 },
  "positions.3": { right: 0 },
  "translation.1": { right: 1 },
  "translation.3": { right: 1 },
  "translation.4": { right: 1 },
  "layers.1": { right: 1.49 },
  "layers.2": { right: 0 },
  "layers.4": { right: 0.7 },
  "meaning.1": { right: 0, change: { layer: 0, head: 1 } },
  "meaning.2": { right: 1 },
  "meaning.3": { right: 1 },
  "cost.1": { right: 144 },
  "cost.2": { right: 529 },
  "cost.3": { right: 0, inPage: true },
  "cost.4": { right: 1, inPage: true },
  "cost.5": { right: 0, inPage: true },
  "induction.1": { right: 1, change: { layer: 2, head: 2 } },
  "induction.2": { right: 1 },
  "induction.3": { right: 0 },
  "induction.4": { right: 1, inPage: true },
};

const TASKS = STEPS.flatMap(({ name, at, step: { task } }) =>
  task ? [{ key: `${name}.${at + 1}`, name, at, task }] : [],
);

it("every task has a solution here", () => {
  expect(Object.keys(SOLUTIONS)).toEqual(TASKS.map(({ key }) => key));
});

/** The guesses that a reader may give: all choices, or the right number and one far from it. */
function guessesAt({ guess }: Task, right: number): number[] {
  return guess.kind === "choices"
    ? guess.choices.map((_, at) => at)
    : [right, right + 2 * guess.within + 1];
}

// What the calculator, a demo or a training computes is there in a page alone.
it.each(TASKS.filter(({ key }) => !SOLUTIONS[key]?.inPage))(
  "the task $key is marked by the run: one answer is right",
  async ({ key, name, at, task }) => {
    const { right = NaN, change } = SOLUTIONS[key] ?? {};
    await open(name, at);
    if (task.act) expect(isActed(task, session)).toBe(false);
    await open(name, at, { ...task.act?.state, ...change });
    expect(isActed(task, session)).toBe(true);
    for (const guess of guessesAt(task, right)) {
      const mark = await vi.waitUntil(() => markOf(task, guess, session), { timeout: 20_000 });
      expect(mark, String(guess)).toMatchObject({ guess, right: guess === right });
      if (task.guess.kind === "choices") expect(mark.found).toBe(right);
    }
  },
);

describe("the words of the lessons say what the numbers are", () => {
  const weight = (query: number, key: number, stage = "weights"): Reading =>
    ({ of: "weight", cell: { query: query - 1, key: key - 1 }, stage }) as Reading;
  const car: Reading = { of: "probability", token: "car" };
  const head42 = { edits: [{ stack: "decoder", layers: [3], heads: [1], gate: 0 }] };

  it.each<[step: string, words: string, reading: Reading, digits?: number]>([
    ["dots.2", "16.23", weight(4, 3, "raw")],
    ["dots.3", "2.87", weight(4, 3, "scores")],
    ["dots.3", "1.86", weight(4, 2, "scores")],
    ["dots.3", "0.21", weight(4, 2)],
    ["dots.4", "1.34", { of: "entropy" }],
    ["attention.4", "53.28", weight(5, 5, "raw")],
    ["attention.4", "32.92", weight(5, 4, "raw")],
    ["heads.2", "0.14", { of: "entropy" }],
    ["layers.1", "1.66", { of: "number", number: { step: "attended", row: 4, column: 0 } }],
    ["layers.1", "−0.17", { of: "number", number: { step: "input", row: 4, column: 0 } }],
    ["layers.2", "1.49", { of: "number", number: { step: "sum", row: 4, column: 0 } }],
    ["meaning.3", "0.81", weight(17, 1)],
    ["meaning.3", "0.18", weight(17, 9)],
    ["induction.3", "0.99", weight(11, 6)],
  ])("%s: %s", async (place, words, reading) => {
    const [name = "", step = ""] = place.split(".");
    const at = Number(step) - 1;
    await open(name, at);
    const text = JSON.stringify(lessonNamed(name).steps[at]);
    expect(text.split(words).length, "in both languages").toBeGreaterThan(2);
    const digits = words.split(".")[1]?.length ?? 0;
    const value = await vi.waitUntil(() => read(reading, session), { timeout: 20_000 });
    expect(Math.abs(value - Number(words.replace("−", "-")))).toBeLessThan(0.51 * 10 ** -digits);
  });

  it("dots.3: all scores of the row but two are below 0.8", async () => {
    await open("dots", 2);
    const scores = [...(session.figures?.stages.scores.data.subarray(30, 40) ?? [])];
    expect(scores.toSorted((one, other) => other - one).map((score) => score < 0.8)).toEqual([
      false,
      false,
      ...Array<boolean>(8).fill(true),
    ]);
  });

  it("what models write with edits, and how likely it is", async () => {
    const written = (): string => session.computation.output?.words ?? "";
    await open("heads", 2, editsOf({ heads: [{ stack: "cross", layers: [1], gate: 0 }] }));
    expect(written()).toBe("Elle lui donna le livre à lire.");
    await open("positions", 1);
    expect(written()).toBe("La fille adore le garçon.");
    await open("positions", 1, lessonNamed("positions").steps[1]?.task?.act?.state ?? {});
    expect(written()).toBe("Le garçon aime la fille.");
    await open("positions", 2);
    expect(written()).toBe("L'homme qui boit le chien.");
    await open("translation", 3, lessonNamed("translation").steps[3]?.task?.act?.state ?? {});
    expect(written()).toBe("Elle lui donna à la lecture qu'il voulait lire.");
    await open("masks", 2, lessonNamed("masks").steps[2]?.task?.act?.state ?? {});
    expect(read(weight(4, 3), session)).toBeCloseTo(0.97, 2);
    await open("masks", 3);
    expect(read(car, session)).toBeCloseTo(0.7, 1);
    await open("masks", 3, lessonNamed("masks").steps[3]?.task?.act?.state ?? {});
    expect(read(car, session)).toBeCloseTo(0.03, 2);
    expect(session.expectation?.predictions[0]?.text.trim()).toBe("man");
    await open("meaning", 1, editsOf({ heads: head42.edits as never }));
    expect(read(car, session)).toBeCloseTo(0.67, 2);
    await open("meaning", 2, { picture: "layers" });
    const adds = await vi.waitUntil(() => session.attribution?.keys, { timeout: 20_000 });
    expect([adds[0]?.value.toFixed(2), adds[8]?.value.toFixed(2)]).toEqual(["-0.08", "0.21"]);
  });

  it("layers.4: the first layers guess, and from layer 3 on “car” is the likeliest", async () => {
    await open("layers", 3);
    const lens = session.layers?.lens;
    const [depths = 0, positions = 0, ranks = 0] = lens?.ids.shape ?? [];
    const likeliest = Array.from({ length: depths }, (_, depth) =>
      lens?.names
        .get(lens.ids.data[(depth * positions + positions - 1) * ranks] ?? -1)
        ?.text.trim(),
    );
    expect(likeliest.map((text) => text === "car")).toEqual([false, false, false, true, true]);
  });

  it("cost.4: linear attention of heads of 24 numbers pays for more than 24 tokens", async () => {
    const linear = lessonNamed("cost").steps[3]?.task?.act?.state ?? {};
    const ratios = [];
    for (const tokens of [24, 25]) {
      // A word is a token, and the end is one.
      await open("cost", 3, { ...linear, text: "he ".repeat(tokens - 1).trim() });
      const { run } = session.computation;
      expect(run?.tokens).toHaveLength(tokens);
      const cost = await run?.headCost({ stack: "encoder", layer: 2, head: 0 });
      ratios.push((cost?.operations ?? NaN) / (cost?.exactOperations ?? NaN) < 1);
    }
    expect(ratios).toEqual([false, true]);
  });
});

function editsOf(edits: Partial<State["edits"]>): Partial<State> {
  return { edits: { ...NO_EDITS, ...edits } };
}
