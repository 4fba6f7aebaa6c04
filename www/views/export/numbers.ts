// The tensors of a run that can be saved: one list, from which the dialog offers and reads.
import {
  ROLES,
  type HeadPattern,
  type HeadRef,
  type Part as Projection,
  type StepTensor,
  type Tensor,
  type Token,
} from "../../data/index.js";
import { cutOut } from "../../draw/region.js";
import { stepWords } from "../../elements/steps/block.js";
import { isOfKeys, isPattern } from "../../elements/steps/formulas.js";
import type { Axis, LabelledTensor, Part, Provenance } from "../../export/provenance.js";
import type { Run } from "../../headscope.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { STACKS, STAGES, unusualStages } from "../../state/index.js";
import { readCosines, sharedPattern, type SharedAxis, type WordPair } from "../pairs/alignment.js";
import { lensSummary } from "../run/lens-words.js";
import { drawnBeside, positionedStack, THUMBNAIL_SIZE, tokensOf } from "../run/figures.js";
import { isChanged } from "../run/displayed.js";
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

/** One of the tensors that can be saved. */
export interface NumbersChoice {
  id: string;
  label: string;
  group: (typeof GROUPS)[number];
  shape: readonly number[];
  /** Whether its last two axes are queries and keys, of which a picture may show a region. */
  pattern: boolean;
  provenance: () => Provenance;
  read: () => Promise<LabelledTensor>;
}

/** An axis with its size, which is known before its tensor is read. */
interface SizedAxis extends Axis {
  size: number;
}

const tokensAxis = (name: string, tokens: readonly Token[]): SizedAxis => ({
  ...tokenAxis(name, tokens),
  size: tokens.length,
});

/** An axis whose places have names, or are only counted. */
const axis = (name: string, places: readonly string[] | number, first = 1): SizedAxis =>
  typeof places === "number"
    ? { name, labels: null, first, size: places }
    : { name, labels: places, first, size: places.length };

/** A tensor that can be saved: which part of the run it is, or where else it comes from, and how it is read. */
type Row = readonly [
  id: string,
  label: string,
  axes: readonly SizedAxis[],
  of: Portion | (() => Provenance),
  read: () => Promise<Tensor> | Tensor,
];

/** Every tensor that can be saved, those of the head that is shown first; of two runs what compares them. `steps` are those of its block, where they were read. */
export function numbersChoices(
  subject: ExportSubject,
  steps: readonly StepTensor[] = [],
): NumbersChoice[] {
  const choices = (group: NumbersChoice["group"], rows: readonly Row[]): NumbersChoice[] =>
    rows.map(([id, label, axes, of, read]) => {
      const last = axes.at(-1);
      return {
        id,
        label,
        group,
        shape: axes.map(({ size }) => size),
        pattern: last?.name === "key" && last.labels !== null,
        provenance: typeof of === "function" ? of : () => provenanceOf(subject, of),
        read: async () => ({
          tensor: await read(),
          axes: axes.map(({ name, labels, first }) => ({ name, labels, first })),
        }),
      };
    });
  const { compared } = subject;
  if (compared)
    return [
      ...choices("head", ofBothRuns(subject, compared)),
      ...choices("text", cosines(subject, compared)),
    ];
  return [
    ...choices("head", ofHead(subject)),
    ...choices("stack", ofStack(subject)),
    ...choices("steps", ofSteps(subject, steps)),
    ...choices("text", ofTextStacks(subject)),
    ...choices("text", logits(subject)).map((choice) => withVocabulary(choice, subject)),
  ];
}

/** The weights as the picture shows them. */
const SHOWN = "shown";
const PROJECTIONS = ["query", "key", "value"] as const satisfies readonly Projection[];
const SPECTRA = ["scores", "weights"] as const;
/** The stages as the dialog lists them: what is drawn first, then what it is made of. */
const LISTED_STAGES = STAGES.toReversed();

function ofHead({ figures, displayed, head, run, info }: ExportSubject): Row[] {
  const { queries, keys, stages, mask, patterns } = figures;
  const pair = [tokensAxis("query", queries), tokensAxis("key", keys)];
  const beside = drawnBeside(figures);
  const view = viewOf(displayed);
  const weights = { quantity: "weights", ...head, beside };
  const headAxes =
    beside.length > 0
      ? [
          axis(
            "head",
            patterns.map((one) => `head ${one.head + 1}`),
          ),
        ]
      : [];
  const count = Math.min(queries.length, keys.length);
  const rows: Row[] = [];
  if (view) {
    const label = message("lens.exportWeights", { view: lensSummary(displayed).join("; ") });
    const seen = [tokensAxis("query", displayed.queries), tokensAxis("key", displayed.keys)];
    rows.push([
      SHOWN,
      label,
      [...headAxes, ...seen],
      { ...weights, view },
      () => (beside.length > 0 ? headsOf(displayed.patterns) : displayed.weights),
    ]);
  }
  if (beside.length > 0)
    rows.push([
      "heads",
      message("export.heads"),
      [...headAxes, ...pair],
      weights,
      () => headsOf(patterns),
    ]);
  const own = (quantity: string, label: MessageKey, axes: SizedAxis[], read: Row[4]): Row => [
    quantity,
    message(label),
    axes,
    { quantity, ...head },
    read,
  ];
  return [
    ...rows,
    ...LISTED_STAGES.map((stage) => own(stage, `stage.${stage}`, pair, () => stages[stage])),
    own("stages", "export.stages", [axis("stage", STAGES), ...pair], () =>
      stacked(
        "stage",
        STAGES.map((stage) => stages[stage]),
      ),
    ),
    own("mask", "export.mask", pair, () => mask),
    ...PROJECTIONS.map((part) => {
      const tokens = tokensAxis("position", part === "query" ? queries : keys);
      const wide = axis("head_dim", info.stacks[head.stack]?.headDim ?? 0);
      return own(part, `export.${part}`, [tokens, wide], () => run.qkv({ ...head, part }));
    }),
    own(
      "singular-values",
      "export.other.spectrum",
      [axis("matrix", SPECTRA), axis("index", count)],
      async () => {
        const read = await run.spectrum(head);
        // A matrix with a number that is not finite has none.
        const values = SPECTRA.flatMap((matrix) =>
          Array.from({ length: count }, (_, index) => read[matrix].values[index] ?? NaN),
        );
        return tensorOf(values, [SPECTRA.length, count], ["matrix", "index"]);
      },
    ),
  ];
}

/** Small pictures of all heads, what each of them does on the text, and how unlike each is to the head that is shown. */
function ofStack({ run, info, head }: ExportSubject): Row[] {
  const { stack } = head;
  const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
  const all = [axis("layer", layers), axis("head", heads)];
  const roles = ROLES.map(({ role }) => role);
  const measures = [...all, axis("measure", ["entropy", "distance", ...roles])];
  const side = THUMBNAIL_SIZE;
  /** The numbers of each head in the head's place; what is not defined is no number. */
  const placed = <Head extends Omit<HeadRef, "stack">>(
    read: readonly Head[],
    axes: readonly SizedAxis[],
    numbers: (one: Head) => readonly (number | null)[],
  ): Tensor => {
    const count = axes[2]?.size ?? 1;
    const data = new Array<number>(layers * heads * count).fill(NaN);
    for (const one of read)
      numbers(one).forEach(
        (value, at) => (data[(one.layer * heads + one.head) * count + at] = value ?? NaN),
      );
    return tensorOf(
      data,
      axes.map(({ size }) => size),
      axes.map(({ name }) => name),
    );
  };
  return [
    [
      "thumbnails",
      message("export.thumbnails"),
      [...all, axis("query", side), axis("key", side)],
      { quantity: "thumbnails", stack },
      () => run.thumbnails({ stack, size: side }),
    ],
    [
      "measures",
      message("export.measures"),
      measures,
      { quantity: "measures", stack },
      async () =>
        placed(await run.measures({ stack }), measures, (one) => [
          one.entropy,
          one.distance,
          ...roles.map((role) => one.roles[role]),
        ]),
    ],
    [
      "divergence",
      message("export.divergence", { layer: head.layer + 1, head: head.head + 1 }),
      all,
      { quantity: "divergence", ...head },
      async () => placed(await run.likeness(head), all, ({ divergence }) => [divergence]),
    ],
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
    return [`step ${step}`, stepWords(step, terms), axes, of, () => tensor];
  });
}

/** The hidden states of each text's stack, layer by layer, and what its positions add. */
function ofTextStacks({ run, info }: ExportSubject): Row[] {
  return STACKS.flatMap((stack): Row[] => {
    const size = info.stacks[stack];
    if (stack === "cross" || !size) return [];
    const tokens = tokensAxis("position", tokensOf(run, stack).queries);
    const name = message(`stack.${stack}`);
    const wide = axis("model_dim", info.dModel);
    const along = info.positions === "rotary" ? axis("head_dim", size.headDim) : wide;
    return [
      ...Array.from(
        { length: size.layers + 1 },
        (_, layer): Row => [
          `hidden ${stack} ${layer}`,
          layer === 0
            ? message("export.embeddings", { stack: name })
            : message("export.hidden", { stack: name, layer }),
          [tokens, wide],
          { quantity: "hidden", stack, hiddenStates: layer },
          () => run.hidden({ stack, layer }),
        ],
      ),
      [
        `positions ${stack}`,
        message("export.positions", { stack: name }),
        [tokens, along],
        { quantity: "positions", stack },
        () => run.positions({ stack }),
      ],
    ];
  });
}

/** What a head of the vocabulary says of each position; none of a model without one. */
function logits({ run, info }: ExportSubject): Row[] {
  const { queries } = tokensOf(run, info.architecture === "encoder" ? "encoder" : "decoder");
  const axes = [tokensAxis("position", queries), axis("vocabulary", info.vocabSize, 0)];
  return info.predicts
    ? [["logits", message("export.logits"), axes, { quantity: "logits" }, () => run.logits()]]
    : [];
}

/** The same choice with the words of the vocabulary, which are known only once they are asked for. */
function withVocabulary(choice: NumbersChoice, { run, info }: ExportSubject): NumbersChoice {
  const read = async (): Promise<LabelledTensor> => {
    const [{ tensor, axes }, [words = []]] = await Promise.all([
      choice.read(),
      run.predictions({ positions: [0], topK: info.vocabSize }),
    ]);
    const labels = new Array<string>(info.vocabSize).fill("");
    for (const { id, text } of words) labels[id] = text;
    return { tensor, axes: [...axes.slice(0, 1), { name: "vocabulary", labels, first: 0 }] };
  };
  return { ...choice, read };
}

// Two runs: their difference first, in the stage that is shown; then either run's own numbers.

function ofBothRuns(subject: ExportSubject, compared: ComparedSubject): Row[] {
  const { stage: shown } = subject.state;
  const { one, other, shared } = compared.paired;
  const { queries, keys } = shared;
  const stages = [shown, ...LISTED_STAGES.filter((stage) => stage !== shown)];
  const axes = [
    axis("query", sharedLabels(queries, one.queries, other.queries)),
    axis("key", sharedLabels(keys, one.keys, other.keys)),
  ];
  const ofOne = (which: "first" | "second"): Row[] => {
    const [figures, key] =
      which === "first"
        ? ([one, "pairs.exportFirst"] as const)
        : ([other, "pairs.exportSecond"] as const);
    const own = [tokensAxis("query", figures.queries), tokensAxis("key", figures.keys)];
    return stages.map(
      (stage): Row => [
        `${which} ${stage}`,
        message(key, { what: message(`stage.${stage}`) }),
        own,
        () => runProvenance(which, subject, compared, stage),
        () => figures.stages[stage],
      ],
    );
  };
  return [
    ...stages.map(
      (stage): Row => [
        `difference ${stage}`,
        message("pairs.exportDifference", { what: message(`stage.${stage}`) }),
        axes,
        { quantity: `${stage}-difference`, ...subject.head },
        () => sharedPattern(one.stages[stage], other.stages[stage], queries, keys).tensor,
      ],
    ),
    ...ofOne("first"),
    ...ofOne("second"),
  ];
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
    const layers = (info.stacks[stack]?.layers ?? 0) + 1;
    const labels = words.map((pair) => wordsLabel(pair, run, other));
    return [
      [
        `cosines ${side}`,
        message("pairs.exportCosines", { stack: message(`stack.${stack}`) }),
        [axis("word", labels), axis("layer", layers, 0)],
        () => ({
          ...provenanceOf(subject, { quantity: "cosines", stack }),
          compared: { ...compared.reading, stack, layer: null, head: null },
        }),
        async () => {
          const read = await readCosines(run, other, words);
          // A state that is zero has no direction.
          const values = read.flatMap((one) => one.cosines.map((cosine) => cosine ?? NaN));
          return tensorOf(values, [words.length, layers], ["word", "layer"]);
        },
      ],
    ];
  });
}

/** The words as their tokens have them, the same in every language. */
function wordsLabel({ side, one, other }: WordPair, first: Run, second: Run): string {
  const spelled = (run: Run, positions: readonly number[]): string =>
    positions
      .map((at) => (side === "source" ? run.tokens : run.targetTokens)[at]?.text ?? "")
      .join("")
      .trim();
  return bothOf(spelled(first, one.positions), spelled(second, other?.positions ?? []));
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
function bothOf(one: string, other: string): string {
  return one === other ? one : `${one} | ${other}`;
}

function tensorOf(values: readonly number[], shape: number[], axes: string[]): Tensor {
  return { data: Float32Array.from(values), shape, axes };
}

function headsOf(patterns: readonly HeadPattern[]): Tensor {
  return stacked(
    "head",
    patterns.map(({ weights }) => weights),
  );
}

/** Tensors of one shape, one behind the other along a new first axis. */
function stacked(name: string, tensors: readonly Tensor[]): Tensor {
  const [{ data, shape, axes } = { data: new Float32Array(), shape: [], axes: [] }] = tensors;
  const all = new Float32Array(data.length * tensors.length);
  tensors.forEach((tensor, index) => all.set(tensor.data, index * data.length));
  return { data: all, shape: [tensors.length, ...shape], axes: [name, ...axes] };
}

/** Which choice holds the numbers that are shown; of weights that the picture shows in another way than the run has them, those. */
export function shownNumbers({
  state: { picture, stage, number },
  head: { stack },
  displayed,
  compared,
}: ExportSubject): string {
  // The first choice of two runs is what is shown: their difference.
  if (compared) return "";
  if (picture === "steps") return `step ${number?.step ?? "weights"}`;
  if (displayed.lens.weightsOnly && isChanged(displayed)) return SHOWN;
  if (picture === "positions") return `positions ${positionedStack(stack)}`;
  if (picture === "mask") return "mask";
  // Where one head is drawn alone there is no such choice, and the first one is offered: its weights.
  if (picture === "lines") return "heads";
  return picture === "heatmap" ? stage : "weights";
}

/** The same numbers in the rows and columns that the picture shows; null where it shows all there are, or others. */
export function regionChoice(choice: NumbersChoice, subject: ExportSubject): NumbersChoice | null {
  const { displayed, compared } = subject;
  const [rows = 0, columns = 0] = choice.shape.slice(-2);
  // By token there may be more than by word. In a comparison each picture counts its own.
  const ofPicture =
    compared !== null || (rows === displayed.queries.length && columns === displayed.keys.length);
  const part = choice.pattern && ofPicture ? partShown(subject, { rows, columns }) : null;
  if (!part) return null;
  const { region } = part;
  const sides = [region.rows, region.columns];
  const starts = [region.query, region.key];
  return {
    ...choice,
    shape: [...choice.shape.slice(0, -2), ...sides],
    provenance: () => ({ ...choice.provenance(), part }),
    read: async () => {
      const { tensor, axes } = await choice.read();
      const behind = axes.length - 2;
      return {
        tensor: cut(tensor, part),
        // Places keep the numbers that they have in the whole.
        axes: axes.map((one, at) => {
          if (at < behind) return one;
          const [start = 0, length = 0] = [starts[at - behind], sides[at - behind]];
          const labels = one.labels?.slice(start, start + length) ?? null;
          return { ...one, labels, first: one.first + start };
        }),
      };
    },
  };
}

/** The region of each pattern of a tensor, be there one or many behind each other. */
function cut({ data, shape, axes }: Tensor, { region, whole }: Part): Tensor {
  const size = whole.rows * whole.columns;
  const patterns = Array.from(
    { length: data.length / size },
    (_, at) =>
      cutOut(
        {
          data: data.subarray(at * size, (at + 1) * size),
          shape: [whole.rows, whole.columns],
          axes: [],
        },
        region,
      ).data,
  );
  const cells = region.rows * region.columns;
  const all = new Float32Array(patterns.length * cells);
  patterns.forEach((pattern, at) => all.set(pattern, at * cells));
  return { data: all, shape: [...shape.slice(0, -2), region.rows, region.columns], axes };
}
