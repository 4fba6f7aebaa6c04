import type { ModelInfo, Stage } from "../../data/index.js";
import type { State } from "../../state/index.js";
import type { HeadFigures } from "../run/figures.js";
import { align, type Alignment } from "./alignment.js";
import { sharedAxis, sharedPattern, type SharedPattern } from "./difference.js";
import { sideOf } from "./words.js";

/** Which tokens on a head's axes stand for which in the other run. */
export interface AlignedHead {
  queries: Alignment;
  keys: Alignment;
}

/** The same head in both runs. */
export interface PairedHead extends AlignedHead {
  one: HeadFigures;
  other: HeadFigures;
  shared: SharedPattern;
}

/** Aligns the axes of a head in two runs; what a reader paired by hand comes first. `info` is the first run's. */
export function alignedHead(
  one: HeadFigures,
  other: HeadFigures,
  info: ModelInfo,
  { aligned, pairs }: Pick<State, "aligned" | "pairs">,
): AlignedHead {
  const byHand = (axis: "query" | "key"): State["pairs"] =>
    pairs.filter(({ side }) => side === sideOf(axis, one.head, info));
  return {
    queries: align(one.queries, other.queries, aligned, byHand("query")),
    keys: align(one.keys, other.keys, aligned, byHand("key")),
  };
}

/** Both heads at one stage, and what the first has more than the second. */
export function pairedHead(
  one: HeadFigures,
  other: HeadFigures,
  { queries, keys }: AlignedHead,
  stage: Stage,
): PairedHead {
  const axes = [
    sharedAxis(one.queries, other.queries, queries),
    sharedAxis(one.keys, other.keys, keys),
  ] as const;
  return {
    one,
    other,
    queries,
    keys,
    shared: sharedPattern(one.stages[stage], other.stages[stage], ...axes),
  };
}
