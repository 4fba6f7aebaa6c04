import { placeNames, tensorOf } from "../../kit/figure-data.js";
import { html, type CSSResult, type TemplateResult } from "lit";
import { isolated, type Cell, type HeadRef, type Tensor, type Token } from "../../data/index.js";
import type { CurveLine } from "../../draw/charts.js";
import type { HeadscopeCurves } from "../../elements/curves.js";
import "../../elements/curves.js";
import { track } from "../../elements/bars.js";
import "../../elements/matrices.js";
import { setProperties, tokenLabel } from "../../elements/shared/templates.js";
import type { Table } from "../../export/provenance.js";
import { message, type MessageKey } from "../../i18n/index.js";
import type { Refusal } from "../../session/run/failures.js";
import type { Answered } from "../calculator/arithmetic.js";
import { keepRegion, type ShownOf } from "../../kit/save-figure.js";
import type { Session } from "../../session/session.js";
import type { Fields, Range, Values, ValuesOf } from "../../kit/fields.js";
import type { Asking } from "../../kit/study.js";

/** What the page shows, which a demo may read. */
export type OnPage = Partial<Session["onPage"]> & { calculator?: Answered };

/** What is pointed at in any of a demo's linked matrices. */
export interface Pointed {
  /** The pair under the pointer. */
  cell: Cell | null;
  /** The figure that it is in, where they are not of the same pairs. */
  at: string | null;
  put: (change: Partial<Omit<Pointed, "put">>) => void;
}

/** A figure or a table under its heading. */
export interface View {
  title?: string;
  /** Its name on the saved picture, by default its title or that of the demo. */
  heading?: string;
  notes?: readonly string[];
  /** The field whose control stands here. */
  field?: string;
  figure: TemplateResult | ((pointed: Pointed) => TemplateResult);
  /** Its name in file names; without one it cannot be saved. */
  name?: string;
  /** The fields that the saved picture names, by default those of the demo. */
  details?: readonly string[];
  lines?: readonly string[];
  /** The part of the run that it shows, by default the model if the demo reads the page. */
  of?: ShownOf;
  csv?: Table;
  foot?: TemplateResult;
}

export interface Around {
  /** Whether the next answer is on its way. */
  stale: boolean;
  /** Whether long work goes on, and how many of its steps are done. */
  working: boolean;
  done: number;
  /** Changes the State. */
  update: Session["update"];
}

/** What the model and the text leave of a field. */
export interface Fitted {
  within?: Range;
  options?: readonly { value: string | number; label: string }[];
  placeholder?: string;
  hidden?: boolean;
  off?: readonly string[];
}

type Fit = Readonly<Record<string, Fitted>>;
type Views = readonly (View | readonly View[])[];

/** How a button begins long work: it can be stopped between two steps and continued. */
interface Work<Values, Subject> {
  /** The prefix of the messages of its button and its progress. */
  words: "lengths" | "measure" | "pruning" | "ranking";
  /** Whether its answers are kept as long as the model, also while the demo is closed. */
  isKept?: boolean;
  /** Its steps that the button counts. */
  names?(values: Values, subject: Subject): readonly string[];
  /** How many steps its progress counts, by default those that the button counts. */
  all?(values: Values, subject: Subject): number;
}

/** A demo without its name and its fields. */
export interface DemoParts<Values, Answer, Subject> {
  /**
   * Its title and place in the list of its folder, and its name there in the address, by default
   * its own.
   */
  listed?: { title: MessageKey; place: number; name?: string };
  title?: MessageKey;
  paper?: MessageKey;
  intro?: MessageKey | ((on: OnPage, values: Values, update: Around["update"]) => TemplateResult);
  /** A sentence in place of form and figures, where there is nothing to ask. */
  absent?(on: OnPage): string | null;
  /**
   * What it reads of the page, whose change asks anew; null while that is not there, or a sentence
   * why it cannot be asked.
   */
  reads?(on: OnPage, values: Values): Subject | string | null;
  /** Whether it waits while the text is being generated. */
  waits?: boolean;
  /** What failed, by default in the words of the failure. */
  failed?: MessageKey | ((failure: unknown, values: Values) => string);
  /** What the page, and the last answer, leave of the fields; null while that is unknown. */
  fit?(on: OnPage, values: Values, answer: Answer | null): Fit | null | undefined;
  refuse?(key: string, value: number, values: Values): Refusal | null;
  ask(values: Values, asking: Asking, subject: Subject): Promise<Answer>;
  /** Without it, the demo asks by itself. */
  work?: Work<Values, Subject>;
  summary?(
    answer: Answer,
    values: Values,
    subject: Subject,
    around: Around & { pointed: Pointed },
  ): TemplateResult | "";
  /** Views in one list stand in one column. */
  views(answer: Answer, values: Values, subject: Subject, around: Around): Views;
  /** The number that a button lets go up. */
  plays?: string;
  /** Names of its files, and the fields that their pictures name. */
  file?: { name?: string; suffix?: (values: Values) => string; details?: readonly string[] };
  styles?: CSSResult;
}

export interface Demo extends DemoParts<Values, unknown, object> {
  name: string;
  fields: Fields;
}

/**
 * A demo is data, which `<headscope-demo>` draws: its name in the address, its fields, and what it
 * does with their values.
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

/** Why a demo that runs tokens of its own is not offered; null where the model reads text. */
export function absentOfImages({ model }: OnPage): string | null {
  return model?.info.image ? message("demo.noText") : null;
}

/** The demos that these files export. */
export function demosIn(files: Readonly<Record<string, object>>): Demo[] {
  const isDemo = (one: unknown): one is Demo =>
    typeof one === "object" && one !== null && "fields" in one;
  return Object.values(files).flatMap((file) => Object.values<unknown>({ ...file }).filter(isDemo));
}

/** A matrix of a demo, and what its numbers are. */
interface Matrix {
  tensor: Tensor;
  values: string;
  /** What rows and columns are, with their names; by default queries and keys, counted from 1. */
  rows?: { title: string; names: readonly string[] };
  columns?: Matrix["rows"];
  signed?: boolean;
  /** Whether the numbers count something. */
  counts?: boolean;
  height?: number;
  /** Numbers that it shares its scale with. */
  beside?: Tensor | null;
}

export function matrix(shown: Matrix): TemplateResult {
  return html`<headscope-numbers
    ${setProperties(propertiesOf(shown))}
    @headscope-region-change=${keepRegion}
  ></headscope-numbers>`;
}

/** The pair under the pointer is marked in every linked matrix of the demo. */
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

/** Numbers of every two positions, `[position, position]`. */
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

/** The titles of both axes, how values are written on them, and properties of the figure. */
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
  /** Its own among the rows, for tests. */
  key: string;
  head: string | TemplateResult;
  cells: readonly (string | TemplateResult)[];
  chosen?: boolean;
}

/** A table that scrolls in its place. */
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
 * Heads with a number each, which `update` opens: `share` draws a bar of that part of the longest,
 * with its sign.
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

/** Numbers from `first` on; NaN is a gap. */
export function curveOf(name: string, numbers: readonly number[], first = 0): CurveLine {
  return { name, points: numbers.map((y, at) => ({ x: first + at, y })) };
}

/** Tokens as options of a list. */
export function tokenOptions(tokens: readonly Token[]): { value: number; label: string }[] {
  return tokens.map((token, value) => {
    return { value, label: `${value + 1} · ${isolated(tokenLabel(token))}` };
  });
}
