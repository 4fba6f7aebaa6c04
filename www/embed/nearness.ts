/** So many pixels before a figure comes into sight it starts to load. */
const AHEAD = 400;

const waiting = new Map<Element, { then: () => void; model: string | null }>();
/** The models of the figures that came near: other figures of these download no further model. */
const models = new Set<string>();
let observer: IntersectionObserver | null = null;
let print: MediaQueryList | null = null;

/**
 * Calls `then` once an element is in sight or nearly so, or is printed. No browser waits for figures that a print asks
 * for first, so those that name the model of a figure that came near follow it when the browser is idle.
 *
 * @returns Stops waiting.
 */
export function whenNear(
  element: Element,
  then: () => void,
  model: string | null = null,
): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) arrive(target);
    },
    { rootMargin: `${AHEAD}px` },
  );
  waiting.set(element, { then, model });
  observer.observe(element);
  print ??= watchPrinting();
  if (print.matches) arriveTogether(() => true);
  if (model !== null && models.has(model)) followWhenIdle();
  return () => leave(element);
}

/** A script that prints sets the medium first and waits; Firefox fires the event alone. */
function watchPrinting(): MediaQueryList {
  const arriveAll = (): void => arriveTogether(() => true);
  addEventListener("beforeprint", arriveAll);
  const query = matchMedia("print");
  query.addEventListener("change", ({ matches }) => matches && arriveAll());
  return query;
}

/** A page is printed whole, wherever its window is; what is not displayed waits on. */
function arriveTogether(isDue: (model: string | null) => boolean): void {
  for (const [element, { model }] of [...waiting])
    if (isDue(model) && element.getClientRects().length > 0) arrive(element);
}

function followWhenIdle(): void {
  const follow = (): void => arriveTogether((model) => model !== null && models.has(model));
  // Safari has no idle callbacks.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(follow);
  else setTimeout(follow, 1000);
}

function arrive(element: Element): void {
  const { then, model } = waiting.get(element) ?? {};
  leave(element);
  then?.();
  if (!model || models.has(model)) return;
  models.add(model);
  followWhenIdle();
}

function leave(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
