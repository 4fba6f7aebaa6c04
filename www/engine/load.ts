import { Client } from "./client.js";
import type { Backend, LoadOptions, Model, ModelSource } from "./contract.js";
import { aborted, describe, HeadscopeError, refuse } from "./errors.js";
import { openModel } from "./model.js";
import { type FoundNotes, NO_NOTES, NOTES_FILE, readNotes } from "./notes.js";
import { type Folder, HUB, locate } from "./source.js";
import { startThread } from "./thread.js";
import { ModelTokenizer } from "./tokenizer/tokenizer.js";
import { Vocabulary } from "./vocabulary.js";

const BACKENDS: readonly Backend[] = ["cpu", "webgpu", "auto"];

/**
 * Fetches a model's files and starts an engine with it.
 * @throws `load/*` for files that cannot be fetched or read, `config/*`, `checkpoint/*` and `tokenizer/*` for what is
 * wrong with them, input/unsupported-option, gpu/absent, gpu/unavailable, gpu/silent, engine/crashed
 */
export async function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  const { backend = "cpu", weights = "f32", hub = HUB, signal } = options;
  if (!BACKENDS.includes(backend)) {
    const expected = BACKENDS.map((one) => `"${one}"`).join(" or ");
    throw refuse("input/unsupported-option", "the backend", expected, backend);
  }
  const folder = await locate(source, hub);
  const read = (file: string): Promise<Blob | null> => readFile(folder, file, options);
  const needed = async (file: string): Promise<Blob> => (await read(file)) ?? missing(folder, file);
  // The small files first: what is wrong with them need not wait for the large one.
  const config = await (await needed("config.json")).text();
  const tokenizer = await read("tokenizer.json")
    .then((file) => file?.text())
    .then((json) => (json === undefined ? null : new ModelTokenizer(json)));
  // The model works without notes, so that a failure is only reported.
  const notes = await read(NOTES_FILE)
    .then((file) => file?.text() ?? null)
    .catch((thrown: unknown): FoundNotes => {
      if (signal?.aborted === true || !(thrown instanceof HeadscopeError)) throw thrown;
      return { notes: null, problem: thrown.message };
    });
  const checkpoint = await needed("model.safetensors");
  const files = { config, checkpoint, backend, weights };
  const { client, info } = await Client.load(startThread, files, signal);
  const found = typeof notes === "string" ? readNotes(notes, info) : (notes ?? NO_NOTES);
  return openModel(client, info, new Vocabulary(tokenizer, info), found);
}

function missing(folder: Folder, file: string): never {
  const address = folder.addressOf(file);
  const expected = address === "" ? file : `${file} (${address})`;
  const message = `The model's folder lacks ${expected}. A Hugging Face folder has config.json, model.safetensors and tokenizer.json: check the address.`;
  throw refuse("load/not-found", "the model's folder", expected, "none of that name", message);
}

/** A file of the folder, with progress; null if there is none. */
async function readFile(
  folder: Folder,
  file: string,
  { signal, onProgress }: LoadOptions,
): Promise<Blob | null> {
  const stopIfAborted = (): void => {
    if (signal?.aborted === true) throw aborted("load");
  };
  stopIfAborted();
  try {
    const open = await folder.open(file, signal);
    if (open === null) return null;
    const { totalBytes } = open;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let loadedBytes = 0;
    for await (const chunk of open.chunks) {
      stopIfAborted();
      chunks.push(chunk);
      loadedBytes += chunk.byteLength;
      onProgress?.({ file, loadedBytes, ...(totalBytes !== undefined && { totalBytes }) });
    }
    return new Blob(chunks);
  } catch (thrown) {
    stopIfAborted();
    if (thrown instanceof HeadscopeError) throw thrown;
    throw refuse("load/not-found", `reading ${file}`, "a file that can be read", describe(thrown));
  }
}
