import type { CSSResult, TemplateResult } from "lit";
import type { Table } from "../../export/provenance.js";
import type { Lab, Model } from "../../headscope.js";
import type { MessageKey } from "../../i18n/index.js";
import type { Answered } from "../bench/numbers/arithmetic.js";
import type { BenchContext } from "../bench/context.js";
import type { Described } from "../bench/save-figure.js";
import type { Refusal } from "../bench/form.js";
import {
  FIELDS,
  type Fields,
  type FieldsName,
  type Range,
  type Values,
  type ValuesOf,
} from "./fields.js";
import type { Pointed } from "./figures.js";
import type { Working } from "./study.js";

/** Names of demos in the address. */
export type DemoName = Exclude<FieldsName, "masks" | "places" | "heads" | "numbers">;

/** What the page shows, which a demo may read. */
export type OnPage = Partial<BenchContext> & { workbench?: Answered | null };

/** A figure or a table under its heading. */
export interface View {
  title?: string;
  /** Its name on the saved picture, by default the title. */
  heading?: string;
  notes?: readonly string[];
  /** The field whose control stands here. */
  field?: string;
  figure: (pointed: Pointed) => TemplateResult;
  /** Its name in file names; without one it cannot be saved. */
  name?: string;
  /** The fields that the saved picture names, by default those of the demo. */
  details?: readonly string[];
  lines?: readonly string[];
  /** The part of the run that it shows, by default the model if the demo reads the page. */
  of?: Described["of"];
  csv?: Table;
  foot?: TemplateResult;
}

export interface Progress {
  /** Whether the next answer is on its way. */
  stale: boolean;
  /** Whether long work goes on, and how many of its steps are done. */
  working: boolean;
  done: number;
}

interface Around<Subject> extends Progress {
  pointed: Pointed;
  subject: Subject;
}

/** What the model and the text leave of a field. */
export interface Fitted {
  within?: Range;
  options?: readonly { value: string | number; label: string }[];
  placeholder?: string;
  hidden?: boolean;
  off?: readonly string[];
}

/** Long work that a button begins: it can be stopped between two steps and continued. */
interface Work<Values, Answer, Subject> {
  /** The prefix of the messages of its button and its progress. */
  words: "lengths" | "measure" | "pruning" | "ranking";
  /** Inputs whose change needs other work, by default all that `reads` returns and the fields; null while the page cannot say. */
  about?(on: OnPage, values: Values): readonly unknown[] | null;
  /** Whether its answers are kept as long as the model, also while the demo is closed. */
  isKept?: boolean;
  /** Its steps that the button counts. */
  names?(values: Values, subject: Subject): readonly string[];
  /** How many steps its progress counts. */
  all?(values: Values, subject: Subject): number;
  run(values: Values, subject: Subject, working: Working<Answer>): Promise<void>;
}

/** A demo without its name and its fields. */
export interface DemoParts<Values, Answer, Subject> {
  title?: MessageKey;
  formula?: TemplateResult | (() => TemplateResult);
  paper?: MessageKey;
  intro?: MessageKey | ((on: OnPage, values: Values) => TemplateResult);
  /** A sentence in place of form and figures, where there is nothing to ask. */
  absent?(on: OnPage): string | null;
  /** What it reads of the page, whose change asks anew; null while that is not there, or a sentence why it cannot be asked. */
  reads?(on: OnPage, values: Values): Subject | string | null;
  /** Whether it waits while the text is being generated. */
  waits?: boolean;
  /** What failed, by default in the words of the failure. */
  failed?: MessageKey | ((failure: unknown, values: Values) => string);
  /** What the page, and the last answer, leave of the fields; null while that is unknown. */
  fit?(
    on: OnPage,
    values: Values,
    answer: Answer | null,
  ): Readonly<Record<string, Fitted>> | null | undefined;
  refuse?(key: string, value: number, values: Values): Refusal | null;
  /** The question that it asks, or the work that it does. */
  ask?(
    values: Values,
    sources: { lab: Pick<Lab, "ask">; signal: AbortSignal },
    subject: Subject,
  ): Promise<Answer>;
  work?: Work<Values, Answer, Subject>;
  summary?(answer: Answer, values: Values, around: Around<Subject>): TemplateResult;
  /** Views in one list stand in one column. */
  views(
    answer: Answer,
    values: Values,
    subject: Subject,
    progress: Progress,
  ): readonly (View | readonly View[])[];
  foot?(answer: Answer, values: Values, around: Around<Subject>): TemplateResult;
  plays?: string;
  /** Names of its files, and the fields that their pictures name. */
  file?: { name?: string; suffix?(values: Values): string; details?: readonly string[] };
  styles?: CSSResult;
}

export interface Demo extends DemoParts<Values, unknown, object> {
  name: DemoName;
  fields: Fields;
}

/** An answer, and what it is the answer to. */
export interface Found {
  answer: unknown;
  values: Values;
  subject: object;
  model: Model | null;
}

/** A demo is data: its fields stand in the table of fields, and `<headscope-demo>` draws all of it. */
export function demo<Name extends DemoName, Answer, Subject extends object = object>(
  name: Name,
  parts: DemoParts<ValuesOf<Name>, Answer, Subject>,
): Demo {
  // Only the element hands values, answers and subjects to the parts, and these are the demo's own.
  const erased = parts as unknown as DemoParts<Values, unknown, object>;
  return { ...erased, name, fields: FIELDS[name] };
}
