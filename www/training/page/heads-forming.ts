/** When heads take their roles in a training, and how their measures change by step. */
import { assignedRole, type HeadMeasures, type Role, ROLES, type Stack } from "../../data/index.js";
import type { CurveLine } from "../../draw/charts.js";
import type { Measured } from "../training-run.js";

/** The first step at which a head has a role that it still has. */
export interface RoleEvent {
  step: number;
  layer: number;
  head: number;
  role: Role;
  /** The score now. */
  score: number;
}

/** The roles that only say how a head spreads its attention: a head has them without learning. */
const PLAIN: readonly Role[] = ["broad", "positional"];

function measuresOf({ stacks }: Measured, stack: Stack): readonly HeadMeasures[] {
  return stacks.find((one) => one.stack === stack)?.measures ?? [];
}

/** The measures of a stack at each checkpoint so far. */
function series(
  measured: readonly Measured[],
  stack: Stack,
): { step: number; heads: readonly HeadMeasures[] }[] {
  return measured.map((one) => ({ step: one.step, heads: measuresOf(one, stack) }));
}

/**
 * The heads of a stack that took a role while they were trained and still have it, the most
 * specific role first. A role that a head had by chance before the first step is none of training.
 */
export function roleEvents(measured: readonly Measured[], stack: Stack): RoleEvent[] {
  const all = series(measured, stack);
  const events = (all.at(-1)?.heads ?? []).flatMap(({ layer, head, roles }): RoleEvent[] => {
    const role = assignedRole(roles);
    if (role === null) return [];
    const has = ({ heads }: (typeof all)[number]): boolean => {
      const own = heads.find((one) => one.layer === layer && one.head === head);
      return own !== undefined && assignedRole(own.roles) === role;
    };
    const before = all.findLastIndex((one) => !has(one));
    const first = all[before + 1];
    if (before < 0 || !first) return [];
    return [{ step: first.step, layer, head, role, score: roles[role] ?? 0 }];
  });
  const rank = ({ role }: RoleEvent): number => ROLES.findIndex((one) => one.role === role);
  return events.toSorted((one, other) => rank(one) - rank(other) || one.step - other.step);
}

/** The events of roles that say what a head learned. */
export function learnedRoles(measured: readonly Measured[], stack: Stack): RoleEvent[] {
  return roleEvents(measured, stack).filter(({ role }) => !PLAIN.includes(role));
}

/** A line for each head of a stack: a number of its measures by step. */
export function headLines(
  measured: readonly Measured[],
  stack: Stack,
  numberOf: (measures: HeadMeasures) => number | null,
  nameOf: (layer: number, head: number) => string,
): CurveLine[] {
  const all = series(measured, stack);
  return (all.at(-1)?.heads ?? []).map(({ layer, head }) => ({
    name: nameOf(layer, head),
    points: all.map(({ step, heads }) => {
      const own = heads.find((one) => one.layer === layer && one.head === head);
      return { x: step, y: (own && numberOf(own)) ?? NaN };
    }),
  }));
}
