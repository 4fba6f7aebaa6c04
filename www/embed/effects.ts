/**
 * The contents of `<headscope-effects>`: what patches recover of the difference between two texts,
 * with the choices of the experiment “Patching”. They are read where an address has them: what is
 * patched, the direction and the measure as settings of the demo `patching`, the target's tokens as
 * `entry` and `against`.
 */
import type { At, Stack } from "../data/index.js";
import type { HeadscopeEffects } from "../elements/index.js";
import { tokenLabels } from "../elements/shared/templates.js";
import {
  type AskedTexts,
  lacksMask,
  otherModelRefusal,
  readTextPair,
  targetsOf,
  targetWords,
  type TextPair,
} from "../experiments/patching/text-pair.js";
import type { Model, PatchGridOptions, PatchTarget } from "../headscope.js";
import { loadSentences, message } from "../i18n/index.js";
import { settingsIn } from "../kit/fields.js";
import { placeNames } from "../kit/figure-data.js";
import { modelLabel } from "../session/models/models.js";
import { readingOf } from "../session/run/chat.js";
import { hasEdits, type State } from "../state/index.js";
import type { Lacking, Reading } from "./reading.js";

/** The choices of a grid that a State holds; the engine refuses those that it does not know. */
interface Choices {
  what: PatchGridOptions["what"];
  direction: NonNullable<PatchGridOptions["direction"]>;
  stack: Stack;
  isDifference: boolean;
}

/**
 * The grid of a State, or the reason why there is none. `stack` is the stack of the figure, which
 * the settings may override.
 */
export async function readEffects(
  model: Model,
  state: State,
  stack: Stack,
): Promise<(Reading & { about: string }) | Lacking> {
  if (!model.info.predicts) return { lacks: "inspect.nextNone" };
  if (state.otherText === null) return { lacks: "embed.nothingBeside" };
  const refusal = otherModelRefusal(state);
  if (refusal) throw refusal;
  await loadSentences("layers", "experiments");
  const settings = settingsIn(state.demos, "patching");
  const isCorrupted = settings.get("sentence") === "corrupted";
  const texts = askedTexts(state, state.otherText, isCorrupted);
  const asked = { ...texts, reading: readingOf(model, state) };
  if (lacksMask(model, asked)) return { lacks: "layers.noMask" };
  const choices = {
    what: settings.get("what") ?? "head",
    direction: settings.get("direction") ?? "denoise",
    stack: settings.get("stack") ?? stack,
    isDifference: settings.get("measure") !== "probability",
  } as Choices;
  const pair = await readTextPair(model, asked, new AbortController().signal);
  const { what, direction, stack: of } = choices;
  const target = targetOf(pair, state, choices);
  const grid = model.patchGrid({ ...pair.inputs, target, what, direction, stack: of });
  const cells: { at: At; recovered: number }[] = [];
  for await (const { at, recovered } of grid) if (recovered !== null) cells.push({ at, recovered });
  if (cells.length === 0) return { lacks: "layers.noEffect" };
  const label = labelOf(choices, targetWords(pair, target), asked.texts);
  const names = [modelLabel(state.model), message(`stack.${of}`), label].join(" · ");
  return {
    about: hasEdits(state.edits) ? message("embed.edited", { names }) : names,
    properties: { ...propertiesOf(pair, choices, cells), label, colours: state.colours },
  };
}

/** What the numbers are of: what is patched, the target, and which text goes into which. */
function labelOf({ what, direction }: Choices, target: string, texts: AskedTexts["texts"]): string {
  const patched = message(`patching.what.${what}`);
  return [patched, target, message(`layers.effects.${direction}`, texts)].join(" · ");
}

function askedTexts(
  { text, masked, target, edits }: State,
  other: string,
  isCorrupted: boolean,
): Omit<AskedTexts, "reading"> {
  const texts = isCorrupted ? { clean: other, corrupted: text } : { clean: text, corrupted: other };
  return { texts, masked, target: isCorrupted ? null : target, edits };
}

/** The target of the experiment: by default the likeliest entry of each text. */
function targetOf(
  pair: TextPair,
  { entry, against }: Pick<State, "entry" | "against">,
  { isDifference }: Choices,
): PatchTarget {
  const { usual } = targetsOf(pair);
  const id = entry ?? usual.id;
  const minus = against ?? usual.minus;
  const isOne = !isDifference || minus === null || minus === id;
  return { id, position: pair.position, ...(!isOne && { minus }) };
}

/** The table of the cells: heads, or the positions of each layer by their tokens. */
function propertiesOf(
  { model: { info }, tokens, targetTokens }: TextPair,
  { stack }: Choices,
  cells: readonly { at: At; recovered: number }[],
): Partial<HeadscopeEffects> {
  const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
  const ofHeads = cells.some(({ at }) => at.head !== undefined);
  const columnNames = ofHeads
    ? placeNames(heads)
    : tokenLabels(stack === "encoder" ? tokens : targetTokens);
  const columns = columnNames.length;
  const data = new Float32Array(layers * columns).fill(Number.NaN);
  for (const { at, recovered } of cells)
    data[at.layer * columns + (at.head ?? at.positions?.[0] ?? 0)] = recovered;
  return {
    tensor: { data, shape: [layers, columns], axes: ["layer", ofHeads ? "head" : "position"] },
    rowNames: placeNames(layers),
    columnNames,
    titles: {
      rows: message("layers.layer"),
      columns: message(ofHeads ? "layers.head" : "figure.position"),
      values: message("layers.recovered"),
    },
    signed: true,
  };
}
