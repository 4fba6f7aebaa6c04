import type { State } from "../../state/index.js";
import { LAB_TABLE } from "./lab-table.js";
import { nearest, type Kind, type LabValue } from "./lab-values.js";

/** Laboratories as an address has them, by their names. */
function labsIn(labs: string | null): Map<string, string> {
  return new Map(
    [...(labs ?? "").matchAll(/(\w+)\(([^()]*)\)/g)].map(([, name = "", text = ""]) => [
      name,
      text,
    ]),
  );
}

/** What an address says of one of them. */
export function settingsOf(labs: string | null, name: string): Map<string, string> {
  return entriesOf(labsIn(labs).get(name) ?? "");
}

/** Settings by their names, of what an address says of one laboratory. */
export function entriesOf(text: string): Map<string, string> {
  return new Map(
    (text === "" ? [] : text.split(",")).map((setting) => [
      setting.split("-", 1)[0] ?? "",
      setting.replace(/^[^-]*-?/, ""),
    ]),
  );
}

/** With other settings of one of them; null where all are as they open. */
export function withLab(labs: string | null, name: string, text: string): string | null {
  const all = labsIn(labs).set(name, text);
  if (text === "") all.delete(name);
  return all.size === 0 ? null : [...all].map(([key, value]) => `${key}(${value})`).join("");
}

/** Settings as an address has them. */
export function textOf(settings: Iterable<readonly [key: string, value: string]>): string {
  return [...settings].map(([key, value]) => `${key}-${value}`).join(",");
}

/** How the page names settings of a link that cannot be. */
export function wrongSettings(keys: readonly string[]): string {
  return `labs: ${keys.join()}`;
}

/** What stands under a name that a link gave, which may be one that every object of the language has. */
function own<Found>(table: Readonly<Record<string, Found>>, name: string): Found | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

type Kinds = Readonly<Record<string, Kind>>;

/**
 * What of a link's laboratories can be, and the names of what cannot, by itself or beside its other settings. What contradicts the model or the
 * text, a laboratory says itself.
 */
export function readLabs(
  labs: string,
  state: Pick<State, "numbers">,
): { labs: string | null; unread: string[] } {
  const unread: string[] = [];
  let read: string | null = labs;
  for (const name of labsIn(labs).keys()) {
    const settings = settingsOf(labs, name);
    const kinds = own<Kinds>(LAB_TABLE, name) ?? {};
    const values = new Map(
      [...settings].map(([key, text]) => [key, own(kinds, key)?.decode(text)]),
    );
    const wrong = [...values].filter(([, value]) => value === undefined).map(([key]) => key);
    for (const key of wrong) settings.delete(key);
    const of = (other: string): number => Number(values.get(other) ?? kinds[other]?.opens);
    for (const [key, { within, encode }] of Object.entries(kinds)) {
      const value = values.get(key);
      if (!within || typeof value !== "number") continue;
      const fit = nearest(value, within(of, state));
      if (fit === value) continue;
      wrong.push(key);
      // The value is a number, and so is what its kind writes.
      settings.set(key, (encode as LabValue<number>["encode"])(fit));
    }
    if (wrong.length === 0) continue;
    unread.push(wrongSettings(wrong));
    read = withLab(read, name, textOf(settings));
  }
  return { labs: read, unread };
}
