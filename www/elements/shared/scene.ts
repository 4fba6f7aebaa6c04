import type { Inks, Print } from "../../draw/theme.js";

/** Lays out a picture for a file and returns its painter; null where there is none. */
export type Scene = (inks: Inks) => Print | null;

/** A figure that can be saved. */
export interface Printable {
  /** The colours that the page gives it. */
  readonly inks: Inks;
  print: Scene;
  /** The scene of a figure that contains the one to save. */
  snapshot?: () => Scene;
}

/**
 * The scene of what a figure shows now, painted later when fonts are loaded. A copy of the figure's fields is enough, as
 * no property of a figure is changed in place.
 */
export function sceneOf(figure: Pick<Printable, "print" | "snapshot">): Scene {
  if (figure.snapshot) return figure.snapshot();
  const copy = Object.create(
    Object.getPrototypeOf(figure) as object,
    Object.getOwnPropertyDescriptors(figure),
  ) as typeof figure;
  return (inks) => copy.print(inks);
}
