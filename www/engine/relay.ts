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
  const state = { running: true, wake: (): void => undefined };
  const done = task((value) => {
    values.push(value);
    state.wake();
  }, controller.signal).finally(() => {
    state.running = false;
    state.wake();
  });
  // Awaited below when the loop gets that far; when it is left early, nobody asks for the outcome.
  done.catch(() => undefined);

  try {
    do {
      if (state.running && values.length === 0)
        await new Promise<void>((resolve) => (state.wake = resolve));
      yield* values.splice(0);
    } while (state.running || values.length > 0);
    await done;
  } finally {
    outer?.removeEventListener("abort", stop);
    stop();
  }
}
