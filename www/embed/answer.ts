/**
 * The contents of figures in other pages, read from a run. This module has everything that a figure
 * near the window needs, the engine included; it is loaded only then.
 */
import type { HeadRef, ModelInfo } from "../data/index.js";
import type {
  HeadscopeGrid,
  HeadscopePositions,
  HeadscopeSpectrum,
  HeadscopeTokens,
} from "../elements/index.js";
import { refuse } from "../engine/errors.js";
import { loadSentences, message } from "../i18n/index.js";
import { modelLabel } from "../session/models/models.js";
import { isBlank } from "../session/run/computation.js";
import { FigureView } from "../session/run/figure-view.js";
import { cellAt, cellsAt, placeIn } from "../session/run/head.js";
import { namedSpectra } from "../session/run/head-words.js";
import { PAIR_PICTURES } from "../session/run/pair-pictures.js";
import { absentIn } from "../session/run/fitting.js";
import { chosenHead, tokensOf } from "../session/run/selection.js";
import {
  type Decoded,
  hasEdits,
  type ModelName,
  paintCells,
  type Picture,
  type State,
  unreadAttribute,
  writtenAttribute,
} from "../state/index.js";
import type { ModelTag } from "./heights.js";
import { type Lacking, type Reading, refuseAbsent, regionWithin, type Source } from "./reading.js";
import type { RunLease } from "./run-lease.js";

export { runOf } from "./run-lease.js";

export interface Shown extends Reading {
  /** The model and the head, or as much of them as the figure shows, for its caption. */
  about: string;
  head: HeadRef;
  info: ModelInfo;
  /** The readings of the run, for the next State of the same figure. */
  view: FigureView;
}

export function refuseUnread(element: Element, decoded: Decoded): void {
  const unread = unreadAttribute(element, decoded);
  if (unread)
    throw refuse("attribute/unreadable", "Reading an attribute", unread.form, unread.written);
}

/**
 * The contents of a figure for a State, or the reason why there are none. Everything that its
 * attributes `asked` for exists, or is refused. `last` is the previous answer of the figure.
 */
export async function answer(
  tag: ModelTag,
  lease: RunLease,
  state: State,
  asked: Decoded,
  last?: FigureView,
): Promise<Shown | Lacking> {
  const model = await lease.model;
  const { info } = model;
  if (isBlank(state.text) && !info.image) return { lacks: "embed.blank" };
  const run = await lease.run;
  const head = chosenHead(state, info);
  if (!head) throw new Error("The model has no attention.");
  const [absent] = absentIn(state, info, run).filter(
    ({ key }) => asked.named.includes(key) && state[key] === asked.state[key],
  );
  if (absent) throw refuseAbsent(writtenAttribute(absent.key, state), absent.there);

  const shown = stateOf(tag, state);
  const view = last?.run === run ? last : new FigureView(model, run, shown);
  view.state = shown;
  const about = aboutOf(tag, state, head);
  return {
    about,
    head,
    info,
    view,
    ...(await READS[tag]({ view, head, info, run, state, lease })),
  };
}

/** The figures of a model's text, and those of a stack; all others are of one head. */
const OF_TEXT: readonly ModelTag[] = [
  "headscope-tokens",
  "headscope-lens",
  "headscope-attribution",
];
const OF_STACK: readonly ModelTag[] = [
  "headscope-grid",
  "headscope-positions",
  "headscope-effects",
];

/** The caption of a figure whose page has no words of its own for it. */
function aboutOf(tag: ModelTag, state: State, head: HeadRef): string {
  const nameOf = (model: ModelName, { stack, layer, head }: HeadRef): string => {
    const names = [modelLabel(model)];
    if (!OF_TEXT.includes(tag)) names.push(message(`stack.${stack}`));
    if (!OF_TEXT.includes(tag) && !OF_STACK.includes(tag))
      names.push(message("head.title", { layer: layer + 1, head: head + 1 }));
    return names.join(" · ");
  };
  const shown = nameOf(state.model, head);
  const other = nameOf(state.otherModel ?? state.model, state.otherHead ?? head);
  const names = tag === "headscope-difference" && other !== shown ? `${shown} − ${other}` : shown;
  return hasEdits(state.edits) ? message("embed.edited", { names }) : names;
}

/** The State of a figure, with the picture of its tag. */
function stateOf(tag: ModelTag, state: State): State {
  const picture = PICTURES[tag] ?? "heatmap";
  return { ...state, picture, compare: null };
}

/** The figures that are pictures of the page. */
const PICTURES: Readonly<Partial<Record<ModelTag, Picture>>> = {
  "headscope-image": "image",
  "headscope-lines": "lines",
  "headscope-dimensions": "dimensions",
  "headscope-mask": "mask",
  "headscope-positions": "positions",
  "headscope-steps": "steps",
  "headscope-lens": "layers",
  "headscope-attribution": "layers",
};

/** The table of the readings of each figure. */
const READS: Readonly<Record<ModelTag, (source: Source) => Promise<Reading | Lacking>>> = {
  "headscope-heatmap": (source) => readPairs("heatmap", source),
  "headscope-image": (source) => readPairs("image", source),
  "headscope-lines": (source) => readPairs("lines", source),
  "headscope-dimensions": (source) => readPairs("dimensions", source),
  "headscope-mask": (source) => readPairs("mask", source),
  "headscope-difference": async (source) =>
    (await import("./difference-figure.js")).readDifference(source),
  "headscope-positions": async ({ view }) => {
    await view.read([view.positionsRead]);
    return { properties: { tensor: view.positionTensor } satisfies Partial<HeadscopePositions> };
  },
  "headscope-steps": async (source) => (await import("./steps-figure.js")).readSteps(source),
  "headscope-spectrum": async ({ view }) => {
    await Promise.all([loadSentences("pictures"), view.read([view.spectrumRead])]);
    const { spectrum, unusual } = view;
    if (spectrum === "too-long") return { lacks: "error.selection/too-large" };
    const lists = spectrum ? namedSpectra(spectrum, unusual) : [];
    return { properties: { lists } satisfies Partial<HeadscopeSpectrum> };
  },
  "headscope-grid": async ({ view, head }) => {
    // The table of heads also has their measures on this text.
    await view.read([view.thumbnailsRead, view.measuresRead]);
    const { thumbnails, measures, captions, roles, ablated } = view;
    return {
      properties: {
        thumbnails,
        stack: head.stack,
        measures,
        captions,
        roles,
        colours: view.state.colours,
        selected: head,
        ablated,
      } satisfies Partial<HeadscopeGrid>,
    };
  },
  // What the figures of layers need, and no other figure.
  "headscope-lens": async (source) => (await import("./layer-figures.js")).readLens(source),
  "headscope-attribution": async (source) =>
    (await import("./layer-figures.js")).readAttribution(source),
  "headscope-effects": async ({ head: { stack }, state, lease }) => {
    // The code of patches, which no other figure needs.
    const { readEffects } = await import("./effects.js");
    return readEffects(await lease.model, state, stack);
  },
  "headscope-tokens": ({ run, info, head, state }) => {
    const written = info.architecture === "encoder-decoder" && head.stack !== "encoder";
    const { queries: tokens } = tokensOf(run, head.stack);
    const label = message(written ? "text.targetTokens" : "embed.tokens");
    const locked = state.locked ? [state.locked.query] : [];
    const properties = { tokens, locked, label } satisfies Partial<HeadscopeTokens>;
    return Promise.resolve({ properties });
  },
};

/**
 * The contents of a figure of a head's pairs, as the page shows them in the same picture, with
 * blocked and locked pairs.
 */
async function readPairs(
  picture: keyof typeof PAIR_PICTURES,
  { view, head, info, state }: Source,
): Promise<Reading> {
  await view.read([view.headRead, view.imageRead]);
  const { enlarges, isOfOneQuery, properties } = PAIR_PICTURES[picture];
  const { displayed, image, unusual, blockedPlaces, locked, focused } = view;
  if (!displayed) throw new Error("A head that was read cannot be displayed.");
  const { figures, weights } = displayed;
  const refusal = figures.other?.refusal ?? null;
  if (refusal !== null) throw refusal;
  if (enlarges) regionWithin(state, weights);
  const headCount = view.size?.heads ?? 0;
  return {
    properties: {
      ...properties(displayed, { state, headCount, info, image, unusual }),
      blocked: blockedPlaces,
      locked: placeIn(displayed, locked),
      // A picture of one query needs a query even if none is locked.
      focused: isOfOneQuery ? placeIn(displayed, focused) : null,
    },
    cellAt: (place) => cellAt(displayed, place),
    paint: ({ edits }, places, how) => {
      const cells = places.flatMap((place) => cellsAt(displayed, place));
      return { edits: paintCells(edits, head, cells, how, figures.mask) };
    },
  };
}
