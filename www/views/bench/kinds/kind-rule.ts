import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { AttentionEdit, HeadRef } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import {
  ATTENTION_KINDS,
  CHEAP_KINDS,
  DROPOUT_SEEDS,
  KIND_PARTS,
  kindEdit,
  kindValues,
  numbersOf,
  RATES,
  SCALE_FACTORS,
  reachOf,
  REACHES,
  SCORE_KINDS,
  scopeAt,
  TEMPERATURES,
  type AttentionKind,
  type KindValues,
  type Reach,
} from "../../../state/index.js";
import { scopeLabel } from "../../edit-labels.js";
import "../../../ui/choice.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { NumberFields } from "../number-fields.js";
import "../number-slider.js";
import { ruleStyles } from "../rule-styles.js";

/** An edit that holds where it did. */
const AS_BEFORE = "";
const SCALES = ["model", "none", "by"] as const;
const OWN_SCALES = ["model", "by"] as const;

interface Range {
  least: number;
  most: number;
}

/**
 * One edit of how heads come to their weights: the kind with its numbers, scale, temperature, dropout, and for which heads.
 *
 * @fires headscope-kind - the changed edit, or null to take it away
 */
@customElement("headscope-kind-rule")
export class HeadscopeKindRule extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      :host {
        display: block;
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }

      .line + .line {
        margin-top: 6px;
      }

      input.fraction {
        width: 72px;
      }
    `,
  ];

  @property({ attribute: false }) edit!: AttentionEdit;
  /** Its place among the edits of kinds, from one. */
  @property({ type: Number }) number = 1;
  /** Tokens that it can look at: no pattern has more directions. */
  @property({ type: Number }) tokens = 1;
  /** The head that is looked at, whose layer and stack the edit can reach. */
  @property({ attribute: false }) head!: HeadRef;

  private readonly fields = new NumberFields(this);

  override render(): TemplateResult {
    const values = kindValues(this.edit);
    const { kind } = values;
    const { scaled, dropped, stacks } = KIND_PARTS[kind];
    return html`<fieldset>
      <legend class="visually-hidden">${message("kindBench.title", { number: this.number, kind: message(`kind.${kind}`) })}</legend>
      <div class="line">
        <select id="kind" aria-label=${message("kindBench.kind")} @change=${this.chooseKind}>
          ${this.renderKinds("kindBench.scores", SCORE_KINDS, kind)} ${this.renderKinds("kindBench.cheaper", CHEAP_KINDS, kind)}
        </select>
        ${numbersOf(kind).map(([name, range]) => {
          const value = values.parameters[name] ?? range.usual;
          const change = (to: number): Partial<KindValues> => ({
            parameters: { ...values.parameters, [name]: to },
          });
          return name === "rank"
            ? this.renderRank(value, range, change)
            : this.renderNumber(message(`kind.number.${name}`), name, value, range, true, change);
        })}
        ${this.renderReach()}
        <button class="remove" aria-label=${message("kindBench.remove")} title=${message("kindBench.remove")} @click=${() => this.tell(null)}>×</button>
      </div>
      ${scaled ? html`<div class="line">${this.renderScale(values)} ${this.renderTemperature(values)} ${dropped ? this.renderDropout(values) : nothing}</div>` : nothing}
      ${this.fields.troubles()}
      <p class="small muted">${message(`kind.${kind}.hint`)}${stacks ? html` ${message("kindBench.notEverywhere")}` : nothing}</p>
    </fieldset>`;
  }

  private renderKinds(
    title: "kindBench.scores" | "kindBench.cheaper",
    kinds: readonly AttentionKind[],
    chosenKind: AttentionKind,
  ): TemplateResult {
    return html`<optgroup label=${message(title)}>
      ${kinds.map((one) => html`<option value=${one} .selected=${one === chosenKind}>${message(`kind.${one}`)}</option>`)}
    </optgroup>`;
  }

  private renderNumber(
    label: string,
    id: string,
    value: number,
    { least, most }: Range,
    whole: boolean,
    change: (value: number) => Partial<KindValues>,
  ): TemplateResult {
    const className = whole ? "" : "fraction";
    return html`<label>${label} ${this.fields.number({ id, className, value, least, most, whole, take: (typed) => this.change(change(typed)) })}</label>`;
  }

  /** From none of the pattern's directions to all that it can have; a larger one that an address asked for stays. */
  private renderRank(
    value: number,
    { least, most }: Range,
    change: (value: number) => Partial<KindValues>,
  ): TemplateResult {
    return html`<headscope-number-slider
      id="rank"
      .label=${message("kind.number.rank")}
      .value=${value}
      .least=${least}
      .most=${Math.max(value, Math.min(most, this.tokens))}
      whole
      settled
      @headscope-slide=${({ detail }: CustomEvent<number>) => this.change(change(detail))}
    ></headscope-number-slider>`;
  }

  private renderScale({ kind, scale }: KindValues): TemplateResult {
    const by = typeof scale === "number";
    // Cosines and additive scores are no products that grow with √d: as the model has it is as they are.
    const choices = KIND_PARTS[kind].product
      ? SCALES.map((value) => ({ value, label: message(`kindBench.scale.${value}`) }))
      : OWN_SCALES.map((value) => ({
          value,
          label: message(`kindBench.scale.${value === "model" ? "none" : value}`),
        }));
    return html`<span class="reach"
        >${message("kindBench.scale")}
        <headscope-choice
          look="segments"
          .label=${message("kindBench.scale")}
          .value=${by ? "by" : KIND_PARTS[kind].product ? scale : "model"}
          .choices=${choices}
          @headscope-choose=${this.chooseScale}
        ></headscope-choice>
      </span>
      ${by ? this.renderNumber(message("kindBench.factor"), "scale", scale, SCALE_FACTORS, false, (value) => ({ scale: value })) : nothing}`;
  }

  private renderTemperature({ temperature }: KindValues): TemplateResult {
    return this.renderNumber(
      message("kindBench.temperature"),
      "temperature",
      temperature,
      TEMPERATURES,
      false,
      (value) => ({ temperature: value }),
    );
  }

  private renderDropout({ rate, seed }: KindValues): TemplateResult {
    return html`${this.renderNumber(message("kindBench.rate"), "rate", rate, RATES, false, (value) => ({ rate: value }))}
    ${rate > 0 ? this.renderNumber(message("kindBench.seed"), "dropout-seed", seed, DROPOUT_SEEDS, true, (value) => ({ seed: value })) : nothing}`;
  }

  private renderReach(): TemplateResult {
    const { edit, head } = this;
    const { stack, layers, heads } = edit;
    const scope = { ...(stack && { stack }), ...(layers && { layers }), ...(heads && { heads }) };
    const reach = reachOf(scope, head);
    const place = {
      layer: head.layer + 1,
      head: head.head + 1,
      stack: message(`stack.${head.stack}`),
    };
    const options: [Reach | typeof AS_BEFORE, string][] = REACHES.map((one) => [
      one,
      message(`rule.reach.${one}`, place),
    ]);
    if (reach === null) options.unshift([AS_BEFORE, scopeLabel(scope)]);
    return html`<span class="reach"
      >${message("rule.for")}
      <select id="reach" aria-label=${message("rule.where")} @change=${this.chooseReach}>
        ${options.map(([value, words]) => html`<option value=${value} .selected=${value === (reach ?? AS_BEFORE)}>${words}</option>`)}
      </select>
    </span>`;
  }

  private readonly chooseKind = ({ target }: Event): void => {
    const kind =
      target instanceof HTMLSelectElement
        ? ATTENTION_KINDS.find((one) => one === target.value)
        : undefined;
    // Its numbers are its own; scale, temperature and dropout go on where they make sense.
    if (kind) this.change({ kind, parameters: {} });
  };

  private readonly chooseScale = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    const scale = SCALES.find((one) => one === event.detail);
    if (scale) this.change({ scale: scale === "by" ? 1 : scale });
  };

  private readonly chooseReach = ({ target }: Event): void => {
    const reach =
      target instanceof HTMLSelectElement ? REACHES.find((one) => one === target.value) : undefined;
    if (reach) this.tell(kindEdit(kindValues(this.edit), scopeAt(reach, this.head)));
  };

  private change(values: Partial<KindValues>): void {
    const { stack, layers, heads } = this.edit;
    this.tell(
      kindEdit(
        { ...kindValues(this.edit), ...values },
        { ...(stack && { stack }), ...(layers && { layers }), ...(heads && { heads }) },
      ),
    );
  }

  private tell(edit: AttentionEdit | null): void {
    if (edit) this.edit = edit;
    this.dispatchEvent(new CustomEvent("headscope-kind", { detail: edit }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-kind-rule": HeadscopeKindRule;
  }
  interface HTMLElementEventMap {
    /** A kind of attention as it is to be, or null to be without it. */
    "headscope-kind": CustomEvent<AttentionEdit | null>;
  }
}
