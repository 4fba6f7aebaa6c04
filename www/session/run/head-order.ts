import {
  assignedRole,
  type HeadDivergence,
  type HeadMeasures,
  type ModelNotes,
  type Role,
  ROLES,
  type RoleScores,
  type Stack,
} from "../../data/index.js";
import type { HeadRole } from "../../elements/grid/element.js";
import type { RankedHead } from "../../elements/grid/thumbnail.js";
import { formatFixed, message } from "../../i18n/index.js";
import type { HeadSort, RoleFilter } from "../../state/index.js";

const DIGITS = 2;

export interface KnownHeads {
  /** The role scores of the heads by layer and head, on held-out text; null without such scores. */
  heldOut: readonly (readonly RoleScores[])[] | null;
  /** The measures of the heads on the present text; null until they are read. */
  measures: readonly HeadMeasures[] | null;
  /**
   * The divergences of the heads from the chosen head, on the present text; null until they are
   * read.
   */
  divergences: readonly HeadDivergence[] | null;
}

/** The role whose score is shown below heads: the one that sorts them, or else filters them. */
export function roleInQuestion(filter: RoleFilter | null, sort: HeadSort): Role | null {
  const name = sort === "place" ? filter : sort;
  return ROLES.find(({ role }) => role === name)?.role ?? null;
}

/**
 * The heads that a filter accepts, sorted, each with its numbers; null for all heads in their
 * places. Scores are those on held-out text, or else on this text; a filter needs held-out scores.
 * Heads without a number come last.
 */
export function rankHeads(
  { layers, heads }: { layers: number; heads: number },
  filter: RoleFilter | null,
  sort: HeadSort,
  { heldOut, measures, divergences }: KnownHeads,
): RankedHead[] | null {
  const wanted = heldOut ? filter : null;
  if (wanted === null && sort === "place") return null;
  const role = roleInQuestion(wanted, sort);
  const ranked = Array.from({ length: layers * heads }, (_, index) => {
    const layer = Math.floor(index / heads);
    const head = index % heads;
    const isOwn = (one: { layer: number; head: number }): boolean =>
      one.layer === layer && one.head === head;
    const scores = heldOut?.[layer]?.[head];
    const measured = measures?.find(isOwn);
    const number = sort === "entropy" ? measured?.entropy : divergences?.find(isOwn)?.divergence;
    const byRole = role && -((scores ?? measured?.roles)?.[role] ?? -Infinity);
    const here = role
      ? scoreWords(measured?.roles[role])
      : sort === "place"
        ? ""
        : scoreWords(number);
    return {
      passes: wanted === null || (scores !== undefined && passes(scores, wanted)),
      key: sort === "place" ? 0 : (byRole ?? number ?? Infinity),
      ranked: {
        layer,
        head,
        note: role && scores ? `${scoreWords(scores[role])} · ${here}` : here,
      },
    };
  });
  // The sort is stable; equal keys are compared first because Infinity − Infinity is NaN.
  return ranked
    .filter((one) => one.passes)
    .sort((one, other) => (one.key === other.key ? 0 : one.key - other.key))
    .map((one) => one.ranked);
}

function passes(scores: RoleScores, filter: RoleFilter): boolean {
  if (filter === "none") return assignedRole(scores) === null;
  return ROLES.some(({ role, threshold }) => role === filter && (scores[role] ?? 0) >= threshold);
}

/** A score, an entropy or a divergence of a head as text; a dash if there is none. */
export function scoreWords(value: number | null | undefined): string {
  return typeof value === "number" ? formatFixed(value, DIGITS) : "–";
}

/** The explanation of the numbers below the heads of a list; empty if there are none. */
export function noteWords(filter: RoleFilter | null, sort: HeadSort, measured: boolean): string {
  const role = roleInQuestion(filter, sort);
  const scores = measured ? "order.scores" : "order.scoresHere";
  if (role !== null) return message(scores, { role: message(`role.${role}`) });
  if (sort === "entropy") return message("order.entropies");
  return sort === "divergence" ? message("order.divergences") : "";
}

/**
 * The role below each head of a stack, by layer and head, with its score on held-out text; null
 * without such scores.
 */
export function assignedRoles(notes: ModelNotes | null, stack?: Stack): HeadRole[][] | null {
  const scores = stack && notes?.roles[stack];
  const roleOf = (of: RoleScores): HeadRole => {
    const role = assignedRole(of);
    return role ? { role, score: of[role] } : { role: "none", score: null };
  };
  return scores?.map((heads) => heads.map(roleOf)) ?? null;
}

/** The captions of the roles, in a few words each. */
export function roleCaptions(roles: readonly (readonly HeadRole[])[] | null): string[][] | null {
  const captionOf = ({ role, score }: HeadRole): string =>
    role === "none"
      ? message("roles.none")
      : message("roles.score", { role: message(`role.${role}`), score: scoreWords(score) });
  return roles?.map((heads) => heads.map(captionOf)) ?? null;
}
