/** The question of a demo, with its run and model, and its answers. */
import type { Model, Run } from "../../headscope.js";
import type { Values } from "../../kit/fields.js";
import { type Asking, Study } from "../../kit/study.js";
import { equals } from "../../data/equal.js";
import type { Demo, OnPage } from "./demo.js";

/** An answer, with its question. */
export interface Found {
  answer: unknown;
  values: Values;
  subject: object;
  model: Model | null;
}

/** A demo's question about the present page. */
interface Question {
  on: OnPage;
  values: Values;
  /** The values of the fields on which the answer depends. */
  asking: readonly unknown[];
  model: Model | null;
}

/** The work that is kept, by its model and its question. */
const studies = new WeakMap<Model, Map<string, Study<Found>>>();

/**
 * The inquiry of one demo: a question that is asked automatically at every change, or long work
 * that a button starts.
 */
export class Inquiry {
  study: Study<Found>;
  /**
   * The part of the page that the demo reads: null while it is missing, or a sentence why it cannot
   * be read.
   */
  subject: object | string | null = null;
  /** The subject with which the work was started; null for none. */
  begun: object | null = null;
  /** Whether it is unknown if the work is still about the page. */
  isUnsure = false;
  private question: Question = { on: {}, values: {}, asking: [], model: null };
  /** The inputs of the work. */
  private inputs: readonly unknown[] | null = null;

  constructor(
    private readonly host: Study<Found>["host"],
    private readonly demo: Demo,
  ) {
    this.study = new Study<Found>(host);
  }

  /** Takes the present page, and asks again if the demo asks automatically. */
  follow(question: Question): void {
    const { demo, study } = this;
    const { on, values, asking } = question;
    this.question = question;
    const subject = demo.absent?.(on) ? null : demo.reads ? demo.reads(on, values) : {};
    this.subject = subject;
    if (demo.work) this.followWork(demo.work.isKept === true);
    else if (subject === null || typeof subject === "string") study.forget();
    else if (!demo.waits || !on.growing)
      study.ask([...inputsOf(subject), ...asking], this.task(subject));
  }

  /** Starts the work about a subject, or continues it. */
  begin(subject: object): void {
    this.begun = subject;
    void this.study.go(this.task(subject));
  }

  /** The task of the demo, whose answers are kept with their questions. */
  private task(subject: object): (asking: Asking<Found>) => Promise<Found> {
    const { demo } = this;
    const { values, model } = this.question;
    const found = (answer: unknown): Found => ({ answer, values, subject, model });
    return async ({ show, ...asking }) => {
      const showFound: Asking["show"] = (answer, done) =>
        show(answer === null ? null : found(answer), done);
      return found(await demo.ask(values, { ...asking, show: showFound }, subject));
    };
  }

  /** Restarts work with other inputs, and stops work on another run. */
  private followWork(isKept: boolean): void {
    const { subject, begun } = this;
    const { on, asking } = this.question;
    const read = typeof subject === "object" ? subject : null;
    const text = read && textOf(read, on);
    const inputs = text && [...text, ...asking];
    if (begun && read && !equals(read, begun)) this.study.stop();
    this.isUnsure = inputs === null;
    if (!inputs || equals(inputs, this.inputs)) return;

    this.study.stop();
    this.inputs = inputs;
    this.begun = null;
    this.study = studyFor(isKept ? (on.model ?? null) : null, asking.join());
    this.study.host = this.host;
  }
}

/** The study of a model with the key `key`; without a model always a new one. */
function studyFor(model: Model | null, key: string): Study<Found> {
  if (!model) return new Study<Found>();
  const known = studies.get(model) ?? new Map<string, Study<Found>>();
  studies.set(model, known);
  const study = known.get(key) ?? new Study<Found>();
  known.set(key, study);
  return study;
}

function inputsOf(subject: object): unknown[] {
  return Object.values<unknown>({ ...subject });
}

/**
 * The inputs of work: of a run its text alone, whichever run of it is on the page; null while the
 * text is being generated.
 */
function textOf(subject: object, { growing }: OnPage): unknown[] | null {
  const { run, ...others } = { ...subject, revision: null } as { run?: Run; revision: null };
  if (!run) return inputsOf(others);
  const texts = [run.tokens, run.targetTokens].map((text) => text.map(({ id }) => id).join());
  return growing ? null : [...inputsOf(others), ...texts];
}
