import { formatFixed, formatList, message } from "../../../i18n/index.js";
import { BREAKS, type Fare } from "./length-fare.js";
import type { LengthName } from "./length-study.js";

const DIGITS = 2;

/** What a line is called. */
export function lengthName(name: LengthName): string {
  return name === "anew" ? message("lengths.anew") : message(`at.${name}`);
}

/** Which schemes hold behind the last position of the model, which break, and which end there, as the numbers say. */
export function verdictOf(fares: readonly Fare[], positions: number): string {
  const tried = fares.filter(({ name }) => name !== "anew");
  const named = (some: readonly Fare[]): string => formatList(some.map(({ name, rise }) => (rise === null ? lengthName(name) : message("lengths.rise", { scheme: lengthName(name), rise: signed(rise) }))));
  const ended = tried.filter(({ rise }) => rise === null);
  const held = tried.filter(({ rise }) => rise !== null && !breaks(rise));
  const broken = tried.filter(({ rise }) => rise !== null && breaks(rise));
  const sentence = (key: "lengths.hold" | "lengths.break" | "lengths.end", some: readonly Fare[]): string[] =>
    some.length === 0 ? [] : [message(key, { schemes: named(some), positions, threshold: formatFixed(BREAKS, DIGITS) })];
  return [...sentence("lengths.hold", held), ...sentence("lengths.break", broken), ...sentence("lengths.end", ended)].join(" ");
}

/** Whether it breaks, as far as the number that is shown tells. */
function breaks(rise: number): boolean {
  return Number(rise.toFixed(DIGITS)) > Number(BREAKS.toFixed(DIGITS));
}

/** A rise, or a fall. */
export function signed(rise: number): string {
  return `${Number(rise.toFixed(DIGITS)) > 0 ? "+" : ""}${formatFixed(rise, DIGITS)}`;
}
