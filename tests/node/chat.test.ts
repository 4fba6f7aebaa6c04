import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chatText } from "../../www/engine/chat/template.js";
import type { ChatMessage } from "../../www/engine/contract.js";
import { tokenizerOf } from "./library.js";

// Written by tests/reference/chat_templates.py.
const reference = JSON.parse(
  readFileSync(new URL("../reference/chat_templates.json", import.meta.url), "utf8"),
) as {
  now: string;
  tokens: Record<string, string>;
  templates: Record<string, string>;
  conversations: Record<string, ChatMessage[]>;
  tokenizer: object;
  read: { template: string; conversation: string; ids: number[] }[];
};
const tokenizer = tokenizerOf(JSON.stringify(reference.tokenizer));

it.each(reference.read)(
  "a chat by $template has the ids of transformers, with one start and whole special tokens",
  ({ template, conversation, ids }) => {
    const { templates, conversations, tokens, now } = reference;
    const chosen = { source: templates[template] ?? "", tokens, now: new Date(now) };
    const text = chatText(conversations[conversation] ?? [], chosen);
    const read = tokenizer.encode(text, null, false).tokens;
    expect(read.map(({ id }) => id)).toEqual(ids);
    const special = read.filter((token) => token.special).map((token) => token.text);
    expect(special.length).toBeGreaterThan(0);
    expect(special.filter((token) => token === "<s>")).toHaveLength(text.startsWith("<s>") ? 1 : 0);
  },
);
