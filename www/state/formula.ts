import type { HeadRef } from "../data/index.js";
import { covers } from "./scopes.js";
import type { EditLists } from "./state.js";

/** Whose raw numbers are no products of queries and keys. */
const OTHER_RAW = new Set<string | undefined>(["cosine", "additive", "linear", "performer"]);
/** What joins the scores, where positions are relative. */
const JOINING = new Set<string | undefined>(["alibi", "t5", "transformer-xl"]);

/** The stages of a head that may not be what softmax(q · k ÷ √d) says, for an edit is about them; more than are is no harm. */
export function unusualStages({ attention, heads, positions }: EditLists, head: HeadRef): readonly ("raw" | "scores" | "weights")[] {
  const kinds = attention.filter((edit) => covers(edit, head));
  const raw = kinds.some(({ kind }) => OTHER_RAW.has(kind));
  const scores = raw || kinds.some(({ kind, scale, temperature }) => kind === "linformer" || scale !== undefined || temperature !== undefined) || positions.some(({ scheme, stack }) => JOINING.has(scheme) && (stack ?? head.stack) === head.stack);
  const weights = kinds.some(({ kind, dropout }) => kind === "low-rank" || dropout !== undefined) || heads.some((edit) => edit.pattern !== undefined && covers(edit, head));
  return [...(raw ? ["raw" as const] : []), ...(scores ? ["scores" as const] : []), ...(weights ? ["weights" as const] : [])];
}
