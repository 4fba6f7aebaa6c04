import { heads } from "./heads.js";
import { kinds } from "./kinds.js";
import { masks } from "./masks.js";

/** The sentences of the bench in English, a file per part of it: fetched when one is opened. Their keys belong to the key type too. */
export const enBench = { ...masks, ...heads, ...kinds } as const;
