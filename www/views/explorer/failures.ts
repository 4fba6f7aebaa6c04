import { HeadscopeError } from "../../headscope.js";
import { isMessageKey, message } from "../../i18n/index.js";
import type { Command } from "../parts/events.js";

/** Reading a run that a newer one has just replaced: the newer one is read next. */
const EXPECTED = new Set(["run/released", "run/aborted", "run/not-ready", "engine/crashed", "engine/disposed"]);

/** Whether a failed read is only late and needs no words. */
export function isExpected(thrown: unknown): boolean {
  return thrown instanceof HeadscopeError && EXPECTED.has(thrown.code);
}

/** Whatever was thrown, with a code. */
export function asFailure(thrown: unknown): HeadscopeError {
  if (thrown instanceof HeadscopeError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new HeadscopeError({ code: "unexpected", message: text, doing: "", expected: "", got: text });
}

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
