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
import { stepWords } from "../../elements/steps/block.js";
import { isOfKeys, isPattern } from "../../elements/steps/formulas.js";
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

/** Makes a choice of a group: `of` says what of the run it is, or where it comes from otherwise. */
type Choose = (
  id: string,
  label: string,
  axes: readonly SizedAxis[],
  of: Portion | (() => Provenance),
  read: () => Promise<Tensor> | Tensor,
) => NumbersChoice;

function chooser(subject: ExportSubject, group: NumbersChoice["group"]): Choose {
  return (id, label, axes, of, read) => {
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
  };
}

/** Every tensor that can be saved, those of the head that is shown first; of two runs what compares them. `steps` are those of its block, where they were read. */
export function numbersChoices(
  subject: ExportSubject,
  steps: readonly StepTensor[] = [],
): NumbersChoice[] {
  return subject.compared
    ? ofBothRuns(subject, subject.compared)
    : [
        ...ofHead(subject),
        ...ofStack(subject),
        ...ofSteps(subject, steps),
        ...ofTextStacks(subject),
        ...logits(subject),
      ];
}

/** The weights as the picture shows them. */
const SHOWN = "shown";
const PROJECTIONS = ["query", "key", "value"] as const satisfies readonly Projection[];
const SPECTRA = ["scores", "weights"] as const;

function ofHead(subject: ExportSubject): NumbersChoice[] {
  const { figures, displayed, head, run, info } = subject;
  const { queries, keys, stages, mask, patterns } = figures;
  const pair = [ofTokens("query", queries), ofTokens("key", keys)];
  const seen = [ofTokens("query", displayed.queries), ofTokens("key", displayed.keys)];
  const headDim = info.stacks[head.stack]?.headDim ?? 0;
  const beside = drawnBeside(figures);
  const view = viewOf(displayed);
  const choose = chooser(subject, "head");
  const own = (
    quantity: string,
    label: string,
    axes: readonly SizedAxis[],
    read: Parameters<Choose>[4],
  ): NumbersChoice => choose(quantity, label, axes, { quantity, ...head }, read);
  const weights = { quantity: "weights", ...head, beside };
  const several = beside.length > 0;
  const summary = message("lens.exportWeights", { view: lensSummary(displayed).join("; ") });
  const count = Math.min(queries.length, keys.length);
  return [
    ...(view
      ? [
          choose(
            SHOWN,
            summary,
            several ? [headAxis(patterns), ...seen] : seen,
            { ...weights, view },
            () => (several ? headsOf(displayed.patterns) : displayed.weights),
          ),
        ]
      : []),
    ...(several
      ? [
          choose("heads", message("export.heads"), [headAxis(patterns), ...pair], weights, () =>
            headsOf(patterns),
          ),
        ]
      : []),
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
      const tokens = ofTokens("position", part === "query" ? queries : keys);
      return own(part, message(`export.${part}`), [tokens, counted("head_dim", headDim)], () =>
        run.qkv({ ...head, part }),
      );
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
function ofStack(subject: ExportSubject): NumbersChoice[] {
  const { run, info, head } = subject;
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
  const choose = chooser(subject, "stack");
  return [
    choose(
      "thumbnails",
      message("export.thumbnails"),
      [...all, ...small],
      { quantity: "thumbnails", stack },
      () => run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
    ),
    choose(
      "measures",
      message("export.measures"),
      measures,
      { quantity: "measures", stack },
      async () => placed(await run.measures({ stack }), measures, numbersOf),
    ),
    choose(
      "divergence",
      message("export.divergence", place),
      all,
      { quantity: "divergence", ...head },
      async () => placed(await run.likeness(head), all, ({ divergence }) => [divergence]),
    ),
  ];
}

/** Every matrix of the way through the block of the head that is shown, in the order of the strip. */
function ofSteps(subject: ExportSubject, steps: readonly StepTensor[]): NumbersChoice[] {
  const { info, state, head, figures } = subject;
  const { queries, keys } = figures;
  const terms = { typed: info.tokenTypes > 0, unusual: unusualStages(state.edits, head) };
  const choose = chooser(subject, "steps");
  return steps.map(({ step, tensor }) => {
    const [down = "position", across = "column"] = tensor.axes;
    const axes = [
      ofTokens(down, isOfKeys(step) ? keys : queries),
      isPattern(step) ? ofTokens(across, keys) : counted(across, tensor.shape[1] ?? 0),
    ];
    const of = { quantity: `step-${step}`, ...head };
    return choose(`step ${step}`, stepWords(step, terms), axes, of, () => tensor);
  });
}

/** The hidden states of each text's stack, layer by layer, and what its positions add. */
function ofTextStacks(subject: ExportSubject): NumbersChoice[] {
  const { run, info } = subject;
  const choose = chooser(subject, "text");
  return STACKS.flatMap((stack): NumbersChoice[] => {
    const size = info.stacks[stack];
    if (stack === "cross" || !size) return [];
    const tokens = ofTokens("position", tokensOf(run, stack).queries);
    const name = message(`stack.${stack}`);
    const wide = counted("model_dim", info.dModel);
    const along = info.positions === "rotary" ? counted("head_dim", size.headDim) : wide;
    return [
      ...Array.from({ length: size.layers + 1 }, (_, layer) =>
        choose(
          `hidden ${stack} ${layer}`,
          layer === 0
            ? message("export.embeddings", { stack: name })
            : message("export.hidden", { stack: name, layer }),
          [tokens, wide],
          { quantity: "hidden", stack, hiddenStates: layer },
          () => run.hidden({ stack, layer }),
        ),
      ),
      choose(
        `positions ${stack}`,
        message("export.positions", { stack: name }),
        [tokens, along],
        { quantity: "positions", stack },
        () => run.positions({ stack }),
      ),
    ];
  });
}

/** What a head of the vocabulary says of each position; none of a model without one. */
function logits(subject: ExportSubject): NumbersChoice[] {
  const { run, info } = subject;
  if (!info.predicts) return [];
  const stack: Stack = info.architecture === "encoder" ? "encoder" : "decoder";
  const choice = chooser(subject, "text")(
    "logits",
    message("export.logits"),
    [ofTokens("position", tokensOf(run, stack).queries), counted("vocabulary", info.vocabSize, 0)],
    { quantity: "logits" },
    () => run.logits(),
  );
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

function ofBothRuns(subject: ExportSubject, compared: ComparedSubject): NumbersChoice[] {
  const { stage: shown } = subject.state;
  const { one, other, shared } = compared.paired;
  const stages = [shown, ...[...STAGES].reverse().filter((stage) => stage !== shown)];
  const { queries, keys } = shared;
  const axes = [
    named("query", sharedLabels(queries, one.queries, other.queries)),
    named("key", sharedLabels(keys, one.keys, other.keys)),
  ];
  const choose = chooser(subject, "head");
  const own = (which: "first" | "second", stage: Stage): NumbersChoice => {
    const figures = which === "first" ? one : other;
    const key = which === "first" ? "pairs.exportFirst" : "pairs.exportSecond";
    return choose(
      `${which} ${stage}`,
      message(key, { what: message(`stage.${stage}`) }),
      [ofTokens("query", figures.queries), ofTokens("key", figures.keys)],
      () => runProvenance(which, subject, compared, stage),
      () => figures.stages[stage],
    );
  };
  return [
    ...stages.map((stage) =>
      choose(
        `difference ${stage}`,
        message("pairs.exportDifference", { what: message(`stage.${stage}`) }),
        axes,
        { quantity: `${stage}-difference`, ...subject.head },
        () => sharedPattern(one.stages[stage], other.stages[stage], queries, keys).tensor,
      ),
    ),
    ...stages.map((stage) => own("first", stage)),
    ...stages.map((stage) => own("second", stage)),
    ...cosines(subject, compared),
  ];
}

/** How alike every word is to its counterpart, by layer, the embeddings first. */
function cosines(subject: ExportSubject, compared: ComparedSubject): NumbersChoice[] {
  const all = compared.words();
  const other = compared.paired.other.run;
  return SIDES.flatMap((side): NumbersChoice[] => {
    const words = all.filter((pair) => pair.side === side);
    const [first] = words;
    if (!first) return [];
    const { stack } = first;
    const layers = (subject.info.stacks[stack]?.layers ?? 0) + 1;
    const labels = words.map((pair) => wordsLabel(pair, subject.run, other));
    return [
      chooser(subject, "text")(
        `cosines ${side}`,
        message("pairs.exportCosines", { stack: message(`stack.${stack}`) }),
        [named("word", labels), counted("layer", layers, 0)],
        () => ({
          ...provenanceOf(subject, { quantity: "cosines", stack }),
          compared: { ...compared.reading, stack, layer: null, head: null },
        }),
        async () => {
          const read = await readCosines(subject.run, other, words);
          // A state that is zero has no direction.
          const values = read.flatMap((one) => one.cosines.map((cosine) => cosine ?? NaN));
          return tensorOf(values, [words.length, layers], ["word", "layer"]);
        },
      ),
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
