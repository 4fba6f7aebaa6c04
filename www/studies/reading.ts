/**
 * Reads the files of studies: the lines of one file, of several parts one behind the other, or of a
 * part that was not finished.
 */
import type { Role, RoleScores, Stack, Tally } from "../data/index.js";
import { fit, isRecord, jsonIn, Misfit } from "../data/shape.js";
import { refuse } from "../engine/errors.js";
import { addByHead, addPatches, type PooledGrid, scoresOfTally } from "./pooling.js";
import { blockShape, headerShape } from "./shapes.js";
import {
  type ByHead,
  type RolesBlock,
  STUDIES,
  type StudyBlock,
  type StudyHeader,
  type TypicalBlock,
} from "./study.js";

/** The lines of a study. */
export interface ReadStudy {
  header: StudyHeader;
  /** The blocks by their index, ascending. */
  blocks: StudyBlock[];
  /** The number of blocks that the whole study has. */
  total: number;
}

/** The number of blocks of a study. */
export const blocksOf = ({ texts, blockSize }: Pick<StudyHeader, "texts" | "blockSize">): number =>
  Math.ceil(texts.count / blockSize);

/** Whether two headers are of one study, of which they may be different parts. */
export const isSameStudy = (one: StudyHeader, other: StudyHeader): boolean =>
  JSON.stringify({ ...one, shard: 0 }) === JSON.stringify({ ...other, shard: 0 });

/**
 * Reads the lines of a study.
 * @throws study/bad-file for a line that is none of a study, and for a block that is there twice;
 *   study/other-study for parts of different studies
 */
export function readStudy(content: string, name: string): ReadStudy {
  let header: StudyHeader | undefined;
  const blocks = new Map<number, StudyBlock>();
  const lines = content.split("\n");
  // A line without its end was not written to its end.
  if (lines.at(-1) !== "") refuseLine(name, lines.length, "a whole line", lines.at(-1));
  for (const [at, line] of lines.slice(0, -1).entries()) {
    const value = jsonIn(line);
    if (isHeader(value)) {
      demandShape(value, headerShape(value), `${name}, line ${at + 1}`);
      if (header && !isSameStudy(header, value)) {
        const of = ({ study, model }: StudyHeader): string => `${study} of ${model.name}`;
        const found = `${of(value)}, with other texts, files or roles`;
        throw refuse("study/other-study", `${name}, line ${at + 1}`, of(header), found);
      }
      header = value;
    } else if (header && isBlock(value, blocksOf(header))) {
      demandShape(value, blockShape(header.study, value), `${name}, line ${at + 1}`);
      if (blocks.has(value.block))
        refuseLine(name, at + 1, "each block once", `block ${value.block} again`);
      blocks.set(value.block, value);
    } else refuseLine(name, at + 1, header ? "a block" : "the first line of a study", line);
  }
  if (!header) throw refuse("study/bad-file", name, "the lines of a study", "none");
  const ordered = [...blocks.values()].sort((one, other) => one.block - other.block);
  return { header, blocks: ordered, total: blocksOf(header) };
}

function refuseLine(name: string, line: number, expected: string, got = ""): never {
  throw refuse("study/bad-file", `${name}, line ${line}`, expected, got.slice(0, 60));
}

/**
 * Refuses a line whose fields have other shapes than those of its study.
 * @throws study/bad-file
 */
function demandShape(value: unknown, shape: ReturnType<typeof blockShape>, where: string): void {
  const fitted = fit(value, shape);
  if (!(fitted instanceof Misfit)) return;
  const { path, expected, got } = fitted;
  throw refuse("study/bad-file", `${where}, ${path.slice(1)}`, expected, got);
}

function isHeader(value: unknown): value is StudyHeader {
  return isRecord(value) && value.format === 1 && STUDIES.some((study) => study === value.study);
}

function isBlock(value: unknown, count: number): value is StudyBlock {
  if (!isRecord(value) || !Array.isArray(value.failed)) return false;
  const { block } = value;
  return Number.isInteger(block) && Number(block) >= 0 && Number(block) < count;
}

/**
 * The role scores of all heads over all texts of a study of roles.
 * @throws study/other-study for another study, study/incomplete if blocks are missing
 */
export function pooledRoles(study: ReadStudy, name: string): ByHead<RoleScores> {
  demandWhole(study, "roles", name);
  let sums: ByHead<Tally> = {};
  for (const { tallies } of study.blocks as RolesBlock[]) sums = addByHead(sums, tallies);
  const stacks = Object.entries(sums) as [Stack, Tally[][]][];
  return Object.fromEntries(
    stacks.map(([stack, layers]) => [stack, layers.map((heads) => heads.map(scoresOfTally))]),
  );
}

/** A text and its score. */
export interface ScoredText {
  text: string;
  score: number;
}

/** The texts on which a head plays its role most, and those on which it deviates. */
export interface TypicalTexts {
  role: Role;
  most: ScoredText[];
  least: ScoredText[];
}

/**
 * The pooled effects of a study of patches: a grid for each stack, step, direction, measure and
 * receiver.
 * @throws study/other-study for another study, study/incomplete if blocks are missing
 */
export function pooledEffects(study: ReadStudy, name: string): PooledGrid[] {
  demandWhole(study, "patch", name);
  return addPatches(study.blocks);
}

/** The number of texts at each end. */
const AT_EACH_END = 10;

/**
 * The typical texts of every head that has a role, the earlier text first among equals.
 * @throws study/other-study for another study, study/incomplete if blocks are missing
 */
export function typicalTexts(study: ReadStudy, name: string): ByHead<TypicalTexts | null> {
  demandWhole(study, "typical", name);
  const blocks = study.blocks as TypicalBlock[];
  const stacks = Object.entries(study.header.roles ?? {}) as [Stack, (Role | null)[][]][];
  const textsOf = (stack: Stack, layer: number, head: number): ScoredText[] =>
    blocks.flatMap(({ text, scores }) => {
      const score = scores?.[stack]?.[layer]?.[head];
      return typeof score === "number" && text !== undefined ? [{ text, score }] : [];
    });
  return Object.fromEntries(
    stacks.map(([stack, layers]) => [
      stack,
      layers.map((heads, layer) =>
        heads.map((role, head) => role && { role, ...endsOf(textsOf(stack, layer, head)) }),
      ),
    ]),
  );
}

/** The texts with the largest and with the smallest scores; no text is at both ends. */
export function endsOf(texts: readonly ScoredText[]): Pick<TypicalTexts, "most" | "least"> {
  const sorted = texts.toSorted((one, other) => other.score - one.score);
  const most = sorted.slice(0, AT_EACH_END);
  const least = texts.toSorted((one, other) => one.score - other.score).slice(0, AT_EACH_END);
  return { most, least: least.filter((text) => !most.includes(text)) };
}

function demandWhole({ header, blocks, total }: ReadStudy, study: string, name: string): void {
  if (header.study !== study)
    throw refuse("study/other-study", name, `a study of ${study}`, `one of ${header.study}`);
  if (blocks.length < total)
    throw refuse("study/incomplete", name, `all ${total} blocks`, `${blocks.length} of them`);
}

/**
 * Refuses a study of texts of which the model can read none, with the reason for the first.
 * @throws study/bad-texts
 */
export function demandRead({ blocks }: ReadStudy, name: string): void {
  const [first] = blocks.flatMap(({ failed }) => failed);
  if (!first || blocks.some(({ failed }) => failed.length === 0)) return;
  throw refuse("study/bad-texts", name, "texts that the model can read", first.message);
}
