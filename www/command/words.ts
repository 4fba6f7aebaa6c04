/** The words of commands: options, and the models that they name. */
import type { ParseArgsConfig, parseArgs } from "node:util";
import { type HeadscopeError, refuse } from "../engine/errors.js";
import { builtin } from "../engine/in-node.js";
import { snapshotOf } from "../engine/source.js";

/** The error of an option that a command does not have, or of a value that it cannot have. */
export function bad(what: string, expected: string, got: string): HeadscopeError {
  return refuse("command/bad-option", what, expected, got);
}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Words<Known extends Options> = ReturnType<
  typeof parseArgs<{ options: Known; allowPositionals: true }>
>;

/**
 * The options of a command, and its other words.
 * @throws command/bad-option
 */
export function wordsIn<const Known extends Options>(
  words: readonly string[],
  options: Known,
  usage: string,
): Words<Known> {
  try {
    return builtin("node:util").parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (thrown) {
    // The second sentence of Node advises a form that no command takes.
    const [reason = ""] = (thrown as Error).message.split(/\.\s/);
    throw bad("the options", usage, reason);
  }
}

/** A model on a disk: a folder, or a GGUF file. */
export interface ModelOnDisk {
  /** The name in addresses: of the folder or the file; of a folder with `/` at its end. */
  name: string;
  path: string;
}

/**
 * The model of a path: a Hugging Face folder, also in Hugging Face's cache, or a GGUF file.
 * @throws command/no-model, load/not-found
 */
export async function modelAt(path: string): Promise<ModelOnDisk> {
  const fs = builtin("node:fs");
  const paths = builtin("node:path");
  const found = fs.statSync(path, { throwIfNoEntry: false });
  const name = paths.basename(paths.resolve(path)).replace(/^models--(?:.*--)?/, "");
  if (found?.isFile() && path.endsWith(".gguf")) return { name, path: paths.resolve(path) };
  const folder = found?.isDirectory() ? await snapshotOf(path) : null;
  const names = folder === null ? [] : fs.readdirSync(folder);
  const gguf = names.filter((one) => one.endsWith(".gguf"));
  if (folder !== null && names.includes("config.json"))
    return { name: `${name}/`, path: paths.resolve(folder) };
  if (folder !== null && gguf[0] !== undefined && gguf.length === 1)
    return { name: gguf[0], path: paths.resolve(folder, gguf[0]) };
  const expected = "a folder with config.json and weights, or a GGUF file";
  const got = folder === null ? path : `${path} with ${names.slice(0, 5).join(", ") || "no file"}`;
  throw refuse("command/no-model", "the model", expected, got);
}
