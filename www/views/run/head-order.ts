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

/** What is known of the heads of a stack, by which they can be sorted and filtered. */
export interface KnownHeads {
  /** By layer and head, on held-out text; null without such scores. */
  heldOut: readonly (readonly RoleScores[])[] | null;
  /** On the present text; null until it was read. */
  measures: readonly HeadMeasures[] | null;
  /** How unlike they are to the chosen head, on the present text; null until it was read. */
  likeness: readonly HeadLikeness[] | null;
}

interface Entry {
  layer: number;
  head: number;
  heldOut: RoleScores | null;
  measures: HeadMeasures | null;
  divergence: number | null;
}

/** The role whose score is shown below heads: the one they are sorted by, or else filtered by. */
export function roleInQuestion(filter: RoleFilter | null, sort: HeadSort): Role | null {
  return roleOf(sort) ?? (sort === "place" ? roleOf(filter) : null);
}

/**
 * The heads that a filter lets through, in the order of a sort, each with the numbers it was sorted by; null for all of
 * them in their places. Scores are those on held-out text, and where there are none, those on this text; a filter
 * needs held-out ones. Of equals, and of heads without a number, the earlier comes first.
 */
export function rankHeads(
  { layers, heads }: { layers: number; heads: number },
  filter: RoleFilter | null,
  sort: HeadSort,
  known: KnownHeads,
): RankedHead[] | null {
  const wanted = known.heldOut ? filter : null;
  if (wanted === null && sort === "place") return null;
  const all = Array.from({ length: layers * heads }, (_, index) =>
    entryOf(Math.floor(index / heads), index % heads, known),
  );
  const kept = all.filter(
    ({ heldOut }) => wanted === null || (heldOut !== null && passes(heldOut, wanted)),
  );
  const role = roleInQuestion(wanted, sort);
  return sorted(kept, sort).map((entry) => ({
    layer: entry.layer,
    head: entry.head,
    note: noteOf(entry, role, sort),
  }));
}

function roleOf(name: RoleFilter | HeadSort | null): Role | null {
  return ROLES.find(({ role }) => role === name)?.role ?? null;
}

function entryOf(layer: number, head: number, { heldOut, measures, likeness }: KnownHeads): Entry {
  const own = (one: { layer: number; head: number }): boolean =>
    one.layer === layer && one.head === head;
  return {
    layer,
    head,
    heldOut: heldOut?.[layer]?.[head] ?? null,
    measures: measures?.find(own) ?? null,
    divergence: likeness?.find(own)?.divergence ?? null,
  };
}

/** Whether a head reaches a role's threshold, or none at all. */
function passes(scores: RoleScores, filter: RoleFilter): boolean {
  if (filter === "none") return assignedRole(scores) === null;
  return ROLES.some(({ role, threshold }) => role === filter && (scores[role] ?? 0) >= threshold);
}

/** The sharpest and the most alike come first, and the highest score. */
function sorted(entries: Entry[], sort: HeadSort): Entry[] {
  const role = roleOf(sort);
  if (sort === "place") return entries;
  const key = (entry: Entry): number => {
    if (role !== null) return -((entry.heldOut ?? entry.measures?.roles)?.[role] ?? -Infinity);
    return (sort === "entropy" ? entry.measures?.entropy : entry.divergence) ?? Infinity;
  };
  // Sorting is stable, and Infinity − Infinity is no number.
  return entries.toSorted((one, other) => (key(one) === key(other) ? 0 : key(one) - key(other)));
}

function noteOf(
  { heldOut, measures, divergence }: Entry,
  role: Role | null,
  sort: HeadSort,
): string {
  if (role !== null) {
    const here = number(measures?.roles[role]);
    return heldOut ? `${number(heldOut[role])} · ${here}` : here;
  }
  if (sort === "entropy") return number(measures?.entropy);
  return sort === "likeness" ? number(divergence) : "";
}

function number(value: number | null | undefined): string {
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
