import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Alibi, Tensor } from "../../../../data/index.js";
import { formatValue } from "../../../../draw/format.js";
import "../../../../elements/curves/index.js";
import type { CurveLine } from "../../../../draw/curves.js";
import { Kept } from "../../../../elements/shared/kept.js";
import { theLab } from "../../../../headscope.js";
import { formatNumber, message } from "../../../../i18n/index.js";
import { PagePart } from "../../../../ui/page-part.js";
import { partStyles } from "../../../../ui/base-styles.js";
import { Asked } from "../../asked.js";
import { renderFailed } from "../../failed-words.js";
import { OPENS, placeIn } from "../../lab-bounds.js";
import { LabSettings, setting } from "../../lab-settings.js";
import { ALIBI_RANGES, LAB_TABLE } from "../../lab-table.js";
import "../../number-slider.js";
import "../../saving/save-figure.js";
import { labMatrix } from "./matrix.js";
import { partHead } from "./part-head.js";
import { labPartStyles } from "./part-styles.js";
import { schemeStyles } from "./scheme-styles.js";
import { curveOf, tensorOf } from "./tensors.js";

const { heads: HEADS, length: LENGTHS } = ALIBI_RANGES;
/** Beyond this, lines are no longer told apart: they are picked evenly, and the chosen head is always among them. */
const MOST_LINES = 8;

/** What the figures draw of an answer. */
interface Drawn {
  lines: CurveLine[];
  matrix: Tensor;
}

/** ALiBi: a slope for each of any number of heads, and what their scores lose by distance. It needs no model. */
@customElement("headscope-lab-alibi")
export class HeadscopeLabAlibi extends PagePart {
  static override styles = [partStyles, labPartStyles, schemeStyles];

  @state() private heads: number = OPENS.alibi.heads;
  @state() private length = 24;
  /** The head that is looked at, from 0. */
  @state() private head = 0;
  @state() private causal = true;

  protected readonly settings = new LabSettings(this, "alibi", {
    heads: setting(
      LAB_TABLE.alibi.heads,
      () => this.heads,
      (heads) => (this.heads = heads),
    ),
    head: setting(
      LAB_TABLE.alibi.head,
      () => this.head,
      (head) => (this.head = head),
    ),
    length: setting(
      LAB_TABLE.alibi.length,
      () => this.length,
      (length) => (this.length = length),
    ),
    causal: setting(
      LAB_TABLE.alibi.causal,
      () => this.causal,
      (causal) => (this.causal = causal),
    ),
  });
  private readonly asked = new Asked<{ found: Alibi; head: number; length: number }>(this);
  private readonly drawn = new Kept<Drawn>();

  protected override willUpdate(): void {
    this.head = placeIn(this.heads, this.head);
    const { heads, length, head } = this;
    this.asked.ask([heads, length, head], async (signal) => ({
      found: await (await theLab()).ask("alibi", { heads, length, head }, { signal }),
      head,
      length,
    }));
  }

  override render(): TemplateResult {
    const { answer, failure } = this.asked;
    return html`${partHead(formula(message("alibiLab.ifPower")), message("alibiLab.paper"))}
      <p class="small muted said">${message("alibiLab.intro")}</p>
      <div class="controls">
        <headscope-number-slider
          id="heads"
          .label=${message("schemeLab.heads")}
          .value=${this.heads}
          .least=${HEADS.least}
          .most=${HEADS.most}
          whole
          @headscope-slide=${({ detail }: CustomEvent<number>) => (this.heads = detail)}
        ></headscope-number-slider>
        <headscope-number-slider
          id="head"
          .label=${message("schemeLab.head")}
          .value=${this.head + 1}
          .least=${1}
          .most=${this.heads}
          whole
          @headscope-slide=${({ detail }: CustomEvent<number>) => (this.head = detail - 1)}
        ></headscope-number-slider>
        <headscope-number-slider
          id="length"
          .label=${message("schemeLab.tokens")}
          .value=${this.length}
          .least=${LENGTHS.least}
          .most=${LENGTHS.most}
          whole
          @headscope-slide=${({ detail }: CustomEvent<number>) => (this.length = detail)}
        ></headscope-number-slider>
        <label class="check"><input id="causal" type="checkbox" .checked=${this.causal} @change=${this.forbid} /> ${message("alibiLab.causal")}</label>
      </div>
      ${failure ? html`<p class="muted" role="status">${renderFailed(failure)}</p>` : answer ? this.renderFound(answer) : nothing}`;
  }

  private renderFound(answer: { found: Alibi; head: number; length: number }): TemplateResult {
    const { found, head } = answer;
    const { causal } = this;
    const { slopes } = found;
    const { lines, matrix } = this.drawn.get(
      [answer, causal, message("schemeLab.headNumber", { head: 1 })],
      () => ({ lines: linesOf(answer), matrix: matrixOf(answer, causal) }),
    );
    const isPower = Number.isInteger(Math.log2(slopes.length));
    return html`<div class="pictures">
      <section>
        <h3>${message("alibiLab.slopes")}</h3>
        <p class="small muted">${message(isPower ? "alibiLab.power" : "alibiLab.noPower", { heads: formatNumber(slopes.length), ratio: formatValue(2 ** (-8 / slopes.length)), power: formatNumber(2 ** Math.floor(Math.log2(slopes.length))) })}</p>
        <div class="scroll" tabindex="0" role="region" aria-label=${message("alibiLab.slopes")}>
          <table class="facts">
            <thead>
              <tr>
                <th scope="col">${message("schemeLab.head")}</th>
                <th scope="col">${message("alibiLab.slope")}</th>
                <th scope="col">${message("alibiLab.powerOfTwo")}</th>
              </tr>
            </thead>
            <tbody>
              ${slopes.map(
                (slope, at) => html`<tr data-slope=${slope} class=${at === head ? "chosen" : ""}>
                  <th scope="row">${formatNumber(at + 1)}</th>
                  <td>${formatNumber(slope, 6)}</td>
                  <td>2<sup>${formatNumber(Math.log2(slope), 3).replace("-", "−")}</sup></td>
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </section>
      <section>
        <h3>${message("alibiLab.lines")}</h3>
        ${slopes.length > MOST_LINES ? html`<p class="small muted">${message("alibiLab.some", { shown: formatNumber(lines.length), heads: formatNumber(slopes.length) })}</p>` : nothing}
        ${saved(answer, "lines", message("alibiLab.lines"), html`<headscope-curves .lines=${lines} .titles=${{ x: message("alibiLab.distance"), y: message("alibiLab.bias") }}></headscope-curves>`)}
      </section>
      <section>
        <h3>${message("alibiLab.matrix", { head: formatNumber(head + 1) })}</h3>
        <p class="small muted">${message(causal ? "alibiLab.matrix.causal" : "alibiLab.matrix.both")}</p>
        ${saved(answer, `head ${head + 1}${causal ? " causal" : ""}`, message("alibiLab.matrix", { head: formatNumber(head + 1) }), labMatrix({ tensor: matrix, values: message("alibiLab.bias"), signed: true }))}
      </section>
    </div>`;
  }

  private readonly forbid = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.causal = target.checked;
  };
}

/** A figure with what decides its numbers, for those who save it. */
function saved(
  { found: { slopes }, length }: { found: Alibi; length: number },
  name: string,
  heading: string,
  figure: TemplateResult,
): TemplateResult {
  const details = [
    `${message("schemeLab.heads")} ${formatNumber(slopes.length)}`,
    `${message("schemeLab.tokens")} ${formatNumber(length)}`,
  ];
  return html`<headscope-save-figure name=${`alibi ${name} heads ${slopes.length} tokens ${length}`} .heading=${heading} .details=${details} .of=${"lab"}>${figure}</headscope-save-figure>`;
}

/** A line for each head, or for some of many. */
function linesOf({
  found: { slopes, biases },
  head,
  length,
}: {
  found: Alibi;
  head: number;
  length: number;
}): CurveLine[] {
  const count = slopes.length;
  const evenly = Array.from({ length: Math.min(MOST_LINES, count) }, (_, at) =>
    Math.round((at * (count - 1)) / Math.max(1, Math.min(MOST_LINES, count) - 1)),
  );
  const shown = [...new Set([...evenly, head])].sort((one, other) => one - other);
  return shown.map((at) => ({
    ...curveOf(
      message("schemeLab.headNumber", { head: formatNumber(at + 1) }),
      biases.slice(at * length, (at + 1) * length),
    ),
    ...(at === head && { tone: "accent" as const }),
  }));
}

/** What a causal mask forbids has no number. */
function matrixOf({ found, length }: { found: Alibi; length: number }, causal: boolean): Tensor {
  const matrix = found.matrix.map((bias, at) =>
    causal && at % length > Math.floor(at / length) ? NaN : bias,
  );
  return tensorOf(matrix, length, ["query", "key"]);
}

/** Other numbers of heads have slopes of two such rows. */
const formula = (ifPower: string): TemplateResult => html`<math
  ><mrow
    ><mi>softmax</mi><mo>(</mo><msub><mi>q</mi><mi>i</mi></msub><mo>·</mo><msub><mi>k</mi><mi>j</mi></msub><mo>−</mo><msub><mi>m</mi><mi>h</mi></msub><mo>|</mo><mi>i</mi><mo>−</mo><mi>j</mi><mo>|</mo><mo>)</mo
    ></mrow></math><math><mrow><msub><mi>m</mi><mi>h</mi></msub><mo>=</mo><msup><mn>2</mn><mrow><mo>−</mo><mn>8</mn><mi>h</mi><mo>/</mo><mi>H</mi></mrow></msup><mspace width="0.6em"></mspace><mtext>(${ifPower})</mtext></mrow
  ></math
>`;

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lab-alibi": HeadscopeLabAlibi;
  }
}
