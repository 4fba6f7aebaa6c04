import {
  ROLES,
  assignedRole,
  type HeadLikeness,
  type HeadMeasures,
  type ModelNotes,
  type Role,
  type RoleScores,
  type Stack,
} from "../../data/index.js";
import type { RankedHead, HeadRole } from "../../elements/grid/element.js";
import { Memo } from "../../elements/shared/controllers.js";
import { formatFixed, language, message } from "../../i18n/index.js";
import type { HeadSort, RoleFilter } from "../../state/index.js";

const DIGITS = 2;

/** What heads can be sorted and filtered by. */
export interface KnownHeads {
  /** By layer and head, on held-out text; null without such scores. */
  heldOut: readonly (readonly RoleScores[])[] | null;
  /** On the present text; null until it was read. */
  measures: readonly HeadMeasures[] | null;
  /** How unlike they are to the chosen head, on the present text; null until it was read. */
  likeness: readonly HeadLikeness[] | null;
}

/** The role whose score is shown below heads: the one they are sorted by, or else filtered by. */
export function roleInQuestion(filter: RoleFilter | null, sort: HeadSort): Role | null {
  const name = sort === "place" ? filter : sort;
  return ROLES.find(({ role }) => role === name)?.role ?? null;
}

/**
 * The heads that a filter lets through, in the order of a sort, each with the numbers it was sorted by; null for all of
 * them in their places. Scores are those on held-out text, and where there are none, those on this text; a filter
 * needs held-out ones. The sharpest and the most alike come first, and the highest score; of equals, and of heads
 * without a number, the earlier comes first.
 */
export function rankHeads(
  { layers, heads }: { layers: number; heads: number },
  filter: RoleFilter | null,
  sort: HeadSort,
  { heldOut, measures, likeness }: KnownHeads,
): RankedHead[] | null {
  const wanted = heldOut ? filter : null;
  if (wanted === null && sort === "place") return null;
  const role = roleInQuestion(wanted, sort);
  const ranked = Array.from({ length: layers * heads }, (_, index) => {
    const [layer, head] = [Math.floor(index / heads), index % heads];
    const isOwn = (one: { layer: number; head: number }): boolean =>
      one.layer === layer && one.head === head;
    const scores = heldOut?.[layer]?.[head];
    const measured = measures?.find(isOwn);
    const byNumber = {
      place: null,
      entropy: measured?.entropy,
      likeness: likeness?.find(isOwn)?.divergence,
    };
    const number = sort in byNumber ? byNumber[sort as keyof typeof byNumber] : null;
    const key =
      sort === "place"
        ? 0
        : role !== null
          ? -((scores ?? measured?.roles)?.[role] ?? -Infinity)
          : (number ?? Infinity);
    const here = role && formatted(measured?.roles[role]);
    const note = here ?? (sort === "place" ? "" : formatted(number));
    return {
      passes: wanted === null || (scores !== undefined && passes(scores, wanted)),
      key,
      ranked: { layer, head, note: role && scores ? `${formatted(scores[role])} · ${note}` : note },
    };
  });
  // Sorting is stable, and Infinity − Infinity is no number.
  return ranked
    .filter((one) => one.passes)
    .sort((one, other) => (one.key === other.key ? 0 : one.key - other.key))
    .map((one) => one.ranked);
}

/** Whether a head reaches a role's threshold, or none at all. */
function passes(scores: RoleScores, filter: RoleFilter): boolean {
  if (filter === "none") return assignedRole(scores) === null;
  return ROLES.some(({ role, threshold }) => role === filter && (scores[role] ?? 0) >= threshold);
}

function formatted(value: number | null | undefined): string {
  return typeof value === "number" ? formatFixed(value, DIGITS) : "–";
}

/** What the numbers below the heads of a list are; empty where there are none. */
export function noteWords(filter: RoleFilter | null, sort: HeadSort, measured: boolean): string {
  const role = roleInQuestion(filter, sort);
  if (role !== null)
    return message(measured ? "order.scores" : "order.scoresHere", {
      role: message(`role.${role}`),
    });
  if (sort === "entropy") return message("order.entropies");
  return sort === "likeness" ? message("order.divergences") : "";
}

// Roles on held-out text.

/** The captions that were asked for last: the same list for as long as it says the same, so that no grid is drawn again for it. */
const kept = new Memo<string[][] | null>();
const keptRoles = new Memo<HeadRole[][] | null>();

/** A few words for each head of a stack, by layer and head: its role on held-out text; null without such scores. */
export function roleCaptions(
  notes: ModelNotes | null,
  stack: Stack | undefined,
): string[][] | null {
  const scores = stack && notes?.roles[stack];
  return kept.get([scores, language()], () => scores?.map((heads) => heads.map(captionOf)) ?? null);
}

/** The role below each head, with its score. */
export function assignedRoles(
  notes: ModelNotes | null,
  stack: Stack | undefined,
): HeadRole[][] | null {
  const scores = stack && notes?.roles[stack];
  return keptRoles.get([scores], () => scores?.map((heads) => heads.map(headRoleOf)) ?? null);
}

function captionOf(scores: RoleScores): string {
  const role = assignedRole(scores);
  return role
    ? message("roles.score", {
        role: message(`role.${role}`),
        score: formatFixed(scores[role] ?? NaN, DIGITS),
      })
    : message("roles.none");
}

function headRoleOf(scores: RoleScores): HeadRole {
  const role = assignedRole(scores);
  return role ? { role, score: scores[role] } : { role: "none", score: null };
}
