// The rules of which cells of a mask are open, one below the other in the order in which they hold.
import { html, nothing, type TemplateResult } from "lit";
import {
  isForbidden,
  MOST_PRESETS,
  type HeadRef,
  type MaskFill,
  type Tensor,
} from "../../data/index.js";
import { formatNumber, formatPercent, message } from "../../i18n/index.js";
import {
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
  withRule,
  type EditLists,
  type MaskRule,
  type PresetValues,
  type Reach,
} from "../../state/index.js";
import { placesOf } from "../edit-labels.js";
import type { BenchContext, PatchState } from "./context.js";
import { renderNoRun } from "./failures.js";
import {
  captionedOneOf,
  numberIn,
  oneOf,
  reachField,
  REPEATED,
  renderForms,
  scopeField,
  type Control,
  type Form,
  type Refusal,
} from "./form.js";

const FILLS = ["-inf", "-1e9"] as const satisfies readonly MaskFill[];
const LAST_TOKEN = 100_000;

type Put = (edits: EditLists) => void;

export function renderMasks(on: BenchContext, patch: PatchState): TemplateResult {
  const { edits, head, mask, text } = on;
  if (!head) return renderNoRun(text);
  const put: Put = (changed) => patch({ edits: changed });
  return html`<div class="inline ends">
      <p class="muted">${message("rule.intro")}</p>
      ${renderCount(head, mask)}
    </div>
    ${renderForms([
      ...rulesOf(edits).map((rule, at) => ruleForm(edits, rule, at + 1, head, put)),
      paintingForm(on, head),
      addingForm(edits, head, put),
    ])}`;
}

function renderCount(
  { layer, head }: HeadRef,
  mask: Tensor | null,
): TemplateResult | typeof nothing {
  if (!mask || mask.data.length === 0) return nothing;
  const all = mask.data.length;
  const open = mask.data.reduce((count, value) => (isForbidden(value) ? count : count + 1), 0);
  const counts = { allowed: formatNumber(open), all: formatNumber(all) };
  const share = formatPercent(open / all);
  return html`<p class="small" role="status">
    ${message("rule.allowed", { layer: layer + 1, head: head + 1, ...counts, share })}
  </p>`;
}

/** Whether a pointer paints cells of the picture, and for which heads. Both belong to the page, not to its address. */
function paintingForm({ painting }: BenchContext, head: HeadRef): Form {
  const toggle: Control = {
    control: "toggle",
    label: message("paint.switch"),
    on: painting.blocking,
    press: () => painting.change({ blocking: !painting.blocking }),
  };
  const field = {
    label: message("paint.where"),
    value: painting.reach,
    choose: (reach: Reach) => painting.change({ reach }),
  };
  return { lines: [[toggle, reachField(field, head, REACHES)]], hint: message("paint.hint") };
}

/** One rule: how it is combined with those above it, what it allows, for which heads. */
function ruleForm(edits: EditLists, rule: MaskRule, number: number, head: HeadRef, put: Put): Form {
  const values: PresetValues = rule.preset;
  const { kind } = values;
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  const change = (changed: Partial<MaskRule>): void =>
    put(withRule(edits, { ...rule, ...changed }));
  const changePreset = (changed: Partial<PresetValues>): void =>
    change({ preset: presetOf({ ...values, ...changed }) });
  const toggle = (key: "oneSided" | "invert", on: boolean, press: () => void): Control => ({
    control: "toggle",
    label: message(`rule.${key}`),
    on,
    press,
  });
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
        ...numbers.map((name) => {
          const value = values[name] ?? NUMBER_RANGES[name].usual;
          const caption = message(`rule.number.${name}`);
          return numberIn(name, caption, value, NUMBER_RANGES[name], (typed) =>
            changePreset({ [name]: typed }),
          );
        }),
        tokens ? tokensField(values, changePreset) : null,
        oneSided
          ? toggle("oneSided", values.oneSided === true, () =>
              changePreset({ oneSided: values.oneSided !== true }),
            )
          : null,
        toggle("invert", rule.invert, () => change({ invert: !rule.invert })),
        scopeField(scopeIn(rule), head, (scope) => {
          const { index, mode, invert, preset } = rule;
          put(withRule(edits, { index, mode, invert, preset, ...scope }));
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
function addingForm(edits: EditLists, head: HeadRef, put: Put): Form {
  const fill = fillOf(edits);
  const add = captionedOneOf({
    control: "add",
    id: "add",
    label: message("rule.add"),
    disabled: rulesOf(edits).length >= MOST_PRESETS,
    value: "",
    values: PRESET_KINDS,
    show: (kind) => message(`rule.${kind}`),
    choose: (kind) => {
      // A rule that allows every cell is of use only in place of the model's own mask.
      const mode = kind === "none" ? "replace" : "and";
      const scope = scopeAt("stack", head);
      put(withRule(edits, { ...scope, mode, preset: presetOf({ kind }) }));
    },
  });
  const fills = captionedOneOf({
    control: "segments",
    label: message("rule.fill"),
    value: fill,
    values: FILLS,
    show: (value) => message(`rule.fill.${value}`),
    choose: (chosen) => put(withFill(edits, chosen)),
  });
  const hint = message(fill === "-inf" ? "rule.fill.-inf.hint" : "rule.fill.-1e9.hint");
  return { lines: [[add, fills]], hint };
}

/** Positions of tokens, counted from 1; there may be none. */
function tokensField(
  { tokens = [] }: PresetValues,
  change: (changed: Partial<PresetValues>) => void,
): Control {
  const enter = (typed: string): Refusal | null => {
    const words = typed.split(/[\s,;，、]+/).filter((word) => word !== "");
    const read = words.map(Number);
    if (!read.every((token) => Number.isInteger(token) && token >= 1 && token <= LAST_TOKEN)) {
      const found = { typed: typed.slice(0, REPEATED), most: LAST_TOKEN };
      return { sentence: message("field.tokens", found), code: "field/not-tokens" };
    }
    change({ tokens: read.map((token) => token - 1) });
    return null;
  };
  return {
    control: "text",
    id: "tokens",
    caption: message("rule.tokens"),
    className: "tokens",
    inputMode: "numeric",
    text: placesOf(tokens),
    enter,
  };
}
