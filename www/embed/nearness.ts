/** So many pixels before a figure comes into sight it starts to load. */
const AHEAD = 400;

const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | null = null;

/** Calls `then` once an element is in sight or nearly so; gives back how to wait no more. */
export function whenNear(element: Element, then: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) arrive(target);
    },
    { rootMargin: `${AHEAD}px` },
  );
  waiting.set(element, then);
  observer.observe(element);
  return () => leave(element);
}

function arrive(element: Element): void {
  const then = waiting.get(element);
  leave(element);
  then?.();
}

function leave(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
