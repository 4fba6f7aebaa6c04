import {
  wornRole,
  type HeadMeasures,
  type HeadRef,
  type ModelNotes,
  type RoleScores,
  type Stack,
} from "../../data/index.js";
import type { WornScore } from "../../elements/grid/element.js";
import { Memo } from "../../elements/shared/controllers.js";
import { formatFixed, language, message } from "../../i18n/index.js";

const DIGITS = 2;

/** The captions that were asked for last: the same list for as long as it says the same, so that no grid is drawn again for it. */
const kept = new Memo<string[][] | null>();
const keptWorn = new Memo<WornScore[][] | null>();

/** A few words for each head of a stack, by layer and head: the role it wears on held-out text; null without such scores. */
export function roleCaptions(
  notes: ModelNotes | null,
  stack: Stack | undefined,
): string[][] | null {
  const scores = stack && notes?.roles[stack];
  return kept.get([scores, language()], () => scores?.map((heads) => heads.map(captionOf)) ?? null);
}

/** The same for what stands below each head: the role it wears, and its score. */
export function wornRoles(
  notes: ModelNotes | null,
  stack: Stack | undefined,
): WornScore[][] | null {
  const scores = stack && notes?.roles[stack];
  return keptWorn.get([scores], () => scores?.map((heads) => heads.map(wornOf)) ?? null);
}

/** How far a head plays each role on held-out text. */
export function heldOutScores(notes: ModelNotes | null, head: HeadRef | null): RoleScores | null {
  return (head && notes?.roles[head.stack]?.[head.layer]?.[head.head]) ?? null;
}

/** What a head does on the present text. */
export function measuresOf(
  measures: readonly HeadMeasures[] | null,
  head: HeadRef | null,
): HeadMeasures | null {
  return measures?.find((one) => one.layer === head?.layer && one.head === head.head) ?? null;
}

function captionOf(scores: RoleScores): string {
  const role = wornRole(scores);
  return role
    ? message("roles.score", {
        role: message(`role.${role}`),
        score: formatFixed(scores[role] ?? NaN, DIGITS),
      })
    : message("roles.none");
}

function wornOf(scores: RoleScores): WornScore {
  const role = wornRole(scores);
  return role ? { role, score: scores[role] } : { role: "none", score: null };
}
