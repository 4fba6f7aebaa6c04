/** In English: what all figures of the bench say. */
export const figures = {
  "curves.name": "{y} by {x}: {lines}",
  "curves.help": "Left and right move along the lines and read the numbers of each.",
} as const;
