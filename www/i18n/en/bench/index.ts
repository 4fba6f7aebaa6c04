import { masks } from "./masks.js";
import { positions } from "./positions.js";

/** The sentences of the bench in English, a file per part of it: fetched when one is opened. Their keys belong to the key type too. */
export const enBench = { ...masks, ...positions } as const;
