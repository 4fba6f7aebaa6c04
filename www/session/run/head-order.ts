import {
  assignedRole,
  type HeadDivergence,
  type HeadMeasures,
  type Role,
  reachedRoles,
  ROLES,
  type RoleScores,
} from "../../data/index.js";
import type { HeadRole, RoleBasis } from "../../elements/grid/element.js";
import type { RankedHead } from "../../elements/grid/thumbnail.js";
import { formatFixed, formatList, message } from "../../i18n/index.js";
import type { HeadSort, RoleFilter } from "../../state/index.js";

const DIGITS = 2;

/** The file of texts on which heads were studied. */
export interface StudiedTexts {
  name: string;
  count: number;
  /** The number of texts that the model could not read. */
  failed: number;
}

/** The role scores of the heads of a stack, by layer and head, and what they were measured on. */
export interface KnownRoles {
  basis: RoleBasis;
  /** The texts of a sample that is a file; null or absent for the sample text of the page. */
  texts?: StudiedTexts | null;
  scores: readonly (readonly RoleScores[])[];
}

/** The role scores of measured heads, by layer and head. */
export function rolesByHead(
  measures: readonly { layer: number; head: number; roles: RoleScores }[],
): RoleScores[][] {
  const rows: RoleScores[][] = [];
  for (const { layer, head, roles } of measures) (rows[layer] ??= [])[head] = roles;
  return rows;
}

export interface KnownHeads {
  /** The role scores by which heads are filtered and sorted; null until there are some. */
  knownRoles: KnownRoles | null;
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
 * places. Heads without a number come last.
 */
export function rankHeads(
  { layers, heads }: { layers: number; heads: number },
  filter: RoleFilter | null,
  sort: HeadSort,
  { knownRoles, measures, divergences }: KnownHeads,
): RankedHead[] | null {
  const wanted = knownRoles ? filter : null;
  if (wanted === null && sort === "place") return null;
  const role = roleInQuestion(wanted, sort);
  const isHere = knownRoles?.basis === "here";
  const ranked = Array.from({ length: layers * heads }, (_, index) => {
    const layer = Math.floor(index / heads);
    const head = index % heads;
    const isOwn = (one: { layer: number; head: number }): boolean =>
      one.layer === layer && one.head === head;
    const scores = knownRoles?.scores[layer]?.[head];
    const measured = measures?.find(isOwn);
    const number = sort === "entropy" ? measured?.entropy : divergences?.find(isOwn)?.divergence;
    const byRole = role && -(scores?.[role] ?? -Infinity);
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
        note: role && scores && !isHere ? `${scoreWords(scores[role])} · ${here}` : here,
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
export function noteWords(filter: RoleFilter | null, sort: HeadSort, basis: RoleBasis): string {
  const role = roleInQuestion(filter, sort);
  if (role !== null) return message(`order.scores.${basis}`, { role: message(`role.${role}`) });
  if (sort === "entropy") return message("order.entropies");
  return sort === "divergence" ? message("order.divergences") : "";
}

/** The roles below each head of a stack, by layer and head; null without scores. */
export function assignedRoles(known: KnownRoles | null): HeadRole[][] | null {
  const roleOf = (of: RoleScores): HeadRole => {
    const [role, other] = reachedRoles(of);
    if (!role) return { role: "none", score: null };
    return { role, score: of[role], second: other ? { role: other, score: of[other] } : null };
  };
  return known?.scores.map((heads) => heads.map(roleOf)) ?? null;
}

/** The captions of the roles, in a few words each. */
export function roleCaptions(roles: readonly (readonly HeadRole[])[] | null): string[][] | null {
  const named = (role: Role, score: number | null): string =>
    message("roles.score", { role: message(`role.${role}`), score: scoreWords(score) });
  const captionOf = ({ role, score, second }: HeadRole): string => {
    if (role === "none") return message("roles.none");
    const first = named(role, score);
    return second ? formatList([first, named(second.role, second.score)]) : first;
  };
  return roles?.map((heads) => heads.map(captionOf)) ?? null;
}
