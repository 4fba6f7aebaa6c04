import type bench from "./en/bench.json";
import type exporting from "./en/export.json";
import type gpu from "./en/gpu.json";
import type keys from "./en/keys.json";
import type page from "./en/page.json";
import type pairs from "./en/pairs.json";
import type rules from "./en/rules.json";
import type tour from "./en/tour.json";

/** The sentences of the parts of the page that come later, and come with them. */
interface Later {
  bench: typeof bench;
  export: typeof exporting;
  gpu: typeof gpu;
  keys: typeof keys;
  pairs: typeof pairs;
  rules: typeof rules;
  tour: typeof tour;
}

/** A part of the page whose sentences a first visit does without. */
export type LaterPart = keyof Later;

/** The name of a sentence that is there from the start; English decides which exist. */
export type FirstKey = keyof typeof page;

/** The name of a sentence. */
export type MessageKey = FirstKey | { [Part in LaterPart]: keyof Later[Part] }[LaterPart];

/**
 * What every language must provide from the start. `{name}` is filled in by `message`, `{name|one|many}` with the form
 * that goes with that number; numbers are formatted for the language.
 */
export type Messages = Record<FirstKey, string>;

/** Languages that are complete. */
export type Language = "en" | "zh-CN";
