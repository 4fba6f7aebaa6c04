import type { Step, StepCell } from "../data/index.js";
import { decodeIndex } from "./place-codec.js";

/** Every step that a block can have. */
const NAMES: Readonly<Record<Step, true>> = {
  embedded: true,
  input: true,
  memory: true,
  entered: true,
  query: true,
  key: true,
  value: true,
  "query-rotated": true,
  "key-rotated": true,
  raw: true,
  scores: true,
  masked: true,
  weights: true,
  context: true,
  attended: true,
  sum: true,
  normed: true,
  looked: true,
  "looked-sum": true,
  "looked-normed": true,
  "ff-entered": true,
  "ff-hidden": true,
  "ff-activated": true,
  "ff-linear": true,
  "ff-gated": true,
  "ff-output": true,
  "ff-sum": true,
  "ff-normed": true,
  final: true,
};

export const STEPS = Object.keys(NAMES).filter((name): name is Step => name in NAMES);

/** A cell of a step as `context.3-17`, row and column counted from one. */
export function encodeStepCell({ step, row, column }: StepCell): string {
  return `${step}.${row + 1}-${column + 1}`;
}

export function decodeStepCell(text: string): StepCell | undefined {
  const [, name, first = "", second = ""] = /^([a-z-]+)\.(\d+)-(\d+)$/.exec(text) ?? [];
  const step = STEPS.find((candidate) => candidate === name);
  const [row, column] = [decodeIndex(first), decodeIndex(second)];
  return step === undefined || row === undefined || column === undefined
    ? undefined
    : { step, row, column };
}
