/** Names by which somebody's page may style what stands in the shadow roots: the same thing has the same name in every element. */
export const PARTS = [
  "bar",
  "button",
  "canvas",
  "caption",
  "chip",
  "controls",
  "empty",
  "foot",
  "head",
  "label",
  "legend",
  "picture",
  "table",
  "tip",
  "value",
] as const;
