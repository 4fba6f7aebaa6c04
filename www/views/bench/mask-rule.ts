import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadRef, MaskMode } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import {
  MASK_MODES,
  NUMBER_RANGES,
  PRESET_KINDS,
  PRESET_PARTS,
  presetOf,
  reachOf,
  REACHES,
  scopeAt,
  type MaskRule,
  type PresetKind,
  type PresetNumber,
  type PresetValues,
  type Reach,
} from "../../state/index.js";
import { placesOf, scopeLabel } from "../edit-labels.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles, toggleStyles } from "../../ui/base-styles.js";
import { NumberFields, REPEATED, type Refusal } from "./number-fields.js";
import { ruleStyles } from "./rule-styles.js";

/** No text on the page is longer. */
const LAST_TOKEN = 100_000;
/** A rule that holds where the one before it did. */
const AS_BEFORE = "";

/**
 * One rule of who may look at whom: how it is joined to those above it, what it allows, for which heads. Fires
 * `headscope-rule` with the changed one, or null to take it away.
 */
@customElement("headscope-mask-rule")
export class HeadscopeMaskRule extends PagePart {
  static override styles = [
    partStyles,
    toggleStyles,
    ruleStyles,
    css`
      :host {
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }
    `,
  ];

  @property({ attribute: false }) rule!: MaskRule;
  /** Its place among the rules, from one. */
  @property({ type: Number }) number = 1;
  /** The head that is looked at, whose layer and stack the rule can reach. */
  @property({ attribute: false }) head!: HeadRef;

  private readonly fields = new NumberFields(this);

  override render(): TemplateResult {
    const { rule } = this;
    const { kind } = rule.preset;
    return html`<fieldset>
      <legend class="visually-hidden">${message("rule.title", { number: this.number, kind: message(`rule.${kind}`) })}</legend>
      <div class="line">
        ${this.renderSelect(
          "mode",
          message("rule.joined"),
          rule.mode,
          MASK_MODES.map((mode) => [mode, message(`rule.mode.${mode}`)]),
          this.chooseMode,
        )}
        ${this.renderSelect(
          "kind",
          message("rule.preset"),
          kind,
          PRESET_KINDS.map((one) => [one, message(`rule.${one}`)]),
          this.chooseKind,
        )}
        ${PRESET_PARTS[kind].numbers.map((name) => this.renderNumber(name))} ${PRESET_PARTS[kind].tokens ? this.renderTokens() : nothing}
        ${PRESET_PARTS[kind].oneSided ? this.renderToggle(message("rule.oneSided"), this.values.oneSided === true, () => this.change({ oneSided: this.values.oneSided !== true })) : nothing}
        ${this.renderToggle(message("rule.invert"), rule.invert, () => this.tell({ ...rule, invert: !rule.invert }))}
        ${this.renderReach()}
        <button class="remove" aria-label=${message("rule.remove")} title=${message("rule.remove")} @click=${() => this.tell(null)}>×</button>
      </div>
      ${this.fields.troubles()}
      <p class="small muted">${message(`rule.${kind}.hint`)}</p>
    </fieldset>`;
  }

  private get values(): PresetValues {
    return this.rule.preset;
  }

  private renderSelect<Value extends string>(
    id: string,
    label: string,
    value: Value,
    options: readonly (readonly [Value, string])[],
    choose: (event: Event) => void,
  ): TemplateResult {
    return html`<select id=${id} aria-label=${label} @change=${choose}>
      ${options.map(([option, words]) => html`<option value=${option} .selected=${option === value}>${words}</option>`)}
    </select>`;
  }

  private renderNumber(name: PresetNumber): TemplateResult {
    const { least, most, usual } = NUMBER_RANGES[name];
    const value = this.values[name] ?? usual;
    return html`<label>${message(`rule.number.${name}`)} ${this.fields.number({ id: name, value, least, most, whole: true, take: (typed) => this.change({ [name]: typed }) })}</label>`;
  }

  private renderTokens(): TemplateResult {
    const text = placesOf(this.values.tokens ?? []);
    return html`<label>${message("rule.tokens")} ${this.fields.text({ id: "tokens", className: "tokens", inputMode: "numeric", text, read: readTokens, take: (tokens) => this.change({ tokens }) })}</label>`;
  }

  private renderToggle(label: string, on: boolean, toggle: () => void): TemplateResult {
    return html`<button class="toggle" aria-pressed=${on} @click=${toggle}>${label}</button>`;
  }

  private renderReach(): TemplateResult {
    const { rule, head } = this;
    const reach = reachOf(rule, head);
    const place = {
      layer: head.layer + 1,
      head: head.head + 1,
      stack: message(`stack.${head.stack}`),
    };
    const options: [Reach | typeof AS_BEFORE, string][] = REACHES.map((one) => [
      one,
      message(`rule.reach.${one}`, place),
    ]);
    if (reach === null) options.unshift([AS_BEFORE, scopeLabel(rule)]);
    return html`<span class="reach">${message("rule.for")} ${this.renderSelect("reach", message("rule.where"), reach ?? AS_BEFORE, options, this.chooseReach)}</span>`;
  }

  private readonly chooseMode = (event: Event): void => {
    const mode: MaskMode | undefined = MASK_MODES.find((one) => one === chosen(event));
    if (mode) this.tell({ ...this.rule, mode });
  };

  private readonly chooseKind = (event: Event): void => {
    const kind: PresetKind | undefined = PRESET_KINDS.find((one) => one === chosen(event));
    if (kind) this.change({ kind });
  };

  private readonly chooseReach = (event: Event): void => {
    const reach = REACHES.find((one) => one === chosen(event));
    const { index, mode, invert, preset } = this.rule;
    if (reach) this.tell({ index, mode, invert, preset, ...scopeAt(reach, this.head) });
  };

  private change(values: Partial<PresetValues>): void {
    this.tell({ ...this.rule, preset: presetOf({ ...this.values, ...values }) });
  }

  private tell(rule: MaskRule | null): void {
    // Whoever answers at once has the changed one drawn before the field is read again.
    if (rule) this.rule = rule;
    this.dispatchEvent(new CustomEvent("headscope-rule", { detail: rule }));
  }
}

/** Places of tokens as a person counts them; none is a list, too. */
function readTokens(typed: string): { value: number[] } | Refusal {
  const words = typed.split(/[\s,;，、]+/).filter((word) => word !== "");
  const tokens = words.map(Number);
  if (tokens.every((token) => Number.isInteger(token) && token >= 1 && token <= LAST_TOKEN))
    return { value: tokens.map((token) => token - 1) };
  return {
    sentence: message("field.tokens", { typed: typed.slice(0, REPEATED), most: LAST_TOKEN }),
    code: "field/not-tokens",
  };
}

function chosen({ target }: Event): string {
  return target instanceof HTMLSelectElement ? target.value : "";
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-rule": HeadscopeMaskRule;
  }
  interface HTMLElementEventMap {
    /** A rule of who may look at whom as it is to be, or null to be without it. */
    "headscope-rule": CustomEvent<MaskRule | null>;
  }
}
