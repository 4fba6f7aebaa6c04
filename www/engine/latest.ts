/** Wraps a task so that a newer call stops the older one, whose promise then gives `null`. */
export function latest<A extends unknown[], R>(
  task: (signal: AbortSignal, ...given: A) => Promise<R>,
): (...given: A) => Promise<R | null> {
  let current: AbortController | null = null;
  return async (...given) => {
    current?.abort();
    const controller = new AbortController();
    current = controller;
    try {
      const result = await task(controller.signal, ...given);
      return current === controller ? result : null;
    } catch (thrown) {
      if (current !== controller) return null;
      throw thrown;
    }
  };
}
