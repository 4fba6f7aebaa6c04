/** The tokenizer files of tests/reference, written by tests/reference/tokenizer_files.py. */
import { readFileSync } from "node:fs";

export interface FilesCase {
  /** A folder's files by their names, as they are called here. */
  files?: Record<string, string>;
  /** The content of the folder's tokenizer_config.json. */
  settings?: object;
  /** Of a GGUF file what is no list; the lists are those of `pieces`. */
  metadata?: Record<string, unknown>;
  pieces?: string;
  /** Four digits for the ids of each line. */
  digests: string;
}

const reference = new URL("../../../tests/reference/tokenizer-files/", import.meta.url);

/** The bytes of a file of the folder. */
export const stored = (name: string): Buffer => readFileSync(new URL(name, reference));

export const { lines, cases } = JSON.parse(stored("cases.json").toString()) as {
  lines: string[];
  cases: Record<string, FilesCase>;
};
const texts = JSON.parse(stored("files.json").toString()) as Record<string, string>;

/** The bytes of a tokenizer file by its name. */
export const fixture = (name: string): Buffer =>
  Buffer.from(texts[name] ?? "", name.endsWith(".model") ? "base64" : "utf8");

/** The lines of a text file by its name. */
export const linesOf = (name: string): string[] =>
  fixture(name).toString().split("\n").slice(0, -1);
