/**
 * What a lesson asks of the present run and State: numbers that are read, and statements that are
 * so or not. Both are null until the run has been read.
 */
import { assignedRole, rowOf } from "../data/index.js";
import type { Session } from "../session/session.js";
import { editsOf, isAblated, type State } from "../state/index.js";
import { equals } from "../data/equal.js";
import type { Check, Reading } from "./format.js";

/** What is read of a session. */
export type Readable = Pick<
  Session,
  | "attribution"
  | "block"
  | "calculation"
  | "chosen"
  | "computation"
  | "demoAnswers"
  | "expectation"
  | "figures"
  | "knownRoles"
  | "measured"
  | "settled"
  | "state"
>;

/** A number of the run; null while it is not read, or where the run has no such number. */
export function read(reading: Reading, of: Readable): number | null {
  switch (reading.of) {
    case "weight": {
      const tensor = of.figures?.stages[reading.stage];
      const [rows = 0, columns = 0] = tensor?.shape ?? [];
      const { query, key } = reading.cell;
      return tensor && query < rows && key < columns
        ? (tensor.data[query * columns + key] ?? null)
        : null;
    }
    case "number": {
      const { step, row, column } = reading.number;
      const tensor = of.block?.steps.find((one) => one.step === step)?.tensor;
      const [rows = 0, columns = 0] = tensor?.shape ?? [];
      return tensor && row < rows && column < columns
        ? (tensor.data[row * columns + column] ?? null)
        : null;
    }
    case "probability": {
      const predictions = of.expectation?.predictions;
      if (!predictions) return null;
      return predictions.find(({ text }) => text.trim() === reading.token)?.probability ?? 0;
    }
    case "entropy":
      return of.measured?.entropy ?? null;
    case "role": {
      const scores = scoresOf(of);
      return scores?.[reading.role] ?? null;
    }
    case "adds":
      return of.attribution?.keys?.[reading.key]?.value ?? null;
    case "cells":
      return of.figures?.stages.weights.data.length ?? null;
    case "calculated": {
      const { matrix, cell } = reading;
      const { heads: [first] = [], ...shared } = of.calculation ?? {};
      const rows = { ...shared, ...first }[matrix];
      return rows?.[cell.query]?.[cell.key] ?? null;
    }
    case "answer": {
      const items = of.demoAnswers.get(reading.demo) ?? [];
      const numbers = items.find((item) => item.numbers?.[reading.name] !== undefined)?.numbers;
      return numbers?.[reading.name] ?? null;
    }
  }
}

/** Whether a statement is so; null while what it is about is not read. */
export function holds(check: Check, of: Readable): boolean | null {
  switch (check.is) {
    case "between": {
      const value = read(check.reading, of);
      return value === null ? null : value >= check.least && value <= check.most;
    }
    case "strongest": {
      const weights = of.figures?.stages.weights;
      if (!weights || check.query >= (weights.shape[0] ?? 0)) return null;
      const row = [...rowOf(weights, check.query)];
      return row.indexOf(Math.max(...row)) === check.key;
    }
    case "role": {
      const scores = scoresOf(of);
      return scores && assignedRole(scores) === check.role;
    }
    case "edited":
      return editsOf(of.state.edits)[check.list] !== undefined;
    case "ablated":
      return isAblated(of.state.edits, check.head);
    case "predicted": {
      const [likeliest] = of.expectation?.predictions ?? [];
      return likeliest ? likeliest.text.trim() === check.token : null;
    }
    case "written": {
      return outputOf(of)?.words.includes(check.text) ?? null;
    }
    case "changed": {
      const output = outputOf(of);
      const { unedited } = of.computation;
      return output && unedited?.of === output.of ? output.words !== unedited.words : null;
    }
    case "shown":
      return Object.entries(check.state).every(([key, value]) =>
        equals(of.state[key as keyof State], value),
      );
    case "answered":
      return (of.demoAnswers.get(check.demo)?.length ?? 0) > 0;
    case "not": {
      const is = holds(check.check, of);
      return is === null ? null : !is;
    }
  }
}

/** What the model writes; null while that is what it wrote in an earlier run. */
function outputOf({ computation: { output, run } }: Readable) {
  return output?.run === run ? output : null;
}

export function scoresOf({ chosen, knownRoles }: Readable) {
  return (chosen && knownRoles?.scores[chosen.layer]?.[chosen.head]) ?? null;
}
