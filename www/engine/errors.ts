/** What a failure says, as plain data: how it crosses from wasm and from the worker. */
export interface Failure {
  /** Stable across versions, `group/reason`. */
  code: string;
  /** A sentence that says what to do. */
  message: string;
  /** What was being done. */
  doing: string;
  expected: string;
  got: string;
}

/** Every failure of the engine. `code` is part of the public contract. */
export class HeadscopeError extends Error implements Failure {
  readonly code: string;
  readonly doing: string;
  readonly expected: string;
  readonly got: string;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = "HeadscopeError";
    this.code = failure.code;
    this.doing = failure.doing;
    this.expected = failure.expected;
    this.got = failure.got;
  }
}

/** A failure whose sentence follows from its parts, as the Rust core builds it. */
export function failure(code: string, doing: string, expected: string, got: string): Failure {
  return { code, doing, expected, got, message: `${doing}: expected ${expected}, found ${got}.` };
}

/** Throws in one breath what {@link failure} describes. */
export function refuse(code: string, doing: string, expected: string, got: string): HeadscopeError {
  return new HeadscopeError(failure(code, doing, expected, got));
}

/** Whatever was thrown as plain data, so that it can be posted between threads. */
export function failureOf(thrown: unknown): Failure {
  if (!isFailure(thrown))
    return failure(
      "engine/internal",
      "the engine",
      "an answer",
      `${describe(thrown)} (a mistake in Headscope: please report it)`,
    );
  const { code, message, doing, expected, got } = thrown;
  return { code, message, doing, expected, got };
}

/** Whether a thrown value is a failure that the engine meant, as opposed to a bug. */
function isFailure(value: unknown): value is Failure {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    "message" in value &&
    typeof value.code === "string" &&
    value.code.includes("/") &&
    typeof value.message === "string"
  );
}

/** By name, so that it does not matter in which thread it was made. */
const TRAPS = new Set(["RuntimeError", "RangeError", "InternalError"]);

/** Whether wasm trapped or ran out of stack: then nothing in its memory can be trusted any more. */
export function isTrap(thrown: unknown): boolean {
  return thrown instanceof Error && TRAPS.has(thrown.name);
}

/** What an unknown thrown value says. */
export function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

/** The caller asked to stop, or a newer request took over. */
export function aborted(what: "run" | "load"): HeadscopeError {
  const doing = what === "run" ? "The run" : "Loading the model";
  return new HeadscopeError({
    code: `${what}/aborted`,
    doing,
    expected: "to finish",
    got: "a request to stop",
    message: `${doing} was stopped before it finished.`,
  });
}

/** The engine was disposed of; nothing can be asked of it any more. */
export function disposed(): HeadscopeError {
  return new HeadscopeError({
    code: "engine/disposed",
    doing: "the model",
    expected: "a model in use",
    got: "one that was disposed of",
    message: "This model was disposed of. Load it again to use it.",
  });
}

/** The engine's thread died, with the reason it gave; what its script could not be had for is a failure of its own. */
export function crashed(reason: string | HeadscopeError, restarts: boolean): HeadscopeError {
  if (reason instanceof HeadscopeError) return reason;
  const remedy = restarts
    ? "It starts again by itself: repeat what you asked for."
    : "Load the model again, or reload the page.";
  return new HeadscopeError({
    code: "engine/crashed",
    doing: "the computation",
    expected: "the engine to answer",
    got: reason,
    message: `The engine stopped unexpectedly (${reason}). ${remedy}`,
  });
}

/** The thread computed on a GPU and died with it, or over it: the next one computes on the CPU. */
export function lostGpu(reason: string): HeadscopeError {
  return new HeadscopeError({
    code: "gpu/lost",
    doing: "the computation",
    expected: "the GPU to answer",
    got: reason,
    message: `The GPU failed (${reason}). The CPU goes on from here: repeat what you asked for.`,
  });
}

/** After a crash the engine could not be started again. */
export function notRestarted(cause: unknown): HeadscopeError {
  const got = cause instanceof HeadscopeError ? cause.got : describe(cause);
  return new HeadscopeError(
    {
      code: "engine/not-restarted",
      doing: "starting the engine again after it stopped",
      expected: "a thread with the model",
      got,
      message: `The engine stopped and could not be started again (${got}). Ask once more to try again, or reload the page.`,
    },
    { cause },
  );
}
