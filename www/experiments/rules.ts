// Forms of mask rules, attention variants and positions, each of one list of edits, with their
// demos.
import { html, nothing, type TemplateResult } from "lit";
import {
  blockStackOf,
  isForbidden,
  VARIANT_PARTS,
  MOST_PRESETS,
  type AttentionEdit,
  type HeadRef,
  type VariantName,
  type PositionEdit,
  type PositionParameters,
} from "../data/index.js";
import { formatNumber, formatPercent, message, type MessageKey } from "../i18n/index.js";
import {
  ATTENTION_VARIANTS,
  FACTORS,
  variantEdit,
  variantValues,
  MASK_MODES,
  numbersOf,
  placementOf,
  PRESET_KINDS,
  PRESET_PARTS,
  RATES,
  REACHES,
  removeEdit,
  SCHEME_NUMBERS,
  SCHEMES,
  scopeAt,
  scopeIn,
  SEEDS,
  STACKS,
  withEdit,
  type EditLists,
  type EditRef,
  type VariantValues,
  type MaskRule,
  type NumberRange,
  type PresetValues,
} from "../state/index.js";
import { NUMBER_RANGES, POSITION_NUMBERS } from "../state/experiment-edits.js";
import {
  fillOf,
  isUntrained,
  presetOf,
  rulesOf,
  turnsIn,
  withFill,
  withPlacement,
  withRule,
} from "../state/experiment-edits.js";
import { brokenHeads } from "./demos/positions/broken-heads.js";
import "./demos/demo-element.js";
import "./demos/demo-lists.js";
import { variantReport } from "./demos/variants/variant-report.js";
import { lengths } from "./demos/positions/lengths.js";
import { scores } from "./demos/variants/scores.js";
import { placesOf } from "../session/edit-labels.js";
import { tokensOf } from "../session/run/selection.js";
import type { Session } from "../session/session.js";
import type { Refusal } from "../session/run/failures.js";
import {
  renderNoRun,
  bare,
  numberField,
  oneOf,
  reachField,
  refusedBuckets,
  renderForms,
  REPEATED,
  scopeField,
  toggle,
  type Control,
  type Form,
  type NumberField,
} from "../kit/form.js";
import "./order-strip.js";

const LAST_TOKEN = 100_000;

type Put = (edits: EditLists) => void;

function numberFields<Name extends string>(
  numbers: readonly (readonly [Name, NumberRange])[],
  prefix: "rule.number" | "variant.number" | "at.number",
  values: Partial<Record<Name, number>>,
  change: (name: Name, typed: number) => void,
): NumberField[] {
  return numbers.map(([name, range]) => {
    const caption = `${prefix}.${name}` as MessageKey;
    return numberField(name, caption, values[name] ?? range.usual, range, (to) => change(name, to));
  });
}

function removal(label: MessageKey, edits: EditLists, ref: EditRef, put: Put): Form["remove"] & {} {
  return { label: message(label), press: () => put(removeEdit(edits, ref)) };
}

/** The mask rules, one below the other in the order in which they apply. */
export function renderMasks(session: Session): TemplateResult {
  return html`${renderRules(session)}<headscope-mask-demos></headscope-mask-demos>`;
}

function renderRules(session: Session): TemplateResult {
  const { edits, head, mask, text } = session.onPage;
  if (!head) return renderNoRun(text);
  const put: Put = (changed) => session.update({ edits: changed });
  // Painting is part of the page, not of its address.
  const { pointing } = session;
  const { blocking, reach } = pointing;
  const paint = [
    toggle("paint.switch", blocking, () => (pointing.blocking = !blocking)),
    reachField("paint.where", REACHES, reach, head, (to) => (pointing.reach = to)),
  ];
  const fill = fillOf(edits);
  const add = (kind: PresetValues["kind"]): void => {
    // A rule that allows every cell has an effect only in place of the model's own mask.
    const mode = kind === "none" ? "replace" : "and";
    put(withRule(edits, { ...scopeAt("stack", head), mode, preset: presetOf({ kind }) }));
  };
  const rules = rulesOf(edits);
  const adding = oneOf("add", "rule.add", PRESET_KINDS, "", add, "rule");
  // What a masked cell has instead of −∞ is a question once a rule masks one.
  const isFilled = rules.length > 0 || fill !== "-inf";
  const toFill = (to: typeof fill): void => put(withFill(edits, to));
  const fills = oneOf("segments", "rule.fill", ["-inf", "-1e9"], fill, toFill);
  const all = mask?.data.length ?? 0;
  const open = mask?.data.filter((value) => !isForbidden(value)).length ?? 0;
  const counts = {
    layer: head.layer + 1,
    head: head.head + 1,
    share: formatPercent(open / all),
    allowed: formatNumber(open),
    all: formatNumber(all),
  };
  return html`<div class="inline ends">
      <p class="muted">${message("rule.intro")}</p>
      ${
        all > 0
          ? html`<p class="small" role="status">${message("rule.allowed", counts)}</p>`
          : nothing
      }
    </div>
    ${renderForms([
      ...rules.map((rule, at) => ruleForm(edits, rule, at + 1, head, put)),
      { lines: [paint], hint: message("paint.hint") },
      {
        lines: [[{ ...adding, disabled: rules.length >= MOST_PRESETS }, isFilled && fills]],
        ...(isFilled && {
          hint: message(fill === "-inf" ? "rule.fill.-inf.hint" : "rule.fill.-1e9.hint"),
        }),
      },
    ])}
    ${renderPictureOf(session, "mask")}`;
}

/** Renders the switch between the picture of an experiment and the heatmap. */
function renderPictureOf(session: Session, picture: "mask" | "positions"): TemplateResult {
  const isShown = session.state.picture === picture;
  return html`<button
    class="toggle"
    aria-pressed=${isShown}
    @click=${() => session.update({ picture: isShown ? "heatmap" : picture })}
  >
    ${message(`experiments.picture.${picture}`)}
  </button>`;
}

/** The form of one rule: how it joins those above it, what it allows, for which heads. */
function ruleForm(edits: EditLists, rule: MaskRule, number: number, head: HeadRef, put: Put): Form {
  const { index, mode, invert, preset } = rule;
  const values: PresetValues = preset;
  const { kind, oneSided = false } = values;
  const parts = PRESET_PARTS[kind];
  const change = (changed: Partial<MaskRule>): void =>
    put(withRule(edits, { ...rule, ...changed }));
  const reset = (changed: Partial<PresetValues>): void =>
    change({ preset: presetOf({ ...values, ...changed }) });
  const numbers = parts.numbers.map((name) => [name, NUMBER_RANGES[name]] as const);
  return {
    title: message("rule.title", { number, kind: message(`rule.${kind}`) }),
    lines: [
      [
        bare(
          oneOf("list", "rule.joined", MASK_MODES, mode, (to) => change({ mode: to }), "rule.mode"),
        ),
        bare(oneOf("list", "rule.preset", PRESET_KINDS, kind, (to) => reset({ kind: to }), "rule")),
        ...numberFields(numbers, "rule.number", values, (name, to) => reset({ [name]: to })),
        parts.tokens && tokensField(values.tokens ?? [], (tokens) => reset({ tokens })),
        parts.oneSided && toggle("rule.oneSided", oneSided, () => reset({ oneSided: !oneSided })),
        toggle("rule.invert", invert, () => change({ invert: !invert })),
        scopeField(scopeIn(rule), head, (scope) =>
          put(withRule(edits, { index, mode, invert, preset, ...scope })),
        ),
      ],
    ],
    remove: removal("rule.remove", edits, { list: "masks", index }, put),
    hint: message(`rule.${kind}.hint`),
  };
}

/** A field for positions of tokens, counted from 1; it may be empty. */
function tokensField(tokens: readonly number[], take: (tokens: number[]) => void): Control {
  const enter = (typed: string): Refusal | null => {
    const words = typed.split(/[\s,;，、]+/).filter((word) => word !== "");
    const read = words.map(Number);
    if (!read.every((token) => Number.isInteger(token) && token >= 1 && token <= LAST_TOKEN)) {
      const found = { typed: typed.slice(0, REPEATED), most: LAST_TOKEN };
      return { sentence: message("field.tokens", found), code: "field/not-tokens" };
    }
    take(read.map((token) => token - 1));
    return null;
  };
  const caption = message("rule.tokens");
  const text = placesOf(tokens);
  return { control: "text", id: "tokens", caption, wide: true, keys: "decimal", text, enter };
}

/**
 * The attention variants of heads, one below the other, and the cost of the shown head under them.
 */
export function renderVariants(session: Session): TemplateResult {
  const { edits, head, run, text } = session.onPage;
  if (!head || !run) return renderNoRun(text);
  const put: Put = (changed) => session.update({ edits: changed });
  const forms = edits.attention.map((edit, index) => ({
    ...variantForm(edit, index + 1, head, run.tokens.length, (changed) =>
      put(withEdit(edits, "attention", changed, index)),
    ),
    remove: removal("variantsExperiment.remove", edits, { list: "attention", index }, put),
  }));
  const fits = (kind: VariantName): boolean => VARIANT_PARTS[kind].stacks.includes(head.stack);
  const add = (kind: VariantName): void => {
    const scope = scopeAt(isEverywhere(kind) ? "everywhere" : "stack", head);
    put(withEdit(edits, "attention", variantEdit(variantValues({ kind }), scope)));
  };
  const adding = oneOf("add", "variantsExperiment.add", ATTENTION_VARIANTS, "", add, (kind) => ({
    ...inGroup(kind),
    disabled: !fits(kind),
  }));
  const hint = ATTENTION_VARIANTS.every(fits)
    ? {}
    : { hint: message("variantsExperiment.disabled") };
  return html`<p class="muted intro">${message("variantsExperiment.intro")}</p>
    ${renderForms([...forms, { lines: [[adding]], ...hint }])}
    <headscope-demo .demo=${variantReport}></headscope-demo>
    <headscope-demo .demo=${scores}></headscope-demo>`;
}

function isEverywhere(kind: VariantName): boolean {
  return VARIANT_PARTS[kind].stacks.length === STACKS.length;
}

function inGroup(kind: VariantName): { label: string; group: string } {
  const group = message(
    VARIANT_PARTS[kind].cheap ? "variantsExperiment.cheaper" : "variantsExperiment.scores",
  );
  return { label: message(`variant.${kind}`), group };
}

/**
 * The form of one variant with its numbers, scale, temperature and dropout, and its heads; `tokens`
 * is the number of keys.
 */
function variantForm(
  edit: AttentionEdit,
  number: number,
  head: HeadRef,
  tokens: number,
  put: (edit: AttentionEdit) => void,
): Form {
  const values = variantValues(edit);
  const { kind, parameters, scale, rate } = values;
  const { scale: ofModel, dropped } = VARIANT_PARTS[kind];
  const change = (changed: Partial<VariantValues>): void =>
    put(variantEdit({ ...values, ...changed }, scopeIn(edit)));
  const own = numberFields(numbersOf(kind), "variant.number", parameters, (name, to) =>
    change({ parameters: { ...parameters, [name]: to } }),
  ).map((field): Control => {
    if (field.id !== "rank") return field;
    // At most the number of singular values; a larger number of a link stays.
    const most = Math.max(field.value, Math.min(field.most, tokens));
    return {
      ...field,
      control: "slider",
      label: message("variant.number.rank"),
      most,
      settled: true,
    };
  });
  const by = typeof scale === "number";
  // Cosines and additive scores do not grow with √d, so the model's scale is none.
  const scales = oneOf(
    "segments",
    "variantsExperiment.scale",
    ofModel === "model" ? (["model", "none", "by"] as const) : (["model", "by"] as const),
    by ? "by" : scale,
    (one) => change({ scale: one === "by" ? 1 : one }),
    (one) =>
      message(`variantsExperiment.scale.${ofModel === "model" || one === "by" ? one : "none"}`),
  );
  const factor = (name: "temperature" | "rate" | "seed", range = FACTORS): Control =>
    numberField(name, `variantsExperiment.${name}`, values[name], range, (to) =>
      change({ [name]: to }),
    );
  const softmax = [
    scales,
    by &&
      numberField("scale", "variantsExperiment.factor", scale, FACTORS, (to) =>
        change({ scale: to }),
      ),
    factor("temperature"),
    dropped && factor("rate", RATES),
    rate > 0 && { ...factor("seed", SEEDS), id: "dropout-seed" },
  ];
  // Scale, temperature and dropout are kept where the other variant has them.
  const toVariant = (to: VariantName): void => change({ kind: to, parameters: {} });
  return {
    title: message("variantsExperiment.title", { number, kind: message(`variant.${kind}`) }),
    lines: [
      [
        bare(
          oneOf("list", "variantsExperiment.kind", ATTENTION_VARIANTS, kind, toVariant, inGroup),
        ),
        ...own,
        scopeField(scopeIn(edit), head, (scope) => put(variantEdit(values, scope))),
      ],
      ...(ofModel === "never" ? [] : [softmax]),
    ],
    hint: `${message(`variant.${kind}.hint`)} ${
      isEverywhere(kind) ? "" : message("variantsExperiment.notEverywhere")
    }`,
  };
}

/**
 * The positions of a stack's tokens: the scheme, its numbers, the order, and their effect on the
 * heads.
 */
export function renderPositions(session: Session): TemplateResult {
  return html`${renderPlacement(session)} <headscope-position-demos></headscope-position-demos>`;
}

function renderPlacement(session: Session): TemplateResult {
  const { edits, head, model, run, text } = session.onPage;
  if (!head || !model || !run) return renderNoRun(text, "at.noText");
  const stack = blockStackOf(head);
  const placement = placementOf(edits, stack);
  const put = (placed: PositionEdit): void =>
    session.update({ edits: withPlacement(edits, stack, placed) });
  const { architecture, stacks } = model.info;
  const toStack = (to: typeof stack): void => session.update({ stack: to });
  const choices = oneOf("segments", "at.stack", ["encoder", "decoder"], stack, toStack, "stack");
  const choice = architecture === "encoder-decoder" && bare(choices);
  return html`<p class="muted">${message("at.intro")}</p>
    ${renderForms([placementForm(placement, stacks[stack]?.headDim ?? 0, put, choice)])}
    <section>
      <h3>${message("at.order")}</h3>
      <p class="small muted">${message("at.order.hint")}</p>
      <headscope-order-strip
        .tokens=${tokensOf(run, stack).queries}
        .order=${placement.order}
        @headscope-order=${({ detail }: CustomEvent<number[]>) =>
          put({ ...placement, order: detail })}
      ></headscope-order-strip>
      ${
        placement.order
          ? html`<button id="restore" @click=${() => put({ ...placement, order: [] })}>
              ${message("at.order.restore")}
            </button>`
          : nothing
      }
    </section>
    ${renderPictureOf(session, "positions")}
    <headscope-demo .demo=${brokenHeads}></headscope-demo>
    <headscope-demo .demo=${lengths}></headscope-demo>`;
}

/**
 * The form of one stack's scheme with its numbers, after the choice of the stack; `width` is the
 * heads' width.
 */
function placementForm(
  placement: PositionEdit,
  width: number,
  put: (placement: PositionEdit) => void,
  choice: Control | false,
): Form {
  const { scheme = "model", parameters = {}, order } = placement;
  const { interleaved, ...others } = parameters;
  const change = (changed: PositionParameters): void => put({ ...placement, parameters: changed });
  const turns = turnsIn(width);
  const drawn = parameters.seed !== undefined;
  const schemes = oneOf(
    "list",
    "at.scheme",
    SCHEMES,
    scheme,
    (one) => put({ scheme: one, ...(order && { order }) }),
    (one) => ({ label: message(`at.${one}`), disabled: one === "rotary" && !turns }),
  );
  const tables = oneOf("list", "at.table", ["own", "drawn"], drawn ? "drawn" : "own", (one) =>
    change(one === "drawn" ? { seed: POSITION_NUMBERS.seed.usual } : {}),
  );
  const named = interleaved ? "interleaved" : "halves";
  const layout = interleaved === undefined ? "model" : named;
  const layouts = oneOf("list", "at.layout", ["model", "interleaved", "halves"], layout, (one) =>
    change(one === "model" ? others : { ...others, interleaved: one === "interleaved" }),
  );
  const known = SCHEME_NUMBERS[scheme]
    .filter((name) => name !== "seed" || scheme !== "learned" || drawn)
    .map((name) => [name, POSITION_NUMBERS[name]] as const);
  const numbers = numberFields(known, "at.number", parameters, (name, to) =>
    change({ ...parameters, [name]: to }),
  ).map((field) => ({
    ...field,
    wide: true,
    refuse: (typed: number) => refusedBuckets({ ...parameters, [field.id]: typed }),
    ...(field.id === "buckets" && { step: 2, even: true }),
  }));
  const own = [scheme === "learned" && tables, scheme === "sinusoidal" && layouts];
  return {
    lines: [[choice, schemes, ...own, ...numbers]],
    hint: [
      message(`at.${scheme}.hint`),
      isUntrained(placement) ? message("at.untrained.hint") : "",
      turns ? "" : message("at.rotary.odd", { width }),
    ].join(" "),
  };
}
