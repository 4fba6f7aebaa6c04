import type { HeadPattern, Part, Stack, StepTensor, Tensor, Token } from "../../data/index.js";
import type { Axis, Exhibit, Provenance } from "../../export/exhibit.js";
import { message } from "../../i18n/index.js";
import { STACKS, STAGES } from "../../state/index.js";
import { drawnBeside, tokensOf } from "../run/figures.js";
import { isChanged } from "../run/looked.js";
import { lensSummary } from "../parts/lens-words.js";
import { counted, exhibit, tokenAxis, type NumbersChoice } from "./choice.js";
import { pairChoices } from "./pair-numbers.js";
import { singularChoice, stackChoices } from "./stack-numbers.js";
import { stepChoices, stepId } from "./step-numbers.js";
import { provenanceOf, viewOf, type ExportSubject } from "./subject.js";

/** The weights as the picture shows them. */
const SHOWN = "shown";
const PARTS = ["query", "key", "value"] as const satisfies readonly Part[];
type TextStack = Exclude<Stack, "cross">;

/** Every tensor that can be saved, those of the head that is shown first; of two runs what compares them. `steps` are those of its block, where they were read. */
export function numbersChoices(
  subject: ExportSubject,
  steps: readonly StepTensor[] = [],
): NumbersChoice[] {
  if (subject.compared) return pairChoices(subject, subject.compared);
  return [
    ...ofHead(subject),
    singularChoice(subject),
    ...stackChoices(subject),
    ...stepChoices(subject, steps),
    ...ofText(subject),
  ];
}

function ofHead(subject: ExportSubject): NumbersChoice[] {
  const { figures, looked, head, run, info } = subject;
  const { queries, keys, stages, mask, patterns } = figures;
  const square = [queries.length, keys.length];
  const pair = [tokenAxis("query", queries), tokenAxis("key", keys)];
  const choice = (
    quantity: string,
    label: string,
    shape: readonly number[],
    axes: readonly Axis[],
    read: () => Promise<Tensor> | Tensor,
  ): NumbersChoice => ({
    id: quantity,
    label,
    group: "head",
    shape,
    pattern: axes.at(-1)?.name === "key",
    read: async () => exhibit(await read(), axes, provenanceOf(subject, { quantity, ...head })),
  });
  const beside = drawnBeside(figures);
  const heads: NumbersChoice = {
    id: "heads",
    label: message("export.heads"),
    group: "head",
    shape: [patterns.length, ...square],
    pattern: true,
    read: () =>
      Promise.resolve(
        exhibit(
          ...stackedHeads(patterns, pair),
          provenanceOf(subject, { quantity: "weights", ...head, beside }),
        ),
      ),
  };
  const headDim = info.stacks[head.stack]?.headDim ?? 0;
  const view = viewOf(looked);
  const seen = [tokenAxis("query", looked.queries), tokenAxis("key", looked.keys)];
  const asShown: NumbersChoice = {
    id: SHOWN,
    label: message("lens.exportWeights", { view: lensSummary(looked).join("; ") }),
    group: "head",
    shape: [
      ...(beside.length > 0 ? [patterns.length] : []),
      looked.queries.length,
      looked.keys.length,
    ],
    pattern: true,
    read: () => {
      const [tensor, axes] =
        beside.length > 0 ? stackedHeads(looked.patterns, seen) : ([looked.weights, seen] as const);
      return Promise.resolve(
        exhibit(
          tensor,
          axes,
          provenanceOf(subject, { quantity: "weights", ...head, beside, view }),
        ),
      );
    },
  };
  return [
    ...(view ? [asShown] : []),
    ...(beside.length > 0 ? [heads] : []),
    ...[...STAGES]
      .reverse()
      .map((stage) => choice(stage, message(`stage.${stage}`), square, pair, () => stages[stage])),
    choice(
      "stages",
      message("export.stages"),
      [STAGES.length, ...square],
      [{ name: "stage", labels: STAGES, first: 1 }, ...pair],
      () =>
        stacked(
          "stage",
          STAGES.map((stage) => stages[stage]),
        ),
    ),
    choice("mask", message("export.mask"), square, pair, () => mask),
    ...PARTS.map((part) => {
      const tokens = part === "query" ? queries : keys;
      return choice(
        part,
        message(`export.${part}`),
        [tokens.length, headDim],
        [tokenAxis("position", tokens), counted("head_dim")],
        () => run.qkv({ ...head, part }),
      );
    }),
  ];
}

function ofText(subject: ExportSubject): NumbersChoice[] {
  const { run, info } = subject;
  const choice = (
    taken: Taken,
    label: string,
    tokens: readonly Token[],
    across: number,
    read: () => Promise<Pick<Exhibit, "tensor" | "axes">>,
  ): NumbersChoice => ({
    id: [taken.quantity, taken.stack ?? "", taken.hiddenStates ?? ""].join(" ").trim(),
    label,
    group: "text",
    shape: [tokens.length, across],
    pattern: false,
    read: async () => {
      const { tensor, axes } = await read();
      return exhibit(tensor, axes, provenanceOf(subject, taken));
    },
  });
  const choices: NumbersChoice[] = [];
  for (const stack of STACKS) {
    const size = info.stacks[stack];
    if (stack === "cross" || !size) continue;
    const tokens = tokensOf(run, stack).queries;
    const axes = [tokenAxis("position", tokens), counted("model_dim")];
    const name = message(`stack.${stack}`);
    for (let layer = 0; layer <= size.layers; layer += 1) {
      const label =
        layer === 0
          ? message("export.embeddings", { stack: name })
          : message("export.hidden", { stack: name, layer });
      choices.push(
        choice(
          { quantity: "hidden", stack, hiddenStates: layer },
          label,
          tokens,
          info.dModel,
          async () => ({ tensor: await run.hidden({ stack, layer }), axes }),
        ),
      );
    }
    const [across, along] =
      info.positions === "rotary" ? [size.headDim, "head_dim"] : [info.dModel, "model_dim"];
    const positioned = [tokenAxis("position", tokens), counted(along)];
    choices.push(
      choice(
        { quantity: "positions", stack },
        message("export.positions", { stack: name }),
        tokens,
        across,
        async () => ({ tensor: await run.positions({ stack }), axes: positioned }),
      ),
    );
  }
  if (info.predicts) {
    const { queries } = tokensOf(run, textStackOf(subject));
    choices.push(
      choice({ quantity: "logits" }, message("export.logits"), queries, info.vocabSize, () =>
        readLogits(subject, queries),
      ),
    );
  }
  return choices;
}

type Taken = Pick<Provenance, "quantity"> & Partial<Pick<Provenance, "stack" | "hiddenStates">>;

/** The stack whose output the head of the model reads. */
function textStackOf({ info }: ExportSubject): TextStack {
  return info.architecture === "encoder" ? "encoder" : "decoder";
}

async function readLogits(
  { run, info }: ExportSubject,
  tokens: readonly Token[],
): Promise<Pick<Exhibit, "tensor" | "axes">> {
  const [tensor, [words = []]] = await Promise.all([
    run.logits(),
    run.predictions({ positions: [0], topK: info.vocabSize }),
  ]);
  const labels: string[] = new Array<string>(info.vocabSize).fill("");
  for (const { id, text } of words) labels[id] = text;
  return {
    tensor,
    axes: [tokenAxis("position", tokens), { name: "vocabulary", labels, first: 0 }],
  };
}

/** The weights of several heads along a new first axis, with its names. */
function stackedHeads(patterns: readonly HeadPattern[], pair: readonly Axis[]): [Tensor, Axis[]] {
  const labels = patterns.map(({ head }) => `head ${head + 1}`);
  return [
    stacked(
      "head",
      patterns.map(({ weights }) => weights),
    ),
    [{ name: "head", labels, first: 1 }, ...pair],
  ];
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
  looked,
  compared,
}: ExportSubject): string {
  // The first choice of two runs is what is shown: their difference.
  if (compared) return "";
  if (picture === "steps") return stepId(number?.step ?? "weights");
  if (looked.lens.weightsOnly && isChanged(looked)) return SHOWN;
  if (picture === "positions") return `positions ${stack === "encoder" ? "encoder" : "decoder"}`;
  if (picture === "mask") return "mask";
  // Where one head is drawn alone there is no such choice, and the first one is offered: its weights.
  if (picture === "lines") return "heads";
  return picture === "heatmap" ? stage : "weights";
}
