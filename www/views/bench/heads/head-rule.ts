import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HeadMeasures, HeadRef, Stack } from "../../../data/index.js";
import { formatList, message } from "../../../i18n/index.js";
import { PagePart } from "../../parts/page-part.js";
import { partStyles } from "../../parts/styles.js";
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
        <input type="number" step="0.05" inputmode="decimal" aria-label=${message("headRule.number")} .value=${String(rule.number)} @change=${this.typeNumber} />
        <button class="pick" ?disabled=${found.length === 0} @click=${() => this.pick(found)}>${message("headRule.pick", { count: found.length })}</button>
      </div>
      <p class="small muted found" role="status">${listOf(found)}</p>`;
  }

  private readonly chooseMeasure = ({ target }: Event): void => {
    const measured = target instanceof HTMLSelectElement ? MEASURED.find((one) => one === target.value) : undefined;
    if (measured) this.rule = { ...this.rule, measured };
  };

  private readonly chooseSide = ({ target }: Event): void => {
    const side = target instanceof HTMLSelectElement ? SIDES.find((one) => one === target.value) : undefined;
    if (side) this.rule = { ...this.rule, side };
  };

  private readonly typeNumber = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.value.trim() !== "" && Number.isFinite(target.valueAsNumber)) this.rule = { ...this.rule, number: target.valueAsNumber };
    target.value = String(this.rule.number);
  };

  private pick(detail: readonly HeadRef[]): void {
    this.dispatchEvent(new CustomEvent("headscope-pick", { detail, bubbles: true, composed: true }));
  }
}

function nameOf(measured: Measured): string {
  if (measured === "entropy") return message("headRule.entropy");
  return measured === "distance" ? message("measures.distance") : message("headRule.role", { role: message(`role.${measured}`) });
}

/** The heads stack by stack, such as “Encoder 1.2, 3.4”. */
function listOf(heads: readonly HeadRef[]): string {
  if (heads.length === 0) return message("headRule.nobody");
  const shown = heads.slice(0, LISTED);
  const stacks = [...new Set(shown.map(({ stack }) => stack))];
  const said = stacks.map((stack) => `${message(`stack.${stack}`)} ${formatList(shown.filter((one) => one.stack === stack).map(({ layer, head }) => `${layer + 1}.${head + 1}`))}`).join(" · ");
  return heads.length > shown.length ? message("headRule.andMore", { heads: said, count: heads.length - shown.length }) : said;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-head-rule": HeadscopeHeadRule;
  }
}
