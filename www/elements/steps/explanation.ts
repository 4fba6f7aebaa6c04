import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type {
  CellOperation,
  Explanation,
  PositionOrigins,
  Stage,
  StepPlace,
  TermSource,
  Token,
} from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { LanguageController, message, type MessageKey } from "../../i18n/index.js";
import { emit } from "../events.js";
import {
  CheckedElement,
  EXPLANATION,
  STAGE,
  STEP_PLACE,
  TEXT,
  TOKENS,
  given,
  listOf,
  orNull,
  record,
} from "../shared/checked.js";
import { baseStyles } from "../shared/base-styles.js";
import { tokenLabel, tokenLabels } from "../shared/templates.js";
import { formulaOf, PARTS, WEIGHTS } from "./formulas.js";
import { cellWords, stepWords, type StepLabels } from "./labels.js";
import { sumStyles } from "./styles.js";

const FEW = 5;
/** More rows than this and a table takes the browser seconds. */
const MOST = 4096;

/** A place that a trace went through. */
export interface Trod {
  place: StepPlace;
  /** What it is called, in the words of its own block. */
  words: string;
}

/**
 * What made one number: the formula, its very numbers, and where they come from.
 *
 * @fires headscope-number-follow - the number to look at next, one step back
 * @fires headscope-number-return - how many places of the trail stay
 */
export class HeadscopeSum extends CheckedElement {
  static override styles = [baseStyles, sumStyles];

  @given(orNull(STEP_PLACE)) place: StepPlace | null = null;
  @given(orNull(EXPLANATION)) explanation: Explanation | null = null;
  /** How many types of token the model tells apart; 0 for none. */
  @property({ type: Number }) tokenTypes = 0;
  /** What made the numbers that positions add; null where that is not known. */
  @given(orNull(record({ encoder: TEXT, decoder: TEXT }))) origins: PositionOrigins | null = null;
  @given(TOKENS) queries: Token[] = [];
  @given(TOKENS) keys: Token[] = [];
  /** Steps that an edit makes otherwise than their formula says. */
  @given(listOf(STAGE)) unusual: readonly Stage[] = [];
  /** Where the trace came from, the first place first. */
  @given(listOf(record({ place: STEP_PLACE, words: TEXT }))) trail: readonly Trod[] = [];

  @state() private whole = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  private get labels(): StepLabels {
    return {
      queries: tokenLabels(this.queries),
      keys: tokenLabels(this.keys),
      typed: this.tokenTypes > 0,
      unusual: this.unusual,
    };
  }

  protected override render(): TemplateResult {
    const { place, explanation } = this;
    const title = message("sum.title");
    if (!place || !explanation)
      return html`<section aria-label=${title}><p class="note" part="empty">${message("sum.empty")}</p></section>`;
    return html`<section aria-label=${title}>
      <p class="name" part="caption">${cellWords(place, this.labels)}</p>
      <p class="value wrap" part="value"><b data-value>${formatValue(explanation.value)}</b> ${formulaOf(place.step, explanation) ?? nothing}</p>
      <div class="scroll ${this.whole ? "tall" : ""}" part="table" tabindex="0" role="group" aria-label=${title}>${this.renderTable(explanation)}</div>
      ${this.renderWays(explanation)} ${this.renderTrail()}
    </section>`;
  }

  private renderTable(explanation: Explanation): TemplateResult {
    const { operation, lines, value } = explanation;
    const terms = termsOf(explanation);
    const few = this.whole ? terms.slice(0, MOST) : terms.slice(0, FEW);
    const rest = terms.length - few.length;
    const shown = few.reduce((sum, { amount }) => sum + amount, 0);
    const sum = sumOf(operation, value);
    const columns = Math.max(0, ...few.map(({ factors }) => factors.length));
    return html`<table>
      ${terms.length > FEW ? html`<caption>${message("sum.terms", { count: terms.length })}</caption>` : nothing}
      <tbody>
        ${few.map((term) => this.renderTerm(explanation, term, columns))}
        ${rest > 0 && sum !== null ? this.row(message("sum.others", { count: rest }), sum - shown, columns + 1) : nothing}
        ${numbersOf(operation, lines, this.place?.step).map(([words, number]) => this.row(words, number, columns + 1))}
      </tbody>
      <tfoot>
        <tr class="result"><th scope="row">${message("sum.result")}</th>${padding(columns)}<td>${formatValue(value)}</td></tr>
      </tfoot>
    </table>
    ${terms.length > FEW ? html`<p class="actions wrap"><button class="edged" part="button" @click=${() => (this.whole = !this.whole)}>${this.whole ? message("sum.fewer") : message("sum.all", { count: terms.length })}</button></p>` : nothing}`;
  }

  /** The numbers that are multiplied, and what that gives. */
  private renderTerm(
    { operation, lines }: Explanation,
    { index, factors, amount }: Term,
    columns: number,
  ): TemplateResult {
    const [own, at] = isTermByLine(operation) ? [lines[index], 0] : [lines[0], index];
    const other = operation.kind === "product" ? lines[1]?.source : undefined;
    const cells = [
      ...factors.map(formatValue),
      ...Array.from({ length: columns - factors.length }, () => ""),
    ];
    const words = [this.sourceWords(own?.source, at), other ? this.sourceWords(other, at) : ""]
      .filter((part) => part !== "")
      .join(" × ");
    return html`<tr><th scope="row">${words}</th>${cells.map((cell) => html`<td>${cell}</td>`)}<td data-amount>${formatValue(amount)}</td></tr>`;
  }

  private row(words: string, number: number, columns: number): TemplateResult {
    return html`<tr><th scope="row">${words}</th>${padding(columns - 1)}<td>${formatValue(number)}</td></tr>`;
  }

  private sourceWords(source: TermSource | undefined, term: number): string {
    const place = source?.kind === "step" ? termPlace(source, term) : null;
    if (place) return cellWords(place, this.labels);
    switch (source?.kind) {
      case "made":
        return `${PARTS[source.part]}[${term + 1}]`;
      case "weight":
        return `${WEIGHTS[source.weight]}[${term + 1}, ${source.column + 1}]`;
      case "token": {
        const token = [...this.queries, ...this.keys].find(({ id }) => id === source.id);
        return message("sum.token", { token: token ? tokenLabel(token) : String(source.id) });
      }
      case "position":
        return message("sum.position", { position: source.position + 1 });
      case "tokenType":
        return message("sum.type", { type: source.id });
      default:
        return "";
    }
  }

  private renderWays(explanation: Explanation): TemplateResult {
    const [first, ...others] = waysBack(explanation);
    if (!first) return html`<p class="note">${message(this.endOf(explanation))}</p>`;
    const words = (place: StepPlace): string =>
      message("sum.follow", { place: cellWords(place, this.labels) });
    return html`<p class="actions wrap">
      <button class="first edged" part="button" title=${words(first)} @click=${() => emit(this, "headscope-number-follow", first)}>${message("sum.trace")}</button>
      ${others.map((place) => html`<button class="edged" part="button" @click=${() => emit(this, "headscope-number-follow", place)}>${words(place)}</button>`)}
    </p>`;
  }

  /** Why nothing lies behind a number: not all that a token begins with has to be learnt. */
  private endOf({ operation, lines }: Explanation): MessageKey {
    if (operation.kind === "given") return "sum.given.end";
    const origin = lines.some(({ source }) => source.kind === "position")
      ? this.origins?.[this.place?.stack === "encoder" ? "encoder" : "decoder"]
      : undefined;
    return origin === "wave" ? "sum.end.wave" : origin === "drawn" ? "sum.end.drawn" : "sum.end";
  }

  private renderTrail(): TemplateResult | typeof nothing {
    const { trail, place } = this;
    if (trail.length === 0 || !place) return nothing;
    return html`<nav aria-label=${message("sum.traced")}>
      <ol class="trail wrap">
        ${trail.map(({ words }, index) => html`<li><button class="edged" part="button" @click=${() => emit(this, "headscope-number-return", index)}>${words}</button> ←</li>`)}
        <li aria-current="true">${stepWords(place.step, this.labels)}</li>
      </ol>
    </nav>`;
  }
}

function padding(columns: number): TemplateResult[] {
  return Array.from({ length: columns }, () => html`<td></td>`);
}

/** What all terms add up to; null where they do not make a sum. */
function sumOf(operation: CellOperation, value: number): number | null {
  if (operation.kind === "softmax") return operation.total;
  if (operation.kind !== "product") return null;
  // A head that is turned off has no sum that could be worked out from its number.
  return operation.factor === 0 ? null : (value - (operation.bias ?? 0)) / operation.factor;
}

/** The numbers of an operation besides its terms. */
function numbersOf(
  operation: CellOperation,
  lines: Explanation["lines"],
  step: StepPlace["step"] | undefined,
): (readonly [words: string, number: number])[] {
  const first = (term = 0): number => lines[0]?.values[term] ?? NaN;
  /** A number that says nothing where it is the usual one. */
  const unless = (usual: number | null, key: MessageKey, number: number | null): typeof none =>
    number === usual || number === null ? none : [[message(key), number]];
  const none: (readonly [string, number])[] = [];
  switch (operation.kind) {
    case "product":
      return [
        ...unless(1, step === "raw" ? "sum.lengths" : "sum.gate", operation.factor),
        ...unless(null, "sum.bias", operation.bias),
      ];
    case "scale":
      return [
        [message("step.raw"), first()],
        [message("sum.scale"), operation.factor],
        ...unless(null, "sum.relative", operation.bias),
      ];
    case "logarithm":
      // As the engine summed it: f32 may leave nothing of it.
      return [[message("step.raw"), operation.of ?? first()]];
    case "shared":
      return [
        [message("step.raw"), first()],
        [message("sum.scale"), operation.factor],
        [`− ln ${operation.keys}`, -Math.log(operation.keys)],
      ];
    case "mask":
      return [
        [message("step.scores"), first()],
        [message("sum.mask"), operation.added],
      ];
    case "softmax":
      return [[message("sum.total"), operation.total], ...unless(1, "sum.kept", operation.kept)];
    case "given":
      return [
        [message(`sum.given.${operation.pattern}`), first(operation.term)],
        [message("sum.total"), operation.total],
      ];
    case "norm":
      return [
        ["x", first(operation.term)],
        [message("sum.mean"), operation.mean],
        [message("sum.variance"), operation.variance],
        [message("sum.epsilon"), operation.epsilon],
        [message("sum.gain"), operation.gain],
        [message("sum.shift"), operation.bias],
      ];
    case "rmsNorm":
      return [
        ["x", first(operation.term)],
        [message("sum.meanSquare"), operation.meanSquare],
        [message("sum.epsilon"), operation.epsilon],
        [message("sum.gain"), operation.gain],
      ];
    case "activation":
      return [[message("sum.function", { function: operation.function }), first()]];
    case "same":
      return [[message("sum.same"), first()]];
    default:
      return none;
  }
}

// What an explanation says, in the order in which a reader wants it: the largest terms first, and where each leads.

export interface Term {
  index: number;
  /** The numbers that are multiplied; one number where nothing is. */
  factors: number[];
  /** What it adds to the cell, before a common factor. */
  amount: number;
}

/** All terms of a sum, largest first; none of what is no sum. */
export function termsOf({ operation, lines }: Explanation): Term[] {
  const [first, second] = lines;
  if (!first) return [];
  const times = (a: number, by: number, index: number): Term => ({
    index,
    factors: [a, by],
    amount: a * by,
  });
  switch (operation.kind) {
    case "product":
      return sorted(
        Array.from(first.values, (a, index) => times(a, second?.values[index] ?? 0, index)),
      );
    case "softmax":
      return sorted(
        Array.from(second?.values ?? [], (amount, index) => ({
          index,
          factors: [first.values[index] ?? NaN],
          amount,
        })),
      );
    case "add":
      return lines.map(({ values: [amount = NaN] }, index) => ({ index, factors: [], amount }));
    case "rotation":
      return sorted(
        lines.map(({ values: [a = NaN] }, index) =>
          times(a, index === 0 ? operation.cosine : operation.sine, index),
        ),
      );
    case "embedding":
      return lines.map(({ values: [a = NaN] }, index) =>
        index === 0 ? times(a, operation.scale, 0) : { index, factors: [a], amount: a },
      );
    default:
      return [];
  }
}

/** Whether every line is a term of its own, instead of holding them all. */
export function isTermByLine({ kind }: CellOperation): boolean {
  return kind === "add" || kind === "embedding" || kind === "rotation";
}

function sorted(terms: Term[]): Term[] {
  return terms.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
}

/** The cell of a step that a term stands in; null for a number that was learnt. */
export function termPlace(source: TermSource | undefined, term: number): StepPlace | null {
  if (source?.kind !== "step" && source?.kind !== "made") return null;
  const { stack, layer, head, step, row, column } = source;
  const place = { stack, layer, head, step, row, column };
  // What is made of a row leads to the row.
  if (source.kind === "made") return source.part === "drawn" ? null : place;
  if (source.along === "rows") return { ...place, row: row + term };
  return source.along === "columns" ? { ...place, column: column + term } : place;
}

/** The places that a trace can go on to, the most telling first; none where all numbers were learnt. */
export function waysBack(explanation: Explanation): StepPlace[] {
  const { operation, lines } = explanation;
  const [largest] = termsOf(explanation);
  const ways = (): (StepPlace | null)[] => {
    switch (operation.kind) {
      case "product":
        return lines.map(({ source }) => termPlace(source, largest?.index ?? 0));
      case "add":
        return lines
          .toSorted((a, b) => Math.abs(b.values[0] ?? 0) - Math.abs(a.values[0] ?? 0))
          .map(({ source }) => termPlace(source, 0));
      case "rotation":
        return termsOf(explanation).map(({ index }) => termPlace(lines[index]?.source, 0));
      case "softmax":
      case "norm":
      case "rmsNorm":
        return [termPlace(lines[0]?.source, operation.term)];
      default:
        return [termPlace(lines[0]?.source, 0)];
    }
  };
  return ways().filter((place) => place !== null);
}

/** Where the lines of an explanation stand in the same block: the first cell, and how far they go. */
export function runsOf({
  lines,
  operation,
}: Explanation): { place: StepPlace; rows: number; columns: number }[] {
  return lines.flatMap(({ source, values }) => {
    const place = termPlace(source, 0);
    if (!place || source.kind !== "step") return [];
    if (operation.kind === "norm" || operation.kind === "rmsNorm" || source.along === "columns")
      return [{ place, rows: 1, columns: values.length }];
    return [{ place, rows: source.along === "rows" ? values.length : 1, columns: 1 }];
  });
}
