/** The one motion of a first visit: the crosshair walks over the first row, then rests. */
import type { Session } from "../session/session.js";
import { effect } from "../signals.js";

const STEP_MILLIS = 160;
/** What a user does at the page ends the walk. */
const USES = ["pointermove", "pointerdown", "wheel", "keydown"] as const;

/**
 * Walks once over the first row of the first picture, unless motion is unwelcome: a user sees that
 * the picture answers to the pointer, and what a row is. Ends with the first use of the page.
 */
export function walkFirstRow(session: Session): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const walk = new AbortController();
  const { signal } = walk;
  const { pointing } = session;
  // Captured, so that a figure can show the cell under the pointer afterwards.
  for (const use of USES)
    window.addEventListener(use, () => walk.abort(), { signal, capture: true });
  signal.addEventListener("abort", () => pointing.pointAt(null));
  void firstKeys(session, signal).then((keys) => {
    const step = (key: number): void => {
      if (signal.aborted) return;
      if (key === keys) walk.abort();
      else {
        pointing.pointAt({ query: 0, key });
        setTimeout(step, STEP_MILLIS, key + 1);
      }
    };
    step(0);
  });
}

/** The number of keys of the first computed picture, once it is there. */
function firstKeys(session: Session, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const { displayed, first, settled } = session;
      if (displayed && !first && settled) resolve(displayed.keys.length);
    });
    signal.addEventListener("abort", stop);
  });
}
