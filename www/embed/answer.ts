// What figures in other pages show of a run. All that one needs once it is near the window stands
// here, the engine included; until then nothing of it is fetched.
import type { Cell, HeadRef, ModelInfo, Region, Stage, StepCell, Tensor } from "../data/index.js";
import { blockStackOf } from "../data/index.js";
import type {
  HeadscopeDifference,
  HeadscopeGrid,
  HeadscopePositions,
  HeadscopeSpectrum,
  HeadscopeSteps,
  HeadscopeTokens,
} from "../elements/index.js";
import { refuse } from "../engine/errors.js";
import type { HeadscopeError, Model, Run, Backend, RunInput } from "../headscope.js";
import { message, type MessageKey } from "../i18n/index.js";
import {
  blockedCells,
  editLists,
  hasEdits,
  nameOfHead,
  type Paint,
  paintCells,
  unreadAttribute,
  unusualStages,
  writtenAttribute,
  type Decoded,
  type State,
} from "../state/index.js";
import { isSigned, mapCell, pairedHead } from "../session/alignment.js";
import { secondRequest } from "../session/second-run.js";
import { inputOf, isBlank } from "../session/run/computation.js";
import {
  blockedPlaces,
  cellAt,
  cellsAt,
  displayPattern,
  type HeadFigures,
  type HeadRequest,
  placeIn,
  readHead,
  strongestAt,
  THUMBNAIL_SIZE,
} from "../session/run/head.js";
import { isExpected } from "../session/run/failures.js";
import {
  absentIn,
  cellWithin,
  chosenHead,
  headsBeside,
  ablatedHeads,
  strongestCell,
  tokensOf,
} from "../session/run/selection.js";
import { assignedRoles, roleCaptions } from "../session/run/head-order.js";
import { addressOf } from "../session/models/addresses.js";
import { pageHome } from "../session/models/home.js";
import { BackendChoice } from "../session/models/backend-choice.js";
import { models } from "../session/models/model-pool.js";
import { Pool } from "../session/models/pool.js";
import { lensOf, PAIR_PICTURES } from "../session/run/pair-pictures.js";
import { ShownImage } from "../session/run/shown-image.js";
import {
  explainNumber,
  heldNumber,
  readSpectrum,
  type Explained,
} from "../session/run/readings.js";
import { namedSpectra } from "../session/run/head-words.js";
import type { FigureTag } from "./heights.js";

export { describeFailure } from "../session/run/failures.js";

/** Figures that work alone show models of images with the sample. */
const SAMPLE = new ShownImage();

interface Reading {
  properties: object;
  /** The pair of tokens that a cell stands for; null where there is none. */
  cellAt?: (place: Cell | null) => Cell | null;
  /** Blocks or opens what cells stand for. */
  paint?: (state: State, places: readonly Cell[], how: Paint) => Pick<State, "edits">;
  /**
   * What makes a number; null where the run is gone meanwhile and another picture is on its way.
   */
  explain?: (cell: StepCell) => Promise<Explained | null>;
}

export interface Shown extends Reading {
  head: HeadRef;
  info: ModelInfo;
}

export interface Lacking {
  lacks: MessageKey;
}

/** What was read of each run, for all figures that share it. */
const reads = new WeakMap<Run, Map<string, Promise<unknown>>>();
const MOST_READS = 16;

function once<Value>(run: Run, key: string, read: () => Promise<Value>): Promise<Value> {
  const known = reads.get(run) ?? new Map<string, Promise<unknown>>();
  reads.set(run, known);
  const value = (known.get(key) ?? read()) as Promise<Value>;
  known.set(key, value);
  value.catch(() => known.delete(key));
  const [oldest = ""] = known.keys();
  if (known.size > MOST_READS) known.delete(oldest);
  return value;
}

/**
 * Begins the run that a State asks for. `restarted` is called if the engine crashed and runs again.
 */
export const runOf = (state: State, restarted: () => void): RunLease =>
  new RunLease(
    addressOf(state.model, pageHome()),
    (model) => inputOf(state, model, SAMPLE),
    restarted,
    state.backend,
  );

export function refuseUnread(element: Element, decoded: Decoded): void {
  const unread = unreadAttribute(element, decoded);
  if (unread)
    throw refuse("attribute/unreadable", "Reading an attribute", unread.form, unread.written);
}

/** Of an attribute that asks for what is not there, with what could be asked for instead. */
const refuseAbsent = (written: string, there: string): HeadscopeError =>
  refuse("attribute/absent", "Showing a figure", there, written);

/**
 * What a figure shows of what a State asks for, or why there is nothing to show. What its
 * attributes `asked` for is there, or is refused.
 */
export async function answer(
  tag: FigureTag,
  lease: RunLease,
  state: State,
  asked: Decoded,
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
  const headCount = info.stacks[head.stack]?.heads ?? 0;
  const unusual = unusualStages(state.edits, head);
  const source = { run, model, info, head, state, headCount, unusual, lease };
  return { head, info, ...(await READS[tag](source)) };
}

interface Source {
  run: Run;
  model: Model;
  info: ModelInfo;
  /** The head that the figure asks for, or the nearest one that the model has. */
  head: HeadRef;
  state: State;
  headCount: number;
  unusual: readonly Stage[];
  lease: RunLease;
}

/** The one table of what each figure shows of a run. */
const READS: Readonly<Record<FigureTag, (source: Source) => Promise<Reading | Lacking>>> = {
  "headscope-heatmap": (source) => readPairs("heatmap", source),
  "headscope-image": (source) => readPairs("image", source),
  "headscope-lines": (source) => readPairs("lines", source),
  "headscope-dimensions": (source) => readPairs("dimensions", source),
  "headscope-mask": (source) => readPairs("mask", source),
  "headscope-difference": readDifference,
  "headscope-positions": async ({ run, head }) => {
    const tensor = await run.positions({ stack: blockStackOf(head) });
    return { properties: { tensor } satisfies Partial<HeadscopePositions> };
  },
  "headscope-steps": async (source) => {
    const { run, info, head, state, headCount: heads, unusual } = source;
    const [{ stages, queries, keys }, steps] = await Promise.all([
      headOf(run, head),
      once(run, `steps ${nameOfHead(head)}`, () => run.steps(head)),
    ]);
    // As with the dimensions: some number is always explained.
    if (state.number && !heldNumber(steps, state.number, null)) {
      const of = steps.find(({ step }) => step === state.number?.step);
      const [rows = 0, columns = 0] = of?.tensor.shape ?? [];
      throw refuseAbsent(
        writtenAttribute("number", state),
        of ? `${of.step}.1-1 … ${rows}-${columns}` : steps.map(({ step }) => step).join(" | "),
      );
    }
    const locked = cellWithin(state.locked, stages.weights);
    const pair = locked ?? strongestCell(stages.weights, queries, keys);
    const held = heldNumber(steps, state.number, pair);
    const { tokenTypes } = info;
    const { colours } = state;
    const explanation = held
      ? await explainNumber(run, { ...head, ...held })
      : { place: null, explanation: null };
    return {
      properties: {
        steps,
        head,
        heads,
        unusual,
        tokenTypes,
        queries,
        keys,
        held,
        colours,
        ...explanation,
      } satisfies Partial<HeadscopeSteps>,
      explain: (cell) =>
        explainNumber(run, { ...head, ...cell }).catch((thrown: unknown) => {
          if (isExpected(thrown)) return null;
          throw thrown;
        }),
    };
  },
  "headscope-spectrum": async ({ run, head, unusual }) => {
    const read = await once(run, `spectrum ${nameOfHead(head)}`, () => readSpectrum(run, head));
    if (read === "too-long") return { lacks: "error.selection/too-large" };
    const lists = namedSpectra(read, unusual);
    return { properties: { lists } satisfies Partial<HeadscopeSpectrum> };
  },
  "headscope-grid": async ({ run, model: { notes }, info, head, state }) => {
    const { stack } = head;
    // The table of heads has their measures on this text, too.
    const [thumbnails, measures] = await Promise.all([
      run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
      once(run, `measures ${stack}`, () => run.measures({ stack })),
    ]);
    const roles = assignedRoles(notes, stack);
    return {
      properties: {
        thumbnails,
        stack,
        measures,
        captions: roleCaptions(roles),
        roles,
        colours: state.colours,
        selected: head,
        ablated: ablatedHeads(state, stack, info),
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

/**
 * The same head in a second run, and what the first has more: the other text or model that is
 * named, or else the run without its edits.
 */
async function readDifference(source: Source): Promise<Reading | Lacking> {
  const { run, model, state, lease } = source;
  const named = state.otherText !== null || state.otherModel !== null;
  const edited = hasEdits(editLists(run.fit()?.edits ?? {}));
  const comparison = state.compare ?? (named ? "other" : edited ? "original" : null);
  const request = secondRequest(state, comparison, { model, run }, SAMPLE);
  if (!request) return { lacks: "embed.nothingBeside" };
  const beside = lease.beside(addressOf(request.model, pageHome()), request.input);
  const [otherModel, otherRun] = await Promise.all([beside.model, beside.run]);
  const head = chosenHead(source.head, otherModel.info);
  if (!head) throw new Error("The other model has no attention.");
  for (const key of ["layer", "head"] as const)
    if (head[key] !== source.head[key])
      throw refuseAbsent(writtenAttribute(key, source.head), `1 … ${head[key] + 1}`);
  for (const { side, one, other } of state.pairs) {
    const [ones, others] = [run, otherRun].map(
      ({ tokens, targetTokens }) => (side === "source" ? tokens : targetTokens).length,
    ) as [number, number];
    if (one < ones && other < others) continue;
    const last = { pairs: [{ side, one: ones - 1, other: others - 1 }] };
    throw refuseAbsent(writtenAttribute("pairs", state), `… ${writtenAttribute("pairs", last)}`);
  }
  const one = await headOf(run, source.head);
  const { shared } = pairedHead(one, await headOf(otherRun, head), model.info, state);
  const { queries, keys, tensor } = shared;
  const locked = cellWithin(state.locked, one.stages.weights);
  return {
    // A pair that only the other text has cannot be locked: the page counts in the tokens of the
    // first.
    cellAt: (place) => mapCell(place, queries.one, keys.one),
    properties: {
      tensor,
      queries: queries.tokens,
      keys: keys.tokens,
      signed: isSigned(shared),
      region: regionWithin(state, tensor),
      locked: mapCell(locked, queries.ofOne, keys.ofOne),
      focused: null,
    } satisfies Partial<HeadscopeDifference>,
  };
}

function headOf(run: Run, head: HeadRef, request: Partial<HeadRequest> = {}): Promise<HeadFigures> {
  const asked = { ...head, ...request };
  return once(run, JSON.stringify(asked), () => readHead(run, asked));
}

/**
 * A figure of a head's pairs, as the page shows it in the same picture, with what is blocked and
 * locked.
 */
async function readPairs(picture: keyof typeof PAIR_PICTURES, source: Source): Promise<Reading> {
  const { state, head, info, model, run } = source;
  const { request, enlarges, isOfOneQuery, properties } = PAIR_PICTURES[picture];
  const read = await headOf(run, head, request?.(headsBeside(state.beside, head, info)));
  const displayed = displayPattern(read, lensOf({ ...state, picture }));
  const image = await model.preprocess(SAMPLE.current);
  const { figures, weights } = displayed;
  if (enlarges) regionWithin(state, weights);
  const locked = placeIn(displayed, cellWithin(state.locked, figures.stages.weights));
  const strongest = isOfOneQuery ? placeIn(displayed, strongestAt(displayed)) : null;
  return {
    properties: {
      ...properties(displayed, { ...source, image }),
      blocked: blockedPlaces(displayed, blockedCells(state.edits, head, figures.mask)),
      locked,
      focused: isOfOneQuery ? (locked ?? strongest) : null,
    },
    cellAt: (place) => cellAt(displayed, place),
    paint: ({ edits }, places, how) => {
      const cells = places.flatMap((place) => cellsAt(displayed, place));
      return { edits: paintCells(edits, head, cells, how, figures.mask) };
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

/** Figures that ask a model for the same input share the run. */
const runs = new Pool<Run>((run) => run.release());
/** Once there is no GPU, or it failed, the CPU computes what asks for a GPU. */
const gpu = new BackendChoice();
gpu.follow("webgpu");

/**
 * A model, shared by all figures and explorers that name it, and a run of it, for as long as a
 * figure needs them.
 */
export class RunLease {
  readonly model: Promise<Model>;
  readonly run: Promise<Run>;
  private readonly ending = new AbortController();

  /**
   * Runs the model at an address on the input of `ask`. `restarted` is called if the engine crashed
   * and runs again.
   */
  constructor(
    address: string,
    ask: (model: Model) => RunInput,
    private readonly restarted: () => void,
    private readonly backend: Backend = "cpu",
  ) {
    const load = backend === "cpu" ? models.load : gpu.on(models.load);
    this.model = load(address, { signal: this.ending.signal });
    this.run = this.model.then((model) => {
      const input = ask(model);
      const key = JSON.stringify([address, model.info.backend, input]);
      const shared = runs.take(key, (signal) => model.run(input, { signal }));
      this.atEnd(shared.release);
      model.onRestart(() => {
        // The engine's runs are lost.
        shared.forget();
        restarted();
      });
      return shared.value;
    });
    this.run.catch(() => undefined);
    const dispose = (model: Model): void => model.dispose();
    this.atEnd(() => void this.model.then(dispose, () => undefined));
  }

  beside(address: string, ask: (model: Model) => RunInput): RunLease {
    const other = new RunLease(address, ask, this.restarted, this.backend);
    this.atEnd(other.release);
    return other;
  }

  readonly release = (): void => this.ending.abort();

  private atEnd(act: () => void): void {
    const { signal } = this.ending;
    if (signal.aborted) act();
    else signal.addEventListener("abort", act, { once: true });
  }
}
