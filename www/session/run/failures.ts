import { HeadscopeError, type Run } from "../../headscope.js";
import { isMessageKey, message, wantSentences } from "../../i18n/index.js";
import { STACKS } from "../../state/index.js";
import type { Command } from "./notices.js";

/**
 * Codes of an engine thread that crashed, with its GPU or without one; another thread replaces it.
 */
const CRASHES = new Set(["engine/crashed", "gpu/lost"]);
/** Codes of a read of a run that a newer one has just replaced: the newer run is read next. */
const LATE = ["run/released", "run/aborted", "run/not-ready", "engine/disposed"];
const EXPECTED = new Set([...CRASHES, ...LATE]);

/** Whether a failed read is expected and needs no message. */
export function isExpected(thrown: unknown): boolean {
  return thrown instanceof HeadscopeError && EXPECTED.has(thrown.code);
}

/**
 * Whether the failure stopped the engine: the page computes its run again, but long work is not
 * continued.
 */
export function isCrash(thrown: unknown): boolean {
  return thrown instanceof HeadscopeError && CRASHES.has(thrown.code);
}

/** The first failure of some loaders, except expected ones. */
export function firstFailure(loaders: readonly { readonly failure: unknown }[]): unknown {
  return loaders.find(({ failure }) => failure !== null && !isExpected(failure))?.failure ?? null;
}

export function asFailure(thrown: unknown): HeadscopeError {
  if (thrown instanceof HeadscopeError) return thrown;
  const got = thrown instanceof Error ? thrown.message : String(thrown);
  return new HeadscopeError({ code: "unexpected", message: got, doing: "", expected: "", got });
}

/** A failure in words: a sentence, with a code that is the same in every language. */
export interface Refusal {
  sentence: string;
  code: string;
}

export function describeFailure(thrown: unknown, circumstances: Circumstances = {}): Refusal {
  return { sentence: sentenceOf(thrown, circumstances), code: asFailure(thrown).code };
}

/** The failure of a run, or else of a read of it; null if there is none. */
export function failureWords(
  { run, failure: own }: { run: Run | null; failure: HeadscopeError | null },
  unread: unknown,
  ownFolder: boolean,
): (Refusal & { retry: Command | null }) | null {
  const failure = own ?? (unread === null ? null : asFailure(unread));
  if (!failure) return null;
  return {
    ...describeFailure(failure, { showsEarlierText: run !== null, ownFolder }),
    // A failed read may succeed after the run is computed again.
    retry: retryOf(failure, ownFolder) ?? (own ? null : "run-again"),
  };
}

export interface Circumstances {
  /** Whether pictures of an earlier text are on the page. */
  showsEarlierText?: boolean;
  /** Whether the model is a folder from the user's disk, whose files only the user can fix. */
  ownFolder?: boolean;
}

/**
 * A failure as one sentence in the page's language that says what to do. Without the sentences it
 * is the engine's own, and nothing while they come.
 */
export function sentenceOf(
  thrown: unknown,
  { showsEarlierText = false, ownFolder = false }: Circumstances = {},
): string {
  const { code, message: own, doing, expected, got } = asFailure(thrown);
  const isWorded = wantSentences("notices");
  if (!isWorded) return isWorded === null ? own : "";
  if (code === "config/unsupported-family") return familyWords(got);
  if (ownFolder && isOfFolder(code)) return message("error.folder", { message: own });
  // The sentence of the code, or that of its group.
  const key = [`error.${code}`, `error.${groupOf(code)}/*`].find(isMessageKey);
  if (!key) return own;
  // The length of the text and the number of tokens to remove, if the engine counted tokens; a text
  // may also need too much memory.
  const limit = Number(/^at most (\d+) tokens/.exec(expected)?.[1]);
  const count = Number(/^(\d+) tokens$/.exec(got)?.[1]);
  const [, layer, stack] = /^layer (\d+) of the (encoder|decoder)$/.exec(doing) ?? [];
  const name = STACKS.find((candidate) => candidate === stack);
  const sentence =
    code === "input/too-long" && limit && count
      ? message("error.tooManyTokens", { count, limit, over: count - limit })
      : code === "run/not-finite" && layer && name
        ? message("error.notFiniteLayer", { layer, stack: message(`stack.${name}`) })
        : message(key, { message: own, expected, got });
  return code === "input/too-long" && showsEarlierText
    ? message("error.earlierText", { sentence })
    : sentence;
}

/** What the core says of a config that names no family. */
const NO_FAMILY = "nothing";

/** The sentence for a family that does not open: its message names many that do. */
const familyWords = (got: string): string =>
  got === NO_FAMILY
    ? message("error.noFamily")
    : message("error.config/unsupported-family", { got });

const groupOf = (code: string): string => code.split("/")[0] ?? "";

/** Whether a model's files themselves are wrong, as opposed to the connection or the engine. */
function isOfFolder(code: string): boolean {
  return (
    ["checkpoint", "config", "tokenizer"].includes(groupOf(code)) ||
    ["load/not-found", "load/bad-tokenizer"].includes(code)
  );
}

/** Codes of failures after which no engine can compute again. */
const GONE = ["engine/not-restarted", "engine/disposed"];

/**
 * The command that a user can try after a failure: a folder of the user that is no model can only
 * be undone.
 */
export function retryOf({ code }: HeadscopeError, ownFolder: boolean): Command | null {
  const group = groupOf(code);
  if (isOfFolder(code)) return ownFolder ? "undo" : "load-model";
  if (code === "load/no-examples") return null;
  if (group === "load" || GONE.includes(code)) return "load-model";
  if (code === "input/too-long") return "shorten-text";
  return group === "engine" || CRASHES.has(code) || code === "unexpected" ? "run-again" : null;
}
