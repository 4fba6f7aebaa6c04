import {
  isJoined,
  isShare,
  type ModelInfo,
  type PairNumbers,
  type Stage,
  type Tensor,
} from "../../data/index.js";
import type { HeadscopeDimensions } from "../../elements/dimensions.js";
import type { HeadscopeImage } from "../../elements/image.js";
import type { HeadscopeLines } from "../../elements/lines.js";
import type { HeadscopeHeatmap } from "../../elements/heatmap.js";
import type { HeadscopeMask } from "../../elements/mask.js";
import type { Picture, State } from "../../state/index.js";
import type { ImageLike } from "../../headscope.js";
import { type DisplayedPattern, type HeadRequest, type Lens, withoutName } from "./head.js";
import { shownNumbers } from "./other-numbers.js";

/** The settings of a picture of a head besides its numbers: of the page, or of a figure alone. */
interface Around {
  state: Pick<State, "picture" | "stage" | "joined" | "compare" | "colours" | "region" | "mass">;
  headCount: number;
  info: ModelInfo | null;
  /** The image as the model reads it; null for a model of texts. */
  image: ImageLike | null;
  unusual: readonly Stage[];
}

type PairPictureName = Exclude<Picture, "steps" | "positions" | "layers">;

/** A picture of a head's pairs of a query and a key. */
export interface PairPicture {
  /** Fetches the picture's element; the heatmap is part of the page. */
  fetch?: () => Promise<unknown>;
  /** Whether the picture shows weights, which alone can be joined into words and renormalised. */
  hasWeights: (numbers: PairNumbers) => boolean;
  /** Whether the picture can show an enlarged part. */
  enlarges?: true;
  /** The readings that the picture needs besides the head's stages and its mask. */
  request?: (beside: readonly number[]) => Partial<HeadRequest>;
  /**
   * Whether the picture is about one query: if none is locked, a figure alone shows the query of
   * the pair with the largest weight.
   */
  isOfOneQuery?: true;
  /** The name of the exported tensor that the picture shows. */
  numbers: (shown: PairNumbers) => string;
  properties: (displayed: DisplayedPattern, around: Around) => object;
}

type Axes = Pick<DisplayedPattern, "queries" | "keys" | "fullyMasked">;
const axesOf = ({ queries, keys, fullyMasked }: Axes): Axes => ({ queries, keys, fullyMasked });

function weightsOf(displayed: DisplayedPattern): Axes & { emptied: number[]; without: string } {
  return { ...axesOf(displayed), emptied: displayed.emptied, without: withoutName(displayed) };
}

/** The numbers of a heatmap: those in place of a stage once they are read, or else a stage. */
function heatmapOf(
  { whole, weights }: DisplayedPattern,
  shown: PairNumbers,
): { stage: PairNumbers; tensor: Tensor } {
  const [other] = whole?.other?.patterns ?? [];
  if (whole?.other && other) return { stage: whole.other.of, tensor: other.weights };
  const stage = isShare(shown) || isJoined(shown) ? "weights" : shown;
  return { stage, tensor: whole?.stages[stage] ?? weights };
}

/**
 * The table of the pictures of pairs: for the page, for saved files and for figures in other pages.
 */
export const PAIR_PICTURES: Readonly<Record<PairPictureName, PairPicture>> = {
  heatmap: {
    hasWeights: (numbers) => numbers === "weights",
    enlarges: true,
    numbers: (shown) => shown,
    properties: (displayed, { state }) => {
      const { colours, region } = state;
      const { stage, tensor } = heatmapOf(displayed, shownNumbers(state));
      return {
        ...weightsOf(displayed),
        tensor,
        mask: displayed.whole?.mask ?? null,
        dropped: displayed.whole?.dropped ?? null,
        stage,
        colours,
        region,
      } satisfies Partial<HeadscopeHeatmap>;
    },
  },
  image: {
    fetch: () => import("../../elements/image.js"),
    hasWeights: () => true,
    isOfOneQuery: true,
    numbers: () => "weights",
    properties: (displayed, { info, image }) =>
      ({
        ...weightsOf(displayed),
        tensor: displayed.weights,
        image,
        grid: info?.image ?? null,
      }) satisfies Partial<HeadscopeImage>,
  },
  lines: {
    fetch: () => import("../../elements/lines.js"),
    hasWeights: (numbers) => numbers === "weights",
    request: (beside) => ({ beside }),
    // A head drawn alone offers no such choice, and the weights are exported.
    numbers: (shown) => (isShare(shown) ? shown : "heads"),
    properties: (displayed, { headCount: heads, state: { mass } }) =>
      ({
        ...weightsOf(displayed),
        patterns: displayed.whole?.other?.patterns ?? displayed.patterns,
        stage: displayed.whole?.other?.of ?? "weights",
        heads,
        mass,
      }) satisfies Partial<HeadscopeLines>,
  },
  dimensions: {
    fetch: () => import("../../elements/dimensions.js"),
    hasWeights: () => false,
    request: () => ({ vectors: true }),
    isOfOneQuery: true,
    numbers: () => "weights",
    properties: (displayed, { unusual }) => {
      const { stages = null, vectors = null } = displayed.whole ?? {};
      return {
        ...axesOf(displayed),
        stages,
        vectors,
        unusual,
      } satisfies Partial<HeadscopeDimensions>;
    },
  },
  mask: {
    fetch: () => import("../../elements/mask.js"),
    hasWeights: () => false,
    enlarges: true,
    numbers: () => "mask",
    properties: (displayed, { state: { region } }) => {
      const { mask = null } = displayed.whole ?? {};
      return { ...axesOf(displayed), mask, region } satisfies Partial<HeadscopeMask>;
    },
  },
};

/** The pictures in which two heads can stand side by side. */
export const COMPARED_PICTURES = [
  "heatmap",
  "image",
  "lines",
  "dimensions",
  "steps",
] as const satisfies readonly Picture[];
export type ComparedPicture = (typeof COMPARED_PICTURES)[number];

/** The picture of a comparison: that of the State, or a heatmap where two have no such picture. */
export function comparedPicture({ picture }: Pick<State, "picture">): ComparedPicture {
  return COMPARED_PICTURES.find((one) => one === picture) ?? "heatmap";
}

/** The stage whose numbers are compared: only a heatmap shows others than the weights. */
export function comparedStage(state: Pick<State, "picture" | "stage">): Stage {
  const isOfStage = comparedPicture(state) === "heatmap" && !isShare(state.stage);
  return isOfStage ? state.stage : "weights";
}

/** The description of a picture of pairs; null for other pictures. */
export function pairPictureOf(picture: Picture): PairPicture | null {
  return picture in PAIR_PICTURES ? PAIR_PICTURES[picture as PairPictureName] : null;
}

/**
 * The lens of a State, as far as its picture supports it: only weights can be joined into words and
 * renormalised. A comparison shows every token of both sides, each with its own weight.
 */
export function lensOf(state: State): Lens {
  const { picture, unit, specials, sink, compare } = state;
  const ofPairs = pairPictureOf(picture);
  const isAlone = compare === null;
  const weights = ofPairs?.hasWeights(shownNumbers(state)) ?? false;
  return {
    byWord: isAlone && weights && unit === "word",
    wordsWanted: isAlone && !weights && ofPairs !== null && unit === "word",
    ordinaryOnly: isAlone && ofPairs !== null && specials === "hidden",
    weightsOnly: weights,
    withoutSink: isAlone && weights && sink === "out",
  };
}
