import { css, html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { query, state } from "lit/decorators.js";
import { blockStackOf, type CellOperation, type Explanation } from "../../data/index.js";
import type { PositionOrigins, Step, StepCell, StepPlace, TermSource } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import type { Print, PrintRoom, Inks } from "../../draw/theme.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { emit } from "../events.js";
import { given, listOf, orNull } from "../shared/checked.js";
import { STEP_PLACE } from "../shared/checked-steps.js";
import { PARTS, define } from "../shared/controllers.js";
import { sceneOf, type Scene } from "../shared/figure.js";
import { setProperties, tokenLabel } from "../shared/templates.js";
import { BlockFigure, isTermByLine, StepFigure, termPlace, termsOf, waysBack } from "./block.js";
import type { Term } from "./block.js";
import { cellWords, FEATURES, formulaOf, stepWords, WEIGHTS } from "./formulas.js";
import { HeadscopeStrip } from "./strip.js";
import sum from "./sum.css?inline";

const FEW = 5;
/** The most rows of a table: more would take the browser seconds. */
const MOST = 4096;

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
  static override styles = unsafeCSS(sum);
  @given(orNull(STEP_PLACE)) place: StepPlace | null = null;
  /** The origin of the positional encodings; null where unknown. */
  @given(orNull({ encoder: "text", decoder: "text" })) origins: PositionOrigins | null = null;
  /** The places traced so far, the first one first. */
  @given(listOf({ place: STEP_PLACE, words: "text" })) trail: readonly TrailPlace[] = [];
  @state() private whole = false;

  protected override render(): TemplateResult {
    const { place, explanation } = this;
    const title = message("sum.title");
    if (!place || !explanation)
      return html`<section aria-label=${title}>
        <p class="note muted" part="empty">${message("sum.empty")}</p>
      </section>`;
    return html`<section aria-label=${title}>
      <p class="name strong muted" part="caption">${cellWords(place, this.labels)}</p>
      <p class="value inline" part="value">
        <b data-value>${formatValue(explanation.value)}</b>
        ${formulaOf(place.step, explanation) ?? nothing}
      </p>
      <div
        class="scroll ${this.whole ? "tall" : ""}"
        part="table"
        tabindex="0"
        role="group"
        aria-label=${title}
      >
        ${this.renderTable(explanation, place.step)}
      </div>
      ${this.plain ? nothing : this.renderWays(explanation)}
      ${this.trail.length > 0 ? this.renderTrail(place) : nothing}
    </section>`;
  }

  private renderTable(explanation: Explanation, step: Step): TemplateResult {
    const { operation, value } = explanation;
    const { whole } = this;
    const terms = termsOf(explanation);
    const few = terms.slice(0, whole ? MOST : FEW);
    const rest = terms.length - few.length;
    // Not the total less what is shown, which is a rounding error where the others are 0.
    const others = terms.slice(few.length).reduce((sum, { amount }) => sum + amount, 0);
    const sum = sumOf(operation, value);
    const columns = Math.max(0, ...few.map(({ factors }) => factors.length));
    const row = (name: string, amount: number, factors: readonly number[] = []): TemplateResult =>
      html`<th scope="row">${name}</th>
        ${Array.from(
          { length: columns },
          (_, at) => html`<td>${at < factors.length ? formatValue(factors[at] ?? NaN) : ""}</td>`,
        )}
        <td>${formatValue(amount)}</td>`;
    const count = terms.length;
    return html`<table>
        ${
          count > FEW
            ? html`<caption>
                ${message("sum.terms", { count })}
              </caption>`
            : nothing
        }
        <tbody>
          ${few.map(
            (term) =>
              html`<tr>
                ${row(this.termWords(explanation, term), term.amount, term.factors)}
              </tr>`,
          )}
          ${
            rest > 0 && sum !== null
              ? html`<tr>
                  ${row(message("sum.others", { count: rest }), others)}
                </tr>`
              : nothing
          }
          ${numbersOf(explanation, step).map(([name, number]) =>
            number === null
              ? nothing
              : html`<tr>
                  ${row(name, number)}
                </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr class="result">
            ${row(message("sum.result"), value)}
          </tr>
        </tfoot>
      </table>
      ${
        count > FEW
          ? html`<p class="actions inline">
              <button class="boxed" part="button" @click=${() => (this.whole = !whole)}>
                ${whole ? message("sum.fewer") : message("sum.all", { count })}
              </button>
            </p>`
          : nothing
      }`;
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
    if (!first) return html`<p class="note muted">${message(this.endOf(explanation))}</p>`;
    const words = (place: StepPlace): string =>
      message("sum.follow", { place: cellWords(place, this.labels) });
    const follow = (place: StepPlace) => (): void => emit(this, "headscope-number-follow", place);
    return html`<p class="actions inline">
      <button class="first boxed" part="button" title=${words(first)} @click=${follow(first)}>
        ${message("sum.trace")}
      </button>
      ${others.map(
        (place) =>
          html`<button class="boxed" part="button" @click=${follow(place)}>
            ${words(place)}
          </button>`,
      )}
    </p>`;
  }

  /** The reason why no number leads to this one: a learned, drawn or given number. */
  private endOf({ operation, lines }: Explanation): MessageKey {
    if (operation.kind === "given") return "sum.given.end";
    const isPosition = lines.some(({ source }) => source.kind === "position");
    const origin = this.place && this.origins?.[blockStackOf(this.place)];
    if (!isPosition || !origin || origin === "learnt") return "sum.end";
    return `sum.end.${origin}`;
  }

  private renderTrail({ step }: StepPlace): TemplateResult {
    return html`<nav aria-label=${message("sum.traced")}>
      <ol class="trail inline">
        ${this.trail.map(
          ({ words }, index) =>
            html`<li>
              <button
                class="boxed"
                part="button"
                @click=${() => emit(this, "headscope-number-return", index)}
              >
                ${words}
              </button>
              ←
            </li>`,
        )}
        <li aria-current="true">${stepWords(step, this.labels)}</li>
      </ol>
    </nav>`;
  }
}

function sumOf(operation: CellOperation, value: number): number | null {
  if (operation.kind === "softmax") return operation.total;
  if (operation.kind !== "product") return null;
  // The sum of an ablated head cannot be derived from its number.
  return operation.factor === 0 ? null : (value - (operation.bias ?? 0)) / operation.factor;
}

/** The relative-position terms of a score: the single terms if there are several. */
function joinedOf({ bias, terms }: CellOperation & { kind: "scale" }) {
  return (
    terms?.map(([term, number]) => [message(`sum.${term}`), number] as const) ?? [
      [message("sum.relative"), bias] as const,
    ]
  );
}

function numbersOf(
  { operation, lines, value }: Explanation,
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
    case "shared":
      return [
        [raw, valueOf()],
        [message("sum.scale"), operation.factor],
        ...(operation.kind === "scale"
          ? joinedOf(operation)
          : [[`− ln ${operation.keys}`, -Math.log(operation.keys)] as const]),
      ];
    case "softCap":
      return [
        [raw, valueOf()],
        [message("sum.scale"), operation.factor],
        [message("sum.cap"), operation.cap],
      ];
    case "logarithm":
      // The f32 in `raw` may have underflowed.
      return [[raw, operation.of ?? valueOf()]];
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
    case "nearby":
      return [[message("sum.nearby"), lines.length > 0 ? valueOf() : 0]];
    case "patched":
      return [[message("sum.patched"), value]];
    default:
      return [];
  }
}

const INNER = PARTS.join();

/**
 * The steps of a block: the strip of its matrices, the computation of the number in focus, and the
 * trail of traced numbers. The page sets `explanation` for the hovered number, or else for the
 * locked one.
 *
 * @fires headscope-number-hover - the cell under the pointer, or null
 * @fires headscope-number-go - the number to lock, in this block or another; null to unlock
 */
export class HeadscopeSteps extends BlockFigure {
  static override styles = css`
    /* At any number of terms the page below does not move. */
    headscope-sum {
      min-height: 380px;
    }
  `;

  @given(orNull(STEP_PLACE)) place: StepPlace | null = null;
  /** The origin of the positional encodings; null where unknown. */
  @given(orNull({ encoder: "text", decoder: "text" })) origins: PositionOrigins | null = null;
  @state() private trail: readonly TrailPlace[] = [];
  @query("headscope-strip") private readonly strip!: HeadscopeStrip;
  private traced: StepPlace | null = null;

  print(inks: Inks, room?: PrintRoom): Print | null {
    return this.strip.print(inks, room);
  }

  snapshot(): Scene {
    return sceneOf(this.strip);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { head, traced } = this;
    const axes = ["stack", "layer", "head"] as const;
    const isTraced = axes.every((axis) => traced?.[axis] === head?.[axis]);
    // A head that the trace did not lead to was chosen.
    if (changed.has("head") && head && traced && !isTraced) this.trail = [];
  }

  protected override render(): TemplateResult {
    const { steps, scaledWith, head, heads, held, colours } = this;
    const { place, origins, explanation, trail } = this;
    const { tokenTypes, unusual, queries, keys, plain } = this;
    const shared = { explanation, tokenTypes, unusual, queries, keys, plain };
    return html`
      <headscope-strip
        exportparts=${INNER}
        ${setProperties({ ...shared, steps, scaledWith, head, heads, held, colours })}
        @headscope-number-hold=${({ detail }: CustomEvent<StepCell>) =>
          head && this.go([], { ...head, ...detail })}
        @headscope-number-trace=${() =>
          this.follow(explanation ? waysBack(explanation)[0] : undefined)}
        @headscope-number-back=${() => this.returnTo(this.trail.length - 1)}
      ></headscope-strip>
      ${
        plain && !explanation
          ? nothing
          : html`<headscope-sum
              exportparts=${INNER}
              ${setProperties({ ...shared, place, origins, trail })}
              @headscope-number-follow=${(go: CustomEvent<StepPlace>) => this.follow(go.detail)}
              @headscope-number-return=${({ detail }: CustomEvent<number>) => this.returnTo(detail)}
            ></headscope-sum>`
      }
    `;
  }

  private go(trail: readonly TrailPlace[], to: StepPlace | null): void {
    this.trail = trail;
    this.traced = to;
    emit(this, "headscope-number-go", to);
  }

  private follow(to: StepPlace | undefined): void {
    // The explained number, which may be the hovered instead of the locked one.
    const { place, trail } = this;
    if (place && to) this.go([...trail, { place, words: cellWords(place, this.labels) }], to);
  }

  private returnTo(index: number): void {
    this.go(this.trail.slice(0, Math.max(0, index)), this.trail[index]?.place ?? null);
  }
}

define("headscope-strip", HeadscopeStrip);
define("headscope-sum", HeadscopeSum);
define("headscope-steps", HeadscopeSteps);
