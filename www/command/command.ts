/** The program `headscope`: what its first word asks for, and the words of its failures. */
import { describe, HeadscopeError } from "../engine/errors.js";
import { study, USAGE as STUDY } from "../studies/command.js";
import { file, USAGE as FILE } from "./file.js";
import { serve, USAGE as SERVE } from "./serve.js";

/** The commands by their first word. */
const COMMANDS = { file, study };

/** Runs a command; the result is the exit status. Without a command the page is served. */
export async function main(words: readonly string[]): Promise<number> {
  const { stdout, stderr } = process;
  if (words.includes("--help")) {
    stdout.write(`${SERVE}\n${FILE}\n${STUDY}\n`);
    return 0;
  }
  try {
    const named = Object.entries(COMMANDS).find(([name]) => name === words[0]);
    const run = named?.[1] ?? serve;
    await run(words, (line) => stderr.write(`${line}\n`));
    return 0;
  } catch (thrown) {
    const isOurs = thrown instanceof HeadscopeError;
    stderr.write(isOurs ? `${thrown.code}: ${thrown.message}\n` : `${describe(thrown)}\n`);
    return isOurs && thrown.code.endsWith("/bad-option") ? 2 : 1;
  }
}
