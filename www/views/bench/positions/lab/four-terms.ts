import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Cell, FourTerms, Tensor } from "../../../../data/index.js";
import { formatValue } from "../../../../draw/format.js";
import { formatSigned } from "../../../../elements/difference/element.js";
import { Kept } from "../../../../elements/shared/kept.js";
import { theLab } from "../../../../headscope.js";
import { formatNumber, message } from "../../../../i18n/index.js";
import { PagePart } from "../../../../ui/page-part.js";
import { partStyles } from "../../../../ui/base-styles.js";
import { Asked } from "../../asked.js";
import { renderFailed } from "../../failed-words.js";
import { LabSettings, setting } from "../../lab-settings.js";
import { LAB_TABLE, TERM_RANGES } from "../../lab-table.js";
import "../../number-slider.js";
import "../../saving/save-figure.js";
import { labMatrix } from "./matrix.js";
import { partHead } from "./part-head.js";
import { labPartStyles } from "./part-styles.js";
import { schemeStyles } from "./scheme-styles.js";
import { tensorOf } from "./tensors.js";

type Name = keyof typeof TERM_RANGES;
const NAMES = ["length", "dim", "seed"] as const;
const LABELS = {
  length: "schemeLab.tokens",
  dim: "fourTerms.dim",
  seed: "schemeLab.seed",
} as const;
const TERMS = ["a", "b", "c", "d"] as const;
const HEIGHT = 220;

type Numbers = Readonly<Record<Name, number>>;

/** What was found, and of which numbers. */
interface Answer {
  found: FourTerms;
  of: Numbers;
}

/** What the figures draw of an answer: all of it on one scale. */
interface Drawn {
  terms: Tensor[];
  scores: Tensor;
  all: Tensor;
}

/** Transformer-XL's four terms of a score, each as a matrix of its own beside their sum; drawn, untrained. It needs no model. */
@customElement("headscope-lab-four-terms")
export class HeadscopeLabFourTerms extends PagePart {
  static override styles = [partStyles, labPartStyles, schemeStyles];

  @state() private numbers: Numbers = { length: 12, dim: 16, seed: 1 };
  /** The pair that is looked at, in all matrices. */
  @state() private cell: Cell | null = null;

  protected readonly settings = new LabSettings(
    this,
    "terms",
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        setting(
          LAB_TABLE.terms[name],
          () => this.numbers[name],
          (value) => (this.numbers = { ...this.numbers, [name]: value }),
        ),
      ]),
    ),
  );
  private readonly asked = new Asked<Answer>(this);
  private readonly drawn = new Kept<Drawn>();

  protected override willUpdate(): void {
    const { numbers } = this;
    this.asked.ask([numbers], async (signal) => ({
      found: await (await theLab()).ask("fourTerms", numbers, { signal }),
      of: numbers,
    }));
  }

  override render(): TemplateResult {
    const { answer, failure } = this.asked;
    return html`${partHead(FORMULA, message("fourTerms.paper"))}
      <p class="small muted said">${message("fourTerms.intro")}</p>
      <div class="controls">
        ${NAMES.map(
          (name) => html`<headscope-number-slider
            id=${name}
            .label=${message(LABELS[name])}
            .value=${this.numbers[name]}
            .least=${TERM_RANGES[name].least}
            .most=${TERM_RANGES[name].most}
            whole
            @headscope-slide=${({ detail }: CustomEvent<number>) => (this.numbers = { ...this.numbers, [name]: detail })}
          ></headscope-number-slider>`,
        )}
      </div>
      ${failure ? html`<p class="muted" role="status">${renderFailed(failure)}</p>` : answer ? this.renderFound(answer) : nothing}`;
  }

  private renderFound(answer: Answer): TemplateResult {
    const { found } = answer;
    const { terms, scores, all } = this.drawn.get([answer], () => draw(answer));
    const matrix = (name: (typeof TERMS)[number] | "sum", tensor: Tensor): TemplateResult =>
      html`<section data-term=${name}>
        <h3>${message(`fourTerms.${name}`)}</h3>
        <p class="small muted">${message(`fourTerms.${name}.hint`)}</p>
        ${saved(answer.of, name, message(`fourTerms.${name}`), labMatrix({ tensor, values: message(`fourTerms.${name}.short`), signed: true, height: HEIGHT, beside: all, focused: this.cell, looked: (cell) => (this.cell = cell) }))}
      </section>`;
    return html`<p class="numbers" id="sum" data-residue=${found.residue}>${this.renderSum(answer)} <span class="small muted">${message("fourTerms.residue", { residue: formatValue(found.residue) })}</span></p>
      <div class="pictures">${TERMS.map((name, at) => (terms[at] ? matrix(name, terms[at]) : nothing))} ${matrix("sum", scores)}</div>`;
  }

  /** The arithmetic of the pair under the pointer, or of the last one. */
  private renderSum({ found, of: { length } }: Answer): TemplateResult {
    const last = length - 1;
    const { query, key } =
      this.cell && this.cell.query < length && this.cell.key < length
        ? this.cell
        : { query: last, key: Math.max(0, last - 1) };
    const at = query * length + key;
    const parts = found.terms.map((term) =>
      formatSigned(term[at] ?? NaN).replace(/^([+−])/, "$1 "),
    );
    return html`<span data-cell="${query},${key}">${message("fourTerms.pair", { query: query + 1, key: key + 1 })} ${parts.join(" ").replace(/^\+ /, "")} = <b>${formatValue(found.scores[at] ?? NaN)}</b></span>`;
  }
}

/** A figure with what decides its numbers, for those who save it. */
function saved(
  numbers: Numbers,
  name: string,
  heading: string,
  figure: TemplateResult,
): TemplateResult {
  const { length, dim, seed } = numbers;
  const details = NAMES.map((one) => `${message(LABELS[one])} ${formatNumber(numbers[one])}`);
  return html`<headscope-save-figure name=${`four terms ${name} tokens ${length} d ${dim} seed ${seed}`} .heading=${heading} .details=${details} .of=${"lab"}>${figure}</headscope-save-figure>`;
}

function draw({ found: { terms, scores }, of: { length } }: Answer): Drawn {
  const matrix = (numbers: readonly number[]): Tensor =>
    tensorOf(numbers, length, ["query", "key"]);
  return {
    terms: terms.map(matrix),
    scores: matrix(scores),
    all: matrix([...terms.flat(), ...scores]),
  };
}

const FORMULA = html`<math displaystyle="true"
  ><mrow
    ><msub><mi>A</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo
    ><mfrac
      ><mrow
        ><munder><mrow><msub><mi>q</mi><mi>i</mi></msub><mo>·</mo><msub><mi>k</mi><mi>j</mi></msub></mrow><mtext>(a)</mtext></munder><mo>+</mo
        ><munder><mrow><msub><mi>q</mi><mi>i</mi></msub><mo>·</mo><msub><mi>r</mi><mrow><mi>i</mi><mo>−</mo><mi>j</mi></mrow></msub></mrow><mtext>(b)</mtext></munder><mo>+</mo
        ><munder><mrow><mi>u</mi><mo>·</mo><msub><mi>k</mi><mi>j</mi></msub></mrow><mtext>(c)</mtext></munder><mo>+</mo
        ><munder><mrow><mi>v</mi><mo>·</mo><msub><mi>r</mi><mrow><mi>i</mi><mo>−</mo><mi>j</mi></mrow></msub></mrow><mtext>(d)</mtext></munder></mrow
      ><msqrt><mi>d</mi></msqrt></mfrac
    ></mrow
  ></math
>`;

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lab-four-terms": HeadscopeLabFourTerms;
  }
}
