import { type Role, ROLES } from "./generated.js";
import type { RoleScores } from "./notes.js";

/** The role that a head with these scores wears: of those it reaches the most specific; null if it reaches none. */
export function wornRole(scores: Readonly<RoleScores>): Role | null {
  return ROLES.find(({ role, threshold }) => (scores[role] ?? 0) >= threshold)?.role ?? null;
}
