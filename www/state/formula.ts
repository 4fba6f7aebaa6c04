import type { HeadRef, Stage } from "../data/index.js";
import { covers } from "./scopes.js";
import type { EditLists } from "./state.js";

/** Whose raw numbers are no products of queries and keys. */
const OTHER_RAW = new Set<string | undefined>(["cosine", "additive", "linear", "performer"]);
/** Whose weights are no softmax over single keys, or one that was changed after it was taken. */
const OTHER_WEIGHTS = new Set<string | undefined>(["linear", "performer", "linformer", "low-rank"]);
/** What joins the scores, where positions are relative. */
const JOINING = new Set<string | undefined>(["alibi", "t5", "transformer-xl"]);

/** The stages of a head that may not be what softmax(q · k ÷ √d − ∞ where masked) says, for an edit is about them; more than are is no harm. */
export function unusualStages(
  { attention, heads, masks, positions }: EditLists,
  head: HeadRef,
): readonly Stage[] {
  const kinds = attention.filter((edit) => covers(edit, head));
  const raw = kinds.some(({ kind }) => OTHER_RAW.has(kind));
  const unusual: Readonly<Record<Stage, boolean>> = {
    raw,
    scores:
      raw ||
      kinds.some(
        ({ kind, scale, temperature }) =>
          kind === "linformer" || scale !== undefined || temperature !== undefined,
      ) ||
      positions.some(
        ({ scheme, stack }) => JOINING.has(scheme) && (stack ?? head.stack) === head.stack,
      ),
    masked: masks.some(
      (edit) => edit.fill !== undefined && edit.fill !== "-inf" && covers(edit, head),
    ),
    weights:
      kinds.some(({ kind, dropout }) => OTHER_WEIGHTS.has(kind) || dropout !== undefined) ||
      heads.some((edit) => edit.pattern !== undefined && covers(edit, head)),
  };
  return (["raw", "scores", "masked", "weights"] as const).filter((stage) => unusual[stage]);
}
