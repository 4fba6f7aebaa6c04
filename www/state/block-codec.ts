import type { BlockEdit, Sublayer } from "../data/index.js";
import { NORM_PLACES, SUBLAYERS } from "./block-edits.js";

/*
 * How sublayers are joined to the stream in an address, behind the scope that it holds for: `e2.~norm-pre(f)`.
 *
 *   joined     = ( "~residual-off" | "~residual-on" | "~norm-" place ) [ "(" sublayers ")" ]
 *   place      = "model" | "none" | "pre" | "post"
 *   sublayers  = letters: "s" self-attention, "c" cross-attention, "f" feed-forward; absent means all
 */

const LETTERS: Readonly<Record<Sublayer, string>> = {
  "self-attention": "s",
  "cross-attention": "c",
  "feed-forward": "f",
};
const JOINED = /^~(?:residual-(on|off)|norm-([a-z]+))(?:\(([scf]+)\))?$/;

/** One text for the residual and one for the norm, as far as the edit speaks of them. */
export function encodeJoined({ residual, norm, sublayers }: BlockEdit): string[] {
  const where = sublayers ? `(${sublayers.map((sublayer) => LETTERS[sublayer]).join("")})` : "";
  return [
    ...(residual === undefined ? [] : [`~residual-${residual ? "on" : "off"}${where}`]),
    ...(norm === undefined ? [] : [`~norm-${norm}${where}`]),
  ];
}

/** Reads one of them; undefined when it is none. */
export function decodeJoined(
  text: string,
): Pick<BlockEdit, "residual" | "norm" | "sublayers"> | undefined {
  const [whole, residual, place, letters] = JOINED.exec(text) ?? [];
  const norm = NORM_PLACES.find((one) => one === place);
  if (whole === undefined || (place !== undefined && norm === undefined)) return undefined;
  const sublayers =
    letters === undefined
      ? undefined
      : SUBLAYERS.filter((sublayer) => letters.includes(LETTERS[sublayer]));
  return {
    ...(norm ? { norm } : { residual: residual === "on" }),
    ...(sublayers && { sublayers }),
  };
}
