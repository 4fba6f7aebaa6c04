/*
 * Whether a thread still lives. A browser tells that a thread's script failed, but not that the thread is gone: it may have
 * been ended from outside. A lock is given back by whoever held it in whatever way that ended.
 */

/** Says that the thread holds the lock of its name: whoever waits for that lock waits for the thread's end. */
export interface Alive {
  kind: "alive";
}

/** Says that the thread's script runs. */
export interface Started {
  kind: "started";
}

/** In the thread: holds the lock of its name for as long as it lives. Where there are no locks it stays unwatched. */
export function holdLock(name: string, held: (alive: Alive) => void): void {
  if (name === "") return;
  // An address that is not safe has none, and a frame without an origin may not ask.
  void locks()
    ?.request(name, () => {
      held({ kind: "alive" });
      return new Promise(() => undefined);
    })
    .catch(() => undefined);
}

/** Beside the thread: calls back when it has ended, unless the signal comes before. */
export function onLockReleased(name: string, signal: AbortSignal, ended: () => void): void {
  void locks()
    ?.request(name, { signal }, ended)
    .catch(() => undefined);
}

function locks(): LockManager | undefined {
  return (navigator as Partial<Navigator>).locks;
}
