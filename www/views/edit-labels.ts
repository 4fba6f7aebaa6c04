import type {
  AttentionEdit,
  BlockEdit,
  BlockRef,
  EditMisfit,
  HeadEdit,
  MaskEdit,
  MaskMode,
  MaskPreset,
  PositionEdit,
  Scope,
  Token,
} from "../data/index.js";
import { formatValue } from "../draw/text.js";
import type { Chip } from "../elements/chips.js";
import { tokenLabel } from "../elements/shared/templates.js";
import { formatList, formatNumber, message } from "../i18n/index.js";
import {
  isActive,
  isOverridden,
  isUntrained,
  kindValues,
  numbersOf,
  PRESET_PARTS,
  SCHEME_NUMBERS,
  type EditLists,
  type EditRef,
  type PresetValues,
} from "../state/index.js";

/** A smaller factor is no 0, as it would be with two digits. */
const LEAST_GATE = 0.005;

/** The tokens on the axes of a stack, as far as they are known. */
export type AxisTokens = (scope: Scope) => { queries: Token[]; keys: Token[] };

/**
 * A chip for every edit; one that does not fit the present texts, or in part, says so with its code, and a kind of attention whose layer
 * a GPU leaves to the CPU as well.
 */
export function editChips(
  edits: EditLists,
  misfits: ReadonlyMap<object, EditMisfit> = new Map(),
  tokens: AxisTokens,
  onCpu: readonly BlockRef[] = [],
): Chip[] {
  const misfitOf = ({ list, index }: EditRef): EditMisfit | undefined =>
    misfits.get(edits[list][index] ?? {});
  const chip = (ref: EditRef, label: string): Chip => {
    const id = `${ref.list}:${ref.index}`;
    const misfit = misfitOf(ref);
    if (misfit && !isActive(misfit))
      return {
        id,
        label: message(`edits.${misfit.says}`, { edit: label }),
        inactive: true,
        note: misfit.code,
      };
    const left =
      ref.list === "attention" &&
      onCpu.some((site) => isAt(edits.attention[ref.index] ?? {}, site));
    const notes = [
      ...(misfit ? [`${misfitWords(misfit)} ${misfit.code}`] : []),
      ...(isOverridden(edits, ref, (other) => isActive(misfitOf(other)))
        ? [`${message("edits.overridden")} edit/overridden`]
        : []),
      ...(left ? [message("edits.onCpu")] : []),
    ];
    return { id, label, inactive: false, ...(notes.length > 0 && { note: notes.join(" · ") }) };
  };
  return [
    ...edits.masks.map((edit, index) => chip({ list: "masks", index }, maskLabel(edit, tokens))),
    ...edits.heads.map((edit, index) => chip({ list: "heads", index }, headLabel(edit))),
    ...edits.blocks.map((edit, index) => chip({ list: "blocks", index }, blockLabel(edit))),
    ...edits.attention.map((edit, index) => chip({ list: "attention", index }, kindLabel(edit))),
    ...edits.positions.map((edit, index) =>
      chip({ list: "positions", index }, positionsLabel(edit)),
    ),
  ];
}

/** What of an edit applies, where that is not all of it. */
function misfitWords({ says, values, stacks }: EditMisfit): string {
  const names = formatList(stacks.map((stack) => message(`stack.${stack}`)));
  return message(`edits.${says}`, { ...Object.fromEntries(values), stacks: names });
}

function isAt({ stack, layers }: Scope, site: BlockRef): boolean {
  return (stack ?? site.stack) === site.stack && (layers?.includes(site.layer) ?? true);
}

function maskLabel(edit: MaskEdit, tokens: AxisTokens): string {
  const cells = edit.allow ?? edit.block ?? [];
  const [only] = cells;
  const head = scopeLabel(edit);
  if (edit.preset)
    return message(edit.invert ? "edits.ruleInverted" : "edits.rule", {
      head,
      rule: ruleLabel(edit.preset, edit.mode),
    });
  if (edit.fill !== undefined) return message("edits.fill", { head });
  if (!only || cells.length > 1)
    return message(edit.allow ? "edits.opened" : "edits.cells", { head, count: cells.length });
  const { queries, keys } = tokens(edit);
  return message(edit.allow ? "edits.open" : "edits.cell", {
    head,
    query: positionLabel(queries, only[0]),
    key: positionLabel(keys, only[1]),
  });
}

/** What a rule allows, with its numbers, and how it is joined where it does more than narrow what stands. */
function ruleLabel(preset: MaskPreset, mode: MaskMode = "and"): string {
  const values: PresetValues = preset;
  const { numbers, tokens } = PRESET_PARTS[preset.kind];
  const parts = [
    message(`rule.${preset.kind}`),
    ...numbers.map(
      (name) =>
        `${message(name === "width" && values.oneSided ? "rule.number.back" : `rule.number.${name}`)} ${values[name] ?? 0}`,
    ),
    ...(tokens ? [`${message("rule.tokens")} ${placesOf(values.tokens ?? [])}`] : []),
    ...(values.oneSided && !numbers.includes("width") ? [message("rule.oneSided")] : []),
  ];
  const said = formatList(parts);
  return mode === "and"
    ? said
    : message("rule.joinedTo", { mode: message(`rule.mode.${mode}`), rule: said });
}

/** How tokens know where they stand, with the numbers of it, and whether their order was changed. */
function positionsLabel(edit: PositionEdit): string {
  const { scheme, parameters = {}, order } = edit;
  const parts = [
    ...(scheme ? [message(`at.${scheme}`)] : []),
    ...(scheme ? SCHEME_NUMBERS[scheme] : []).flatMap((name) =>
      parameters[name] === undefined
        ? []
        : [`${message(`at.number.${name}`)} ${formatNumber(parameters[name])}`],
    ),
    ...(isUntrained(edit) ? [message("at.untrained")] : []),
    ...(order ? [message("at.moved")] : []),
  ];
  return message("edits.placed", { head: scopeLabel(edit), scheme: formatList(parts) });
}

function positionLabel(tokens: Token[], index: number): string {
  const token = tokens[index];
  return token ? tokenLabel(token) : message("edits.position", { position: index + 1 });
}

function headLabel({ gate, pattern, ...scope }: HeadEdit): string {
  if (pattern === undefined) return gateLabel(scope, gate ?? 1);
  return message("edits.frozen", {
    head: scopeLabel(scope),
    pattern: message(`pattern.${typeof pattern === "string" ? pattern : "drawn"}`),
  });
}

/** What kind of attention, with its numbers, and what is done to scores and weights. */
function kindLabel(edit: AttentionEdit): string {
  const { kind, parameters, scale, temperature, rate, seed } = kindValues(edit);
  const parts = [
    message(`kind.${kind}`),
    ...numbersOf(kind).map(
      ([name, { usual }]) =>
        `${message(`kind.number.${name}`)} ${formatNumber(parameters[name] ?? usual)}`,
    ),
    ...(scale === "none" ? [message("edits.kind.unscaled")] : []),
    ...(typeof scale === "number"
      ? [message("edits.kind.scale", { scale: formatNumber(scale, 3) })]
      : []),
    ...(temperature === 1
      ? []
      : [message("edits.kind.temperature", { temperature: formatNumber(temperature, 2) })]),
    ...(rate === 0 ? [] : [message("edits.kind.dropout", { rate: formatNumber(rate, 2), seed })]),
  ];
  return message("edits.kind", { head: scopeLabel(edit), what: formatList(parts) });
}

/** Where a block's edit applies, and what it says of the residual and of the norm. */
function blockLabel({ sublayers, residual, norm, ...scope }: BlockEdit): string {
  const parts = [
    ...(sublayers ?? []).map((sublayer) => message(`sublayer.${sublayer}`)),
    ...(residual === undefined
      ? []
      : [message(residual ? "edits.residualOn" : "edits.residualOff")]),
    ...(norm === undefined ? [] : [message(`edits.norm.${norm}`)]),
  ];
  return message("edits.block", { place: scopeLabel(scope), what: formatList(parts) });
}

function gateLabel(scope: Scope, gate: number): string {
  const head = scopeLabel(scope);
  return gate === 0
    ? message("edits.silenced", { head })
    : message("edits.gate", {
        head,
        gate: Math.abs(gate) < LEAST_GATE ? formatValue(gate) : formatNumber(gate, 2),
      });
}

/** Where an edit applies, in as few words as it takes. */
export function scopeLabel({ stack, layers, heads }: Scope): string {
  const where = stack ? message(`stack.${stack}`) : message("edits.everywhere");
  const isOne = layers?.length === 1 && heads?.length === 1;
  if (isOne)
    return message("edits.head", { stack: where, layer: numbers(layers), head: numbers(heads) });
  const values = {
    stack: where,
    layers: layers
      ? message(layers.length === 1 ? "edits.oneLayer" : "edits.layers", { layer: numbers(layers) })
      : "",
    heads: heads
      ? message(heads.length === 1 ? "edits.oneHead" : "edits.manyHeads", { head: numbers(heads) })
      : "",
  };
  if (layers && heads) return message("edits.heads", values);
  if (layers) return message("edits.layer", values);
  return heads ? message("edits.headOfEach", values) : where;
}

/** Places of tokens as a person counts them, so that a field can read them again: a large one has no mark in it. */
export function placesOf(tokens: readonly number[]): string {
  return formatList(tokens.map((token) => String(token + 1)));
}

function numbers(indices: number[] = []): string {
  return formatList(indices.map((index) => formatNumber(index + 1)));
}
