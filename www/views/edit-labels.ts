import type { MaskEdit, MaskMode, MaskPreset, PositionEdit, Scope, Token } from "../data/index.js";
import type { Chip } from "../elements/chips/element.js";
import { tokenLabel } from "../elements/shared/token-label.js";
import { formatList, formatNumber, message } from "../i18n/index.js";
import { isActive, isUntrained, PRESET_PARTS, SCHEME_NUMBERS, type EditLists, type EditRef, type Limits, type PresetValues } from "../state/index.js";

/** The tokens on the axes of a stack, as far as they are known. */
export type AxisTokens = (scope: Scope) => { queries: Token[]; keys: Token[] };

/** A chip for every edit; one that does not fit the present texts says so. */
export function editChips(edits: EditLists, limits: Limits, tokens: AxisTokens): Chip[] {
  const chip = (ref: EditRef, label: string): Chip => {
    const inactive = !isActive(edits, ref, limits);
    const stack = edits[ref.list][ref.index]?.stack;
    const why = stack && !limits[stack] ? "edits.otherModel" : "edits.inactive";
    return { id: `${ref.list}:${ref.index}`, label: inactive ? message(why, { edit: label }) : label, inactive };
  };
  return [
    ...edits.masks.map((edit, index) => chip({ list: "masks", index }, maskLabel(edit, tokens))),
    ...edits.heads.map((edit, index) => chip({ list: "heads", index }, gateLabel(edit, edit.gate ?? 1))),
    ...edits.positions.map((edit, index) => chip({ list: "positions", index }, positionsLabel(edit))),
  ];
}

/** The edit that a chip stands for. */
export function refOf(id: string): EditRef | undefined {
  const [list, index] = id.split(":");
  return list === "masks" || list === "heads" || list === "positions" ? { list, index: Number(index) } : undefined;
}

function maskLabel(edit: MaskEdit, tokens: AxisTokens): string {
  const cells = edit.allow ?? edit.block ?? [];
  const [only] = cells;
  const head = scopeLabel(edit);
  if (edit.preset) return message(edit.invert ? "edits.ruleInverted" : "edits.rule", { head, rule: ruleLabel(edit.preset, edit.mode) });
  if (edit.fill !== undefined) return message("edits.fill", { head });
  if (!only || cells.length > 1) return message(edit.allow ? "edits.opened" : "edits.cells", { head, count: cells.length });
  const { queries, keys } = tokens(edit);
  return message(edit.allow ? "edits.open" : "edits.cell", { head, query: positionLabel(queries, only[0]), key: positionLabel(keys, only[1]) });
}

/** What a rule allows, with its numbers, and how it is joined where it does more than narrow what stands. */
function ruleLabel(preset: MaskPreset, mode: MaskMode = "and"): string {
  const values: PresetValues = preset;
  const { numbers, tokens } = PRESET_PARTS[preset.kind];
  const parts = [
    message(`rule.${preset.kind}`),
    ...numbers.map((name) => `${message(`rule.number.${name}`)} ${values[name] ?? 0}`),
    ...(tokens ? [`${message("rule.tokens")} ${(values.tokens ?? []).map((token) => token + 1).join(" ")}`] : []),
    ...(values.oneSided ? [message("rule.oneSided")] : []),
  ];
  const said = formatList(parts);
  return mode === "and" ? said : message("rule.joinedTo", { mode: message(`rule.mode.${mode}`), rule: said });
}

/** How tokens know where they stand, with the numbers of it, and whether their order was changed. */
function positionsLabel(edit: PositionEdit): string {
  const { scheme, parameters = {}, order } = edit;
  const parts = [
    ...(scheme ? [message(`at.${scheme}`)] : []),
    ...(scheme ? SCHEME_NUMBERS[scheme] : []).flatMap((name) => (parameters[name] === undefined ? [] : [`${message(`at.number.${name}`)} ${formatNumber(parameters[name])}`])),
    ...(isUntrained(edit) ? [message("at.untrained")] : []),
    ...(order ? [message("at.moved")] : []),
  ];
  return message("edits.placed", { head: scopeLabel(edit), scheme: formatList(parts) });
}

function positionLabel(tokens: Token[], index: number): string {
  const token = tokens[index];
  return token ? tokenLabel(token) : message("edits.position", { position: index + 1 });
}

function gateLabel(scope: Scope, gate: number): string {
  const head = scopeLabel(scope);
  return gate === 0 ? message("edits.silenced", { head }) : message("edits.gate", { head, gate: formatNumber(gate, 2) });
}

/** Where an edit applies, in as few words as it takes. */
export function scopeLabel({ stack, layers, heads }: Scope): string {
  const where = stack ? message(`stack.${stack}`) : message("edits.everywhere");
  const values = { stack: where, layer: numbers(layers), head: numbers(heads) };
  if (layers && heads) return message("edits.head", values);
  if (layers) return message("edits.layer", values);
  return heads ? message("edits.headOfEach", values) : where;
}

function numbers(indices: number[] = []): string {
  return formatList(indices.map((index) => formatNumber(index + 1)));
}
