import type { HeadscopeError } from "../../headscope.js";
import { isMessageKey, message } from "../../i18n/index.js";
import type { Command } from "../parts/events.js";

/** A failure as one sentence in the page's language that says what to do. */
export function sentenceOf(failure: HeadscopeError, maxTokens: number): string {
  const key = `error.${failure.code}`;
  if (!isMessageKey(key)) return failure.message;
  return message(key, { message: failure.message, limit: maxTokens });
}

/** What a person can ask for after a failure. */
export function retryOf({ code }: HeadscopeError): Command | null {
  if (code.startsWith("load/")) return "load-model";
  return code.startsWith("engine/") || code === "unexpected" ? "run-again" : null;
}
