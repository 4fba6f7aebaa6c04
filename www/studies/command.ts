/** The command `headscope study`: reads its options, and computes one part of a study. */
import type { Role } from "../data/index.js";
import { describe, type HeadscopeError, refuse } from "../engine/errors.js";
import { builtin } from "../engine/in-node.js";
import { loadModel, type Model } from "../headscope.js";
import { assignedRoles, computeBlocks, studyOf } from "./computations.js";
import { named, nameOfModel, readText, StudyFile } from "./files.js";
import { demandFiles } from "./of-model.js";
import { blocksOf, pooledRoles, readStudy } from "./reading.js";
import { type ByHead, STUDIES, type StudyHeader, type StudyName, textsIn } from "./study.js";

/** The usage of the command, for those who ask and those who mistype. */
export const USAGE = [
  "headscope study roles|patch|typical --model FOLDER --texts FILE --out FILE.jsonl",
  "    [--shard 3/16] [--workers N] [--roles FILE.jsonl]",
].join("\n");

const OPTIONS = {
  model: { type: "string" },
  texts: { type: "string" },
  out: { type: "string" },
  shard: { type: "string", default: "1/1" },
  workers: { type: "string" },
  roles: { type: "string" },
} as const;

interface Options {
  study: StudyName;
  model: string;
  texts: string;
  out: string;
  shard: [number, number];
  workers: number;
  roles: string | undefined;
}

/**
 * Reads the words of a command.
 * @throws study/bad-option
 */
export function optionsIn(words: readonly string[]): Options {
  const bad = (what: string, expected: string, got: string): HeadscopeError =>
    refuse("study/bad-option", what, expected, got);
  const { values, positionals } = parsed(words);
  const [command, study] = positionals;
  const kind = STUDIES.find((one) => one === study);
  if (command !== "study" || kind === undefined || positionals.length > 2)
    throw bad("the command", `study ${STUDIES.join("|")}`, positionals.join(" ") || "none");
  const { model, texts, out, shard, workers, roles } = values;
  const given = (name: string, value: string | undefined): string => {
    if (value === undefined || value === "") throw bad(`--${name}`, "a path", "none");
    return value;
  };
  const [, part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number);
  if (part < 1 || part > parts) throw bad("--shard", "a part and their number, as 3/16", shard);
  const count = Number(workers ?? builtin("node:os").availableParallelism());
  if (!Number.isInteger(count) || count < 1)
    throw bad("--workers", "a number from 1", `${workers}`);
  if (roles !== undefined && kind !== "typical")
    throw bad("--roles", "a study of typical sentences", `one of ${kind}`);
  const paths = { model: given("model", model), texts: given("texts", texts) };
  return {
    study: kind,
    ...paths,
    out: given("out", out),
    shard: [part, parts],
    workers: count,
    roles,
  };
}

function parsed(words: readonly string[]) {
  const { parseArgs } = builtin("node:util");
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (thrown) {
    throw refuse("study/bad-option", "the options", USAGE, describe(thrown));
  }
}

/** Runs the command: computes the blocks of a part that its file does not have yet. */
export async function study(words: readonly string[], say: (line: string) => void): Promise<void> {
  const options = optionsIn(words);
  const texts = textsIn(readText(options.texts, "--texts"), options.texts);
  const name = nameOfModel(options.model);
  const first = await loadModel(options.model);
  const models = [first];
  try {
    const model = { name, files: await first.fingerprints() };
    const roles = options.study === "typical" ? rolesFor(first, model, options) : undefined;
    const work = studyOf(options.study, roles);
    const header: StudyHeader = {
      format: 1,
      study: options.study,
      model,
      texts: { ...named(options.texts), count: texts.length },
      blockSize: work.blockSize,
      ...(roles && { roles }),
      shard: options.shard,
    };
    const file = StudyFile.open(options.out, header);
    const [part, parts] = options.shard;
    const all = Array.from({ length: blocksOf(header) }, (_, block) => block);
    const own = all.filter((block) => block % parts === part - 1);
    const left = own.filter((block) => !file.done.has(block));
    say(`${own.length} blocks, ${left.length} of them to compute`);
    const more = Math.min(options.workers, left.length) - 1;
    for (let one = 0; one < more; one += 1)
      models.push(await loadModel(options.model, { shared: false }));
    try {
      const failed = await computeBlocks(work, models, { texts, blocks: left }, (line) =>
        file.write(line),
      );
      say(`${options.out} is complete${failed > 0 ? `; ${failed} texts could not be read` : ""}`);
    } finally {
      file.close();
    }
  } finally {
    for (const one of models) one.dispose();
  }
}

/**
 * The role of each head on which texts are compared: by the model's notes, else by a study of its
 * roles.
 * @throws study/no-roles, and the errors of reading a study
 */
function rolesFor(
  model: Model,
  { files }: StudyHeader["model"],
  { roles }: Options,
): ByHead<Role | null> {
  if (roles === undefined) {
    if (model.notes) return assignedRoles(model.notes.roles);
    const expected = "the file of a study of the model's roles, since it has no notes";
    throw refuse("study/no-roles", "--roles", expected, "none");
  }
  const found = readStudy(readText(roles, "--roles"), roles);
  demandFiles(found, roles, { files });
  return assignedRoles(pooledRoles(found, roles));
}
