import type { Architecture, Stack } from "../data/index.js";
import { message } from "../i18n/index.js";
import {
  isBundled,
  STACKS,
  type BundledModel,
  type ModelName,
  type RoleFilter,
} from "../state/index.js";

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
}

/** The files of a model that the page fetches. */
export const FETCHED_FILES = [
  "config.json",
  "tokenizer.json",
  "headscope.json",
  "model.safetensors",
] as const;

/** The bundled models in the order in which they are offered; a test compares sizes and roles with the folders. */
export const MODEL_CARDS: readonly ModelCard[] = [
  {
    name: "models/en-fr",
    family: "Marian",
    architecture: "encoder-decoder",
    bytes: 8_810_000,
    roles: {
      encoder: ["broad", "none"],
      decoder: ["none"],
      cross: ["aligned", "next", "broad", "none"],
    },
  },
  {
    name: "models/tiny-gpt",
    family: "GPT-2",
    architecture: "decoder",
    bytes: 2_820_000,
    roles: {
      decoder: ["induction", "previous", "self", "first", "positional", "broad", "none"],
    },
  },
  {
    name: "models/tiny-bert",
    family: "BERT",
    architecture: "encoder",
    bytes: 2_780_000,
    roles: { encoder: ["previous", "next", "self", "positional", "broad", "none"] },
  },
];

/** Where bundled models have a head that a filter shows. */
export function stacksWith(role: RoleFilter): { name: BundledModel; stack: Stack }[] {
  return MODEL_CARDS.flatMap(({ name, roles }) =>
    STACKS.filter((stack) => roles[stack]?.includes(role)).map((stack) => ({ name, stack })),
  );
}

/** What a model is made of, where that is known before it is loaded. */
export function architectureOf(model: ModelName): Architecture | null {
  return MODEL_CARDS.find(({ name }) => name === model)?.architecture ?? null;
}

/** What a model is called on the page: a folder from a disk keeps its own name. */
export function modelLabel(model: ModelName): string {
  if (isBundled(model)) return message(`${model}.name`);
  return model.slice(model.indexOf("/") + 1) || message("model.yourFiles");
}
