import { formatFixed, formatList, message } from "../../../i18n/index.js";
import { BREAKS, type Fare } from "./length-fare.js";
import type { LengthName } from "./length-study.js";

const DIGITS = 2;

/** What a line is called. */
export function lengthName(name: LengthName): string {
  return name === "anew" ? message("lengths.anew") : message(`at.${name}`);
}

/**
 * Which schemes hold beyond the length of training, which break there, which end with the model's positions, and which lose
 * much before it, as the numbers say; or that the text has nothing beyond it.
 */
export function verdictOf(
  fares: readonly Fare[],
  { trained, positions }: { trained: number; positions: number },
): string[] {
  const tried = fares.filter(({ name }) => name !== "anew");
  const named = (some: readonly Fare[], by: "rise" | "cost"): string =>
    formatList(
      some.map(({ name, [by]: number }) =>
        number === null
          ? lengthName(name)
          : message("lengths.rise", { scheme: lengthName(name), rise: signed(number) }),
      ),
    );
  const ended = tried.filter(({ refused }) => refused);
  const held = tried.filter(({ rise }) => rise !== null && !breaks(rise));
  const broken = tried.filter(({ rise }) => rise !== null && breaks(rise));
  const high = tried.filter(({ cost }) => breaks(cost));
  const sentence = (
    key: "hold" | "break" | "end" | "already",
    some: readonly Fare[],
    by: "rise" | "cost" = "rise",
  ): string[] =>
    some.length === 0
      ? []
      : [
          message(`lengths.${key}`, {
            schemes: named(some, by),
            trained,
            positions,
            threshold: formatFixed(BREAKS, DIGITS),
          }),
        ];
  const reaches = fares.some(({ name, rows }) => name === "anew" && rows > trained);
  if (!reaches) return [message("lengths.short", { trained }), ...sentence("end", ended)];
  return [
    ...sentence("hold", held),
    ...sentence("break", broken),
    ...sentence("end", ended),
    ...sentence("already", high, "cost"),
  ];
}

/** Whether it breaks, as far as the number that is shown tells. */
function breaks(rise: number): boolean {
  return Number(rise.toFixed(DIGITS)) > Number(BREAKS.toFixed(DIGITS));
}

/** A rise, or a fall. */
export function signed(rise: number): string {
  return `${Number(rise.toFixed(DIGITS)) > 0 ? "+" : ""}${formatFixed(rise, DIGITS)}`;
}
