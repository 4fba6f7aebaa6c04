/** The files of a study in Node: hashes of what it reads, and the file that it writes. */
import { builtin } from "../engine/in-node.js";
import { refuse } from "../engine/errors.js";
import { readStudy } from "./reading.js";
import type { StudyHeader } from "./study.js";

const fs = builtin("node:fs");
const { createHash } = builtin("node:crypto");
const path = builtin("node:path");

/** The bytes that are hashed at once. */
const PIECE = 1 << 22;

/**
 * The name of a model's folder or file.
 * @throws study/no-file
 */
export function nameOfModel(model: string): string {
  const stat = fs.statSync(model, { throwIfNoEntry: false });
  if (!stat) throw refuse("study/no-file", "--model", "a model's folder or a GGUF file", model);
  return path.basename(stat.isDirectory() ? fs.realpathSync(model) : model);
}

/**
 * The contents of a text file.
 * @throws study/no-file
 */
export function readText(file: string, option: string): string {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile())
    throw refuse("study/no-file", option, "a file", file);
  return fs.readFileSync(file, "utf8");
}

/** The name and the SHA-256 of a file. */
export function named(file: string): { name: string; sha256: string } {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(PIECE);
  const handle = fs.openSync(file, "r");
  try {
    for (let read; (read = fs.readSync(handle, piece)) > 0;) hash.update(piece.subarray(0, read));
  } finally {
    fs.closeSync(handle);
  }
  return { name: path.basename(file), sha256: hash.digest("hex") };
}

/** The file that a study writes. */
export class StudyFile {
  #handle: number;

  private constructor(
    file: string,
    /** The blocks that the file has already. */
    readonly done: ReadonlySet<number>,
  ) {
    this.#handle = fs.openSync(file, "a");
  }

  /**
   * Opens a file, new or of the same study. A last line that was not written to its end is cut.
   * @throws study/other-study, study/bad-file, study/no-file
   */
  static open(file: string, header: StudyHeader): StudyFile {
    if (!fs.existsSync(path.dirname(file)))
      throw refuse("study/no-file", "--out", "a file in a folder that exists", file);
    const held = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
    const first = JSON.stringify(header);
    const whole = held.subarray(0, held.lastIndexOf("\n") + 1);
    const isStart = whole.length === 0 && first.startsWith(held.toString("utf8"));
    const found = isStart ? null : readStudy(whole.toString("utf8"), file);
    if (found && JSON.stringify(found.header) !== first) {
      const expected = `a new file, or one of this study, its model, texts, roles and shard`;
      throw refuse("study/other-study", file, expected, "a file of another one");
    }
    // Only now is it known that the file is a study's.
    if (whole.length < held.length) fs.truncateSync(file, whole.length);
    const opened = new StudyFile(file, new Set(found?.blocks.map(({ block }) => block)));
    if (!found) opened.write(header);
    return opened;
  }

  /** Writes a line. */
  write(line: object): void {
    fs.writeSync(this.#handle, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    fs.closeSync(this.#handle);
  }
}
