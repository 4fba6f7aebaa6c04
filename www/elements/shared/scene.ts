import type { Inks, Print } from "../../draw/theme.js";

/** Lays a picture out and paints it apart from the page; null where there is none. */
export type Scene = (inks: Inks) => Print | null;

/** A figure that can leave the page. */
export interface Printable {
  /** The inks that it is painted with on the page. */
  readonly inks: Inks;
  print: Scene;
  /** Of a figure that others draw: their scene. */
  snapshot?: () => Scene;
}

/**
 * What a figure shows now, whatever it shows later: its layout waits for fonts, and the page goes on meanwhile. A copy of
 * its fields is enough, as no property of a figure is changed in place.
 */
export function sceneOf(figure: Pick<Printable, "print" | "snapshot">): Scene {
  if (figure.snapshot) return figure.snapshot();
  const copy = Object.create(
    Object.getPrototypeOf(figure) as object,
    Object.getOwnPropertyDescriptors(figure),
  ) as typeof figure;
  return (inks) => copy.print(inks);
}
