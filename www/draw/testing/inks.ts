import type { Inks } from "../theme.js";

/** Inks that name themselves, so that a test can tell which one was used. */
export const testInks: Inks = {
  ground: "light",
  ink: "ink",
  paper: "paper",
  muted: "muted",
  line: "line",
  accent: "accent",
  font: "sans-serif",
};
