/** So many pixels before a figure comes into sight it starts to load. */
const AHEAD = 400;

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | null = null;
let print: MediaQueryList | null = null;

/** Calls `then` once an element is in sight or nearly so, or is printed; gives back how to wait no more. */
export function whenNear(element: Element, then: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) arrive(target);
    },
    { rootMargin: `${AHEAD}px` },
  );
  waiting.set(element, then);
  observer.observe(element);
  print ??= watchPrinting();
  if (print.matches) arrivePrinted();
  return () => leave(element);
}

/** A script that prints sets the medium first and waits; Firefox fires the event alone. */
function watchPrinting(): MediaQueryList {
  addEventListener("beforeprint", arrivePrinted);
  const query = matchMedia("print");
  query.addEventListener("change", ({ matches }) => {
    if (matches) arrivePrinted();
  });
  return query;
}

/** A page is printed whole, wherever its window is. */
function arrivePrinted(): void {
  for (const element of [...waiting.keys()])
    if (element.getClientRects().length > 0) arrive(element);
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
