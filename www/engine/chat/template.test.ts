import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ChatMessage, ChatOptions } from "../contract.js";
import { HeadscopeError } from "../errors.js";
import { chatText } from "./template.js";

/** What transformers makes of a template: a text, an exception of the template, or an error. */
interface Made {
  text?: string;
  refused?: string;
  error?: string;
}

type Case = Made & {
  template: string;
  conversation: string;
  begins: boolean;
  variables: Record<string, unknown>;
};

interface Reference {
  now: string;
  tokens: Record<string, string>;
  variables: Record<string, unknown>;
  templates: Record<string, string>;
  conversations: Record<string, ChatMessage[]>;
  cases: Case[];
  pieces: (Made & { piece: string })[];
}

const FILE = new URL("../../../tests/reference/chat_templates.json", import.meta.url);
const reference = JSON.parse(readFileSync(FILE, "utf8")) as Reference;
const [USER = []] = Object.values(reference.conversations);

/** Pieces that Python renders and Headscope refuses, by a part of each. */
const NOT_BUILT = [
  "'%s!'",
  "10000000000000000 * 10",
  "startswith('b', 1)",
  "isdigit",
  ".format(1)",
  "{{ dict.items() }}",
  "(people|selectattr('age'))[0]",
  "|sum",
  "|max",
  "('<'|safe)",
  "divisibleby",
  "is in [",
  "is sameas",
  "recursive",
  "varargs",
  "{%+",
  "+%}",
  "'%}'",
  "  {- a",
  "{% raw %}",
  "'%c'",
  "joiner",
  "{% with",
  "__class__",
  "(1, 2) < (1",
  "int(base",
  "[1e2]",
  "[1_000]",
  "[0x1F]",
  "{{ 1[:1]",
  "{1.5:",
  "._hidden",
  "%-B",
];

function made(source: string, messages: ChatMessage[], options: ChatOptions): Made {
  const template = { source, tokens: reference.tokens, now: new Date(reference.now) };
  try {
    return { text: chatText(messages, template, options) };
  } catch (thrown) {
    if (!(thrown instanceof HeadscopeError)) throw thrown;
    return thrown.code === "chat/refused" ? { refused: thrown.got } : { error: thrown.code };
  }
}

describe.each(Object.entries(reference.templates))("a template like that of %s", (name, source) => {
  test("writes the text of transformers, or refuses with its sentence", () => {
    for (const one of reference.cases.filter(({ template }) => template === name)) {
      const messages = reference.conversations[one.conversation] ?? [];
      const options = { add_generation_prompt: one.begins, variables: one.variables };
      const { text, refused } = made(source, messages, options);
      expect({ of: one.conversation, text }).toEqual({ of: one.conversation, text: one.text });
      if (one.refused !== undefined) expect(refused).toBe(one.refused);
    }
  });
});

test("a piece of a template is written as in Python, or refused", () => {
  const options = { add_generation_prompt: false, variables: reference.variables };
  for (const one of reference.pieces) {
    const { text, error } = made(one.piece, USER, options);
    const isBuilt = !NOT_BUILT.some((part) => one.piece.includes(part));
    const expected = isBuilt ? one.text : undefined;
    expect({ piece: one.piece, text }).toEqual({ piece: one.piece, text: expected });
    if (!isBuilt) expect([one.piece, error]).toEqual([one.piece, "chat/unsupported"]);
  }
});

test("the time of a template is that of its call, before noon and after it", () => {
  const source = "{{ strftime_now('%H %I %p %-I %y %j') }}";
  const at = (...time: [number, number, number, number]): string =>
    chatText(USER, { source, tokens: {}, now: new Date(...time) });
  expect(at(2025, 11, 31, 13)).toBe("13 01 PM 1 25 365");
  expect(at(2024, 0, 1, 0)).toBe("00 12 AM 12 24 001");
  expect(at(2024, 11, 31, 12)).toBe("12 12 PM 12 24 366");
});

test.each([
  ["no list", "hello", "input/malformed"],
  ["no message", [], "input/malformed"],
  ["a text as a message", ["hello"], "input/malformed"],
  ["a message without a role", [{ content: "a" }], "input/malformed"],
  ["a function as content", [{ role: "user", content: () => 1 }], "input/malformed"],
])("messages that are %s are refused", (_, messages, code) => {
  const template = { source: "{{ messages }}", tokens: {} };
  expect(() => chatText(messages as ChatMessage[], template)).toThrow(
    expect.objectContaining({ code }) as Error,
  );
});

test.each([
  [
    "loops without end",
    "{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}",
  ],
  [
    "doubles a text",
    "{% set n = namespace(t='aaaa') %}{% for i in range(60) %}{% set n.t = n.t ~ n.t %}{% endfor %}",
  ],
  ["calls itself", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"],
])("a template that %s ends with a sentence", (_, source) => {
  expect(made(source, USER, {})).toEqual({ error: "chat/unsupported" });
});

test("the sentence of a refusal names what the template has", () => {
  const template = { source: "{{ messages|batch(2) }}", tokens: {} };
  expect(() => chatText(USER, template)).toThrow(/has the filter `batch`, which/);
});
