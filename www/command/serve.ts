/** The command `headscope` itself: serves the page of the package, with a model from the disk. */
import type * as Server from "../../tools/serve/site.js";
import { describe, refuse } from "../engine/errors.js";
import { builtin } from "../engine/in-node.js";
import { bad, modelAt, type ModelOnDisk, wordsIn } from "./words.js";

export const USAGE = [
  "headscope [MODEL] [--port N] [--models FOLDER]",
  "    serves the page; MODEL is a model's folder or a GGUF file, which it opens",
].join("\n");

/** The port of the page unless another is asked for; a free one where that is taken. */
const USUAL_PORT = 8017;

const OPTIONS = { port: { type: "string" }, models: { type: "string" } } as const;

/** What a page is served with. */
export interface Options {
  /** The port that was asked for; null for the usual one. */
  port: number | null;
  /** The folder with the folders of models. */
  models: string | null;
  opened: ModelOnDisk | null;
}

/**
 * Reads the words of the command.
 * @throws command/bad-option, command/no-model
 */
export async function optionsIn(words: readonly string[]): Promise<Options> {
  const { values, positionals } = wordsIn(words, OPTIONS, USAGE);
  const [model, ...more] = positionals;
  if (more.length > 0) throw bad("the command", "one model", positionals.join(" "));
  const { port, models } = values;
  const isPort = port === undefined || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535);
  if (!isPort) throw bad("--port", "a number from 0 to 65535", port);
  return {
    port: port === undefined ? null : Number(port),
    models: models === undefined ? examples() : folderAt(models),
    opened: model === undefined ? null : await modelAt(model),
  };
}

/** The folder of the package with the example models, if it is installed beside this one. */
function examples(): string | null {
  const { createRequire } = builtin("node:module");
  try {
    const found = createRequire(import.meta.url).resolve("headscope-models/package.json");
    return builtin("node:path").dirname(found);
  } catch {
    return null;
  }
}

function folderAt(path: string): string {
  const found = builtin("node:fs").statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) throw bad("--models", "a folder with folders of models", path);
  return builtin("node:path").resolve(path);
}

/**
 * Serves the page until the process ends.
 * @throws command/port-taken, and what `optionsIn` throws
 */
export async function serve(words: readonly string[], say: (line: string) => void): Promise<void> {
  const options = await optionsIn(words);
  const { fileURLToPath } = builtin("node:url");
  const here = import.meta.url;
  const { siteServer } = (await import(
    /* @vite-ignore */ new URL("serve.js", here).href
  )) as typeof Server;
  const server = siteServer({ ...options, folder: fileURLToPath(new URL(".", here)) });
  const port = await listening(server, options.port);
  const { name } = options.opened ?? {};
  // Of a folder, the slash at the end stays.
  const written = name?.replace(/[^/]+/, encodeURIComponent);
  const address = written === undefined ? "" : `#model=./opened/${written}`;
  say(`Headscope is at http://127.0.0.1:${port}/${address} (stop with Ctrl+C)`);
}

/** The port at which a server listens to this machine. */
async function listening(
  server: ReturnType<typeof Server.siteServer>,
  asked: number | null,
): Promise<number> {
  const at = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve((server.address() as { port: number }).port);
      });
    });
  try {
    return await at(asked ?? USUAL_PORT);
  } catch (thrown) {
    if (asked === null) return at(0);
    const reason = describe(thrown);
    const message = `Port ${asked} cannot be used (${reason}). Choose another with --port N.`;
    throw refuse("command/port-taken", "--port", "a free port", `${asked}`, message);
  }
}
