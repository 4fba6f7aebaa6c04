/**
 * What the builder of lessons offers as checks and readings: the JSON of each kind that fits the
 * page as it is, filled with what the page shows.
 */
import { assignedRole } from "../data/index.js";
import { EDIT_LISTS, editsOf } from "../state/index.js";
import { FIELDS } from "../state/state.js";
import { type Readable, scoresOf } from "./checks.js";
import type { Check, Reading } from "./format.js";

/** An offer: the kind, which names its sentence, and the JSON that a lesson has. */
export interface Offer<Kind extends string> {
  kind: Kind;
  json: Readonly<Record<string, unknown>>;
}

/** What is offered of a session, with the pair in focus. */
export type Offering = Readable & { focused: { query: number; key: number } | null };

/** The numbers that a task may ask for on the present page. */
export function readingsOn(page: Offering): Offer<Reading["of"]>[] {
  const { focused, expectation, figures, measured } = page;
  const [likeliest] = expectation?.predictions ?? [];
  const role = roleOn(page);
  return [
    ...(figures && focused
      ? [{ kind: "weight" as const, json: { of: "weight", cell: FIELDS.locked.encode(focused) } }]
      : []),
    ...(likeliest
      ? [
          {
            kind: "probability" as const,
            json: { of: "probability", token: likeliest.text.trim() },
          },
        ]
      : []),
    ...(measured ? [{ kind: "entropy" as const, json: { of: "entropy" } }] : []),
    ...(role ? [{ kind: "role" as const, json: { of: "role", role } }] : []),
    ...(figures ? [{ kind: "cells" as const, json: { of: "cells" } }] : []),
  ];
}

/** The statements that are so on the present page. */
export function statementsOn(page: Offering): Offer<Check["is"]>[] {
  const { figures, expectation, computation, state } = page;
  const [likeliest] = expectation?.predictions ?? [];
  const { output, unedited } = computation;
  const role = roleOn(page);
  const strongest = strongestOn(page);
  const [list] = EDIT_LISTS.filter((one) => editsOf(state.edits)[one] !== undefined);
  const written = (name: "stack" | "layer" | "head"): [string, string] => [
    name,
    (FIELDS[name].encode as (value: unknown) => string)(state[name]),
  ];
  const head = Object.fromEntries((["stack", "layer", "head"] as const).map(written));
  return [
    ...(strongest ? [{ kind: "strongest" as const, json: { is: "strongest", ...strongest } }] : []),
    ...(role ? [{ kind: "role" as const, json: { is: "role", role } }] : []),
    ...(likeliest
      ? [{ kind: "predicted" as const, json: { is: "predicted", token: likeliest.text.trim() } }]
      : []),
    ...(output && output.words !== ""
      ? [{ kind: "written" as const, json: { is: "written", text: output.words } }]
      : []),
    ...(list ? [{ kind: "edited" as const, json: { is: "edited", list } }] : []),
    ...(list && unedited ? [{ kind: "changed" as const, json: { is: "changed" } }] : []),
    ...(figures ? [{ kind: "shown" as const, json: { is: "shown", state: head } }] : []),
  ];
}

function roleOn(page: Offering): string | null {
  const scores = scoresOf(page);
  return scores && assignedRole(scores);
}

/** The row in focus and the key with its largest weight, counted from one. */
function strongestOn({ focused, figures }: Offering): { query: number; key: number } | null {
  const weights = figures?.stages.weights;
  if (!weights || !focused) return null;
  const columns = weights.shape[1] ?? 0;
  const row = [...weights.data.subarray(focused.query * columns, (focused.query + 1) * columns)];
  return { query: focused.query + 1, key: row.indexOf(Math.max(...row)) + 1 };
}
