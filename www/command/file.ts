/** The command `headscope file`: writes the page as one HTML file, with a model if asked. */
import { refuse, describe } from "../engine/errors.js";
import { builtin } from "../engine/in-node.js";
import { carrying, filesOf, pageFile } from "./page-file.js";
import { bad, modelAt, wordsIn } from "./words.js";

export const USAGE = [
  'headscope file --out FILE.html [--model FOLDER|FILE.gguf] [--address "text=…"]',
  "    writes the page as one file, which opens from a disk",
].join("\n");

const OPTIONS = {
  out: { type: "string" },
  model: { type: "string" },
  address: { type: "string", default: "" },
} as const;

/**
 * Writes the file.
 * @throws command/bad-option, command/no-model, command/too-large, command/unwritten
 */
export async function file(words: readonly string[], say: (line: string) => void): Promise<void> {
  const { values, positionals } = wordsIn(words, OPTIONS, USAGE);
  const { out, model, address } = values;
  if (positionals.length > 1) throw bad("the command", USAGE, positionals.join(" "));
  if (out === undefined || out === "") throw bad("--out", "a path", "none");
  const own = import.meta.url;
  const here = builtin("node:url").fileURLToPath(new URL(".", own));
  const page = pageFile(here);
  const found = model === undefined ? null : await modelAt(model);
  const written =
    found === null
      ? page
      : carrying(page, {
          name: found.name.replace(/(?:\/|\.gguf)$/, ""),
          address: address.replace(/^#/, ""),
          files: filesOf(found.path),
        });
  try {
    const fs = builtin("node:fs");
    fs.mkdirSync(builtin("node:path").dirname(out), { recursive: true });
    fs.writeFileSync(out, written);
  } catch (thrown) {
    const got = describe(thrown);
    const message = `${out} could not be written: ${got}. Give another path by --out.`;
    throw refuse("command/unwritten", "--out", "a path that can be written", got, message);
  }
  say(`${out} has ${(written.length / 1e6).toFixed(1)} MB; it opens without a server.`);
}
