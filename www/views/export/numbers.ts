// The tensors of a run that can be saved: one list, from which the dialog offers and reads.
import {
  ROLES,
  type HeadPattern,
  type HeadRef,
  type StepTensor,
  type Tensor,
  type Token,
} from "../../data/index.js";
import { cutOut } from "../../draw/region.js";
import { stepWords } from "../../elements/steps/block.js";
import { isOfKeys, isPattern } from "../../elements/steps/formulas.js";
import { NO_HEAD, type Axis, type Part, type Provenance } from "../../export/provenance.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { STACKS, STAGES, unusualStages } from "../../state/index.js";
import { readCosines, sharedPattern, type SharedAxis } from "../pairs/alignment.js";
import { lensSummary } from "../run/lens-words.js";
import { drawnBeside, positionedStack, THUMBNAIL_SIZE, tokensOf } from "../run/figures.js";
import { isChanged } from "../run/displayed.js";
import type { Snapshot } from "./save.js";
import {
  partShown,
  provenanceOf,
  runProvenance,
  tokenAxis,
  viewOf,
  type ComparedSubject,
  type ExportSubject,
  type Portion,
} from "./subject.js";

/** What a tensor is about: the head that is shown, a step of its block, all heads of its stack, or the whole text. */
export const GROUPS = ["head", "steps", "stack", "text"] as const;
type Group = (typeof GROUPS)[number];

/** An axis with its size, which is known before its tensor is read. */
interface SizedAxis extends Axis {
  size: number;
  /** Reads labels that are not known before. */
  readLabels?: () => Promise<readonly string[]>;
}

/** One of the tensors that can be saved. */
export interface NumbersChoice {
  group: Group;
  id: string;
  label: string;
  axes: readonly SizedAxis[];
  provenance: () => Provenance;
  read: () => Promise<Tensor> | Tensor;
}

type Row = readonly [
  group: Group,
  id: string,
  label: string,
  axes: readonly SizedAxis[],
  of: Portion | (() => Provenance),
  read: NumbersChoice["read"],
];

/** Every tensor that can be saved, those of the head that is shown first; of two runs what compares them. `steps` are those of its block, where they were read. */
export function numbersChoices(
  subject: ExportSubject,
  steps: readonly StepTensor[] = [],
): NumbersChoice[] {
  const { compared } = subject;
  const rows = compared
    ? [...ofBothRuns(subject, compared), ...cosines(subject, compared)]
    : [...ofHead(subject), ...ofStack(subject), ...ofSteps(subject, steps), ...ofText(subject)];
  return rows.map(([group, id, label, axes, of, read]) => {
    const provenance = typeof of === "function" ? of : () => provenanceOf(subject, of);
    return { group, id, label, axes, provenance, read };
  });
}

/** A choice as it is saved. */
export function numbersSnapshot({ axes, provenance, read }: NumbersChoice): Snapshot {
  return {
    provenance: provenance(),
    data: async () => {
      const labelled = axes.map(async ({ name, labels, first, readLabels }) => ({
        name,
        labels: (await readLabels?.()) ?? labels,
        first,
      }));
      return { tensor: await read(), axes: await Promise.all(labelled) };
    },
  };
}

/** The weights as the picture shows them. */
const SHOWN = "shown";
/** The stages as the dialog lists them: what is drawn first, then what it is made of. */
const LISTED_STAGES = STAGES.toReversed();

const tokensAxis = (name: string, tokens: readonly Token[]): SizedAxis => ({
  ...tokenAxis(name, tokens),
  size: tokens.length,
});

/** An axis whose places have names, or are only counted. */
const axis = (name: string, places: readonly string[] | number, first = 1): SizedAxis =>
  typeof places === "number"
    ? { name, labels: null, first, size: places }
    : { name, labels: places, first, size: places.length };

const tensorOf = (values: readonly number[], axes: readonly SizedAxis[]): Tensor => ({
  data: Float32Array.from(values),
  shape: axes.map(({ size }) => size),
  axes: axes.map(({ name }) => name),
});

/** Tensors of one shape, one behind the other along a new first axis. */
function stacked(name: string, tensors: readonly Tensor[]): Tensor {
  const [{ shape, axes } = { shape: [], axes: [] }] = tensors;
  const data = Float32Array.from(tensors.flatMap((tensor) => [...tensor.data]));
  return { data, shape: [tensors.length, ...shape], axes: [name, ...axes] };
}

function ofHead({ figures, displayed, head, run, info }: ExportSubject): Row[] {
  const { queries, keys, stages, mask, patterns } = figures;
  const pair = [tokensAxis("query", queries), tokensAxis("key", keys)];
  const beside = drawnBeside(figures);
  const view = viewOf(displayed);
  const weights = { quantity: "weights", ...head, beside };
  const names = patterns.map((one) => `head ${one.head + 1}`);
  const heads = beside.length > 0 ? [axis("head", names)] : [];
  const several = (all: readonly HeadPattern[]): Tensor => {
    const tensors = all.map((one) => one.weights);
    return stacked("head", tensors);
  };
  const own = (
    quantity: string,
    label: MessageKey,
    axes: SizedAxis[],
    read: NumbersChoice["read"],
  ): Row => ["head", quantity, message(label), axes, { quantity, ...head }, read];
  const rows: Row[] = [];
  if (view) {
    const label = message("lens.exportWeights", { view: lensSummary(displayed).join("; ") });
    const seen = [tokensAxis("query", displayed.queries), tokensAxis("key", displayed.keys)];
    const read = (): Tensor =>
      beside.length > 0 ? several(displayed.patterns) : displayed.weights;
    rows.push(["head", SHOWN, label, [...heads, ...seen], { ...weights, view }, read]);
  }
  if (beside.length > 0) {
    const read = (): Tensor => several(patterns);
    rows.push(["head", "heads", message("export.heads"), [...heads, ...pair], weights, read]);
  }
  const width = axis("head_dim", info.stacks[head.stack]?.headDim ?? 0);
  const matrices = ["scores", "weights"] as const;
  const spectra = [axis("matrix", matrices), axis("index", Math.min(queries.length, keys.length))];
  const all = STAGES.map((stage) => stages[stage]);
  return [
    ...rows,
    ...LISTED_STAGES.map((stage) => own(stage, `stage.${stage}`, pair, () => stages[stage])),
    own("stages", "export.stages", [axis("stage", STAGES), ...pair], () => stacked("stage", all)),
    own("mask", "export.mask", pair, () => mask),
    ...(["query", "key", "value"] as const).map((part) => {
      const axes = [tokensAxis("position", part === "query" ? queries : keys), width];
      return own(part, `export.${part}`, axes, () => run.qkv({ ...head, part }));
    }),
    own("singular-values", "export.other.spectrum", spectra, async () => {
      const read = await run.spectrum(head);
      // A matrix with a number that is not finite has none.
      const values = matrices.flatMap((matrix) =>
        Array.from({ length: spectra[1]?.size ?? 0 }, (_, at) => read[matrix].values[at] ?? NaN),
      );
      return tensorOf(values, spectra);
    }),
  ];
}

/** Small pictures of all heads, their measures on the text, and how unlike each is to the head that is shown. */
function ofStack({ run, info, head }: ExportSubject): Row[] {
  const { stack } = head;
  const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
  const all = [axis("layer", layers), axis("head", heads)];
  const roles = ROLES.map(({ role }) => role);
  const measures = [...all, axis("measure", ["entropy", "distance", ...roles])];
  const side = THUMBNAIL_SIZE;
  const pixels = [...all, axis("query", side), axis("key", side)];
  /** The numbers of each head in the head's place, NaN where one is not defined. */
  const placed = <Head extends Omit<HeadRef, "stack">>(
    read: readonly Head[],
    axes: readonly SizedAxis[],
    numbers: (one: Head) => readonly (number | null)[],
  ): Tensor => {
    const count = axes[2]?.size ?? 1;
    const known = new Map(read.map((one) => [one.layer * heads + one.head, numbers(one)]));
    const values = Array.from(
      { length: layers * heads * count },
      (_, at) => known.get(Math.floor(at / count))?.[at % count] ?? NaN,
    );
    return tensorOf(values, axes);
  };
  const own = (
    quantity: "thumbnails" | "measures" | "divergence",
    axes: readonly SizedAxis[],
    of: Partial<Portion>,
    read: () => Promise<Tensor>,
  ): Row => {
    const place = { layer: head.layer + 1, head: head.head + 1 };
    return [
      "stack",
      quantity,
      message(`export.${quantity}`, place),
      axes,
      { quantity, ...of },
      read,
    ];
  };
  return [
    own("thumbnails", pixels, { stack }, () => run.thumbnails({ stack, size: side })),
    own("measures", measures, { stack }, async () =>
      placed(await run.measures({ stack }), measures, (one) => [
        one.entropy,
        one.distance,
        ...roles.map((role) => one.roles[role]),
      ]),
    ),
    own("divergence", all, head, async () =>
      placed(await run.likeness(head), all, ({ divergence }) => [divergence]),
    ),
  ];
}

/** Every matrix of the way through the block of the head that is shown, in the order of the strip. */
function ofSteps(
  { info, state, head, figures: { queries, keys } }: ExportSubject,
  steps: readonly StepTensor[],
): Row[] {
  const terms = { typed: info.tokenTypes > 0, unusual: unusualStages(state.edits, head) };
  return steps.map(({ step, tensor }): Row => {
    const [down = "position", across = "column"] = tensor.axes;
    const axes = [
      tokensAxis(down, isOfKeys(step) ? keys : queries),
      isPattern(step) ? tokensAxis(across, keys) : axis(across, tensor.shape[1] ?? 0),
    ];
    const of = { quantity: `step-${step}`, ...head };
    return ["steps", `step ${step}`, stepWords(step, terms), axes, of, () => tensor];
  });
}

/** The hidden states of each text's stack, layer by layer, what its positions add, and the logits of a model that predicts. */
function ofText({ run, info }: ExportSubject): Row[] {
  const wide = axis("model_dim", info.dModel);
  const rows = STACKS.flatMap((stack): Row[] => {
    const size = info.stacks[stack];
    if (stack === "cross" || !size) return [];
    const tokens = tokensAxis("position", tokensOf(run, stack).queries);
    const name = { stack: message(`stack.${stack}`) };
    const along = info.positions === "rotary" ? axis("head_dim", size.headDim) : wide;
    const hidden = Array.from(
      { length: size.layers + 1 },
      (_, layer): Row => [
        "text",
        `hidden ${stack} ${layer}`,
        message(layer === 0 ? "export.embeddings" : "export.hidden", { ...name, layer }),
        [tokens, wide],
        { quantity: "hidden", stack, hiddenStates: layer },
        () => run.hidden({ stack, layer }),
      ],
    );
    return [
      ...hidden,
      [
        "text",
        `positions ${stack}`,
        message("export.positions", name),
        [tokens, along],
        { quantity: "positions", stack },
        () => run.positions({ stack }),
      ],
    ];
  });
  if (!info.predicts) return rows;
  const { queries } = tokensOf(run, info.architecture === "encoder" ? "encoder" : "decoder");
  const readLabels = async (): Promise<string[]> => {
    const [words = []] = await run.predictions({ positions: [0], topK: info.vocabSize });
    const labels = new Array<string>(info.vocabSize).fill("");
    for (const { id, text } of words) labels[id] = text;
    return labels;
  };
  const axes = [
    tokensAxis("position", queries),
    { ...axis("vocabulary", info.vocabSize, 0), readLabels },
  ];
  const label = message("export.logits");
  return [...rows, ["text", "logits", label, axes, { quantity: "logits" }, () => run.logits()]];
}

/** Of two runs: their difference first, in the stage that is shown; then each run's own numbers. */
function ofBothRuns(subject: ExportSubject, compared: ComparedSubject): Row[] {
  const { stage: shown } = subject.state;
  const { one, other, shared } = compared.paired;
  const { queries, keys } = shared;
  const stages = [shown, ...LISTED_STAGES.filter((stage) => stage !== shown)];
  const axes = [
    axis("query", sharedLabels(queries, one.queries, other.queries)),
    axis("key", sharedLabels(keys, one.keys, other.keys)),
  ];
  const differences = stages.map(
    (stage): Row => [
      "head",
      `difference ${stage}`,
      message("pairs.exportDifference", { what: message(`stage.${stage}`) }),
      axes,
      { quantity: `${stage}-difference`, ...subject.head },
      () => sharedPattern(one.stages[stage], other.stages[stage], queries, keys).tensor,
    ],
  );
  const ofRuns = (["first", "second"] as const).flatMap((which) => {
    const figures = which === "first" ? one : other;
    const label = which === "first" ? "pairs.exportFirst" : "pairs.exportSecond";
    const own = [tokensAxis("query", figures.queries), tokensAxis("key", figures.keys)];
    return stages.map(
      (stage): Row => [
        "head",
        `${which} ${stage}`,
        message(label, { what: message(`stage.${stage}`) }),
        own,
        () => runProvenance(which, subject, compared, stage),
        () => figures.stages[stage],
      ],
    );
  });
  return [...differences, ...ofRuns];
}

/** How alike every word is to its counterpart, by layer, the embeddings first. */
function cosines(subject: ExportSubject, compared: ComparedSubject): Row[] {
  const { run, info } = subject;
  const other = compared.paired.other.run;
  return (["source", "target"] as const).flatMap((side): Row[] => {
    const words = compared.words().filter((pair) => pair.side === side);
    const [first] = words;
    if (!first) return [];
    const { stack } = first;
    /** The words as their tokens have them, the same in every language. */
    const spelled = (of: typeof run, positions: readonly number[] = []): string => {
      const tokens = side === "source" ? of.tokens : of.targetTokens;
      return positions
        .map((at) => tokens[at]?.text ?? "")
        .join("")
        .trim();
    };
    const labels = words.map((pair) =>
      bothOf(spelled(run, pair.one.positions), spelled(other, pair.other?.positions)),
    );
    const axes = [axis("word", labels), axis("layer", (info.stacks[stack]?.layers ?? 0) + 1, 0)];
    const label = message("pairs.exportCosines", { stack: message(`stack.${stack}`) });
    const of = { quantity: "cosines", stack, compared: { ...compared.reading, ...NO_HEAD, stack } };
    const read = async (): Promise<Tensor> => {
      const read = await readCosines(run, other, words);
      // A state that is zero has no direction.
      return tensorOf(
        read.flatMap((one) => one.cosines.map((cosine) => cosine ?? NaN)),
        axes,
      );
    };
    return [["text", `cosines ${side}`, label, axes, of, read]];
  });
}

/** The tokens of both texts on one axis: `+ word` stands only in the first, `− word` only in the second. */
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

/** A word and its counterpart, once where they are the same. */
const bothOf = (one: string, other: string): string => (one === other ? one : `${one} | ${other}`);

/** Which choice has the numbers that are shown; of weights that the picture shows in another way than the run has them, those. */
export function shownNumbers({ state, head, displayed, compared }: ExportSubject): string {
  const { picture, stage, number } = state;
  // The first choice of two runs is what is shown: their difference.
  if (compared) return "";
  if (picture === "steps") return `step ${number?.step ?? "weights"}`;
  if (displayed.lens.weightsOnly && isChanged(displayed)) return SHOWN;
  const ids = {
    positions: `positions ${positionedStack(head.stack)}`,
    mask: "mask",
    // Where one head is drawn alone there is no such choice, and the first one is offered: its weights.
    lines: "heads",
    heatmap: stage,
    dimensions: "weights",
  };
  return ids[picture];
}

/** The same numbers in the rows and columns that the picture shows; null where it shows all there are, or others. */
export function regionChoice(choice: NumbersChoice, subject: ExportSubject): NumbersChoice | null {
  const { displayed, compared } = subject;
  const [queries, keys] = choice.axes.slice(-2);
  if (!queries || keys?.name !== "key" || !keys.labels) return null;
  const [rows, columns] = [queries.size, keys.size];
  // By token there may be more than by word. In a comparison each picture counts its own.
  const ofPicture =
    compared !== null || (rows === displayed.queries.length && columns === displayed.keys.length);
  const part = ofPicture ? partShown(subject, { rows, columns }) : null;
  if (!part) return null;
  const { region } = part;
  // Places keep the numbers that they have in the whole.
  const sliced = (one: SizedAxis, start: number, size: number): SizedAxis => ({
    ...one,
    labels: one.labels?.slice(start, start + size) ?? null,
    first: one.first + start,
    size,
  });
  return {
    ...choice,
    axes: [
      ...choice.axes.slice(0, -2),
      sliced(queries, region.query, region.rows),
      sliced(keys, region.key, region.columns),
    ],
    provenance: () => ({ ...choice.provenance(), part }),
    read: async () => cut(await choice.read(), part),
  };
}

/** The region of each pattern of a tensor, be there one or several behind each other. */
function cut({ data, shape, axes }: Tensor, { region, whole }: Part): Tensor {
  const size = whole.rows * whole.columns;
  const values = Array.from({ length: data.length / size }, (_, at) => {
    const pattern = {
      data: data.subarray(at * size, (at + 1) * size),
      shape: shape.slice(-2),
      axes,
    };
    return [...cutOut(pattern, region).data];
  });
  const sides = [region.rows, region.columns];
  return { data: Float32Array.from(values.flat()), shape: [...shape.slice(0, -2), ...sides], axes };
}
