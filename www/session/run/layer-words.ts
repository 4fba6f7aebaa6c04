/** The names of what adds up to a logit, as the page lists and saves them. */
import type { LogitPart } from "../../data/index.js";
import { message } from "../../i18n/index.js";

/** The name of a part: what it comes from, and its layer if it has one. */
export function partName(part: LogitPart): string {
  const { kind, stack, layer, head } = part;
  const name = message(`layers.part.${kind}`, { head: (head ?? 0) + 1 });
  if (layer === null) return name;
  const where = stack === "cross" ? "layers.atCross" : "layers.at";
  return message(where, { layer: layer + 1, name });
}
