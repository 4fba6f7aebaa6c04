/** What files say of a picture. */
import { message } from "../../i18n/index.js";
import { type DisplayedPattern, isChanged, withoutName } from "./head.js";
import type { HeadFigures } from "./head.js";

/**
 * The settings that change the displayed numbers, in a few words for a title; empty if the numbers
 * are the run's own, in their own rows and columns.
 */
export function lensSummary(displayed: DisplayedPattern): string[] {
  const { lens, without } = displayed;
  if (!isChanged(displayed)) return [];
  return [
    ...(lens.byWord ? [message("lens.summaryByWord")] : []),
    ...(lens.ordinaryOnly ? [message("lens.summaryOrdinary")] : []),
    ...(without === null
      ? []
      : [message("lens.summaryWithout", { token: withoutName(displayed) })]),
  ];
}

export function drawnBeside({ patterns }: HeadFigures): number[] {
  return patterns.slice(1).map(({ head }) => head);
}
