import { TUTORIAL, type State } from "../../state/index.js";
import { LAB_TABLE } from "./lab-table.js";
import type { LabValue } from "./lab-values.js";

/*
 * What a setting of a laboratory may be beside its others. A link is read by it before any laboratory is fetched, and the
 * laboratories fit their controls by the same. What only a model or a text decides, such as how many tokens there are, is not here.
 */

/** What laboratories open on, where it bounds what else they can be set to. */
export const OPENS = {
  waves: { dim: 64 },
  alibi: { heads: 8 },
  buckets: { buckets: 32, heads: 8 },
} as const;

/** The nearest pair of columns, from 0, that a table of so many columns has. */
export function pairIn(dim: number, pair: number): number {
  return Math.min(pair, Math.ceil(dim / 2) - 1);
}

/** The nearest place, from 0, among so many. */
export function placeIn(count: number, place: number): number {
  return Math.min(place, count - 1);
}

/** The least distance from which on all share one of T5's buckets: beyond those that have a bucket for themselves. */
export function leastDistance(buckets: number): number {
  return buckets / 2 + 1;
}

interface Bound {
  key: string;
  kind: LabValue<number>;
  /** The nearest that it can be, by another setting of its laboratory or by what else the State has. */
  nearest: (value: number, of: (key: string) => number, state: Pick<State, "numbers">) => number;
}

const { waves, alibi, buckets, numbers } = LAB_TABLE;

export const LAB_BOUNDS: Readonly<Partial<Record<string, readonly Bound[]>>> = {
  waves: [{ key: "pair", kind: waves.pair, nearest: (pair, of) => pairIn(of("dim"), pair) }],
  alibi: [{ key: "head", kind: alibi.head, nearest: (head, of) => placeIn(of("heads"), head) }],
  buckets: [
    {
      key: "maxDistance",
      kind: buckets.maxDistance,
      nearest: (distance, of) => Math.max(distance, leastDistance(of("buckets"))),
    },
    { key: "head", kind: buckets.head, nearest: (head, of) => placeIn(of("heads"), head) },
  ],
  numbers: [
    {
      key: "head",
      kind: numbers.head,
      nearest: (head, _, { numbers: brought }) => placeIn((brought ?? TUTORIAL).heads, head),
    },
  ],
};
