// The rules of which cells of a mask are open, one below the other in the order in which they apply.
import { html, nothing, type TemplateResult } from "lit";
import { isForbidden, MOST_PRESETS, type HeadRef, type Tensor } from "../../data/index.js";
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
} from "../../state/index.js";
import { placesOf } from "../edit-labels.js";
import type { BenchContext, PatchState } from "./context.js";
import { renderNoRun } from "./failures.js";
import {
  bare,
  numberField,
  oneOf,
  reachField,
  renderForms,
  REPEATED,
  scopeField,
  toggle,
  type Control,
  type Form,
  type Refusal,
} from "./form.js";

const LAST_TOKEN = 100_000;

type Put = (edits: EditLists) => void;

export function renderMasks(on: BenchContext, patch: PatchState): TemplateResult {
  const { edits, head, mask, text, painting } = on;
  if (!head) return renderNoRun(text);
  const put: Put = (changed) => patch({ edits: changed });
  // Painting belongs to the page, not to its address.
  const { blocking, reach, change } = painting;
  const paint: Form = {
    lines: [
      [
        toggle("paint.switch", blocking, () => change({ blocking: !blocking })),
        reachField("paint.where", REACHES, reach, head, (to) => change({ reach: to })),
      ],
    ],
    hint: message("paint.hint"),
  };
  const rules = rulesOf(edits).map((rule, at) => ruleForm(edits, rule, at + 1, head, put));
  return html`<div class="inline ends">
      <p class="muted">${message("rule.intro")}</p>
      ${mask && mask.data.length > 0 ? renderCount(head, mask.data) : nothing}
    </div>
    ${renderForms([...rules, paint, addingForm(edits, head, put)])}`;
}

function renderCount({ layer, head }: HeadRef, mask: Tensor["data"]): TemplateResult {
  const open = mask.filter((value) => !isForbidden(value)).length;
  const counts = { allowed: formatNumber(open), all: formatNumber(mask.length) };
  const share = formatPercent(open / mask.length);
  return html`<p class="small" role="status">
    ${message("rule.allowed", { layer: layer + 1, head: head + 1, ...counts, share })}
  </p>`;
}

/** One rule: how it is combined with those above it, what it allows, for which heads. */
function ruleForm(edits: EditLists, rule: MaskRule, number: number, head: HeadRef, put: Put): Form {
  const { index, mode, invert } = rule;
  const values: PresetValues = rule.preset;
  const { kind } = values;
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  const change = (changed: Partial<MaskRule>): void =>
    put(withRule(edits, { ...rule, ...changed }));
  const preset = (changed: Partial<PresetValues>): void =>
    change({ preset: presetOf({ ...values, ...changed }) });
  const oneSidedNow = values.oneSided === true;
  return {
    title: message("rule.title", { number, kind: message(`rule.${kind}`) }),
    lines: [
      [
        bare(
          oneOf("list", "rule.joined", MASK_MODES, mode, (to) => change({ mode: to }), "rule.mode"),
        ),
        bare(
          oneOf("list", "rule.preset", PRESET_KINDS, kind, (to) => preset({ kind: to }), "rule"),
        ),
        ...numbers.map((name) => {
          const range = NUMBER_RANGES[name];
          const put = (typed: number): void => preset({ [name]: typed });
          return numberField(name, `rule.number.${name}`, values[name] ?? range.usual, range, put);
        }),
        tokens && tokensField(values, preset),
        oneSided && toggle("rule.oneSided", oneSidedNow, () => preset({ oneSided: !oneSidedNow })),
        toggle("rule.invert", invert, () => change({ invert: !invert })),
        scopeField(scopeIn(rule), head, (scope) =>
          put(withRule(edits, { index, mode, invert, preset: rule.preset, ...scope })),
        ),
      ],
    ],
    remove: {
      label: message("rule.remove"),
      press: () => put(removeEdit(edits, { list: "masks", index })),
    },
    hint: message(`rule.${kind}.hint`),
  };
}

/** Adds a rule, and says what a forbidden cell adds to its score. */
function addingForm(edits: EditLists, head: HeadRef, put: Put): Form {
  const fill = fillOf(edits);
  const add = (kind: PresetValues["kind"]): void => {
    // A rule that allows every cell is of use only in place of the model's own mask.
    const mode = kind === "none" ? "replace" : "and";
    const preset = presetOf({ kind });
    put(withRule(edits, { ...scopeAt("stack", head), mode, preset }));
  };
  const disabled = rulesOf(edits).length >= MOST_PRESETS;
  return {
    lines: [
      [
        { ...oneOf("add", "rule.add", PRESET_KINDS, "", add, "rule"), disabled },
        oneOf("segments", "rule.fill", ["-inf", "-1e9"], fill, (to) => put(withFill(edits, to))),
      ],
    ],
    hint: message(fill === "-inf" ? "rule.fill.-inf.hint" : "rule.fill.-1e9.hint"),
  };
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
  const caption = message("rule.tokens");
  const field = {
    control: "text",
    id: "tokens",
    className: "tokens",
    inputMode: "numeric",
  } as const;
  return { ...field, caption, text: placesOf(tokens), enter };
}
