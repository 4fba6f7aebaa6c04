import type { StepTensor } from "../data/index.js";
import type {
  HeadscopeDifference,
  HeadscopeDimensions,
  HeadscopeGrid,
  HeadscopeHeatmap,
  HeadscopeLines,
  HeadscopeMask,
  HeadscopePositions,
  HeadscopeSpectrum,
  HeadscopeSteps,
  HeadscopeTokens,
} from "../elements/index.js";
import { message } from "../i18n/index.js";
import { blockedCells, unusualStages, writtenAttribute, type Picture } from "../state/index.js";
import { withoutName } from "../views/parts/lens-words.js";
import { roleCaptions, wornRoles } from "../views/explorer/head-roles.js";
import {
  positionedStack,
  THUMBNAIL_SIZE,
  tokensOf,
  type HeadFigures,
} from "../views/run/figures.js";
import { lensOf, lookedAt, type Looked } from "../views/run/looked.js";
import { blockedPlaces, placeIn, strongestAt } from "../views/run/looked-cells.js";
import { cellWithin, headsBeside, silencedHeads, strongestCell } from "../views/run/selection.js";
import { explainNumber, heldNumber, namedSpectra, readSpectrum } from "../views/run/readings.js";
import { readDifference } from "./difference.js";
import type { FigureTag } from "./figures.js";
import {
  ofHead,
  refuseAbsent,
  regionWithin,
  type Lacking,
  type Reading,
  type Subject,
} from "./subject.js";

type PairProperties = Pick<
  HeadscopeHeatmap,
  "queries" | "keys" | "blocked" | "fullyMasked" | "emptied" | "without" | "focused" | "locked"
>;

/** The one table of what each figure shows of a run. */
export const READS: {
  "headscope-heatmap": (subject: Subject) => Promise<Reading<HeadscopeHeatmap>>;
  "headscope-difference": (subject: Subject) => Promise<Reading<HeadscopeDifference> | Lacking>;
  "headscope-lines": (subject: Subject) => Promise<Reading<HeadscopeLines>>;
  "headscope-dimensions": (subject: Subject) => Promise<Reading<HeadscopeDimensions>>;
  "headscope-mask": (subject: Subject) => Promise<Reading<HeadscopeMask>>;
  "headscope-positions": (subject: Subject) => Promise<Reading<HeadscopePositions>>;
  "headscope-steps": (subject: Subject) => Promise<Reading<HeadscopeSteps>>;
  "headscope-spectrum": (subject: Subject) => Promise<Reading<HeadscopeSpectrum> | Lacking>;
  "headscope-grid": (subject: Subject) => Promise<Reading<HeadscopeGrid>>;
  "headscope-tokens": (subject: Subject) => Promise<Reading<HeadscopeTokens>>;
} & Record<FigureTag, (subject: Subject) => Promise<Reading<object> | Lacking>> = {
  "headscope-heatmap": async (subject) => {
    const looked = seenAs("heatmap", await ofHead(subject), subject);
    const { stage, colours } = subject.state;
    const tensor = looked.whole?.stages[stage] ?? looked.weights;
    return {
      looked,
      properties: {
        tensor,
        stage,
        colours,
        region: regionWithin(subject.state, tensor),
        ...pairs(looked, subject),
      },
    };
  },
  "headscope-difference": readDifference,
  "headscope-lines": async (subject) => {
    const { head, info, state } = subject;
    const looked = seenAs(
      "lines",
      await ofHead(subject, { beside: headsBeside(state.beside, head, info) }),
      subject,
    );
    return {
      looked,
      properties: {
        patterns: looked.patterns,
        heads: info.stacks[head.stack]?.heads ?? 0,
        mass: state.mass,
        ...pairs(looked, subject),
      },
    };
  },
  "headscope-dimensions": async (subject) => {
    const looked = seenAs("dimensions", await ofHead(subject, { vectors: true }), subject);
    const shown = pairs(looked, subject);
    // It is about one query: where none is held, about the one of the strongest pair.
    const focused = shown.locked ?? placeIn(looked, strongestAt(looked));
    return {
      looked,
      properties: {
        stages: looked.whole?.stages ?? null,
        vectors: looked.whole?.vectors ?? null,
        unusual: unusualStages(subject.state.edits, subject.head),
        ...shown,
        focused,
      },
    };
  },
  "headscope-mask": async (subject) => {
    const looked = seenAs("mask", await ofHead(subject), subject);
    return {
      looked,
      properties: {
        mask: looked.whole?.mask ?? null,
        region: regionWithin(subject.state, looked.weights),
        ...pairs(looked, subject),
      },
    };
  },
  "headscope-positions": async ({ run, head }) => ({
    properties: { tensor: await run.positions({ stack: positionedStack(head.stack) }) },
  }),
  "headscope-steps": async (subject) => {
    const { run, info, head, state } = subject;
    const [{ stages, queries, keys }, steps] = await Promise.all([
      ofHead(subject),
      stepsOf(subject),
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
    const held = heldNumber(
      steps,
      state.number,
      locked ?? strongestCell(stages.weights, queries, keys),
    );
    const explained = held && (await explainNumber(run, head, held));
    const heads = info.stacks[head.stack]?.heads ?? 1;
    return {
      properties: {
        steps,
        head,
        heads,
        unusual: unusualStages(state.edits, head),
        tokenTypes: info.tokenTypes,
        queries,
        keys,
        held,
        colours: state.colours,
        place: null,
        explanation: null,
        ...explained,
      },
    };
  },
  "headscope-spectrum": async ({ run, head, state, memory }) => {
    const read = await memory.spectrum.get([run, head.stack, head.layer, head.head], () =>
      readSpectrum(run, head),
    );
    if (read === "too-long") return { lacks: "error.selection/too-large" };
    return { properties: { lists: namedSpectra(read, unusualStages(state.edits, head)) } };
  },
  "headscope-grid": async ({ run, model, info, head, state, memory }) => {
    const { stack, layer, head: index } = head;
    // The table of heads says what each of them does on this text, too.
    const [thumbnails, measures] = await Promise.all([
      run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
      memory.measures.get([run, stack], () => run.measures({ stack })),
    ]);
    const { notes } = model;
    return {
      properties: {
        thumbnails,
        stack,
        captions: roleCaptions(notes, stack),
        worn: wornRoles(notes, stack),
        measures,
        colours: state.colours,
        selected: { layer, head: index },
        silenced: silencedHeads(state, stack, info),
      },
    };
  },
  "headscope-tokens": ({ run, info, head, state }) => {
    const written = info.architecture === "encoder-decoder" && head.stack !== "encoder";
    const { queries } = tokensOf(run, head.stack);
    const label = message(written ? "text.targetTokens" : "embed.tokens");
    return Promise.resolve({
      properties: { tokens: queries, locked: state.locked ? [state.locked.query] : [], label },
    });
  },
};

function stepsOf({ run, head, memory }: Subject): Promise<StepTensor[]> {
  return memory.steps.get([run, head.stack, head.layer, head.head], () => run.steps(head));
}

/** As the page shows a head in the same picture. */
function seenAs(picture: Picture, figures: HeadFigures, { state }: Subject): Looked {
  return lookedAt(figures, lensOf({ ...state, picture }));
}

function pairs(looked: Looked, { state, head }: Subject): PairProperties {
  const { queries, keys, fullyMasked, emptied, figures } = looked;
  const locked = placeIn(looked, cellWithin(state.locked, figures.stages.weights));
  return {
    queries,
    keys,
    fullyMasked,
    emptied,
    without: withoutName(looked),
    blocked: blockedPlaces(looked, blockedCells(state.edits, head, figures.mask)),
    locked,
    focused: null,
  };
}
