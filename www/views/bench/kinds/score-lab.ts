import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { ScoreRows, Scores, ScoresAt } from "../../../data/index.js";
import type { CurveLine } from "../../../draw/curves.js";
import { formatValue } from "../../../draw/format.js";
import "../../../elements/bars/index.js";
import "../../../elements/curves/index.js";
import { Memo } from "../../../elements/shared/memo.js";
import { theLab } from "../../../headscope.js";
import { formatNumber, language, message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { Asked } from "../asked.js";
import { renderFailed } from "../failed-words.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, SCORE_RANGES } from "../lab-table.js";
import { NumberFields } from "../number-fields.js";
import { ruleStyles } from "../rule-styles.js";
import "../saving/save-figure.js";

/** Of a row of weights, the largest. */
const SHOWN_WEIGHTS = 8;
const SIDES = ["plain", "scaled"] as const;
type Side = (typeof SIDES)[number];
const MEASURES = ["variance", "entropy", "jacobian"] as const;
type Measure = (typeof MEASURES)[number];
/** Over d in octaves; the variance grows as d does. */
const SCALES: Readonly<Record<Measure, { x: "log"; y?: "log" }>> = {
  variance: { x: "log", y: "log" },
  entropy: { x: "log" },
  jacobian: { x: "log" },
};
const RANGE = { x: [1, SCORE_RANGES.dim.most] } as const;

/** Why scores are divided by √d: drawn queries and keys of any width, with and without the scale. It needs no model. */
@customElement("headscope-score-lab")
export class HeadscopeScoreLab extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      :host {
        display: block;
        margin-top: 16px;
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }

      h3 {
        margin: 0 0 4px;
        font-size: 14px;
        font-weight: 600;
      }

      input[type="range"] {
        width: min(320px, 60vw);
        border: 0;
        accent-color: var(--headscope-accent);
      }

      output {
        min-width: 32px;
        color: var(--headscope-ink);
        font-variant-numeric: tabular-nums;
      }

      table {
        margin-top: 8px;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }

      th,
      td {
        padding: 4px 20px 4px 0;
        text-align: right;
        font-weight: 400;
      }

      tbody th {
        text-align: left;
      }

      thead th {
        color: var(--headscope-muted);
      }

      .pictures {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr));
        gap: 20px 32px;
        margin-top: 12px;
      }
    `,
  ];

  @state() private dim = 64;
  @state() private seed = 1;
  protected readonly settings = new LabSettings(this, "scores", {
    dim: setting(
      LAB_TABLE.scores.dim,
      () => this.dim,
      (dim) => (this.dim = dim),
    ),
    seed: setting(
      LAB_TABLE.scores.seed,
      () => this.seed,
      (seed) => (this.seed = seed),
    ),
  });
  private readonly fields = new NumberFields(this);
  private readonly asked = new Asked<Scores>(this);
  private readonly drawn = new Memo<Record<Measure, CurveLine[]>>();

  protected override willUpdate(): void {
    const { dim, seed } = this;
    this.asked.ask([dim, seed], async (signal) =>
      (await theLab()).ask("scores", { dim, seed }, { signal }),
    );
  }

  override render(): TemplateResult {
    const { dim, seed } = this;
    const { answer, failure } = this.asked;
    return html`<h3>${message("scoreLab.title")}</h3>
      <p class="small muted">${message("scoreLab.intro")} ${FORMULA}</p>
      <div class="line">
        <label
          >${message("scoreLab.dim")} <input id="dim" type="range" min="1" max=${SCORE_RANGES.dim.most} step="1" .value=${String(dim)} @input=${this.slide} /> <output for="dim">${dim}</output></label
        >
        <label>${message("kind.number.seed")} ${this.fields.number({ id: "lab-seed", value: seed, ...SCORE_RANGES.seed, whole: true, take: (typed) => (this.seed = typed) })}</label>
      </div>
      ${this.fields.troubles()}
      ${failure ? html`<p class="muted" role="status">${renderFailed(failure, message("scoreLab.failed"))}</p>` : answer ? this.renderFound(answer) : nothing}`;
  }

  private renderFound(found: Scores): TemplateResult {
    const { here } = found;
    const lines = this.drawn.get([found, language()], () => ({
      variance: linesOf(found, "variance"),
      entropy: linesOf(found, "entropy"),
      jacobian: linesOf(found, "jacobian"),
    }));
    const row = (name: Measure): TemplateResult =>
      html`<tr data-lab=${name}>
        <th scope="row">${message(`scoreLab.${name}`)}</th>
        ${SIDES.map((side) => html`<td>${formatValue(here[side][name])}</td>`)}
      </tr>`;
    return html`<table>
        <thead>
          <tr>
            <td></td>
            ${SIDES.map((side) => html`<th scope="col">${message(`scoreLab.${side}`)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${MEASURES.map(row)}
        </tbody>
      </table>
      <div class="pictures">
        ${MEASURES.map((name) => this.renderAlong(name, lines[name], here))} ${SIDES.map((side) => this.renderWeights(side, here[side]))}
      </div>
      <p class="small muted">${message("scoreLab.hint")}</p>`;
  }

  private renderWeights(side: Side, { weights }: ScoreRows): TemplateResult {
    const items = weights
      .slice(0, SHOWN_WEIGHTS)
      .map((value, at) => ({ label: formatNumber(at + 1), value, text: formatValue(value) }));
    const heading = message("scoreLab.weights", { side: message(`scoreLab.${side}`) });
    return html`<headscope-save-figure name=${`weights ${side} d ${this.dim} seed ${this.seed}`} .heading=${heading} of="lab"><headscope-bars .heading=${heading} .items=${items}></headscope-bars></headscope-save-figure>`;
  }

  /** How rows change with the width, as they are and divided by √d. */
  private renderAlong(
    name: Measure,
    lines: readonly CurveLine[],
    { dim }: ScoresAt,
  ): TemplateResult {
    const y = message(`scoreLab.${name}`);
    return html`<headscope-save-figure name=${`${name} seed ${this.seed}`} .heading=${`${message("scoreLab.title")}: ${y}`} of="lab"
      ><headscope-curves .lines=${lines} .titles=${{ x: "d", y }} .scales=${SCALES[name]} .range=${RANGE} .marked=${dim}></headscope-curves
    ></headscope-save-figure>`;
  }

  private readonly slide = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    this.dim = target.valueAsNumber;
  };
}

/** Both sides at every width that was drawn, the chosen one among them, and for the entropy the most that it can be. */
function linesOf({ along, here, widest }: Scores, name: Measure): CurveLine[] {
  const all = [...along.filter(({ dim }) => dim !== here.dim), here].sort(
    (one, other) => one.dim - other.dim,
  );
  const line = (side: Side): CurveLine => ({
    name: message(`scoreLab.${side}`),
    points: all.map((at) => ({ x: at.dim, y: at[side][name] })),
  });
  const most: CurveLine = {
    name: message("scoreLab.widest"),
    tone: "quiet",
    points: all.map(({ dim }) => ({ x: dim, y: widest })),
  };
  return [...SIDES.map(line), ...(name === "entropy" ? [most] : [])];
}

const FORMULA = html`<math
  ><mrow><mi>Var</mi><mo>(</mo><mi>q</mi><mo>·</mo><mi>k</mi><mo>)</mo><mo>=</mo><msub><mi>d</mi><mi>k</mi></msub></mrow></math
>, <math
  ><mrow
    ><mfrac><mrow><mo>∂</mo><mi>p</mi></mrow><mrow><mo>∂</mo><mi>s</mi></mrow></mfrac><mo>=</mo><mi>diag</mi><mo>(</mo><mi>p</mi><mo>)</mo><mo>−</mo><mi>p</mi><msup><mi>p</mi><mi>⊤</mi></msup></mrow
  ></math
>`;

declare global {
  interface HTMLElementTagNameMap {
    "headscope-score-lab": HeadscopeScoreLab;
  }
}
