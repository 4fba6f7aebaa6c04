import cards from "../../data/bundled-models.json" with { type: "json" };
import type { Architecture, Cell, HeadRef, Stack } from "../../data/index.js";
import { message, type MessageKey } from "../../i18n/index.js";
import {
  isBundled,
  STACKS,
  type BundledModel,
  type ModelName,
  type RoleFilter,
} from "../../state/index.js";

/** A text that shows something of a model, and the head and the cell to see it in. */
export interface Sample extends HeadRef {
  text: string;
  locked: Cell;
  /** What it shows, in one sentence that stays under the text until that is changed. */
  note?: MessageKey;
  /** Positions of tokens to mask, in a masked language model. */
  masked?: readonly number[];
  /** The text to compare it with. */
  other?: string;
}

/** What the page says of a bundled model before anything of it is fetched. */
export interface ModelCard {
  name: BundledModel;
  /** The architecture's own name, the same in every language. */
  family: string;
  architecture: Architecture;
  /** All files that are fetched, together. */
  bytes: number;
  /** The roles that a head of each stack has on held-out text. */
  roles: Readonly<Partial<Record<Stack, readonly RoleFilter[]>>>;
  /** The first replaces a sample of another model. */
  samples: readonly Sample[];
  /** Words that change places, and a word with two meanings. */
  pairs: readonly (Sample & { other: string })[];
}

/** The files of a model that the page fetches. */
export const FETCHED_FILES = [
  "config.json",
  "tokenizer.json",
  "headscope.json",
  "model.safetensors",
] as const;

/**
 * The bundled models in the order in which they are offered; a test compares sizes and roles with
 * the folders.
 */
export const MODEL_CARDS = cards as unknown as readonly ModelCard[];

export function cardOf(model: ModelName): ModelCard | undefined {
  return MODEL_CARDS.find(({ name }) => name === model);
}

/** Where bundled models have a head that a filter shows. */
export function stacksWith(role: RoleFilter): { name: BundledModel; stack: Stack }[] {
  return MODEL_CARDS.flatMap(({ name, roles }) =>
    STACKS.filter((stack) => roles[stack]?.includes(role)).map((stack) => ({ name, stack })),
  );
}

/**
 * What a model is called on the page: a folder from a disk keeps its own name, one of a hub its id.
 */
export function modelLabel(model: ModelName): string {
  if (isBundled(model)) return message(`${model}.name`);
  const name = model.slice(model.indexOf("/") + 1);
  const [, id = name, file] = /^https?:\/\/[^/]+\/(.+?)\/resolve\/[^/]+\/(.*)$/.exec(name) ?? [];
  return (file ? `${id}/${file}` : id) || message("model.yourFiles");
}
