/** What a demo asks, of which run and model, and the answers that it has. */
import type { Model, Run } from "../../headscope.js";
import type { Values } from "../../kit/fields.js";
import { type Asking, Study } from "../../kit/study.js";
import { equals } from "../../signals.js";
import type { Demo, OnPage } from "./demo.js";

/** An answer, and what it is the answer to. */
export interface Found {
  answer: unknown;
  values: Values;
  subject: object;
  model: Model | null;
}

/** A demo's question about the page as it is. */
interface Question {
  on: OnPage;
  values: Values;
  /** The values that the demo is asked by. */
  asking: readonly unknown[];
  model: Model | null;
}

/** Work that stays, by its model and what it is asked by. */
const studies = new WeakMap<Model, Map<string, Study<Found>>>();

/**
 * The inquiry of one demo: a question that is asked by itself whenever anything of it changes, or
 * long work that a button begins.
 */
export class Inquiry {
  study: Study<Found>;
  /** What the demo reads of the page: null while it is not there, or a sentence why not. */
  subject: object | string | null = null;
  /** The subject that the work was begun with; null for none. */
  begun: object | null = null;
  /** Whether it is unknown whether the work is still about the page. */
  isUnsure = false;
  private question: Question = { on: {}, values: {}, asking: [], model: null };
  /** What the work depends on. */
  private inputs: readonly unknown[] | null = null;

  constructor(
    private readonly host: Study<Found>["host"],
    private readonly demo: Demo,
  ) {
    this.study = new Study<Found>(host);
  }

  /** Takes the page as it is, and asks anew where the demo asks by itself. */
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

  /** Begins the work about a subject, or goes on with it. */
  begin(subject: object): void {
    this.begun = subject;
    void this.study.go(this.task(subject));
  }

  /** The question of the demo, whose answers are kept with what they are the answers to. */
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

  /** Work with other inputs begins anew, and work on another run is stopped. */
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

/** The study of a model that is asked by `key`; without a model always a new one. */
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
 * What work depends on: of a run its text alone, whichever run of it is on the page; null while
 * that is being generated.
 */
function textOf(subject: object, { growing }: OnPage): unknown[] | null {
  const { run, ...others } = { ...subject, revision: null } as { run?: Run; revision: null };
  if (!run) return inputsOf(others);
  const texts = [run.tokens, run.targetTokens].map((text) => text.map(({ id }) => id).join());
  return growing ? null : [...inputsOf(others), ...texts];
}
