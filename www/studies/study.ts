/**
 * What a study computes over a file of texts, block by block. A block is the texts of one line of
 * the study's file; it needs no other block, so that any division of the blocks among machines
 * gives the same lines.
 */
import type { PatchReceiver, Role, Stack, Tally } from "../data/index.js";
import { isRecord } from "../data/shape.js";
import type { PatchCell } from "../engine/contract.js";
import { type Failure, refuse } from "../engine/errors.js";
import type { Model } from "../headscope.js";

export const STUDIES = ["roles", "patch", "typical"] as const;
export type StudyName = (typeof STUDIES)[number];

/** A value for each head of each stack, by layer and head. */
export type ByHead<Value> = Partial<Record<Stack, Value[][]>>;

/** The first line of a study's file: what was studied, and which part of it the file has. */
export interface StudyHeader {
  format: 1;
  study: StudyName;
  /** The name of the model's folder, and the fingerprints of its files. */
  model: { name: string; files: Record<string, string> };
  /** The name, the hash and the number of the texts. */
  texts: { name: string; sha256: string; count: number };
  /** The number of texts in a block. */
  blockSize: number;
  /** The role on which a head's texts are compared, in a study of typical sentences. */
  roles?: ByHead<Role | null>;
  /** The part, from 1, and the number of parts. */
  shard: [number, number];
}

/** A text that the model cannot read, by its index in the file of texts. */
export interface FailedText extends Pick<Failure, "code" | "message"> {
  index: number;
}

/** What every line of a block has. */
export interface StudyBlock {
  /** The index of the block. */
  block: number;
  failed: FailedText[];
}

/** The sums of the measures of all heads over the texts of a block. */
export interface RolesBlock extends StudyBlock {
  tallies: ByHead<Tally>;
}

/** A text, and how far each head plays its role on it; null where the role is not defined. */
export interface TypicalBlock extends StudyBlock {
  text?: string;
  scores?: ByHead<number | null>;
}

/** A grid of patches. */
export interface PatchBlock extends StudyBlock {
  /** The text from which activations are taken: the clean one in denoising. */
  direction?: "denoise" | "noise";
  /** Whether the target is one log-probability, or a difference of two logits. */
  measure?: "probability" | "difference";
  /** The end of paths; absent where patches reach all that follows. */
  receiver?: PatchReceiver;
  clean?: number;
  corrupted?: number;
  cells?: Pick<PatchCell, "at" | "value" | "recovered" | "reason">[];
}

/** A line of a file of texts: the fields of an input or, of a study of patches, of a grid. */
export type StudyText = Readonly<Record<string, unknown>>;

/** The computation of a kind of study. */
export interface Study {
  blockSize: number;
  /** Computes the line of a block of texts, of which the first has index `first`. */
  compute(
    model: Model,
    texts: readonly StudyText[],
    first: number,
  ): Promise<Omit<StudyBlock, "block">>;
}

/** The stacks of a model. */
export const stacksIn = ({ info }: Model): Stack[] =>
  (Object.keys(info.stacks) as Stack[]).filter((stack) => info.stacks[stack]);

/** The answers about single heads, by layer and head. */
export function byLayer<Answer extends { layer: number; head: number }, Value>(
  answers: readonly Answer[],
  valueOf: (answer: Answer) => Value,
): Value[][] {
  const rows: Value[][] = [];
  for (const answer of answers) (rows[answer.layer] ??= [])[answer.head] = valueOf(answer);
  return rows;
}

/**
 * The texts of a file: of a `.jsonl` file one JSON object for each line, of any other file one text
 * for each line. Empty lines are skipped.
 * @throws study/bad-texts
 */
export function textsIn(content: string, name: string): StudyText[] {
  const isJson = name.endsWith(".jsonl");
  const lines = content.split(/\r?\n/).map((line, at) => ({ line, number: at + 1 }));
  const texts = lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) =>
      isJson ? objectIn(line, `${name}, line ${number}`) : { text: line },
    );
  if (texts.length === 0) throw refuse("study/bad-texts", name, "a text on each line", "none");
  return texts;
}

function objectIn(line: string, where: string): StudyText {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refuse("study/bad-texts", where, "a JSON object", line.slice(0, 60));
  }
  if (!isRecord(value)) throw refuse("study/bad-texts", where, "a JSON object", line.slice(0, 60));
  return value;
}
