/**
 * The present time as `datetime.now().strftime` of Python 3.11 writes it on Linux, in English.
 * Templates write the date into the text of some models, such as Llama 3.2.
 */

import { Unrendered } from "./values.js";

const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** A time in a format such as `%d %b %Y`. */
export function strftime(time: Date, format: string): string {
  return format.replace(/%-?./gs, (code) => partOf(time, code));
}

function partOf(time: Date, code: string): string {
  const isShort = code.startsWith("%-");
  const two = (value: number): string => (isShort ? String(value) : String(value).padStart(2, "0"));
  const hour = time.getHours();
  const letter = code.slice(isShort ? 2 : 1);
  if (isShort && !"dmHIMSyj".includes(letter)) throw unknown(code);
  switch (letter) {
    case "Y":
      return String(time.getFullYear());
    case "y":
      return two(time.getFullYear() % 100);
    case "m":
      return two(time.getMonth() + 1);
    case "B":
      return MONTHS[time.getMonth()] ?? "";
    case "b":
      return (MONTHS[time.getMonth()] ?? "").slice(0, 3);
    case "d":
      return two(time.getDate());
    case "e":
      return String(time.getDate()).padStart(2, " ");
    case "j":
      return isShort ? String(dayOfYear(time)) : String(dayOfYear(time)).padStart(3, "0");
    case "A":
      return DAYS[time.getDay()] ?? "";
    case "a":
      return (DAYS[time.getDay()] ?? "").slice(0, 3);
    case "H":
      return two(hour);
    case "I":
      return two(hour % 12 || 12);
    case "p":
      return hour < 12 ? "AM" : "PM";
    case "M":
      return two(time.getMinutes());
    case "S":
      return two(time.getSeconds());
    case "F":
      return strftime(time, "%Y-%m-%d");
    case "T":
      return strftime(time, "%H:%M:%S");
    case "%":
      return "%";
    default:
      throw unknown(code);
  }
}

const unknown = (code: string): Unrendered => new Unrendered(`\`${code}\` in a format of a date`);

function dayOfYear(time: Date): number {
  const day = (month: number, date: number): number => Date.UTC(time.getFullYear(), month, date);
  return (day(time.getMonth(), time.getDate()) - day(0, 0)) / 86_400_000;
}
