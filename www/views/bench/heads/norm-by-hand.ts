import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { formatValue } from "../../../draw/text.js";
import { tokenLabel } from "../../../elements/shared/templates.js";
import { message } from "../../../i18n/index.js";
import type { Model, Run, RunInput } from "../../../headscope.js";
import { isolated, type Step, type Token } from "../../../data/index.js";
import { fittingEdits, hasEdits, type BlockStack, type EditLists } from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { factsStyles, partStyles } from "../../../ui/base-styles.js";
import { asFailure, firstFailure } from "../../run/failures.js";
import { Loader } from "../../run/loader.js";
import { limitsOf } from "../../run/selection.js";
import { renderFailed } from "../failed-words.js";
import { placeIn } from "../lab-values.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, NORM_STEPS } from "../lab-table.js";
import { originalInput } from "../../run/target-ids.js";
import { NumberFields } from "../number-fields.js";
import { RestingText } from "../resting-text.js";
import type { OnBench } from "../on-bench.js";
import { ruleStyles } from "../rule-styles.js";
import type { Table } from "../../../export/provenance.js";
import "../saving/save-figure.js";
import {
  batchesOf,
  normed,
  normsOf,
  readNorm,
  secondText,
  type NormNumber,
  type NormPlace,
} from "./norm-numbers.js";

/** A number with where it stands: until the next is read, that may be another place than the one asked for. */
interface Reading {
  norms: Step[];
  /** Null where the block has no norm. */
  place: NormPlace | null;
  number: NormNumber | null;
}

/** One number of one norm by hand, with the model's own γ and β, and beside it what BatchNorm would make of it. */
@customElement("headscope-norm-by-hand")
export class HeadscopeNormByHand extends PagePart {
  static override styles = [
    partStyles,
    factsStyles,
    ruleStyles,
    css`
      .sides {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr));
        gap: 12px 48px;
        margin-top: 12px;
      }

      h3 {
        margin-bottom: 8px;
        font-size: 14px;
        font-weight: 600;
      }

      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }

      th,
      td {
        padding: 2px 0 2px 12px;
        text-align: right;
        font-weight: 400;
      }

      th {
        color: var(--headscope-muted);
      }

      th:first-child {
        padding-left: 0;
        text-align: left;
      }

      td:last-child {
        font-weight: 600;
      }

      .other {
        display: flex;
        flex: 1 1 320px;
        align-items: baseline;
        gap: 8px;
        white-space: nowrap;
      }

      .other input {
        flex: 1 1 auto;
        min-width: 0;
      }
    `,
  ];

  @property({ attribute: false }) on!: OnBench;
  @property() stack: BlockStack = "encoder";
  @property({ type: Number }) layer = 0;
  @property({ attribute: false }) tokens: Token[] = [];
  @state() private step: (typeof NORM_STEPS)[number] | null = null;
  @state() private token = 0;
  @state() private column = 0;
  /** The reader's own second text; without one it is the model's. */
  private readonly other = new RestingText(this, "");
  protected readonly settings = new LabSettings(
    this,
    "norm",
    {
      of: setting(
        LAB_TABLE.norm.of,
        () => this.step,
        (step) => (this.step = step),
      ),
      token: setting(
        LAB_TABLE.norm.token,
        () => this.token,
        (token) => (this.token = token),
      ),
      number: setting(
        LAB_TABLE.norm.number,
        () => this.column,
        (column) => (this.column = column),
      ),
      text: setting(LAB_TABLE.norm.text, () => this.other.value, this.other.put),
    },
    () => this.tokens.length > 0 && this.on.model !== null && !this.on.growing,
  );
  private readonly fields = new NumberFields(this);
  private second: {
    model: OnBench["model"];
    text: string;
    edits: EditLists;
    run: Promise<Run>;
  } | null = null;
  private readonly reading = new Loader<Reading>(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.dropSecond();
  }

  protected override willUpdate(): void {
    const { run, revision, model } = this.on;
    if (!run || !model) return;
    const { stack, layer, step } = this;
    const column = placeIn(model.info.dModel, this.column);
    const token = placeIn(this.tokens.length, this.token);
    if (this.settings.arriving) [this.token, this.column] = [token, column];
    this.reading.want(
      JSON.stringify([
        revision,
        model.info.family,
        stack,
        layer,
        step,
        token,
        column,
        this.other.value,
      ]),
      async () => {
        const norms = await normsOf(run, { stack, layer });
        const chosen = norms.find((one) => one === step) ?? norms[0];
        const place = chosen === undefined ? null : { stack, layer, step: chosen, token, column };
        return { norms, place, number: place && (await this.read(run, place)) };
      },
    );
  }

  override render(): TemplateResult | typeof nothing {
    const { value } = this.reading;
    const { model } = this.on;
    const failure = firstFailure([this.reading]);
    const failed =
      failure === null
        ? null
        : html`<p class="small" role="status">${renderFailed(failure, message(this.other.value.trim() !== "" && asFailure(failure).code.startsWith("input/") ? "pad.failed" : "headBench.numbersNotRead"))}</p>`;
    // A text that cannot be read is changed where it was typed.
    if (failed && !value) return html`${this.renderSecond()}${failed}`;
    if (!value || !model) return nothing;
    const { place, number } = value;
    if (!place) return html`<p class="muted">${message("norm.none")}</p>`;
    return html`<div class="line">
        <label
          >${message("norm.which")}
          <select aria-label=${message("norm.which")} @change=${this.chooseStep}>
            ${value.norms.map((norm) => html`<option value=${norm} .selected=${norm === place.step}>${message(`norm.at.${placeOf(norm)}`)}</option>`)}
          </select></label
        >
        <label
          >${message("norm.token")}
          <select aria-label=${message("norm.token")} @change=${this.chooseToken}>
            ${this.tokens.map((token, index) => html`<option value=${index} .selected=${index === Math.min(this.token, this.tokens.length - 1)}>${index + 1} · ${isolated(tokenLabel(token))}</option>`)}
          </select></label
        >
        <label
          >${message("norm.column")}
          ${this.fields.number({ id: "column", value: Math.min(this.column + 1, model.info.dModel), least: 1, most: model.info.dModel, whole: true, take: (typed) => (this.column = typed - 1) })}</label
        >
        ${this.renderSecond()}
      </div>
      ${this.fields.troubles()}
      ${failed ?? (number ? this.renderNumber(number, place) : html`<p class="muted">${message("norm.elsewhere")}</p>`)}`;
  }

  /** What the text stands beside in the batch. */
  private renderSecond(): TemplateResult | typeof nothing {
    const { model, run } = this.on;
    if (!model || !run) return nothing;
    return html`<label class="other">${message("norm.second")} ${this.other.field({ id: "other", placeholder: secondText(model, textOf(model, run)).text })}</label>`;
  }

  private renderNumber(
    number: NormNumber,
    { stack, layer, step, token, column }: NormPlace,
  ): TemplateResult {
    const { operation, own, value } = number;
    const layered =
      operation.kind === "norm"
        ? normed(own, operation.mean, operation.variance, operation.epsilon)
        : normed(own, 0, operation.meanSquare, operation.epsilon);
    return html`<headscope-save-figure name=${`norm ${step} token ${token + 1} x ${column + 1}`} .heading=${message("norm.byHand")} .of=${{ stack, layer }} .stale=${this.reading.stale} .table=${tableOf(number, layered)}><div class="sides">
      <section aria-label=${message("norm.byHand")}>
        <h3>${message(operation.kind === "norm" ? "norm.layer" : "norm.rms")}</h3>
        <dl>
          <dt>x</dt>
          <dd>${formatValue(own)}</dd>
          ${
            operation.kind === "norm"
              ? html`<dt>μ</dt>
                <dd>${formatValue(operation.mean)}</dd>
                <dt>σ²</dt>
                <dd>${formatValue(operation.variance)}</dd>`
              : html`<dt>${message("norm.meanSquare")}</dt>
                <dd>${formatValue(operation.meanSquare)}</dd>`
          }
          <dt>ε</dt>
          <dd>${formatValue(operation.epsilon)}</dd>
          <dt>${operation.kind === "norm" ? "x̂ = (x − μ) / √(σ² + ε)" : message("norm.rmsFormula")}</dt>
          <dd data-norm="layer">${formatValue(layered)}</dd>
          <dt>γ</dt>
          <dd>${formatValue(operation.gain)}</dd>
          ${
            operation.kind === "norm"
              ? html`<dt>β</dt>
                <dd>${formatValue(operation.bias)}</dd>`
              : nothing
          }
          <dt>${operation.kind === "norm" ? "γ · x̂ + β" : "γ · x̂"}</dt>
          <dd class="result" data-norm="value">${formatValue(value)}</dd>
        </dl>
      </section>
      <section aria-label=${message("norm.batch")}>
        <h3>${message("norm.batch")}</h3>
        <table>
          <thead>
            <tr><th scope="col">${message("norm.in")}</th><th scope="col">${message("norm.rows")}</th><th scope="col">μ</th><th scope="col">σ²</th><th scope="col">x̂</th></tr>
          </thead>
          <tbody>
            ${batchesOf(number).map(
              (batch) => html`<tr data-batch=${batch.kind}>
                <th scope="row">${message(`norm.in.${batch.kind}`)}</th>
                <td>${batch.tokens}</td>
                <td>${formatValue(batch.mean)}</td>
                <td>${formatValue(batch.variance)}</td>
                <td>${formatValue(batch.normed)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
        <p class="small muted">${message("norm.why", { layer: formatValue(layered) })}</p>
      </section>
    </div></headscope-save-figure>`;
  }

  /** With a second text that was kept and cannot be read any more, as after a crash, once more with a new one. */
  private async read(run: Run, place: NormPlace): Promise<NormNumber | null> {
    const kept = this.second?.run;
    const second = this.secondRun();
    try {
      return await readNorm(run, await second, place);
    } catch (thrown) {
      if (this.second?.run === second) this.dropSecond();
      if (kept !== second) throw thrown;
      return this.read(run, place);
    }
  }

  /** A second text of the same model under the same edits, run once and kept for as long as this is looked at. */
  private secondRun(): Promise<Run | null> {
    const { model, run, edits } = this.on;
    // Nobody would release what is begun once this is gone.
    if (!model || !run || !this.isConnected) return Promise.resolve(null);
    const text = this.other.value.trim();
    if (this.second?.model === model && this.second.text === text && this.second.edits === edits)
      return this.second.run;
    this.dropSecond();
    const second = underEdits(
      model,
      text === "" ? secondText(model, textOf(model, run)) : { text },
      edits,
    );
    this.second = { model, text, edits, run: second };
    return second;
  }

  private dropSecond(): void {
    // One that failed was never there.
    this.second?.run.then(
      (run) => run.release(),
      () => undefined,
    );
    this.second = null;
  }

  private readonly chooseStep = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement)
      this.step = NORM_STEPS.find((norm) => norm === target.value) ?? null;
  };

  private readonly chooseToken = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) this.token = Number(target.value);
  };
}

/** A run of a text with as much of the edits as fits it: how long it is, and what a translator writes of it, says one without them. */
async function underEdits(model: Model, input: RunInput, edits: EditLists): Promise<Run> {
  const plain = await model.run(input);
  const fitting = fittingEdits(
    edits,
    limitsOf(model.info, plain.tokens.length, plain.targetTokens.length),
  );
  if (!hasEdits(fitting)) return plain;
  try {
    return await model.run({ ...originalInput(model, plain), edits: fitting });
  } finally {
    plain.release();
  }
}

/** What a run reads. */
function textOf(model: NonNullable<OnBench["model"]>, run: Run): string {
  return model.decode(run.tokens.map(({ id }) => id));
}

/** The same numbers as a file has them. */
function tableOf(number: NormNumber, layered: number): Table {
  const { operation, own, value } = number;
  const middle: (string | number)[][] =
    operation.kind === "norm"
      ? [
          ["μ", operation.mean],
          ["σ²", operation.variance],
        ]
      : [[message("norm.meanSquare"), operation.meanSquare]];
  const shift: (string | number)[][] = operation.kind === "norm" ? [["β", operation.bias]] : [];
  const batches = batchesOf(number).map((batch): (string | number)[] => [
    `${message("norm.batch")} · ${message(`norm.in.${batch.kind}`)}`,
    batch.normed,
    batch.tokens,
    batch.mean,
    batch.variance,
  ]);
  return {
    columns: ["", "", message("norm.rows"), "μ", "σ²"],
    rows: [
      ["x", own],
      ...middle,
      ["ε", operation.epsilon],
      ["x̂", layered],
      ["γ", operation.gain],
      ...shift,
      [operation.kind === "norm" ? "γ · x̂ + β" : "γ · x̂", value],
      ...batches,
    ],
  };
}

/** Which sublayer a norm belongs to. */
function placeOf(step: Step): "attention" | "cross" | "feed-forward" {
  if (step === "looked-normed") return "cross";
  return step === "entered" || step === "normed" ? "attention" : "feed-forward";
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-norm-by-hand": HeadscopeNormByHand;
  }
}
