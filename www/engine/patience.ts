import { refuse } from "./errors.js";

/** A GPU that has not answered by then will not: its driver stops what takes longer than some seconds. */
const PATIENCE_MILLIS = 30_000;
/** What imitates a GPU shares the processor with all that is open, and may be busy for long. */
const SOFTWARE_PATIENCE_MILLIS = 180_000;

/**
 * What a GPU is asked for, refused when it does not answer: a browser need not say that a device hangs. Who asks for
 * something in pieces says after each of them that it goes on.
 */
export async function patiently<T>(software: boolean, ask: (goesOn: () => void) => Promise<T>): Promise<T> {
  const patience = software ? SOFTWARE_PATIENCE_MILLIS : PATIENCE_MILLIS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refused: (reason: Error) => void = () => undefined;
  const late = new Promise<never>((_, reject) => (refused = reject));
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => refused(refuse("gpu/unavailable", "the GPU", `an answer within ${patience / 1000} seconds`, "none")), patience);
  };
  try {
    wait();
    return await Promise.race([ask(wait), late]);
  } finally {
    clearTimeout(timer);
  }
}
