import {
  type CoreInfo,
  type HeldOutSentence,
  type ModelNotes,
  type RoleScores,
  ROLES,
  type Stack,
} from "../data/index.js";
import { describe, failure } from "./errors.js";
import { isList, isNumber, isText, kindOf } from "./form.js";

/** The file beside a model's weights that says what is known of its heads. */
export const NOTES_FILE = "headscope.json";

const STACKS = ["encoder", "decoder", "cross"] as const satisfies Stack[];

/** Notes, or why there are none; neither where the folder has no such file. */
export interface FoundNotes {
  notes: ModelNotes | null;
  problem: string | null;
}

export const NO_NOTES: FoundNotes = { notes: null, problem: null };

/** Reads the file's text. Notes are an addition: what is wrong with them is said, and the model works without. */
export function readNotes(json: string, info: CoreInfo): FoundNotes {
  try {
    return { notes: checked(JSON.parse(json), info), problem: null };
  } catch (thrown) {
    const mismatch =
      thrown instanceof Mismatch ? thrown : new Mismatch("the file", "JSON", describe(thrown));
    return {
      notes: null,
      problem: failure("", `${NOTES_FILE}, ${mismatch.where}`, mismatch.expected, mismatch.got)
        .message,
    };
  }
}

class Mismatch extends Error {
  constructor(
    readonly where: string,
    readonly expected: string,
    readonly got: string,
  ) {
    super(where);
  }
}

function checked(file: unknown, info: CoreInfo): ModelNotes {
  const { version, heldOut, longest, roles, unigrams, sentences } = fields(file, "the file");
  if (version !== 1)
    throw new Mismatch("the version", "1, the only one that is known here", shown(version));
  const from = fields(heldOut, "heldOut");
  return {
    version,
    heldOut: {
      sentences: count(from.sentences, "heldOut.sentences"),
      seed: count(from.seed, "heldOut.seed"),
      note: text(from.note, "heldOut.note"),
    },
    ...(longest !== undefined && { longest: checkedLongest(longest, info) }),
    roles: checkedRoles(roles, info),
    unigrams: list(unigrams, "unigrams", info.vocabSize).map((value) => count(value, "unigrams")),
    sentences: list(sentences, "sentences").map(checkedSentence),
  };
}

/** Of a translator on both sides: what is read of one says nothing of the other. */
function checkedLongest(
  value: unknown,
  { architecture }: CoreInfo,
): NonNullable<ModelNotes["longest"]> {
  const { source, target } = fields(value, "longest");
  const side = { source: count(source, "longest.source") };
  return target === undefined && architecture !== "encoder-decoder"
    ? side
    : { ...side, target: count(target, "longest.target") };
}

/** Scores for every head of every stack that the model has. */
function checkedRoles(value: unknown, info: CoreInfo): ModelNotes["roles"] {
  const given = fields(value, "roles");
  const surplus = Object.keys(given).find(
    (name) => !STACKS.some((stack) => stack === name && info.stacks[stack] !== undefined),
  );
  if (surplus !== undefined) throw new Mismatch("roles", "the model's own stacks", surplus);
  const roles: ModelNotes["roles"] = {};
  for (const stack of STACKS) {
    const size = info.stacks[stack];
    if (size === undefined) continue;
    const layers = list(given[stack], `roles.${stack}`, size.layers);
    roles[stack] = layers.map((layer, at) => {
      const where = `roles.${stack}[${at}]`;
      return list(layer, where, size.heads).map((head) => checkedScores(head, where));
    });
  }
  return roles;
}

function checkedScores(value: unknown, where: string): RoleScores {
  const given = fields(value, where);
  const scores = ROLES.map(({ role }) => {
    const score = given[role];
    if (score !== null && !(isNumber(score) && score >= 0 && score <= 1))
      throw new Mismatch(`${where}, ${role}`, "a number from 0 to 1, or null", shown(score));
    return [role, score];
  });
  return Object.fromEntries(scores) as RoleScores;
}

function checkedSentence(value: unknown): HeldOutSentence {
  const { text: source, targets } = fields(value, "sentences");
  const sentence = { text: text(source, "sentences") };
  return targets === undefined
    ? sentence
    : {
        ...sentence,
        targets: list(targets, "sentences, targets").map((target) =>
          text(target, "sentences, targets"),
        ),
      };
}

function fields(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || isList(value))
    throw new Mismatch(where, "an object", kindOf(value));
  return value as Record<string, unknown>;
}

function list(value: unknown, where: string, length?: number): unknown[] {
  const expected = length === undefined ? "a list" : `a list of ${length}`;
  if (!isList(value)) throw new Mismatch(where, expected, kindOf(value));
  if (length !== undefined && value.length !== length)
    throw new Mismatch(where, expected, `${value.length} of them`);
  return value;
}

function text(value: unknown, where: string): string {
  if (!isText(value)) throw new Mismatch(where, "a text", kindOf(value));
  return value;
}

function count(value: unknown, where: string): number {
  if (!isNumber(value) || !Number.isSafeInteger(value) || value < 0)
    throw new Mismatch(where, "whole numbers from 0", shown(value));
  return value;
}

function shown(value: unknown): string {
  return isNumber(value) ? String(value) : kindOf(value);
}
