/** So many pixels before a figure comes into sight it starts to load. */
const AHEAD = 400;

const waiting = new Map<Element, { then: () => void; model: string | null }>();
/** The models of the figures that came near: other figures of these download no further model. */
const models = new Set<string | null>();
let observer: IntersectionObserver | null = null;

/**
 * Calls `then` once an element is in sight or nearly so, or is printed. No browser waits for
 * figures that a print asks for first, so those that name the model of a figure that came near
 * follow it when the browser is idle.
 *
 * @returns Stops waiting.
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

/** A page is printed whole, wherever its window is; what is not displayed waits on. */
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
