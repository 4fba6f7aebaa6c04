import type { Stage, Tensor, Token } from "../../data/index.js";
import type { Axis } from "../../export/exhibit.js";
import type { Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { STAGES, type Side } from "../../state/index.js";
import { readCosines, type SharedAxis, sharedPattern, type WordPair } from "../pairs/alignment.js";
import type { HeadFigures } from "../run/figures.js";
import { counted, exhibit, tokenAxis, type NumbersChoice } from "./choice.js";
import { runProvenance } from "./pair-parts.js";
import { provenanceOf, type ComparedSubject, type ExportSubject } from "./subject.js";

const SIDES = ["source", "target"] as const satisfies readonly Side[];

/** What can be saved of two runs: their difference first, in the stage that is shown; then either run's own numbers. */
export function pairChoices(subject: ExportSubject, compared: ComparedSubject): NumbersChoice[] {
  const { stage: shown } = subject.state;
  const stages = [shown, ...[...STAGES].reverse().filter((stage) => stage !== shown)];
  return [
    ...stages.map((stage) => differenceOf(subject, compared, stage)),
    ...stages.map((stage) => ownOf("first", subject, compared, stage)),
    ...stages.map((stage) => ownOf("second", subject, compared, stage)),
    ...cosinesOf(subject, compared),
  ];
}

function differenceOf(
  subject: ExportSubject,
  { paired: { one, other, shared } }: ComparedSubject,
  stage: Stage,
): NumbersChoice {
  const { queries, keys } = shared;
  const axes = [
    sharedLabels("query", queries, one.queries, other.queries),
    sharedLabels("key", keys, one.keys, other.keys),
  ];
  return {
    id: `difference ${stage}`,
    label: message("pairs.exportDifference", { what: message(`stage.${stage}`) }),
    group: "head",
    shape: shared.tensor.shape,
    pattern: true,
    read: () => {
      const { tensor } = sharedPattern(one.stages[stage], other.stages[stage], queries, keys);
      return Promise.resolve(
        exhibit(
          tensor,
          axes,
          provenanceOf(subject, { quantity: `${stage}-difference`, ...subject.head }),
        ),
      );
    },
  };
}

/** What one of the two runs has of its own, in its own rows and columns. */
function ownOf(
  which: "first" | "second",
  subject: ExportSubject,
  compared: ComparedSubject,
  stage: Stage,
): NumbersChoice {
  const { stages, queries, keys }: HeadFigures =
    which === "first" ? compared.paired.one : compared.paired.other;
  const provenance = runProvenance(which, subject, compared, stage);
  return {
    id: `${which} ${stage}`,
    label: message(which === "first" ? "pairs.exportFirst" : "pairs.exportSecond", {
      what: message(`stage.${stage}`),
    }),
    group: "head",
    shape: stages[stage].shape,
    pattern: true,
    read: () =>
      Promise.resolve(
        exhibit(stages[stage], [tokenAxis("query", queries), tokenAxis("key", keys)], provenance),
      ),
  };
}

/** How alike every word is to its counterpart, by layer, the embeddings first. */
function cosinesOf(subject: ExportSubject, compared: ComparedSubject): NumbersChoice[] {
  const all = compared.words();
  return SIDES.flatMap((side): NumbersChoice[] => {
    const words = all.filter((pair) => pair.side === side);
    const [first] = words;
    if (!first) return [];
    const { stack } = first;
    const shape = [words.length, (subject.info.stacks[stack]?.layers ?? 0) + 1];
    const place = { stack, layer: null, head: null };
    return [
      {
        id: `cosines ${side}`,
        label: message("pairs.exportCosines", { stack: message(`stack.${stack}`) }),
        group: "text",
        shape,
        pattern: false,
        read: async () => {
          const tensor = await stackedCosines(subject, compared, words, shape);
          const axes = [
            {
              name: "word",
              labels: words.map((pair) => wordsLabel(pair, subject, compared)),
              first: 1,
            } as const,
            { ...counted("layer"), first: 0 } as const,
          ];
          const provenance = provenanceOf(subject, { quantity: "cosines", stack });
          return exhibit(tensor, axes, {
            ...provenance,
            compared: { ...compared.reading, ...place },
          });
        },
      },
    ];
  });
}

async function stackedCosines(
  { run }: ExportSubject,
  { paired }: ComparedSubject,
  words: readonly WordPair[],
  shape: number[],
): Promise<Tensor> {
  const read = await readCosines(run, paired.other.run, words);
  // A state that is zero has no direction.
  return {
    data: Float32Array.from(read.flatMap(({ cosines }) => cosines.map((cosine) => cosine ?? NaN))),
    shape,
    axes: ["word", "layer"],
  };
}

/** The words as their tokens have them, the same in every language. */
function wordsLabel(
  { side, one, other }: WordPair,
  { run }: ExportSubject,
  { paired }: ComparedSubject,
): string {
  const spelled = (of: Run, positions: readonly number[]): string =>
    positions
      .map((at) => (side === "source" ? of.tokens : of.targetTokens)[at]?.text ?? "")
      .join("")
      .trim();
  return bothOf(spelled(run, one.positions), spelled(paired.other.run, other?.positions ?? []));
}

/** The tokens of both texts on one axis: `+ word` stands only in the first, `− word` only in the second. */
function sharedLabels(
  name: string,
  { one, other }: SharedAxis,
  firsts: readonly Token[],
  seconds: readonly Token[],
): Axis {
  const labels = one.map((at, place) => {
    const to = other[place] ?? null;
    const [first, second] = [
      at === null ? null : (firsts[at]?.text ?? ""),
      to === null ? null : (seconds[to]?.text ?? ""),
    ];
    if (second === null) return `+ ${first ?? ""}`;
    return first === null ? `− ${second}` : bothOf(first, second);
  });
  return { name, labels, first: 1 };
}

/** A word and its counterpart, once where they are the same. */
function bothOf(one: string, other: string): string {
  return one === other ? one : `${one} | ${other}`;
}
