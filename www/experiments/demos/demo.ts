import { placeNames, tensorOf } from "../../kit/figure-data.js";
import { html, type CSSResult, type TemplateResult } from "lit";
import { isolated, type Cell, type HeadRef, type Tensor, type Token } from "../../data/index.js";
import type { CurveLine } from "../../draw/charts.js";
import type { HeadscopeCurves } from "../../elements/curves.js";
import "../../elements/curves.js";
import { track } from "../../elements/bars.js";
import "../../elements/numbers.js";
import { setProperties, tokenLabel } from "../../elements/shared/templates.js";
import type { Table } from "../../export/provenance.js";
import { message, type MessageKey } from "../../i18n/index.js";
import type { Refusal } from "../../session/run/failures.js";
import type { Answered } from "../calculator/arithmetic.js";
import type { PatchTask } from "../patching/text-pair.js";
import { keepRegion, type ShownOf } from "../../kit/save-figure.js";
import type { AnswerItem } from "../../session/answer-items.js";
import type { Session } from "../../session/session.js";
import type { Fields, Range, Values, ValuesOf } from "../../kit/fields.js";
import type { Asking } from "../../kit/study.js";

/** The parts of the page that a demo may read. */
export type OnPage = Partial<Session["onPage"]> & {
  calculator?: Answered;
  patches?: PatchTask;
};

/** The pair under the pointer in the linked matrices of a demo. */
export interface Pointed {
  /** The pair under the pointer. */
  cell: Cell | null;
  /** The figure with the pair, if the matrices are not of the same pairs. */
  at: string | null;
  put: (change: Partial<Omit<Pointed, "put">>) => void;
}

/** A figure or a table under its heading. */
export interface View {
  title?: string;
  /** The name on the saved picture, by default the title or the demo's name. */
  heading?: string;
  notes?: readonly string[];
  /** The name of the field whose control is in this view. */
  field?: string;
  figure: TemplateResult | ((pointed: Pointed) => TemplateResult);
  /** The name in file names; a view without one cannot be saved. */
  name?: string;
  /** The names of the fields on the saved picture, by default those of the demo. */
  details?: readonly string[];
  lines?: readonly string[];
  /** The part of the run that the view shows, by default the model if the demo reads the page. */
  of?: ShownOf;
  csv?: Table;
  foot?: TemplateResult;
}

export interface Around {
  /** Whether the next answer is being computed. */
  stale: boolean;
  /** Whether long work is running; `done` is the number of its finished steps. */
  working: boolean;
  done: number;
  /** Changes the State. */
  update: Session["update"];
}

/** The limits of a field by the model and the text. */
export interface Fitted {
  within?: Range;
  options?: readonly { value: string | number; label: string }[];
  placeholder?: string;
  hidden?: boolean;
  off?: readonly string[];
}

type Fit = Readonly<Record<string, Fitted>>;
type Views = readonly (View | readonly View[])[];

/**
 * The description of long work that a button starts: it can be stopped between two steps and
 * continued.
 */
interface Work<Values, Subject> {
  /** The prefix of the messages of button and progress. */
  words: "lengths" | "measure" | "patching" | "pruning" | "ranking";
  /** Whether the answers are kept as long as the model, also while the demo is closed. */
  isKept?: boolean;
  /** The names of the steps that the button counts. */
  names?(values: Values, subject: Subject): readonly string[];
  /** The number of steps that the progress counts, by default those that the button counts. */
  all?(values: Values, subject: Subject): number;
}

/** A demo without its name and its fields. */
export interface DemoParts<Values, Answer, Subject> {
  /**
   * The title and place in the list of its folder, and the name in that list's address, by default
   * the demo's own.
   */
  listed?: { title: MessageKey; place: number; name?: string };
  title?: MessageKey;
  paper?: MessageKey;
  intro?: MessageKey | ((on: OnPage, values: Values, update: Around["update"]) => TemplateResult);
  /** A sentence in place of form and figures, if there is nothing to ask. */
  absent?(on: OnPage): string | null;
  /**
   * The part of the page that the demo reads, whose change asks again; null while it is missing, or
   * a sentence why it cannot be read.
   */
  reads?(on: OnPage, values: Values): Subject | string | null;
  /** Whether the demo waits while the text is being generated. */
  waits?: boolean;
  /** The sentence about a failure, by default the failure's own. */
  failed?: MessageKey | ((failure: unknown, values: Values) => string);
  /** The limits of the fields by the page and the last answer; null while they are unknown. */
  fit?(on: OnPage, values: Values, answer: Answer | null): Fit | null | undefined;
  refuse?(key: string, value: number, values: Values): Refusal | null;
  ask(values: Values, asking: Asking, subject: Subject): Promise<Answer>;
  /** The long work of the demo; without it, the demo asks automatically. */
  work?: Work<Values, Subject>;
  summary?(
    answer: Answer,
    values: Values,
    subject: Subject,
    around: Around & { pointed: Pointed },
  ): TemplateResult | "";
  /** The short answer for the card of a question that the demo answers. */
  brief?(answer: Answer, values: Values, subject: Subject): readonly AnswerItem[];
  /** The views of an answer; views in one list are in one column. */
  views(answer: Answer, values: Values, subject: Subject, around: Around): Views;
  /** The name of the number that a play button increases. */
  plays?: string;
  /** The names of its files, and the fields that their pictures name. */
  file?: { name?: string; suffix?: (values: Values) => string; details?: readonly string[] };
  styles?: CSSResult;
}

export interface Demo extends DemoParts<Values, unknown, object> {
  name: string;
  fields: Fields;
}

/**
 * A demo as data for `<headscope-demo>`: its name in the address, its fields, and the functions of
 * their values.
 */
export function demo<const Of extends Fields, Answer, Subject extends object = object>(
  name: string,
  parts: DemoParts<ValuesOf<Of>, Answer, Subject> & { fields?: Of },
): Demo {
  // Only the element passes values, answers and subjects to the parts, and these are the demo's
  // own.
  const erased = parts as unknown as DemoParts<Values, unknown, object>;
  return { ...erased, name, fields: parts.fields ?? {} };
}

/**
 * The reason why a demo that runs tokens of its own is not offered; null if the model reads text.
 */
export function absentOfImages({ model }: OnPage): string | null {
  return model?.info.image ? message("demo.noText") : null;
}

/** The demos that these files export. */
export function demosIn(files: Readonly<Record<string, object>>): Demo[] {
  const isDemo = (one: unknown): one is Demo =>
    typeof one === "object" && one !== null && "fields" in one;
  return Object.values(files).flatMap((file) => Object.values<unknown>({ ...file }).filter(isDemo));
}

/** A matrix of a demo, with the titles of its axes and numbers. */
interface Matrix {
  tensor: Tensor;
  values: string;
  /** The titles and names of rows and columns; by default queries and keys, counted from 1. */
  rows?: { title: string; names: readonly string[] };
  columns?: Matrix["rows"];
  signed?: boolean;
  /** Whether the numbers are counts. */
  counts?: boolean;
  height?: number;
  /** Numbers that share the scale of this matrix. */
  beside?: Tensor | null;
}

export function matrix(shown: Matrix): TemplateResult {
  return html`<headscope-numbers
    ${setProperties(propertiesOf(shown))}
    @headscope-region-change=${keepRegion}
  ></headscope-numbers>`;
}

/**
 * A matrix in which the pair under the pointer is marked, as in every linked matrix of the demo.
 */
export function linkedMatrix(shown: Matrix): (pointed: Pointed) => TemplateResult {
  const properties = propertiesOf(shown);
  return ({ cell, put }) =>
    html`<headscope-numbers
      ${setProperties(properties)}
      .focused=${cell}
      @headscope-cell-hover=${(event: CustomEvent<Cell | null>) => put({ cell: event.detail })}
      @headscope-region-change=${keepRegion}
    ></headscope-numbers>`;
}

function propertiesOf({ tensor, values, rows, columns, height = 280, ...others }: Matrix) {
  const [queries = 0, keys = 0] = tensor.shape;
  const { title: row, names: rowNames } = rows ?? axis("figure.query", queries);
  const { title: column, names: columnNames } = columns ?? axis("figure.key", keys);
  const titles = { rows: row, columns: column, values };
  const own = { tensor, titles, rowNames, columnNames, comfortableHeight: height };
  return { ...own, signed: false, counts: false, beside: null, ...others };
}

function axis(title: MessageKey, count: number) {
  return { title: message(title), names: placeNames(count) };
}

/** Numbers for every pair of positions, `[position, position]`. */
export function placeMatrix(
  numbers: readonly number[],
  length: number,
  values: string,
): TemplateResult {
  const positions = axis("figure.position", length);
  const tensor = tensorOf(numbers, length, ["position", "position"]);
  return matrix({ tensor, values, rows: positions, columns: positions, signed: true });
}

const CURVES = { stepped: false, scales: {}, range: {}, marked: null, markedAs: "", marks: [] };

/** The titles of both axes, the format of the values on them, and properties of the figure. */
interface Curves extends Partial<Pick<HeadscopeCurves, keyof typeof CURVES>> {
  x: string;
  y: string;
  words?: (y: number) => string;
  xWords?: (x: number) => string;
}

export function curves(lines: readonly CurveLine[], shown: Curves): TemplateResult {
  const { x, y, words, xWords, ...others } = shown;
  const written = { ...(xWords && { x: xWords }), ...(words && { y: words }) };
  const properties = { ...CURVES, ...others, lines, titles: { x, y }, words: written };
  return html`<headscope-curves ${setProperties(properties)}></headscope-curves>`;
}

interface FactRow {
  /** A key that is unique among the rows, for tests. */
  key: string;
  head: string | TemplateResult;
  cells: readonly (string | TemplateResult)[];
  chosen?: boolean;
}

/** A table that scrolls within its place. */
export function table(
  label: string,
  rows: readonly FactRow[],
  columns: readonly string[] = [],
): TemplateResult {
  const head = html`<thead>
    <tr>
      ${columns.map((column) =>
        column === "" ? html`<td></td>` : html`<th scope="col">${column}</th>`,
      )}
    </tr>
  </thead>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      ${columns.length > 0 ? head : ""}
      <tbody>
        ${rows.map(
          ({ key, head: name, cells, chosen = false }) =>
            html`<tr data-row=${key} class=${chosen ? "chosen" : ""}>
              <th scope="row">${name}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * A list of heads with a number each, which `update` opens: `share` is the signed length of a bar,
 * as a share of the longest.
 */
export function headList(
  label: string,
  heads: readonly { head: HeadRef; name: string; value: string; raw: number; share?: number }[],
  update: Around["update"],
): TemplateResult {
  const least = Math.min(0, ...heads.map(({ share = 0 }) => share));
  return html`<ol class="heads" aria-label=${label}>
    ${heads.map(
      ({ head, name, value, raw, share }) =>
        html`<li>
          <button @click=${() => update(head)}>
            <span>${name}</span>
            ${share === undefined ? html`<span></span>` : track(share, least)}
            <span data-value=${raw}>${value}</span>
          </button>
        </li>`,
    )}
  </ol>`;
}

/** A line of numbers from `first` on; NaN is a gap. */
export function curveOf(name: string, numbers: readonly number[], first = 0): CurveLine {
  return { name, points: numbers.map((y, at) => ({ x: first + at, y })) };
}

/** Tokens as options of a list. */
export function tokenOptions(tokens: readonly Token[]): { value: number; label: string }[] {
  return tokens.map((token, value) => {
    return { value, label: `${value + 1} · ${isolated(tokenLabel(token))}` };
  });
}
