import { LAB_TABLE } from "./lab-table.js";
import type { LabValue } from "./lab-values.js";

/** Laboratories as an address has them, by their names. */
function labsIn(labs: string | null): Map<string, string> {
  return new Map([...(labs ?? "").matchAll(/(\w+)\(([^()]*)\)/g)].map(([, name = "", text = ""]) => [name, text]));
}

/** What an address says of one of them. */
export function settingsOf(labs: string | null, name: string): Map<string, string> {
  const text = labsIn(labs).get(name) ?? "";
  return new Map((text === "" ? [] : text.split(",")).map((setting) => [setting.split("-", 1)[0] ?? "", setting.replace(/^[^-]*-?/, "")]));
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

/** What a setting can be; a link may name what every object of the language has. */
function kindOf(name: string, key: string): Pick<LabValue<unknown>, "decode"> | undefined {
  const table: Readonly<Record<string, Readonly<Record<string, Pick<LabValue<unknown>, "decode">>>>> = LAB_TABLE;
  const lab = Object.hasOwn(table, name) ? table[name] : undefined;
  return lab && Object.hasOwn(lab, key) ? lab[key] : undefined;
}

/** What of a link's laboratories can be, and the names of what cannot; what contradicts other settings, a laboratory says itself. */
export function readLabs(labs: string): { labs: string | null; unread: string[] } {
  const unread: string[] = [];
  let read: string | null = labs;
  for (const name of labsIn(labs).keys()) {
    const settings = settingsOf(labs, name);
    const wrong = [...settings].filter(([key, value]) => kindOf(name, key)?.decode(value) === undefined).map(([key]) => key);
    if (wrong.length === 0) continue;
    unread.push(wrongSettings(wrong));
    read = withLab(read, name, textOf([...settings].filter(([key]) => !wrong.includes(key))));
  }
  return { labs: read, unread };
}
