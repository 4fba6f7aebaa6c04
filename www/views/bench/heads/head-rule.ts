import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadMeasures, HeadRef, Stack } from "../../../data/index.js";
import { formatList, message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { NumberFields } from "../number-fields.js";
import { ruleStyles } from "../rule-styles.js";
import { headsBy, MEASURED, type HeadRule, type Measured } from "./chosen-heads.js";

const SIDES = ["above", "below"] as const;
/** More than these would not be read. */
const LISTED = 24;

/** Heads by a rule about what they do on this text: which they are stands there before they are picked. */
@customElement("headscope-head-rule")
export class HeadscopeHeadRule extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      .found {
        font-variant-numeric: tabular-nums;
      }

      .pick {
        color: var(--headscope-accent);
      }
    `,
  ];

  /** By stack, on the present text. */
  @property({ attribute: false }) measures: Partial<Record<Stack, readonly HeadMeasures[]>> = {};
  private readonly fields = new NumberFields(this);
  @state() private rule: HeadRule = { measured: "entropy", side: "above", number: 1.5 };

  override render(): TemplateResult {
    const { rule } = this;
    const found = headsBy(rule, this.measures);
    return html`<div class="line">
        <span class="muted">${message("headRule.heads")}</span>
        <select aria-label=${message("headRule.measure")} @change=${this.chooseMeasure}>
          ${MEASURED.map((one) => html`<option value=${one} .selected=${one === rule.measured}>${nameOf(one)}</option>`)}
        </select>
        <select aria-label=${message("headRule.side")} @change=${this.chooseSide}>
          ${SIDES.map((side) => html`<option value=${side} .selected=${side === rule.side}>${message(`headRule.${side}`)}</option>`)}
        </select>
        ${this.fields.number({ id: "number", label: message("headRule.number"), value: rule.number, ...rangeOf(rule.measured), step: 0.05, take: (number) => (this.rule = { ...this.rule, number }) })}
        <button class="pick" ?disabled=${found.length === 0} @click=${() => this.pick(found)}>${message("headRule.pick", { count: found.length })}</button>
      </div>
      ${this.fields.troubles()}
      <p class="small muted found" role="status">${listOf(found)}</p>`;
  }

  private readonly chooseMeasure = ({ target }: Event): void => {
    const measured =
      target instanceof HTMLSelectElement
        ? MEASURED.find((one) => one === target.value)
        : undefined;
    if (!measured) return;
    const { least, most } = rangeOf(measured);
    // What one measure can be, another may not: the nearest number that it can be stands there, before anything is picked.
    this.rule = {
      ...this.rule,
      measured,
      number: Math.min(most, Math.max(least, this.rule.number)),
    };
  };

  private readonly chooseSide = ({ target }: Event): void => {
    const side =
      target instanceof HTMLSelectElement ? SIDES.find((one) => one === target.value) : undefined;
    if (side) this.rule = { ...this.rule, side };
  };

  private pick(detail: readonly HeadRef[]): void {
    this.dispatchEvent(
      new CustomEvent("headscope-pick", { detail, bubbles: true, composed: true }),
    );
  }
}

/** What a measure can be, on any text that is not longer than a hundred thousand tokens: nats of a row, tokens, or a score. */
function rangeOf(measured: Measured): { least: number; most: number } {
  if (measured === "entropy") return { least: 0, most: 12 };
  return { least: 0, most: measured === "distance" ? 100_000 : 1 };
}

function nameOf(measured: Measured): string {
  if (measured === "entropy") return message("headRule.entropy");
  return measured === "distance"
    ? message("measures.distance")
    : message("headRule.role", { role: message(`role.${measured}`) });
}

/** The heads stack by stack, such as “Encoder 1.2, 3.4”. */
function listOf(heads: readonly HeadRef[]): string {
  if (heads.length === 0) return message("headRule.nobody");
  const shown = heads.slice(0, LISTED);
  const stacks = [...new Set(shown.map(({ stack }) => stack))];
  const said = stacks
    .map(
      (stack) =>
        `${message(`stack.${stack}`)} ${formatList(shown.filter((one) => one.stack === stack).map(({ layer, head }) => `${layer + 1}.${head + 1}`))}`,
    )
    .join(" · ");
  return heads.length > shown.length
    ? message("headRule.andMore", { heads: said, count: heads.length - shown.length })
    : said;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-head-rule": HeadscopeHeadRule;
  }
}
