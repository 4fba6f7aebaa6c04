/** A failure as plain data, the form in which it leaves wasm and the worker. */
export interface Failure {
  /** The code, `group/reason`, stable across versions. */
  code: string;
  /** The sentence, which says what to do. */
  message: string;
  doing: string;
  expected: string;
  got: string;
}

/** The error class of every failure of the engine. `code` is part of the public contract. */
export class HeadscopeError extends Error implements Failure {
  readonly code: string;
  readonly doing: string;
  readonly expected: string;
  readonly got: string;

  constructor({ code, message, doing, expected, got }: Failure, options?: ErrorOptions) {
    super(message, options);
    this.name = "HeadscopeError";
    this.code = code;
    this.doing = doing;
    this.expected = expected;
    this.got = got;
  }
}

/** An error whose sentence, unless given, is built from its parts as in the core. */
export function refuse(
  code: string,
  doing: string,
  expected: string,
  got: string,
  message = `${doing}: expected ${expected}, found ${got}.`,
  options?: ErrorOptions,
): HeadscopeError {
  return new HeadscopeError({ code, doing, expected, got, message }, options);
}

/** A thrown value as plain data, so that it can be posted between threads. */
export function failureOf(thrown: unknown): Failure {
  const mistake = `${describe(thrown)} (a mistake in Headscope: please report it)`;
  const { code, message, doing, expected, got } = isFailure(thrown)
    ? thrown
    : refuse("engine/internal", "the engine", "an answer", mistake);
  return { code, message, doing, expected, got };
}

/** Whether a thrown value is an intended failure of the engine, as opposed to a bug. */
function isFailure(value: unknown): value is Failure {
  const { code, message } = (value ?? {}) as Partial<Record<keyof Failure, unknown>>;
  return typeof code === "string" && code.includes("/") && typeof message === "string";
}

/**
 * The names of errors after which wasm is unusable; by name, so that errors of other threads match.
 */
const TRAPS = new Set(["RuntimeError", "RangeError", "InternalError"]);

/** Whether wasm trapped or ran out of stack: then its memory can no longer be trusted. */
export function isTrap(thrown: unknown): boolean {
  return thrown instanceof Error && TRAPS.has(thrown.name);
}

export function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

/** The error of work that was aborted by its caller or by a newer request. */
export function aborted(what: "run" | "load"): HeadscopeError {
  const doing = what === "run" ? "The run" : "Loading the model";
  const message = `${doing} was stopped before it finished.`;
  return refuse(`${what}/aborted`, doing, "to finish", "a request to stop", message);
}

export function disposed(): HeadscopeError {
  const message = "This model was disposed of. Load it again to use it.";
  const got = "one that was disposed of";
  return refuse("engine/disposed", "the model", "a model in use", got, message);
}

/**
 * The error of a dead engine thread, with the given reason; a script that could not be loaded is a
 * failure of its own.
 */
export function crashed(reason: string | HeadscopeError, restarts: boolean): HeadscopeError {
  if (reason instanceof HeadscopeError) return reason;
  const remedy = restarts
    ? "It starts again by itself: repeat what you asked for."
    : "Load the model again, or reload the page.";
  const message = `The engine stopped unexpectedly (${reason}). ${remedy}`;
  return refuse("engine/crashed", "the computation", "the engine to answer", reason, message);
}

/** The error of a thread that died with its GPU: the next thread computes on the CPU. */
export function lostGpu(reason: string): HeadscopeError {
  const message = `The GPU failed (${reason}). The CPU goes on from here: repeat what you asked for.`;
  return refuse("gpu/lost", "the computation", "the GPU to answer", reason, message);
}

export function notRestarted(cause: unknown): HeadscopeError {
  const got = cause instanceof HeadscopeError ? cause.got : describe(cause);
  const doing = "starting the engine again after it stopped";
  const message = `The engine stopped and could not be started again (${got}). Ask once more to try again, or reload the page.`;
  return refuse("engine/not-restarted", doing, "a thread with the model", got, message, { cause });
}

/** The type of a value from a caller, for a sentence. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const KINDS = {
  "a string": (value: unknown) => typeof value === "string",
  "a list of ids": Array.isArray,
  "an object": (value: unknown) => typeof value === "object" && value !== null,
};

/**
 * Refuses a value of a wrong type from a caller without types, before code of the page uses it; the
 * core checks the value itself.
 */
export function demand(kind: keyof typeof KINDS, value: unknown, what: string): void {
  if (!KINDS[kind](value)) throw refuse("input/malformed", what, kind, kindOf(value));
}

/** Refuses an option that is none of the names. */
export function demandOneOf(names: object, value: unknown, what: string): void {
  if (typeof value === "string" && Object.hasOwn(names, value)) return;
  const expected = `one of ${Object.keys(names).join(", ")}`;
  throw refuse("input/unsupported-option", what, expected, String(value));
}

/**
 * Refuses fields that an input or an option does not have: a misspelt field would silently change
 * nothing. `fields` names all valid ones.
 */
export function demandFields<Value extends object>(
  code: "input/malformed" | "input/unsupported-option",
  what: string,
  value: Value,
  fields: Readonly<Record<keyof Value, true>>,
): void {
  const unknown = Object.entries(value).find(
    ([name, given]) => given !== undefined && !Object.hasOwn(fields, name),
  );
  if (unknown === undefined) return;
  const expected = `only the fields ${Object.keys(fields).join(", ")}`;
  throw refuse(code, what, expected, unknown[0]);
}
