import type { HeadMeasures, HeadRef, ModelInfo, Role } from "../../../data/index.js";
import { ROLES, type FrozenPattern } from "../../../data/index.js";
import {
  gateOf,
  headsOf,
  patternOf,
  scopeAt,
  STACKS,
  type EditLists,
  type Reach,
} from "../../../state/index.js";

/** For which heads a setting holds: those that a head is part of, or those that were picked. */
export const TARGETS = [
  "head",
  "layer",
  "stack",
  "everywhere",
  "picked",
] as const satisfies readonly (Reach | "picked")[];
export type Target = (typeof TARGETS)[number];

/** The heads that are meant. */
export function targetHeads(
  target: Target,
  head: HeadRef,
  picked: readonly HeadRef[],
  { stacks }: Pick<ModelInfo, "stacks">,
): HeadRef[] {
  return target === "picked" ? [...picked] : headsOf(scopeAt(target, head), stacks);
}

/** The factor that some heads have in common; null where they differ. */
export function commonGate(edits: EditLists, heads: readonly HeadRef[]): number | null {
  return common(heads.map((head) => gateOf(edits, head)));
}

/** What stands in place of the weights of all of them; undefined where they differ, null where they are computed. */
export function commonPattern(
  edits: EditLists,
  heads: readonly HeadRef[],
): FrozenPattern | null | undefined {
  const patterns = heads.map((head) => patternOf(edits, head));
  const [first = null] = patterns;
  return patterns.every(
    (pattern) => pattern === first || JSON.stringify(pattern) === JSON.stringify(first),
  )
    ? first
    : undefined;
}

function common(values: readonly number[]): number | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

/** What a rule can ask of a head: a measure on the present text, or how far it plays a role there. */
export type Measured = "entropy" | "distance" | Role;
export const MEASURED: readonly Measured[] = [
  "entropy",
  "distance",
  ...ROLES.map(({ role }) => role),
];

/** All heads whose measure is above a number, or below it. */
export interface HeadRule {
  measured: Measured;
  side: "above" | "below";
  number: number;
}

/** What a head measures; null where that is not defined for it. */
export function measureOf(
  { entropy, distance, roles }: HeadMeasures,
  measured: Measured,
): number | null {
  if (measured === "entropy") return entropy;
  return measured === "distance" ? distance : roles[measured];
}

/** The heads of some stacks that a rule is about, of those that have the measure. */
export function headsBy(
  { measured, side, number }: HeadRule,
  measures: Partial<Record<HeadRef["stack"], readonly HeadMeasures[]>>,
): HeadRef[] {
  return STACKS.flatMap((stack) =>
    (measures[stack] ?? []).flatMap((one) => {
      const value = measureOf(one, measured);
      const holds = value !== null && (side === "above" ? value > number : value < number);
      return holds ? [{ stack, layer: one.layer, head: one.head }] : [];
    }),
  );
}
