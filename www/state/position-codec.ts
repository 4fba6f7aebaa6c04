import type { PositionEdit, PositionParameters } from "../data/index.js";
import { decodeIndices } from "./place-codec.js";
import {
  areBuckets,
  isPositionNumber,
  SCHEME_NUMBERS,
  SCHEMES,
  type PositionNumber,
  type PositionScheme,
} from "./position-edits.js";

/*
 * Positions in an address, behind the stack that they hold for: `e.~at-rotary(b500)`, `d.~at(o2.1)`.
 *
 *   placement = "~at" [ "-" scheme ] [ "(" part *( "," part ) ")" ]
 *   part      = letter number | "i" | "h" | "o" position *( "." position )
 *
 * "i" and "h" are waves side by side or in halves; the order names the position of each token, from one.
 */

const LETTERS: Readonly<Record<PositionNumber, string>> = {
  base: "b",
  seed: "s",
  buckets: "k",
  maxDistance: "m",
};
const PLACEMENT = /^~at(?:-([a-z\d-]+))?(?:\(([^()]*)\))?$/;
const NUMBER = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

/** The scheme and the order of an edit. */
export function encodePlacement({ scheme, parameters = {}, order }: PositionEdit): string {
  const { interleaved } = parameters;
  const parts = [
    ...(scheme ? SCHEME_NUMBERS[scheme] : []).flatMap((name) =>
      parameters[name] === undefined ? [] : [`${LETTERS[name]}${parameters[name]}`],
    ),
    ...(interleaved === undefined ? [] : [interleaved ? "i" : "h"]),
    ...(order ? [`o${order.map((position) => position + 1).join(".")}`] : []),
  ];
  return `~at${scheme ? `-${scheme}` : ""}${parts.length > 0 ? `(${parts.join(",")})` : ""}`;
}

/** Reads it; undefined when it is none. */
export function decodePlacement(
  text: string,
): Pick<PositionEdit, "scheme" | "parameters" | "order"> | undefined {
  const match = PLACEMENT.exec(text);
  if (!match) return undefined;
  const [, name, listed] = match;
  const scheme = SCHEMES.find((one) => one === name);
  if (name !== undefined && !scheme) return undefined;
  const parameters: PositionParameters = {};
  let order: number[] | undefined;
  for (const part of listed === undefined ? [] : listed.split(",")) {
    if (part.startsWith("o")) order = decodeOrder(part.slice(1));
    else if (!scheme || !readPart(scheme, part, parameters)) return undefined;
    if (part.startsWith("o") && !order) return undefined;
  }
  if ((!scheme && !order) || !areBuckets(parameters)) return undefined;
  return {
    ...(scheme && { scheme }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(order && { order }),
  };
}

function readPart(scheme: PositionScheme, part: string, into: PositionParameters): boolean {
  if (scheme === "sinusoidal" && (part === "i" || part === "h")) {
    into.interleaved = part === "i";
    return true;
  }
  const name = SCHEME_NUMBERS[scheme].find((one) => part.startsWith(LETTERS[one]));
  const written = part.slice(1);
  if (!name || !NUMBER.test(written) || !isPositionNumber(name, Number(written))) return false;
  into[name] = Number(written);
  return true;
}

/** A permutation. */
function decodeOrder(text: string): number[] | undefined {
  const order = decodeIndices(text.replaceAll(".", ","));
  return order?.every((position) => position < order.length) && new Set(order).size === order.length
    ? order
    : undefined;
}
