import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import {
  isForbidden,
  MOST_PRESETS,
  type HeadRef,
  type MaskFill,
  type Tensor,
} from "../../data/index.js";
import { Memo } from "../../elements/shared/controllers.js";
import { formatNumber, formatPercent, message } from "../../i18n/index.js";
import {
  addRule,
  changeRule,
  fillOf,
  NO_EDITS,
  PRESET_KINDS,
  presetOf,
  removeEdit,
  rulesOf,
  scopeAt,
  withFill,
  type EditLists,
  type MaskRule,
  type PresetKind,
} from "../../state/index.js";
import "../../ui/choice.js";
import { patch } from "../parts/events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { openByKeys } from "./adding-list.js";
import type { Painting } from "./on-bench.js";
import "./mask-rule.js";
import "./mask-painting.js";
import { ruleStyles } from "./rule-styles.js";
import { renderUnread } from "./unread.js";

const FILLS = ["-inf", "-1e9"] as const satisfies readonly MaskFill[];

/** The rules of who may look at whom, one below the other as they hold, each changed in its place. */
@customElement("headscope-mask-bench")
export class HeadscopeMaskBench extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 24px;
        padding-bottom: 10px;
      }

      .foot {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 24px;
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }

      .foot p {
        flex: 1 1 100%;
      }
    `,
  ];

  @property({ attribute: false }) edits: EditLists = NO_EDITS;
  /** The head that is looked at; null while there is none. */
  @property({ attribute: false }) head: HeadRef | null = null;
  /** Its mask as it is now, additive, `[query, key]`. */
  @property({ attribute: false }) mask: Tensor | null = null;

  /** The sentence on the page. */
  @property() text = "";

  @property({ attribute: false }) painting: Painting = { on: false, reach: "head" };

  private readonly open = new Memo<number>();

  override render(): TemplateResult {
    const { head, edits } = this;
    if (!head) return renderUnread(this.text);
    const rules = rulesOf(edits);
    const fill = fillOf(edits);
    return html`<div class="head">
        <p class="muted">${message("rule.intro")}</p>
        ${this.renderCount(head)}
      </div>
      ${repeat(
        rules,
        ({ index }) => index,
        (rule, at) =>
          html`<headscope-mask-rule .number=${at + 1} .rule=${rule} .head=${head} @headscope-rule=${(event: CustomEvent<MaskRule | null>) => this.put(rule, event.detail)}></headscope-mask-rule>`,
      )}
      <headscope-mask-painting class="foot" .painting=${this.painting} .head=${head}></headscope-mask-painting>
      <div class="foot">
        <label>
          ${message("rule.add")}
          <select aria-label=${message("rule.add")} ?disabled=${rules.length >= MOST_PRESETS} @keydown=${openByKeys} @change=${(event: Event) => this.add(event, head)}>
            <option value="" .selected=${true}>${message("rule.choose")}</option>
            ${PRESET_KINDS.map((kind) => html`<option value=${kind}>${message(`rule.${kind}`)}</option>`)}
          </select>
        </label>
        <span class="reach"
          >${message("rule.fill")}
          <headscope-choice
            look="segments"
            .label=${message("rule.fill")}
            .value=${fill}
            .choices=${FILLS.map((value) => ({ value, label: message(`rule.fill.${value}`) }))}
            @headscope-choose=${this.chooseFill}
          ></headscope-choice>
        </span>
        <p class="small muted">${message(fill === "-inf" ? "rule.fill.-inf.hint" : "rule.fill.-1e9.hint")}</p>
      </div>`;
  }

  /** How much of the attention of the head that is looked at is left. */
  private renderCount({ layer, head }: HeadRef): TemplateResult | typeof nothing {
    const { mask } = this;
    if (!mask || mask.data.length === 0) return nothing;
    const open = this.open.get([mask], () =>
      mask.data.reduce((count, value) => (isForbidden(value) ? count : count + 1), 0),
    );
    return html`<p class="numbers small" role="status">
      ${message("rule.allowed", { layer: layer + 1, head: head + 1, allowed: formatNumber(open), all: formatNumber(mask.data.length), share: formatPercent(open / mask.data.length) })}
    </p>`;
  }

  private put(before: MaskRule, rule: MaskRule | null): void {
    patch(this, {
      edits: rule
        ? changeRule(this.edits, rule)
        : removeEdit(this.edits, { list: "masks", index: before.index }),
    });
  }

  private add({ target }: Event, head: HeadRef): void {
    if (!(target instanceof HTMLSelectElement)) return;
    const kind: PresetKind | undefined = PRESET_KINDS.find((one) => one === target.value);
    target.value = "";
    if (!kind) return;
    // "Everybody" forbids nobody anything: as a rule of its own it means the model's own mask is forgotten.
    const mode = kind === "none" ? "replace" : "and";
    patch(this, {
      edits: addRule(this.edits, {
        ...scopeAt("stack", head),
        mode,
        invert: false,
        preset: presetOf({ kind }),
      }),
    });
  }

  private readonly chooseFill = (event: CustomEvent<string>): void => {
    const fill = FILLS.find((one) => one === event.detail);
    if (fill) patch(this, { edits: withFill(this.edits, fill) });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-bench": HeadscopeMaskBench;
  }
}
