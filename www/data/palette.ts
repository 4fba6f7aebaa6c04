/** Colour maps for what is never negative. All are safe for colour-blind eyes, and their lightness goes one way. */
export const PALETTES = ["blue", "cividis", "viridis"] as const;
export type Palette = (typeof PALETTES)[number];
