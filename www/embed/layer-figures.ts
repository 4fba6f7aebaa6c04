/**
 * The contents of `<headscope-lens>` and `<headscope-attribution>`, read from a run: what layers
 * predict, and what adds up to a logit.
 */
import type { HeadscopeAttribution, HeadscopeLens } from "../elements/index.js";
import { formatFixed, loadSentences, message } from "../i18n/index.js";
import {
  nameOfEntry,
  quantityOf,
  shadedBy,
  strongestParts,
  wordsOf,
} from "../session/run/layer-words.js";
import type { Lacking, Reading, Source } from "./reading.js";

/** What each depth predicts, coloured by a number. */
export async function readLens({ view, info, state }: Source): Promise<Reading | Lacking> {
  if (!info.predicts) return { lacks: "inspect.nextNone" };
  await Promise.all([loadSentences("layers"), view.read([view.layersRead])]);
  const { layers, depth } = view;
  if (!layers) throw new Error("Layers that were read are not there.");
  return {
    properties: {
      tokens: [...layers.tokens],
      words: wordsOf(layers, info),
      numbers: shadedBy(layers, state.shade),
      quantity: quantityOf(state),
      chosen: depth,
      colours: state.colours,
    } satisfies Partial<HeadscopeLens>,
  };
}

/** What adds up to the logit of the chosen entry, or of the likeliest at the end. */
export async function readAttribution({ view, info }: Source): Promise<Reading | Lacking> {
  if (!info.predicts) return { lacks: "inspect.nextNone" };
  await Promise.all([loadSentences("layers"), view.read([view.layersRead, view.attributionRead])]);
  const { layers, attribution, attributed } = view;
  if (!layers || !attribution || !attributed)
    throw new Error("The parts of a logit that were read are not there.");
  const parts = strongestParts(attribution.parts);
  const { id, against } = attributed.asked;
  const nameOf = (entry: number): string =>
    nameOfEntry(layers, entry) ?? (view.model.decode([entry]).trim() || `#${entry}`);
  const token = nameOf(id);
  return {
    properties: {
      heading:
        against === undefined
          ? message("layers.parts.title", { token })
          : message("layers.parts.difference", { token, other: nameOf(against) }),
      max: Math.max(...parts.map(({ value }) => Math.abs(value)), Number.MIN_VALUE),
      items: parts.map(({ label, value }) => ({ label, value, text: formatFixed(value, 2) })),
    } satisfies Partial<HeadscopeAttribution>,
  };
}
