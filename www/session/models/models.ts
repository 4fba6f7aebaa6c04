import type { Stack } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import {
  isBeside,
  isBundled,
  STACKS,
  type BundledModel,
  type ModelName,
  type RoleFilter,
} from "../../state/index.js";
import { MODEL_CARDS, type ModelCard } from "./bundled-models.js";

/** The file of the weights, which is fetched last. */
export const WEIGHTS_FILE = "model.safetensors";

const FILES_OF_TEXTS = ["config.json", "tokenizer.json", "headscope.json", WEIGHTS_FILE];
const FILES_OF_IMAGES = ["config.json", "preprocessor_config.json", WEIGHTS_FILE];

/** The names of the files of bundled models. */
export const MODEL_FILES: ReadonlySet<string> = new Set([...FILES_OF_TEXTS, ...FILES_OF_IMAGES]);

/** The files of a bundled model that the page fetches. */
export function fetchedFiles({ reads }: Pick<ModelCard, "reads">): readonly string[] {
  return reads === "image" ? FILES_OF_IMAGES : FILES_OF_TEXTS;
}

export function cardOf(model: ModelName): ModelCard | undefined {
  return MODEL_CARDS.find(({ name }) => name === model);
}

/** The bundled models and stacks that have a head with a role of the filter. */
export function stacksWith(role: RoleFilter): { name: BundledModel; stack: Stack }[] {
  return MODEL_CARDS.flatMap(({ name, roles }) =>
    STACKS.filter((stack) => roles[stack]?.includes(role)).map((stack) => ({ name, stack })),
  );
}

/**
 * The name of a model on the page: a folder from a disk keeps its own name, a model of a hub its
 * id.
 */
export function modelLabel(model: ModelName): string {
  if (isBundled(model)) return message(`${model}.name`);
  const name = model.slice(model.indexOf("/") + 1);
  if (isBeside(model)) return lastPart(name);
  const [, id, file] = /^https?:\/\/[^/]+\/(.+?)\/resolve\/[^/]+\/(.*)$/.exec(name) ?? [];
  if (id === undefined && URL.canParse(name)) return lastPart(new URL(name).pathname) || name;
  return (file ? `${id ?? ""}/${file}` : (id ?? name)) || message("model.yourFiles");
}

/** The name of a folder or a file in a path. */
const lastPart = (path: string): string => path.split("/").findLast(Boolean) ?? "";
