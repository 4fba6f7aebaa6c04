/**
 * The short answer to each question of a learner: the numbers or the texts of the present run that
 * answer it, to stand beside the question's sentence.
 */
import { type Cell, rowOf, type Step, type Tensor, type Token } from "../../data/index.js";
import { valueAt } from "../../draw/layout.js";
import { labelAt } from "../../elements/shared/templates.js";
import { formatFixed, formatPercent, message } from "../../i18n/index.js";
import type { AnswerItem } from "../../session/answer-items.js";
import { placeIn } from "../../session/run/head.js";
import { tokensOf } from "../../session/run/selection.js";
import type { Session } from "../../session/session.js";
import type { Question } from "../../state/index.js";

const TOP_KEYS = 3;
const FEW_NUMBERS = 3;
const TOP_HEADS = 3;
const LAST_LAYERS = 3;
/** The position of the class token before the patches of an image. */
const CLASS_TOKEN = 0;

/** What the answers read of a session. */
export type Answerable = Pick<
  Session,
  | "attribution"
  | "block"
  | "computation"
  | "demoAnswers"
  | "depth"
  | "displayed"
  | "expectation"
  | "explained"
  | "figures"
  | "focused"
  | "held"
  | "layers"
  | "locked"
  | "pairs"
  | "shown"
  | "size"
  | "source"
  | "spectrum"
  | "state"
>;

/** The answer to each question; empty until the numbers are there. */
export const ANSWERS: Readonly<Record<Question, (of: Answerable) => readonly AnswerItem[]>> = {
  // A weight says where the head looks; a length says how much comes from there.
  it: (of) => (of.state.stage === "norms" ? lengthsAnswer(of) : rowAnswer(of)),
  unscaled: textsAnswer,
  future: (of) => demoAnswer(of, "cheat"),
  unordered: textsAnswer,
  previous: rowAnswer,
  important: (of) => demoAnswer(of, "effect"),
  translation: rowAnswer,
  sink: ({ displayed }) => {
    const { sink = null, figures } = displayed ?? {};
    if (!sink || !figures) return [];
    const token = labelAt(figures.keys, sink.key);
    return [bar(message("answer.onAverage", { token }), sink.share)];
  },
  // Until the text is read there is no number of tokens.
  cost: ({ source: { tokens } }) =>
    (tokens.length > 0 ? [1, 2, 4] : []).map((times) => {
      const count = tokens.length * times;
      const label = message("answer.tokens", { count });
      return { label, value: message("answer.pairs", { count: count ** 2 }) };
    }),
  vectors: vectorsAnswer,
  weights: weightsAnswer,
  output: outputAnswer,
  residual: residualAnswer,
  padding: (of) => demoAnswer(of, "pad"),
  schemes: () =>
    (["added", "rotated", "distance", "buckets"] as const).map((scheme) => ({
      label: message(`answer.scheme.${scheme}`),
      value: message(`answer.scheme.${scheme}.how`),
    })),
  // Weights say where the head looks; the grid says what its output does.
  induction: (of) =>
    of.state.experiment === "patching" ? demoAnswer(of, "patching") : rowAnswer(of),
  meaning: meaningAnswer,
  sparse: (of) => demoAnswer(of, "variant"),
  rank: ({ spectrum }) =>
    spectrum === null || spectrum === "too-long"
      ? []
      : (["scores", "weights"] as const).map((of) => ({
          label: message(`stage.${of}`),
          value: message("answer.rank", {
            rank: spectrum[of].rank90,
            count: spectrum[of].values.length,
          }),
        })),
  patches: patchesAnswer,
  layers: layersAnswer,
  explanation: explanationAnswer,
  temperature: (of) => demoAnswer(of, "decoding"),
  beams: (of) => demoAnswer(of, "beams"),
  writing: (of) => demoAnswer(of, "decoding"),
  forming: (of) => demoAnswer(of, "training"),
};

function bar(label: string, share: number): AnswerItem {
  return { label, value: formatPercent(share, 0), share };
}

/** The keys to which the pinned row attends most. */
function rowAnswer({ displayed, focused }: Answerable): readonly AnswerItem[] {
  const place = displayed && placeIn(displayed, focused);
  if (!displayed || !place) return [];
  return strongestKeys(displayed.weights, displayed.keys, place.query).map(({ key, weight }) => {
    const one = labelAt(displayed.queries, place.query);
    return bar(message("answer.pair", { one, other: labelAt(displayed.keys, key) }), weight);
  });
}

/** The shares of the keys in the lengths of what they add to the pinned row. */
function lengthsAnswer({ displayed, focused }: Answerable): readonly AnswerItem[] {
  const place = displayed && placeIn(displayed, focused);
  const { of, patterns: [lengths] = [] } = displayed?.whole?.other ?? {};
  if (!displayed || !place || of !== "norms" || !lengths) return [];
  const { weights } = lengths;
  const all = rowOf(weights, place.query).reduce((sum, length) => sum + length, 0);
  return strongestKeys(weights, displayed.keys, place.query).map(({ key, weight }) => {
    const names = { one: labelAt(displayed.queries, place.query) };
    const label = message("answer.length", { ...names, other: labelAt(displayed.keys, key) });
    return bar(label, all > 0 ? weight / all : 0);
  });
}

function strongestKeys(
  weights: Tensor,
  keys: readonly Token[],
  query: number,
): { key: number; weight: number }[] {
  return Array.from(rowOf(weights, query), (weight, key) => ({ key, weight }))
    .filter(({ key }) => key < keys.length)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, TOP_KEYS);
}

/** What the model writes with the edits and without them. */
function textsAnswer({ computation: { output, unedited } }: Answerable): readonly AnswerItem[] {
  if (!output || output.of !== unedited?.of) return [];
  return [
    { label: message("text.unedited"), value: unedited.words, beside: output.words },
    { label: message("text.edited"), value: output.words, beside: unedited.words },
  ];
}

function demoAnswer({ demoAnswers }: Answerable, name: string): readonly AnswerItem[] {
  return demoAnswers.get(name) ?? [];
}

function vectorsAnswer({ figures, locked }: Answerable): readonly AnswerItem[] {
  const { vectors = null, values = null, stages } = figures ?? {};
  if (!vectors || !values || !stages || !locked) return [];
  const first = (tensor: Tensor, row: number): string => {
    const numbers = [...rowOf(tensor, row)].slice(0, FEW_NUMBERS);
    return `${numbers.map((one) => formatFixed(one, 1)).join("; ")} …`;
  };
  return [
    { label: "q", value: first(vectors.query, locked.query) },
    { label: "k", value: first(vectors.key, locked.key) },
    { label: "v", value: first(values, locked.key) },
    { label: "q · k", value: formatFixed(valueAt(stages.raw, locked), 1) },
  ];
}

/** The scores of the pinned row beside the weights that softmax makes of them. */
function weightsAnswer({ figures, locked }: Answerable): readonly AnswerItem[] {
  if (!figures || !locked) return [];
  const { keys, stages } = figures;
  return strongestKeys(stages.weights, keys, locked.query).map(({ key, weight }) => {
    const score = formatFixed(valueAt(stages.masked, { query: locked.query, key }), 1);
    return bar(message("answer.score", { token: labelAt(keys, key), score }), weight);
  });
}

/** The parts of a number behind the output projection, by the head that they come from. */
function outputAnswer({ explained, size }: Answerable): readonly AnswerItem[] {
  const [context, projection] = explained?.explanation.lines ?? [];
  if (!explained || !size || explained.place.step !== "attended" || !context || !projection)
    return [];
  const parts = Array.from({ length: size.heads }, (_, head) => ({ head, part: 0 }));
  context.values.forEach((value, at) => {
    const part = parts[Math.floor(at / size.headDim)];
    if (part) part.part += value * (projection.values[at] ?? 0);
  });
  const items = parts
    .toSorted((one, other) => Math.abs(other.part) - Math.abs(one.part))
    .slice(0, TOP_HEADS)
    .map(({ head, part }) => ({
      label: message("lines.head", { head: head + 1 }),
      value: formatFixed(part, 2),
    }));
  const value = formatFixed(explained.explanation.value, 2);
  return [...items, { label: message("answer.allHeads", { count: size.heads }), value }];
}

/** A number before and after the residual and the norm. */
function residualAnswer({ block, held }: Answerable): readonly AnswerItem[] {
  if (!block || !held) return [];
  const numberIn = (step: Step): number => {
    const tensor = block.steps.find((one) => one.step === step)?.tensor;
    return tensor?.data[held.row * (tensor.shape[1] ?? 0) + held.column] ?? NaN;
  };
  const [output, sum, normed] = (["attended", "sum", "normed"] as const).map(numberIn);
  if (output === undefined || sum === undefined || normed === undefined) return [];
  const numbers = { input: sum - output, output, sum, normed };
  return (["input", "output", "sum", "normed"] as const).map((name) => ({
    label: message(`answer.${name}`),
    value: formatFixed(numbers[name], 2),
  }));
}

/** What the pinned word attends to in both texts, itself apart, and how far its states differ. */
function meaningAnswer(of: Answerable): readonly AnswerItem[] {
  return [...lookingAnswer(of), ...statesAnswer(of)];
}

/** The cosine of the pinned word's states in both texts, in the first and in the last layer. */
function statesAnswer({ pairs, locked }: Answerable): readonly AnswerItem[] {
  const found = pairs?.cosines.value?.find(({ pair: { one } }) =>
    one.positions.includes(locked?.query ?? -1),
  );
  const { pair, cosines = [] } = found ?? {};
  const last = cosines.length - 1;
  if (!pair?.other || last < 1) return [];
  const names = { one: pair.one.text, other: pair.other.text };
  return [1, last].flatMap((layer) => {
    const cosine = cosines[layer];
    const label = message("answer.cosine", { ...names, layer });
    return typeof cosine === "number" ? [{ label, value: formatFixed(cosine, 2) }] : [];
  });
}

function lookingAnswer({ pairs, locked }: Answerable): readonly AnswerItem[] {
  const paired = pairs?.paired;
  if (!paired || !locked) return [];
  const query = paired.queries.toOther[locked.query];
  const at: readonly [typeof paired.one, Cell["query"] | null | undefined][] = [
    [paired.one, locked.query],
    [paired.other, query],
  ];
  return at.flatMap(([{ stages, queries, keys }, row]) => {
    if (row === null || row === undefined) return [];
    const [best] = strongestKeys(stages.weights, keys, row).filter(
      ({ key }) => labelAt(keys, key) !== labelAt(queries, row),
    );
    if (!best) return [];
    const names = { one: labelAt(queries, row), other: labelAt(keys, best.key) };
    return [bar(message("answer.pair", names), best.weight)];
  });
}

/** The class of the image, and the class token's weight on the quarter of patches with the most. */
function patchesAnswer({ displayed, expectation }: Answerable): readonly AnswerItem[] {
  const [best] = expectation?.predictions ?? [];
  if (!displayed || !best) return [];
  const patches = [...rowOf(displayed.weights, CLASS_TOKEN)].slice(CLASS_TOKEN + 1);
  const count = Math.round(patches.length / 4);
  const strongest = patches.toSorted((one, other) => other - one).slice(0, count);
  const share = strongest.reduce((sum, weight) => sum + weight, 0);
  return [
    bar(message("answer.class", { name: best.text }), best.probability),
    bar(message("answer.patches", { count, all: patches.length }), share),
  ];
}

/** What the selected position predicts at the embedding and at the last layers. */
function layersAnswer({ layers, depth }: Answerable): readonly AnswerItem[] {
  if (!layers || !depth) return [];
  const { ids, probabilities, names } = layers.lens;
  const [depths = 0, n = 0, ranks = 0] = ids.shape;
  const all = Array.from({ length: depths }, (_, layer) => layer);
  return [...all.slice(0, 1), ...all.slice(1).slice(-LAST_LAYERS)].map((layer) => {
    const at = (layer * n + depth.position) * ranks;
    const word = names.get(ids.data[at] ?? 0)?.text ?? "";
    const name = message(layer === 0 ? "answer.embedding" : "answer.depth", { depth: layer, word });
    return bar(name, probabilities.data[at] ?? NaN);
  });
}

/** The keys of the shown head with the largest weights, and what each adds to the logit. */
function explanationAnswer({ attribution, shown, computation }: Answerable): readonly AnswerItem[] {
  const { keys = null } = attribution ?? {};
  if (!keys || !shown || !computation.run) return [];
  const tokens = tokensOf(computation.run, shown.stack).keys;
  return keys
    .map((key, at) => ({ ...key, token: labelAt(tokens, at) }))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, TOP_KEYS)
    .map(({ token, weight, value }) => ({
      label: message("answer.adds", { token, weight: formatPercent(weight, 0) }),
      value: formatFixed(value, 2),
    }));
}
