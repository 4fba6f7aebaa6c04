// What figures in other pages show of a run. All that one needs once it is near the window stands here, the engine
// included; until then nothing of it is fetched.
import type { Cell, HeadRef, ModelInfo, Region, Stage, StepCell, Tensor } from "../data/index.js";
import type {
  HeadscopeDifference,
  HeadscopeGrid,
  HeadscopeHeatmap,
  HeadscopePositions,
  HeadscopeSpectrum,
  HeadscopeSteps,
  HeadscopeTokens,
} from "../elements/index.js";
import { Memo } from "../elements/shared/controllers.js";
import { refuse } from "../engine/errors.js";
import type { HeadscopeError, Model, Run } from "../headscope.js";
import { message, type MessageKey } from "../i18n/index.js";
import {
  blockedCells,
  editLists,
  hasEdits,
  unreadAttribute,
  unusualStages,
  writtenAttribute,
  type Decoded,
  type StackSizes,
  type State,
} from "../state/index.js";
import { roleCaptions, assignedRoles } from "../views/run/head-order.js";
import { isSigned, mapCell, pairedHead } from "../views/pairs/alignment.js";
import { secondRequest } from "../views/pairs/second-run.js";
import { inputOf } from "../views/run/computation.js";
import { asFailure, isExpected, sentenceOf } from "../views/run/failures.js";
import { FIGURE_PROPERTIES } from "../views/run/figure-properties.js";
import {
  positionedStack,
  readHead,
  THUMBNAIL_SIZE,
  tokensOf,
  type HeadFigures,
  type HeadRequest,
} from "../views/run/figures.js";
import { absentIn } from "../views/run/fitting.js";
import {
  blockedPlaces,
  type DisplayedPattern,
  displayPattern,
  lensOf,
  placeIn,
  strongestAt,
} from "../views/run/displayed.js";
import { addressOf } from "../views/run/model-cache.js";
import {
  explainNumber,
  heldNumber,
  namedSpectra,
  readSpectrum,
  type Explained,
} from "../views/run/readings.js";
import {
  cellWithin,
  chosenHead,
  headsBeside,
  silencedHeads,
  strongestCell,
} from "../views/run/selection.js";
import type { FigureTag } from "./heights.js";
import { RunLease } from "./runs.js";

/** What a figure shows. */
export interface Reading {
  properties: object;
  /** The head as a figure about its pairs shows it: its cells may stand for several of tokens. */
  displayed?: DisplayedPattern;
  /** Of a figure with axes of its own, the pair of tokens that a cell stands for; null where there is none. */
  cellOf?: (place: Cell) => Cell | null;
}

/** What a figure has on the screen. */
export interface Shown extends Reading {
  run: Run;
  head: HeadRef;
  /** How many layers and heads each stack of the model has. */
  sizes: StackSizes;
  /** What computed it: where no GPU is to be had, not what was asked for. */
  backend: ModelInfo["backend"];
}

/** Why there is nothing to show, though nothing failed. */
export interface Lacking {
  lacks: MessageKey;
}

/** What a figure has read of a head, by name: it stays while only another pair or number of it is held. */
export type Memory = Map<string, Memo<unknown>>;

function remembered<Value>(
  memory: Memory,
  name: string,
  inputs: readonly unknown[],
  read: () => Value,
): Value {
  const memo = (memory.get(name) ?? new Memo<unknown>()) as Memo<Value>;
  memory.set(name, memo);
  return memo.get(inputs, read);
}

/** Begins the run that a State asks for. `restarted` is called if the engine crashed and runs again. */
export function runOf(state: State, restarted: () => void): RunLease {
  const { model: name, backend } = state;
  return new RunLease(addressOf(name), (model) => inputOf(state, model), restarted, backend);
}

/** Refuses an element with an attribute that cannot be read. */
export function refuseUnread(element: Element, decoded: Decoded): void {
  const unread = unreadAttribute(element, decoded);
  if (unread)
    throw refuse("attribute/unreadable", "Reading an attribute", unread.form, unread.written);
}

/** Of an attribute that asks for what is not there, with what could be asked for instead. */
function refuseAbsent(written: string, there: string): HeadscopeError {
  return refuse("attribute/absent", "Showing a figure", there, written);
}

/** What a figure shows of what a State asks for, or why there is nothing to show. What its attributes `asked` for is there, or is refused. */
export async function answer(
  tag: FigureTag,
  lease: RunLease,
  state: State,
  memory: Memory,
  asked: Decoded,
): Promise<Shown | Lacking> {
  const [model, run] = await Promise.all([lease.model, lease.run]);
  const { info } = model;
  const head = chosenHead(state, info);
  if (!head) throw new Error("The model has no attention.");
  const [absent] = absentIn(state, info, run).filter(
    ({ key }) => asked.said.includes(key) && state[key] === asked.state[key],
  );
  if (absent) throw refuseAbsent(writtenAttribute(absent.key, state), absent.there);
  const { stacks: sizes, backend } = info;
  const headCount = sizes[head.stack]?.heads ?? 0;
  const unusual = unusualStages(state.edits, head);
  const { stack, layer, head: index } = head;
  const once: Source["once"] = (name, read) =>
    remembered(memory, name, [run, stack, layer, index], read);
  const source = { run, model, info, head, state, headCount, unusual, memory, once, lease };
  return { run, head, sizes, backend, ...(await READS[tag](source)) };
}

/** What makes a number; null where the run is gone meanwhile and another picture is on its way. */
export function explained(run: Run, head: HeadRef, cell: StepCell): Promise<Explained | null> {
  return explainNumber(run, head, cell).catch((thrown: unknown) => {
    if (isExpected(thrown)) return null;
    throw thrown;
  });
}

/** What went wrong, in the page's language, with its code. */
export async function sentenceFor(
  thrown: unknown,
  lease: RunLease | null,
): Promise<{ sentence: string; code: string }> {
  const failure = asFailure(thrown);
  const maxTokens = (await lease?.model.catch(() => null))?.info.maxTokens ?? 0;
  const around = { maxTokens, showsEarlierText: false, ownFolder: false };
  return { sentence: sentenceOf(failure, around), code: failure.code };
}

/** What a figure's properties are read from. */
interface Source {
  run: Run;
  model: Model;
  info: ModelInfo;
  /** The head that the figure asks for, or the nearest one that the model has. */
  head: HeadRef;
  state: State;
  headCount: number;
  unusual: readonly Stage[];
  /** What was read for this figure before. */
  memory: Memory;
  /** Reads something of this head once. */
  once: <Value>(name: string, read: () => Value) => Value;
  /** Where a second run can be asked for. */
  lease: Pick<RunLease, "beside">;
}

/** The one table of what each figure shows of a run. */
const READS: Readonly<Record<FigureTag, (source: Source) => Promise<Reading | Lacking>>> = {
  "headscope-heatmap": (source) => readPairs("heatmap", source),
  "headscope-mask": (source) => readPairs("mask", source),
  "headscope-difference": readDifference,
  "headscope-lines": (source) =>
    readPairs("lines", source, {
      beside: headsBeside(source.state.beside, source.head, source.info),
    }),
  "headscope-dimensions": async (source) => {
    const { displayed, properties } = await readPairs("dimensions", source, { vectors: true });
    // It is about one query: where none is held, about the one of the strongest pair.
    const focused = properties.locked ?? placeIn(displayed, strongestAt(displayed));
    return { displayed, properties: { ...properties, focused } };
  },
  "headscope-positions": async ({ run, head }) => ({
    properties: {
      tensor: await run.positions({ stack: positionedStack(head.stack) }),
    } satisfies Partial<HeadscopePositions>,
  }),
  "headscope-steps": async (source) => {
    const { run, info, head, state, once, headCount: heads, unusual } = source;
    const [{ stages, queries, keys }, steps] = await Promise.all([
      headOf(source),
      once("steps", () => run.steps(head)),
    ]);
    const locked = cellWithin(state.locked, stages.weights);
    // As with the dimensions: some number is always explained.
    if (state.number && !heldNumber(steps, state.number, null)) {
      const of = steps.find(({ step }) => step === state.number?.step);
      const [rows = 0, columns = 0] = of?.tensor.shape ?? [];
      throw refuseAbsent(
        writtenAttribute("number", state),
        of ? `${of.step}.1-1 … ${rows}-${columns}` : steps.map(({ step }) => step).join(" | "),
      );
    }
    const pair = locked ?? strongestCell(stages.weights, queries, keys);
    const held = heldNumber(steps, state.number, pair);
    const explanation = held && (await explainNumber(run, head, held));
    return {
      properties: {
        steps,
        head,
        heads,
        unusual,
        tokenTypes: info.tokenTypes,
        queries,
        keys,
        held,
        colours: state.colours,
        place: null,
        explanation: null,
        ...explanation,
      } satisfies Partial<HeadscopeSteps>,
    };
  },
  "headscope-spectrum": async ({ run, head, unusual, once }) => {
    const read = await once("spectrum", () => readSpectrum(run, head));
    if (read === "too-long") return { lacks: "error.selection/too-large" };
    const lists = namedSpectra(read, unusual);
    return { properties: { lists } satisfies Partial<HeadscopeSpectrum> };
  },
  "headscope-grid": async ({ run, model: { notes }, info, head, state, memory }) => {
    const { stack, layer, head: index } = head;
    // The table of heads says what each of them does on this text, too.
    const [thumbnails, measures] = await Promise.all([
      run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
      remembered(memory, "measures", [run, stack], () => run.measures({ stack })),
    ]);
    return {
      properties: {
        thumbnails,
        stack,
        captions: roleCaptions(notes, stack),
        worn: assignedRoles(notes, stack),
        measures,
        colours: state.colours,
        selected: { layer, head: index },
        silenced: silencedHeads(state, stack, info),
      } satisfies Partial<HeadscopeGrid>,
    };
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

/** The same head in a second run, and what the first has more: the other text or model that is named, or else the run without its edits. */
async function readDifference(source: Source): Promise<Reading | Lacking> {
  const { run, model, state, memory, lease } = source;
  const named = state.otherText !== null || state.otherModel !== null;
  const edited = hasEdits(editLists(run.fit()?.edits ?? {}));
  const comparison = state.compare ?? (named ? "other" : edited ? "original" : null);
  const request = secondRequest(state, comparison, { model, run });
  if (!request) return { lacks: "embed.nothingBeside" };
  const beside = lease.beside(addressOf(request.model), request.input);
  const [otherModel, otherRun] = await Promise.all([beside.model, beside.run]);
  const head = chosenHead(source.head, otherModel.info);
  if (!head) throw new Error("The other model has no attention.");
  for (const key of ["layer", "head"] as const)
    if (head[key] !== source.head[key])
      throw refuseAbsent(writtenAttribute(key, source.head), `1 … ${head[key] + 1}`);
  const lengths = {
    source: [run.tokens.length, otherRun.tokens.length],
    target: [run.targetTokens.length, otherRun.targetTokens.length],
  } as const;
  for (const { side, one, other } of state.pairs) {
    const [ones, others] = lengths[side];
    if (one < ones && other < others) continue;
    const last = { side, one: ones - 1, other: others - 1 };
    throw refuseAbsent(
      writtenAttribute("pairs", state),
      `… ${writtenAttribute("pairs", { pairs: [last] })}`,
    );
  }
  const [one, other] = await Promise.all([
    headOf(source),
    headOf({ run: otherRun, head, memory }, { name: "beside" }),
  ]);
  const { aligned: by, pairs: byHand, stage } = state;
  const inputs = [one, other, by, JSON.stringify(byHand), stage];
  const { shared } = remembered(memory, "paired", inputs, () =>
    pairedHead(one, other, model.info, state),
  );
  return {
    // A pair that only the other text has cannot be held: the page counts in the tokens of the first.
    cellOf: (place) => mapCell(place, shared.queries.one, shared.keys.one),
    properties: {
      tensor: shared.tensor,
      queries: shared.queries.tokens,
      keys: shared.keys.tokens,
      signed: isSigned(shared),
      region: regionWithin(state, shared.tensor),
      locked: mapCell(
        cellWithin(state.locked, one.stages.weights),
        shared.queries.ofOne,
        shared.keys.ofOne,
      ),
      focused: null,
    } satisfies Partial<HeadscopeDifference>,
  };
}

/** What is drawn of a head, read once for as long as the figure asks for the same. */
function headOf(
  { run, head, memory }: Pick<Source, "run" | "head" | "memory">,
  { beside = [], vectors = false, name = "head" }: Partial<HeadRequest> & { name?: string } = {},
): Promise<HeadFigures> {
  const inputs = [run, head.stack, head.layer, head.head, vectors, beside.join()];
  return remembered(memory, name, inputs, () => readHead(run, { ...head, beside, vectors }));
}

/** A figure of a head's pairs, as the page shows it in the same picture, with what is blocked and held. */
async function readPairs(
  picture: keyof typeof FIGURE_PROPERTIES,
  source: Source,
  request: Parameters<typeof headOf>[1] = {},
): Promise<Required<Pick<Reading, "displayed">> & { properties: Partial<HeadscopeHeatmap> }> {
  const { state, head } = source;
  const displayed = displayPattern(await headOf(source, request), lensOf({ ...state, picture }));
  const { figures, weights } = displayed;
  if (picture === "heatmap" || picture === "mask") regionWithin(state, weights);
  return {
    displayed,
    properties: {
      ...FIGURE_PROPERTIES[picture](displayed, source),
      blocked: blockedPlaces(displayed, blockedCells(state.edits, head, figures.mask)),
      locked: placeIn(displayed, cellWithin(state.locked, figures.stages.weights)),
      focused: null,
    },
  };
}

/** The part of a matrix that an attribute names, all of which has to be there. */
function regionWithin({ region }: Pick<State, "region">, { shape }: Tensor): Region | null {
  const [rows = 0, columns = 0] = shape;
  if (region && (region.query + region.rows > rows || region.key + region.columns > columns))
    throw refuseAbsent(writtenAttribute("region", { region }), `1-${rows}x1-${columns}`);
  return region;
}
