// The tensors of a run that can be saved: one list, from which the dialog offers and reads.
import {
  ROLES,
  type HeadMeasures,
  type HeadPattern,
  type HeadRef,
  type Part as Projection,
  type Stack,
  type Stage,
  type StepTensor,
  type Tensor,
  type Token,
} from "../../data/index.js";
import { cutOut, type Extent } from "../../draw/region.js";
import { isOfKeys, isPattern } from "../../draw/steps.js";
import { stepWords } from "../../elements/steps/labels.js";
import type { Axis, LabelledTensor, Part, Provenance } from "../../export/provenance.js";
import type { Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { STACKS, STAGES, unusualStages, type Side } from "../../state/index.js";
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
  type Taken,
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

/** An axis before its tensor is read. */
interface SizedAxis extends Axis {
  size: number;
}

const ofTokens = (name: string, tokens: readonly Token[]): SizedAxis => ({
  ...tokenAxis(name, tokens),
  size: tokens.length,
});
const named = (name: string, labels: readonly string[]): SizedAxis => ({
  name,
  labels,
  first: 1,
  size: labels.length,
});
const counted = (name: string, size: number, first = 1): SizedAxis => ({
  name,
  labels: null,
  first,
  size,
});

type Described = Pick<NumbersChoice, "id" | "label" | "group"> & {
  axes: readonly SizedAxis[];
  /** What of the run it is, or where it comes from otherwise. */
  of: Taken | (() => Provenance);
  read: () => Promise<Tensor> | Tensor;
};

function choiceOf(
  subject: ExportSubject,
  { id, label, group, axes, of, read }: Described,
): NumbersChoice {
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
}

/** Every tensor that can be saved, those of the head that is shown first; of two runs what compares them. `steps` are those of its block, where they were read. */
export function numbersChoices(
  subject: ExportSubject,
  steps: readonly StepTensor[] = [],
): NumbersChoice[] {
  const described = subject.compared
    ? ofBothRuns(subject, subject.compared)
    : [
        ...ofHead(subject),
        ...ofStack(subject),
        ...ofSteps(subject, steps),
        ...ofTextStacks(subject),
      ];
  const choices = described.map((one) => choiceOf(subject, one));
  return subject.compared ? choices : [...choices, ...logits(subject)];
}

/** The weights as the picture shows them. */
const SHOWN = "shown";
const PROJECTIONS = ["query", "key", "value"] as const satisfies readonly Projection[];
const SPECTRA = ["scores", "weights"] as const;

function ofHead(subject: ExportSubject): Described[] {
  const { figures, displayed, head, run, info } = subject;
  const { queries, keys, stages, mask, patterns } = figures;
  const pair = [ofTokens("query", queries), ofTokens("key", keys)];
  const seen = [ofTokens("query", displayed.queries), ofTokens("key", displayed.keys)];
  const headDim = info.stacks[head.stack]?.headDim ?? 0;
  const beside = drawnBeside(figures);
  const view = viewOf(displayed);
  const own = (
    quantity: string,
    label: string,
    axes: readonly SizedAxis[],
    read: Described["read"],
    more: Partial<Taken> & { id?: string } = {},
  ): Described => {
    const { id = quantity, ...taken } = more;
    return { id, label, group: "head", axes, of: { quantity, ...head, ...taken }, read };
  };
  const summary = message("lens.exportWeights", { view: lensSummary(displayed).join("; ") });
  const shown =
    beside.length > 0
      ? own("weights", summary, [headAxis(patterns), ...seen], () => headsOf(displayed.patterns), {
          id: SHOWN,
          beside,
          view,
        })
      : own("weights", summary, seen, () => displayed.weights, { id: SHOWN, view });
  const heads = own(
    "weights",
    message("export.heads"),
    [headAxis(patterns), ...pair],
    () => headsOf(patterns),
    { id: "heads", beside },
  );
  const count = Math.min(queries.length, keys.length);
  return [
    ...(view ? [shown] : []),
    ...(beside.length > 0 ? [heads] : []),
    ...[...STAGES]
      .reverse()
      .map((stage) => own(stage, message(`stage.${stage}`), pair, () => stages[stage])),
    own("stages", message("export.stages"), [named("stage", STAGES), ...pair], () =>
      stacked(
        "stage",
        STAGES.map((stage) => stages[stage]),
      ),
    ),
    own("mask", message("export.mask"), pair, () => mask),
    ...PROJECTIONS.map((part) => {
      const axes = [
        ofTokens("position", part === "query" ? queries : keys),
        counted("head_dim", headDim),
      ];
      return own(part, message(`export.${part}`), axes, () => run.qkv({ ...head, part }));
    }),
    own(
      "singular-values",
      message("export.other.spectrum"),
      [named("matrix", SPECTRA), counted("index", count)],
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
function ofStack({ run, info, head }: ExportSubject): Described[] {
  const { stack } = head;
  const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
  const all = [counted("layer", layers), counted("head", heads)];
  const names = ["entropy", "distance", ...ROLES.map(({ role }) => role)];
  const numbersOf = ({ entropy, distance, roles }: HeadMeasures): (number | null)[] => [
    entropy,
    distance,
    ...ROLES.map(({ role }) => roles[role]),
  ];
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
  const small = [counted("query", THUMBNAIL_SIZE), counted("key", THUMBNAIL_SIZE)];
  const measures = [...all, named("measure", names)];
  const place = { layer: head.layer + 1, head: head.head + 1 };
  return [
    {
      id: "thumbnails",
      label: message("export.thumbnails"),
      group: "stack",
      axes: [...all, ...small],
      of: { quantity: "thumbnails", stack },
      read: () => run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
    },
    {
      id: "measures",
      label: message("export.measures"),
      group: "stack",
      axes: measures,
      of: { quantity: "measures", stack },
      read: async () => placed(await run.measures({ stack }), measures, numbersOf),
    },
    {
      id: "divergence",
      label: message("export.divergence", place),
      group: "stack",
      axes: all,
      of: { quantity: "divergence", ...head },
      read: async () => placed(await run.likeness(head), all, ({ divergence }) => [divergence]),
    },
  ];
}

/** Every matrix of the way through the block of the head that is shown, in the order of the strip. */
function ofSteps(
  { info, state, head, figures: { queries, keys } }: ExportSubject,
  steps: readonly StepTensor[],
): Described[] {
  const terms = { typed: info.tokenTypes > 0, unusual: unusualStages(state.edits, head) };
  return steps.map(({ step, tensor }) => {
    const [down = "position", across = "column"] = tensor.axes;
    return {
      id: `step ${step}`,
      label: stepWords(step, terms),
      group: "steps",
      axes: [
        ofTokens(down, isOfKeys(step) ? keys : queries),
        isPattern(step) ? ofTokens(across, keys) : counted(across, tensor.shape[1] ?? 0),
      ],
      of: { quantity: `step-${step}`, ...head },
      read: () => tensor,
    };
  });
}

/** The hidden states of each text's stack, layer by layer, and what its positions add. */
function ofTextStacks({ run, info }: ExportSubject): Described[] {
  return STACKS.flatMap((stack): Described[] => {
    const size = info.stacks[stack];
    if (stack === "cross" || !size) return [];
    const tokens = ofTokens("position", tokensOf(run, stack).queries);
    const name = message(`stack.${stack}`);
    const hidden = Array.from(
      { length: size.layers + 1 },
      (_, layer): Described => ({
        id: `hidden ${stack} ${layer}`,
        label:
          layer === 0
            ? message("export.embeddings", { stack: name })
            : message("export.hidden", { stack: name, layer }),
        group: "text",
        axes: [tokens, counted("model_dim", info.dModel)],
        of: { quantity: "hidden", stack, hiddenStates: layer },
        read: () => run.hidden({ stack, layer }),
      }),
    );
    const along =
      info.positions === "rotary"
        ? counted("head_dim", size.headDim)
        : counted("model_dim", info.dModel);
    return [
      ...hidden,
      {
        id: `positions ${stack}`,
        label: message("export.positions", { stack: name }),
        group: "text",
        axes: [tokens, along],
        of: { quantity: "positions", stack },
        read: () => run.positions({ stack }),
      },
    ];
  });
}

/** What a head of the vocabulary says of each position; none of a model without one. */
function logits(subject: ExportSubject): NumbersChoice[] {
  const { run, info } = subject;
  if (!info.predicts) return [];
  const stack: Stack = info.architecture === "encoder" ? "encoder" : "decoder";
  const tokens = ofTokens("position", tokensOf(run, stack).queries);
  const choice = choiceOf(subject, {
    id: "logits",
    label: message("export.logits"),
    group: "text",
    axes: [tokens, counted("vocabulary", info.vocabSize, 0)],
    of: { quantity: "logits" },
    read: () => run.logits(),
  });
  /** The words of the vocabulary are known only once they are asked for. */
  const read = async (): Promise<LabelledTensor> => {
    const [{ tensor, axes }, [words = []]] = await Promise.all([
      choice.read(),
      run.predictions({ positions: [0], topK: info.vocabSize }),
    ]);
    const labels: string[] = new Array<string>(info.vocabSize).fill("");
    for (const { id, text } of words) labels[id] = text;
    return { tensor, axes: [...axes.slice(0, 1), { name: "vocabulary", labels, first: 0 }] };
  };
  return [{ ...choice, read }];
}

// Two runs: their difference first, in the stage that is shown; then either run's own numbers.

const SIDES = ["source", "target"] as const satisfies readonly Side[];

function ofBothRuns(subject: ExportSubject, compared: ComparedSubject): Described[] {
  const { stage: shown } = subject.state;
  const { one, other, shared } = compared.paired;
  const stages = [shown, ...[...STAGES].reverse().filter((stage) => stage !== shown)];
  const { queries, keys } = shared;
  const axes = [
    named("query", sharedLabels(queries, one.queries, other.queries)),
    named("key", sharedLabels(keys, one.keys, other.keys)),
  ];
  const own = (which: "first" | "second", stage: Stage): Described => {
    const figures = which === "first" ? one : other;
    return {
      id: `${which} ${stage}`,
      label: message(which === "first" ? "pairs.exportFirst" : "pairs.exportSecond", {
        what: message(`stage.${stage}`),
      }),
      group: "head",
      axes: [ofTokens("query", figures.queries), ofTokens("key", figures.keys)],
      of: () => runProvenance(which, subject, compared, stage),
      read: () => figures.stages[stage],
    };
  };
  return [
    ...stages.map(
      (stage): Described => ({
        id: `difference ${stage}`,
        label: message("pairs.exportDifference", { what: message(`stage.${stage}`) }),
        group: "head",
        axes,
        of: { quantity: `${stage}-difference`, ...subject.head },
        read: () => sharedPattern(one.stages[stage], other.stages[stage], queries, keys).tensor,
      }),
    ),
    ...stages.map((stage) => own("first", stage)),
    ...stages.map((stage) => own("second", stage)),
    ...cosines(subject, compared),
  ];
}

/** How alike every word is to its counterpart, by layer, the embeddings first. */
function cosines(subject: ExportSubject, compared: ComparedSubject): Described[] {
  const all = compared.words();
  const other = compared.paired.other.run;
  return SIDES.flatMap((side): Described[] => {
    const words = all.filter((pair) => pair.side === side);
    const [first] = words;
    if (!first) return [];
    const { stack } = first;
    const layers = (subject.info.stacks[stack]?.layers ?? 0) + 1;
    const labels = words.map((pair) => wordsLabel(pair, subject.run, other));
    return [
      {
        id: `cosines ${side}`,
        label: message("pairs.exportCosines", { stack: message(`stack.${stack}`) }),
        group: "text",
        axes: [named("word", labels), counted("layer", layers, 0)],
        of: () => ({
          ...provenanceOf(subject, { quantity: "cosines", stack }),
          compared: { ...compared.reading, stack, layer: null, head: null },
        }),
        read: async () => {
          const read = await readCosines(subject.run, other, words);
          // A state that is zero has no direction.
          const values = read.flatMap((one) => one.cosines.map((cosine) => cosine ?? NaN));
          return tensorOf(values, [words.length, layers], ["word", "layer"]);
        },
      },
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
    const [first, second] = [
      at === null ? null : (firsts[at]?.text ?? ""),
      to === null ? null : (seconds[to]?.text ?? ""),
    ];
    if (second === null) return `+ ${first ?? ""}`;
    return first === null ? `− ${second}` : bothOf(first, second);
  });
}

/** A word and its counterpart, once where they are the same. */
function bothOf(one: string, other: string): string {
  return one === other ? one : `${one} | ${other}`;
}

function tensorOf(values: readonly number[], shape: number[], axes: string[]): Tensor {
  return { data: Float32Array.from(values), shape, axes };
}

function headAxis(patterns: readonly HeadPattern[]): SizedAxis {
  return named(
    "head",
    patterns.map(({ head }) => `head ${head + 1}`),
  );
}

/** The weights of several heads along a new first axis. */
function headsOf(patterns: readonly HeadPattern[]): Tensor {
  return stacked(
    "head",
    patterns.map(({ weights }) => weights),
  );
}

/** Tensors of one shape, one behind the other along a new first axis. */
function stacked(axis: string, tensors: readonly Tensor[]): Tensor {
  const [first] = tensors;
  if (!first) return { data: new Float32Array(), shape: [0], axes: [axis] };
  const data = new Float32Array(first.data.length * tensors.length);
  tensors.forEach((tensor, index) => data.set(tensor.data, index * first.data.length));
  return { data, shape: [tensors.length, ...first.shape], axes: [axis, ...first.axes] };
}

/** Which choice holds the numbers that are shown; of weights that are looked at in another way than the run has them, those. */
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
  const [rows = 0, columns = 0] = choice.shape.slice(-2);
  const part =
    choice.pattern && isOfPicture({ rows, columns }, subject)
      ? partShown(subject, { rows, columns })
      : null;
  if (!part) return null;
  const { region } = part;
  return {
    ...choice,
    shape: [...choice.shape.slice(0, -2), region.rows, region.columns],
    provenance: () => ({ ...choice.provenance(), part }),
    read: async () => {
      const { tensor, axes } = await choice.read();
      return { tensor: cut(tensor, part), axes: cutAxes(axes, part) };
    },
  };
}

/** Whether rows and columns are those of the picture: by token there may be more than by word. In a comparison each picture counts its own. */
function isOfPicture({ rows, columns }: Extent, { displayed, compared }: ExportSubject): boolean {
  return (
    compared !== null || (rows === displayed.queries.length && columns === displayed.keys.length)
  );
}

/** The region of each pattern of a tensor, be there one or many behind each other. */
function cut(tensor: Tensor, { region, whole }: Part): Tensor {
  const size = whole.rows * whole.columns;
  const behind = tensor.shape.slice(0, -2);
  const count = behind.reduce((product, length) => product * length, 1);
  const data = new Float32Array(count * region.rows * region.columns);
  for (let at = 0; at < count; at++) {
    const pattern = {
      data: tensor.data.subarray(at * size, (at + 1) * size),
      shape: [whole.rows, whole.columns],
      axes: tensor.axes.slice(-2),
    };
    data.set(cutOut(pattern, region).data, at * region.rows * region.columns);
  }
  return { data, shape: [...behind, region.rows, region.columns], axes: tensor.axes };
}

/** Places keep the numbers that they have in the whole. */
function cutAxes(axes: readonly Axis[], { region: { query, key, rows, columns } }: Part): Axis[] {
  const of = ({ name, labels, first }: Axis, start: number, length: number): Axis => ({
    name,
    labels: labels?.slice(start, start + length) ?? null,
    first: first + start,
  });
  return axes.map((axis, index) => {
    if (index === axes.length - 2) return of(axis, query, rows);
    return index === axes.length - 1 ? of(axis, key, columns) : axis;
  });
}
