import type { Stack } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import {
  isBundled,
  STACKS,
  type BundledModel,
  type ModelName,
  type RoleFilter,
} from "../../state/index.js";
import { MODEL_CARDS, type ModelCard } from "./bundled-models.js";

/** The files of a model that the page fetches. */
export const FETCHED_FILES = [
  "config.json",
  "tokenizer.json",
  "headscope.json",
  "model.safetensors",
] as const;

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
  const [, id = name, file] = /^https?:\/\/[^/]+\/(.+?)\/resolve\/[^/]+\/(.*)$/.exec(name) ?? [];
  return (file ? `${id}/${file}` : id) || message("model.yourFiles");
}
