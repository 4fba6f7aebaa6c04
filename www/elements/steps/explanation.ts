import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { CellOperation, Explanation, PositionOrigins } from "../../data/index.js";
import type { Step, StepPlace, TermSource } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { emit } from "../events.js";
import { STEP_PLACE, TEXT, given, listOf, orNull, record } from "../shared/checked.js";
import { tokenLabel } from "../shared/templates.js";
import { cellWords, StepFigure, stepWords } from "./block.js";
import { formulaOf, FEATURES, WEIGHTS } from "./formulas.js";

const sumStyles = css`
  section {
    max-width: 720px;
  }
  section,
  .inline,
  .note {
    margin-top: 12px;
  }
  .name {
    font-size: 13px;
    font-weight: 600;
  }
  :is(.name, .note) {
    color: var(--_muted);
  }
  .value {
    margin-top: 4px;
    font-size: 20px;
  }
  math {
    font-size: 18px;
  }
  .scroll:not(.tall) {
    max-height: none;
  }
  th:first-child {
    white-space: normal;
  }
  .result > * {
    border-bottom: 0;
    color: var(--_ink);
    font-weight: 600;
  }
  .inline button {
    text-align: left;
  }
  .first {
    border-color: var(--_accent);
    color: var(--_accent);
  }
`;

const FEW = 5;
/** A table of more rows would take the browser seconds. */
const MOST = 4096;

/** A place of the trail, with its name in its own block. */
export interface TrailPlace {
  place: StepPlace;
  words: string;
}

/**
 * The computation of one number: the formula, its terms, and the numbers that they come from.
 *
 * @fires headscope-number-follow - the number one step back to go to
 * @fires headscope-number-return - the number of places that remain of the trail
 */
export class HeadscopeSum extends StepFigure {
  static override styles = sumStyles;

  @given(orNull(STEP_PLACE)) place: StepPlace | null = null;
  /** The origin of the positional encodings; null where unknown. */
  @given(orNull(record({ encoder: TEXT, decoder: TEXT }))) origins: PositionOrigins | null = null;
  /** The places traced so far, the first one first. */
  @given(listOf(record({ place: STEP_PLACE, words: TEXT }))) trail: readonly TrailPlace[] = [];

  @state() private whole = false;

  protected override render(): TemplateResult {
    const { place, explanation } = this;
    const title = message("sum.title");
    if (!place || !explanation)
      return html`<section aria-label=${title}><p class="note" part="empty">${message("sum.empty")}</p></section>`;
    return html`<section aria-label=${title}>
      <p class="name" part="caption">${cellWords(place, this.labels)}</p>
      <p class="value inline" part="value"><b data-value>${formatValue(explanation.value)}</b> ${formulaOf(place.step, explanation) ?? nothing}</p>
      <div class="scroll ${this.whole ? "tall" : ""}" part="table" tabindex="0" role="group" aria-label=${title}>${this.renderTable(explanation, place.step)}</div>
      ${this.renderWays(explanation)} ${this.trail.length > 0 ? this.renderTrail(place) : nothing}
    </section>`;
  }

  /** A row for each term with its factors, one for the others, those of other numbers, and the result. */
  private renderTable(explanation: Explanation, step: Step): TemplateResult {
    const { operation, value } = explanation;
    const { whole } = this;
    const terms = termsOf(explanation);
    const few = terms.slice(0, whole ? MOST : FEW);
    const rest = terms.length - few.length;
    const shown = few.reduce((sum, { amount }) => sum + amount, 0);
    const sum = sumOf(operation, value);
    const columns = Math.max(0, ...few.map(({ factors }) => factors.length));
    const row = (name: string, amount: number, factors: readonly number[] = []): TemplateResult =>
      html`<th scope="row">${name}</th>${Array.from({ length: columns }, (_, at) => html`<td>${at < factors.length ? formatValue(factors[at] ?? NaN) : ""}</td>`)}<td>${formatValue(amount)}</td>`;
    const count = terms.length;
    return html`<table>
      ${count > FEW ? html`<caption>${message("sum.terms", { count })}</caption>` : nothing}
      <tbody>
        ${few.map((term) => html`<tr>${row(this.termWords(explanation, term), term.amount, term.factors)}</tr>`)}
        ${rest > 0 && sum !== null ? html`<tr>${row(message("sum.others", { count: rest }), sum - shown)}</tr>` : nothing}
        ${numbersOf(explanation, step).map(([name, number]) => (number === null ? nothing : html`<tr>${row(name, number)}</tr>`))}
      </tbody>
      <tfoot><tr class="result">${row(message("sum.result"), value)}</tr></tfoot>
    </table>
    ${count > FEW ? html`<p class="actions inline"><button class="boxed" part="button" @click=${() => (this.whole = !whole)}>${whole ? message("sum.fewer") : message("sum.all", { count })}</button></p>` : nothing}`;
  }

  private termWords({ operation, lines }: Explanation, { index }: Term): string {
    const [own, at] = isTermByLine(operation) ? [lines[index], 0] : [lines[0], index];
    const other = operation.kind === "product" ? lines[1]?.source : undefined;
    return [this.sourceWords(own?.source, at), this.sourceWords(other, at)]
      .filter((part) => part !== "")
      .join(" × ");
  }

  private sourceWords(source: TermSource | undefined, term: number): string {
    const place = source?.kind === "step" ? termPlace(source, term) : null;
    if (place) return cellWords(place, this.labels);
    switch (source?.kind) {
      case "made":
        return `${FEATURES[source.part]}[${term + 1}]`;
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
    const follow = (place: StepPlace) => (): void => emit(this, "headscope-number-follow", place);
    return html`<p class="actions inline">
      <button class="first boxed" part="button" title=${words(first)} @click=${follow(first)}>${message("sum.trace")}</button>
      ${others.map((place) => html`<button class="boxed" part="button" @click=${follow(place)}>${words(place)}</button>`)}
    </p>`;
  }

  /** Why no number leads to this one: not all that a token begins with has to be learnt. */
  private endOf({ operation, lines }: Explanation): MessageKey {
    if (operation.kind === "given") return "sum.given.end";
    const isPosition = lines.some(({ source }) => source.kind === "position");
    const origin = this.origins?.[this.place?.stack === "encoder" ? "encoder" : "decoder"];
    if (!isPosition || !origin || origin === "learnt") return "sum.end";
    return `sum.end.${origin}`;
  }

  private renderTrail({ step }: StepPlace): TemplateResult {
    return html`<nav aria-label=${message("sum.traced")}>
      <ol class="trail inline">
        ${this.trail.map(({ words }, index) => html`<li><button class="boxed" part="button" @click=${() => emit(this, "headscope-number-return", index)}>${words}</button> ←</li>`)}
        <li aria-current="true">${stepWords(step, this.labels)}</li>
      </ol>
    </nav>`;
  }
}

/** The sum of all terms; null where they are no sum. */
function sumOf(operation: CellOperation, value: number): number | null {
  if (operation.kind === "softmax") return operation.total;
  if (operation.kind !== "product") return null;
  // The sum of an ablated head cannot be derived from its number.
  return operation.factor === 0 ? null : (value - (operation.bias ?? 0)) / operation.factor;
}

/** The numbers of an operation besides its terms; null for a number that has no row. */
function numbersOf(
  { operation, lines }: Explanation,
  step: Step,
): (readonly [words: string, number: number | null])[] {
  const valueOf = (term = 0): number => lines[0]?.values[term] ?? NaN;
  const unless = (usual: number, number: number): number | null =>
    number === usual ? null : number;
  const raw = message("step.raw");
  switch (operation.kind) {
    case "product":
      return [
        [message(step === "raw" ? "sum.lengths" : "sum.gate"), unless(1, operation.factor)],
        [message("sum.bias"), operation.bias],
      ];
    case "scale":
      return [
        [raw, valueOf()],
        [message("sum.scale"), operation.factor],
        [message("sum.relative"), operation.bias],
      ];
    case "logarithm":
      // The f32 in `raw` may have underflowed.
      return [[raw, operation.of ?? valueOf()]];
    case "shared":
      return [
        [raw, valueOf()],
        [message("sum.scale"), operation.factor],
        [`− ln ${operation.keys}`, -Math.log(operation.keys)],
      ];
    case "mask":
      return [
        [message("step.scores"), valueOf()],
        [message("sum.mask"), operation.added],
      ];
    case "softmax":
      return [
        [message("sum.total"), operation.total],
        [message("sum.kept"), unless(1, operation.kept)],
      ];
    case "given":
      return [
        [message(`sum.given.${operation.pattern}`), valueOf(operation.term)],
        [message("sum.total"), operation.total],
      ];
    case "norm":
    case "rmsNorm": {
      const centred = operation.kind === "norm" ? operation : null;
      return [
        ["x", valueOf(operation.term)],
        [message("sum.mean"), centred?.mean ?? null],
        [message("sum.variance"), centred?.variance ?? null],
        [message("sum.meanSquare"), "meanSquare" in operation ? operation.meanSquare : null],
        [message("sum.epsilon"), operation.epsilon],
        [message("sum.gain"), operation.gain],
        [message("sum.shift"), centred?.bias ?? null],
      ];
    }
    case "activation":
      return [[message("sum.function", { function: operation.function }), valueOf()]];
    case "same":
      return [[message("sum.same"), valueOf()]];
    default:
      return [];
  }
}

interface Term {
  index: number;
  /** The numbers multiplied; a single one where there is no product. */
  factors: number[];
  /** Its part of the sum, before a common factor. */
  amount: number;
}

const times = (a: number, by: number, index: number): Term => ({
  ...{ index, factors: [a, by], amount: a * by },
});

/** All terms of a sum, largest first; none where there is no sum. */
function termsOf({ operation, lines }: Explanation): Term[] {
  const [first, second] = lines;
  const ends = lines.map(({ values: [a = NaN] }) => a);
  if (!first) return [];
  switch (operation.kind) {
    case "product":
      return sorted(Array.from(first.values, (a, at) => times(a, second?.values[at] ?? 0, at)));
    case "softmax": {
      const factors = (index: number): number[] => [first.values[index] ?? NaN];
      const weights = Array.from(second?.values ?? []);
      return sorted(weights.map((amount, index) => ({ index, factors: factors(index), amount })));
    }
    case "add":
      return ends.map((amount, index) => ({ index, factors: [], amount }));
    case "rotation": {
      const { cosine, sine } = operation;
      return sorted(ends.map((a, index) => times(a, index === 0 ? cosine : sine, index)));
    }
    case "embedding":
      return ends.map((a, index) =>
        index === 0 ? times(a, operation.scale, 0) : { index, factors: [a], amount: a },
      );
    default:
      return [];
  }
}

/** Whether every line is one term, instead of a factor of all terms. */
const isTermByLine = ({ kind }: CellOperation): boolean =>
  kind === "add" || kind === "embedding" || kind === "rotation";

const sorted = (terms: Term[]): Term[] =>
  terms.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));

/** The cell of a step that a term comes from; null for a learned number. */
function termPlace(source: TermSource | undefined, term: number): StepPlace | null {
  if (source?.kind !== "step" && source?.kind !== "made") return null;
  const { stack, layer, head, step, row, column } = source;
  const place = { stack, layer, head, step, row, column };
  // A feature of a row leads to the row.
  if (source.kind === "made") return source.part === "drawn" ? null : place;
  if (source.along === "rows") return { ...place, row: row + term };
  return source.along === "columns" ? { ...place, column: column + term } : place;
}

/** The cells that a trace can go on to, the largest term first; none where all numbers were learned. */
export function waysBack(explanation: Explanation): StepPlace[] {
  const { operation, lines } = explanation;
  const { kind } = operation;
  const terms = termsOf(explanation);
  const first = ("term" in operation ? operation.term : null) ?? 0;
  const places =
    kind === "product"
      ? lines.map(({ source }) => termPlace(source, terms[0]?.index ?? 0))
      : kind === "add" || kind === "rotation"
        ? sorted(terms).map(({ index }) => termPlace(lines[index]?.source, 0))
        : [termPlace(lines[0]?.source, first)];
  return places.filter((place) => place !== null);
}

/** The cells of the lines of an explanation: the first cell, and their rows and columns. */
export function runsOf({ lines, operation }: Explanation) {
  const isNorm = operation.kind === "norm" || operation.kind === "rmsNorm";
  return lines.flatMap(({ source, values }) => {
    const place = termPlace(source, 0);
    if (!place || source.kind !== "step") return [];
    const columns = isNorm || source.along === "columns" ? values.length : 1;
    const rows = columns === 1 && source.along === "rows" ? values.length : 1;
    return [{ place, rows, columns }];
  });
}
