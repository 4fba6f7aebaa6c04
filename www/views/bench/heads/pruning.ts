import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "../../../elements/curves.js";
import type { CurveLine } from "../../../draw/curves.js";
import { Memo } from "../../../elements/shared/controllers.js";
import type { Model } from "../../../headscope.js";
import { formatPercent, language, message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles, progressStyles } from "../../../ui/base-styles.js";
import { renderFailed } from "../failed-words.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, STUDY_SIZES } from "../lab-table.js";
import { saysMore, type OnBench } from "../on-bench.js";
import { ruleStyles } from "../rule-styles.js";
import "../saving/save-figure.js";
import { MARKED_SHARE, PruningStudy, sufferings, type Curve } from "./pruning-study.js";
import { verdictOf } from "./pruning-verdict.js";

const USUAL_SIZE = 24;

/** From no head of a kind to all of them. */
const SHARES = { x: [0, 1] } as const;
const SHARE_WORDS = { x: (share: number): string => formatPercent(share, 0) };

/** What was begun, by its size, stays for as long as its model does, whichever part of the page is open. */
const studies = new WeakMap<Model, Map<number, PruningStudy>>();

/** How a model fares with fewer and fewer heads of each kind, computed here and now on sentences that it never saw. */
@customElement("headscope-pruning")
export class HeadscopePruning extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    progressStyles,
    css`
      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr));
        gap: 16px 40px;
        margin-top: 12px;
      }

      .go {
        color: var(--headscope-accent);
      }

      .verdict {
        margin-top: 12px;
        font: 400 15px/1.5 var(--headscope-font-text);
      }
    `,
  ];

  @property({ attribute: false, hasChanged: saysMore }) on!: OnBench;
  /** Null until somebody chose: then it is the study that was begun last. */
  @state() private chosen: (typeof STUDY_SIZES)[number] | null = null;
  private size: number = USUAL_SIZE;
  private study: PruningStudy | null = null;
  protected readonly settings = new LabSettings(
    this,
    "pruning",
    {
      sentences: setting(
        LAB_TABLE.pruning.sentences,
        () => this.chosen,
        (size) => (this.chosen = size),
      ),
    },
    () => this.on.model !== null,
  );
  private readonly drawn = { loss: new Memo<CurveLine[]>(), bleu: new Memo<CurveLine[]>() };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Nobody watches: whoever comes back goes on from here.
    this.study?.hold();
  }

  protected override willUpdate(): void {
    const { model } = this.on;
    if (
      this.settings.arriving &&
      this.chosen !== null &&
      this.chosen > (model?.notes?.sentences.length ?? 0)
    )
      this.chosen = null;
    const begun = model ? studies.get(model) : undefined;
    this.size = this.chosen ?? [...(begun?.keys() ?? [])].at(-1) ?? USUAL_SIZE;
    const known = begun?.get(this.size) ?? null;
    if (known === this.study) return;
    this.study?.hold();
    this.study = known;
    if (known) known.changed = this.changed;
  }

  override render(): TemplateResult | typeof nothing {
    const { model } = this.on;
    if (!model) return nothing;
    const available = model.notes?.sentences.length ?? 0;
    if (available === 0 || !model.info.predicts)
      return html`<p class="muted">${message("pruning.none")}</p>`;
    const { study } = this;
    return html`<p class="small muted">${message("pruning.intro")}</p>
      <div class="line">
        <label
          >${message("pruning.sentences")}
          <select aria-label=${message("pruning.choose")} ?disabled=${study?.running === true} @change=${this.choose}>
            ${STUDY_SIZES.filter((size) => size <= available).map((size) => html`<option value=${size} .selected=${size === this.size}>${size}</option>`)}
          </select>
        </label>
        ${this.renderProgress(model, study)}
      </div>
      ${study && study.failure !== null ? html`<p class="small" role="status">${renderFailed(study.failure, message("pruning.failed"))}</p>` : nothing}
      ${study && study.curves.length > 0 ? this.renderCurves(model, study) : nothing}`;
  }

  private renderProgress(model: Model, study: PruningStudy | null): TemplateResult {
    if (!study)
      return html`<button class="go" @click=${() => this.begin(model)}>${message("pruning.go")}</button>`;
    if (study.finished)
      return html`<span class="small muted">${message("pruning.finished", { count: study.all })}</span>`;
    return html`<progress max=${study.all} .value=${study.done} aria-label=${message("pruning.progress")}></progress>
      <span class="numbers small">${message("pruning.done", { done: study.done, all: study.all })}</span>
      ${study.running ? html`<button @click=${() => study.hold()}>${message("pruning.hold")}</button>` : html`<button class="go" @click=${() => void study.go()}>${message("pruning.goOn")}</button>`}`;
  }

  private renderCurves({ info }: Model, study: PruningStudy): TemplateResult {
    const translated = info.architecture === "encoder-decoder";
    return html`<div class="charts">
        ${this.renderCurve(study, "loss")} ${translated ? this.renderCurve(study, "bleu") : nothing}
      </div>
      <div role="status">${this.verdict("loss")} ${translated ? this.verdict("bleu") : nothing}</div>`;
  }

  private renderCurve(
    { curves, done, all }: PruningStudy,
    measured: "loss" | "bleu",
  ): TemplateResult {
    const titles = { x: message("pruning.share"), y: message(`pruning.${measured}`) };
    const details = [message("pruning.read", { count: this.size, done, all })];
    return html`<headscope-save-figure name=${`pruning-${measured} ${this.size} sentences`} .heading=${titles.y} .details=${details} of="model"><headscope-curves .lines=${this.lines(curves, measured)} .titles=${titles} .range=${SHARES} .words=${SHARE_WORDS} .marked=${MARKED_SHARE}></headscope-curves></headscope-save-figure>`;
  }

  /** A sentence that follows from the numbers, whatever they say. */
  private verdict(measured: "loss" | "bleu"): TemplateResult | typeof nothing {
    const info = this.on.model?.info;
    const losses = info && this.study ? sufferings(this.study.curves, info, measured) : null;
    return losses ? html`<p class="verdict">${verdictOf(losses, measured)}</p>` : nothing;
  }

  private lines(curves: readonly Curve[], measured: "loss" | "bleu"): CurveLine[] {
    return this.drawn[measured].get([curves, language()], () =>
      curves.map(({ stack, order, points }) => ({
        name: message(`stack.${stack}`),
        points: points.flatMap((point) => {
          const y = point[measured];
          return y === null ? [] : [{ x: point.removed / order.length, y }];
        }),
      })),
    );
  }

  private begin(model: Model): void {
    const sentences = (model.notes?.sentences ?? []).slice(0, this.size);
    const known = studies.get(model) ?? new Map<number, PruningStudy>();
    studies.set(model, known);
    const study = new PruningStudy(model, sentences, this.changed);
    known.set(this.size, study);
    this.requestUpdate();
    void study.go();
  }

  private readonly changed = (): void => this.requestUpdate();

  private readonly choose = ({ target }: Event): void => {
    const size =
      target instanceof HTMLSelectElement
        ? STUDY_SIZES.find((one) => one === Number(target.value))
        : undefined;
    if (size !== undefined) this.chosen = size;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-pruning": HeadscopePruning;
  }
}
