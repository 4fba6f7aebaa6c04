import { Client } from "./client.js";
import type { Backend, LoadOptions, LoadProgress, Model, ModelSource } from "./contract.js";
import { aborted, describe, HeadscopeError, refuse } from "./errors.js";
import { EngineModel } from "./model.js";
import type { LoadedInfo } from "./protocol.js";
import { type FoundNotes, NO_NOTES, NOTES_FILE, readNotes } from "./notes.js";
import { type Folder, HUB, locate } from "./source.js";
import { startThread } from "./thread.js";
import { ModelTokenizer } from "./tokenizer/tokenizer.js";
import { Vocabulary } from "./vocabulary.js";

const BACKENDS: readonly Backend[] = ["cpu", "webgpu", "auto"];

/** Fetches a model's files and starts an engine with it. */
export async function loadModel(source: ModelSource, options: LoadOptions = {}): Promise<Model> {
  const { backend = "cpu", hub = HUB, signal } = options;
  if (!BACKENDS.includes(backend))
    throw refuse(
      "input/unsupported-option",
      "the backend",
      BACKENDS.map((one) => `"${one}"`).join(" or "),
      backend,
    );
  const folder = await locate(source, hub);
  const reader = new Reader(folder, options);
  // The small files first: what is wrong with them need not wait for the large one.
  const config = await (await reader.require("config.json")).text();
  const tokenizerFile = await reader.read("tokenizer.json");
  const tokenizer = tokenizerFile === null ? null : new ModelTokenizer(await tokenizerFile.text());
  const notes = await reader.spare(NOTES_FILE);
  const checkpoint = await reader.require("model.safetensors");
  const { client, info } = await Client.load(startThread, { config, checkpoint, backend }, signal);
  return new EngineModel(client, info, new Vocabulary(tokenizer, info), found(notes, info));
}

/** What became of the notes: their text is checked against the model, a failure is only told. */
function found(notes: string | HeadscopeError | null, info: LoadedInfo): FoundNotes {
  if (notes === null) return NO_NOTES;
  return typeof notes === "string"
    ? readNotes(notes, info)
    : { notes: null, problem: notes.message };
}

/** Reads a folder's files, with progress and in sentences. */
class Reader {
  constructor(
    private readonly folder: Folder,
    private readonly options: LoadOptions,
  ) {}

  async require(file: string): Promise<Blob> {
    const blob = await this.read(file);
    if (blob === null) {
      const address = this.folder.addressOf(file);
      const expected = address === "" ? file : `${file} (${address})`;
      throw refuse(
        "load/not-found",
        "the model's folder",
        expected,
        "none of that name",
        `The model's folder lacks ${expected}. A Hugging Face folder has config.json, model.safetensors and tokenizer.json: check the address.`,
      );
    }
    return blob;
  }

  /** The text of a file that the model can do without: null if there is none, what failed if it cannot be had. */
  async spare(file: string): Promise<string | HeadscopeError | null> {
    try {
      return (await (await this.read(file))?.text()) ?? null;
    } catch (thrown) {
      this.#stopIfAborted();
      if (thrown instanceof HeadscopeError) return thrown;
      throw thrown;
    }
  }

  async read(file: string): Promise<Blob | null> {
    this.#stopIfAborted();
    try {
      const open = await this.folder.open(file, this.options.signal);
      if (open === null) return null;
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let loadedBytes = 0;
      for await (const chunk of open.chunks) {
        this.#stopIfAborted();
        chunks.push(chunk);
        loadedBytes += chunk.byteLength;
        const progress: LoadProgress = { file, loadedBytes };
        if (open.totalBytes !== undefined) progress.totalBytes = open.totalBytes;
        this.options.onProgress?.(progress);
      }
      return new Blob(chunks);
    } catch (thrown) {
      this.#stopIfAborted();
      if (thrown instanceof HeadscopeError) throw thrown;
      const expected = "a file that can be read";
      throw refuse("load/not-found", `reading ${file}`, expected, describe(thrown));
    }
  }

  #stopIfAborted(): void {
    if (this.options.signal?.aborted === true) throw aborted("load");
  }
}
