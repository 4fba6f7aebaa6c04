import { demosIn } from "../demo.js";
import { MASKS, POSITIONS } from "../demo-lists.js";
import {
  NUMBERS,
  ROOMS,
  settingsByDemo,
  settingsOf,
  valuesIn,
  withSettings,
  type Fields,
  type Numbers,
} from "../../../kit/fields.js";

/** Every demo that a file of these folders exports. */
export const DEMOS = demosIn(
  // A file of tests would add its own to those of each file that imports this one.
  import.meta.glob<object>(
    ["../{masks,positions,variants,heads,numbers}/*.ts", "!../*/*.test.ts"],
    { eager: true },
  ),
);

/**
 * The fields of all demos and of the parts of the page with demos, by their names in the address.
 */
export const FIELDS: Readonly<Record<string, Fields>> = {
  masks: MASKS,
  places: POSITIONS,
  heads: ROOMS,
  numbers: NUMBERS,
  ...Object.fromEntries(DEMOS.map(({ name, fields }) => [name, fields])),
};

/**
 * The valid settings of a link, and the names of the invalid ones. Only a demo knows the limits of
 * the model and the text.
 */
export function readDemos(demos: string, state: Numbers) {
  const unread: string[] = [];
  let read: string | null = demos;
  for (const [name, settings] of settingsByDemo(demos)) {
    const fields = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    const { values, wrong } = valuesIn(fields ?? {}, settings, state);
    if (fields && wrong.length === 0) continue;
    unread.push(fields ? `demos: ${wrong.join()}` : "demos");
    read = withSettings(read, name, settingsOf(fields ?? {}, values));
  }
  return { demos: read, unread };
}
