import type {
  AttentionEdit,
  BlockEdit,
  BlockRef,
  EditMisfit,
  HeadEdit,
  MaskEdit,
  PatchEdit,
  PatchReceiver,
  PositionEdit,
  Scope,
  Token,
} from "../data/index.js";
import { formatValue } from "../draw/text.js";
import type { Chip } from "../elements/chips.js";
import "../elements/chips.js";
import { tokenLabel } from "../elements/shared/templates.js";
import { formatList, formatNumber, message } from "../i18n/index.js";
import {
  covers,
  isActive,
  variantValues,
  numbersOf,
  PRESET_PARTS,
  scopeOf,
  SCHEME_NUMBERS,
  type EditLists,
  type EditRef,
  type PresetValues,
} from "../state/index.js";
import { isOverridden } from "./overridden.js";
import { isUntrained } from "../state/experiment-edits.js";

/** The smallest factor that two digits can show; a smaller one is not written as 0. */
const LEAST_GATE = 0.005;

/** The most letters of a patch's text that its chip shows. */
const LONGEST_SOURCE = 32;

/** The tokens on the axes of a stack, as far as they are known. */
export type AxisTokens = (scope: Scope) => { queries: Token[]; keys: Token[] };

/**
 * A chip for every edit. An edit that does not fit the present texts completely has a note with its
 * code, and so has an attention variant whose layer a GPU backend leaves to the CPU.
 */
export function editChips(
  edits: EditLists,
  misfits: ReadonlyMap<object, EditMisfit> = new Map(),
  tokens: AxisTokens,
  onCpu: readonly BlockRef[] = [],
): Chip[] {
  const misfitOf = ({ list, index }: EditRef): EditMisfit | undefined =>
    misfits.get(edits[list][index] ?? {});
  const chip = (list: EditRef["list"], index: number, edit: Scope, words: string): Chip => {
    const ref = { list, index };
    const id = `${list}:${index}`;
    const misfit = misfitOf(ref);
    if (misfit && !isActive(misfit)) {
      const label = message(`edits.${misfit.says}`, { edit: words });
      return { id, label, inactive: true, note: misfit.code };
    }
    const overridden = isOverridden(edits, ref, (other) => isActive(misfitOf(other)));
    const isOnCpu = list === "attention" && onCpu.some((site) => covers(edit, site));
    const notes = [
      misfit && `${misfitWords(misfit)} ${misfit.code}`,
      overridden && `${message("edits.overridden")} edit/overridden`,
      isOnCpu && message("edits.onCpu"),
    ].filter(Boolean);
    const note = notes.length > 0 && { note: notes.join(" · ") };
    return { id, label: words, inactive: false, ...note };
  };
  return [
    ...edits.masks.map((edit, at) => chip("masks", at, edit, maskLabel(edit, tokens))),
    ...edits.heads.map((edit, at) => chip("heads", at, edit, headLabel(edit))),
    ...edits.blocks.map((edit, at) => chip("blocks", at, edit, blockLabel(edit))),
    ...edits.attention.map((edit, at) => chip("attention", at, edit, variantLabel(edit))),
    ...edits.positions.map((edit, at) => chip("positions", at, edit, positionsLabel(edit))),
    ...edits.patches.map((edit, at) => chip("patches", at, scopeOf(edit.at), patchLabel(edit))),
  ];
}

/** The text about the part of an edit that applies, if not all of it does. */
function misfitWords({ says, values, stacks }: EditMisfit): string {
  const names = formatList(stacks.map((stack) => message(`stack.${stack}`)));
  return message(`edits.${says}`, { ...Object.fromEntries(values), stacks: names });
}

function maskLabel(edit: MaskEdit, tokens: AxisTokens): string {
  const head = scopeLabel(edit);
  const cells = edit.allow ?? edit.block ?? [];
  const [only] = cells;
  if (edit.preset) {
    const rule = ruleLabel(edit);
    return message(edit.invert ? "edits.ruleInverted" : "edits.rule", { head, rule });
  }
  if (edit.fill !== undefined) return message("edits.fill", { head });
  if (!only || cells.length > 1)
    return message(edit.allow ? "edits.opened" : "edits.cells", { head, count: cells.length });
  const { queries, keys } = tokens(edit);
  const label = (axis: Token[], index: number): string => {
    const token = axis[index];
    return token ? tokenLabel(token) : message("edits.position", { position: index + 1 });
  };
  const query = label(queries, only[0]);
  const key = label(keys, only[1]);
  return message(edit.allow ? "edits.open" : "edits.cell", { head, query, key });
}

/**
 * The text of a mask rule, with its numbers, and of its mode if that does more than narrow the
 * present mask.
 */
function ruleLabel({ preset, mode = "and" }: MaskEdit): string {
  if (!preset) return "";
  const values: PresetValues = preset;
  const { numbers, tokens } = PRESET_PARTS[preset.kind];
  const rule = formatList([
    message(`rule.${preset.kind}`),
    ...numbers.map((name) => {
      const key = name === "width" && values.oneSided ? "back" : name;
      return `${message(`rule.number.${key}`)} ${values[name] ?? 0}`;
    }),
    ...(tokens ? [`${message("rule.tokens")} ${placesOf(values.tokens ?? [])}`] : []),
    ...(values.oneSided && !numbers.includes("width") ? [message("rule.oneSided")] : []),
  ]);
  if (mode === "and") return rule;
  return message("rule.joinedTo", { mode: message(`rule.mode.${mode}`), rule });
}

/** The text of a position edit: the scheme with its numbers, and whether the order was changed. */
function positionsLabel(edit: PositionEdit): string {
  const { scheme, parameters = {}, order } = edit;
  const numbers = (scheme ? SCHEME_NUMBERS[scheme] : []).flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [`${message(`at.number.${name}`)} ${formatNumber(value)}`];
  });
  const parts = [
    ...(scheme ? [message(`at.${scheme}`), ...numbers] : []),
    ...(isUntrained(edit) ? [message("at.untrained")] : []),
    ...(order ? [message("at.moved")] : []),
  ];
  return message("edits.placed", { head: scopeLabel(edit), scheme: formatList(parts) });
}

/** The end of a path in words. */
export function nameOfReceiver(receiver: PatchReceiver): string {
  if (receiver === "logits") return message("edits.receiver.logits");
  const { stack, layer, head, part = "all" } = receiver;
  return message(`edits.receiver.${part}`, {
    stack: message(`stack.${stack}`),
    head: `${layer + 1}.${head + 1}`,
  });
}

/**
 * The text of a patch: which activation of which head or layer, the text that it is of, and the
 * receiver of a path.
 */
function patchLabel({ at, from, to }: PatchEdit): string {
  const head = scopeLabel(scopeOf(at));
  const whole = at.step === "context" ? message("edits.patch.output") : message(`step.${at.step}`);
  const { positions } = at;
  const part = positions && message("edits.patch.at", { positions: placesOf(positions) });
  const step = formatList(part ? [whole, part] : [whole]);
  const source =
    "text" in from
      ? message("edits.patch.text", { text: shortened(from.text) })
      : message("edits.patch.ids");
  const patch = message("edits.patched", { head, step, source });
  return to ? message("edits.patch.to", { patch, receiver: nameOfReceiver(to) }) : patch;
}

/** The start of a text, as long as a chip has room for. */
function shortened(text: string): string {
  const letters = Array.from(text.trim());
  const { length } = letters;
  return length <= LONGEST_SOURCE
    ? text.trim()
    : `${letters.slice(0, LONGEST_SOURCE - 1).join("")}…`;
}

function headLabel({ gate = 1, pattern, ...scope }: HeadEdit): string {
  const head = scopeLabel(scope);
  if (pattern !== undefined) {
    const name = typeof pattern === "string" ? pattern : "drawn";
    return message("edits.fixedPattern", { head, pattern: message(`pattern.${name}`) });
  }
  if (gate === 0) return message("edits.ablated", { head });
  const factor = Math.abs(gate) < LEAST_GATE ? formatValue(gate) : formatNumber(gate, 2);
  return message("edits.gate", { head, gate: factor });
}

/**
 * The text of an attention edit: the variant with its numbers, and the changes of scores and
 * weights.
 */
function variantLabel(edit: AttentionEdit): string {
  const { kind, parameters, scale, temperature, rate, seed } = variantValues(edit);
  const parts = [
    message(`variant.${kind}`),
    ...numbersOf(kind).map(
      ([name, { usual }]) =>
        `${message(`variant.number.${name}`)} ${formatNumber(parameters[name] ?? usual)}`,
    ),
    scale === "none" && message("edits.kind.unscaled"),
    typeof scale === "number" && message("edits.kind.scale", { scale: formatNumber(scale, 3) }),
    temperature !== 1 &&
      message("edits.kind.temperature", { temperature: formatNumber(temperature, 2) }),
    rate > 0 && message("edits.kind.dropout", { rate: formatNumber(rate, 2), seed }),
  ].filter((part) => part !== false);
  return message("edits.kind", { head: scopeLabel(edit), what: formatList(parts) });
}

/** The text of a block edit: its scope, and its changes of the residual and of the norm. */
function blockLabel({ sublayers = [], residual, norm, ...scope }: BlockEdit): string {
  const parts = [
    ...sublayers.map((sublayer) => message(`sublayer.${sublayer}`)),
    ...(residual === undefined ? [] : [message(`edits.residual${residual ? "On" : "Off"}`)]),
    ...(norm === undefined ? [] : [message(`edits.norm.${norm}`)]),
  ];
  return message("edits.block", { place: scopeLabel(scope), what: formatList(parts) });
}

/** The text of a scope, as short as possible. */
export function scopeLabel({ stack: name, layers, heads }: Scope): string {
  const stack = name ? message(`stack.${name}`) : message("edits.everywhere");
  const layer = placesOf(layers ?? []);
  const head = placesOf(heads ?? []);
  const oneLayer = layers?.length === 1;
  const oneHead = heads?.length === 1;
  if (oneLayer && oneHead) return message("edits.head", { stack, layer, head });
  const values = {
    stack,
    layers: layers ? message(oneLayer ? "edits.oneLayer" : "edits.layers", { layer }) : "",
    heads: heads ? message(oneHead ? "edits.oneHead" : "edits.manyHeads", { head }) : "",
  };
  if (layers && heads) return message("edits.heads", values);
  if (layers) return message("edits.layer", values);
  return heads ? message("edits.headOfEach", values) : stack;
}

/** Indices counted from 1, without thousands separators, so that a field can parse them. */
export function placesOf(places: readonly number[]): string {
  return formatList(places.map((place) => String(place + 1)));
}
