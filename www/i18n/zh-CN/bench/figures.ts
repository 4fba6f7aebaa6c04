import type { figures as english } from "../../en/bench/figures.js";

/** In simplified Chinese: what all figures of the bench say. */
export const figures = {
  "curves.name": "{y}，随{x}变化：{lines}",
  "curves.help": "左右方向键沿曲线移动，并读出每条线的数值。",
} satisfies Record<keyof typeof english, string>;
