// The tensors of a run that can be saved, as the list that the dialog offers.
import {
  blockStackOf,
  ROLES,
  type Attribution,
  type AttributionAsked,
  type HeadPattern,
  type HeadRef,
  isOfBlocks,
  isOfEntry,
  isOfPrediction,
  isOfStack,
  isShare,
  JOINED,
  SHARES,
  type StepTensor,
  type Tensor,
  type Token,
} from "../../data/index.js";
import { cutOut } from "../../draw/region.js";
import { isOfKeys, isPattern, stepWords } from "../../elements/steps/formulas.js";
import { axis, NO_HEAD, type Axis } from "../../export/provenance.js";
import { message } from "../../i18n/index.js";
import { STACKS, STAGES, unusualStages } from "../../state/index.js";
import { readCosines, sharedPattern, type SharedAxis } from "../../session/alignment.js";
import { lensSummary } from "../../session/run/export-words.js";
import { isChanged, THUMBNAIL_SIZE } from "../../session/run/head.js";
import { drawnBeside } from "../../session/run/export-words.js";
import { partName } from "../../session/run/layer-words.js";
import { askedLayers, readLayers } from "../../session/run/layers.js";
import { pairPictureOf } from "../../session/run/pair-pictures.js";
import {
  predictionIn,
  quantityOf,
  readOther,
  shownNumbers as numbersOf,
} from "../../session/run/other-numbers.js";
import { comparedStage } from "../../session/run/pair-pictures.js";
import { tokensOf } from "../../session/run/selection.js";
import type { Snapshot } from "../../kit/save.js";
import {
  partShown,
  portionOfRun,
  provenanceOf,
  tokenAxis,
  type Portion,
  viewOf,
} from "../../session/origin.js";
import type { ComparedSubject, ExportSubject } from "../../session/subject.js";

/**
 * The subject of a tensor: the shown head, a step of its block, all heads of its stack, or the
 * whole text.
 */
export const GROUPS = ["head", "steps", "stack", "text"] as const;
type Group = (typeof GROUPS)[number];

interface ReadAxis extends Axis {
  readLabels?: () => Promise<readonly string[]>;
}

export interface NumbersChoice {
  group: Group;
  id: string;
  label: string;
  axes: readonly ReadAxis[];
  portion: Portion;
  read: () => Promise<Tensor> | Tensor;
}

/** Adds a choice to a group; its id is the quantity, unless another is given. */
type Add = (
  portion: Portion,
  label: string,
  axes: readonly ReadAxis[],
  read: NumbersChoice["read"],
  id?: string,
) => void;

/**
 * Every tensor that can be saved, those of the shown head first; in a comparison, the tensors that
 * compare both runs. `steps` are the steps of the head's block, and `attributed` are the parts of
 * the chosen logit, if they were read.
 */
export function numbersChoices(
  subject: ExportSubject,
  steps: readonly StepTensor[] = [],
  attributed: ReadAttribution | null = null,
): NumbersChoice[] {
  const choices: NumbersChoice[] = [];
  const to =
    (group: Group): Add =>
    (portion, label, axes, read, id = portion.quantity) =>
      choices.push({ group, id, label, axes, portion, read });
  const { compared } = subject;
  if (compared) {
    addBothRuns(subject, compared, to("head"));
    addCosines(subject, compared, to("text"));
  } else {
    addHead(subject, to("head"));
    addStack(subject, to("stack"));
    addSteps(subject, steps, to("steps"));
    addText(subject, to("text"));
    addLayers(subject, to("text"));
    if (attributed) addAttribution(subject, attributed, to("text"));
  }
  return choices;
}

export function numbersSnapshot(
  subject: ExportSubject,
  { axes, portion, read }: NumbersChoice,
): Snapshot {
  return {
    provenance: provenanceOf(subject, portion),
    data: async () => {
      const labelled = axes.map(async ({ readLabels, ...known }) => ({
        ...known,
        labels: (await readLabels?.()) ?? known.labels,
      }));
      return { tensor: await read(), axes: await Promise.all(labelled) };
    },
  };
}

/** The id of the displayed weights. */
const SHOWN = "shown";
/** The stages in the dialog's order: the weights first, then the stages before them. */
const LISTED_STAGES = STAGES.toReversed();

const tensorOf = (values: readonly number[], axes: readonly ReadAxis[]): Tensor => ({
  data: Float32Array.from(values),
  shape: axes.map(({ size }) => size),
  axes: axes.map(({ name }) => name),
});

/** Tensors of one shape, stacked along a new first axis. */
function stacked(name: string, tensors: readonly Tensor[]): Tensor {
  const [{ shape, axes } = { shape: [], axes: [] }] = tensors;
  const data = Float32Array.from(tensors.flatMap((tensor) => [...tensor.data]));
  return { data, shape: [tensors.length, ...shape], axes: [name, ...axes] };
}

function addHead({ figures, displayed, head, run, info, state }: ExportSubject, add: Add): void {
  const { queries, keys, stages, mask, patterns } = figures;
  const pair = [tokenAxis("query", queries), tokenAxis("key", keys)];
  const beside = drawnBeside(figures);
  const view = viewOf(displayed);
  const weights = { quantity: "weights", ...head, beside };
  const names = patterns.map((one) => `head ${one.head + 1}`);
  const heads = beside.length > 0 ? [axis("head", names)] : [];
  const several = (all: readonly HeadPattern[]): Tensor =>
    stacked(
      "head",
      all.map((one) => one.weights),
    );
  if (view) {
    const label = message("lens.exportWeights", { view: lensSummary(displayed).join("; ") });
    const seen = [tokenAxis("query", displayed.queries), tokenAxis("key", displayed.keys)];
    const read = (): Tensor =>
      beside.length > 0 ? several(displayed.patterns) : displayed.weights;
    add({ ...weights, view }, label, [...heads, ...seen], read, SHOWN);
  }
  if (beside.length > 0) {
    const label = message("export.heads");
    add(weights, label, [...heads, ...pair], () => several(patterns), "heads");
  }
  for (const stage of LISTED_STAGES)
    add({ quantity: stage, ...head }, message(`stage.${stage}`), pair, () => stages[stage]);
  const all = STAGES.map((stage) => stages[stage]);
  add(
    { quantity: "stages", ...head },
    message("export.stages"),
    [axis("stage", STAGES), ...pair],
    () => stacked("stage", all),
  );
  add({ quantity: "mask", ...head }, message("export.mask"), pair, () => mask);
  const width = axis("head_dim", info.stacks[head.stack]?.headDim ?? 0);
  for (const part of ["query", "key", "value"] as const) {
    const axes = [tokenAxis("position", part === "query" ? queries : keys), width];
    const read = (): Promise<Tensor> => run.qkv({ ...head, part });
    add({ quantity: part, ...head }, message(`export.${part}`), axes, read);
  }
  const matrices = ["scores", "weights"] as const;
  const count = Math.min(queries.length, keys.length);
  const spectra = [axis("matrix", matrices), axis("index", count)];
  const label = message("export.other.spectrum");
  add({ quantity: "singular-values", ...head }, label, spectra, async () => {
    const read = await run.spectrum(head);
    // A matrix with a number that is not finite has no singular values.
    const values = matrices.flatMap((matrix) =>
      Array.from({ length: count }, (_, at) => read[matrix].values[at] ?? NaN),
    );
    return tensorOf(values, spectra);
  });
  addOther({ figures, head, run, info, state }, pair, add);
}

/** Adds what each key adds through the head, and the patterns of several heads joined into one. */
function addOther(
  {
    figures,
    head,
    run,
    info,
    state,
  }: Pick<ExportSubject, "figures" | "head" | "run" | "info" | "state">,
  pair: readonly ReadAxis[],
  add: Add,
): void {
  const { shape } = figures.stages.weights;
  const cells = { query: 0, key: 0, rows: shape[0] ?? 0, columns: shape[1] ?? 0 };
  const { stack, layer } = head;
  const writes = info.predicts && (info.architecture !== "encoder-decoder" || stack !== "encoder");
  const of = [...SHARES, ...JOINED];
  for (const numbers of of) {
    if (isOfBlocks(numbers) && stack === "cross") continue;
    if (numbers === "effects" && !writes) continue;
    if (isOfPrediction(numbers) && !info.predicts) continue;
    const entry = isOfEntry(numbers) ? state.entry : null;
    const place = isShare(numbers) ? head : isOfStack(numbers) ? { stack } : { stack, layer };
    const label = message(`export.${numbers}`, { layer: layer + 1 });
    add(
      { quantity: quantityOf(numbers, entry), ...place },
      label,
      pair,
      async () => {
        const { patterns, refusal } = await readOther(run, head, [], {
          of: numbers,
          entry,
          ...predictionIn(state, info),
        });
        const [first] = patterns;
        if (!first) throw refusal ?? new Error("There are no such numbers.");
        return cutOut(first.weights, cells);
      },
      numbers,
    );
  }
}

/**
 * Adds the thumbnails of all heads, their measures on the text, and their divergence from the shown
 * head.
 */
function addStack({ run, info, head }: ExportSubject, add: Add): void {
  const { stack } = head;
  const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
  const all = [axis("layer", layers), axis("head", heads)];
  const side = THUMBNAIL_SIZE;
  const pixels = [...all, axis("query", side), axis("key", side)];
  const roles = ROLES.map(({ role }) => role);
  const measures = [...all, axis("measure", ["entropy", "distance", ...roles])];
  /** The numbers of each head at its layer and index, NaN where one is undefined. */
  const placed = <Head extends Omit<HeadRef, "stack">>(
    read: readonly Head[],
    axes: readonly ReadAxis[],
    numbers: (one: Head) => readonly (number | null)[],
  ): Tensor => {
    const count = axes[2]?.size ?? 1;
    const values = new Array<number>(layers * heads * count).fill(NaN);
    for (const one of read) {
      const own = numbers(one).map((number) => number ?? NaN);
      values.splice((one.layer * heads + one.head) * count, count, ...own);
    }
    return tensorOf(values, axes);
  };
  add({ quantity: "thumbnails", stack }, message("export.thumbnails"), pixels, () =>
    run.thumbnails({ stack, size: side }),
  );
  add({ quantity: "measures", stack }, message("export.measures"), measures, async () =>
    placed(await run.measures({ stack }), measures, (one) => [
      one.entropy,
      one.distance,
      ...roles.map((role) => one.roles[role]),
    ]),
  );
  const place = { layer: head.layer + 1, head: head.head + 1 };
  add({ quantity: "divergence", ...head }, message("export.divergence", place), all, async () =>
    placed(await run.headDivergences(head), all, ({ divergence }) => [divergence]),
  );
}

/** Adds every matrix of the block of the shown head, in the order of the strip. */
function addSteps(
  { info, state, head, figures: { queries, keys } }: ExportSubject,
  steps: readonly StepTensor[],
  add: Add,
): void {
  const unusual = unusualStages(state.edits, head, info);
  const terms = { typed: info.tokenTypes > 0, unusual };
  for (const { step, tensor } of steps) {
    const [down = "position", across = "column"] = tensor.axes;
    const axes = [
      tokenAxis(down, isOfKeys(step) ? keys : queries),
      isPattern(step) ? tokenAxis(across, keys) : axis(across, tensor.shape[1] ?? 0),
    ];
    const of = { quantity: `step-${step}`, ...head };
    add(of, stepWords(step, terms), axes, () => tensor, `step ${step}`);
  }
}

/**
 * Adds the hidden states of each text's stack, layer by layer, the position rows, and the logits of
 * a model that predicts.
 */
function addText({ run, info }: ExportSubject, add: Add): void {
  const wide = axis("model_dim", info.dModel);
  for (const stack of STACKS) {
    const size = info.stacks[stack];
    if (stack === "cross" || !size) continue;
    const tokens = tokenAxis("position", tokensOf(run, stack).queries);
    const name = { stack: message(`stack.${stack}`) };
    for (let layer = 0; layer <= size.layers; layer++)
      add(
        { quantity: "hidden", stack, hiddenStates: layer },
        message(layer === 0 ? "export.embeddings" : "export.hidden", { ...name, layer }),
        [tokens, wide],
        () => run.hidden({ stack, layer }),
        `hidden ${stack} ${layer}`,
      );
    const along = info.positions === "rotary" ? axis("head_dim", size.headDim) : wide;
    add(
      { quantity: "positions", stack },
      message("export.positions", name),
      [tokens, along],
      () => run.positions({ stack }),
      `positions ${stack}`,
    );
  }
  if (!info.predicts) return;
  const { queries } = tokensOf(run, info.architecture === "encoder" ? "encoder" : "decoder");
  const readLabels = async (): Promise<string[]> => {
    const [words = []] = await run.predictions({ positions: [0], topK: info.vocabSize });
    const labels = new Array<string>(info.vocabSize).fill("");
    for (const { id, text } of words) labels[id] = text;
    return labels;
  };
  const vocabulary = { ...axis("vocabulary", info.vocabSize, 0), readLabels };
  const axes = [tokenAxis("position", queries), vocabulary];
  add({ quantity: "logits" }, message("export.logits"), axes, () => run.logits());
}

/** Adds what each depth predicts, while the picture of layers shows it. */
function addLayers({ run, info, state }: ExportSubject, add: Add): void {
  const asked = state.picture === "layers" ? askedLayers(info, state.entry) : null;
  if (!asked) return;
  const { stack, topK, isOfFirst, entry } = asked;
  const { queries } = tokensOf(run, stack);
  const depths = axis("layer", (info.stacks[stack]?.layers ?? 0) + 1, 0);
  const cells = [depths, tokenAxis("position", isOfFirst ? queries.slice(0, 1) : queries)];
  const ranks = [...cells, axis("rank", topK)];
  const read = once(() => readLayers(run, asked));
  for (const [name, axes] of [
    ["probabilities", ranks],
    ["ids", ranks],
    ["entropy", cells],
    ["divergence", cells],
  ] as const)
    add(
      { quantity: `lens-${name}`, stack },
      message(`export.lens.${name}`),
      axes,
      async () => (await read()).lens[name],
    );
  if (entry === null) return;
  for (const name of ["probabilities", "ranks"] as const)
    add(
      { quantity: `lens-chosen-${name}`, stack },
      message(`export.lens.chosen.${name}`, { entry }),
      cells,
      async () => {
        const { chosen } = (await read()).lens;
        if (!chosen) throw new Error("A chosen entry has numbers.");
        return chosen[name];
      },
    );
}

/** A question about a logit, and its answer on the page. */
export interface ReadAttribution {
  asked: AttributionAsked;
  attribution: Attribution;
}

/** Adds the parts of the chosen logit, or of a difference, and those of the head by its keys. */
function addAttribution(
  { run, head }: ExportSubject,
  { asked, attribution: { parts, keys } }: ReadAttribution,
  add: Add,
): void {
  // The answer on the page may be of the run before.
  const read = once(() => run.attribution(asked));
  const readLabels = async (): Promise<string[]> => (await read()).parts.map(partName);
  const named = { ...axis("part", parts.map(partName)), readLabels };
  add({ quantity: "attribution" }, message("export.attribution"), [named], async () => {
    const values = (await read()).parts.map(({ value }) => value);
    return tensorOf(values, [axis("part", values.length)]);
  });
  if (!keys || !asked.head) return;
  const byKey = [tokenAxis("key", tokensOf(run, head.stack).keys)];
  add(
    { quantity: "attribution-keys", ...asked.head },
    message("export.attributionKeys"),
    byKey,
    async () => tensorOf((await read()).keys?.map(({ value }) => value) ?? [], byKey),
  );
}

/** The value of a function that is called once, when it is first asked for. */
function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null;
  return () => (value ??= compute());
}

/** Adds the difference of two runs, in the shown stage, then each run's own numbers. */
function addBothRuns(subject: ExportSubject, compared: ComparedSubject, add: Add): void {
  const { state, head } = subject;
  const { one, other, shared } = compared.paired;
  const shown = comparedStage(state);
  const stages = [shown, ...LISTED_STAGES.filter((stage) => stage !== shown)];
  if (shared) {
    const { queries, keys } = shared;
    const axes = [
      axis("query", sharedLabels(queries, one.queries, other.queries)),
      axis("key", sharedLabels(keys, one.keys, other.keys)),
    ];
    for (const stage of stages)
      add(
        { quantity: `${stage}-difference`, ...head },
        message("pairs.exportDifference", { what: message(`stage.${stage}`) }),
        axes,
        () => sharedPattern(one.stages[stage], other.stages[stage], queries, keys).tensor,
        `difference ${stage}`,
      );
  }
  for (const [which, figures, label] of [
    ["first", one, "pairs.exportFirst"],
    ["second", other, "pairs.exportSecond"],
  ] as const) {
    const own = [tokenAxis("query", figures.queries), tokenAxis("key", figures.keys)];
    for (const stage of stages)
      add(
        portionOfRun(which, subject, compared, stage),
        message(label, { what: message(`stage.${stage}`) }),
        own,
        () => figures.stages[stage],
        `${which} ${stage}`,
      );
  }
}

/** Adds the cosine of every word with its counterpart, by layer, the embeddings first. */
function addCosines({ run, info }: ExportSubject, compared: ComparedSubject, add: Add): void {
  const other = compared.paired.other.run;
  for (const side of ["source", "target"] as const) {
    const words = compared.words().filter((pair) => pair.side === side);
    const [first] = words;
    if (!first) continue;
    const { stack } = first;
    /** The words in their tokens' spelling, the same in every language. */
    const spelled = (of: typeof run, positions: readonly number[] = []): string => {
      const tokens = side === "source" ? of.tokens : of.targetTokens;
      const texts = positions.map((at) => tokens[at]?.text ?? "");
      return texts.join("").trim();
    };
    const labels = words.map((pair) =>
      bothOf(spelled(run, pair.one.positions), spelled(other, pair.other?.positions)),
    );
    const axes = [axis("word", labels), axis("layer", (info.stacks[stack]?.layers ?? 0) + 1, 0)];
    const label = message("pairs.exportCosines", { stack: message(`stack.${stack}`) });
    const of = { quantity: "cosines", stack, compared: { ...compared.reading, ...NO_HEAD, stack } };
    const read = async (): Promise<Tensor> => {
      const cosines = (await readCosines(run, other, words)).flatMap((word) => word.cosines);
      // A zero state has no direction.
      const values = cosines.map((cosine) => cosine ?? NaN);
      return tensorOf(values, axes);
    };
    add(of, label, axes, read, `cosines ${side}`);
  }
}

/**
 * The labels of both texts' tokens on one axis: `+ word` is only in the first, `− word` only in the
 * second.
 */
function sharedLabels(
  { one, other }: SharedAxis,
  firsts: readonly Token[],
  seconds: readonly Token[],
): string[] {
  return one.map((at, place) => {
    const to = other[place] ?? null;
    const first = at === null ? "" : (firsts[at]?.text ?? "");
    if (to === null) return `+ ${first}`;
    const second = seconds[to]?.text ?? "";
    return at === null ? `− ${second}` : bothOf(first, second);
  });
}

const bothOf = (one: string, other: string): string => (one === other ? one : `${one} | ${other}`);

/**
 * The id of the choice with the shown numbers; for displayed weights that differ from the run's,
 * theirs.
 */
export function shownNumbers({ state, head, displayed, compared }: ExportSubject): string {
  const { picture, number } = state;
  // The first choice of a comparison is shown: the difference of both runs.
  if (compared) return "";
  if (picture === "steps") return `step ${number?.step ?? "weights"}`;
  if (picture === "layers") return shownOfLayers(state);
  if (displayed.lens.weightsOnly && isChanged(displayed)) return SHOWN;
  return pairPictureOf(picture)?.numbers(numbersOf(state)) ?? `positions ${blockStackOf(head)}`;
}

/** The numbers that colour the picture of layers. */
function shownOfLayers({ shade, entry }: ExportSubject["state"]): string {
  if (shade === "entropy" || shade === "divergence") return `lens-${shade}`;
  if (entry === null) return "lens-probabilities";
  return shade === "rank" ? "lens-chosen-ranks" : "lens-chosen-probabilities";
}

/**
 * The choice with the region that the picture shows; null if the picture shows all, or other
 * numbers.
 */
export function regionChoice(choice: NumbersChoice, subject: ExportSubject): NumbersChoice | null {
  const { displayed, compared } = subject;
  const [queries, keys] = choice.axes.slice(-2);
  if (!queries || keys?.name !== "key" || !keys.labels) return null;
  const whole = { rows: queries.size, columns: keys.size };
  // There may be more tokens than words. In a comparison each picture has its own axes.
  const ofPicture =
    compared !== null ||
    (whole.rows === displayed.queries.length && whole.columns === displayed.keys.length);
  const part = ofPicture ? partShown(subject, whole) : null;
  if (!part) return null;
  const { region } = part;
  // Places keep their numbers in the whole matrix.
  const sliced = (one: ReadAxis, start: number, size: number): ReadAxis => {
    const labels = one.labels?.slice(start, start + size) ?? null;
    return { ...one, labels, first: one.first + start, size };
  };
  const axes = [
    ...choice.axes.slice(0, -2),
    sliced(queries, region.query, region.rows),
    sliced(keys, region.key, region.columns),
  ];
  const size = whole.rows * whole.columns;
  return {
    ...choice,
    axes,
    portion: { ...choice.portion, part },
    read: async () => {
      const { data } = await choice.read();
      const shape = [whole.rows, whole.columns];
      // The tensor may hold several patterns.
      const patterns = Array.from({ length: data.length / size }, (_, at) => {
        const pattern = data.subarray(at * size, (at + 1) * size);
        return [...cutOut({ data: pattern, shape, axes: [] }, region).data];
      });
      return tensorOf(patterns.flat(), axes);
    },
  };
}
