/**
 * A chat template: one text made of messages, as `apply_chat_template` of transformers 5.24 makes
 * it. What Python renders otherwise than this, or not at all, is refused.
 */

import { isRecord } from "../../data/shape.js";
import type { ChatMessage, ChatOptions } from "../contract.js";
import { describe, HeadscopeError, kindOf, refuse } from "../errors.js";
import { rendered, stored } from "./evaluate.js";
import { strftime } from "./strftime.js";
import { Reader } from "./texts.js";
import {
  type Callable,
  type Dict,
  Float,
  integer,
  isDict,
  itemsOf,
  Namespace,
  TemplateError,
  Tuple,
  Unrendered,
  type Value,
  View,
  written,
} from "./values.js";

/** A template, the special tokens by their names, and the time that it may write. */
export interface ChatTemplate {
  source: string;
  tokens: Readonly<Record<string, string>>;
  now?: Date;
}

/** The most numbers of a `range`, as Jinja's sandbox has it. */
const MOST_NUMBERS = 100_000;

/**
 * The text that a template makes of messages.
 * @throws input/malformed for messages that are none, chat/refused for a template that refuses
 *   them, chat/unsupported for one that is not rendered here
 */
export function chatText(
  messages: readonly ChatMessage[],
  { source, tokens, now = new Date() }: ChatTemplate,
  { add_generation_prompt: begins = true, variables = {} }: ChatOptions = {},
): string {
  const given = new Map<string, Value>(functions(now));
  const fields = {
    tools: null,
    documents: null,
    ...tokens,
    ...variables,
    messages: messagesIn(messages),
    add_generation_prompt: begins,
  };
  try {
    for (const [name, value] of Object.entries(fields)) given.set(name, valueOf(value, name));
    return rendered(source, given);
  } catch (thrown) {
    throw refusal(thrown);
  }
}

function refusal(thrown: unknown): HeadscopeError {
  if (thrown instanceof HeadscopeError) return thrown;
  const doing = "the chat template";
  if (thrown instanceof TemplateError) {
    const got = thrown.message;
    const message = `The model's chat template refuses these messages: ${got}. Change them, or send plain text.`;
    return refuse("chat/refused", doing, "messages that it takes", got, message);
  }
  const got = thrown instanceof Unrendered ? thrown.message : describe(thrown);
  const message = `The model's chat template has ${got}, which Headscope does not render as Python does. Send plain text, or text that transformers rendered with specialTokens: false.`;
  return refuse("chat/unsupported", doing, "what is rendered as in Python", got, message);
}

/** Messages as transformers hands them to a template: without fields that are null. */
function messagesIn(messages: unknown): Record<string, unknown>[] {
  const refused = (expected: string, got: string): HeadscopeError =>
    refuse("input/malformed", "the messages", expected, got);
  if (!Array.isArray(messages)) throw refused("a list of messages", kindOf(messages));
  if (messages.length === 0) throw refused("at least one message", "none");
  return (messages as unknown[]).map((message) => {
    if (!isRecord(message)) throw refused("objects with role and content", kindOf(message));
    if (typeof message.role !== "string") throw refused("a text as role", kindOf(message.role));
    const kept = Object.entries(message).filter(([, value]) => (value ?? null) !== null);
    return withReasoning(Object.fromEntries(kept));
  });
}

/** A message whose reasoning has each name by which templates read it. */
function withReasoning(message: Record<string, unknown>): Record<string, unknown> {
  const reasoning = message.reasoning_content ?? message.thinking ?? message.reasoning;
  return reasoning === undefined
    ? message
    : { thinking: reasoning, ...message, reasoning_content: reasoning };
}

/** A value of JavaScript as Python's: a number without a fraction is an integer. */
function valueOf(value: unknown, name: string): Value {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isInteger(value) ? integer(value) : new Float(value);
  if (Array.isArray(value)) return value.map((one) => valueOf(one, name));
  if (!isRecord(value))
    throw refuse("input/malformed", name, "texts, numbers, lists and objects", kindOf(value));
  const dict: Dict = new Map();
  for (const [key, one] of Object.entries(value))
    if (one !== undefined) dict.set(key, valueOf(one, name));
  return dict;
}

/** The functions that transformers and Jinja give to a template. */
function functions(now: Date): [string, Callable][] {
  return [
    [
      "raise_exception",
      (given) => {
        throw new TemplateError(
          written(new Reader("raise_exception", given, ["m"]).value("m") ?? ""),
        );
      },
    ],
    ["strftime_now", (given) => strftime(now, new Reader("strftime_now", given, ["f"]).text("f"))],
    [
      "namespace",
      ({ args, named }) => {
        const fields = [...args.flatMap((one) => entriesOf(one)), ...named];
        return new Namespace(new Map(fields.map(([name, value]) => [stored(name), value])));
      },
    ],
    ["dict", ({ args, named }) => new Map([...args.flatMap((one) => entriesOf(one)), ...named])],
    ["range", (given) => new View(numbersOf(given), true)],
  ];
}

/** The entries of a mapping, or of a list of pairs, by names. */
function entriesOf(value: Value): [string, Value][] {
  const pairs = isDict(value) ? [...value].map((pair) => new Tuple(pair)) : itemsOf(value);
  return pairs.map((pair) => {
    const [name, one, ...others] = itemsOf(pair);
    if (typeof name === "string" && one !== undefined && others.length === 0) return [name, one];
    throw new Unrendered("a mapping whose keys are no texts");
  });
}

function numbersOf(given: Parameters<Callable>[0]): number[] {
  const count = given.args.length;
  const names = count === 1 ? ["stop"] : ["start", "stop", "step"];
  const read = new Reader("range", given, names);
  const [start, stop, step] = [
    read.integer("start", 0),
    read.integer("stop", 0),
    read.integer("step", 1),
  ];
  if (step === 0) throw new TemplateError("range() arg 3 must not be zero");
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (length > MOST_NUMBERS)
    throw new TemplateError(
      "Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).",
    );
  return Array.from({ length }, (_, at) => start + at * step);
}
