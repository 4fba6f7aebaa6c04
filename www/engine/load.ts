import { TYPES_OF_IMAGES } from "../data/index.js";
import { isRecord, jsonIn } from "../data/shape.js";
import type { ChatSource } from "./chat/source.js";
import { Client } from "./client.js";
import type { Backend, LoadOptions, ModelSource } from "./contract.js";
import { aborted, demandFields, describe, HeadscopeError, refuse } from "./errors.js";
import { openModel, type OpenModel } from "./model.js";
import { type FoundNotes, NO_NOTES, NOTES_FILE, readNotes } from "./notes.js";
import type { NamedFile } from "./protocol.js";
import { HUB } from "./remote-folder.js";
import { bytesOf, type Folder, locate, type ModelFile, textOf } from "./source.js";
import { startThread } from "./thread.js";
import { isBundled } from "./tokenizer/bundled.js";
import type { Described } from "./tokenizer/settings.js";
import { openTokenizer, type ModelTokenizer } from "./tokenizer/tokenizer.js";
import { Vocabulary } from "./vocabulary.js";

const BACKENDS: readonly Backend[] = ["cpu", "webgpu", "auto"];

const LOAD_OPTIONS: Readonly<Record<keyof LoadOptions, true>> = {
  backend: true,
  weights: true,
  hub: true,
  token: true,
  store: true,
  shared: true,
  signal: true,
  onProgress: true,
};

/** The small files that most folders of a model of texts have, beside config.json. */
const SMALL_FILES = ["generation_config.json", "tokenizer.json", NOTES_FILE];

/** Options whose defaults are filled in. */
export type CheckedOptions = LoadOptions &
  Required<Pick<LoadOptions, "backend" | "weights" | "hub">>;

/** Options as they were given. @throws input/unsupported-option */
export function checkedOptions(options: LoadOptions): CheckedOptions {
  demandFields("input/unsupported-option", "the options of loadModel", options, LOAD_OPTIONS);
  const { backend = "cpu", weights = "stored", hub = HUB } = options;
  if (!BACKENDS.includes(backend)) {
    const expected = BACKENDS.map((one) => `"${one}"`).join(" or ");
    throw refuse("input/unsupported-option", "the backend", expected, backend);
  }
  return { ...options, backend, weights, hub };
}

/** Fetches a model's files and starts an engine with the model. */
export async function openSource(source: ModelSource, options: CheckedOptions): Promise<OpenModel> {
  const folder = await locate(source, options.hub);
  try {
    return await loadFolder(folder, options);
  } catch (thrown) {
    // Another try, perhaps without the GPU, needs the files again.
    const isOfFiles = !(thrown instanceof HeadscopeError) || !/^(gpu|engine)/.test(thrown.code);
    if (isOfFiles) await folder.discard?.();
    throw thrown;
  } finally {
    await folder.release?.();
  }
}

async function loadFolder(folder: Folder, options: CheckedOptions): Promise<OpenModel> {
  const { backend, weights, signal } = options;
  const find = (file: string): Promise<ModelFile | null> => readFile(folder, file, options);
  const readOnce = async (file: string): Promise<string | null> => {
    const found = await find(file);
    return found && textOf(found).catch((thrown: unknown) => unreadable(file, thrown));
  };
  const texts = new Map<string, Promise<string | null>>();
  const read = (file: string): Promise<string | null> => {
    const text = texts.get(file) ?? readOnce(file);
    texts.set(file, text);
    return text;
  };
  // The small files first: their faults are reported before the large one is fetched.
  const gguf = folder.gguf === undefined ? null : await findGguf(folder.gguf, find, folder);
  const config = gguf ? null : ((await read("config.json")) ?? (await noConfig(find, folder)));
  const images = config !== null && readsImages(config) ? await import("./image.js") : null;
  // Side by side, since each waits for a server; a fault is reported where the file is used.
  if (config !== null && !images) await Promise.allSettled(SMALL_FILES.map(read));
  // A GGUF file has its generation settings in its metadata; a model of images writes nothing.
  const generation = gguf || images ? null : await read("generation_config.json");
  const preprocessor = images && (await readPreprocessor(read));
  const described = config === null || images ? null : await readTokenizer(config, find, read);
  let tokenizer = described && (await openTokenizer(described.json));
  let chat = described === null || isBundled(described.json) ? null : await chatOf(described, read);
  const written = config === null ? null : await readWritten(config, described, find);
  // The model works without notes, so that a failure is only reported.
  const notes = await read(NOTES_FILE).catch((thrown: unknown): FoundNotes => {
    if (signal?.aborted === true || !(thrown instanceof HeadscopeError)) throw thrown;
    return { notes: null, problem: thrown.message };
  });
  const checkpoint = gguf ?? (await findCheckpoint(find, read, folder));
  await folder.commit?.();
  const files = {
    config: config ?? undefined,
    generation: generation ?? undefined,
    checkpoint,
    backend,
    weights,
    ...(images && { preprocessor }),
  };
  const { client, info, metadata } = await Client.load(startThread, files, signal);
  if (metadata?.has("tokenizer.ggml.model") === true) {
    const { fromGguf } = await import("./tokenizer/other-files.js");
    try {
      tokenizer = await openTokenizer(fromGguf(metadata));
      const { ggufChat } = await import("./chat/source.js");
      chat = ggufChat(metadata);
    } catch (thrown) {
      client.dispose();
      throw thrown;
    }
  }
  const found = typeof notes === "string" ? readNotes(notes, info) : (notes ?? NO_NOTES);
  const reader =
    images && config !== null && info.image
      ? new images.ImageReader(info.image, config)
      : tokenizer;
  const vocabulary = new Vocabulary(reader, info, written);
  return openModel(client, info, vocabulary, found, described?.unread, chat);
}

async function chatOf(
  { named }: Described,
  read: (file: string) => Promise<string | null>,
): Promise<ChatSource | null> {
  const { readChat } = await import("./chat/source.js");
  return readChat(read, named);
}

/** Whether a config is of a family that reads images; the core reports the config's faults. */
function readsImages(config: string): boolean {
  const fields = jsonIn(config);
  const type = isRecord(fields) ? fields.model_type : null;
  return typeof type === "string" && TYPES_OF_IMAGES.includes(type);
}

/**
 * The text of the image preprocessing settings. A folder with a multimodal processor has them in
 * the processor's file, which comes first.
 */
async function readPreprocessor(
  read: (file: string) => Promise<string | null>,
): Promise<string | null> {
  const several = jsonIn((await read("processor_config.json")) ?? "");
  if (isRecord(several) && isRecord(several.image_processor))
    return JSON.stringify(several.image_processor);
  return read("preprocessor_config.json");
}

/**
 * The parts of a GGUF model by the name of one of them, as llama.cpp names them:
 * `name-00001-of-00003.gguf`.
 */
export function ggufParts(name: string): string[] {
  const [, start, count] = /^(.*-)\d{5}-of-(\d{5})\.gguf$/.exec(name) ?? [];
  if (start === undefined || count === undefined) return [name];
  const numberOf = (at: number): string => String(at + 1).padStart(5, "0");
  return Array.from(
    { length: Number(count) },
    (_, at) => `${start}${numberOf(at)}-of-${count}.gguf`,
  );
}

/** Finds the GGUF files of a model, which have config and tokenizer with the weights. */
async function findGguf(
  name: string,
  find: (file: string) => Promise<ModelFile | null>,
  folder: Folder,
): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const part of ggufParts(name))
    files.push({ name: part, file: (await find(part)) ?? missing(folder, part) });
  return files;
}

/** The error of a folder without a config: an adapter's folder, or no model's. */
async function noConfig(
  find: (file: string) => Promise<ModelFile | null>,
  folder: Folder,
): Promise<never> {
  if ((await find("adapter_config.json")) === null) missing(folder, "config.json");
  const expected =
    "the folder of a whole model; merge the adapter into its model and save that, or open the model that adapter_config.json names";
  throw refuse(
    "checkpoint/adapter",
    "the model's folder",
    expected,
    "an adapter (LoRA, PEFT) alone",
  );
}

/**
 * The tokenizer of a folder, as AutoTokenizer builds it, as a tokenizer.json; null if there is
 * none.
 */
async function readTokenizer(
  config: string,
  find: (file: string) => Promise<ModelFile | null>,
  read: (file: string) => Promise<string | null>,
): Promise<Described | null> {
  const json = await read("tokenizer.json");
  if (json === null) return readOtherTokenizer(config, find);
  if (isBundled(json)) return { json, unread: [], named: {} };
  const { asAutoTokenizer, readsFormerFiles } = await import("./tokenizer/settings.js");
  const settings = await read("tokenizer_config.json");
  const readFormer = (name: string): Promise<string | null> | null =>
    readsFormerFiles(settings) ? read(name) : null;
  const files = {
    "tokenizer_config.json": settings,
    "special_tokens_map.json": await readFormer("special_tokens_map.json"),
    "added_tokens.json": await readFormer("added_tokens.json"),
  };
  const made = asAutoTokenizer(json, files, config);
  // A class that reads other files fails in a folder without them.
  return made ?? (await readOtherTokenizer(config, find)) ?? { json, unread: [], named: {} };
}

/** The tokenizer.json equivalent to other files of the folder; null if it has none of them. */
async function readOtherTokenizer(
  config: string,
  find: (file: string) => Promise<ModelFile | null>,
  side?: "target",
): Promise<Described | null> {
  const { readOtherFiles } = await import("./tokenizer/other-files.js");
  const read = async (name: string): Promise<Uint8Array | null> => {
    const file = await find(name);
    return file === null
      ? null
      : bytesOf(file).catch((thrown: unknown) => unreadable(name, thrown));
  };
  return readOtherFiles(config, read, side);
}

/**
 * The tokenizer of the texts that a model generates, if it differs from that of the texts it reads.
 */
async function readWritten(
  config: string,
  source: Described | null,
  find: (file: string) => Promise<ModelFile | null>,
): Promise<ModelTokenizer | null> {
  const fields = jsonIn(config);
  if (!isRecord(fields) || fields.model_type !== "marian") return null;
  if (source?.isOfOtherFiles !== true) return null;
  const written = await readOtherTokenizer(config, find, "target");
  return written === null || written.json === source.json ? null : openTokenizer(written.json);
}

/** The files of weights in the order in which they are tried; each may be split, with an index. */
const CHECKPOINTS = ["model.safetensors", "pytorch_model.bin"];

/** Finds the files of a folder's weights. */
export async function findCheckpoint(
  find: (file: string) => Promise<ModelFile | null>,
  read: (file: string) => Promise<string | null>,
  folder: Folder,
): Promise<NamedFile[]> {
  const needed = async (name: string): Promise<NamedFile> => ({
    name,
    file: (await find(name)) ?? missing(folder, name),
  });
  for (const name of CHECKPOINTS) {
    const file = await find(name);
    if (file !== null) return [{ name, file }];
    const index = await read(`${name}.index.json`);
    if (index === null) continue;
    const parts: NamedFile[] = [];
    for (const part of partsOf(`${name}.index.json`, index)) parts.push(await needed(part));
    return parts;
  }
  return missing(folder, "model.safetensors");
}

/** The files that an index names, which are in the same folder. */
function partsOf(name: string, json: string): string[] {
  const parsed = jsonIn(json);
  const files = isRecord(parsed) && isRecord(parsed.weight_map) ? parsed.weight_map : {};
  const names = [...new Set(Object.values(files))];
  const areNames = names.every((file) => typeof file === "string" && /^[\w.-]+$/.test(file));
  if (areNames && names.length > 0) return names as string[];
  const expected = "an index whose `weight_map` names a file for each tensor; download it again";
  throw refuse("checkpoint/bad-index", name, expected, json.slice(0, 200));
}

export function missing(folder: Folder, file: string): never {
  const address = folder.addressOf(file);
  const expected = address === "" ? file : `${file} (${address})`;
  const message = `The model's folder lacks ${expected}. A Hugging Face folder has config.json, model.safetensors and the tokenizer's files: check the address.`;
  throw refuse("load/not-found", "the model's folder", expected, "none of that name", message);
}

/** Reads a text file of the folder; null if there is none. */
export async function readFile(
  folder: Folder,
  file: string,
  options: LoadOptions,
): Promise<ModelFile | null> {
  const stopIfAborted = (): void => {
    if (options.signal?.aborted === true) throw aborted("load");
  };
  stopIfAborted();
  try {
    return await folder.file(file, options);
  } catch (thrown) {
    stopIfAborted();
    if (thrown instanceof HeadscopeError) throw thrown;
    return unreadable(file, thrown);
  }
}

function unreadable(file: string, thrown: unknown): never {
  throw refuse("load/not-found", `reading ${file}`, "a file that can be read", describe(thrown));
}
