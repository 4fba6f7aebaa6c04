/** The chat templates of a model's files, as AutoTokenizer of transformers 5.24 finds them. */

import { isRecord, jsonIn } from "../../data/shape.js";
import { kindOf, refuse } from "../errors.js";
import type { NamedTexts } from "../tokenizer/settings.js";

/** The templates of a model by name, and the texts of its special tokens by theirs. */
export interface ChatSource {
  templates: ReadonlyMap<string, string>;
  tokens: NamedTexts;
}

/** The name of the template that is used unless another one is named. */
const DEFAULT = "default";

/**
 * The templates of a folder: `chat_template.jinja`, else those of tokenizer_config.json, else
 * `chat_template.json`, which transformers reads with the processor of a model of several kinds of
 * input. Null if there are none.
 * @throws load/bad-tokenizer for a template that is no text
 */
export async function readChat(
  read: (file: string) => Promise<string | null>,
  tokens: NamedTexts,
): Promise<ChatSource | null> {
  const alone = await read("chat_template.jinja");
  // Some servers answer with a page in place of a file that they lack.
  if (alone !== null && !/^\s*<(!doctype|html)/i.test(alone))
    return { templates: new Map([[DEFAULT, alone]]), tokens };
  for (const file of ["tokenizer_config.json", "chat_template.json"]) {
    const fields = jsonIn((await read(file)) ?? "");
    const templates = isRecord(fields) ? templatesIn(file, fields.chat_template) : null;
    if (templates !== null) return { templates, tokens };
  }
  return null;
}

/** A template, a list of named ones, or templates by their names. */
function templatesIn(file: string, value: unknown): Map<string, string> | null {
  if ((value ?? null) === null) return null;
  if (typeof value === "string") return new Map([[DEFAULT, value]]);
  const named = Array.isArray(value)
    ? (value as unknown[]).map((one) => (isRecord(one) ? [one.name, one.template] : [one]))
    : isRecord(value)
      ? Object.entries(value)
      : [[value]];
  const wrong = named.findIndex((one) => one.length !== 2 || !one.every(isText));
  if (wrong < 0) return new Map(named as [string, string][]);
  const expected = "a text, or a list of texts with names, as chat_template; download it again";
  const odd = named[wrong]?.find((one) => !isText(one));
  throw refuse("load/bad-tokenizer", file, expected, kindOf(odd));
}

const isText = (value: unknown): boolean => typeof value === "string";

const GGUF = "tokenizer.chat_template";

/** The templates of a GGUF file; null if it has none. */
export function ggufChat(metadata: ReadonlyMap<string, unknown>): ChatSource | null {
  const templates = new Map<string, string>();
  for (const [key, value] of metadata)
    if (typeof value === "string" && (key === GGUF || key.startsWith(`${GGUF}.`)))
      templates.set(key.slice(GGUF.length + 1) || DEFAULT, value);
  if (templates.size === 0) return null;
  const pieces = metadata.get("tokenizer.ggml.tokens");
  const named = Object.entries(GGUF_TOKENS).flatMap(([name, key]) => {
    const id = metadata.get(`tokenizer.ggml.${key}_token_id`);
    const text: unknown = Array.isArray(pieces) ? pieces[Number(id ?? -1)] : undefined;
    return typeof text === "string" ? [[name, text]] : [];
  });
  return { templates, tokens: Object.fromEntries(named) as NamedTexts };
}

/** Special tokens by their names in a template, with their names in a GGUF file. */
const GGUF_TOKENS = {
  bos_token: "bos",
  eos_token: "eos",
  unk_token: "unknown",
  sep_token: "seperator",
  pad_token: "padding",
  cls_token: "cls",
  mask_token: "mask",
};

/**
 * The template of a name.
 * @throws chat/no-template
 */
export function templateOf(chat: ChatSource | null, name = DEFAULT): string {
  const source = chat?.templates.get(name);
  if (source !== undefined) return source;
  const names = [...(chat?.templates.keys() ?? [])].map((one) => `"${one}"`).join(", ");
  const doing = "the chat template";
  if (names === "") {
    const message =
      "The model's files have no chat template: tokenizer_config.json, chat_template.jinja or the GGUF's tokenizer.chat_template would hold it. Send plain text.";
    throw refuse("chat/no-template", doing, "a model with a chat template", "none", message);
  }
  const message = `The model has no chat template named "${name}". Name one of these as chat_template: ${names}.`;
  throw refuse("chat/no-template", doing, `one of ${names}`, `"${name}"`, message);
}
