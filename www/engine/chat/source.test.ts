import { expect, test } from "vitest";
import { ggufChat, readChat, templateOf } from "./source.js";

const TOKENS = { bos_token: "<s>" };
const code = (expected: string): Error => expect.objectContaining({ code: expected }) as Error;

const found = async (files: Record<string, unknown>): Promise<[string, string][] | null> => {
  const read = (name: string): Promise<string | null> => {
    const file = files[name];
    return Promise.resolve(
      file === undefined ? null : typeof file === "string" ? file : JSON.stringify(file),
    );
  };
  const chat = await readChat(read, TOKENS);
  if (chat !== null) expect(chat.tokens).toBe(TOKENS);
  return chat && [...chat.templates];
};

test("a template is that of its own file, else of the settings, else of the processor", async () => {
  const jinja = { "chat_template.jinja": "own" };
  const settings = { "tokenizer_config.json": { chat_template: "set" } };
  const processor = { "chat_template.json": { chat_template: "processed" } };
  expect(await found({ ...jinja, ...settings, ...processor })).toEqual([["default", "own"]]);
  expect(await found({ ...settings, ...processor })).toEqual([["default", "set"]]);
  expect(await found({ "tokenizer_config.json": {}, ...processor })).toEqual([
    ["default", "processed"],
  ]);
  expect(await found({})).toBeNull();
});

test("a page in place of a file is no template", async () => {
  expect(await found({ "chat_template.jinja": "\n<!DOCTYPE html><p>Not found" })).toBeNull();
});

test.each([
  [
    [
      { name: "default", template: "a" },
      { name: "rag", template: "b" },
    ],
  ],
  [{ default: "a", rag: "b" }],
])("named templates %j are found by their names", async (chat_template) => {
  const templates = await found({ "tokenizer_config.json": { chat_template } });
  expect(templates).toEqual([
    ["default", "a"],
    ["rag", "b"],
  ]);
});

test.each([
  { chat_template: 3 },
  { chat_template: [3] },
  { chat_template: [{ name: "a" }] },
  { chat_template: { a: 1 } },
])("$chat_template is no template", async ({ chat_template }) => {
  await expect(found({ "tokenizer_config.json": { chat_template } })).rejects.toThrow(
    code("load/bad-tokenizer"),
  );
});

test("a GGUF file has its templates and its special tokens", () => {
  const metadata = new Map<string, unknown>([
    ["tokenizer.ggml.tokens", ["<unk>", "<s>", "</s>"]],
    ["tokenizer.ggml.bos_token_id", 1],
    ["tokenizer.ggml.eos_token_id", 2],
    ["tokenizer.ggml.padding_token_id", 9],
    ["tokenizer.chat_template", "a"],
    ["tokenizer.chat_template.tool_use", "b"],
    ["tokenizer.chat_templates", ["tool_use"]],
  ]);
  const chat = ggufChat(metadata);
  expect([...(chat?.templates ?? [])]).toEqual([
    ["default", "a"],
    ["tool_use", "b"],
  ]);
  expect(chat?.tokens).toEqual({ bos_token: "<s>", eos_token: "</s>" });
  expect(ggufChat(new Map())).toBeNull();
});

test("a template that is not there is refused with the names of the others", () => {
  const chat = { templates: new Map([["rag", "b"]]), tokens: {} };
  expect(templateOf(chat, "rag")).toBe("b");
  expect(() => templateOf(chat)).toThrow(/named "default".*"rag"/);
  expect(() => templateOf(null)).toThrow(code("chat/no-template"));
});
