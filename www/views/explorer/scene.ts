import type {
  Architecture,
  BlockRef,
  Cell,
  HeadRef,
  ModelInfo,
  PositionOrigins,
  Stack,
} from "../../data/index.js";
import type { Chip } from "../../elements/chips.js";
import type { HeadDetail } from "../../elements/events.js";
import { loadSentences } from "../../i18n/index.js";
import {
  blockedCells,
  countEdits,
  type EditLists,
  hasEdits,
  type Limits,
  positionOrigin,
  type Side,
  STACKS,
  type State,
} from "../../state/index.js";
import { Later } from "../../ui/lazy.js";
import type { AxisTokens } from "../edit-labels.js";
import { architectureOf } from "../models.js";
import { NO_STRIP, type Strip } from "../parts/sentence-bar.js";
import type { Computation } from "../run/computation.js";
import { type HeadFigures, tokensOf } from "../run/figures.js";
import { groupAt, placeIn, strongestAt } from "../run/looked-cells.js";
import { lensOf, type Looked, lookedAt } from "../run/looked.js";
import type { Place } from "../run/readings.js";
import {
  axisOf,
  cellWithin,
  chosenHead,
  headsBeside,
  limitsOf,
  silencedHeads,
  stacksOf,
} from "../run/selection.js";
import { type Together, togetherOf } from "../run/together.js";

/** What is under the pointer or the keyboard, which no link carries. */
export interface Hover {
  cell: Cell | null;
  head: HeadRef | null;
}

export const NO_HOVER: Hover = { cell: null, head: null };

/** Everything that the parts show, worked out from the State, the run and the pointer. */
export interface Scene {
  /** Null while it is not known. */
  architecture: Architecture | null;
  stacks: Stack[];
  /** The head that was chosen, and the one that is shown: the hovered one, or else the chosen one. */
  chosen: HeadRef | null;
  shown: HeadRef | null;
  headDim: number;
  /** How many heads the layer has, and which of them are drawn beside the one that is shown. */
  headCount: number;
  /** How many types of token the model tells apart. */
  tokenTypes: number;
  /** What made the numbers that positions add. */
  origins: PositionOrigins;
  beside: number[];
  figures: HeadFigures | null;
  /** The same as the picture shows it: by word, without special tokens, without the sink. */
  looked: Looked | null;
  /** Where the tokens that were picked look together. */
  together: Together | null;
  /** `hovered ?? locked`, and where there is neither, the strongest pair. */
  focused: Cell | null;
  locked: Cell | null;
  /** Blocked in the head that is drawn, which is the one that is shown as soon as it was read. */
  blocked: Cell[];
  silenced: HeadDetail[];
  /** What is edited in words, as soon as there are words for it. */
  chips: Chip[];
  editCount: number;
  source: Strip;
  result: Strip;
  /** Where in the text the model is asked what it expects; null where it expects nothing. */
  place: Place | null;
}

const EMPTY: Scene = {
  architecture: null,
  stacks: [],
  chosen: null,
  shown: null,
  headDim: 0,
  headCount: 0,
  tokenTypes: 0,
  origins: { encoder: "learnt", decoder: "learnt" },
  beside: [],
  figures: null,
  looked: null,
  together: null,
  focused: null,
  locked: null,
  blocked: [],
  silenced: [],
  chips: [],
  editCount: 0,
  source: NO_STRIP,
  result: NO_STRIP,
  place: null,
};

/** Before there is a model: what is known of the one that is on its way. */
function sceneBefore(architecture: Architecture | null): Scene {
  const stacks = STACKS.filter(
    (stack) => architecture === "encoder-decoder" || stack === architecture,
  );
  return { ...EMPTY, architecture, stacks };
}

/** Works out the scene. Parts of `before` that did not change are the same objects, so that nothing repaints for them. */
export function sceneOf(
  state: State,
  computation: Computation,
  figures: HeadFigures | null,
  hover: Hover,
  before: Scene = EMPTY,
): Scene {
  const info = computation.model?.info;
  if (!info)
    return keepingSame(
      { ...sceneBefore(architectureOf(state.model)), editCount: countEdits(state.edits) },
      before,
    );
  const chosen = chosenHead(state, info);
  const shown = hover.head?.stack === chosen?.stack && hover.head ? hover.head : chosen;
  const drawn = figures?.head ?? shown;
  const limits = limitsNow(info, computation);
  const looked = figures && lookedAt(figures, lensOf(state));
  const seen = (cell: Cell | null): Cell | null =>
    looked && (placeIn(looked, cell) ? cellWithin(cell, looked.figures.stages.weights) : null);
  const locked = seen(state.locked);
  const focused = seen(hover.cell) ?? locked ?? (looked && strongestAt(looked));
  const together = looked && togetherOf(state.picked, looked, info);
  const strips = { looked, focused, locked, together, state, info, computation };
  const scene: Scene = {
    architecture: info.architecture,
    stacks: stacksOf(info),
    chosen,
    shown,
    headDim: (shown && info.stacks[shown.stack]?.headDim) ?? 0,
    headCount: (shown && info.stacks[shown.stack]?.heads) ?? 0,
    tokenTypes: info.tokenTypes,
    origins: {
      encoder: positionOrigin(info.positions, state.edits, "encoder"),
      decoder: positionOrigin(info.positions, state.edits, "decoder"),
    },
    beside: shown ? headsBeside(state.beside, shown, info) : [],
    figures,
    looked,
    together,
    focused,
    locked,
    blocked: drawn ? blockedCells(state.edits, drawn, figures?.mask ?? null) : [],
    silenced: chosen ? silencedHeads(state, chosen.stack, info) : [],
    chips: chipsOf(
      state.edits,
      limits,
      ({ stack }) =>
        computation.run ? tokensOf(computation.run, stack ?? "encoder") : { queries: [], keys: [] },
      computation.run?.onCpu() ?? [],
    ),
    editCount: countEdits(state.edits),
    source: stripOf("source", strips),
    result: stripOf("target", strips),
    place:
      info.predicts && shown && focused
        ? placeOf(shown.stack, focused, state.hidden, strips)
        : null,
  };
  return keepingSame(scene, before);
}

/**
 * A decoder is asked what comes after the query. An encoder is asked what stands where a token is hidden: at the query
 * or the key, or else where one was hidden last.
 */
function placeOf(
  stack: Stack,
  { query, key }: Cell,
  hidden: readonly number[],
  { info, computation: { run } }: StripContext,
): Place | null {
  if (stack !== "encoder") return { kind: "after", position: query };
  if (info.architecture !== "encoder") return null;
  const gap = [query, key, ...hidden.toReversed()].find(
    (position) => run?.tokens[position]?.role === "mask",
  );
  return gap === undefined ? null : { kind: "instead", position: gap };
}

function limitsNow(info: ModelInfo, { run }: Computation): Limits {
  return limitsOf(info, run?.tokens.length ?? 0, run?.targetTokens.length ?? 0);
}

interface StripContext {
  looked: Looked | null;
  focused: Cell | null;
  locked: Cell | null;
  together: Together | null;
  state: State;
  info: ModelInfo;
  computation: Computation;
}

function stripOf(
  side: Side,
  {
    looked,
    focused,
    locked,
    together,
    state: { picked },
    info,
    computation: { run },
  }: StripContext,
): Strip {
  const axis = looked && axisOf(side, looked.figures.head.stack, info);
  const groups = axis && (axis === "query" ? looked.rows : looked.columns);
  // With a word all its pieces are held.
  const whole = (index: number): readonly number[] => groups?.[groupAt(groups, index)] ?? [index];
  const held = picked?.side === side ? picked.tokens : axis && locked ? [locked[axis]] : [];
  return {
    tokens: (side === "source" ? run?.tokens : run?.targetTokens) ?? [],
    focused: axis && focused ? focused[axis] : null,
    byWord: looked?.lens.byWord ?? false,
    locked: [...new Set(held.flatMap(whole))],
    shares: together?.side === side ? together.shares : [],
  };
}

/** `now`, with every field that says the same as in `before` taken from there. */
function keepingSame(now: Scene, before: Scene): Scene {
  const same = (name: keyof Scene): boolean =>
    name !== "figures" && name !== "looked" && saysSame(now[name], before[name]);
  const kept = Object.fromEntries(
    Object.entries(before).filter(([name]) => isField(name) && same(name)),
  );
  return { ...now, ...kept };
}

function isField(name: string): name is keyof Scene {
  return name in EMPTY;
}

/**
 * Whether two things of lists and plain fields say the same. What is the very same thing is not looked into: a long
 * text's tokens are compared at every move of the pointer.
 */
export function saysSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  const [names, others] = [Object.entries(one), Object.entries(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === others.length &&
    names.every(([name, value], at) => others[at]?.[0] === name && saysSame(value, others[at][1]))
  );
}

/** What says of an edit what it does: a page without edits does without. */
export const EDIT_LABELS = new Later(async () => {
  const [labels] = await Promise.all([import("../edit-labels.js"), loadSentences("rules")]);
  return labels;
});

const NONE: Chip[] = [];

/** A chip for every edit, once their words are here. */
export function chipsOf(
  edits: EditLists,
  limits: Limits,
  tokens: AxisTokens,
  onCpu: readonly BlockRef[],
): Chip[] {
  return hasEdits(edits)
    ? (EDIT_LABELS.want()?.editChips(edits, limits, tokens, onCpu) ?? NONE)
    : NONE;
}
