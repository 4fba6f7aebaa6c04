/** The distance in pixels from the window at which a figure starts to load. */
const AHEAD = 400;

const waiting = new Map<Element, { then: () => void; model: string | null }>();
/**
 * The models of the figures that came near: other figures of these models need no further download.
 */
const models = new Set<string | null>();
let observer: IntersectionObserver | null = null;

/**
 * Calls `then` once an element is in or near the window, or is printed. No browser waits for
 * figures that first load for a print, so figures with the model of a figure that came near load
 * when the browser is idle.
 *
 * @returns a function that stops waiting
 */
export function whenNear(
  element: Element,
  then: () => void,
  model: string | null = null,
): () => void {
  observer ??= observed();
  waiting.set(element, { then, model });
  observer.observe(element);
  if (matchMedia("print").matches) arriveAll();
  if (model !== null && models.has(model)) followWhenIdle();
  return () => leave(element);
}

function observed(): IntersectionObserver {
  // A script that prints sets the medium first and waits; Firefox fires the event alone.
  addEventListener("beforeprint", () => arriveAll());
  matchMedia("print").addEventListener("change", ({ matches }) => matches && arriveAll());
  const arrived = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) arrive(target);
  };
  return new IntersectionObserver(arrived, { rootMargin: `${AHEAD}px` });
}

/**
 * Loads all displayed figures, because a page is printed whole; figures that are not displayed
 * wait.
 */
function arriveAll(isDue: (model: string | null) => boolean = () => true): void {
  for (const [element, { model }] of [...waiting])
    if (isDue(model) && element.getClientRects().length > 0) arrive(element);
}

function followWhenIdle(): void {
  const follow = (): void => arriveAll((model) => models.has(model));
  // Safari has no idle callbacks.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(follow);
  else setTimeout(follow, 1000);
}

function arrive(element: Element): void {
  const { then, model = null } = waiting.get(element) ?? {};
  leave(element);
  then?.();
  if (model === null || models.has(model)) return;
  models.add(model);
  followWhenIdle();
}

function leave(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
