import type { Cell, ModelInfo, Token } from "../../data/index.js";
import { poolWeights } from "../../reduce/index.js";
import type { Picked, Side } from "../../state/index.js";
import { type DisplayedPattern, groupAt } from "./displayed.js";
import { axisOf } from "./selection.js";

/** Where several tokens look together, or what looks at them. */
export interface Together extends Pick<Picked, "pool" | "looking"> {
  /** What the State says. */
  wish: Picked;
  /** Whether their text is on both axes, so that one can choose between the two. */
  bothWays: boolean;
  /** What was picked, as the picture calls it: tokens, or words. */
  picked: Token[];
  /** The tokens or words of the other axis with what they give or get, in the order of the text. */
  items: { token: Token; value: number }[];
  /** The longest that a bar can be. */
  most: number;
  /** The text whose tokens are shaded, and how much each of its tokens has of the largest value; null for one that is not shown. */
  side: Side;
  shares: (number | null)[];
}

/** Null where nothing that was picked is shown. */
export function togetherOf(
  picked: Picked | null,
  displayed: DisplayedPattern,
  info: ModelInfo,
): Together | null {
  const { stack } = displayed.figures.head;
  const own = picked && axisOf(picked.side, stack, info);
  if (!picked || !own) return null;
  const bothWays = stack !== "cross";
  const axis: keyof Cell = bothWays ? (picked.looking === "to" ? "key" : "query") : own;
  const [groups, others] =
    axis === "query" ? [displayed.rows, displayed.columns] : [displayed.columns, displayed.rows];
  const [tokens, otherTokens] =
    axis === "query" ? [displayed.queries, displayed.keys] : [displayed.keys, displayed.queries];
  const places = [...new Set(picked.tokens.map((index) => groupAt(groups, index)))]
    .filter((place) => place >= 0)
    .sort((one, other) => one - other);
  if (places.length === 0) return null;
  const values = poolWeights(displayed.weights, axis, places, picked.pool);
  const largest = Math.max(...values);
  const texts = displayed.figures;
  const shares = (axis === "query" ? texts.keys : texts.queries).map((_, index) => {
    const value = values[groupAt(others, index)];
    return value === undefined ? null : largest > 0 ? value / largest : 0;
  });
  return {
    wish: picked,
    pool: picked.pool,
    looking: axis === "query" ? "from" : "to",
    bothWays,
    picked: places.flatMap((place) => tokens[place] ?? []),
    items: otherTokens.map((token, at) => ({ token, value: values[at] ?? 0 })),
    most: axis === "query" && picked.pool === "sum" ? places.length : 1,
    side: bothWays ? picked.side : picked.side === "source" ? "target" : "source",
    shares,
  };
}
