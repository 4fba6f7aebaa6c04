import { HeadscopeError } from "../../headscope.js";

/** Reading a run that a newer one has just replaced: the newer one is read next. */
const EXPECTED = new Set([
  "run/released",
  "run/aborted",
  "run/not-ready",
  "engine/crashed",
  "gpu/lost",
  "engine/disposed",
]);
/** The thread that was to answer is gone, with its GPU or without one; another follows it. */
const CRASHES = new Set(["engine/crashed", "gpu/lost"]);

/** Whether a failed read is only late and needs no words. */
export function isExpected(thrown: unknown): boolean {
  return thrown instanceof HeadscopeError && EXPECTED.has(thrown.code);
}

/** Whether the engine stopped over it: the page says so and computes its own run anew, but nobody goes on with a long piece of work. */
export function isCrash(thrown: unknown): boolean {
  return thrown instanceof HeadscopeError && CRASHES.has(thrown.code);
}

/** The first thing that went wrong, but for what is only late. */
export function firstFailure(loaders: readonly { readonly failure: unknown }[]): unknown {
  return loaders.find(({ failure }) => failure !== null && !isExpected(failure))?.failure ?? null;
}

/** Whatever was thrown, with a code. */
export function asFailure(thrown: unknown): HeadscopeError {
  if (thrown instanceof HeadscopeError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new HeadscopeError({
    code: "unexpected",
    message: text,
    doing: "",
    expected: "",
    got: text,
  });
}
