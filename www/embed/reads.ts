import type { HeadRef, ModelInfo, StepTensor } from "../data/index.js";
import type { HeadscopeDimensions, HeadscopeGrid, HeadscopeHeatmap, HeadscopeLines, HeadscopeMask, HeadscopePositions, HeadscopeSteps, HeadscopeTokens } from "../elements/index.js";
import { message } from "../i18n/index.js";
import type { Run } from "../headscope.js";
import { blockedCells, type State } from "../state/index.js";
import { positionedStack, readHead, THUMBNAIL_SIZE, tokensOf, type HeadFigures } from "../views/run/figures.js";
import { cellWithin, headsBeside, silencedHeads, strongestCell } from "../views/run/selection.js";
import { explainNumber, heldNumber } from "../views/run/steps.js";
import type { FigureTag } from "./figures.js";
import type { Memory } from "./memory.js";

/** What a figure's properties are read from. */
export interface Subject {
  run: Run;
  info: ModelInfo;
  /** The head that the figure asks for, or the nearest one that the model has. */
  head: HeadRef;
  state: State;
  /** What was read for this figure before. */
  memory: Memory;
}

type PairProperties = Pick<HeadscopeHeatmap, "queries" | "keys" | "blocked" | "fullyMasked" | "focused" | "locked">;

/** The one table of what each figure shows of a run. */
export const READS: {
  "headscope-heatmap": (subject: Subject) => Promise<Partial<HeadscopeHeatmap>>;
  "headscope-lines": (subject: Subject) => Promise<Partial<HeadscopeLines>>;
  "headscope-dimensions": (subject: Subject) => Promise<Partial<HeadscopeDimensions>>;
  "headscope-mask": (subject: Subject) => Promise<Partial<HeadscopeMask>>;
  "headscope-positions": (subject: Subject) => Promise<Partial<HeadscopePositions>>;
  "headscope-steps": (subject: Subject) => Promise<Partial<HeadscopeSteps>>;
  "headscope-grid": (subject: Subject) => Promise<Partial<HeadscopeGrid>>;
  "headscope-tokens": (subject: Subject) => Promise<Partial<HeadscopeTokens>>;
} & Record<FigureTag, (subject: Subject) => Promise<object>> = {
  "headscope-heatmap": async (subject) => {
    const figures = await ofHead(subject);
    const { stage, colours } = subject.state;
    return { tensor: figures.stages[stage], stage, colours, ...pairs(figures, subject) };
  },
  "headscope-lines": async (subject) => {
    const { head, info, state } = subject;
    const figures = await ofHead(subject, { beside: headsBeside(state.beside, head, info) });
    return { patterns: figures.patterns, heads: info.stacks[head.stack]?.heads ?? 0, mass: state.mass, ...pairs(figures, subject) };
  },
  "headscope-dimensions": async (subject) => {
    const figures = await ofHead(subject, { vectors: true });
    const shown = pairs(figures, subject);
    // It is about one query: where none is held, about the one of the strongest pair.
    return { stages: figures.stages, vectors: figures.vectors, ...shown, focused: shown.locked ?? strongestCell(figures.stages.weights, figures.queries, figures.keys) };
  },
  "headscope-mask": async (subject) => {
    const figures = await ofHead(subject);
    return { mask: figures.mask, ...pairs(figures, subject) };
  },
  "headscope-positions": async ({ run, head }) => ({ tensor: await run.positions({ stack: positionedStack(head.stack) }) }),
  "headscope-steps": async (subject) => {
    const { run, info, head, state } = subject;
    const [figures, steps] = await Promise.all([ofHead(subject), stepsOf(subject)]);
    const { queries, keys, locked } = pairs(figures, subject);
    // As with the dimensions: some number is always explained.
    const held = heldNumber(steps, state.number, locked ?? strongestCell(figures.stages.weights, queries, keys));
    const explained = held && (await explainNumber(run, head, held));
    return { steps, head, heads: info.stacks[head.stack]?.heads ?? 1, queries, keys, held, colours: state.colours, place: null, explanation: null, ...explained };
  },
  "headscope-grid": async ({ run, info, head, state }) => {
    const { stack, layer, head: index } = head;
    const thumbnails = await run.thumbnails({ stack, size: THUMBNAIL_SIZE });
    return { thumbnails, stack, colours: state.colours, selected: { layer, head: index }, silenced: silencedHeads(state, stack, info) };
  },
  "headscope-tokens": ({ run, info, head, state }) => {
    const written = info.architecture === "encoder-decoder" && head.stack !== "encoder";
    const { queries } = tokensOf(run, head.stack);
    return Promise.resolve({ tokens: queries, locked: state.locked ? [state.locked.query] : [], label: message(written ? "text.targetTokens" : "embed.tokens") });
  },
};

function ofHead({ run, head, memory }: Subject, { beside = [], vectors = false }: { beside?: readonly number[]; vectors?: boolean } = {}): Promise<HeadFigures> {
  return memory.figures.get([run, head.stack, head.layer, head.head, vectors, beside.join()], () => readHead(run, head, { beside, vectors }));
}

function stepsOf({ run, head, memory }: Subject): Promise<StepTensor[]> {
  return memory.steps.get([run, head.stack, head.layer, head.head], () => run.steps(head));
}

function pairs({ queries, keys, fullyMasked, stages }: HeadFigures, { state, head }: Subject): PairProperties {
  const locked = cellWithin(state.locked, stages.weights);
  return { queries, keys, fullyMasked, blocked: blockedCells(state.edits, head), locked, focused: null };
}
