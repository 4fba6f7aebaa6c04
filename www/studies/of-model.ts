/**
 * Whether a study is of a model: of its name and its files, and with as many layers and heads in
 * each stack.
 */
import type { ModelInfo, Stack } from "../data/index.js";
import { refuse } from "../engine/errors.js";
import type { ReadStudy } from "./reading.js";
import type { ByHead, PatchBlock, RolesBlock, TypicalBlock } from "./study.js";

/** The name of a model's folder or file, its stacks, and the fingerprints of its files. */
export interface StudiedModel {
  name: string;
  files: Record<string, string>;
  stacks: ModelInfo["stacks"];
}

/** A GGUF file is opened under its name with or without the ending. */
const nameOf = (name: string): string => name.replace(/\.gguf$/, "");

/**
 * Refuses a study of another model.
 * @throws study/other-model
 */
export function demandModel(study: ReadStudy, file: string, model: StudiedModel): void {
  const { name } = study.header.model;
  if (nameOf(name) !== nameOf(model.name))
    throw refuse("study/other-model", file, `a study of ${model.name}`, `one of ${name}`);
  demandFiles(study, file, model);
  for (const found of tablesOf(study)) {
    const wanted = sizesOf(model.stacks);
    const got = sizesOfTable(found);
    if (got !== wanted)
      throw refuse("study/other-model", file, `layers × heads of ${wanted}`, got || "none");
  }
  for (const { cells = [] } of study.blocks as PatchBlock[])
    for (const { at } of cells) {
      const { layers = 0, heads = 0 } = model.stacks[at.stack] ?? {};
      if (at.layer < layers && (at.head ?? 0) < heads) continue;
      const got = `${at.stack}, layer ${at.layer}${at.head === undefined ? "" : `, head ${at.head}`}`;
      throw refuse("study/other-model", file, `places in ${sizesOf(model.stacks)}`, got);
    }
}

/**
 * Refuses a study of a model with other files, and names the first file that differs.
 * @throws study/other-model
 */
export function demandFiles(
  { header: { model } }: ReadStudy,
  file: string,
  { files }: Pick<StudiedModel, "files">,
): void {
  const names = new Set([...Object.keys(model.files), ...Object.keys(files)]);
  for (const name of [...names].sort()) {
    const [studied, own] = [model.files[name], files[name]];
    if (studied === own) continue;
    const words = (print: string | undefined): string =>
      print === undefined ? `none` : `one with the fingerprint ${print.slice(0, 12)}…`;
    const expected = `a study of the model in use, whose ${name} is ${words(own)}`;
    throw refuse(
      "study/other-model",
      file,
      expected,
      `one of another, whose ${name} is ${words(studied)}`,
    );
  }
}

/** The tables of values by head that a study has. */
function tablesOf({ header, blocks }: ReadStudy): ByHead<unknown>[] {
  const ofBlocks = (blocks as (Partial<RolesBlock> & TypicalBlock)[]).flatMap(
    ({ tallies, scores }) => tallies ?? scores ?? [],
  );
  const tables: ByHead<unknown>[] = [...(header.roles ? [header.roles] : []), ...ofBlocks];
  // A block of texts that could not be read has no stack.
  return tables.filter((table) => Object.keys(table).length > 0);
}

const sizeWords = (sizes: readonly [string, number, number][]): string =>
  sizes
    .map(([stack, layers, heads]) => `${stack} ${layers} × ${heads}`)
    .sort()
    .join(", ");

const sizesOf = (stacks: ModelInfo["stacks"]): string =>
  sizeWords(
    (Object.keys(stacks) as Stack[]).flatMap((stack) => {
      const size = stacks[stack];
      return size ? [[stack, size.layers, size.heads]] : [];
    }),
  );

/** The sizes of a table; rows of different lengths are those of no model. */
function sizesOfTable(table: ByHead<unknown>): string {
  const stacks = Object.entries(table) as [Stack, unknown[][]][];
  return sizeWords(
    stacks.map(([stack, layers]) => {
      const lengths = new Set(layers.map((heads) => heads.length));
      const [heads = 0] = lengths;
      return [stack, layers.length, lengths.size > 1 ? NaN : heads];
    }),
  );
}
