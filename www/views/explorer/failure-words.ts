import type { HeadscopeError } from "../../headscope.js";
import { isMessageKey, message, type MessageKey } from "../../i18n/index.js";
import type { Command } from "../parts/events.js";

/** A failure as one sentence in the page's language that says what to do. */
export function sentenceOf(failure: HeadscopeError, maxTokens: number, showsEarlierText: boolean): string {
  const key = keyOf(failure.code);
  if (!key) return failure.message;
  const { message: own, expected, got } = failure;
  const sentence = message(key, { message: own, expected, got, limit: maxTokens });
  return failure.code === "input/too-long" && showsEarlierText ? message("error.earlierText", { sentence }) : sentence;
}

/** The sentence of a code, or the one of its group. */
function keyOf(code: string): MessageKey | undefined {
  const [group = ""] = code.split("/");
  return [`error.${code}`, `error.${group}/*`].find(isMessageKey);
}

/** After these there is no engine that could compute again. */
const GONE = new Set(["engine/not-restarted", "engine/disposed"]);

/** What a person can ask for after a failure. */
export function retryOf({ code }: HeadscopeError): Command | null {
  const [group] = code.split("/");
  if (group === "load" || group === "checkpoint" || group === "config" || GONE.has(code)) return "load-model";
  return group === "engine" || code === "unexpected" ? "run-again" : null;
}
