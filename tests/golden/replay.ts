// Visits: what typical users ask a model through the public JavaScript API, and what it answered
// (visits.json).
import type * as Headscope from "../../www/headscope.js";

/**
 * A question: a method of `Run` (or a property, or `generate` of `Model`) and its argument. `other`
 * is the index of another run of the visit.
 */
interface Question {
  method: string;
  which: Record<string, unknown>;
  /** The summary of the answer; the error code of a question that is refused. */
  answer?: unknown;
}

export interface Visit {
  name: string;
  model: string;
  runs: { input: Headscope.RunInput; questions: Question[] }[];
}

interface Session {
  /** Addresses of `headscope.js` and of the folder with the models. */
  entry: string;
  models: string;
  backend: Headscope.Backend;
  visits: Visit[];
}

/**
 * Asks every question of the visits again; returns the visits with these answers. It is also run
 * inside a page, so it uses nothing outside itself.
 *
 * A list of more than 16 numbers is summarised: its length, sum, sum of absolute values, largest
 * absolute value, number of infinities, and 16 of its values. Numbers have 6 significant digits.
 */
export async function replay({ entry, models, backend, visits }: Session): Promise<Visit[]> {
  const SAMPLES = 16;
  const { loadModel } = (await import(/* @vite-ignore */ entry)) as typeof Headscope;
  const number = (value: number): number | string =>
    Number.isFinite(value) ? Number(value.toPrecision(6)) : String(value);
  const numbers = (values: number[]): unknown => {
    if (values.length <= SAMPLES) return values.map(number);
    const finite = values.filter(Number.isFinite);
    const sizes = finite.map(Math.abs);
    const sum = (of: number[]): number => of.reduce((total, value) => total + value, 0);
    return {
      length: values.length,
      sum: number(sum(finite)),
      sumOfAbsolutes: number(sum(sizes)),
      largest: number(sizes.reduce((most, size) => Math.max(most, size), 0)),
      infinite: values.length - finite.length,
      samples: Array.from({ length: SAMPLES }, (_, at) =>
        number(values[Math.round((at * (values.length - 1)) / (SAMPLES - 1))] ?? NaN),
      ),
    };
  };
  const summary = (value: unknown): unknown => {
    if (typeof value === "number") return number(value);
    if (typeof value !== "object" || value === null) return value;
    const list = value instanceof Float32Array ? Array.from(value) : value;
    if (!Array.isArray(list))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, summary(item)]));
    const isNumeric = list.every((item) => typeof item === "number");
    return isNumeric ? numbers(list) : list.map(summary);
  };
  const codeOf = (thrown: unknown): unknown => (thrown as { code?: string }).code ?? String(thrown);

  const loaded = new Map<string, Headscope.Model>();
  const modelOf = async (name: string): Promise<Headscope.Model> => {
    const model = loaded.get(name) ?? (await loadModel(`${models}/${name}`, { backend }));
    loaded.set(name, model);
    return model;
  };
  const answered: Visit[] = [];
  for (const visit of visits) {
    const model = await modelOf(visit.model);
    const made: Promise<Headscope.Run>[] = [];
    const ask = async (
      run: Promise<Headscope.Run>,
      input: Headscope.RunInput,
      { method, which }: Question,
    ): Promise<unknown> => {
      if (method === "generate") {
        const events: unknown[] = [];
        for await (const event of model.generate(input, which)) events.push(event);
        return events;
      }
      const answers = (await run) as unknown as Record<string, (argument: unknown) => unknown>;
      const other = "other" in which ? { other: await made[which.other as number] } : {};
      return typeof answers[method] === "function"
        ? answers[method]({ ...which, ...other })
        : answers[method];
    };
    const runs: Visit["runs"] = [];
    for (const { input, questions } of visit.runs) {
      const run = model.run(input);
      made.push(run);
      const answers: Question[] = [];
      for (const question of questions) {
        const answer = await ask(run, input, question).then(summary, codeOf);
        answers.push({ ...question, answer });
      }
      runs.push({ input, questions: answers });
    }
    answered.push({ ...visit, runs });
  }
  for (const model of loaded.values()) {
    // A model whose GPU fails goes on on the CPU.
    if (model.info.backend !== backend) throw new Error(`${backend} did not compute all answers`);
    model.dispose();
  }
  return answered;
}

/**
 * By how much two answers may differ, with the largest value they are made of: backends and
 * machines add f32 numbers in another order.
 */
const ABSOLUTE = 1e-4;
const RELATIVE = 1e-5;

/** The places where answers differ from those that are expected. */
export function differences(expected: unknown, actual: unknown, at = "", largest = 0): string[] {
  if (typeof expected === "number" && typeof actual === "number") {
    const allowed = ABSOLUTE + RELATIVE * Math.max(largest, Math.abs(expected));
    return Math.abs(expected - actual) <= allowed
      ? []
      : [`${at}: ${actual} instead of ${expected}`];
  }
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null;
  if (!isObject(expected) || !isObject(actual))
    return Object.is(expected, actual)
      ? []
      : [`${at}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
  const { length, largest: own } = expected;
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) => {
    // The error of a sum grows with the number of its terms.
    const terms = key.startsWith("sum") && typeof length === "number" ? length : 1;
    const mean = (value: unknown): unknown => (typeof value === "number" ? value / terms : value);
    return differences(
      mean(expected[key]),
      mean(actual[key]),
      `${at}/${key}`,
      typeof own === "number" ? own : largest,
    );
  });
}

/**
 * Where the visits' answers differ from those that are expected, each named by its visit and
 * question.
 */
export function differencesOfVisits(expected: Visit[], actual: Visit[]): string[] {
  return expected.flatMap(({ name, runs }, visit) =>
    runs.flatMap(({ questions }, run) =>
      questions.flatMap(({ method, which, answer }, at) =>
        differences(
          answer,
          actual[visit]?.runs[run]?.questions[at]?.answer,
          `${name}, run ${run}, ${method} ${JSON.stringify(which)}`,
        ),
      ),
    ),
  );
}
