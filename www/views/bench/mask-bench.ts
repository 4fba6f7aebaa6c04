import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
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
  MASK_MODES,
  NUMBER_RANGES,
  PRESET_KINDS,
  PRESET_PARTS,
  presetOf,
  REACHES,
  removeEdit,
  rulesOf,
  scopeAt,
  scopeIn,
  withFill,
  type EditLists,
  type MaskRule,
  type PresetKind,
  type PresetValues,
} from "../../state/index.js";
import { partStyles } from "../../ui/base-styles.js";
import { PagePart } from "../../ui/page-part.js";
import { placesOf } from "../edit-labels.js";
import { patch } from "../parts/events.js";
import { REPEATED, type Refusal } from "./number-fields.js";
import type { OnBench } from "./on-bench.js";
import { numberIn, oneOf, reachField, renderForms, scopeField, type Form } from "./rule-editor.js";
import { renderUnread } from "./unread.js";

const FILLS = ["-inf", "-1e9"] as const satisfies readonly MaskFill[];
/** No text on the page is longer. */
const LAST_TOKEN = 100_000;

/** The rules of which cells of a mask are open, one below the other as they hold. */
@customElement("headscope-mask-bench")
export class HeadscopeMaskBench extends PagePart {
  static override styles = [
    partStyles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 24px;
        padding-bottom: 10px;
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;

  private readonly open = new Memo<number>();

  override render(): TemplateResult {
    const { on } = this;
    if (!on?.head) return renderUnread(on?.text ?? "");
    const { edits, head } = on;
    const put = (changed: EditLists): void => patch(this, { edits: changed });
    return html`<div class="head">
        <p class="muted">${message("rule.intro")}</p>
        ${this.renderCount(head, on.mask)}
      </div>
      ${renderForms([
        ...rulesOf(edits).map((rule, at) => ruleForm(edits, rule, at + 1, head, put)),
        this.paintingForm(on, head),
        addingForm(edits, head, put),
      ])}`;
  }

  /** How much of the attention of the head that is shown is open. */
  private renderCount(
    { layer, head }: HeadRef,
    mask: Tensor | null,
  ): TemplateResult | typeof nothing {
    if (!mask || mask.data.length === 0) return nothing;
    const open = this.open.get([mask], () =>
      mask.data.reduce((count, value) => (isForbidden(value) ? count : count + 1), 0),
    );
    return html`<p class="numbers small" role="status">
      ${message("rule.allowed", { layer: layer + 1, head: head + 1, allowed: formatNumber(open), all: formatNumber(mask.data.length), share: formatPercent(open / mask.data.length) })}
    </p>`;
  }

  /** Whether the picture above is painted on, and for which heads. Both belong to the page, not to its address. */
  private paintingForm({ painting }: OnBench, head: HeadRef): Form {
    return {
      lines: [
        [
          {
            control: "toggle",
            label: message("paint.switch"),
            on: painting.blocking,
            press: () => painting.change({ blocking: !painting.blocking }),
          },
          reachField(
            {
              label: message("paint.where"),
              value: painting.reach,
              choose: (reach) => painting.change({ reach }),
            },
            head,
            REACHES,
          ),
        ],
      ],
      hint: message("paint.hint"),
    };
  }
}

/** One rule: how it is joined to those above it, what it allows, for which heads. */
function ruleForm(
  edits: EditLists,
  rule: MaskRule,
  number: number,
  head: HeadRef,
  put: (edits: EditLists) => void,
): Form {
  const values: PresetValues = rule.preset;
  const { kind } = values;
  const parts = PRESET_PARTS[kind];
  const change = (changed: Partial<MaskRule>): void =>
    put(changeRule(edits, { ...rule, ...changed }));
  const changePreset = (changed: Partial<PresetValues>): void =>
    change({ preset: presetOf({ ...values, ...changed }) });
  return {
    title: message("rule.title", { number, kind: message(`rule.${kind}`) }),
    lines: [
      [
        oneOf({
          control: "list",
          id: "mode",
          label: message("rule.joined"),
          value: rule.mode,
          values: MASK_MODES,
          show: (mode) => message(`rule.mode.${mode}`),
          choose: (mode) => change({ mode }),
        }),
        oneOf({
          control: "list",
          id: "kind",
          label: message("rule.preset"),
          value: kind,
          values: PRESET_KINDS,
          show: (one) => message(`rule.${one}`),
          choose: (one) => changePreset({ kind: one }),
        }),
        ...parts.numbers.map((name) =>
          numberIn(
            name,
            message(`rule.number.${name}`),
            values[name] ?? NUMBER_RANGES[name].usual,
            NUMBER_RANGES[name],
            (typed) => changePreset({ [name]: typed }),
          ),
        ),
        parts.tokens
          ? {
              control: "text",
              id: "tokens",
              caption: message("rule.tokens"),
              className: "tokens",
              inputMode: "numeric",
              text: placesOf(values.tokens ?? []),
              read: readTokens,
              take: (tokens) => changePreset({ tokens }),
            }
          : null,
        parts.oneSided
          ? {
              control: "toggle",
              label: message("rule.oneSided"),
              on: values.oneSided === true,
              press: () => changePreset({ oneSided: values.oneSided !== true }),
            }
          : null,
        {
          control: "toggle",
          label: message("rule.invert"),
          on: rule.invert,
          press: () => change({ invert: !rule.invert }),
        },
        scopeField(scopeIn(rule), head, (scope) => {
          const { index, mode, invert, preset } = rule;
          put(changeRule(edits, { index, mode, invert, preset, ...scope }));
        }),
      ],
    ],
    remove: {
      label: message("rule.remove"),
      press: () => put(removeEdit(edits, { list: "masks", index: rule.index })),
    },
    hint: message(`rule.${kind}.hint`),
  };
}

/** Adds a rule, and says what a forbidden cell adds to its score. */
function addingForm(edits: EditLists, head: HeadRef, put: (edits: EditLists) => void): Form {
  const fill = fillOf(edits);
  const add = (kind: PresetKind): void => {
    // "Everybody" forbids nobody anything: as a rule of its own it means the model's own mask is forgotten.
    const mode = kind === "none" ? "replace" : "and";
    const scope = scopeAt("stack", head);
    put(addRule(edits, { ...scope, mode, invert: false, preset: presetOf({ kind }) }));
  };
  return {
    lines: [
      [
        oneOf({
          control: "add",
          id: "add",
          label: message("rule.add"),
          caption: message("rule.add"),
          disabled: rulesOf(edits).length >= MOST_PRESETS,
          value: "",
          values: PRESET_KINDS,
          show: (kind) => message(`rule.${kind}`),
          choose: add,
        }),
        oneOf({
          control: "segments",
          label: message("rule.fill"),
          caption: message("rule.fill"),
          value: fill,
          values: FILLS,
          show: (value) => message(`rule.fill.${value}`),
          choose: (chosen) => put(withFill(edits, chosen)),
        }),
      ],
    ],
    hint: message(fill === "-inf" ? "rule.fill.-inf.hint" : "rule.fill.-1e9.hint"),
  };
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

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-bench": HeadscopeMaskBench;
  }
}
