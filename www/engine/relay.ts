/**
 * Turns a task that pushes values into something to iterate over. Leaving the loop, or the
 * outer signal, stops the task; what the task throws, the loop throws.
 */
export async function* relay<T>(
  task: (push: (value: T) => void, signal: AbortSignal) => Promise<void>,
  outer?: AbortSignal,
): AsyncGenerator<T, void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  if (outer?.aborted === true) stop();
  outer?.addEventListener("abort", stop);

  const values: T[] = [];
  let wake = (): void => undefined;
  let running = true;
  const done = task((value) => {
    values.push(value);
    wake();
  }, controller.signal).finally(() => {
    running = false;
    wake();
  });
  // Awaited below when the loop gets that far; when it is left early, nobody asks for the outcome.
  done.catch(() => undefined);

  try {
    for (;;) {
      while (values.length > 0) yield values.shift() as T;
      if (!running) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    await done;
  } finally {
    outer?.removeEventListener("abort", stop);
    stop();
  }
}
