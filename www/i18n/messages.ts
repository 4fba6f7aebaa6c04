import type { enBench } from "./en/bench/index.js";
import type { exporting } from "./en/export.js";
import type { gpu } from "./en/gpu.js";
import type { en } from "./en/index.js";
import type { keys } from "./en/keys.js";
import type { pairs } from "./en/pairs.js";
import type { rules } from "./en/rules.js";
import type { tour } from "./en/tour.js";

/** The sentences of the parts of the page that come later, and come with them. */
interface Later {
  bench: typeof enBench;
  exporting: typeof exporting;
  gpu: typeof gpu;
  keys: typeof keys;
  pairs: typeof pairs;
  rules: typeof rules;
  tour: typeof tour;
}

/** A part of the page whose sentences a first visit does without. */
export type LaterPart = keyof Later;

/** The name of a sentence that is there from the start; English decides which exist. */
export type FirstKey = keyof typeof en;

/** The name of a sentence. */
export type MessageKey = FirstKey | { [Part in LaterPart]: keyof Later[Part] }[LaterPart];

/** What every language must provide from the start, and with each later part. */
export type Messages = Record<FirstKey, string>;
export type LaterMessages<Part extends LaterPart> = Record<keyof Later[Part], string>;

/** Languages that are complete. */
export type Language = "en" | "zh-CN";
