/**
 * The shapes of the lines of a study's file. A file comes from outside: a line that is cut or
 * changed would otherwise be numbers of another head.
 */
import { ROLES } from "../data/index.js";
import { isRecord, listOfLength, Misfit, orNull, rule, type Shape } from "../data/shape.js";
import type { StudyName } from "./study.js";

const MEAN: Shape = { sum: "number", count: "count" };
const TALLY: Shape = {
  means: listOfLength(ROLES.length, MEAN),
  offsets: [MEAN],
  entropy: MEAN,
  distance: MEAN,
  nQueries: "count",
};
const NUMBER_OR_NULL = rule(
  "a number, or null",
  (value) => value === null || typeof value === "number",
);
const ROLE = rule("a role", (value) => ROLES.some(({ role }) => role === value));
const STACK_NAMES = ["encoder", "decoder", "cross"];
const oneOf = (...words: readonly string[]): Shape =>
  rule(words.join(" | "), (value) => words.some((word) => word === value));

/** Values of one shape by stack, layer and head. */
const byHead =
  (shape: Shape): Shape =>
  (value) => {
    const unknown = isRecord(value) && Object.keys(value).find((key) => !STACK_NAMES.includes(key));
    return typeof unknown === "string"
      ? new Misfit(`only ${STACK_NAMES.join(", ")}`, value)
      : { "*": [[shape]] };
  };

const CELL: Shape = {
  at: {
    stack: oneOf(...STACK_NAMES),
    layer: "count",
    step: oneOf("context", "weights", "value", "ff-output", "input"),
    head: "count?",
    positions: orNull(["count"]),
  },
  value: "number",
  recovered: NUMBER_OR_NULL,
  reason: "text?",
};

const isIndex = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const RECEIVER = rule("a receiver, or nothing", (value) => {
  if (value === undefined || value === "logits") return true;
  if (!isRecord(value)) return false;
  const { stack, layer, head, part, ...others } = value;
  return (
    STACK_NAMES.some((name) => name === stack) &&
    [layer, head].every(isIndex) &&
    [undefined, "query", "key", "value"].some((name) => name === part) &&
    Object.keys(others).length === 0
  );
});

const CONTENTS: Readonly<Record<StudyName, Readonly<Record<string, Shape>>>> = {
  roles: { tallies: byHead(TALLY) },
  typical: { text: "text?", scores: byHead(NUMBER_OR_NULL) },
  patch: {
    direction: oneOf("denoise", "noise"),
    measure: oneOf("probability", "difference"),
    receiver: RECEIVER,
    clean: "number",
    corrupted: "number",
    cells: [CELL],
  },
};

const ABSENT = rule("nothing", (value) => value === undefined);
const FAILED: Shape = [{ index: "count", code: "text", message: "text" }];

/** The shape of the first line of a study. */
export const headerShape = ({ study }: { study: StudyName }): Shape => ({
  model: { name: "text", files: { "*": "text" } },
  texts: { name: "text", sha256: "text", count: "count" },
  blockSize: "length",
  shard: ["length", "length"],
  ...(study === "typical" && { roles: byHead(orNull(ROLE)) }),
});

/** The shape of a block, which has no numbers where its only text could not be read. */
export function blockShape(study: StudyName, { failed }: { failed: readonly unknown[] }): Shape {
  const isUnread = study !== "roles" && failed.length > 0;
  const contents = CONTENTS[study];
  const none = Object.fromEntries(Object.keys(contents).map((field) => [field, ABSENT]));
  return { failed: FAILED, ...(isUnread ? none : contents) };
}
